"""The page `traces.html`: the traces of a run's templates, each with its dependency graph."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.domain import Problem, Status, Verdict
from harness.json_form import json_form
from harness.records.template import TraceRecord
from harness.stages import TEMPLATE
from reports.html.page import Page, Row, dump_compact, run_facts, write_page
from reports.views.artefacts import open_stage, require_problem
from reports.views.graph_layout import lay_out, reads_of, steps_of
from reports.views.phrases import ROLE_TITLES, TRACE_CLAIMS
from reports.views.stage_sections import template_sections

# Columns of an index row that are added up.
_LINES, _VARIABLES, _DIFFERING, _DEAD = range(4, 8)


def write_traces(run: Path) -> Path:
    """Write `run/report/traces.html`, one self-contained page, and return its path; errors as of `open_stage`."""
    stage = open_stage(run, TEMPLATE)
    problems = {problem.problem_id: problem for problem in stage.problems()}
    places = {problem_id: place for place, problem_id in enumerate(problems)}
    verdicts = defaultdict[tuple[str, str], dict[str, Verdict]](dict)
    for verdict in stage.verdicts():
        require_problem(problems, verdict.problem_id, "verdicts.jsonl", stage=TEMPLATE)
        verdicts[verdict.problem_id, verdict.left][verdict.claim] = verdict
    # Each trace as its size and JSON text: 7,724 of them are 19 MB as text.
    traced: dict[tuple[str, str], tuple[Row, str]] = {}
    for trace in stage.records(TraceRecord, "traces.jsonl"):
        problem = require_problem(problems, trace.problem_id, "traces.jsonl", stage=TEMPLATE)
        key = trace.problem_id, trace.model
        sizes = map(len, (trace.lines, trace.entries, trace.mismatches, trace.dead))
        traced[key] = [trace.tier, trace.answer, *sizes], _details(problem, trace, verdicts[key])
    rows, items = list[Row](), list[str]()
    for key in sorted(verdicts, key=lambda key: (places[key[0]], key[1])):
        claims = verdicts[key]
        nothing = [problems[key[0]].tier, None, 0, 0, 0, 0]
        size, details = traced.get(key) or (nothing, _details(problems[key[0]], None, claims))
        statuses = [claims[claim].status if claim in claims else -1 for claim in TRACE_CLAIMS]
        rows.append([places[key[0]], key[1], *size, statuses])
        items.append(details)
    page = Page(
        name="traces.html",
        template="list.html",
        search="Search id, model or question",
        index={
            **run_facts(stage),
            "claims": TRACE_CLAIMS,
            "roles": ROLE_TITLES,
            "problems": [[problem.problem_id, problem.question, problem.gold] for problem in problems.values()],
            "traces": rows,
        },
        items=items,
        styles=("traces.css", "graph.css"),
        scripts=("picture.js", "traces.js"),
        values={"drawn": template_sections(stage, _funnel_steps(len(problems), rows, traced=len(traced)))},
    )
    return write_page(run, page)


def _funnel_steps(problems: int, rows: Sequence[Row], *, traced: int) -> list[tuple[str, int, int]]:
    whole = sum(all(status == Status.CONFIRMED for status in row[-1]) for row in rows)
    lines, variables, differing, dead = (
        sum(row[place] for row in rows) for place in (_LINES, _VARIABLES, _DIFFERING, _DEAD)
    )
    return [
        ("problems", problems, problems),
        ("templates", len(rows), len(rows)),
        ("  with a trace", traced, len(rows)),
        ("  all claims confirmed", whole, len(rows)),
        ("lines", lines, lines),
        ("  that differ", differing, lines),
        ("variables", variables, variables),
        ("  dead", dead, variables),
    ]


def _details(problem: Problem, trace: TraceRecord | None, claims: Mapping[str, Verdict]) -> str:
    """Return what the page reads when a trace is opened; the entries read others by their numbers."""
    verdicts = {claim: json_form(verdict) for claim, verdict in claims.items()}
    if trace is None:
        return dump_compact({"verdicts": verdicts, "solution": problem.solution})
    entries, layout = trace.entries, lay_out(trace.entries)
    forms = [{**json_form(entry), "reads": reads} for entry, reads in zip(entries, reads_of(entries), strict=True)]
    steps, picture = list(map(json_form, steps_of(entries))), None if layout is None else json_form(layout)
    return dump_compact(json_form(trace) | {"verdicts": verdicts, "entries": forms, "steps": steps, "picture": picture})
