"""Test helpers that build a candidate with one chosen change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generators.flaws.mutation_operator import OPERATORS
from harness.json_form import json_form, read_record
from harness.program.syntax.unparser import unparse
from harness.program.value_parser import read_exact
from harness.records.mutation import CertifiedChange, CertifiedProgram
from harness.records.review import CandidateTexts
from harness.solution.labels import ErrorType, Label
from harness.text.number_forms import format_value
from oracles.proofs.flaw_certificate import FlawCertificate, FlawClaim, program_values
from oracles.proofs.program_edit import EditKind, edit_between
from oracles.proofs.straight_program import StraightLineProgram
from reports.review.candidates.candidates import Candidate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.domain import Exact

Record = dict[str, Any]
QUESTION = "At a school fair, Ann and Bob sell 12 red and 30 blue mugs. What do they earn?"


def program(inputs: Mapping[str, str], steps: Sequence[str], answer: str = "") -> StraightLineProgram:
    """Return a straight-line program: each step `name = expression` on its line, the last one's name the answer."""
    told = [[f"L{number}", *step.split(" = ", 1)] for number, step in enumerate(steps, start=1)]
    form = {"inputs": [[*pair] for pair in inputs.items()], "steps": told, "answer": answer or told[-1][1]}
    return StraightLineProgram.of_record(read_record(CertifiedProgram, form))


def candidate(
    operator: str,
    said: tuple[str, str],
    oracle: StraightLineProgram,
    told: StraightLineProgram | Mapping[str, str],
    *,
    kind: ErrorType | None = None,
) -> Candidate:
    """Return the candidate of a mutant, or of a slip by the values that it states instead; `kind` is by default the operator's."""
    registered = OPERATORS.get(operator)
    kind = kind or (ErrorType.OPERATOR_SWAP if registered is None else registered.error_type)
    right = program_values(oracle)
    if isinstance(told, StraightLineProgram):
        edit = edit_between(oracle, told)
        values = program_values(told)
        before, after = ("" if part is None else unparse(part) for part in (edit.before, edit.after))
        change, claim, mutant, line = (
            CertifiedChange(edit.line, edit.variable, before, after),
            FlawClaim.INEQUIVALENT_MUTANT,
            told,
            edit.told_on,
        )
        if edit.kind is EditKind.DELETED and not edit.readers:
            line = "FA"
    else:
        values = right | {name: read_exact(value) for name, value in told.items()}
        name = next(iter(told))
        (line,) = (step.line for step in oracle.steps if step.variable == name)
        change = CertifiedChange(line, name, *(str(side[name]) for side in (right, values)))
        claim, mutant, kind = FlawClaim.ONE_FALSE_EQUATION, None, ErrorType.COMPUTATIONAL
    side = mutant or oracle
    stated = {step.variable: values[step.variable] for step in side.steps}
    certificate = FlawCertificate(claim, oracle, mutant, stated, change)
    solution = _solution(oracle, right)
    record: Record = {
        "flaw_id": f"fair:{operator}:{claim}",
        "problem_id": "fair",
        "model": "hand",
        "tier": 2,
        "position": "early",
        "operator": operator,
        "question": QUESTION,
        "solution": solution,
        "flawed_solution": _solution(side, values),
        "label": json_form(Label.of_error(kind, line, "This is not what was asked.", solution.split("\n")[0])),
        "mutation": {
            "mutation_type": operator,
            "line": line,
            "variable": change.variable,
            "from": said[0],
            "to": said[1],
        },
        "values": [],
        "plausibility": {"score": 0.5, "reasons": ["similar size"]},
        "needs_edit": False,
        "edits": [],
        "certificate": json_form(certificate.record()),
    }
    return of_record(record)


def of_record(record: Record) -> Candidate:
    """Return the candidate of a record."""
    return Candidate(
        candidate_id=record["flaw_id"],
        version="0123456789ab",
        tier=str(record["tier"]),
        position=record["position"],
        error_type=record["label"]["error_details"]["error_type"],
        operator=record["operator"],
        plausibility=record["plausibility"]["score"],
        needs_edit=record["needs_edit"],
        problem_id=record["problem_id"],
        record=record,
    )


def texts(candidate: Candidate, *, explanation: str | None = None, **lines: str) -> CandidateTexts:
    """Return the texts of a candidate with some lines written anew: `L2="…"`, `FA="…"`."""
    own = CandidateTexts.of_record(candidate.record)
    written = list(own.lines)
    for label, text in lines.items():
        written[-1 if label == "FA" else int(label[1:]) - 1] = text
    return CandidateTexts(tuple(written), own.explanation if explanation is None else explanation)


def _solution(side: StraightLineProgram, values: Mapping[str, Exact]) -> str:
    lines = []
    for step in side.steps:
        code = unparse(step.expression)
        for name in sorted(values, key=len, reverse=True):
            code = code.replace(name, format_value(values[name]))
        lines.append(f"The {step.variable.replace('_', ' ')} is {code} = {format_value(values[step.variable])}.")
    return "\n".join([*lines, f"#### {format_value(values[side.answer])}"])
