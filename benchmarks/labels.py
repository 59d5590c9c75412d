"""Benchmark of the label audit on published datasets: wrong labels, precision of the findings and speed.

`python -m benchmarks.labels` prints the findings of the sample with their texts, for judgement by hand. Judgements are kept in
`labels_sample.jsonl` without the text: `right` says whether a person who reads the record agrees with the finding.
"""

import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.sessions import by_status, records, require
from harness.corpora.labelled_solutions import LabelledSolution, read_labelled
from harness.corpora.problems import load_corpus
from harness.domain import Evidence, Problem, Verdict
from harness.paths import data_folder
from oracles.labels.audit.causes import AuditCause
from oracles.labels.audit.label_verdict import audit

FILES = (
    "human_written.jsonl",
    "human_accepted_conceptual.jsonl",
    "published_computational.jsonl.gz",
    "verify_then_generate.jsonl",
)
SAMPLE = Path(__file__).parent / "labels_sample.jsonl"
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


def measure(data: Path) -> dict[str, Any]:
    """Audit the four sets: verdicts and causes by file, the precision of the findings that were read, and the speed."""
    require(*(f"errors/{name}" for name in FILES), "gsm8k/train.jsonl", data=data)
    labelled, problems = _records(data), _problems(data)
    cold = _rate(labelled, problems)
    _rate(labelled[:WARM], problems)
    warm = _rate(labelled[:WARM], problems)
    audited = list(_audited(labelled, problems))
    files: dict[str, list[AuditedRecord]] = {}
    for solution in audited:
        files.setdefault(solution.file, []).append(solution)
    return {
        "records": len(audited),
        "verdicts": by_status({"status": solution.verdict.status.name} for solution in audited),
        "files": {
            file: {
                **by_status({"status": solution.verdict.status.name} for solution in own),
                "causes": dict(Counter(cause for one in own for cause in {str(f.cause) for f in one.verdict.findings})),
            }
            for file, own in files.items()
        },
        "read": _precision(_findings(audited)),
        "records_a_second": {"new_lines": round(cold), "lines_read_before": round(warm)},
    }


def _records(data: Path) -> list[LabelledSolution]:
    paths = [data / "errors" / name for name in FILES]
    return [record for record in read_labelled(paths) if isinstance(record, LabelledSolution)]


def _problems(data: Path) -> dict[str, Problem]:
    corpus = load_corpus(f"gsm8k-train={data / 'gsm8k' / 'train.jsonl'}")
    return {problem.problem_id: problem for problem in corpus}


def _audited(labelled: Sequence[LabelledSolution], problems: dict[str, Problem]) -> Iterator[AuditedRecord]:
    for record in labelled:
        problem_id = record.problem_id or record.name
        yield AuditedRecord(record, audit(record, problems.get(problem_id), problem_id))


def _rate(labelled: Sequence[LabelledSolution], problems: dict[str, Problem]) -> float:
    """Return how many records are audited in a second of processor time."""
    started = time.process_time()
    count = sum(1 for _ in _audited(labelled, problems))
    return count / (time.process_time() - started)


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


def _precision(findings: Sequence[LabelFinding]) -> dict[str, Any]:
    """Return how many of the judged findings are right, and how many of them are found today, rightly and wrongly."""
    judged = list(records(SAMPLE))
    there = {(*finding.key, finding.text_hash) for finding in findings}
    found = [
        judgement["right"]
        for judgement in judged
        if (f"{judgement['file']}#{judgement['index']}", judgement["line"], judgement["cause"], judgement["sha256"])
        in there
    ]
    return {
        "read": len(judged),
        "right": sum(judgement["right"] for judgement in judged),
        "found_today": len(found),
        "right_of_these": sum(found),
    }


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
