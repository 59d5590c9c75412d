"""Tests of SMT equivalence: z3 and cvc5 agree, and the models of the solver hold in exact evaluation."""

import time
from fractions import Fraction
from functools import cache
from random import Random

import cvc5
import pytest
from cvc5 import Kind

from harness.domain import Response, Status
from harness.program.candidate import read_candidate
from harness.program.evaluation.terms import Operand, Term
from harness.program.ir import Program
from harness.program.lifter import lift
from oracles.alignment.parameter_matching import align
from oracles.equivalence.counterexamples.counterexample_search import CounterexampleSearch
from oracles.equivalence.input_domain import InputDomain
from oracles.equivalence.ladder import EquivalenceJudge
from oracles.equivalence.provers.smt import ComparedProgram, SmtResult, compare_paths
from oracles.equivalence.provers.symbolic_paths import SymbolicPath, paths_of
from tests.cases import cases

NATURAL = InputDomain(integral=True, low=Fraction(1), high=None)
POSITIVE = InputDomain(integral=False, low=Fraction(0), high=None, open_low=True)
SHARE = InputDomain(integral=False, low=Fraction(0), high=Fraction(1), open_low=True)


def program(expression: str) -> Program:
    """Return the program of an expression in two inputs."""
    return lift(Response("p", "m", f"def solve(a: int = 1, b: int = 1):\n    return {expression}\n"))


@cache
def asked(left: str, right: str, domain: InputDomain) -> SmtResult:
    """Ask z3 through the product, without normal forms."""
    sides = [ComparedProgram(paths_of(program(text)), {0: 0, 1: 1}, None) for text in (left, right)]
    return compare_paths(*sides, {0: domain, 1: domain})


class Second:
    """The same question for cvc5, translated here."""

    def __init__(self, domain: InputDomain) -> None:
        self.terms = cvc5.TermManager()
        self.solver = cvc5.Solver(self.terms)
        self.solver.setLogic("ALL")
        self.solver.setOption("tlimit-per", "5000")
        real, integer = self.terms.getRealSort(), self.terms.getIntegerSort()
        self.inputs = []
        for name in ("a", "b"):
            made = self.terms.mkConst(integer if domain.integral else real, name)
            self.inputs.append(self.terms.mkTerm(Kind.TO_REAL, made) if domain.integral else made)
            for bound, kind in (
                (domain.low, Kind.GT if domain.open_low else Kind.GEQ),
                (domain.high, Kind.LT if domain.open_high else Kind.LEQ),
            ):
                if bound is not None:
                    self.solver.assertFormula(self.terms.mkTerm(kind, self.inputs[-1], self.real(bound)))

    def real(self, value: int | Fraction) -> cvc5.Term:
        """Return a literal."""
        return self.terms.mkReal(value.numerator, value.denominator)

    def floor(self, value: cvc5.Term) -> cvc5.Term:
        """Return the floor as a real."""
        return self.terms.mkTerm(Kind.TO_REAL, self.terms.mkTerm(Kind.TO_INTEGER, value))

    def term(self, operand: Operand) -> cvc5.Term:
        """Translate a term."""
        if not isinstance(operand, Term):
            return self.real(operand)
        if operand.operator == "input":
            return self.inputs[int(operand.arguments[0])]  # type: ignore[arg-type]  # an input's argument is its index
        make = self.terms.mkTerm
        first, *others = map(self.term, operand.arguments)
        zero = self.real(0)
        match operand.operator:
            case "+" | "-" | "*" | "/":
                return make(
                    {"+": Kind.ADD, "-": Kind.SUB, "*": Kind.MULT, "/": Kind.DIVISION}[operand.operator],
                    first,
                    others[0],
                )
            case "//":
                return self.floor(make(Kind.DIVISION, first, others[0]))
            case "%":
                return make(
                    Kind.SUB, first, make(Kind.MULT, others[0], self.floor(make(Kind.DIVISION, first, others[0])))
                )
            case "floor":
                return self.floor(first)
            case "ceil":
                return make(Kind.NEG, self.floor(make(Kind.NEG, first)))
            case "abs":
                return make(Kind.ITE, make(Kind.GEQ, first, zero), first, make(Kind.NEG, first))
            case "trunc":
                return make(
                    Kind.ITE,
                    make(Kind.GEQ, first, zero),
                    self.floor(first),
                    make(Kind.NEG, self.floor(make(Kind.NEG, first))),
                )
            case "min" | "max":
                return make(
                    Kind.ITE,
                    make(Kind.LEQ if operand.operator == "min" else Kind.GEQ, first, others[0]),
                    first,
                    others[0],
                )
        kinds = {"<": Kind.LT, "<=": Kind.LEQ, ">": Kind.GT, ">=": Kind.GEQ, "==": Kind.EQUAL, "!=": Kind.DISTINCT}
        return make(kinds[operand.operator], first, others[0])

    def every(self, formulas: list[cvc5.Term]) -> cvc5.Term:
        """Return a conjunction."""
        return self.terms.mkTerm(Kind.AND, self.terms.mkTrue(), self.terms.mkTrue(), *formulas)

    def outcomes(self, paths: tuple[SymbolicPath, ...]) -> list[tuple[cvc5.Term, cvc5.Term | None]]:
        """Return guards with values; dividing by zero gives none."""
        found: list[tuple[cvc5.Term, cvc5.Term | None]] = []
        for path in paths:
            conditions = self.every(
                [
                    self.term(condition) if holds else self.terms.mkTerm(Kind.NOT, self.term(condition))
                    for condition, holds in path.conditions
                ]
            )
            whole = self.every(
                [self.terms.mkTerm(Kind.DISTINCT, self.term(divisor), self.real(0)) for divisor in path.divisors]
            )
            found.append((self.every([conditions, whole]), None if path.value is None else self.term(path.value)))
            found.append((self.every([conditions, self.terms.mkTerm(Kind.NOT, whole)]), None))
        return found

    def equal(self, left: Program, right: Program) -> bool | None:
        """Tell whether no input of the domain parts them; `None` where cvc5 gives up."""
        parted = []
        for first_guard, first in self.outcomes(paths_of(left)):
            for second_guard, second in self.outcomes(paths_of(right)):
                if first is not None and second is not None:
                    parted.append(
                        self.every([first_guard, second_guard, self.terms.mkTerm(Kind.DISTINCT, first, second)])
                    )
                elif first is not None or second is not None:
                    parted.append(self.every([first_guard, second_guard]))
        self.solver.assertFormula(self.terms.mkTerm(Kind.OR, self.terms.mkFalse(), self.terms.mkFalse(), *parted))
        answer = self.solver.checkSat()
        return True if answer.isUnsat() else False if answer.isSat() else None


QUERIES = (
    ("min(a, b)", "(a if a < b else b)"),
    ("min(a, b)", "(a if a < b + 1 else b)"),
    ("max(a, b) + min(a, b)", "a + b"),
    ("abs(a - b)", "max(a, b) - min(a, b)"),
    ("abs(a - b)", "max(a - b, 0)"),
    ("math.ceil(a / 3)", "(a + 2) // 3"),
    ("math.ceil(a / 3)", "(a + 3) // 3"),
    ("math.floor(a / 2) + math.ceil(a / 2)", "a"),
    ("int((a - b) / 2)", "math.floor((a - b) / 2)"),
    ("int((a - b) / 2)", "((a - b) // 2 if a >= b else -((b - a) // 2))"),
    ("a % 3", "a - a // 3 * 3"),
    ("a % 3 + 3", "a % 6"),
    ("1 / (a - b)", "(1 / (a - b) if a != b else 1)"),
    ("1 / (a - b)", "-1 / (b - a)"),
    ("(a - b) / (a - b)", "1"),
    ("(a - b) / (a - b)", "1 / (a - b) * (a - b)"),
    ("(1 if a <= 5 else 2)", "(1 if a < 6 else 2)"),
    ("(1 if a > 0 else 2)", "1"),
    ("(1 if a > 1 else 2)", "1"),
    ("(1 if a >= 1 else 2)", "(2 if a < 1 else 1)"),
    ("(1 if a == 1 else 2)", "(2 if a != 1 else 1)"),
    ("(a if a > b and b > 3 else b)", "(b if a <= b or b <= 3 else a)"),
    ("(a if 3 < a < 9 else 0)", "(a if a > 3 else 0) - (a if a >= 9 else 0)"),
    ("(a if a <= 1000 else 0)", "a"),
    ("(a if a <= 1 else 1)", "min(a, 1)"),
)

DOMAINS = [NATURAL, *(pytest.param(domain, marks=pytest.mark.slow) for domain in (POSITIVE, SHARE))]


@pytest.mark.parametrize("domain", DOMAINS, ids=str)
@cases("number", range(len(QUERIES)))
def test_two_solvers_agree(number: int, domain: InputDomain) -> None:
    """z3, asked by the product, and cvc5, asked by this file, give one answer wherever both answer."""
    left, right = QUERIES[number]
    ours, theirs = asked(left, right, domain).equal, Second(domain).equal(program(left), program(right))
    assert ours == theirs or None in (ours, theirs)


@pytest.mark.slow
def test_few_small_queries_are_given_up() -> None:
    """At least nine in ten of them are answered: agreement is not had by silence."""
    answers = [asked(left, right, domain).equal for left, right in QUERIES for domain in (NATURAL, POSITIVE, SHARE)]
    assert answers.count(None) * 10 <= len(answers)


@pytest.mark.parametrize("domain", DOMAINS, ids=str)
@cases("number", range(len(QUERIES)))
def test_models_hold_in_exact_evaluation(number: int, domain: InputDomain) -> None:
    """Where the solver shows a point, it is in the domain and the programs part there."""
    left, right = QUERIES[number]
    found = asked(left, right, domain)
    if found.point is None:
        assert found.equal is not False or found.reason is not None
        return
    point = [found.point[0], found.point[1]]
    duel = CounterexampleSearch(program(left), program(right), [(0, 0), (1, 1)], [domain, domain])
    assert (all(value in domain for value in point), duel.parts_at(point)) == (True, True)


ROUNDINGS = ("round(a / 2)", "round(a / 4, 1)", "round(a / 3, 2)", "round(a * 7, -1)", "round((a - b) / 2)")


@pytest.mark.slow
@pytest.mark.parametrize("points", [2, pytest.param(6, marks=pytest.mark.slow)])
@cases("expression", ROUNDINGS)
def test_rounding_is_half_to_even(points: int, expression: str) -> None:
    """The translation rounds as exact evaluation does: against its value at a point there is no other."""
    made = program(expression)
    random = Random(expression)
    for _ in range(points):
        point = [Fraction(random.randint(1, 60)), Fraction(random.randint(1, 60))]
        value = CounterexampleSearch(made, made, [(0, 0), (1, 1)], [NATURAL, NATURAL]).outcomes(point)[0].value
        assert value is not None
        fixed = {number: InputDomain(integral=True, low=at, high=at) for number, at in enumerate(point)}
        sides = (
            ComparedProgram(paths_of(made), {0: 0, 1: 1}, None),
            ComparedProgram((SymbolicPath((), (), Fraction(value)),), {}, None),
        )
        other = ComparedProgram((SymbolicPath((), (), value + Fraction(1, 1000)),), {}, None)
        assert (compare_paths(*sides, fixed).equal, compare_paths(sides[0], other, fixed).equal) == (True, False)


def test_what_the_solver_gives_up_is_not_equal() -> None:
    """A Diophantine question within no reach is neither proof nor refutation."""
    found = asked("(1 if a**3 - 7 * b**3 == 11 * a + 5 else 0)", "0", NATURAL)
    assert (found.equal, found.point, found.reason) == (None, None, "the solver gave up")


def test_deep_terms_are_given_up() -> None:
    """Nesting beyond the limit is a reason not to know, whatever the stack allows."""
    deep: Operand = Term("input", (0,))
    for _ in range(5000):
        deep = Term("+", (deep, 1))
    side = ComparedProgram((SymbolicPath((), (), deep),), {0: 0}, None)
    assert compare_paths(side, side, {0: NATURAL}).reason == "terms nested more than 100 deep"


def test_a_frozen_input_is_its_value() -> None:
    """An input that is not aligned stands as a number."""
    sides = (
        ComparedProgram(paths_of(program("a * b")), {0: 0, 1: Fraction(4)}, None),
        ComparedProgram(paths_of(program("a * 4")), {0: 0, 1: Fraction(9)}, None),
    )
    assert compare_paths(*sides, {0: NATURAL}).equal is True


@pytest.mark.slow
def test_nonlinear_arithmetic_ends() -> None:
    """A pair on which the solver would work for minutes within its units is given up after seconds, not hung on."""
    code = """def solve(boxes: int = 7, weight: int = 5, fraction_sold: float = 3/4, people: int = 9):
    if boxes <= people:
        first = fraction_sold - 4
    else:
        first = fraction_sold
    second = first * weight
    if second < 6:
        cost = second * boxes
    else:
        cost = second
    remaining = cost * second
    if second == remaining:
        share = SIDE - weight
    else:
        share = remaining
    return share
"""
    sides = [read_candidate(Response("p", name, code.replace("SIDE", name))) for name in ("remaining", "first")]
    parameters = [side.program.parameters for side in sides if side.program is not None]
    alignments = align(parameters[0], parameters[1], lambda left, right: float(left == right))
    started = time.monotonic()
    verdict = EquivalenceJudge("p").judge(sides[0], sides[1], alignments)
    assert verdict.status is not Status.CONFIRMED
    assert time.monotonic() - started < 60
