"""The page and the terminal summary of each sealed stage, whose modules are imported when a stage is shown."""

import importlib
import io
from operator import attrgetter
from pathlib import Path

from harness.stages import FORMALIZATION, FUNNEL, LABEL, MUTATION, SMT, SMT_VALIDATE, TEMPLATE, VARIANT, VERIFIER

PAGES = {
    "--html": ("formalization_page:write_report", (FORMALIZATION,)),
    "--traces": ("traces_page:write_traces", (TEMPLATE,)),
    "--flaws": ("certified_page:FLAWS_PAGE.write", (MUTATION,)),
    "--variants": ("certified_page:VARIANTS_PAGE.write", (VARIANT,)),
    "--labels": ("labels_page:write_labels", (LABEL,)),
    "--verifier": ("verifier_page:write_verifier", (VERIFIER,)),
    "--funnel": ("static_pages:write_funnel", (FUNNEL,)),
    "--constraints": ("static_pages:write_constraints", (SMT, SMT_VALIDATE)),
}
"""What writes the page of an option of `oracle-factory report`, and the stages that it shows."""


def write_stage_page(stage: str, run: Path) -> Path:
    """Write the page of a sealed stage of a run; return its path."""
    module, name = next(writer.split(":") for writer, shown in PAGES.values() if stage in shown)
    path: Path = attrgetter(name)(importlib.import_module(f"reports.html.{module}"))(run)
    return path


def summary(stage: str, run: Path, *, width: int, colour: bool, verbose: bool) -> str:
    """Return a sealed stage of a run as the terminal shows it; see `print_stage`."""
    from rich.console import Console  # only a finished run prints by rich

    from reports.terminal.stages import print_stage

    shown = io.StringIO()
    print_stage(run, stage, Console(file=shown, width=width, force_terminal=colour), verbose=verbose)
    return shown.getvalue()
