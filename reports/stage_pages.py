"""The page and the terminal summary of each sealed stage, whose modules are imported when a stage is shown."""

import importlib
import io
from pathlib import Path

from harness.stages import FORMALIZATION, FUNNEL, LABEL, MUTATION, SMT, SMT_VALIDATE, TEMPLATE, VARIANT, VERIFIER

_WRITERS = {
    FORMALIZATION: ("formalization_page", "write_report"),
    TEMPLATE: ("traces_page", "write_traces"),
    MUTATION: ("certified_page", "write_flaws"),
    VARIANT: ("certified_page", "write_variants"),
    LABEL: ("labels_page", "write_labels"),
    VERIFIER: ("verifier_page", "write_verifier"),
    FUNNEL: ("static_pages", "write_funnel"),
    SMT: ("static_pages", "write_constraints"),
    SMT_VALIDATE: ("static_pages", "write_constraints"),
}


def write_stage_page(stage: str, run: Path) -> Path:
    """Write the page of a sealed stage of a run; return its path."""
    module, name = _WRITERS[stage]
    path: Path = getattr(importlib.import_module(f"reports.html.{module}"), name)(run)
    return path


def summary(stage: str, run: Path, *, width: int, colour: bool, verbose: bool) -> str:
    """Return a sealed stage of a run as the terminal shows it; see `print_stage`."""
    from rich.console import Console  # only a finished run prints by rich

    from reports.terminal.stages import print_stage

    shown = io.StringIO()
    print_stage(run, stage, Console(file=shown, width=width, force_terminal=colour), verbose=verbose)
    return shown.getvalue()
