"""The page `traces.html`: the traces of a run's templates, each with its dependency graph."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.domain import Problem, Status, Verdict
from harness.records.template import PlacedValue, TraceRecord
from harness.stages import TEMPLATE
from reports.html.graph_data import ROLE_ROWS, entry_rows, layout_row
from reports.html.page import Page, write_page
from reports.html.page_data import InternedTexts, Row, chunks_of, dump_compact, run_facts
from reports.views.artefacts import SealedStage, open_stage, require_problem
from reports.views.graph_layout import steps_of
from reports.views.record_titles import STATUSES, TRACE_CLAIMS

# Columns of an index row that are added up.
_LINES, _VARIABLES, _DIFFERING, _DEAD = range(4, 8)


def write_traces(run: Path) -> Path:
    """Write `run/report/traces.html`, one self-contained page, and return its path.

    Raises:
        ReportError: the template stage of `run` is missing, not sealed, or was changed after it was sealed.
    """
    packed = _pack(open_stage(run, TEMPLATE))
    page = Page(
        name="traces.html",
        template="traces.html",
        search="Search id, model or question",
        index=packed.index,
        chunks=chunks_of(packed.details),
        styles=("traces.css", "graph.css"),
        scripts=("picture.js", "traces.js"),
    )
    return write_page(run, page)


@dataclass(slots=True)
class _Packed:
    """Rows of the index, and each trace as JSON text: 7,724 of them are 19 MB as text."""

    index: dict[str, Any] = field(default_factory=dict)
    details: list[str] = field(default_factory=list)


def _pack(stage: SealedStage) -> _Packed:
    problems = {problem.problem_id: problem for problem in stage.problems()}
    places = {problem_id: place for place, problem_id in enumerate(problems)}
    verdicts: dict[tuple[str, str], list[Verdict | None]] = {}
    statuses: Counter[tuple[str, str]] = Counter()
    causes: Counter[str] = Counter()
    for verdict in stage.verdicts():
        require_problem(problems, verdict.problem_id, "verdicts.jsonl", stage=TEMPLATE)
        claims = verdicts.setdefault((verdict.problem_id, verdict.left), [None] * len(TRACE_CLAIMS))
        claims[TRACE_CLAIMS.index(verdict.claim)] = verdict
        statuses[verdict.claim, verdict.status.name] += 1
        causes.update(f"{verdict.claim}: {finding.cause}" for finding in verdict.findings)
    traced: dict[tuple[str, str], tuple[Row, str]] = {}
    models = InternedTexts()
    for trace in stage.traces():
        problem = require_problem(problems, trace.problem_id, "traces.jsonl", stage=TEMPLATE)
        key = trace.problem_id, trace.model
        traced[key] = _size(trace), _details(problem, trace, verdicts.get(key))
    packed = _Packed()
    rows = []
    for key in sorted({*traced, *verdicts}, key=lambda key: (places[key[0]], key[1])):
        claims = verdicts.get(key, [None] * len(TRACE_CLAIMS))
        nothing = [problems[key[0]].tier, None, 0, 0, 0, 0]
        size, details = traced.get(key) or (nothing, _details(problems[key[0]], None, claims))
        row = [places[key[0]], models.number(key[1]), *size]
        rows.append([*row, [-1 if verdict is None else verdict.status for verdict in claims]])
        packed.details.append(details)
    packed.index = {
        **run_facts(stage),
        "models": list(models.numbers),
        "claims": TRACE_CLAIMS,
        "roles": ROLE_ROWS,
        "problems": [[problem.problem_id, problem.question, problem.gold] for problem in problems.values()],
        "traces": rows,
        "ladder": [[claim, status, statuses[claim, status]] for claim in TRACE_CLAIMS for status in STATUSES],
        "funnel": _funnel(len(problems), rows, traced=len(traced)),
        "causes": [[cause, count, causes.total(), 0] for cause, count in causes.most_common()],
    }
    return packed


def _funnel(problems: int, rows: Sequence[Row], *, traced: int) -> list[Row]:
    whole = sum(all(status == Status.CONFIRMED for status in row[-1]) for row in rows)
    return [
        ["problems", problems, problems, 0],
        ["templates", len(rows), len(rows), 0],
        ["with a trace", traced, len(rows), 1],
        ["all claims confirmed", whole, len(rows), 1],
        ["lines", sum(row[_LINES] for row in rows), sum(row[_LINES] for row in rows), 0],
        ["that differ", sum(row[_DIFFERING] for row in rows), sum(row[_LINES] for row in rows), 1],
        ["variables", sum(row[_VARIABLES] for row in rows), sum(row[_VARIABLES] for row in rows), 0],
        ["dead", sum(row[_DEAD] for row in rows), sum(row[_VARIABLES] for row in rows), 1],
    ]


def _size(trace: TraceRecord) -> Row:
    return [trace.tier, trace.answer, *map(len, (trace.lines, trace.entries, trace.mismatches, trace.dead))]


def _details(problem: Problem, trace: TraceRecord | None, claims: Sequence[Verdict | None] | None) -> str:
    verdicts = [None if verdict is None else _verdict(verdict) for verdict in claims or ()]
    if trace is None:
        return dump_compact([verdicts, problem.solution])
    entries = trace.entries
    numbers = {entry.variable: number for number, entry in enumerate(entries)}
    lines = [
        [
            line.line,
            [_part(part, numbers) for part in line.parts],
            [[literal.text, literal.candidates] for literal in line.literals],
        ]
        for line in trace.lines
    ]
    mismatches = [[fault.line, fault.cause, fault.given, fault.expected] for fault in trace.mismatches]
    steps = [[step.line, step.inputs, step.output] for step in steps_of(entries)]
    rows = entry_rows(entries, frozenset(trace.dead))
    return dump_compact([verdicts, None, rows, lines, mismatches, steps, layout_row(entries)])


def _part(part: str | PlacedValue, numbers: Mapping[str, int]) -> str | Row:
    if isinstance(part, str):
        return part
    text = part.text or ""
    return [numbers[part.variable], text] if part.variable in numbers else text


def _verdict(verdict: Verdict) -> Row:
    findings = [[finding.line, finding.cause, finding.found, finding.expected] for finding in verdict.findings]
    return [verdict.status, verdict.method, verdict.reason, findings]
