"""The programs of this environment as a person can type them, whether or not the environment is activated."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path


def runnable(command: str) -> str:
    """Return a command whose first word runs the program of this environment.

    That is the name itself where the shell finds this environment's program under it, else its path, relative to the
    current folder if it is below it; the name, too, where this environment has no such program.
    """
    name, space, rest = command.partition(" ")
    own = Path(sys.executable).parent / name
    found = shutil.which(name)
    if not own.is_file() or (found is not None and Path(found).parent == own.parent):
        return command
    folder = Path.cwd()
    shown = os.path.relpath(own, folder) if own.is_relative_to(folder) else str(own)
    return f"{shlex.quote(shown)}{space}{rest}"
