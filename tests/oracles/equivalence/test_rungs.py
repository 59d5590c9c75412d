"""Tests of the provers alone, against the evaluator: none of them says what evaluation contradicts."""

from __future__ import annotations

import contextlib
from collections import Counter
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

import pytest

from harness.program.candidate import read_program
from harness.program.evaluation.terms import Operand, Term, open_input
from harness.program.refusal import Refusal
from oracles.equivalence.counterexamples.counterexample_search import outcome_of
from oracles.equivalence.provers.normal_form import AlwaysUndefinedError, Normalizer, OpaqueAtoms
from oracles.equivalence.provers.polynomials import TooLargeError
from oracles.equivalence.provers.symbolic_paths import paths_of, stays_int
from tests.oracles.equivalence.planted.planted_pairs import planted_faults, planted_rewrites
from tests.oracles.equivalence.provers.second_solver import comparison_of, second_answer
from tests.oracles.equivalence.provers.term_values import path_at, path_value, quotient_value, term_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.program.ir import Program
    from tests.oracles.equivalence.planted.planted_pairs import PlantedPair

SEED, COUNT, SOLVED, POINTS, TERMS = 7, 40, 5, 6, 1_000
FEW, MANY = 15, 200
SMALL = (1, 2, 3, 4, 5, 7, 12)


def _programs() -> Iterator[tuple[str, Program]]:
    for pairs in (planted_faults(SEED, COUNT), planted_rewrites(SEED, COUNT)):
        for pair in pairs:
            program = read_program(pair.right)
            if program is not None:
                yield f"{pair.left.problem_id} ({pair.kind})", program


def _points(program: Program, random: Random) -> Iterator[list[int | Fraction]]:
    for _ in range(POINTS):
        yield [
            random.choice(SMALL)
            if isinstance(parameter.value, int)
            else Fraction(random.choice(SMALL), random.choice((1, 2, 5)))
            for parameter in program.parameters
        ]


def test_paths_give_what_evaluation_gives() -> None:
    """On generated programs, the path that a point takes gives the value that the evaluator gives there."""
    random, wrong, followed = Random(SEED), [], 0
    for name, program in _programs():
        try:
            paths = paths_of(program)
        except Refusal:
            continue
        followed += 1
        ints = frozenset(
            index for index, parameter in enumerate(program.parameters) if isinstance(parameter.value, int)
        )
        if not all(stays_int(bound, ints) for path in paths for bound in path.bounds):
            continue
        for inputs in _points(program, random):
            path = path_at(paths, inputs)
            told = None if path is None else path_value(path, inputs)
            if told != outcome_of(program, inputs, 200_000).value:
                wrong.append((name, inputs))
    assert (wrong, followed > COUNT) == ([], True)


def _confirmed_alone(pairs: Iterable[PlantedPair]) -> list[tuple[str, str, list[bool]]]:
    """Return the pairs that a prover by itself finds equal, and which of the provers do."""
    wrong = []
    for pair in pairs:
        comparison = comparison_of(pair)
        if comparison is None:
            continue
        confirmed = [comparison.by_renaming() is not None]
        with contextlib.suppress(Refusal):
            confirmed += [
                comparison.by_form() is not None,
                comparison.by_field(Random(SEED)) is not None,
                bool(comparison.by_solver().equal),
            ]
        if any(confirmed):
            wrong.append((pair.left.problem_id, pair.kind, confirmed))
    return wrong


def test_no_prover_alone_confirms_a_fault() -> None:
    """Neither normal forms, prime fields, renaming nor the solver, each by itself, finds two programs equal that part."""
    assert _confirmed_alone(planted_faults(SEED + 1, FEW)) == []


@pytest.mark.slow
def test_no_prover_alone_confirms_a_fault_of_hundreds() -> None:
    """The solver by itself searches long on each pair; here are five times the pairs that the quick tests had."""
    assert _confirmed_alone(planted_faults(SEED + 1, MANY)) == []


def test_a_second_solver_bears_out_the_first() -> None:
    """Where z3 decides a planted pair, cvc5 finds the same or nothing, and it does decide most of them."""
    wrong, answers = [], Counter[str]()
    for pair in (*planted_faults(SEED + 2, SOLVED), *planted_rewrites(SEED + 2, SOLVED)):
        comparison = comparison_of(pair)
        with contextlib.suppress(Refusal):
            if comparison is None or comparison.by_form() is not None:
                continue
            first = comparison.by_solver()
            if first.equal is not None:
                answer = second_answer(comparison, abstract=first.abstract)
                answers[answer] += 1
                if answer not in {"unknown", "no answer", "unsat" if first.equal else "sat"}:
                    wrong.append((pair.left.problem_id, pair.kind, first.equal, answer))
    assert (wrong, answers["sat"] + answers["unsat"] > answers.total() / 2, answers.total() > 0) == ([], True, True)


def _term(random: Random, size: int, inputs: tuple[Term, ...]) -> Operand:
    """Draw a term that rounds, compares and chooses a lot."""
    if size <= 1:
        return random.choice((*inputs, *inputs, random.choice((1, 2, 3, 5, Fraction(1, 2), -1))))
    operator = random.choice(
        ("+", "-", "*", "/", "//", "%", "floor", "ceil", "trunc", "round", "abs", "min", "max", ">", "==")
    )
    if operator in {"floor", "ceil", "trunc", "abs"}:
        return Term(operator, (_term(random, size - 1, inputs),))
    if operator == "round":
        return Term("round", (_term(random, size - 1, inputs), random.choice((0, 1, -1))))
    left = random.randint(1, size - 1)
    parts = _term(random, left, inputs), _term(random, size - left, inputs)
    if operator in {"/", "//", "%"} and random.random() < 0.7:
        parts = parts[0], random.choice((*inputs, 2, 3, 5))
    return Term(operator, parts)


def test_normal_forms_have_the_values_of_their_terms() -> None:
    """A normal form and its term have the same value wherever the term has one, on three kinds of domain."""
    random, wrong, compared = Random(SEED), [], 0
    inputs = tuple(open_input(index) for index in range(3))
    every = frozenset(range(3))
    for number in range(TERMS):
        integral, positive = number % 2 == 0, number % 3 != 2
        term = _term(random, random.randint(2, 9), inputs)
        lows = dict.fromkeys(range(3), 1 if integral else 0) if positive else {}
        atoms = OpaqueAtoms()
        normalizer = Normalizer(
            dict(enumerate(range(3))),
            atoms,
            every if integral else frozenset(),
            every if positive else frozenset(),
            lows,
        )
        try:
            form = normalizer.normal(term)
        except (AlwaysUndefinedError, TooLargeError):
            continue
        for _ in range(8):
            top = [random.choice(SMALL) * (1 if positive else random.choice((1, -1))) for _ in range(3)]
            point = [Fraction(part, 1 if integral else random.choice((1, 2, 3))) for part in top]
            try:
                value = term_value(term, point)
            except ZeroDivisionError:
                continue
            try:
                told = quotient_value(form, atoms, dict(enumerate(point)))
            except ZeroDivisionError:
                continue
            compared += 1
            if told != value:
                wrong.append((term, point, value, told))
    assert (wrong[:3], compared > TERMS) == ([], True)
