"""The command that makes a stage of a run, with the inputs and options of the run's other stages."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.command_line.runnable_commands import runnable
from harness.command_line.session_options import REPRODUCTION_DEFAULTS
from harness.stages import FORMALIZATION, LABEL, SMT_VALIDATE, STAGE_BY_NAME, STAGES, VERIFIER
from harness.store.run_folder import run_option
from harness.text.characters import one_line

_BUNDLED = ("mini", ["formalizations.jsonl", "annotation"])
_SELECTION = ("problems", "slice")
_FILES = ("formalizations", "labels", "solutions")
_LONGEST_NAME = 255
"""The most bytes that file systems take; more than these raise an error when they are looked up."""


def command_on(stage: str, run: Path) -> str:
    """Return the command that makes a stage of a run, whether or not the environment is activated.

    A run holds the names of its files of formalizations and labels, not their folders: of a file that is not here, the folder is
    `FOLDER`, to be completed. Labels are named for the stage that audits them alone.
    """
    command = runnable(STAGE_BY_NAME[stage].command)
    if stage == VERIFIER:
        return command.replace("runs/NAME", shlex.quote(str(run)))
    if stage == SMT_VALIDATE:
        return f"{command} --run {shlex.quote(str(run))}"
    return " ".join([command, run_option(run), *map(shlex.quote, _options(stage, run))])


def _options(stage: str, run: Path) -> Iterator[str]:
    """Yield the options of a run that differ from the defaults; its own problems are the corpus if it is not the bundled one."""
    recorded = _recorded(run)
    if "corpus" not in recorded:
        return
    if (recorded["corpus"], recorded.get("formalizations")) == _BUNDLED:
        recorded["formalizations"] = []
    problems = run / FORMALIZATION / "problems.jsonl"
    own = recorded["corpus"] != "mini" and problems.is_file()
    if own:
        recorded["corpus"] = str(problems)
    for name, default in REPRODUCTION_DEFAULTS.items():
        if (
            name in recorded
            and not (own and name in _SELECTION)
            and (name not in {"labels", "solutions"} or stage == LABEL)
        ):
            value = recorded[name]
            for text in [_quoted(value)] if not isinstance(default, list) else value if isinstance(value, list) else []:
                if text != _quoted(default):
                    placed = _file_name(str(text)) if name in _FILES else str(text)
                    yield f"--harness-{name.replace('_', '-')}={one_line(placed, limit=400)}"


def _file_name(name: str) -> str:
    """Return a file as it can be named here; a name without an ending is that of a formalizer."""
    is_here = not Path(name).suffix or (len(name.encode("utf-8", "replace")) <= _LONGEST_NAME and Path(name).exists())
    return name if is_here else f"FOLDER/{name}"


def _recorded(run: Path) -> dict[str, Any]:
    """Return the options in the manifest of the first sealed stage, none where no manifest can be read."""
    for stage in STAGES:
        try:
            manifest = json.loads((run / stage.name / "manifest.json").read_text(encoding="utf-8"))
            return {**manifest["options"], "seed": manifest["seed"]}
        except (OSError, ValueError, RecursionError, TypeError, KeyError):  # another message reports a broken manifest
            continue
    return {}


def _quoted(value: object) -> str:
    """Return a value as it is written on the command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
