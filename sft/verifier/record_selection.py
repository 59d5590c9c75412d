"""The records that are safe to train on, by the oracles of their problems, and the share of wrong ones that is expected among them."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from harness.corpora.field_roles import FieldNames
from harness.corpora.problems import stream_records
from harness.errors import HarnessError
from harness.json_form import json_form
from harness.records.verifier import KeptCounts
from harness.store.run_folder import dump, write_atomically, write_lines
from sft.diagnosis.diagnosis import DiagnosisStatus
from sft.samples.record_lines import open_input
from sft.samples.solution_judgement import Judgement

MATCHES = 0.5
"""The share of solutions taken to agree with an oracle that is wrong; by chance far fewer do, those of the model that wrote its programs may."""
NO_ORACLE = "no oracle judged it"


class JudgedRecord(NamedTuple):
    """What is known of a record: the probability that its oracle is right, `None` without one, and why it is not kept, empty if it may be."""

    p_right: float | None
    objection: str


class Keeping(NamedTuple):
    """The records that are kept, by their places, the least `p_right` among them, and the share of wrong ones that is expected at most."""

    places: frozenset[int]
    least: float
    expected: float


def keep(records: Sequence[JudgedRecord], precision: float) -> Keeping:
    """Return the most records such that at most a share of 1 - `precision` of them is expected to be wrong.

    A kept record is wrong only where its oracle is. So many oracles are expected to be wrong as their `p_right` says; of the solutions that
    they judge, kept or not, a share of `MATCHES` is taken to agree with them. Where few solutions are right, that is many of those that agree: in a file of
    wrong solutions alone, all. The share is never below that of the wrong oracles among the kept.
    """
    rows = [(own.p_right, not own.objection, place) for place, own in enumerate(records) if own.p_right is not None]
    judged = sorted(rows, reverse=True)
    best, places, wrong, kept_wrong = Keeping(frozenset(), 1.0, 0.0), [], 0.0, 0.0
    for number, (p_right, safe, place) in enumerate(judged, start=1):
        wrong += 1 - p_right
        if safe:
            places.append(place)
            kept_wrong += 1 - p_right
        if len(places) > len(best.places) and (number == len(judged) or judged[number][0] != p_right):
            expected = max(kept_wrong, MATCHES * wrong) / len(places)
            if expected <= 1 - precision + 1e-12:
                best = Keeping(frozenset(places), p_right, min(expected, 1.0))
    return best


@dataclass(slots=True)
class KeptRecords:
    """The judgements of the records of a file, in its order, from which those are chosen that are kept in `path`; `output` is another file that is written."""

    source: Path
    path: Path
    precision: float
    by_value: bool = False
    output: Path | None = None
    records: list[JudgedRecord] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Refuse a precision that is no share, and files that would overwrite each other.

        Raises `HarnessError` where it is not between 0 and 1, or a file is named twice.
        """
        named = Counter(path.resolve() for path in (self.source, self.output, self.path, *self._beside) if path)
        if again := next((path for path, count in named.items() if count > 1), None):
            raise HarnessError(f"--keep {self.path}: {again.name} would be overwritten; name another file")
        if not 0 < self.precision < 1:
            raise HarnessError(f"--precision: expected a share between 0 and 1, such as 0.99, found {self.precision}")

    @property
    def _beside(self) -> tuple[Path, Path]:
        """Return the files of the other records and of the counts."""
        name = self.path.name.removesuffix(".gz").removesuffix(".jsonl")
        return self.path.with_name(f"{name}.rest.jsonl"), self.path.with_name(f"{name}.about.json")

    def add(self, judgement: Judgement, objection: str = "") -> None:
        """Take the judgement of the next record; an `objection` says why it is not kept, whatever the judgement is."""
        status = str((judgement.diagnosis or {}).get("status", ""))
        right = status == DiagnosisStatus.RIGHT_PROVED or (self.by_value and status == DiagnosisStatus.RIGHT_BY_VALUE)
        if not right:
            reason = judgement.explanation if judgement.flawed and status else judgement.error
            objection = objection or ": ".join(filter(None, (status or NO_ORACLE, reason)))
        self.records.append(JudgedRecord(judgement.confidence if status else None, objection))

    def write(self) -> str:
        """Write the kept records of the file, those that are left with the reason beside them, and the counts; return these as text.

        Raises:
            HarnessError: no oracle judged a record, or a file cannot be written.
        """
        judged = sum(own.p_right is not None for own in self.records)
        if not judged:
            first = self.records[0].objection if self.records else NO_ORACLE
            message = f"--keep {self.path}: no record was judged by an oracle ({first}); give programs by --oracles"
            raise HarnessError(message)
        kept = keep(self.records, self.precision)
        rest, about = self._beside
        reasons = [
            "" if place in kept.places else own.objection or f"p_right is too low: {own.p_right:.4f}"
            for place, own in enumerate(self.records)
        ]
        left = Counter(reason.partition(":")[0] for reason in reasons if reason)
        write_lines(self.path, _selected_lines(self.source, reasons, safe=True))
        write_lines(rest, _selected_lines(self.source, reasons, safe=False))
        counts = KeptCounts(
            records=len(self.records),
            judged=judged,
            kept=len(kept.places),
            precision=self.precision,
            least_p_right=kept.least if kept.places else None,
            expected_share_of_wrong=round(kept.expected, 6) if kept.places else None,
            left=dict(left.most_common()),
        )
        write_atomically(about, json.dumps(json_form(counts), indent=1, ensure_ascii=False) + "\n")
        shown = f"left: {'; '.join(f'{count:,} {reason}' for reason, count in left.most_common(5))}, in {rest}"
        if not kept.places:
            return f"keep: none of {len(self.records):,} records is safe at a precision of {self.precision:g}; {shown}"
        return f"keep: {len(kept.places):,} of {len(self.records):,} records in {self.path}, of which at most {kept.expected:.2%} are expected to have a wrong answer; {shown}"


def _selected_lines(source: Path, reasons: Sequence[str], *, safe: bool) -> Iterator[str]:
    """Yield the lines of the records that are kept, or of the others with their reasons; of a line that is no record, its error as text."""
    with open_input(str(source), FieldNames()) as given:
        lines = stream_records(given.stream, source, every_line=True)
        for (_, record), reason in zip(lines, reasons, strict=False):
            form = str(record) if isinstance(record, Exception) else record
            if safe is not bool(reason):
                yield f"{dump(form if safe else {'reason': reason, 'record': form})}\n"
