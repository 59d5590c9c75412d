"""What the stages template, label and funnel show of all their records, for the terminal and the page."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from harness.domain import Status
from harness.records.funnel import FunnelRecord, FunnelUnit, ProblemYield
from harness.records.template import TierRecord
from harness.stages import FUNNEL
from harness.text.characters import one_line, spaced
from reports.views.artefacts import SealedStage, command_of, open_stage
from reports.views.phrases import STATUSES, TRACE_CLAIMS
from reports.views.tables import (
    Cell,
    Column,
    Kind,
    Prose,
    Row,
    Section,
    Table,
    Tone,
    command_section,
    count_table,
    numbers,
    ranked,
    status_table,
    steps_table,
)

SHOWN_TIERS = 5
MOST_REASONS = 12
"""Reasons of a step that are shown one by one; the rest is added up."""


def template_sections(stage: SealedStage, steps: Sequence[tuple[str, int, int]] = ()) -> list[Section]:
    """Return the sections of a template stage; `steps` are those from templates to solutions, which a page counts."""
    counts = stage.manifest["counts"]
    head = [Prose(f"{counts['templates']:,} templates of {counts['problems']:,} problems", Tone.STRONG)]
    failed = sum(count for name, count in counts["causes"].items() if name.startswith("structure: "))
    if counts["steps"]:
        kept, share = counts["steps"] - failed, 1 - failed / counts["steps"]
        head.append(Prose(f"{kept:,} of {counts['steps']:,} steps give back their line ({share:.1%})"))
    if counts["tiers"]:
        head.append(Prose(_tiers(stage)))
    claims = {(claim, status): counts.get(f"{claim} {status}", 0) for claim in TRACE_CLAIMS for status in STATUSES}
    command = command_of(stage.run)
    return [
        Section("", head),
        Section("Claims", [status_table("claim", claims, "none")]),
        *([Section("From templates to solutions", [steps_table(steps)])] if steps else []),
        Section("Findings by cause", [count_table("cause", dict(ranked(counts["causes"])))]),
        command_section({"look at one:": f"{command} --trace ID", "in a browser:": f"{command} --traces"}),
    ]


def _tiers(stage: SealedStage) -> str:
    """Return how many tiers are as published, and the first that are not."""
    counts = stage.manifest["counts"]
    text = f"tiers: {counts['tiers as published']:,} of {counts['tiers']:,} problems as published"
    differing = [
        f"{one_line(record.problem_id)} {record.published} → {record.tier}"
        for record in stage.records(TierRecord, "tiers.jsonl")
        if record.published not in {None, record.tier}
    ]
    shown = ", ".join([*differing[:SHOWN_TIERS], *(["…"] if len(differing) > SHOWN_TIERS else [])])
    return f"{text}; others (published → found, all in tiers.jsonl): {shown}" if differing else text


def label_sections(stage: SealedStage) -> list[Section]:
    """Return the sections of a label stage: verdicts by file, and the findings by cause with an example each."""
    counts, flagged = stage.manifest["counts"], 0
    examples: dict[tuple[str, str], str] = {}
    for record in stage.flagged():
        flagged += 1
        remark = "(a remark, the label stands) " if record.status is Status.CONFIRMED else ""
        for finding in record.findings:
            example = f"{remark}{record.problem_id} {finding.line}: {finding.found}; expected {finding.expected}"
            examples.setdefault((record.file, finding.cause), one_line(example, limit=300))
        if not record.findings:
            kind, _, detail = (record.reason or "").partition(": ")
            examples.setdefault((record.file, kind), one_line(f"{record.problem_id} {detail}", limit=300))
    rejected = f", of which {counts['rejected']:,} cannot be judged" if counts["rejected"] else ""
    clean = counts["records"] - flagged
    sentence = f"{counts['records']:,} labels{rejected}: {clean:,} confirmed without a remark, {flagged:,} in doubt."
    files: list[Row] = [
        [one_line(file), sum(statuses.values()), *(statuses.get(status, 0) for status in STATUSES)]
        for file, statuses in counts["files"].items()
    ]
    causes: list[Row] = [
        [count, cause.replace("_", " "), one_line(file), examples.get((file, cause), "")]
        for file, found in counts["causes"].items()
        for cause, count in ranked(found)
    ]
    heads = [Column("file", Kind.NAME), *numbers("labels", *(status.lower() for status in STATUSES))]
    columns = [*numbers("labels"), Column("cause"), Column("file", Kind.NAME), Column("example", Kind.NAME, Tone.WEAK)]
    return [
        Section("", [Prose(sentence, Tone.STRONG)]),
        Section("Labels by file", [Table(heads, files)]),
        Section("Findings by cause", [Table(columns, causes)]),
    ]


def funnel_sections(run: Path) -> list[Section]:
    """Return the steps of a run's funnel, each with what was left out there and what was made, and the problems by what was made of them.

    Errors as of `open_stage`.
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
    made = Counter(
        f"{'with' if problem.flaws else 'without'} flaws, {'with' if problem.variants else 'without'} variants"
        for problem in stage.records(ProblemYield, "problems.jsonl")
    )
    columns = [Column("step"), *numbers("count", "share"), Column("", Kind.BAR)]
    return [
        Section(f"{one_line(run.resolve().name)}: from problems to datasets", [Table(columns, rows, headless=True)]),
        Section("Problems by what was made of them", [count_table("made", dict(made.most_common()))]),
    ]
