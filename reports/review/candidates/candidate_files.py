"""Locations of the candidate files of a run or folder, and the default path of the review state."""

from collections.abc import Sequence
from pathlib import Path

from harness.errors import HarnessError
from harness.stages import MUTATION
from harness.store.run_folder import RunFolder
from reports.views.stage_command import command_on

STATE = Path("reviews") / "review.sqlite"
CONCEPTUAL, COMPUTATIONAL = "conceptual.jsonl", "computational.jsonl"
ALL = (CONCEPTUAL, COMPUTATIONAL)


def files_of_run(run: Path, names: Sequence[str] = ALL) -> tuple[Path, ...]:
    """Return the candidate files of a run's mutation stage.

    Raises:
        HarnessError: the stage is not sealed.
    """
    RunFolder(run).stage(MUTATION).manifest()
    return tuple(run / MUTATION / name for name in names)


def missing_candidates(run: Path) -> str:
    """Return why a run has no candidates, with the command that makes them; an empty text if it has some."""
    command = command_on(MUTATION, run)
    if not (run / MUTATION).is_dir():
        return f"{run}: the run has no mutation stage, whose flawed solutions are reviewed; make them: {command}"
    try:
        RunFolder(run).stage(MUTATION).manifest()
    except HarnessError as error:
        return f"{error}: {command}"
    return ""


def files_in(folder: Path, names: Sequence[str] = ALL) -> tuple[Path, ...]:
    """Return the files of a folder with the names of a mutation stage, else all `.jsonl` and `.jsonl.gz` files."""
    staged = tuple(path for path in (folder / name for name in names) if path.is_file())
    return staged or tuple(sorted([*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz")]))
