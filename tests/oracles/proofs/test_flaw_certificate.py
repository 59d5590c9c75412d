"""Tests of certificates: exact evaluation confirms every true one and refutes every one that was tampered with."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings, strategies as st

from harness.json_form import MalformedRecordError, json_form, read_record
from harness.program import ir
from harness.program.expression_nodes import expression_difference
from harness.program.refusal import ProgramError, Refusal
from harness.program.syntax.unparser import unparse
from harness.program.value_parser import read_expression
from harness.records.mutation import CertifiedChange, FlawCertificate, FlawClaim
from harness.solution.trace import propagate
from oracles.proofs.flaw_certificate import (
    FlawCertifier,
    FlawNotCertified,
    program_values,
    refutation,
)
from oracles.proofs.straight_program import EditKind, edit_between
from tests.cases import cases
from tests.oracles.proofs.flaw_records import PROGRAM
from tests.oracles.proofs.linear_solutions import MUTANTS, SEEDS, SLIPS, Straight, certificate_of, deleted, expression

CERTIFICATES = SLIPS | MUTANTS


@given(CERTIFICATES, st.data())
@settings(max_examples=200)
def test_a_certificate_holds_and_no_tampered_one_does(certificate: FlawCertificate, data: st.DataObject) -> None:
    """Read from its JSON it holds; with another value, change, claim or program, or without the error, it is refuted."""
    assert refutation(certificate) is None
    change = certificate.change
    part = data.draw(st.sampled_from(["line", "variable", "before", "after"]))
    other = data.draw(st.sampled_from([name for name in certificate.stated if name != change.variable]))
    off = certificate.stated[other] + data.draw(st.sampled_from([1, -2, 10]))
    values = program_values(certificate.oracle)
    right = {step.variable: values[step.variable] for step in certificate.oracle.steps}
    slip = certificate.mutant is None
    claim = FlawClaim.INEQUIVALENT_MUTANT if slip else FlawClaim.ONE_FALSE_EQUATION
    tampered: list[dict[str, Any]] = [
        {"change": replace(change, **{part: getattr(change, part) + "1"})},
        {"change": replace(change, before=change.after, after=change.before)},
        {"stated": {**certificate.stated, other: off}},
        {"mutant": None if slip else certificate.oracle, "stated": right},
        {"claim": claim},
        {"mutant": certificate.oracle if slip else None},
    ]
    for changes in tampered:
        assert refutation(replace(certificate, **changes)) is not None, changes


@given(MUTANTS, st.data())
@settings(max_examples=200)
def test_a_second_changed_place_is_refuted(certificate: FlawCertificate, data: st.DataObject) -> None:
    """A mutant in which another step differs as well is refuted, although all it states is true."""
    assert certificate.mutant is not None
    edit = edit_between(certificate.oracle, certificate.mutant)
    steps = certificate.mutant.steps
    # A second change within the changed step, or of what reads an added one, is no second place.
    others = [
        place
        for place, step in enumerate(steps)
        if step.variable != edit.variable and not (edit.kind is EditKind.ADDED and step.line in edit.readers)
    ]
    assume(others)
    place = data.draw(st.sampled_from(others))
    other = steps[place]._replace(expression=ir.Binary("+", ir.Const(5), steps[place].expression))
    mutant = replace(certificate.mutant, steps=(*steps[:place], other, *steps[place + 1 :]))
    try:
        values = program_values(mutant)
    except ProgramError:
        values = program_values(certificate.mutant)
    stated = {step.variable: values[step.variable] for step in mutant.steps}
    assert refutation(replace(certificate, mutant=mutant, stated=stated)) is not None


SHORT = Straight({"a": 10, "b": 4}, (("x", "a + b"), ("y", "x // 10")), "y")
TWICE = propagate(propagate(PROGRAM.trace(), "total", 15), "rest", 20)
NOT_CERTIFIED: dict[str, tuple[Straight, Any, str | None, str]] = {
    "a right answer": (SHORT, propagate(SHORT.trace(), "x", 15), "x", "the answer is still 1"),
    "an oracle": (PROGRAM.with_step(2, "sum([total, b])"), PROGRAM.trace(), None, "has no translation"),
    "a mutant": (PROGRAM, PROGRAM.with_step(2, "sum([total, b])").trace(), None, "has no translation"),
    "two slips": (PROGRAM, TWICE, "total", "that of 'total', found total = a + b (gives 14, stated 15), rest"),
    "no slip": (PROGRAM, PROGRAM.trace(), "total", "found none"),
    "no variable": (PROGRAM, PROGRAM.trace(), "nothing", "that of 'nothing', found none"),
}


@cases("kind", NOT_CERTIFIED)
def test_what_is_not_one_error_is_not_certified(kind: str) -> None:
    """The answer must change by one false equation, and a solver must be able to check it."""
    oracle, told, slip, reason = NOT_CERTIFIED[kind]
    with pytest.raises(FlawNotCertified) as caught:
        certificate_of(oracle, told, slip)
    assert reason in str(caught.value)


MUTANT_KINDS = {
    "changed": (PROGRAM.with_step(2, "total + half + b"), ("L3", "rest", "total - half + b", "total + half + b")),
    "deleted": (deleted(PROGRAM, 1, "b"), ("L2", "half", "total / 2", "")),
    "dropped": (
        replace(PROGRAM, steps=(PROGRAM.steps[0], ("rest", "total + b"), PROGRAM.steps[3])),
        ("L2", "half", "total / 2", ""),
    ),
    "added": (
        replace(PROGRAM, steps=(*PROGRAM.steps[:3], ("mean", "rest / 2"), ("left", "mean * 3"))),
        ("L4", "mean", "", "rest / 2"),
    ),
    "answer": (replace(PROGRAM, answer="rest"), ("FA", "left", "left", "rest")),
    "last step left out": (replace(PROGRAM, steps=PROGRAM.steps[:3], answer="rest"), ("L4", "left", "rest * 3", "")),
}


@cases("kind", MUTANT_KINDS)
def test_a_mutant_is_certified_with_its_one_place(kind: str) -> None:
    """The place of the change is found."""
    mutant, change = MUTANT_KINDS[kind]
    assert certificate_of(PROGRAM, mutant.trace()).change == CertifiedChange(*change)


TWO_PLACES = {
    "two steps": PROGRAM.with_step(0, "a - b").with_step(3, "rest * 2"),
    "a step and the answer": replace(PROGRAM.with_step(0, "a - b"), answer="rest"),
    "other inputs": replace(PROGRAM, inputs={"a": 11, "b": 4}),
    "no difference": PROGRAM,
    "two steps left out": replace(PROGRAM, steps=PROGRAM.steps[:2], answer="half"),
    "a step left out and another changed": deleted(PROGRAM, 1, "b").with_step(2, "rest * 2"),
    "two variables instead of one": Straight(
        PROGRAM.inputs, (("total", "a + b"), ("rest", "total - a + b"), ("left", "rest * 3 + b - b")), "left"
    ),
    "another order": Straight(
        PROGRAM.inputs, (("half", "(a + b) / 2"), ("total", "a"), *PROGRAM.steps[2:]), PROGRAM.answer
    ),
}


@cases("kind", TWO_PLACES)
def test_a_mutant_of_two_places_is_not_certified(kind: str) -> None:
    """A mutant differs from its oracle in one place, or is none."""
    with pytest.raises(FlawNotCertified):
        certificate_of(PROGRAM, TWO_PLACES[kind].trace())


@given(SEEDS)
def test_the_smallest_difference_is_where_one_node_was_replaced(random: Random) -> None:
    """The parts found differ, and lie within the parts that were put for each other."""
    first, second = (read_expression(expression(random, ["a", "b"])) for _ in range(2))
    assume(first != second)
    whole, other = (ir.Binary("*", ir.Name("a"), ir.Call("max", (ir.Const(1), part))) for part in (first, second))
    before, after = expression_difference(whole, other)
    assert before != after
    assert unparse(before) in unparse(first)
    assert unparse(after) in unparse(second)


HOSTILE = {
    "cycle": (("x", "y + 1"), ("y", "x + 1")),
    "itself": (("x", "x"), ("y", "x")),
    "division by zero": (("x", "a / 0"), ("y", "x")),
    "too much": (("x", "9 ** 9 ** 9"), ("y", "x")),
    "endless": (("x", "sum([i for i in range(10 ** 9)])"), ("y", "x")),
    "text": (("x", "'no number'"), ("y", "x")),
    "a bool": (("x", "a > 1"), ("y", "x")),
    "assigned twice": (("x", "a"), ("x", "a + 1")),
    "a keyword": (("class", "a"), ("y", "a")),
    "no name": (("x y", "a"), ("y", "a")),
    "deep": (("x", "+".join("a" * 300)), ("y", "x")),
    "a builtin": (("x", "open('/etc/passwd')"), ("y", "x")),
}


@cases("kind", HOSTILE)
def test_a_hostile_certificate_is_refuted_by_a_reason(kind: str) -> None:
    """Whatever a record's program says, the answer is one sentence."""
    record = json_form(certificate_record())
    record["oracle"]["steps"] = [[f"L{place}", name, code] for place, (name, code) in enumerate(HOSTILE[kind], start=1)]
    record["stated"] = {name: "3" for name, _ in HOSTILE[kind]}
    try:
        reason = refutation(read_record(FlawCertificate, record))
    except MalformedRecordError as error:
        reason = str(error)
    assert reason is not None
    assert len(reason) < 400


def certificate_record() -> FlawCertificate:
    """Return the record of a slip."""
    return FlawCertifier.of_trace(SHORT.trace()).certified(propagate(SHORT.trace(), "x", 25), "x")


@cases(
    "text", ["", "a = 1", "a; b", "a\nb", "lambda: 1", "a := 2", "(" * 5000, "9" * 5000, "a.b", "x" * 4001, "\0", "*a"]
)
def test_only_expressions_are_read(text: str) -> None:
    """Statements, several of them, and what nests or is too long are refused."""
    with pytest.raises(Refusal):
        read_expression(text)
