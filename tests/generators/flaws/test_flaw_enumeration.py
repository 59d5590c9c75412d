"""Tests of flaw enumeration: each flawed solution is wrong in one place, and the result is deterministic."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings

from generators.flaws.flawed_solution import Flaw
from generators.flaws.solution.source_solution import FlawSource, UnfitError
from harness.json_form import json_form, read_record
from harness.records.mutation import CertifiedChange, CertifiedProgram, FlawCertificateRecord
from harness.solution.labels import ErrorClass, ErrorType
from oracles.proofs.flaw_certificate import FlawCertificate, FlawCertifier, FlawNotCertified, refutation
from properties.stages.certified_flaws import make_from
from tests.cases import cases
from tests.generators.flaws.flaw_laws import SIMPLE, breaches, flaws_or_none
from tests.generators.flaws.solution_strategies import solutions

BLANK = FlawCertificateRecord(
    "one-false-equation", CertifiedProgram((), (), ""), None, {}, CertifiedChange("", "", "", "")
)


def flaw_of(operator: str, line: str) -> Flaw:
    """Return the first flawed solution of the simple one that an operator makes on a line."""
    return next(flaw for flaw in flaws_or_none(SIMPLE) if (flaw.operator, flaw.label.line) == (operator, line))


SLIPPED = flaw_of("off_by_n", "L2")
MISTAKEN = flaw_of("operator_swap", "L1")
SKIPPED = flaw_of("skipped_assignment", "L2")
REPORTED = flaw_of("wrong_final_answer", "FA")


def test_what_is_made_of_a_simple_solution() -> None:
    """A slip, a mistake, a step left out and another answer, each with all that follows from it."""
    assert [flaw.text.split("\n") for flaw in (SLIPPED, MISTAKEN, SKIPPED, REPORTED)] == [
        ["apples is <<12+30=42>>42", "share is <<42/6=8>>8", "left is <<8-2=6>>6", "#### 6"],
        ["apples is <<30-12=18>>18", "share is <<18/6=3>>3", "left is <<3-2=1>>1", "#### 1"],
        ["apples is <<12+30=42>>42", "left is <<42-2=40>>40", "#### 40"],
        ["apples is <<12+30=42>>42", "share is <<42/6=7>>7", "left is <<7-2=5>>5", "#### 7"],
    ]


@settings(max_examples=25)
@given(solutions())
def test_a_flawed_solution_is_wrong_in_one_place(source: FlawSource) -> None:
    """Same lines before the labelled one, false equations there or nowhere, nothing stale after it, another answer."""
    for flaw in flaws_or_none(source):
        assert not breaches(source, flaw), flaw.text


def lines(*edits: tuple[str, str]) -> Callable[[Flaw], Flaw]:
    """Return what replaces words of a flawed solution's lines."""

    def replaced(flaw: Flaw) -> Flaw:
        text = "\n".join(flaw.lines)
        for old, new in edits:
            assert old in text
            text = text.replace(old, new)
        return replace(flaw, lines=tuple(text.split("\n")))

    return replaced


def label(**changes: Any) -> Callable[[Flaw], Flaw]:
    """Return what changes the details of a flawed solution's label."""

    def relabelled(flaw: Flaw) -> Flaw:
        return replace(flaw, label=replace(flaw.label, error_details=replace(flaw.label.error_details, **changes)))

    return relabelled


def right(flaw: Flaw) -> Flaw:
    """Return a flawed solution that gives the right answer all the same."""
    return replace(flaw, answer="5", trace=SIMPLE.trace)


@cases(
    ("breach", "flaw", "fault"),
    [
        ("no such line", SLIPPED, label(erroneous_line_number="L7")),
        ("no such line", SLIPPED, label(erroneous_line_number="L0")),
        ("changed before", SLIPPED, label(erroneous_line_number="L3")),
        ("changed before", MISTAKEN, label(erroneous_line_number="L2")),
        ("changed before", MISTAKEN, label(erroneous_line_number="FA")),
        ("changed before", SKIPPED, lines(("12+30", "30+12"))),
        ("a line gone", SLIPPED, lines(("\nleft is <<8-2=6>>6", ""))),
        ("a line gone", REPORTED, lines(("\nshare is <<42/6=7>>7", ""))),
        ("false equations", SLIPPED, label(erroneous_line_number="L1")),
        ("false equations", SLIPPED, lines(("8-2=6", "8-2=5"))),
        ("false equations", SLIPPED, lines(("42/6=8", "48/6=8"))),
        ("false equations", SLIPPED, label(error_type=ErrorType.SCOPING)),
        ("false equations", MISTAKEN, lines(("18/6=3", "18/6=4"))),
        ("false equations", MISTAKEN, label(error_type=ErrorType.COMPUTATIONAL)),
        ("answer not computed", MISTAKEN, lambda flaw: replace(flaw, answer="2")),
        ("right answer", MISTAKEN, right),
        ("right answer", MISTAKEN, lambda flaw: replace(flaw, answer="5")),
        ("last line", MISTAKEN, lambda flaw: replace(flaw, answer="1\n#### 1")),
        ("correction", MISTAKEN, label(correction="share is <<42/6=7>>7")),
        ("correction", SKIPPED, label(correction="left is <<42-2=40>>40")),
        ("nothing wrong", MISTAKEN, label(correction="apples is <<30-12=18>>18")),
        ("stale", SLIPPED, lines(("left is", "of 7, left is"))),
        ("stale", MISTAKEN, lines(("left is", "of 7 apples, left is"))),
        ("stale", MISTAKEN, lines(("share is", "share of 42 is"))),
    ],
)
def test_breaches_of_the_laws_are_noticed(breach: str, flaw: Flaw, fault: Callable[[Flaw], Flaw]) -> None:
    """The check finds each planted fault, and none where none was planted."""
    assert (breach in breaches(SIMPLE, fault(flaw)), breaches(SIMPLE, flaw)) == (True, set())


@settings(max_examples=12)
@given(solutions())
def test_every_flaw_has_a_certificate_that_holds(source: FlawSource) -> None:
    """Nothing is refused one, each says what the label says, and exact evaluation cannot refute it."""
    try:
        made = make_from(source, seed=0)
    except UnfitError:
        return
    assert not made.refused
    for record in made.records:
        certificate = FlawCertificate.of_record(read_record(FlawCertificateRecord, record["certificate"]))
        details = record["label"]["error_details"]
        slip = details["error_class"] == ErrorClass.COMPUTATIONAL
        assert (certificate.mutant is None, refutation(certificate)) == (slip, None)
        assert record["flawed_solution"].endswith(f"#### {source.answer_form.write(certificate.answer)}")
        assert certificate.change.variable in {record["mutation"]["variable"], source.final}


@pytest.mark.slow
@settings(max_examples=12)
@given(solutions())
def test_no_text_comes_twice_and_the_same_comes_again(source: FlawSource) -> None:
    """Flawed solutions of a source differ, have ids of their own, and are made alike each time."""
    first, again = flaws_or_none(source), flaws_or_none(source)
    records = [flaw.record(BLANK) for flaw in first]
    assert records == [flaw.record(BLANK) for flaw in again]
    assert not [text for text, count in Counter(flaw.text for flaw in first).items() if count > 1]
    assert len({record.flaw_id for record in records}) == len(records)


@given(solutions())
@settings(max_examples=12)
def test_records_are_plain_json_of_known_fields(source: FlawSource) -> None:
    """Values before and after differ, the label and the mutation name the same line, and edits are what needs one."""
    for record in (json_form(flaw.record(BLANK)) for flaw in flaws_or_none(source)):
        assert record["mutation"]["line"] == record["label"]["error_details"]["erroneous_line_number"]
        assert record["needs_edit"] is bool(record["edits"])
        assert all(row["before"] != row["after"] for row in record["values"])
        assert 0 <= record["plausibility"]["score"] <= 1
        assert record["position"] in {"early", "middle", "late"}
        assert Fraction(record["tier"]).denominator == 1


def test_the_trace_stands_on_the_flawed_lines() -> None:
    """Where a line is left out, those after it are numbered anew."""
    found = [
        [(entry.variable, entry.line) for entry in flaw.trace.entries if entry.expression is not None]
        for flaw in (SKIPPED, SLIPPED)
    ]
    assert found == [
        [("apples", "L1"), ("left", "L2")],
        [("apples", "L1"), ("share", "L2"), ("left", "L3")],
    ]


def test_an_unsound_flaw_gets_no_certificate() -> None:
    """The certifier is no formality: the slip of one step is none of another."""
    certifier = FlawCertifier.of_trace(SIMPLE.trace)
    with pytest.raises(FlawNotCertified):
        certifier.slip(SLIPPED.trace, "apples")
