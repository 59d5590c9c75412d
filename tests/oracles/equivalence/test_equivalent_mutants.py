"""Tests of equivalent mutants: a mutant is called equivalent only if it computes the same on the whole domain."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from generators.flaws.enumeration import flaws_of
from generators.flaws.flawed_solution import DiscardedFlaw, FlawDiscardReason
from generators.flaws.solution.source_solution import FlawSource, UnfitError
from harness.domain import Exact, Status
from harness.program import ir
from harness.program.evaluation.evaluator import Evaluator
from harness.program.refusal import ProgramError, Refusal
from harness.solution.trace import Trace
from oracles.equivalence.equivalent_mutants import judge_mutant
from tests.cases import cases
from tests.generators.flaws.example_solutions import example_source
from tests.generators.flaws.solution_strategies import solutions

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


def answer(trace: Trace, inputs: Mapping[str, Exact]) -> Exact | None:
    """Return what a trace's program gives for other inputs, `None` where it fails."""
    scope = dict(inputs)
    try:
        for entry in trace.entries:
            if entry.expression is not None:
                scope[entry.variable] = Evaluator(EMPTY, ()).value(entry.expression, dict(scope))
    except (ProgramError, Refusal):
        return None
    return scope[trace.result]


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
    """With a price of one, leaving it out changes nothing here and a lot elsewhere, where the counterexample is; the seed decides nothing."""
    trace = example_source(CODE).trace
    reads = tuple(ir.names_in_order(expression))
    entries = (
        replace(entry, expression=expression, reads=reads) if entry.variable == variable else entry
        for entry in trace.entries
    )
    mutant = Trace(tuple(entries), trace.result)
    for seed in range(2):
        verdict = judge_mutant("p", trace, mutant, seed=seed)
        assert (verdict.status, verdict.counterexample is not None) == (expected, expected is Status.REFUTED)


@pytest.mark.slow
@settings(max_examples=15)
@given(solutions(), st.integers(0, 2**32))
def test_equivalent_mutants_agree_everywhere(source: FlawSource, seed: int) -> None:
    """Those discarded as equivalent give the oracle's answer at fifty random points."""
    random = Random(seed)
    try:
        discarded = [flaw for flaw in flaws_of(source) if isinstance(flaw, DiscardedFlaw)]
    except UnfitError:
        return
    same = [
        flaw.trace for flaw in discarded if flaw.discard is FlawDiscardReason.SAME_ANSWER and flaw.trace is not None
    ]
    for mutant in random.sample(same, min(3, len(same))):
        if judge_mutant("p", source.trace, mutant).status is Status.CONFIRMED:
            for _ in range(50):
                given_inputs = [entry for entry in source.trace.entries if entry.expression is None]
                point = {entry.variable: random.randint(1, 500) for entry in given_inputs}
                found = answer(mutant, point)
                assert found is None or found == answer(source.trace, point)
