"""Terminal summary of the formalization stage: funnel, models, findings and problems of low confidence."""

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from reports.views.artefacts import SealedStage, command_of, open_stage
from reports.views.printable_text import one_line
from reports.views.records import CLAIM_TITLES, STATUSES, Claim, Program, Verdict
from reports.views.run_counts import ProblemOutcome, RunCounts, confidence_ranges, fraction
from reports.views.verdict_phrases import Values, doubt, finding_text, pair_of, parameter_values

STATUS_STYLES = {"CONFIRMED": "green", "UNKNOWN": "yellow", "REFUTED": "red"}
# A matrix of more models is wider than 80 columns.
MATRIX_MODELS = 10
# A pair that two solvers tell apart surprises more than a wrong answer: UT-3 first.
_FINDING_ORDER: tuple[Claim, ...] = ("ut3", "ut2", "ut1")
_INDENT = 2
_BAR, _BESIDE_BAR = 24, 42
# A name cut shorter says nothing.
_SHORT_NAME = 12
_GOOD_SHARE, _POOR_SHARE = 0.9, 0.5


@dataclass(frozen=True, slots=True)
class DoubtfulProblem:
    """A problem, how sure the run is of it, and why no surer."""

    problem_id: str
    confidence: float
    reason: str


@dataclass(slots=True)
class _Findings:
    limit: int
    total: int = 0
    first: dict[Claim, list[Verdict]] = field(default_factory=dict)

    def add(self, verdict: Verdict) -> None:
        self.total += 1
        kept = self.first.setdefault(verdict["claim"], [])
        if len(kept) < self.limit:
            kept.append(verdict)

    def kept(self) -> list[Verdict]:
        return [verdict for claim in _FINDING_ORDER for verdict in self.first.get(claim, [])][: self.limit]


def print_summary(run: Path, console: Console, *, finding_limit: int = 15, doubt_limit: int = 10) -> None:
    """Print what the formalization stage of `run` found; no line is wider than the console.

    A `finding_limit` of 0 leaves the findings out, for callers that show them themselves.

    Raises:
        ReportError: `run` is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run)
    tally, findings = RunCounts(), _Findings(limit=finding_limit)
    tally.problems = sum(1 for _ in stage.problems())
    for verdict in stage.verdicts():
        tally.add_verdict(verdict)
        if verdict["status"] == "REFUTED":
            findings.add(verdict)
    for program in stage.programs():
        tally.add_program(program)
    doubts = list(_doubts(stage, tally))
    console.print(_heading(stage))
    sections: list[tuple[str, RenderableType]] = [
        ("Funnel", _funnel(tally, console)),
        ("UT-3 by method", _methods(tally)),
        ("Clique sizes", _clique_sizes(tally, console)),
        ("Confidence", _confidences(tally, console)),
        ("Agreement of models (percent of decided UT-3 pairs confirmed)", _agreement(tally, console)),
        (f"Findings ({findings.total:,})", _findings(stage, tally, findings, console)),
        ("Least sure", _least_sure(doubts, doubt_limit, console)),
    ]
    if not finding_limit:
        sections = [section for section in sections if not section[0].startswith("Findings")]
    for title, body in sections:
        console.print(Text(f"\n{title}", style="bold"))
        console.print(Padding(body, (0, 0, 0, _INDENT), expand=False))
    _commands(console, command_of(run))


def print_findings(run: Path, console: Console) -> None:
    """Print every finding of `run`, one uncut line each, in the order of the artefact.

    Raises:
        ReportError: `run` is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run)
    values = _values(stage.programs())
    for verdict in stage.verdicts():
        if verdict["status"] == "REFUTED":
            claim = CLAIM_TITLES[verdict["claim"]]
            line = f"{claim} {verdict['problem_id']} {pair_of(verdict)}: {_found(verdict, values)}"
            console.print(Text(one_line(line)), soft_wrap=True)


def _heading(stage: SealedStage) -> Text:
    manifest = stage.manifest
    versions = manifest.get("versions") or {}
    text = Text.assemble((one_line(stage.run.name), "bold"), "  formalization, sealed")
    details = [f"seed {manifest.get('seed')}", *(f"{name} {version}" for name, version in versions.items())]
    return text.append(f"\n{one_line(', '.join(details))}", style="dim")


def _funnel(tally: RunCounts, console: Console) -> Table:
    table = _grid(numbers=2)
    for step in tally.funnel():
        share = fraction(step.count, step.of)
        percent = "" if share is None or step.count == step.of else f"{share:.1%}"
        title = "  " * step.depth + step.title
        table.add_row(title, f"{step.count:,}", percent, _bar(share or 0, console))
    return table


def _methods(tally: RunCounts) -> RenderableType:
    if not tally.methods:
        return Text("no pair was compared", style="dim")
    table = _figures()
    table.add_column("method", overflow="ellipsis", no_wrap=True)
    for status in reversed(STATUSES):
        table.add_column(status.lower(), justify="right", no_wrap=True, style=STATUS_STYLES[status])
    rows = {method: [tally.methods[method, status] for status in reversed(STATUSES)] for method, _ in tally.methods}
    for method, counts in sorted(rows.items(), key=lambda row: (-sum(row[1]), row[0])):
        table.add_row(Text(one_line(method)), *(f"{count:,}" if count else "·" for count in counts))
    return table


def _clique_sizes(tally: RunCounts, console: Console) -> RenderableType:
    titles = {0: "no clique", 1: "1 program"}
    sizes = sorted(tally.clique_sizes.items(), reverse=True)
    return _bars([(titles.get(size, f"{size} programs"), count) for size, count in sizes], console)


def _confidences(tally: RunCounts, console: Console) -> RenderableType:
    return _bars(list(zip(confidence_ranges(tally.confidences), tally.confidences, strict=True)), console)


def _bars(rows: list[tuple[str, int]], console: Console) -> RenderableType:
    most = max((count for _, count in rows), default=0)
    if not most:
        return Text("none", style="dim")
    table = _grid(numbers=1)
    for title, count in rows:
        table.add_row(title, f"{count:,}", _bar(count / most, console))
    return table


def _agreement(tally: RunCounts, console: Console) -> RenderableType:
    models = tally.models()
    if len(models) < 2:
        return Text("fewer than two models", style="dim")
    beside = 4 + 4 * len(models) + _INDENT
    if len(models) > MATRIX_MODELS or console.width - beside < _SHORT_NAME:
        return _model_table(tally, console.width - 30)
    return _model_matrix(tally, models, console.width - beside)


def _model_matrix(tally: RunCounts, models: list[str], name_width: int) -> Table:
    table = _figures()
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("", overflow="ellipsis", no_wrap=True, max_width=name_width)
    for number in range(1, len(models) + 1):
        table.add_column(str(number), justify="right", min_width=3, no_wrap=True)
    for number, model in enumerate(models, start=1):
        shares = [
            Text("·", style="dim") if other == model else _share(tally.agreement(model, other)) for other in models
        ]
        table.add_row(str(number), Text(one_line(model)), *shares)
    return table


def _model_table(tally: RunCounts, name_width: int) -> Table:
    table = _figures()
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("model", overflow="ellipsis", no_wrap=True, max_width=max(_SHORT_NAME, name_width))
    for title in ("agree", "pairs", "UT-1"):
        table.add_column(title, justify="right", no_wrap=True)
    for row in tally.agreements():
        table.add_row(
            str(row.number),
            Text(one_line(row.model)),
            _share(fraction(row.confirmed, row.decided)),
            f"{row.decided:,}",
            _share(fraction(row.accepted, row.responses)),
        )
    return table


def _figures() -> Table:
    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))


def _findings(stage: SealedStage, tally: RunCounts, findings: _Findings, console: Console) -> RenderableType:
    if not findings.total:
        return Text("none", style="dim")
    kept = findings.kept()
    wanted = sorted({verdict["problem_id"] for verdict in kept})
    values = _values(program for problem_id in wanted for program in stage.programs(problem_id))
    numbers = {model: str(number) for number, model in enumerate(tally.models(), start=1)}
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1, 0, 0), expand=True)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis", max_width=console.width // 3)
    table.add_column(no_wrap=True, justify="right")
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    for verdict in kept:
        models = [verdict["left"], *([verdict["right"]] if verdict["right"] is not None else [])]
        table.add_row(
            CLAIM_TITLES[verdict["claim"]],
            Text(one_line(verdict["problem_id"])),
            "~".join(numbers.get(model, "?") for model in models),
            Text(one_line(_found(verdict, values, brief=True), limit=300)),
        )
    parts: list[RenderableType] = [Text("models by the numbers above", style="dim"), table]
    if findings.total > len(kept):
        more = f"and {findings.total - len(kept):,} more: {command_of(stage.run)} --findings"
        parts.append(Text(more, overflow="fold"))
    return Group(*parts)


def _values(programs: Iterable[Program]) -> dict[tuple[str, str], Values]:
    return {
        (program["problem_id"], program["model"]): parameter_values(program.get("parameters")) for program in programs
    }


def _found(verdict: Verdict, values: Mapping[tuple[str, str], Values], *, brief: bool = False) -> str:
    problem_id = verdict["problem_id"]
    return finding_text(
        verdict,
        left_values=values.get((problem_id, verdict["left"]), {}),
        right_values=values.get((problem_id, verdict["right"] or ""), {}),
        brief=brief,
    )


def _doubts(stage: SealedStage, tally: RunCounts) -> Iterator[DoubtfulProblem]:
    seen = set()
    for consensus in stage.consensus():
        tally.add_consensus(consensus)
        problem_id = consensus["problem_id"]
        seen.add(problem_id)
        reason = doubt(consensus, tally.counts(problem_id), tally.outcome(consensus))
        yield DoubtfulProblem(problem_id, consensus["confidence"], reason)
    for problem in stage.problems():
        if problem["problem_id"] not in seen:
            counts = tally.counts(problem["problem_id"])
            yield DoubtfulProblem(problem["problem_id"], 0.0, doubt(None, counts, ProblemOutcome.NO_ORACLE))


def _least_sure(doubts: list[DoubtfulProblem], limit: int, console: Console) -> RenderableType:
    if not doubts:
        return Text("no problems", style="dim")
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis", max_width=console.width // 2)
    table.add_column(overflow="fold", style="dim")
    for row in heapq.nsmallest(limit, doubts, key=attrgetter("confidence")):
        table.add_row(f"{row.confidence:.2f}", Text(one_line(row.problem_id)), Text(row.reason))
    return table


def _commands(console: Console, command: str) -> None:
    console.print(Text(f"\nlook at one:   {command} --problem ID", style="bold"), soft_wrap=True)
    console.print(Text(f"in a browser:  {command} --html", style="bold"), soft_wrap=True)


def _grid(*, numbers: int) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(overflow="ellipsis", no_wrap=True)
    for _ in range(numbers):
        table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True, overflow="crop")
    return table


def _bar(share: float, console: Console) -> Text:
    longest = max(0, min(_BAR, console.width - _BESIDE_BAR))
    block = "#" if console.options.ascii_only else "█"
    length = max(1, round(share * longest)) if share and longest else 0
    return Text(block * length, style="cyan")


def _share(share: float | None) -> Text:
    if share is None:
        return Text("-", style="dim")
    style = "green" if share >= _GOOD_SHARE else "yellow" if share >= _POOR_SHARE else "red"
    return Text(f"{100 * share:.0f}", style=style)
