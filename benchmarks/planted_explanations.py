"""Faults planted by rule in the explanations of our own labels, for the label audit."""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING, Any

from harness.corpora.labelled_solutions import LabelledSolution, read_record
from harness.domain import Status
from oracles.labels.audit.label_verdict import audit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Record = dict[str, Any]
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.]|,\d)")
_OPERATIONS = (
    {"added": "divided", "subtracted": "multiplied", "multiplied": "added", "divided": "subtracted"},
    {"adding": "dividing", "subtracting": "multiplying", "multiplying": "adding", "dividing": "subtracting"},
    {"addition": "division", "subtraction": "multiplication", "multiplication": "addition", "division": "subtraction"},
)
_SWAPS = {old: new for words in _OPERATIONS for old, new in words.items()}
_OPERATION = re.compile(rf"\b(?:{'|'.join(_SWAPS)})\b")


def planted_faults(record: Record, others: Sequence[Record]) -> Iterator[tuple[str, str]]:
    """Yield each rule with the explanation that it makes of a record's own; `others` lend theirs."""
    own, kind = explanation_of(record), record["label"]["error_details"]["error_type"]
    number = _NUMBER.search(own)
    if number is not None:
        yield "a wrong number", f"{own[: number.start()]}{int(number[0]) + 1}{own[number.end() :]}"
    line = re.search(r"\bL(\d+)\b", own)
    if line is not None:
        yield "another line", own.replace(line[0], f"L{int(line[1]) + 1}")
    if record["operator"] == "operator_swap" and _OPERATION.search(own):
        yield "another operation", _OPERATION.sub(lambda match: _SWAPS[match[0]], own)
    foreign = next((other for other in others if other["problem_id"] != record["problem_id"]), None)
    if foreign is not None:
        yield "of another problem", explanation_of(foreign)
    for other in others:
        if other["problem_id"] == record["problem_id"] and other["label"]["error_details"]["error_type"] != kind:
            yield "of another error type", explanation_of(other)
            break


def explanation_of(record: Record) -> str:
    """Return the explanation of a record."""
    return str(record["label"]["error_details"]["explanation"])


def is_missed(record: Record, explanation: str, *, reference: bool) -> bool:
    """Tell whether the audit confirms a record with another explanation, with or without the correct solution."""
    changed = copy.deepcopy(record)
    changed["label"]["error_details"]["explanation"] = explanation
    if not reference:
        del changed["solution"]
    labelled = read_record(changed, "planted")
    return isinstance(labelled, LabelledSolution) and audit(labelled, None, "planted").status is Status.CONFIRMED
