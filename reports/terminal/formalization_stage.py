"""Terminal summary of the formalization stage: funnel, models, findings and problems of low confidence."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from harness.domain import Status, Verdict
from harness.records.formalization import ConsensusRecord, ProgramRecord
from harness.text.characters import one_line
from reports.terminal.model_table import models_table, models_title
from reports.terminal.stage_tables import figure, figures, print_sections
from reports.views.artefacts import SealedStage, command_of, open_stage
from reports.views.certainty import (
    BASIS_TITLES,
    CalibrationTable,
    DoubtfulProblem,
    LeastSure,
    calibration_tables,
    gold_doubt_sentence,
    kept_sentence,
    lowered_sentence,
)
from reports.views.formalization_counts import ProblemOutcome, RunCounts, confidence_ranges, fraction
from reports.views.problem_records import ProblemRecords, RecordIndex
from reports.views.record_titles import CLAIM_TITLES, STATUSES
from reports.views.run_outcome import RunOutcome, is_asked
from reports.views.verdict_phrases import (
    Values,
    cause_title,
    doubt,
    finding_text,
    pair_of,
    parameter_values,
)

STATUS_STYLES = {"CONFIRMED": "green", "UNKNOWN": "yellow", "REFUTED": "red"}
# UT-3 findings come first: a refuted pair is more surprising than a wrong answer.
_FINDING_ORDER: tuple[str, ...] = ("ut3", "ut2", "ut1", "classes")
_BAR, _BESIDE_BAR = 24, 42
THRESHOLDS = (0.99, 0.95, 0.9)
SHOWN_DOUBTS = 20


@dataclass(slots=True)
class _Findings:
    limit: int
    total: int = 0
    first: dict[str, list[Verdict]] = field(default_factory=dict)

    def add(self, verdict: Verdict) -> None:
        self.total += 1
        kept = self.first.setdefault(verdict.claim, [])
        if len(kept) < self.limit:
            kept.append(verdict)

    def kept(self) -> list[Verdict]:
        return [verdict for claim in _FINDING_ORDER for verdict in self.first.get(claim, [])][: self.limit]


def print_summary(run: Path, console: Console, *, finding_limit: int = 15, doubt_limit: int = 10) -> None:
    """Print the summary of the formalization stage of `run`; no line is wider than the console.

    A `finding_limit` of 0 leaves out the findings, for callers that show them themselves.

    Raises:
        ReportError: `run` is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run)
    counts, findings, doubts = RunCounts(), _Findings(limit=finding_limit), LeastSure(limit=doubt_limit)
    counts.add_models(stage.models())
    index = RecordIndex.open(stage)
    index.read("programs.jsonl", "verdicts.jsonl", "consensus.jsonl")
    doubtful: list[tuple[ConsensusRecord, str | None]] = []
    for records in index.records():
        counts.problems += is_asked(records.problem)
        for program in records.programs:
            counts.add_program(program)
        for verdict in records.verdicts:
            counts.add_verdict(verdict)
            if verdict.status is Status.REFUTED:
                findings.add(verdict)
        if records.consensus is not None:
            counts.add_consensus(records.consensus)
            if records.consensus.gold_doubt is not None:
                doubtful.append((records.consensus, records.problem.gold))
        doubts.add(_doubtful(records, counts), judged=records.consensus is not None)
        counts.forget(records.problem.problem_id)
    doubtful.sort(key=lambda pair: (-pair[0].gold_doubt.p_right if pair[0].gold_doubt else 0.0, pair[0].problem_id))
    calibration = calibration_tables(stage.calibration())
    console.print(_heading(stage))
    sections: list[tuple[str, RenderableType]] = [
        ("Funnel", _funnel(counts, console)),
        ("UT-3 by method", _methods(counts)),
        ("Causes of refuted pairs", _causes(counts)),
        ("Clique sizes", _clique_sizes(counts, console)),
        ("Confidence score, as published", _confidences(counts, console)),
        ("Probability that the oracle is right (p_right)", _probabilities(counts, calibration)),
        (models_title(counts), models_table(counts, console)),
        (f"Findings ({findings.total:,})", _findings(stage, counts, findings, console)),
        (_doubt_title(doubts), _least_sure(doubts, console)),
    ]
    if doubtful:
        sections.insert(-1, (f"Doubtful gold answers ({len(doubtful):,})", _gold_doubts(doubtful, console)))
    if not finding_limit:
        sections = [section for section in sections if not section[0].startswith("Findings")]
    print_sections(console, sections)
    _commands(console, command_of(run))


def outcome_sentence(run: Path) -> str:
    """Return the result of the formalization stage of `run` in two sentences.

    Raises:
        ReportError: `run` is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run)
    return RunOutcome.of(sum(map(is_asked, stage.problems())), stage.consensus(), stage.verdicts()).sentence


def print_findings(run: Path, console: Console) -> None:
    """Print every finding of `run`, one uncut line each, in the order of the artefact.

    Raises:
        ReportError: `run` is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run)
    values = _values(stage.programs())
    for verdict in stage.verdicts():
        if verdict.status is Status.REFUTED:
            claim = CLAIM_TITLES[verdict.claim]
            line = f"{claim} {verdict.problem_id} {pair_of(verdict)}: {_found(verdict, values)}"
            console.print(Text(one_line(line)), soft_wrap=True)


def _heading(stage: SealedStage) -> Text:
    manifest = stage.manifest
    versions = manifest.get("versions") or {}
    text = Text.assemble((one_line(stage.run.name), "bold"), "  formalization, sealed")
    details = [f"seed {manifest.get('seed')}", *(f"{name} {version}" for name, version in versions.items())]
    return text.append(f"\n{one_line(', '.join(details))}", style="dim")


def _funnel(run_counts: RunCounts, console: Console) -> Table:
    table = _grid(numbers=2)
    for step in run_counts.funnel():
        share = fraction(step.count, step.of)
        percent = "" if share is None or step.count == step.of else f"{share:.1%}"
        title = "  " * step.depth + step.title
        table.add_row(title, f"{step.count:,}", percent, _bar(share or 0, console))
    return table


def _methods(run_counts: RunCounts) -> RenderableType:
    if not run_counts.methods:
        return Text("no pair was compared", style="dim")
    table = figures()
    table.add_column("method", overflow="ellipsis", no_wrap=True)
    for status in reversed(STATUSES):
        table.add_column(status.lower(), justify="right", no_wrap=True, style=STATUS_STYLES[status])
    rows = {
        method: [run_counts.methods[method, status] for status in reversed(STATUSES)]
        for method, _ in run_counts.methods
    }
    for method, counts in sorted(rows.items(), key=lambda row: (-sum(row[1]), row[0])):
        table.add_row(Text(one_line(method)), *(figure(count) for count in counts))
    return table


def _causes(run_counts: RunCounts) -> RenderableType:
    causes = run_counts.cause_counts()
    if not causes:
        return Text("no refuted pair has a cause", style="dim")
    table = figures()
    table.add_column("cause", overflow="ellipsis", no_wrap=True)
    for title in ("refuted", "proved", "tested"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("both in one clique", no_wrap=True)
    for cause in causes:
        numbers = map(figure, (cause.pairs, cause.proved, cause.tested))
        table.add_row(
            cause_title(cause.kind), *numbers, "never" if cause.counted else "they may be (--harness-strict=no)"
        )
    return table


def _clique_sizes(run_counts: RunCounts, console: Console) -> RenderableType:
    titles = {0: "no clique", 1: "1 program"}
    sizes = sorted(run_counts.clique_sizes.items(), reverse=True)
    return _bars([(titles.get(size, f"{size} programs"), count) for size, count in sizes], console)


def _confidences(run_counts: RunCounts, console: Console) -> RenderableType:
    return _bars(list(zip(confidence_ranges(run_counts.confidences), run_counts.confidences, strict=True)), console)


def _probabilities(run_counts: RunCounts, calibration: Sequence[CalibrationTable]) -> RenderableType:
    if not run_counts.p_right:
        return Text("no problem has an oracle", style="dim")
    lines = []
    for threshold in THRESHOLDS:
        kept = run_counts.kept(threshold)
        lines.append(Text(kept_sentence(kept.kept, run_counts.problems, threshold, kept.expected_wrong)))
    bases = ", ".join(
        f"{BASIS_TITLES[basis]} ({count:,} problem{'' if count == 1 else 's'})"
        for basis, count in sorted(run_counts.bases.items(), key=itemgetter(0))
    )
    heads = {table.basis: f"{BASIS_TITLES[table.basis]}: " if len(calibration) > 1 else "" for table in calibration}
    sentences = [Text(f"{heads[table.basis]}{table.sentence}", style="dim") for table in calibration]
    lowered = [Text(lowered_sentence(run_counts.lowered))] if run_counts.lowered else []
    return Group(*lines, *lowered, Text(f"they rest on {bases}", style="dim"), *sentences)


def _gold_doubts(doubtful: Sequence[tuple[ConsensusRecord, str | None]], console: Console) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, overflow="ellipsis", max_width=console.width // 3)
    table.add_column(overflow="fold")
    for record, gold in doubtful[:SHOWN_DOUBTS]:
        if record.gold_doubt is not None:
            sentence = gold_doubt_sentence(record.gold_doubt, gold)
            table.add_row(Text(one_line(record.problem_id)), Text(sentence))
    return table


def _bars(rows: list[tuple[str, int]], console: Console) -> RenderableType:
    most = max((count for _, count in rows), default=0)
    if not most:
        return Text("none", style="dim")
    table = _grid(numbers=1)
    for title, count in rows:
        table.add_row(title, f"{count:,}", _bar(count / most, console))
    return table


def _findings(stage: SealedStage, run_counts: RunCounts, findings: _Findings, console: Console) -> RenderableType:
    if not findings.total:
        return Text("none", style="dim")
    kept = findings.kept()
    wanted = sorted({verdict.problem_id for verdict in kept})
    values = _values(program for problem_id in wanted for program in stage.programs(problem_id))
    numbers = {model: str(number) for number, model in enumerate(run_counts.models(), start=1)}
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1, 0, 0), expand=True)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis", max_width=console.width // 3)
    table.add_column(no_wrap=True, justify="right")
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    for verdict in kept:
        models = [verdict.left, *([verdict.right] if verdict.right is not None else [])]
        table.add_row(
            CLAIM_TITLES[verdict.claim],
            Text(one_line(verdict.problem_id)),
            "~".join(numbers.get(model, "?") for model in models),
            Text(one_line(_found(verdict, values, brief=True), limit=300)),
        )
    parts: list[RenderableType] = [Text("models by the numbers above", style="dim"), table]
    if findings.total > len(kept):
        more = f"and {findings.total - len(kept):,} more: {command_of(stage.run)} --findings"
        parts.append(Text(more, overflow="fold"))
    return Group(*parts)


def _values(programs: Iterable[ProgramRecord]) -> dict[tuple[str, str], Values]:
    return {(program.problem_id, program.model): parameter_values(program.parameters) for program in programs}


def _found(verdict: Verdict, values: Mapping[tuple[str, str], Values], *, brief: bool = False) -> str:
    problem_id = verdict.problem_id
    return finding_text(
        verdict,
        left_values=values.get((problem_id, verdict.left), {}),
        right_values=values.get((problem_id, verdict.right or ""), {}),
        brief=brief,
    )


def _doubtful(records: ProblemRecords, run_counts: RunCounts) -> DoubtfulProblem:
    """Return the confidence of a problem, and its limit."""
    problem_id, consensus = records.problem.problem_id, records.consensus
    counts = run_counts.counts(problem_id)
    if consensus is None:
        return DoubtfulProblem(problem_id, 0.0, doubt(None, counts, ProblemOutcome.NO_ORACLE))
    reason = doubt(consensus, counts, run_counts.outcome(consensus))
    return DoubtfulProblem(problem_id, consensus.confidence, reason, finding=bool(consensus.findings))


def _doubt_title(doubts: LeastSure) -> str:
    return f"Least sure, {doubts.findings:,} that may need rounding first" if doubts.findings else "Least sure"


def _least_sure(doubts: LeastSure, console: Console) -> RenderableType:
    rows = doubts.first()
    if not rows:
        return Text("no problems", style="dim")
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis", max_width=console.width // 2)
    table.add_column(overflow="fold", style="dim")
    for row in rows:
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
