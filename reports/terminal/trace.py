"""Terminal printout of one problem's template traces: claims, and the inputs, expression and value of each line."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from harness.domain import Verdict
from harness.records.template import TracedVariable, TraceRecord
from harness.stages import TEMPLATE
from reports.terminal.problem import find_problem, question_section
from reports.terminal.sections import print_sections
from reports.views.artefacts import open_stage
from reports.views.graph_layout import steps_of
from reports.views.phrases import ROLE_TITLES, STATUS_TONES, TRACE_CLAIMS
from reports.views.tables import Cell, Column, Prose, Row, Section, Table, Tone


def print_trace(run: Path, problem_id: str, console: Console) -> None:
    """Print the traces of a problem's templates: claims, and for each line its inputs, expression and value.

    Raises an UnknownProblemError if the stage holds no such problem; the message has the closest ids; a ReportError if the template stage of `run` is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run, TEMPLATE)
    question = question_section(find_problem(stage, problem_id, option="--trace"))
    traces = {trace.model: trace for trace in stage.records(TraceRecord, "traces.jsonl", problem_id)}
    verdicts: dict[str, list[Verdict]] = {}
    for verdict in stage.verdicts(problem_id):
        verdicts.setdefault(verdict.left, []).append(verdict)
    missing = Prose("no trace was made of this template", Tone.FAIR)
    sections = [
        Section(model, [*_claims(verdicts.get(model, [])), *(_trace(traces[model]) if model in traces else [missing])])
        for model in sorted({*traces, *verdicts})
    ]
    print_sections(console, [question, *sections])


def _claims(verdicts: Sequence[Verdict]) -> Iterator[Table | Prose]:
    rows: list[Row] = []
    for verdict in sorted(verdicts, key=lambda verdict: TRACE_CLAIMS.index(verdict.claim)):
        reason = "" if verdict.findings else verdict.reason or ""
        rows.append([Cell(verdict.status.name, STATUS_TONES[verdict.status]), verdict.claim, Cell(reason, Tone.WEAK)])
        for finding in verdict.findings:
            found = f"found {finding.found!r}, expected {finding.expected!r}"
            rows.append(["", "", f"{finding.line} {finding.cause}: {found}"])
    yield Table([Column("status"), Column("claim"), Column("reason")], rows, headless=True)


def _trace(trace: TraceRecord) -> Iterator[Table | Prose]:
    entries, dead = trace.entries, frozenset(trace.dead)
    rows: list[Row] = []
    for step in steps_of(entries):
        numbers = [*step.inputs, *([] if step.output is None else [step.output])]
        for place, number in enumerate(numbers):
            rows.append(["" if place else step.line or "", *_cells(entries[number], dead)])
    columns = [Column("line"), Column("variable"), Column("value"), Column("from"), Column("expression")]
    yield Table(columns, rows)
    for mismatch in trace.mismatches:
        yield Prose(f"{mismatch.line} differs in {mismatch.cause}", Tone.BAD)
        yield Prose(f"    template: {mismatch.given}")
        yield Prose(f"    solution: {mismatch.expected}")
    unexplained = [
        f"{line.line} {', '.join(literal.text for literal in line.literals)}" for line in trace.lines if line.literals
    ]
    if unexplained:
        yield Prose(f"without a certain variable: {'; '.join(unexplained)}", Tone.WEAK)


def _cells(entry: TracedVariable, dead: frozenset[str]) -> list[Cell]:
    role, is_dead = ROLE_TITLES[entry.role], entry.variable in dead
    texts = (entry.variable, entry.value, f"{role}, dead" if is_dead else role, entry.code or entry.comment)
    return [Cell(text, Tone.WEAK if is_dead else Tone.PLAIN) for text in texts]
