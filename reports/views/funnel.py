"""The funnel of a run of the whole factory, as terminal and page show it: its steps, and its flows."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from harness.records.funnel import WITH_FLAWS, WITH_VARIANTS, FunnelRecord, FunnelUnit, ProblemYield
from harness.stages import FUNNEL
from harness.text.characters import one_line, spaced
from reports.views.artefacts import open_stage
from reports.views.flow import Flow, FlowStep, first_counts
from reports.views.tables import Cell, Column, Kind, Row, Section, Table, Tone, numbers

MOST_REASONS = 12
"""Reasons of a step that are shown one by one; the rest is added up."""
_MADE = {
    (True, True): "with flaws and with variants",
    (True, False): "with flaws, without variants",
    (False, True): "with variants, without flaws",
    (False, False): "without flaws and variants",
}
_SOURCE = "funnel/steps.jsonl"


def funnel_sections(run: Path) -> list[Section]:
    """Return the steps of a run's funnel, each with what was left out there and what was made, the rarest reasons added up.

    Raises:
        ReportError: the stage is missing, not sealed, or was changed after it was sealed.
    """
    rows: list[Row] = []
    for record in open_stage(run, FUNNEL).records(FunnelRecord, "steps.jsonl"):
        share = record.count / record.of if record.of else 0.0
        of = f"{share:.1%} of {record.of:,}" if record.of else "of none"
        rows.append([Cell(_title(record), Tone.STRONG), Cell(f"{record.count:,}", Tone.STRONG), of, share])
        for why, count in first_counts(record.lost, MOST_REASONS).items():
            rows.append([Cell(f"  {one_line(spaced(why))}", Tone.FAIR), Cell(f"−{count:,}", Tone.FAIR)])
        if record.made:
            total = sum(record.parts.values())
            rows.append([Cell(f"  {record.made}", Tone.GOOD), Cell(f"{total:,}", Tone.GOOD)])
        for kind, count in record.parts.items():
            rows.append([Cell(f"    {one_line(spaced(kind))}", Tone.GOOD), Cell(f"{count:,}", Tone.GOOD)])
    columns = [Column("step"), *numbers("count", "share"), Column("", Kind.BAR)]
    return [Section(f"{run.resolve().name}: from problems to datasets", [Table(columns, rows, headless=True)])]


def funnel_flows(run: Path) -> list[Flow]:
    """Return the flows of a run: of its problems, of its flawed solutions and of its samples; without empty flows.

    The problems with an oracle end by what was made of them, which the records of the problems say.

    Raises:
        ReportError: the stage is missing, not sealed, or was changed after it was sealed, or its counts do not add up.
    """
    stage = open_stage(run, FUNNEL)
    records = list(stage.records(FunnelRecord, "steps.jsonl"))
    # Flaws and variants are both made of the problems with an oracle: these steps stand beside each other.
    beside = {WITH_FLAWS, WITH_VARIANTS}
    chain = [record for record in records if record.unit is FunnelUnit.PROBLEMS and record.step not in beside]
    ended = _yields(stage.records(ProblemYield, "problems.jsonl"), [record.step for record in chain])
    flows = [_flow(chain, FunnelUnit.PROBLEMS, ended)]
    others = (FunnelUnit.FLAWS, FunnelUnit.SAMPLES)
    flows += [_flow([record for record in records if record.unit is unit], unit, {}) for unit in others]
    return [flow for flow in flows if flow.steps]


def _yields(problems: Iterable[ProblemYield], steps: Sequence[str]) -> Mapping[str, int]:
    """Return the problems that reached all steps, by their products."""
    kinds = Counter(
        (problem.flaws > 0, problem.variants > 0) for problem in problems if not problem.left.keys() & set(steps)
    )
    return {title: kinds[made] for made, title in _MADE.items() if kinds[made]}


def _flow(records: Sequence[FunnelRecord], unit: FunnelUnit, ended: Mapping[str, int]) -> Flow:
    """Return the flow through records of steps that follow each other; what is lost at a record leaves the step before it.

    A flow of nothing has no steps, though a reason may say why there is nothing.
    """
    if not records or not records[0].of:
        return Flow(unit, (), _SOURCE)
    lost = [*(record.lost for record in records), {}]
    counts = [records[0].of, *(record.count for record in records)]
    titles = [f"{unit} in all", *map(_title, records)]
    steps = [FlowStep(*step) for step in zip(titles, counts, lost, strict=True)]
    # Where nothing is left out of the corpus, it is the run's problems.
    whole = not lost[0] and counts[0] == counts[1]
    return Flow(unit, (*steps[whole:-1], FlowStep(titles[-1], counts[-1], ended=ended)), _SOURCE)


def _title(record: FunnelRecord) -> str:
    named = record.unit is not FunnelUnit.PROBLEMS or record.step == FunnelUnit.PROBLEMS
    return record.step if named else f"{record.unit} {record.step}"
