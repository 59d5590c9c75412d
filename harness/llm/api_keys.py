"""API keys from the environment or a `.env` file, and their removal from every text."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HIDDEN = "[key]"
_SHORTEST = 6
"""Characters of the shortest value that is hidden; a shorter one would occur in any text."""
_PIECE = 8
"""Consecutive characters of a key that are hidden wherever they occur; half as many are searched for first."""
_MASK = re.compile(r"\*{2,}|\.{3,}|…|•{2,}")
"""The characters that a server writes in place of the middle of a key: `sk-ab***yz`."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A key that prints as `[key]`; only the code that sends it calls `reveal`."""

    value: str

    def __post_init__(self) -> None:
        """Refuse a key that no header can carry; the error of the library would show the key.

        Raises:
            HarnessError: the key has a character that is not printable ASCII.
        """
        odd = next((place for place, character in enumerate(self.value) if not "!" <= character <= "~"), None)
        if odd is not None:
            raise HarnessError(
                f"expected a key of printable ASCII without spaces, found {self.value[odd]!a} at character {odd + 1}"
            )

    def reveal(self) -> str:
        """Return the key itself."""
        return self.value

    def __repr__(self) -> str:
        """Hide the value, in tracebacks too."""
        return HIDDEN

    __str__ = __repr__


def environment(path: Path = Path(".env")) -> dict[str, str]:
    """Return the variables of a `.env` file and of the process, which take precedence; nothing is exported.

    Raises:
        HarnessError: the file cannot be read.
    """
    variables: dict[str, str] = {}
    if path.is_file():
        try:
            from dotenv import dotenv_values

            variables = {
                name: value for name, value in dotenv_values(path, interpolate=False).items() if value is not None
            }
        except ImportError:
            raise HarnessError(
                f"{path} is not read without python-dotenv; install it by: {runnable('make install-llm')}"
            ) from None
        except (OSError, UnicodeDecodeError) as error:
            raise HarnessError(f"{path} cannot be read: {type(error).__name__}") from None
    return {**variables, **os.environ}


def redact(text: str, secrets: Iterable[Secret]) -> str:
    """Return a text with every key replaced by `[key]`, also a part of a key or its masked form."""
    for secret in secrets:
        value = secret.reveal()
        if len(value) >= _SHORTEST:
            text = text.replace(value, HIDDEN)
            parts: list[str] = []
            done = 0
            for first, last in sorted([*_pieces(text, value), *_masked(text, value)]):
                if last > done:
                    parts += [text[done:first], HIDDEN] if first > done or not parts else []
                    done = last
            text = "".join([*parts, text[done:]])
    return text


def _pieces(text: str, value: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each run of at least eight characters that the text shares with the key.

    Such a run contains one of the key's blocks of four that begin at multiples of four, so only these are searched for.
    """
    half = _PIECE // 2
    for start in range(0, len(value) - half + 1, half):
        at = text.find(value[start : start + half])
        while at >= 0:
            first, last = start, start + half
            while first > 0 and at > 0 and text[at - 1] == value[first - 1]:
                first, at = first - 1, at - 1
            end = at + last - first
            while last < len(value) and end < len(text) and text[end] == value[last]:
                last, end = last + 1, end + 1
            if end - at >= _PIECE:
                yield at, end
            at = text.find(value[start : start + half], end)


def _masked(text: str, value: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each mask with the beginning of the key before it and its end after it, or much of either."""
    for mask in _MASK.finditer(text):
        before, after = (
            text[max(0, mask.start() - len(value)) : mask.start()],
            text[mask.end() : mask.end() + len(value)],
        )
        first = max((size for size in range(3, len(value)) if before.endswith(value[:size])), default=0)
        last = max((size for size in range(2, len(value)) if after.startswith(value[-size:])), default=0)
        if (first and last) or max(first, last) >= _SHORTEST:
            yield mask.start() - first, mask.end() + last
