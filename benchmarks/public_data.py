"""Benchmark of the audit of public data sets: what it finds in each, and how many of the findings are right when they are read."""

import gzip
import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.sessions import records, require
from oracles.dataset_audit.audit import audit_dataset
from oracles.dataset_audit.findings import AuditFinding, DatasetAudit, FindingKind

READ = Path(__file__).with_name("public_data_read.jsonl")
"""The findings that were read with their whole records, and whether each is right."""
LONGEST_SHOWN = 110


@dataclass(frozen=True, slots=True)
class PublicSet:
    """A data set: its file in the shared data, its name, and where it is from."""

    file: str
    name: str
    source: str


SETS = (
    PublicSet("gsm8k/train.jsonl", "GSM8K train", "openai/grade-school-math, MIT"),
    PublicSet("gsm8k/test.jsonl", "GSM8K test", "openai/grade-school-math, MIT"),
    PublicSet("errors/verify_then_generate.jsonl", "verify-then-generate", "eth-lre/verify-then-generate, CC BY 4.0"),
    PublicSet("smt/logical_deduction.jsonl.gz", "Logic-LM, logical deduction", "teacherpeterpan/Logic-LLM, MIT"),
    PublicSet("problem_validity/umwp.jsonl", "UMWP", "Yuki-Asuuna/UMWP, CC BY-SA 4.0"),
    PublicSet("svamp/problems.jsonl", "SVAMP", "arkilpatel/SVAMP, MIT"),
)


def audits(data: Path) -> Iterator[tuple[PublicSet, DatasetAudit, float]]:
    """Yield each data set that is there with its audit and the seconds it took."""
    for public in SETS:
        if (data / public.file).is_file():
            began = time.monotonic()
            audited = audit_dataset(data / public.file, processes=len(os.sched_getaffinity(0)))
            yield public, audited, time.monotonic() - began


def measure(data: Path) -> dict[str, Any]:
    """Audit each data set: what was checked, the findings by kind, how many were read with their whole records, and how many are right.

    Of Logic-LM's findings, those count as right that agree with the status that the data set records of its own run of Z3.
    """
    require(*(public.file for public in SETS), data=data)
    read = list(records(READ))
    figures: dict[str, Any] = {}
    for public, audited, seconds in audits(data):
        if public.file.startswith("smt/"):
            judged = _recorded(data / public.file, audited)
        else:
            known = {
                (entry["record_id"], entry["place"]): entry["right"] for entry in read if entry["file"] == public.file
            }
            places = [(finding.record_id, finding.place) for finding in audited.findings]
            judged = [known[place] for place in places if place in known]
        figures[public.name] = {
            "records": audited.records,
            "equations": audited.equations,
            "labels": audited.labels,
            "programs": audited.programs,
            "answered_questions": audited.questions,
            "findings": dict(Counter(str(finding.kind) for finding in audited.findings)),
            "found": len(audited.findings),
            "read": len(judged),
            "right": sum(judged),
            "seconds": round(seconds),
        }
    total = {key: sum(own[key] for own in figures.values()) for key in ("records", "found", "read", "right")}
    return {**figures, "all": total}


def _recorded(path: Path, audited: DatasetAudit) -> list[bool]:
    """Tell of each finding about a program of Logic-LM whether the recorded status says the same."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = dict(enumerate(map(json.loads, lines), start=1))
    judged = []
    for finding in audited.findings:
        record = records[finding.row]
        if finding.kind is FindingKind.CONTRADICTORY_PROGRAM:
            judged.append(record["z3_status"] == "unsat")
        else:
            judged.append(record["z3_status"] == "sat" and record["gold"] not in record["entailed"])
    return judged


def lists(data: Path) -> Iterator[tuple[str, str]]:
    """Yield for each data set its name and its findings as Markdown: ids, places, and what is false, nothing more of the text."""
    for public, audited, _ in audits(data):
        rows = list(_programs(audited) if audited.programs else map(_row, audited.findings))
        head = ["| model | programs | contradictory | answer does not follow |", "|---|---|---|---|"]
        if not audited.programs:
            head = ["| record | place | found | expected |", "|---|---|---|---|"]
        yield public.name, "\n".join([*head, *rows])


def _row(finding: AuditFinding) -> str:
    found, expected = (_cell(text) for text in (finding.found, finding.expected))
    return f"| {finding.record_id} | {finding.place} | {found} | {expected} |"


def _cell(text: str) -> str:
    shown = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
    return f"`{shown}`".replace("|", "\\|") if shown else ""


def _programs(audited: DatasetAudit) -> Iterator[str]:
    """Yield a row for each model: the numbers of the problems whose program is contradictory, or does not entail the answer."""
    models: dict[str, dict[FindingKind, list[str]]] = {}
    for finding in audited.findings:
        problem, _, model = finding.record_id.rstrip(")").partition(" (")
        models.setdefault(model, {}).setdefault(finding.kind, []).append(problem.rpartition("_")[2])
    for model, kinds in models.items():
        cells = [
            ", ".join(kinds.get(kind, [])) for kind in (FindingKind.CONTRADICTORY_PROGRAM, FindingKind.NOT_ENTAILED)
        ]
        yield f"| {model} | {audited.programs // len(models)} | {' | '.join(cells)} |"
