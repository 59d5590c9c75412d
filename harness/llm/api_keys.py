"""API keys from the environment or a `.env` file, and their removal from every text."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from pydantic import SecretStr

from harness.command_line.runnable_commands import optional_packages
from harness.errors import HarnessError

HIDDEN = "[key]"
_SHORTEST = 6
"""Characters of the shortest value that is hidden; a shorter one would occur in any text."""
_PIECE = 8
"""Consecutive characters of a key that are hidden wherever they occur."""


def environment(path: Path = Path(".env")) -> dict[str, str]:
    """Return the variables of a `.env` file and of the process, which take precedence; nothing is exported. A file that cannot be read is a `HarnessError`."""
    if not path.is_file():
        return dict(os.environ)
    with optional_packages(str(path)):
        from dotenv import dotenv_values
    try:
        variables = {name: value for name, value in dotenv_values(path, interpolate=False).items() if value is not None}
    except (OSError, UnicodeDecodeError) as error:
        raise HarnessError(f"{path} cannot be read: {type(error).__name__}") from None
    return {**variables, **os.environ}


def redact(text: str, secrets: Iterable[SecretStr]) -> str:
    """Return a text with every key replaced by `[key]`, also eight consecutive characters of a key or its masked form."""
    for secret in secrets:
        value = secret.get_secret_value()
        if len(value) < _SHORTEST:
            continue
        # The beginning of the key, a mask such as `***`, and what follows without a space.
        around = rf"[\w-]{{0,{len(value)}}}"
        masked = rf"(?<!\w){re.escape(value[:3])}{around}(?:\*{{2,}}|\.{{3,}}|…|•{{2,}}){around}"
        text = re.sub(masked, HIDDEN, text)
        # Each piece contains one of the key's blocks of four, which are quickly searched for.
        if any(value[start : start + 4] in text for start in range(0, len(value) - 3, 4)):
            size = min(_PIECE, len(value))
            pieces = "|".join(re.escape(value[start : start + size]) for start in range(len(value) - size + 1))
            text = re.sub(rf"(?s)(?:(?={pieces}).(?:(?!{pieces}).){{0,{size - 1}}})+", HIDDEN, text)
    return text
