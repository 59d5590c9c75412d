"""A fuzzer that is led by coverage: texts that reach new lines of the product are changed further."""

import random
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from harness.paths import ROOT
from tests.cases import texts

AWKWARD = (
    *"a1 \n\t()[]{}\"'`+-*/=<>.,$%_|\\:#é\x00\u202e\ufeff\ud800½٣",
    *(
        *texts(r"""``` | #### | << | >> | \n | ** | // | 1e999 | 0/0"""),
        "(" * 50,
        "[" * 200,
        "9" * 500,
        "-",
        "\r\n",
        '"": ',
        "null",
        "NaN",
    ),
    *("__import__('os').system('x')", "lambda: 0", "while True: pass", "10**10**10", "(exit)", "(push 1)", "; \n"),
)
PREFIX = str(ROOT)
LONGEST = 20_000


@dataclass(slots=True)
class Fuzzer:
    """Texts that a reader was given and the lines of the product that they reached; all from one seed."""

    reader: Callable[[str], object]
    draw: random.Random
    texts: list[str] = field(default_factory=list)
    reached: set[tuple[str, int]] = field(default_factory=set)
    tried: int = 0
    slowest: tuple[float, str] = (0.0, "")

    def begin(self, seeds: Iterable[str]) -> None:
        """Read the seeds themselves."""
        for seed in seeds:
            self.texts.append(seed)
            self._reach(seed)

    def go_on(self, seconds: float) -> None:
        """Change texts and read them for so many seconds of processor time; whatever the reader raises ends it.

        Raises:
            FoundError: the reader raised, with the text.
        """
        until = time.process_time() + seconds
        while time.process_time() < until:
            text = self._changed()
            if self._reach(text):
                self.texts.append(text)

    def _reach(self, text: str) -> bool:
        """Read a text; tell whether it reached a line that none did before."""
        before = len(self.reached)
        began = time.process_time()
        sys.settrace(self._call)
        try:
            self.reader(text)
        except Exception as error:
            raise FoundError(text, error) from error
        finally:
            sys.settrace(None)
        self.tried += 1
        self.slowest = max(self.slowest, (time.process_time() - began, text))
        return len(self.reached) > before

    def _call(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        return self._line if frame.f_code.co_filename.startswith(PREFIX) else None

    def _line(self, frame: FrameType, event: str, _argument: Any) -> Any:
        if event == "line":
            self.reached.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line

    def _changed(self) -> str:
        """Return a text with one to four changes to a seed, or to a text that reached new lines."""
        text = self.draw.choice(self.texts)
        for _ in range(self.draw.randint(1, 4)):
            start = self.draw.randint(0, len(text))
            end = min(len(text), start + self.draw.choice([0, 1, 2, 8, 40]))
            match self.draw.randrange(5):
                case 0:
                    text = text[:start] + text[end:]
                case 1:
                    text = text[:start] + self.draw.choice(AWKWARD) * self.draw.choice([1, 1, 2, 30]) + text[start:]
                case 2:
                    text = text[:end] + text[start:]
                case 3:
                    other = self.draw.choice(self.texts)
                    place = self.draw.randint(0, len(other))
                    text = text[:start] + other[place : place + self.draw.choice([4, 40, 400])] + text[end:]
                case _:
                    text = text[:start] + self.draw.choice(AWKWARD) + text[end:]
        return text[:LONGEST]


class FoundError(Exception):
    """A reader raised something else than the error of a user's mistake."""

    def __init__(self, text: str, error: Exception) -> None:
        """Keep the text that it was given."""
        super().__init__(f"{type(error).__name__}: {str(error)[:200]} on {text[:2000]!r}")
        self.text = text
