"""Tests of equivalent mutants: a mutant is called equivalent only if it computes the same on the whole domain."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from generators.flaws.enumeration import flaws_of
from generators.flaws.flawed_solution import DiscardedFlaw, FlawDiscardReason
from generators.flaws.solution.example_solutions import example_source
from generators.flaws.solution.source_solution import FlawSource, UnfitError
from harness.domain import Exact, Status
from harness.program import ir
from harness.program.evaluation.evaluator import Evaluator
from harness.program.refusal import ProgramError, Refusal
from harness.solution.trace import Trace
from oracles.equivalence.equivalent_mutants import judge_mutant
from tests.cases import cases
from tests.generators.flaws.solution_strategies import solutions

POINTS = 50
EMPTY = ir.Program("mutant", "", (), {}, (), None)
CODE = """
# L1
price = 1 # 1 dollar
apples = 12 # 12 apples
cost = price * apples
# L2
paid = 50 # 50 dollars
change = paid - cost
"""
PRICE, APPLES, PAID, COST = (ir.Name(name) for name in ("price", "apples", "paid", "cost"))


def answer(trace: Trace, inputs: dict[str, Exact]) -> Exact | None:
    """Return what a trace's program gives for other inputs, `None` where it fails."""
    scope: dict[str, Exact] = dict(inputs)
    try:
        for entry in trace.entries:
            if entry.expression is not None:
                scope[entry.variable] = Evaluator(EMPTY, ()).value(entry.expression, dict(scope))
    except (ProgramError, Refusal):
        return None
    return scope[trace.result]


def mutant_of(source: FlawSource, variable: str, expression: ir.Expr) -> Trace:
    """Return a trace with another expression in one step."""
    entries = [
        replace(entry, expression=expression, reads=tuple(ir.names_in_order(expression)))
        if entry.variable == variable
        else entry
        for entry in source.trace.entries
    ]
    return Trace(tuple(entries), source.trace.result)


def status(variable: str, expression: ir.Expr) -> Status:
    """Return the verdict on a mutant of the apples."""
    source = example_source(CODE)
    return judge_mutant("p", source.trace, mutant_of(source, variable, expression)).status


@cases(
    ("variable", "expression", "expected"),
    [
        ("cost", ir.Binary("*", APPLES, PRICE), Status.CONFIRMED),
        ("change", ir.Binary("-", PAID, ir.Binary("*", PRICE, APPLES)), Status.CONFIRMED),
        ("change", ir.Unary("-", ir.Binary("-", COST, PAID)), Status.CONFIRMED),
        ("cost", ir.Binary("/", APPLES, PRICE), Status.REFUTED),
        ("cost", APPLES, Status.REFUTED),
        ("cost", ir.Const(12), Status.REFUTED),
        ("change", ir.Binary("-", PAID, APPLES), Status.REFUTED),
    ],
)
def test_the_same_answer_here_is_not_the_same_function(variable: str, expression: ir.Expr, expected: Status) -> None:
    """With a price of one, leaving it out changes nothing here and a lot elsewhere."""
    assert status(variable, expression) is expected


def test_a_refuted_mutant_has_a_counterexample() -> None:
    """That it parts from the oracle at, which is no accident of the inputs."""
    source = example_source(CODE)
    verdict = judge_mutant("p", source.trace, mutant_of(source, "cost", APPLES))
    assert (verdict.status, verdict.counterexample is not None) == (Status.REFUTED, True)


def drawn(random: Random, trace: Trace) -> dict[str, Exact]:
    """Draw a point of the domain: whole numbers for whole numbers, fractions for others, none negative."""
    return {
        entry.variable: random.randint(1, 500) if entry.value.denominator == 1 else Fraction(random.randint(0, 99), 20)
        for entry in trace.entries
        if entry.expression is None
    }


@pytest.mark.slow
@settings(max_examples=15)
@given(solutions(), st.integers(0, 2**32))
def test_equivalent_mutants_agree_everywhere(source: FlawSource, seed: int) -> None:
    """Those discarded as equivalent give the oracle's answer at fifty random points."""
    random = Random(seed)
    try:
        same = [
            flaw
            for flaw in flaws_of(source)
            if isinstance(flaw, DiscardedFlaw) and flaw.discard is FlawDiscardReason.SAME_ANSWER
        ]
    except UnfitError:
        return
    mutants = [flaw.trace for flaw in same if flaw.trace is not None]
    for mutant in random.sample(mutants, min(3, len(mutants))):
        if judge_mutant("p", source.trace, mutant).status is Status.CONFIRMED:
            for point in (drawn(random, source.trace) for _ in range(POINTS)):
                found = answer(mutant, point)
                assert found is None or found == answer(source.trace, point)


def test_a_planted_false_equivalence_would_be_noticed() -> None:
    """Points of the domain tell a price of one from any other."""
    source = example_source(CODE)
    mutant = mutant_of(source, "cost", APPLES)
    points = [{"price": price, "apples": 12, "paid": 50} for price in (1, 2)]
    assert [answer(mutant, dict(point)) == answer(source.trace, dict(point)) for point in points] == [True, False]


def test_the_seed_decides_nothing_about_what_is_proved() -> None:
    """The ladder draws points by it, and comes to the same."""
    source = example_source(CODE)
    found = {
        judge_mutant("p", source.trace, mutant_of(source, "change", ir.Binary("-", PAID, APPLES)), seed=seed).status
        for seed in range(5)
    }
    assert found == {Status.REFUTED}


def test_a_missing_step_is_judged_on_what_is_shared() -> None:
    """A mutant without a line lacks no input that its oracle reads."""
    source = example_source(CODE)
    entries = tuple(
        replace(entry, expression=ir.Binary("-", PAID, APPLES)) if entry.variable == "change" else entry
        for entry in source.trace.entries
        if entry.variable != "cost"
    )
    assert judge_mutant("p", source.trace, Trace(entries, "change")).status is Status.REFUTED
