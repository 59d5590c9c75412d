"""Tests of certificates: exact evaluation confirms every true one and refutes every one that was tampered with."""

import json
from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given, settings, strategies as st

from harness.json_form import json_form, read_record
from harness.program import ir
from harness.program.refusal import ProgramError, Refusal
from harness.program.syntax.unparser import unparse
from harness.program.value_parser import read_exact, read_expression
from harness.records.mutation import CertifiedChange, FlawCertificateRecord
from harness.solution.trace import propagate
from oracles.proofs.flaw_certificate import (
    FlawCertificate,
    FlawCertifier,
    FlawClaim,
    FlawNotCertified,
    certify_mutant,
    certify_slip,
    program_values,
    refutation,
)
from oracles.proofs.program_edit import EditKind, edit_between, expression_difference
from tests.cases import cases
from tests.oracles.proofs.linear_solutions import MUTANTS, SEEDS, SLIPS, Straight, deleted, expression

CERTIFICATES = SLIPS | MUTANTS
PROGRAM = Straight(
    {"a": 10, "b": 4},
    (("total", "a + b"), ("half", "total / 2"), ("rest", "total - half + b"), ("left", "rest * 3")),
    "left",
)


def again(certificate: FlawCertificate) -> FlawCertificate:
    """Return a certificate read back from its JSON."""
    return FlawCertificate.of_record(
        read_record(FlawCertificateRecord, json.loads(json.dumps(json_form(certificate.record()))))
    )


@given(CERTIFICATES)
@settings(max_examples=150)
def test_a_certificate_holds_when_it_is_read_back(certificate: FlawCertificate) -> None:
    """What was certified is borne out from the JSON alone, which reads back as the same JSON."""
    read = again(certificate)
    assert refutation(read) is None
    assert read.record() == certificate.record()


@given(SLIPS, st.data())
@settings(max_examples=100)
def test_a_second_false_equation_is_refuted(certificate: FlawCertificate, data: st.DataObject) -> None:
    """Whichever other step states something else, the certificate is refuted."""
    others = [step.variable for step in certificate.oracle.steps if step.variable != certificate.change.variable]
    other = data.draw(st.sampled_from(others))
    stated = {**certificate.stated, other: certificate.stated[other] + data.draw(st.sampled_from([1, -2, 10]))}
    assert refutation(replace(certificate, stated=stated)) is not None


@given(CERTIFICATES, st.sampled_from(["line", "variable", "before", "after", "swapped"]))
@settings(max_examples=100)
def test_a_change_that_names_something_else_is_refuted(certificate: FlawCertificate, part: str) -> None:
    """A change is refuted whichever part of it is false."""
    change = certificate.change
    tampered = (
        replace(change, before=change.after, after=change.before)
        if part == "swapped"
        else replace(change, **{part: getattr(change, part) + "1"})
    )
    assert refutation(replace(certificate, change=tampered)) is not None


@given(CERTIFICATES)
@settings(max_examples=100)
def test_a_solution_without_the_error_is_refuted(certificate: FlawCertificate) -> None:
    """A solution that states the oracle's own values has no false equation, and the oracle is no mutant of itself."""
    values = program_values(certificate.oracle)
    right = {step.variable: values[step.variable] for step in certificate.oracle.steps}
    told = None if certificate.mutant is None else certificate.oracle
    assert refutation(replace(certificate, mutant=told, stated=right)) is not None


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
    other = replace(steps[place], expression=ir.Binary("+", ir.Const(5), steps[place].expression))
    mutant = replace(certificate.mutant, steps=(*steps[:place], other, *steps[place + 1 :]))
    try:
        values = program_values(mutant)
    except ProgramError:
        values = program_values(certificate.mutant)
    stated = {step.variable: values[step.variable] for step in mutant.steps}
    assert refutation(replace(certificate, mutant=mutant, stated=stated)) is not None


@given(MUTANTS, st.data())
@settings(max_examples=100)
def test_a_false_equation_in_a_mutant_is_refuted(certificate: FlawCertificate, data: st.DataObject) -> None:
    """A mutant with a false equation is refuted: a conceptual error has true arithmetic only."""
    variable = data.draw(st.sampled_from(sorted(certificate.stated)))
    stated = {**certificate.stated, variable: certificate.stated[variable] + 1}
    assert refutation(replace(certificate, stated=stated)) is not None


@given(SLIPS)
@settings(max_examples=50)
def test_a_claim_of_the_other_kind_is_refuted(certificate: FlawCertificate) -> None:
    """A slip is no mutant: the two claims are kept apart."""
    assert refutation(replace(certificate, claim=FlawClaim.INEQUIVALENT_MUTANT)) is not None
    assert refutation(replace(certificate, mutant=certificate.oracle)) is not None


def test_a_slip_that_leaves_the_answer_right_is_not_certified() -> None:
    """The answer must change: a slip that a floor takes away is none."""
    trace = Straight({"a": 10, "b": 4}, (("x", "a + b"), ("y", "x // 10")), "y").trace()
    assert certify_slip(trace, propagate(trace, "x", 25), "x").change == CertifiedChange("L1", "x", "14", "25")
    with pytest.raises(FlawNotCertified, match="the answer is still 1"):
        certify_slip(trace, propagate(trace, "x", 15), "x")


def test_what_no_solver_can_be_told_is_not_certified() -> None:
    """Neither of an oracle, nor of a mutant, nor where only a slip's exponent is too large to be written out."""
    gcd = PROGRAM.with_step(2, "math.gcd(total, b)")
    with pytest.raises(FlawNotCertified, match=r"gcd\(\) has no translation"):
        FlawCertifier.of_trace(gcd.trace())
    with pytest.raises(FlawNotCertified, match=r"gcd\(\) has no translation"):
        certify_mutant(PROGRAM.trace(), gcd.trace())
    trace = Straight({"a": 10, "b": 4}, (("x", "a - b"), ("y", "2 ** x")), "y").trace()
    assert certify_slip(trace, propagate(trace, "x", 7), "x").answer == 128
    with pytest.raises(FlawNotCertified, match="an exponent that is no whole number up to 32"):
        certify_slip(trace, propagate(trace, "x", 70), "x")


def test_a_slip_on_two_lines_is_not_certified() -> None:
    """Nor does the trace of two slips pass for one."""
    trace = PROGRAM.trace()
    twice = propagate(propagate(trace, "total", 15), "rest", 20)
    with pytest.raises(FlawNotCertified, match=r"that of 'total', found total = a \+ b \(gives 14, stated 15\), rest"):
        certify_slip(trace, twice, "total")
    with pytest.raises(FlawNotCertified, match="found none"):
        certify_slip(trace, trace, "total")
    with pytest.raises(FlawNotCertified, match="'nothing': the trace has no such variable"):
        certify_slip(trace, trace, "nothing")


KINDS = {
    "changed": (
        PROGRAM.with_step(2, "total + half + b"),
        CertifiedChange("L3", "rest", "total - half + b", "total + half + b"),
    ),
    "deleted": (deleted(PROGRAM, 1, "b"), CertifiedChange("L2", "half", "total / 2", "")),
    "added": (
        replace(PROGRAM, steps=(*PROGRAM.steps[:3], ("mean", "rest / 2"), ("left", "mean * 3"))),
        CertifiedChange("L4", "mean", "", "rest / 2"),
    ),
    "answer": (replace(PROGRAM, answer="rest"), CertifiedChange("FA", "left", "left", "rest")),
    "last step left out": (
        replace(PROGRAM, steps=PROGRAM.steps[:3], answer="rest"),
        CertifiedChange("L4", "left", "rest * 3", ""),
    ),
}


@cases("kind", KINDS)
def test_a_mutant_is_certified_with_its_one_place(kind: str) -> None:
    """The place of the change is found, and none other is accepted."""
    mutant, change = KINDS[kind]
    certifier = FlawCertifier.of_trace(PROGRAM.trace())
    assert certifier.mutant(mutant.trace()).change == change
    assert certifier.mutant(mutant.trace(), change).change == change
    with pytest.raises(FlawNotCertified, match="the change should read"):
        certifier.mutant(mutant.trace(), replace(change, line="L7"))


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
        certify_mutant(PROGRAM.trace(), TWO_PLACES[kind].trace())


@given(SEEDS)
@settings(max_examples=60)
def test_the_smallest_difference_is_where_one_node_was_replaced(random: Random) -> None:
    """The parts found differ, and lie within the parts that were put for each other."""
    first, second = (read_expression(expression(random, ["a", "b"])) for _ in range(2))
    assume(first != second)
    whole, other = (ir.Binary("*", ir.Name("a"), ir.Call("max", (ir.Const(1), part))) for part in (first, second))
    found = expression_difference(whole, other)
    assert found.before != found.after
    assert unparse(found.before) in unparse(first)
    assert unparse(found.after) in unparse(second)


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
    steps = HOSTILE[kind]
    record = {
        "claim": "one-false-equation",
        "oracle": {
            "inputs": [["a", "10"]],
            "steps": [[f"L{place}", name, code] for place, (name, code) in enumerate(steps, start=1)],
            "answer": "y",
        },
        "mutant": None,
        "stated": {name: "3" for name, _ in steps},
        "change": {"line": "L1", "variable": "x", "from": "1", "to": "3"},
    }
    try:
        reason = refutation(FlawCertificate.of_record(read_record(FlawCertificateRecord, record)))
    except Refusal as refusal:
        reason = str(refusal)
    assert reason is not None
    assert len(reason) < 400


@cases("text", ["", "1/0", "7.5", "1e9", "--1", "1/-2", "٣", "9" * 401, "1/" + "9" * 401, " 1", "1\n"])
def test_only_plain_exact_numbers_are_read(text: str) -> None:
    """Integers and fractions of at most 400 digits, nothing else."""
    with pytest.raises(Refusal, match="is no number such as 7 or 7/2"):
        read_exact(text)


@cases(
    "text", ["", "a = 1", "a; b", "a\nb", "lambda: 1", "a := 2", "(" * 5000, "9" * 5000, "a.b", "x" * 4001, "\0", "*a"]
)
def test_only_expressions_are_read(text: str) -> None:
    """Statements, several of them, and what nests or is too long are refused."""
    with pytest.raises(Refusal):
        read_expression(text)


def test_every_kind_of_mutant_is_drawn() -> None:
    """The strategy reaches each of the four kinds, so the laws above speak of all of them."""
    seen: Counter[str] = Counter()

    @given(MUTANTS)
    @settings(max_examples=200)
    def count(certificate: FlawCertificate) -> None:
        assert certificate.mutant is not None
        seen[edit_between(certificate.oracle, certificate.mutant).kind] += 1

    count()
    assert set(seen) == set(EditKind)
    assert min(seen.values()) > 5
