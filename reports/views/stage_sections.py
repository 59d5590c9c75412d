"""What the stages of a run show of all their records: tables, sentences and flows, for the terminal and the page."""

import itertools
from collections import Counter
from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from urllib.parse import quote

from harness.domain import CauseBasis, CauseKind, Status
from harness.records.formalization import CalibrationRecord
from harness.records.funnel import FunnelRecord, FunnelUnit, ProblemYield
from harness.records.template import TierRecord
from harness.stages import FUNNEL
from harness.text.characters import one_line, replace_surrogates, spaced
from harness.text.nouns import counted
from reports.views import phrases
from reports.views.artefacts import SealedStage, command_of, open_stage
from reports.views.formalization_counts import CONFIDENCE_STEP, ProblemOutcome, RunCounts, fraction
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

THRESHOLDS = (0.99, 0.95, 0.9)
MATRIX_MODELS = 12
"""A larger matrix is hidden until it is asked for: it would hide the list below it."""
MOST_MODELS = 60
"""Models that are compared with each other: a hundred would make ten thousand cells, too many to read."""
_GOOD_SHARE, _POOR_SHARE = 0.9, 0.5


def formalization_sections(stage: SealedStage, counts: RunCounts, *, page: str = "") -> list[Section]:
    """Return the sections of a run; `page` is the file that lists the problems to look at."""
    edges = [place * CONFIDENCE_STEP for place in range(len(counts.confidences) + 1)]
    ranges = [f"{low:.1f} to {high:.1f}" for low, high in itertools.pairwise(edges)]
    sizes = {0: "no clique", 1: "1 program"} | {size: f"{size} programs" for size in counts.clique_sizes if size > 1}
    cliques = {sizes[size]: count for size, count in sorted(counts.clique_sizes.items(), reverse=True)}
    outcomes = {outcome.title: counts.outcomes[outcome] for outcome in reversed(ProblemOutcome)}
    confidences = dict(zip(ranges, counts.confidences, strict=True))
    sections = [
        Section("How sure the oracles are", _certainty(counts, list(stage.calibration()))),
        Section("Look at first", _looks(counts, page)),
        Section("From problems to oracles", [_funnel(counts)]),
        Section("UT-3 by method", [status_table("method", counts.methods, "no pair was compared")]),
        Section("Causes of refuted pairs", [_causes(counts)]),
        Section("Problems by outcome", [count_table("outcome", outcomes)]),
        Section("Clique sizes", [count_table("clique of", cliques)]),
        Section("Confidence score, as published", [count_table("confidence", confidences)]),
        Section("Models", [_models(counts)]),
        _agreement(counts),
        Section(f"Findings ({counts.refuted:,})", _findings(stage, counts), terminal=True),
    ]
    command = command_of(stage.run)
    looks = {"look at one:": f"{command} --problem ID", "in a browser:": f"{command} --html"}
    return [*sections, command_section(looks)]


def run_heading(stage: SealedStage) -> Section:
    """Return the run, its stage, its seed and the versions of what made it."""
    manifest = stage.manifest
    details = [
        f"seed {manifest.get('seed')}",
        *(f"{name} {version}" for name, version in (manifest.get("versions") or {}).items()),
    ]
    head = Prose(one_line(f"{stage.run.name}  {stage.name}, sealed"), Tone.STRONG)
    return Section("", [head, Prose(one_line(", ".join(details)), Tone.WEAK)], terminal=True)


def problem_address(problem_id: str, page: str = "") -> str:
    """Return the address of a problem in the file `page` of a report, by default in the same one."""
    return f"{page}#/problem/{quote(replace_surrogates(problem_id), safe='')}"


def share_cell(share: float | None) -> Cell:
    """Return a share with the tone of what it says of a model."""
    if share is None:
        return Cell(None, Tone.WEAK)
    return Cell(share, Tone.GOOD if share >= _GOOD_SHARE else Tone.FAIR if share >= _POOR_SHARE else Tone.BAD)


def _funnel(counts: RunCounts) -> Table:
    responses, readable = counts.responses.total(), counts.readable.total()
    pairs, compared = counts.verdicts_of("ut2"), counts.verdicts_of("ut3")
    confirmed = counts.statuses["ut3", "CONFIRMED"]
    return steps_table(
        [
            ("problems", counts.problems, counts.problems),
            ("responses", responses, responses),
            ("readable programs", readable, responses),
            ("UT-1 confirmed", counts.statuses["ut1", "CONFIRMED"], readable),
            ("pairs", pairs, pairs),
            ("  UT-2 fully aligned", counts.aligned_fully, pairs),
            ("  UT-2 partly aligned", counts.aligned_partly, pairs),
            ("  UT-3 confirmed", confirmed, compared),
            ("    of these mostly frozen", counts.mostly_frozen, confirmed),
            ("  UT-3 refuted", counts.statuses["ut3", "REFUTED"], compared),
            ("  UT-3 unknown", counts.statuses["ut3", "UNKNOWN"], compared),
            ("problems with an oracle", counts.oracles, counts.problems),
        ]
    )


def _causes(counts: RunCounts) -> Table:
    kinds = {kind: [counts.causes[kind, basis] for basis in CauseBasis] for kind in CauseKind}
    rows: list[Row] = []
    for kind in sorted(kinds, key=lambda kind: -sum(kinds[kind])):
        shares = (counts.causes[kind, basis] for basis in (CauseBasis.PROVED, CauseBasis.TESTED))
        together = "never" if kind in counts.counted else "they may be (--harness-strict=no)"
        rows += [[spaced(kind), sum(kinds[kind]), *shares, together]] if any(kinds[kind]) else []
    columns = [Column("cause", Kind.NAME), *numbers("refuted", "proved", "tested"), Column("both in one clique")]
    return Table(columns, rows, "no refuted pair has a cause")


def _certainty(counts: RunCounts, calibration: Sequence[CalibrationRecord]) -> list[Table | Prose]:
    if not counts.p_right:
        return [Prose("No problem of this run has a probability.", Tone.WEAK)]
    blocks: list[Table | Prose] = [
        Prose(phrases.kept_sentence(counts.p_right, counts.problems, threshold)) for threshold in THRESHOLDS
    ]
    bases = "; ".join(
        f"{phrases.BASIS_TITLES[basis]} ({counted(count, 'problem')})" for basis, count in sorted(counts.bases.items())
    )
    blocks.append(Prose(f"The probabilities rest on {bases}.", Tone.WEAK))
    tables = [(basis, list(rows)) for basis, rows in itertools.groupby(calibration, attrgetter("basis"))]
    for basis, rows in tables:
        head = f"{phrases.BASIS_TITLES[basis]}: " if len(tables) > 1 else ""
        blocks.append(Prose(f"{head}{phrases.calibration_sentence(rows)}", Tone.WEAK))
    return blocks


def calibration_sections(calibration: Sequence[CalibrationRecord]) -> list[Section]:
    """Return the share of right answers by probability, a section for each basis of probabilities."""
    columns = [Column("probability", Kind.NAME), *numbers("answers", "mean", "right")]
    sections = []
    for basis, own in itertools.groupby(calibration, attrgetter("basis")):
        rows: list[Row] = [
            [f"{row.low:.2f} to {row.high:.2f}", row.answers, f"{row.mean:.3f}", f"{row.right:.3f}"] for row in own
        ]
        title = f"Right answers by probability, where it rests on {phrases.BASIS_TITLES[basis]}"
        sections.append(Section(title, [Table(columns, rows)], closed=True))
    return sections


def _looks(counts: RunCounts, page: str) -> list[Table | Prose]:
    rows: list[Row] = []
    for look in counts.first_looks():
        name = Cell(look.problem_id, address=problem_address(look.problem_id, page))
        chance = None if look.p_right is None else f"{look.p_right:.3f}"
        rows.append([name, chance, f"{look.confidence:.2f}", Cell(one_line(look.why), Tone.WEAK)])
    columns = [Column("problem", Kind.NAME), *numbers("p_right", "confidence"), Column("why")]
    rounding = sum(look.rank[0] == 1 for look in counts.looks)
    note = [Prose(f"{rounding:,} may need rounding")] if rounding else []
    return [*note, Table(columns, rows, "no problems")]


def _models(counts: RunCounts) -> Table:
    rows: list[Row] = []
    for number, model in enumerate(counts.models(), start=1):
        own = [pair for pair in counts.decided_pairs if model in pair]
        confirmed, decided = (
            sum(pairs[pair] for pair in own) for pairs in (counts.confirmed_pairs, counts.decided_pairs)
        )
        record, asked = counts.judged_models.get(model), counts.responses[model]
        note = ""
        if record is not None and record.one_witness_with is not None:
            note = f"one witness with {record.one_witness_with}"
        elif record is not None and record.family is not None:
            note = f"samples of {one_line(record.family)}"
        right = share_cell(None if record is None else record.accuracy)
        shares = (share_cell(fraction(part[model], asked)) for part in (counts.accepted, counts.readable))
        agreement = share_cell(fraction(confirmed, decided))
        rows.append([Cell(one_line(model), note=note), f"{number}", right, agreement, decided, *shares])
    titles = ("#", "right, estimated", "agreement", "decided pairs", "UT-1", "readable")
    return Table([Column("model", Kind.NAME), *numbers(*titles)], rows, "no model answered")


def _agreement(counts: RunCounts) -> Section:
    """Return the share of decided pairs that UT-3 confirmed for each two models."""
    numbered = {model: number for number, model in enumerate(counts.models(), start=1)}
    title = "Agreement of each two models: share of decided UT-3 pairs that were confirmed, in percent"
    shown = list(numbered)
    if len(numbered) > MOST_MODELS:
        decided = {
            model: sum(count for pair, count in counts.decided_pairs.items() if model in pair) for model in numbered
        }
        shown = sorted(model for model, _ in ranked(decided)[:MOST_MODELS])
        title = f"{title}; the {MOST_MODELS} of {len(numbered):,} models with the most decided pairs"
    models = shown if len(shown) > 1 else []

    def cell(left: str, right: str) -> Cell:
        share, pair = counts.agreement(left, right), (min(left, right), max(left, right))
        names = f"{left} and {right}"
        if left == right or share is None:
            return Cell("", tip="" if left == right else f"{names}: no decided pair")
        tip = f"{names}: {share:.1%} of {counts.decided_pairs[pair]:,} decided pairs confirmed"
        return Cell(f"{100 * share:.0f}", tip=tip, share=share**2)

    rows: list[Row] = [
        [one_line(model, limit=30), f"{numbered[model]}", *(cell(model, other) for other in models)] for model in models
    ]
    columns = [Column("model", Kind.NAME), *numbers("#", *(f"{numbered[model]}" for model in models))]
    table = Table(columns, rows, "fewer than two models")
    return Section(title, [table], closed=len(shown) > MATRIX_MODELS)


def _findings(stage: SealedStage, counts: RunCounts) -> list[Table | Prose]:
    numbered = {model: str(number) for number, model in enumerate(counts.models(), start=1)}
    rows: list[Row] = []
    for verdict, own in counts.listed_findings():
        models = [verdict.left, *([] if verdict.right is None else [verdict.right])]
        text = phrases.finding_text(verdict, own.values)
        subject = "~".join(numbered.get(model, "?") for model in models)
        rows.append([phrases.CLAIM_TITLES[verdict.claim], verdict.problem_id, subject, one_line(text, limit=300)])
    columns = [*numbers("claim"), Column("problem", Kind.NAME), *numbers("models"), Column("found", Kind.NAME)]
    blocks: list[Table | Prose] = [Table(columns, rows)]
    if counts.refuted > len(rows):
        more = f"and {counts.refuted - len(rows):,} more: {command_of(stage.run)} --findings"
        blocks.append(Prose(more, command=True))
    return blocks


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
    names = itertools.product(phrases.TRACE_CLAIMS, phrases.STATUSES)
    claims = {(claim, status): counts.get(f"{claim} {status}", 0) for claim, status in names}
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
    records = stage.records(TierRecord, "tiers.jsonl")
    others = (record for record in records if record.published not in {None, record.tier})
    differing = [f"{one_line(record.problem_id)} {record.published} → {record.tier}" for record in others]
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
        [one_line(file), sum(statuses.values()), *(statuses.get(status, 0) for status in phrases.STATUSES)]
        for file, statuses in counts["files"].items()
    ]
    causes: list[Row] = [
        [count, cause.replace("_", " "), one_line(file), examples.get((file, cause), "")]
        for file, found in counts["causes"].items()
        for cause, count in ranked(found)
    ]
    heads = [Column("file", Kind.NAME), *numbers("labels", *(status.lower() for status in phrases.STATUSES))]
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
