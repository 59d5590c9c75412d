"""Records of flawed solutions as a run seals them, one of each kind."""

from dataclasses import dataclass
from typing import Any

from harness.json_form import json_form
from harness.program.evaluation.evaluator import format_exact
from harness.records.content_digest import with_digest
from harness.solution.labels import ErrorType, Label, position_of
from harness.solution.tiers import tier_of
from harness.solution.trace import propagate
from oracles.certificates.flaw_certificate import FlawCertificate, FlawCertifier, program_values
from oracles.recheck.flaws.flaw_fields import flaw_digest
from tests.oracles.certificates.linear_solutions import Straight, deleted

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


@dataclass(frozen=True)
class Words:
    """What a record says of its error: the operator, the change in numbers, the explanation, and the reasons that it is plausible."""

    operator: str
    before: str
    after: str
    explanation: str
    reasons: tuple[str, ...] = ()


SAME_SIZE = ("the answer is of the same size",)


def record(  # what a record is made of
    certificate: FlawCertificate,
    flawed: str,
    kind: ErrorType,
    line: str,
    words: Words,
    correction: str,
    *,
    solution: str = SOLUTION,
    problem_id: str = "p-1",
) -> Record:
    """Return a flawed solution as a run seals it."""
    steps = {step.variable: step.line for step in certificate.oracle.steps}
    before = program_values(certificate.oracle)
    after = {name: certificate.stated.get(name) for name in steps}
    return with_digest(
        {
            "flaw_id": f"{problem_id}:{words.operator}:{flaw_digest(words.operator, flawed)}",
            "problem_id": problem_id,
            "model": "birch",
            "tier": tier_of(solution.rpartition("\n")[0]),
            "position": position_of(line, solution.count("\n")),
            "operator": words.operator,
            "question": "How many legs?",
            "solution": solution,
            "flawed_solution": flawed,
            "label": _unaliased(json_form(Label.of_error(kind, line, words.explanation, correction))),
            "mutation": {
                "mutation_type": words.operator,
                "line": line,
                "variable": certificate.change.variable,
                "from": words.before,
                "to": words.after,
            },
            "values": [
                {
                    "variable": name,
                    "line": steps[name],
                    "before": format_exact(before[name]),
                    "after": None if value is None else format_exact(value),
                }
                for name, value in after.items()
                if value != before[name]
            ],
            "plausibility": {"score": 0.5, "reasons": list(words.reasons)},
            "needs_edit": False,
            "edits": [],
            "question_inputs": [],
            "certificate": json_form(certificate.record()),
        }
    )


def _unaliased(label: Record) -> Record:
    """Return a label as earlier versions wrote it, whose records have no program."""
    label["error_details"].pop("alias", None)
    return label


def resealed(made: Record) -> Record:
    """Return a record whose digest was computed anew, as whoever changes a field can."""
    return with_digest(made)


def renamed(made: Record, problem_id: str) -> Record:
    """Return a record of another problem."""
    flaw_id = made["flaw_id"].replace(made["problem_id"], problem_id)
    return with_digest({**made, "problem_id": problem_id, "flaw_id": flaw_id})


def slip() -> Record:
    """Return a true record: half of fourteen is said to be eight."""
    trace = PROGRAM.trace()
    flawed = (
        SOLUTION.replace("14 / 2 = 7", "14 / 2 = 8")
        .replace("14 - 7 + 4", "14 - 8 + 4")
        .replace("14-7+4=11>>11", "14-8+4=10>>10")
    )
    flawed = flawed.replace("11 * 3", "10 * 3").replace("11*3=33>>33", "10*3=30>>30").replace("#### 33", "#### 30")
    certificate = FlawCertifier.of_trace(trace).slip(propagate(trace, "half", 8), "half")
    words = Words("off_by_n", "7", "8", "This is close, but the calculation gives 7 rather than 8.", SAME_SIZE)
    return record(certificate, flawed, ErrorType.COMPUTATIONAL, "L2", words, SOLUTION.split("\n")[1])


def mutant() -> Record:
    """Return a true record: the half is added where it should be taken away."""
    flawed = SOLUTION.replace("14 - 7 + 4", "14 + 7 + 4").replace("14-7+4=11>>11", "14+7+4=25>>25")
    flawed = flawed.replace("11 * 3", "25 * 3").replace("11*3=33>>33", "25*3=75>>75").replace("#### 33", "#### 75")
    certificate = FlawCertifier.of_trace(PROGRAM.trace()).mutant(PROGRAM.with_step(2, "total + half + b").trace())
    words = Words(
        "operator_swap",
        "14 - 7 + 4",
        "14 + 7 + 4",
        "Here adding is the wrong operation; subtracting gives 14 - 7 + 4 = 11.",
    )
    return record(certificate, flawed, ErrorType.OPERATOR_SWAP, "L3", words, SOLUTION.split("\n")[2])


def skipped() -> Record:
    """Return a true record: the half is never worked out, and the birds that came are taken away instead."""
    lines = [
        "There are 10 + 4 = <<10+4=14>>14 birds.",
        "Then there are 14 - 4 + 4 = <<14-4+4=14>>14.",
        "That is 14 * 3 = <<14*3=42>>42 legs.",
        "#### 42",
    ]
    told = deleted(PROGRAM, 1, "b").trace()
    certificate = FlawCertifier.of_trace(PROGRAM.trace()).mutant(told)
    explanation = "The solution skips a step, 14 / 2 = 7. It goes on with 4 where 7 belongs."
    words = Words("skipped_assignment", "14 / 2", "4", explanation, SAME_SIZE)
    return record(certificate, "\n".join(lines), ErrorType.SKIPPED_STEP, "L2", words, SOLUTION.split("\n")[2])


def unfinished() -> Record:
    """Return a true record: the last line is missing, and the result before it is the answer."""
    told = Straight(PROGRAM.inputs, PROGRAM.steps[:3], "rest").trace()
    certificate = FlawCertifier.of_trace(PROGRAM.trace()).mutant(told)
    flawed = "\n".join([*SOLUTION.split("\n")[:3], "#### 11"])
    explanation = "The answer 11 leaves out the final calculation, 11 * 3 = 33."
    words = Words("skipped_final_step", "11 * 3", "11", explanation)
    return record(certificate, flawed, ErrorType.SKIPPED_STEP, "FA", words, SOLUTION.split("\n")[3])


def wrong_answer() -> Record:
    """Return a true record: everything is worked out, and the result before the last is reported."""
    told = Straight(PROGRAM.inputs, PROGRAM.steps, "rest").trace()
    certificate = FlawCertifier.of_trace(PROGRAM.trace()).mutant(told)
    flawed = SOLUTION.replace("#### 33", "#### 11")
    explanation = "The calculation arrives at 33, yet the answer given is the result of line 3 (11)."
    words = Words("wrong_final_answer", "33", "11", explanation)
    return record(certificate, flawed, ErrorType.FINAL_ANSWER_SELECTION, "FA", words, "#### 33")


RECORDS = {made.__name__: made for made in (slip, mutant, skipped, unfinished, wrong_answer)}
