"""Tests of the last reading of programs in notations that are not known."""

from __future__ import annotations

import time
from random import Random

import pytest

from generators.constraints.problem.domain import DOMAINS, ProblemSize
from generators.constraints.repair.loose_reading.loose_program import loose_program
from generators.constraints.repair.program_repair import repair
from harness.domain import Status
from oracles.constraints.equivalence import equivalences
from tests.cases import cases
from tests.generators.constraints.repair.unknown_notations import UnknownNotation

X = "(declare-const x Int)\n(declare-const y Int)\n(declare-const p Bool)\n(declare-const q Bool)\n"


@pytest.mark.parametrize(("count", "least"), [(40, 28), pytest.param(300, 225, marks=pytest.mark.slow)])
def test_programs_in_unknown_notations_are_read(count: int, least: int) -> None:
    """Of programs in notations put together by chance seven of ten are read, and none is silently another program."""
    random = Random(count)
    known = [problem.program for domain in DOMAINS for problem in domain.problems(12, seed=3, size=ProblemSize.SMALL)]
    pairs: list[tuple[str, str]] = []
    while len(pairs) < count:
        program = random.choice(known)
        text = UnknownNotation.drawn(random).written(program)
        if text is not None and text != program:
            pairs.append((program, text))
    repaired = [repair(text) for _, text in pairs]
    verdicts = equivalences([(program, mended.program) for (program, _), mended in zip(pairs, repaired, strict=True)])
    same = [verdict.status is Status.CONFIRMED for verdict in verdicts]
    silent = [
        text
        for (_, text), mended, equal in zip(pairs, repaired, same, strict=True)
        if mended.certain and mended.repaired and not equal
    ]
    assert (silent, sum(same) >= least) == ([], True), sum(same)


@cases(
    ("statement", "formula"),
    [
        ("post gt(var(x), lit(3))", "(> x 3)"),
        ("<or><not>p</not><eq><v>x</v><n>3</n></eq></or>", "(or (not p) (= x 3))"),
        ("model.enforce(x.Plus(y).LessThan(9))", "(< (+ x y) 9)"),
        ("clause(1, {op: Kind.GEQ, args: [x, {op: MUL, args: [2, y]}]})", "(>= x (* 2 y))"),
        ("@rule (x 3 int_le)", "(<= x 3)"),
        ("axiom a1: p | q", "(or p q)"),
    ],
)
def test_what_says_nothing_is_left_out(statement: str, formula: str) -> None:
    """Words around names, numbers and operators, labels and the brackets of any kind are left out; the reading is never certain."""
    read = loose_program(f"{X}{statement}\n")
    assert read is not None
    assert f"(assert {formula})\n" in read
    assert not repair(f"{X}{statement}\n").certain


@cases(
    "statement",
    [
        "post gt(succ(x), 3)",
        "post gt(f(x), 3)",
        "post x^2 > 3",
        "post x > 3 unknown 4",
        "post (not x = 3 and y = 4)",
        "should not hold: gt(x, 3)",
        "forbid gt(x, 3)",
        "maybe gt(x, 3)",
        "check gt(x, 3)?",
        "(push 1) (assert (gt x 3)) (pop 1)",
        "(maximize x)\npost gt(x, 3)",
        "p",
        "post gt(x)",
        "post gt(x, y",
    ],
)
def test_what_may_say_something_else_is_not_read(statement: str) -> None:
    """Nothing is read where a word or sign left out may change the formula, deny it or ask for it."""
    assert loose_program(f"{X}{statement}\n") is None


def test_a_long_text_is_read_in_time() -> None:
    """Of a text of 20,000 characters the last reading takes less than three seconds, read or not."""
    begun = time.process_time()
    for line in (
        "post gt(var(x), lit(3))\n",
        "post gt(((((var(x), lit(3)\n",
        "a b c d e f g h i x > > 3 k l m n o p q r s\n",
    ):
        loose_program(X + line * (19_000 // len(line)))
    assert time.process_time() - begun < 3.0
