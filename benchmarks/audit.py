"""Benchmark of the label audit on published datasets: wrong labels, precision of the findings and speed.

`python -m benchmarks.audit` prints the findings of the sample with their texts, for judgement by hand. Judgements are kept in
`audit_sample.jsonl` without the text: `right` says whether a person who reads the record agrees with the finding.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from harness.corpora.labelled_solutions import LabelledSolution, read_labelled
from harness.corpora.problems import load_corpus
from harness.paths import data_folder
from oracles.labels.audit.causes import AuditCause
from oracles.labels.audit.label_verdict import audit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.domain import Evidence, Problem, Verdict

FILES = (
    "human_written.jsonl",
    "human_accepted_conceptual.jsonl",
    "published_computational.jsonl.gz",
    "verify_then_generate.jsonl",
)
SAMPLE = Path(__file__).parent / "audit_sample.jsonl"
SEED = 5
SIZE = 50
WARM = 5_000


class AuditedRecord(NamedTuple):
    """A record and its verdict."""

    record: LabelledSolution
    verdict: Verdict

    @property
    def file(self) -> str:
        """Return the name of the record's file."""
        return self.record.name.partition("#")[0]


class LabelFinding(NamedTuple):
    """One finding that refutes a label."""

    audited: AuditedRecord
    evidence: Evidence

    @property
    def key(self) -> tuple[str, str, str]:
        """Return record, line and cause."""
        return self.audited.record.name, self.evidence.line, str(self.evidence.cause)

    @property
    def lot(self) -> str:
        """Return what orders the findings of a cause by chance, whatever else is found."""
        return hashlib.sha256(repr((SEED, *self.key)).encode()).hexdigest()

    @property
    def text_hash(self) -> str:
        """Return the hash of the solution's lines."""
        return hashlib.sha256("\n".join(self.audited.record.worked.lines).encode()).hexdigest()


def measure(data: Path) -> str:
    """Audit the four sets and return the verdicts, the causes, the precision and the speed as Markdown."""
    head = "## Label audit\n\n    python -m benchmarks audit"
    if not (data / "errors").is_dir():
        return f"{head}\n\nNot measured: no real data at hand."
    records, problems = _records(data), _problems(data)
    cold = _rate(records, problems)
    _rate(records[:WARM], problems)
    warm = _rate(records[:WARM], problems)
    audited = list(_audited(records, problems))
    rates = f"{len(records):,} records: {cold:,.0f} a second where every line is new, {warm:,.0f} a second on lines read before (processor time, one core)."
    return "\n\n".join([head, _verdict_table(audited), _cause_table(audited), _precision(_findings(audited)), rates])


def _records(data: Path) -> list[LabelledSolution]:
    paths = [data / "errors" / name for name in FILES]
    return [record for record in read_labelled(paths) if isinstance(record, LabelledSolution)]


def _problems(data: Path) -> dict[str, Problem]:
    corpus = load_corpus(f"gsm8k-train={data / 'gsm8k' / 'train.jsonl'}")
    return {problem.problem_id: problem for problem in corpus}


def _audited(records: Sequence[LabelledSolution], problems: dict[str, Problem]) -> Iterator[AuditedRecord]:
    for record in records:
        problem_id = record.problem_id or record.name
        yield AuditedRecord(record, audit(record, problems.get(problem_id), problem_id))


def _rate(records: Sequence[LabelledSolution], problems: dict[str, Problem]) -> float:
    """Return how many records are audited in a second of processor time."""
    started = time.process_time()
    count = sum(1 for _ in _audited(records, problems))
    return count / (time.process_time() - started)


def _verdict_table(audited: Sequence[AuditedRecord]) -> str:
    counts = Counter((solution.file, solution.verdict.status.name) for solution in audited)
    rows = ["| labels of | records | CONFIRMED | REFUTED | UNKNOWN |", "|---|---|---|---|---|"]
    for file in dict.fromkeys(solution.file for solution in audited):
        figures = [counts[file, status] for status in ("CONFIRMED", "REFUTED", "UNKNOWN")]
        rows.append(f"| {file} | {sum(figures):,} | " + " | ".join(f"{figure:,}" for figure in figures) + " |")
    return "\n".join(rows)


def _cause_table(audited: Sequence[AuditedRecord]) -> str:
    files = list(dict.fromkeys(solution.file for solution in audited))
    counts = Counter(
        (cause, solution.file)
        for solution in audited
        for cause in {str(each.cause) for each in solution.verdict.findings}
    )
    rows = ["| records with | " + " | ".join(files) + " |", "|---" * (len(files) + 1) + "|"]
    for cause in AuditCause:
        if any(counts[str(cause), file] for file in files):
            advice = "" if cause.refutes else " (a remark)"
            rows.append(f"| {cause}{advice} | " + " | ".join(f"{counts[str(cause), file]:,}" for file in files) + " |")
    return "\n".join(rows)


def _findings(audited: Sequence[AuditedRecord]) -> list[LabelFinding]:
    return [
        LabelFinding(solution, evidence)
        for solution in audited
        for evidence in solution.verdict.findings
        if AuditCause(evidence.cause).refutes
    ]


def draw(findings: Sequence[LabelFinding]) -> list[LabelFinding]:
    """Return the sample: in turn one finding of each cause by lot, so that the rare causes are judged too."""
    by_cause: dict[str, list[LabelFinding]] = {}
    for finding in sorted(findings, key=lambda found: found.lot):
        by_cause.setdefault(str(finding.evidence.cause), []).append(finding)
    drawn: list[LabelFinding] = []
    while len(drawn) < SIZE and any(by_cause.values()):
        for cause in sorted(by_cause):
            if by_cause[cause] and len(drawn) < SIZE:
                drawn.append(by_cause[cause].pop(0))
    return drawn


def _precision(findings: Sequence[LabelFinding]) -> str:
    """Say how many of the judged findings are right, and what that makes of all findings."""
    judged = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    there = {(*finding.key, finding.text_hash) for finding in findings}
    found = [
        (f"{judgement['file']}#{judgement['index']}", judgement["line"], judgement["cause"], judgement["sha256"])
        in there
        for judgement in judged
    ]
    drawn = Counter(judgement["cause"] for judgement in judged)
    right = Counter(judgement["cause"] for judgement in judged if judgement["right"])
    sizes = Counter(str(finding.evidence.cause) for finding in findings)
    share = sum(sizes[cause] * right[cause] / drawn[cause] for cause in drawn) / sum(sizes[cause] for cause in drawn)
    named = ", ".join(f"{cause} {right[cause]} of {drawn[cause]}" for cause in sorted(drawn))
    wrong = sum(held and not judgement["right"] for judgement, held in zip(judged, found, strict=True))
    return (
        f"Of {len(judged)} findings drawn by lot from every cause in turn (seed {SEED}) and judged by hand, {right.total()} are right: "
        f"{named}. Weighted by how often each cause is found: {share:.3f}. The wrong ones were then mended: of the {len(judged)}, "
        f"{sum(found)} are found today, {wrong} of them wrongly."
    )


def main() -> int:
    """Print the sample with its texts, and the record to fill in for each finding."""
    data = data_folder()
    for number, finding in enumerate(draw(_findings(list(_audited(_records(data), _problems(data)))))):
        record, evidence = finding.audited.record, finding.evidence
        print(f"\n=== {number} {record.name} {record.problem_id}: {record.stated}")
        for place, line in enumerate(record.worked.lines, start=1):
            print(f"  L{place} {line}")
        print(f"  FA {record.worked.answer}\n  {evidence}")
        file, _, index = record.name.partition("#")
        entry = {"file": file, "index": int(index), "line": evidence.line, "cause": str(evidence.cause)}
        print(json.dumps({**entry, "sha256": finding.text_hash, "right": None}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
