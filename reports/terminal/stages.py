"""Printouts of the stages of a run, and of all findings of its formalization stage."""

from collections.abc import Callable, Mapping
from pathlib import Path

from rich.console import Console
from rich.text import Text

from harness.domain import Status
from harness.stages import FORMALIZATION, FUNNEL, LABEL, MUTATION, SMT, SMT_VALIDATE, TEMPLATE, VARIANT, VERIFIER
from harness.text.characters import one_line
from reports.terminal.sections import print_brief, print_sections
from reports.views import stage_sections
from reports.views.artefacts import open_stage
from reports.views.certified_records import FLAWS, VARIANTS
from reports.views.constraint_runs import constraint_run
from reports.views.formalization_counts import RunCounts, problem_records
from reports.views.phrases import CLAIM_TITLES, finding_text, pair_of, parameter_values
from reports.views.run_summary import RunSummary
from reports.views.scoreboard import Scoreboard
from reports.views.tables import Section


def print_stage(run: Path, stage: str, console: Console, *, verbose: bool = False, as_json: bool = False) -> None:
    """Print the summary of a stage: formalizations in a few lines, or those as JSON, unless `verbose`.

    Raises a HarnessError if the stage is missing, not sealed, or was changed after it was sealed.
    """
    if stage == FORMALIZATION and not verbose:
        print_brief(RunSummary.of(open_stage(run)), console, as_json=as_json)
    else:
        print_sections(console, SUMMARIES[stage](run))


def print_findings(run: Path, console: Console) -> None:
    """Print every finding of `run`, one uncut line each, in the order of the artefact; errors as of `open_stage`."""
    for records in problem_records(open_stage(run)):
        values = {program.model: parameter_values(program.parameters) for program in records.programs}
        for verdict in records.verdicts:
            if verdict.status is Status.REFUTED:
                claim = f"{CLAIM_TITLES[verdict.claim]} {verdict.problem_id} {pair_of(verdict)}"
                console.print(Text(one_line(f"{claim}: {finding_text(verdict, values)}")), soft_wrap=True)


def formalization_summary(run: Path) -> list[Section]:
    """Return the summary of a formalization stage."""
    stage = open_stage(run)
    sections = stage_sections.formalization_sections(stage, RunCounts.read(stage))
    return [stage_sections.run_heading(stage), *sections]


def _constraints(run: Path) -> list[Section]:
    return constraint_run(run).sections(run)


SUMMARIES: Mapping[str, Callable[[Path], list[Section]]] = {
    FORMALIZATION: formalization_summary,
    TEMPLATE: lambda run: stage_sections.template_sections(open_stage(run, TEMPLATE)),
    MUTATION: lambda run: FLAWS.figures(run).sections(),
    VARIANT: lambda run: VARIANTS.figures(run).sections(),
    LABEL: lambda run: stage_sections.label_sections(open_stage(run, LABEL)),
    VERIFIER: lambda run: Scoreboard.of(open_stage(run, VERIFIER)).sections(),
    FUNNEL: stage_sections.funnel_sections,
    SMT: _constraints,
    SMT_VALIDATE: _constraints,
}
"""The summary of each stage, in the order in which they are printed."""
