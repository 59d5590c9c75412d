"""Tests of the direction in which programs number orders."""

from __future__ import annotations

from generators.constraints.problem.domain import DOMAINS, ProblemSize
from oracles.constraints.order_directions import opposed_assertions
from oracles.constraints.row_files import aligned
from tests.cases import cases

NAMES = ("amy", "bob", "cem", "dan", "eve")
HEAD = "Five runners: Amy, Bob, Cem, Dan and Eve. "


def program(*formulas: str) -> str:
    """Return a program about five names in an order."""
    declared = "".join(f"(declare-const {name} Int)\n(assert (<= 1 {name} 5))\n" for name in NAMES)
    return f"{declared}(assert (distinct {' '.join(NAMES)}))\n" + "".join(
        f"(assert {formula})\n" for formula in formulas
    )


@cases(
    ("text", "formulas", "opposed"),
    [
        ("Amy finished first. Bob finished above Cem.", ("(= amy 1)", "(< bob cem)"), ()),
        ("Amy finished first. Bob finished above Cem.", ("(= amy 5)", "(> bob cem)"), ()),
        ("Amy finished first. Bob finished above Cem. Dan finished last.", ("(= amy 1)", "(> bob cem)", "(= dan 5)"), (7,)),
        ("Amy is the second-newest. Bob is older than Cem. Dan is the oldest.", ("(= amy 2)", "(< bob cem)", "(= dan 1)"), (6,)),
        ("Amy is less expensive than Bob. Cem is the cheapest. Dan is the most expensive.", ("(> amy bob)", "(= cem 1)", "(= dan 5)"), (6,)),
        ("Amy is to the right of Bob. Cem is the second from the right. Dan is the leftmost.", ("(< bob amy)", "(= cem 2)", "(= dan 1)"), (7,)),
        ("Amy is the third-newest. Bob is older than Cem.", ("(= amy 3)", "(> bob cem)"), ()),
        ("Amy did not finish above Bob. Cem finished first.", ("(< amy bob)", "(= cem 1)"), ()),
        ("Amy is older than Bob. Cem is to the left of Dan.", ("(< amy bob)", "(> cem dan)"), ()),
    ],
)  # fmt: skip
def test_what_disagrees_within_a_program_is_found(
    text: str, formulas: tuple[str, ...], opposed: tuple[int, ...]
) -> None:
    """An assertion that numbers an order the other way than the rest is found; which end has the first number is left to the program."""
    assert tuple(claim.assertion for claim in opposed_assertions(HEAD + text, program(*formulas))) == opposed


def test_programs_of_the_domains_number_each_order_one_way() -> None:
    """No program that states its problem is accused."""
    problems = [problem for domain in DOMAINS for problem in domain.problems(10, seed=5, size=ProblemSize.MEDIUM)]
    assert [problem.id for problem in problems if opposed_assertions(problem.problem, problem.program)] == []


def test_the_record_of_an_alignment_has_the_clause() -> None:
    """A clause that is numbered the other way stands in the record beside those that nothing states."""
    text = HEAD + "Amy finished first. Bob finished above Cem. Dan finished last."
    record = aligned("a", text, program("(= amy 1)", "(> bob cem)", "(= dan 5)"))
    assert record is not None
    assert (record["opposed"], record["unstated"]) == (["Bob finished above Cem."], [])
