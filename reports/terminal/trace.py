"""Terminal printout of one problem's template traces: claims, and the inputs, expression and value of each line."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from harness.domain import Verdict
from harness.records.template import TracedVariable, TraceRecord
from harness.stages import TEMPLATE
from harness.text.characters import one_line
from reports.terminal.formalization_stage import STATUS_STYLES
from reports.terminal.problem import find_problem, print_question
from reports.views.artefacts import open_stage
from reports.views.graph_layout import GraphStep, steps_of
from reports.views.record_titles import ROLE_TITLES, TRACE_CLAIMS


def print_trace(run: Path, problem_id: str, console: Console) -> None:
    """Print the traces of a problem's templates: claims, and for each line its inputs, expression and value.

    Raises:
        UnknownProblemError: the stage holds no such problem; the message has the closest ids.
        ReportError: the template stage of `run` is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run, TEMPLATE)
    print_question(find_problem(stage, problem_id, option="--trace"), console)
    traces = {trace.model: trace for trace in stage.traces(problem_id)}
    verdicts: dict[str, list[Verdict]] = {}
    for verdict in stage.verdicts(problem_id):
        verdicts.setdefault(verdict.left, []).append(verdict)
    for model in sorted({*traces, *verdicts}):
        console.print()
        console.print(Rule(Text(one_line(model), style="bold"), align="left", style="dim"))
        _print_claims(verdicts.get(model, []), console)
        if model in traces:
            _print_steps(traces[model], console)
        else:
            console.print(Text("no trace was made of this template", style="yellow"))


def _print_claims(verdicts: Sequence[Verdict], console: Console) -> None:
    for verdict in sorted(verdicts, key=lambda verdict: TRACE_CLAIMS.index(verdict.claim)):
        reason = None if verdict.findings else verdict.reason
        status = verdict.status.name
        line = Text.assemble((f"{status:9}", STATUS_STYLES[status]), f" {verdict.claim}")
        console.print(line.append(f"  {one_line(reason)}" if reason else "", style="dim"))
        for finding in verdict.findings:
            text = f"{finding.line} {finding.cause}: found {finding.found!r}, expected {finding.expected!r}"
            console.print(Padding(Text(one_line(text)), (0, 0, 0, 4)))


def _print_steps(trace: TraceRecord, console: Console) -> None:
    entries, dead = trace.entries, frozenset(trace.dead)
    table = Table("line", "variable", "value", "from", "expression", box=box.SIMPLE_HEAD, pad_edge=False)
    table.columns[2].justify = "right"
    for step in steps_of(entries):
        for place, number in enumerate(_numbers(step)):
            label = Text("" if place else one_line(step.line or ""))
            table.add_row(label, *_cells(entries[number], dead), end_section=number == _numbers(step)[-1])
    console.print(table)
    for mismatch in trace.mismatches:
        console.print(Text(one_line(f"{mismatch.line} differs in {mismatch.cause}"), style="red"))
        for side, text in (("template", mismatch.given), ("solution", mismatch.expected)):
            console.print(Padding(Text(one_line(f"{side}: {text}")), (0, 0, 0, 4)))
    unexplained = _unexplained(trace)
    if unexplained:
        console.print(Text(one_line(f"without a certain variable: {'; '.join(unexplained)}"), style="dim"))


def _numbers(step: GraphStep) -> list[int]:
    return [*step.inputs, *([] if step.output is None else [step.output])]


def _cells(entry: TracedVariable, dead: frozenset[str]) -> list[Text]:
    role = ROLE_TITLES[entry.role]
    is_dead = entry.variable in dead
    origin = entry.code or entry.comment
    texts = (entry.variable, entry.value, f"{role}, dead" if is_dead else role, origin)
    return [Text(one_line(text), style="dim" if is_dead else "", overflow="fold") for text in texts]


def _unexplained(trace: TraceRecord) -> list[str]:
    numbers: Mapping[str, list[str]] = {line.line: [literal.text for literal in line.literals] for line in trace.lines}
    return [f"{line} {', '.join(texts)}" for line, texts in numbers.items() if texts]
