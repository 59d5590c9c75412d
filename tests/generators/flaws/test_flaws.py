"""Tests of flaws: each is wrong in one place, reads as a person's mistake, and its program computes what its text states."""

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from generators.flaws.enumeration import _attempt, flaws_of
from generators.flaws.flawed_solution import DiscardedFlaw, Flaw, FlawDiscardReason
from generators.flaws.mutation_operator import OPERATORS, Mutant
from generators.flaws.slip import SLIPS
from generators.flaws.solution.source_solution import FlawSource, UnfitError
from harness.equations.line_reader import read_line
from harness.json_form import json_form, read_record
from harness.program.value_parser import read_expression
from harness.records.mutation import FlawCertificate
from harness.solution.labels import ErrorClass
from oracles.proofs.flaw_certificate import FlawCertifier, FlawNotCertified, refutation
from properties.stages.mutation import make_from
from tests.cases import cases
from tests.generators.flaws.flaw_laws import SIMPLE, breaches, flaws_or_none, worded
from tests.generators.flaws.solution_strategies import solutions
from tests.generators.real_problems import real_sources

SLIP_NAMES = frozenset(slip.name for slip in SLIPS)


def flaw_of(operator: str, line: str) -> Flaw:
    """Return the first flawed solution of the simple one that an operator makes on a line."""
    return next(flaw for flaw in flaws_or_none(SIMPLE) if (flaw.operator, flaw.label.line) == (operator, line))


SLIPPED = flaw_of("off_by_n", "L2")
MISTAKEN = flaw_of("operator_swap", "L1")
SKIPPED = flaw_of("skipped_assignment", "L2")
REPORTED = flaw_of("wrong_final_answer", "FA")


def test_what_is_made_of_a_simple_solution() -> None:
    """A slip, a mistake, a step left out and another answer, each with all that follows from it, on the lines of the text."""
    assert [flaw.text.split("\n") for flaw in (SLIPPED, MISTAKEN, SKIPPED, REPORTED)] == [
        ["apples is <<12+30=42>>42", "share is <<42/6=8>>8", "left is <<8-2=6>>6", "#### 6"],
        ["apples is <<30-12=18>>18", "share is <<18/6=3>>3", "left is <<3-2=1>>1", "#### 1"],
        ["apples is <<12+30=42>>42", "left is <<42-2=40>>40", "#### 40"],
        ["apples is <<12+30=42>>42", "share is <<42/6=7>>7", "left is <<7-2=5>>5", "#### 7"],
    ]
    steps = [(entry.variable, entry.line) for entry in SKIPPED.trace.entries if entry.expression is not None]
    assert steps == [("apples", "L1"), ("left", "L2")]
    assert SLIPPED.label.error_details.explanation == "The result is miscounted: 42 / 6 = 7, not 8."


def record_breaches(source: FlawSource, record: dict[str, Any]) -> set[str]:
    """Return which laws a record of a flawed solution breaks, by its certificate and by what CPython says of its program."""
    certificate = read_record(FlawCertificate, record["certificate"])
    details = record["label"]["error_details"]
    scope: dict[str, Any] = {}
    exec(record["function_code"], scope)  # written by our own generator
    found = {
        "certificate of another class": (certificate.mutant is None)
        is not (details["error_class"] == ErrorClass.COMPUTATIONAL),
        "refuted": refutation(certificate) is not None,
        "answer of another program": not record["flawed_solution"].endswith(
            f"#### {source.answer_form.write(certificate.answer)}"
        )
        or abs(Fraction(scope["solve"]()) - certificate.answer) > abs(certificate.answer) / 10**9,
        "change of another step": certificate.change.variable not in {record["mutation"]["variable"], source.final},
        "mutation of another line": record["mutation"]["line"] != details["erroneous_line_number"],
        "edits": record["needs_edit"] is not bool(record["edits"]),
        "nothing changed": any(row["before"] == row["after"] for row in record["values"]),
        "plausibility": not 0 <= record["plausibility"]["score"] <= 1,
    }
    return {breach for breach, present in found.items() if present}


@settings(max_examples=25)
@given(solutions())
def test_flaws_of_any_solution_keep_the_laws(source: FlawSource) -> None:
    """Each is wrong in one place, has a certificate that holds, and comes again with the same record; no text or id comes twice."""
    try:
        made = make_from(source, seed=0)
    except UnfitError:
        return
    assert not made.refused
    again = {(flaw.operator, flaw.text): flaw for flaw in flaws_of(source) if isinstance(flaw, Flaw)}
    for record in made.records:
        flaw = again[record["operator"], record["flawed_solution"]]
        assert not breaches(source, flaw) | record_breaches(source, record), flaw.text
        own = json_form(flaw.record(read_record(FlawCertificate, record["certificate"])))
        added = {name: record[name] for name in ("source", "digest") if name in record}
        assert record == {**own, **added}
    for name in ("flaw_id", "flawed_solution"):
        assert len({record[name] for record in made.records}) == len(made.records)


@settings(max_examples=10)
@given(st.integers(2, 12), st.integers(2, 12), st.integers(1, 40))
def test_no_flaw_states_a_false_comparison(boxes: int, each: int, limit: int) -> None:
    """A solution that goes on from a comparison gives only flaws in which it still holds; one with a false comparison is unfit."""
    code = (
        f"# L1\nboxes = {boxes} # {boxes} boxes\neach = {each} # {each} pens\npens = boxes * each\n# L2\nlimit = {limit} # {limit} pens\n"
        "left = pens - limit\nanswer = left\nreturn answer"
    )
    wordings = "There are {boxes} * {each} = {pens} pens", "Since {limit} < {pens}, there are {pens} - {limit} = {left}"
    source = worded(code, *wordings, question=f"{boxes} boxes of {each} pens, {limit} are sold. How many are left?")
    flaws = flaws_or_none(source)
    assert not flaws or limit < boxes * each
    for flaw in flaws:
        stated = re.search(r"Since (-?\d+) < (-?\d+)", flaw.text)
        assert stated is None or flaw.label.line == "L2" or int(stated[1]) < int(stated[2]), flaw.text


def test_an_unsound_flaw_gets_no_certificate() -> None:
    """The slip of one step is none of another."""
    certifier = FlawCertifier.of_trace(SIMPLE.trace)
    with pytest.raises(FlawNotCertified):
        certifier.certified(SLIPPED.trace, "apples")


SHOP = """
# L1
cans = 12 # 12 cans
price = 3 # price of each
cost = cans * price
# L2
paid = 50 # paid
change = paid - cost
answer = change
return answer
"""
FIRST = "The cans cost {cans} * ${price} = $<<{cans}*{price}={cost}>>{cost}"
SECOND = "The change is ${paid} - ${cost} = $<<{paid}-{cost}={change}>>{change}"
PAYS = SHOP.replace("# L1\n", "# L2\n").replace("# L2\npaid", "# L3\npaid")
LIMITED = SHOP.replace("paid = 50 # paid", "limit = 36 # limit\npaid = 50 # paid")
UNREAD = SHOP.replace("change = paid - cost", "change = paid - price")
BESIDE = "The change is ${paid} - ${price} = $<<{paid}-{price}={change}>>{change}"


@cases(
    ("code", "lines", "label", "reason"),
    [
        (SHOP, (FIRST, SECOND), "L1", FlawDiscardReason.NEGATIVE),
        (SHOP, ("The cans cost a lot", SECOND), "L1", FlawDiscardReason.NOT_STATED),
        (PAYS, ("She has to pay {cost} dollars, because:", FIRST, SECOND), "L2", FlawDiscardReason.EARLIER),
        (LIMITED, (FIRST, f"{SECOND}, with 36 as the limit"), "L1", FlawDiscardReason.STALE),
        (UNREAD, (FIRST, BESIDE), "L1", FlawDiscardReason.SAME_ANSWER),
    ],
)
def test_slips_that_give_no_flaw_are_discarded(
    code: str, lines: tuple[str, ...], label: str, reason: FlawDiscardReason
) -> None:
    """With the reason; only a cost above the amount paid, which makes the change negative, leaves other slips of its line."""
    made = [slip for slip in flaws_of(worded(code, *lines)) if slip.operator in {"slip", *SLIP_NAMES}]
    assert reason in {slip.discard for slip in made if isinstance(slip, DiscardedFlaw) and slip.line == label}
    labels = {slip.label.line for slip in made if isinstance(slip, Flaw)}
    assert reason is FlawDiscardReason.NEGATIVE or label not in labels


def change(variable: str, expression: str) -> Mutant:
    """Return the mutant in which a step has another expression."""
    return Mutant(variable, "the one", "the other", expression=read_expression(expression))


@cases(
    ("mutant", "discard"),
    [
        (change("cost", "cans / 0"), FlawDiscardReason.FAILS),
        (change("cost", "cans / 7"), FlawDiscardReason.NOT_WHOLE),
        (change("cost", "paid * price"), FlawDiscardReason.NEGATIVE),
        (change("cost", "cans ** 1"), FlawDiscardReason.NOT_SHOWN),
        (change("change", "paid - cost"), FlawDiscardReason.SAME_ANSWER),
        (Mutant("change", "the change", "the paid", result="paid"), None),
    ],
)
def test_mutants_that_give_no_flaw_are_discarded(mutant: Mutant, discard: FlawDiscardReason | None) -> None:
    """With the reason: it fails, it leaves the range of its quantity, it cannot be shown, it changes nothing."""
    source = worded(SHOP.replace("price of each", "3 each").replace("# paid", "# 50"), *PLAIN)
    flaw = _attempt(source, OPERATORS.require("operator_swap"), mutant)
    assert (flaw.discard if isinstance(flaw, DiscardedFlaw) else None) == discard


PLAIN = (
    "They cost {cans} * {price} = <<{cans}*{price}={cost}>>{cost} cents",
    "That leaves {paid} - {cost} = <<{paid}-{cost}={change}>>{change} cents",
)


def made_by(operator: str, source: FlawSource) -> list[Flaw]:
    """Return the flawed solutions of an operator."""
    return [flaw for flaw in flaws_of(source) if isinstance(flaw, Flaw) and flaw.operator == operator]


def test_a_given_number_that_may_be_a_result_is_not_said_to_be_misread() -> None:
    """The 200 of the second line is given, and the first line works out 200 of the same kind: nobody knows which was meant."""
    code = (
        "# L1\nphone = 500 # $500\npercent = 0.4 # 40%\ncase = phone * percent\n# L2\ncontract = 200 # $200 a month\nhalves = 2\n"
        "cover = contract / halves\n# L3\ntotal = phone + cover + case\nanswer = total\nreturn answer"
    )
    source = worded(
        code,
        "The case is ${phone} * {percent} = $<<{phone}*{percent}={case}>>{case}",
        "The cover is ${contract} / {halves} = $<<{contract}/{halves}={cover}>>{cover}",
        "All is ${phone} + ${cover} + ${case} = $<<{phone}+{cover}+{case}={total}>>{total}",
        question="Ann buys a phone for $500, a case for 40% of that, and a contract of $200 a month. What is the total?",
    )
    operators = ("input_misrepresentation", "wrong_reference_group")
    labels = {flaw.label.line for operator in operators for flaw in made_by(operator, source)}
    assert "L1" in labels
    assert "L2" not in labels


@pytest.mark.slow
def test_real_flaws_are_wrong_in_one_place(shared_data: Path) -> None:
    """Not one of more than a thousand breaks a law; the reader finds false equations on the line of a slip, and nowhere else."""
    checked = [(source, flaw) for source in real_sources(shared_data, 40, step=3) for flaw in flaws_or_none(source)]
    assert len(checked) > 1000
    for source, flaw in checked:
        false = [f"L{number}" for number, line in enumerate(flaw.lines, start=1) if read_line(line).false]
        slip = flaw.label.error_type.error_class is ErrorClass.COMPUTATIONAL
        assert (breaches(source, flaw), false) == (set(), [flaw.label.line] if slip else []), flaw.text


def test_what_needs_no_edit_shows_no_seams(shared_data: Path) -> None:
    """No double signs, no dollar sign before a dash, no equation of one number alone that the solution has not."""
    checked = [(source, flaw) for source in real_sources(shared_data, 12, step=9) for flaw in flaws_or_none(source)]
    for source, flaw in ((source, flaw) for source, flaw in checked if not flaw.edits):
        for seam in ("--", "- -", "+ -", "$-", "$$", "{", "}"):
            assert (seam in flaw.text) <= (seam in source.solution), flaw.text
