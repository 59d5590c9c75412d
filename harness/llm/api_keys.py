"""API keys from the environment or a `.env` file, and their removal from every text."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HIDDEN = "[key]"
_SHORTEST = 6
"""A shorter value is no secret, and would be found in any text."""
_PIECE = 8
"""Characters of a key in a row that are hidden wherever they stand; half as many are searched for first."""
_MASK = re.compile(r"\*{2,}|\.{3,}|…|•{2,}")
"""What a server writes in place of a key's middle: `sk-ab***yz`."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A key that prints as `[key]`; `reveal` is called where it is sent, and nowhere else."""

    value: str

    def __post_init__(self) -> None:
        """Refuse what no header can carry: the error of the library that finds out shows the key.

        Raises:
            HarnessError: it holds something else than printable ASCII.
        """
        odd = next((place for place, one in enumerate(self.value) if not "!" <= one <= "~"), None)
        if odd is not None:
            raise HarnessError(
                f"a key is printable ASCII without spaces, this one has {self.value[odd]!a} at place {odd + 1}"
            )

    def reveal(self) -> str:
        """Return the key itself."""
        return self.value

    def __repr__(self) -> str:
        """Hide the value, in tracebacks too."""
        return HIDDEN

    __str__ = __repr__


def environment(path: Path = Path(".env")) -> dict[str, str]:
    """Return the variables of the process and those of a `.env` file, which yield to the process's; nothing is exported.

    Raises:
        HarnessError: the file cannot be read.
    """
    found: dict[str, str] = {}
    if path.is_file():
        try:
            from dotenv import dotenv_values

            found = {name: value for name, value in dotenv_values(path, interpolate=False).items() if value is not None}
        except ImportError:
            raise HarnessError(f"{path} is not read without python-dotenv: make install-llm") from None
        except (OSError, UnicodeDecodeError) as error:
            raise HarnessError(f"{path} cannot be read: {type(error).__name__}") from None
    return {**found, **os.environ}


def redact(text: str, secrets: Iterable[Secret]) -> str:
    """Return a text with every key in it hidden, also in part: cut off, or as a server shows its beginning and end."""
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
    """Yield where each run of characters stands that is in the key, where it is long.

    A run of eight contains one of the key's blocks of four that begin at multiples of four, so only those are looked for.
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
    """Yield where a mask stands with the key's beginning before it and its end behind it, or much of one of the two."""
    for mask in _MASK.finditer(text):
        before, after = (
            text[max(0, mask.start() - len(value)) : mask.start()],
            text[mask.end() : mask.end() + len(value)],
        )
        first = max((size for size in range(3, len(value)) if before.endswith(value[:size])), default=0)
        last = max((size for size in range(2, len(value)) if after.startswith(value[-size:])), default=0)
        if (first and last) or max(first, last) >= _SHORTEST:
            yield mask.start() - first, mask.end() + last
