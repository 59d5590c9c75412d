"""Commands in messages, as a person can type them: in any folder, whether or not the environment is activated."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

from harness.paths import ROOT

SUITES = "properties"


def runnable(command: str) -> str:
    """Return a command that runs as it is printed; every command that a message names goes through here.

    Its first word becomes the path of this environment's program, relative to the current folder if it is below it, unless the
    shell finds that program by its name, or the environment has none of that name. Outside the project's folder, `make`
    gets the folder of the Makefile, files of the project get their full path, and pytest gets the folder of the suites.
    """
    name, space, rest = command.partition(" ")
    if Path.cwd() != ROOT and (ROOT / "Makefile").is_file():
        rest = _from_elsewhere(name, rest)
        space = " " if rest else space
    own = Path(sys.executable).parent / name
    found = shutil.which(name)
    if not own.is_file() or (found is not None and Path(found).parent == own.parent):
        return f"{name}{space}{rest}"
    folder = Path.cwd()
    shown = os.path.relpath(own, folder) if own.is_relative_to(folder) else str(own)
    return f"{shlex.quote(shown)}{space}{rest}"


def _from_elsewhere(name: str, rest: str) -> str:
    """Return the arguments of a program that is run outside the project's folder."""
    if name == "make":
        return f"-C {shlex.quote(str(ROOT))} {rest}".rstrip()
    if name not in {"pytest", "streamlit"}:
        return rest
    words = shlex.split(rest)
    full = [
        str(ROOT / word) if before != "-m" and (ROOT / word.partition("::")[0]).exists() else word
        for before, word in zip(["", *words], words, strict=False)
    ]
    if name == "pytest" and full == words:
        full.insert(0, str(ROOT / SUITES))
    return shlex.join(full)
