"""The funnel of a run of the whole factory: its steps, and what was made of the problems."""

from collections import Counter
from pathlib import Path

from harness.records.funnel import FunnelRecord, FunnelUnit, ProblemYield
from harness.stages import FUNNEL
from harness.text.characters import one_line, spaced
from reports.views.artefacts import open_stage
from reports.views.tables import Cell, Column, Kind, Row, Section, Table, Tone, count_table, numbers

MOST_REASONS = 12
"""Reasons of a step that are shown one by one; the rest is added up."""


def funnel_sections(run: Path) -> list[Section]:
    """Return the steps of a run's funnel, each with what was left out there and what was made, and the problems by what was made of them.

    Raises:
        ReportError: the stage is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run, FUNNEL)
    rows: list[Row] = []
    for record in stage.records(FunnelRecord, "steps.jsonl"):
        share = record.count / record.of if record.of else 0.0
        of = f"{share:.1%} of {record.of:,}" if record.of else "of none"
        named = record.unit is not FunnelUnit.PROBLEMS or record.step == FunnelUnit.PROBLEMS
        title = record.step if named else f"{record.unit} {record.step}"
        rows.append([Cell(title, Tone.STRONG), Cell(f"{record.count:,}", Tone.STRONG), of, share])
        reasons = list(record.lost.items())
        if len(reasons) > MOST_REASONS:
            rest = reasons[MOST_REASONS - 1 :]
            reasons[MOST_REASONS - 1 :] = [(f"{len(rest)} other reasons", sum(count for _, count in rest))]
        lines = [(f"  {why}", f"−{count:,}", Tone.FAIR) for why, count in reasons]
        if record.made:
            lines.append((f"  {record.made}", f"{sum(record.parts.values()):,}", Tone.GOOD))
        lines += [(f"    {kind}", f"{count:,}", Tone.GOOD) for kind, count in record.parts.items()]
        rows += [[Cell(spaced(text), tone), Cell(count, tone)] for text, count, tone in lines]
    columns = [Column("step"), *numbers("count", "share"), Column("", Kind.BAR)]
    made = Counter(
        f"{'with' if problem.flaws else 'without'} flaws, {'with' if problem.variants else 'without'} variants"
        for problem in stage.records(ProblemYield, "problems.jsonl")
    )
    title = f"{one_line(run.resolve().name)}: from problems to datasets"
    return [
        Section(title, [Table(columns, rows, headless=True)]),
        Section("Problems by what was made of them", [count_table("made", dict(made.most_common()))]),
    ]
