"""Where do keys come from, and how is a text kept free of them?"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Iterable

HIDDEN = "[key]"
_SHORTEST = 6
"""A shorter value is no secret, and would be found in any text."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A key that prints as `[key]`; `reveal` is called where it is sent, and nowhere else."""

    value: str

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
            raise HarnessError(f"{path} is not read without python-dotenv: pip install 'oracle-factory[llm]'") from None
        except (OSError, UnicodeDecodeError) as error:
            raise HarnessError(f"{path} cannot be read: {type(error).__name__}") from None
    return {**found, **os.environ}


def redact(text: str, secrets: Iterable[Secret]) -> str:
    """Return a text with every key in it hidden, also where a server shows its beginning and end."""
    for secret in secrets:
        value = secret.reveal()
        if len(value) >= _SHORTEST:
            text = text.replace(value, HIDDEN)
    return text
