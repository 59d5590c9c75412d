"""What the audit of labelled solutions found: verdicts by file, and the findings by cause with an example each."""

from collections.abc import Iterable

from harness.domain import Status
from harness.records.label import FlaggedRecord
from harness.text.characters import one_line
from reports.views.artefacts import SealedStage
from reports.views.record_titles import STATUSES
from reports.views.tables import Column, Kind, Prose, Row, Section, Table, Tone, numbers, ranked


def label_sections(stage: SealedStage, listed: int | None = None) -> list[Section]:
    """Return the sections of a label stage; `listed` is how many records in doubt a page lists."""
    counts = stage.manifest["counts"]
    flagged = sum(1 for _ in stage.forms("flagged.jsonl"))
    rejected = f", of which {counts['rejected']:,} cannot be judged" if counts["rejected"] else ""
    clean = counts["records"] - flagged
    sentence = f"{counts['records']:,} labels{rejected}: {clean:,} confirmed without a remark, {flagged:,} in doubt."
    head = [Prose(sentence, Tone.STRONG)]
    if listed is not None and listed < flagged:
        head.append(Prose(listing_sentence(listed), Tone.WEAK))
    files: list[Row] = [
        [one_line(file), sum(statuses.values()), *(statuses.get(status, 0) for status in STATUSES)]
        for file, statuses in counts["files"].items()
    ]
    examples = _examples(stage.flagged())
    causes: list[Row] = [
        [count, cause.replace("_", " "), one_line(file), examples.get((file, cause), "")]
        for file, found in counts["causes"].items()
        for cause, count in ranked(found)
    ]
    heads = [Column("file", Kind.NAME), *numbers("labels", *(status.lower() for status in STATUSES))]
    columns = [*numbers("labels"), Column("cause"), Column("file", Kind.NAME), Column("example", Kind.NAME, Tone.WEAK)]
    return [
        Section("", head),
        Section("Labels by file", [Table(heads, files)]),
        Section("Findings by cause", [Table(columns, causes)]),
    ]


def listing_sentence(listed: int) -> str:
    """Return a sentence on a list that holds some of the records in doubt."""
    return f"The list holds the first {listed:,} of them; label/flagged.jsonl of the run holds all."


def _examples(flagged: Iterable[FlaggedRecord]) -> dict[tuple[str, str], str]:
    """Return one line on the first record of each file and cause."""
    examples: dict[tuple[str, str], str] = {}
    for record in flagged:
        for finding in record.findings:
            remark = "(a remark, the label stands) " if record.status is Status.CONFIRMED else ""
            example = f"{remark}{record.problem_id} {finding.line}: {finding.found}; expected {finding.expected}"
            examples.setdefault((record.file, finding.cause), one_line(example, limit=300))
        if not record.findings:
            kind, _, detail = (record.reason or "").partition(": ")
            examples.setdefault((record.file, kind), one_line(f"{record.problem_id} {detail}", limit=300))
    return examples
