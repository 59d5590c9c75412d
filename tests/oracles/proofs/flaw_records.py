"""Records of flawed solutions as a run seals them, one of each kind."""

from typing import Any

from harness.json_form import json_form, with_digest
from harness.records.mutation import FlawCertificate
from harness.solution.labels import ErrorType
from harness.solution.trace import propagate
from oracles.proofs.flaw_certificate import FlawCertifier
from tests.flaw_record import flaw_label, flaw_record
from tests.oracles.proofs.linear_solutions import Straight, deleted

PROGRAM = Straight(
    {"a": 10, "b": 4},
    (("total", "a + b"), ("half", "total / 2"), ("rest", "total - half + b"), ("left", "rest * 3")),
    "left",
)
SOLUTION = (
    "There are 10 + 4 = <<10+4=14>>14 birds.\nHalf of them is 14 / 2 = 7 birds.\n"
    "Then there are 14 - 7 + 4 = <<14-7+4=11>>11.\nThat is 11 * 3 = <<11*3=33>>33 legs.\n#### 33"
)
Record = dict[str, Any]


def record(
    certificate: FlawCertificate,
    flawed: str,
    kind: ErrorType,
    line: str,
    explanation: str,
    *,
    solution: str = SOLUTION,
) -> Record:
    """Return a flawed solution with the fields that its check reads, and the least in the others."""
    change = certificate.change
    mutation = {"mutation_type": str(kind), "line": line, "variable": change.variable}
    mutation |= {"from": change.before, "to": change.after}
    texts, label = ("How many legs?", solution, flawed), flaw_label(kind, line, explanation)
    more = {"model": "birch", "tier": None, "values": [], "edits": [], "question_inputs": []}
    certified = {"mutation": mutation, "certificate": json_form(certificate)}
    return with_digest(flaw_record("p-1", str(kind), texts, label, **more, **certified))


def _mutant(told: Straight, flawed: str, kind: ErrorType, line: str, explanation: str) -> Record:
    return record(FlawCertifier.of_trace(PROGRAM.trace()).certified(told.trace()), flawed, kind, line, explanation)


def slip() -> Record:
    """Return a true record: half of fourteen is said to be eight."""
    flawed = _replaced(("14 / 2 = 7", "14 / 2 = 8"), ("14 - 7 + 4", "14 - 8 + 4"), ("14-7+4=11>>11", "14-8+4=10>>10"))
    flawed = flawed.replace("11 * 3", "10 * 3").replace("11*3=33>>33", "10*3=30>>30").replace("#### 33", "#### 30")
    trace = PROGRAM.trace()
    certificate = FlawCertifier.of_trace(trace).certified(propagate(trace, "half", 8), "half")
    explanation = "This is close, but the calculation gives 7 rather than 8."
    return record(certificate, flawed, ErrorType.COMPUTATIONAL, "L2", explanation)


def mutant() -> Record:
    """Return a true record: the half is added where it should be taken away."""
    flawed = _replaced(("14 - 7 + 4", "14 + 7 + 4"), ("14-7+4=11>>11", "14+7+4=25>>25"), ("11 * 3", "25 * 3"))
    flawed = flawed.replace("11*3=33>>33", "25*3=75>>75").replace("#### 33", "#### 75")
    explanation = "Here adding is the wrong operation; subtracting gives 14 - 7 + 4 = 11."
    return _mutant(PROGRAM.with_step(2, "total + half + b"), flawed, ErrorType.OPERATOR_SWAP, "L3", explanation)


def skipped() -> Record:
    """Return a true record: the half is never worked out, and the birds that came are taken away instead."""
    lines = [
        "There are 10 + 4 = <<10+4=14>>14 birds.",
        "Then there are 14 - 4 + 4 = <<14-4+4=14>>14.",
        "That is 14 * 3 = <<14*3=42>>42 legs.",
        "#### 42",
    ]
    explanation = "The solution skips a step, 14 / 2 = 7. It goes on with 4 where 7 belongs."
    return _mutant(deleted(PROGRAM, 1, "b"), "\n".join(lines), ErrorType.SKIPPED_STEP, "L2", explanation)


def unfinished() -> Record:
    """Return a true record: the last line is missing, and the result before it is the answer."""
    told = Straight(PROGRAM.inputs, PROGRAM.steps[:3], "rest")
    flawed = "\n".join([*SOLUTION.split("\n")[:3], "#### 11"])
    explanation = "The answer 11 leaves out the final calculation, 11 * 3 = 33."
    return _mutant(told, flawed, ErrorType.SKIPPED_STEP, "FA", explanation)


def wrong_answer() -> Record:
    """Return a true record: everything is worked out, and the result before the last is reported."""
    told = Straight(PROGRAM.inputs, PROGRAM.steps, "rest")
    explanation = "The calculation arrives at 33, yet the answer given is the result of line 3 (11)."
    return _mutant(told, _replaced(("#### 33", "#### 11")), ErrorType.FINAL_ANSWER_SELECTION, "FA", explanation)


def _replaced(*pairs: tuple[str, str]) -> str:
    """Return the correct solution with other texts in it."""
    flawed = SOLUTION
    for old, new in pairs:
        flawed = flawed.replace(old, new)
    return flawed


RECORDS = {made.__name__: made for made in (slip, mutant, skipped, unfinished, wrong_answer)}
