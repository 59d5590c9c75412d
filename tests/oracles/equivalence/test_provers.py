"""Laws of the provers alone, against evaluation: none of them says what evaluation, or a second solver, contradicts."""

import contextlib
import itertools
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from harness.domain import Response
from harness.limited_process import limited_result
from harness.program.evaluation.evaluator import Evaluator
from harness.program.evaluation.values import Operand, Term, open_input
from harness.program.ir import Program
from harness.program.lifter import lift, read_program
from harness.program.refusal import Refusal
from oracles.equivalence.counterexample_search import run_outcome
from oracles.equivalence.input_domain import InputDomain
from oracles.equivalence.provers.alpha_equivalence import canonical_key
from oracles.equivalence.provers.normal_form import AlwaysUndefinedError, Normalizer, OpaqueAtoms
from oracles.equivalence.provers.polynomials import TooLargeError
from oracles.equivalence.provers.smt import ComparedProgram, compare_paths
from oracles.equivalence.provers.symbolic_paths import SymbolicPath, paths_of, stays_int
from tests.cases import cases, lines_beside
from tests.oracles.equivalence.planted.planted_pairs import PlantedPair, planted_faults, planted_rewrites
from tests.oracles.equivalence.provers.second_solver import comparison_of, second_answer
from tests.oracles.equivalence.provers.term_values import path_at, path_value, quotient_value, term_value

SEED = 7
SMALL = (1, 2, 3, 4, 5, 7, 12)
X, Y, Z = INPUTS = tuple(open_input(index) for index in range(3))
NATURAL = InputDomain(integral=True, low=Fraction(1), high=None)


# Paths.


def planted_programs(count: int) -> Iterator[Program]:
    """Yield the changed sides of planted pairs."""
    for pair in (*planted_faults(SEED, count), *planted_rewrites(SEED, count)):
        program = read_program(pair.right)
        if program is not None:
            yield program


def drawn_loop(random: Random) -> Program:
    """Return a program with a loop over an open range, of which many have a closed form."""
    stop = random.choice(("a", "a", "b", "a - 1", "a + b", "a - b", "2 * a"))
    span = f"range({stop})" if random.random() < 0.6 else f"range({random.choice(('1', 'b', '-2'))}, {stop})"
    item = random.choice(("i", "i", "b"))
    gains = (
        f"t += {item}",
        "t += b",
        f"t += c * {item}",
        "t += c / (b - 2)",
        "u = t / b",
        "t += 2 / (a - 1)",
        f"t += {item} % 2",
        f"t += b if {item} % 2 == 0 else {item}",
        f"if {item} % 3 == {random.choice('012')}:\n            t += c\n        else:\n            t -= {item}",
        f"u = {item} % 2 * b\n        t += u * {item}",
        f"t = t * ({item} % 2) + b",
        f"t += sum(c + j for j in range({random.choice(('a', 'b - 3', f'{item} + 1', item))}))",
        f"for j in range({random.choice(('b', '3', item))}):\n            u += c\n            t -= j",
        f"t += {item} * {item} - {item} ** 3",
        f"u += {item}\n        t += u",
        f"w = b if c > 2 else {item}\n        t += w",
        f"t += sum(j for j in range(a) if j % 2 == {item} % 2)",
        f"for j in range({random.choice(('2', '0.5'))} * {item}, 2 * {item} + b):\n            t += 1",
        f"for j in range(0.5 * {item}, 0.5 * {item} + b):\n            t += 1",
    )
    body = random.choices(gains, k=random.randint(1, 2))
    bound = random.choice(("2", "3", "c", "b", "a - 2", "b + 1", "0", "t"))
    if random.random() < 0.6:
        ending = f"if {item} {random.choice(('>=', '>', '==', '<'))} {bound}:\n            break"
        body.insert(random.choice((0, len(body))), ending)
    loop = f"    for {item} in {span}:\n" + "".join(f"        {line}\n" for line in body)
    if random.random() < 0.2:
        loop = "    for j in range(b):\n" + "".join(f"    {line}\n" for line in loop.splitlines())
    answer = random.choice(
        ("t", "t", f"t + {item}", f"t * 2 - {item}", "t + b", "t + u", "t + w", "sum(range(a), start=t)")
    )
    head = "def solve(a: int = 3, b: int = 4, c: float = 2.5):\n    t = 0\n    u = b\n"
    return lift(Response("p", "m", f"{head}{loop}    return {answer}\n"))


def points_of(program: Program, random: Random) -> Iterator[list[int | Fraction]]:
    """Yield points: whole numbers, some of them zero or negative, where the input is one, and fractions elsewhere."""
    for _ in range(8):
        yield [
            random.choice((*SMALL, *SMALL, 0, -1))
            if isinstance(parameter.value, int)
            else Fraction(random.choice(SMALL), random.choice((1, 2, 5)))
            for parameter in program.parameters
        ]


def test_paths_give_what_evaluation_gives() -> None:
    """The path that a point takes gives the value, or the lack of one, that the evaluator gives there; some programs are refused."""
    random, wrong, outcomes = Random(SEED), [], Counter[str]()
    for program in (*planted_programs(40), *(drawn_loop(random) for _ in range(300))):
        try:
            paths = paths_of(program)
        except Refusal:
            outcomes["refused"] += 1
            continue
        outcomes["followed"] += 1
        ints = frozenset(index for index, own in enumerate(program.parameters) if isinstance(own.value, int))
        if not all(stays_int(bound, ints) for path in paths for bound in path.bounds):
            continue
        for inputs in points_of(program, random):
            path = path_at(paths, inputs)
            value = None if path is None else path_value(path, inputs)
            if value != run_outcome(Evaluator(program, inputs, most_steps=200_000)).value:
                wrong.append((program.code, inputs, value))
    assert (wrong[:2], outcomes["followed"] > 50, outcomes["refused"] > 10) == ([], True, True)


REFUSED = (
    "t = 1\nfor i in range(a):\n    t *= 2\nreturn t",
    "for i in range(a):\n    t = 1 / (b - i)\nreturn t",
    "for i in range(a):\n    if i >= late:\n        break\n    t = i\nlate = 1\nreturn t",
    "return sum({(i - 5000) ** 2 for i in range(a)})",
    "t = 0\nfor i in range(a):\n    t += i % 5001\nreturn t",
    "return [1, 2, 3][a]",
    "return sum([1] * a)",
    "return int(str(a))",
    "return 1 if a in [b, 3] else 2",
    "return 2 ** a",
    "x = {a: 1}\nreturn x[a]",
    "t = a\nwhile t > 1:\n    t = t / 2\nreturn t",
)


@cases("body", REFUSED)
def test_what_cannot_be_followed_is_refused(body: str) -> None:
    """A refusal leaves the pair to the search; a wrong path would prove nonsense."""
    lines = body.replace("\n", "\n    ")
    with pytest.raises(Refusal):
        paths_of(lift(Response("p", "m", f"def solve(a: int = 7, b: int = 3):\n    {lines}\n")))


@cases("expression", ["a / b", "a // b", "a % b", "Fraction(a, b)", "divmod(a, b)[0]", "a * b ** -1"])
def test_every_division_is_noted(expression: str) -> None:
    """However a division is written, its divisor is on record."""
    (path,) = paths_of(lift(Response("p", "m", f"def solve(a: int = 7, b: int = 3):\n    return {expression}\n")))
    assert path.divisors


# Terms.


def drawn_term(random: Random, size: int) -> Operand:
    """Draw a term that rounds, compares and chooses a lot."""
    if size <= 1:
        return random.choice((*INPUTS, *INPUTS, random.choice((1, 2, 3, 5, Fraction(1, 2), -1))))
    operator = random.choice(
        ("+", "-", "*", "/", "//", "%", "floor", "ceil", "trunc", "round", "abs", "min", "max", ">", "==")
    )
    if operator in {"floor", "ceil", "trunc", "abs"}:
        return Term(operator, (drawn_term(random, size - 1),))
    if operator == "round":
        return Term("round", (drawn_term(random, size - 1), random.choice((0, 1, -1))))
    left = random.randint(1, size - 1)
    parts = drawn_term(random, left), drawn_term(random, size - left)
    if operator in {"/", "//", "%"} and random.random() < 0.7:
        parts = parts[0], random.choice((*INPUTS, 2, 3, 5))
    return Term(operator, parts)


def test_normal_forms_have_the_values_of_their_terms() -> None:
    """A normal form and its term have the same value wherever the term has one, on three kinds of domain."""
    random, wrong, compared = Random(SEED), [], 0
    every = frozenset(range(3))
    for number in range(1_500):
        integral, positive = number % 2 == 0, number % 3 != 2
        term = drawn_term(random, random.randint(2, 9))
        lows = dict.fromkeys(range(3), 1 if integral else 0) if positive else {}
        atoms, none = OpaqueAtoms(), frozenset[int]()
        roles = every if integral else none, every if positive else none
        try:
            form = Normalizer(dict(enumerate(range(3))), atoms, *roles, lows).normal(term)
        except (AlwaysUndefinedError, TooLargeError):
            continue
        for _ in range(8):
            top = [random.choice(SMALL) * (1 if positive else random.choice((1, -1))) for _ in range(3)]
            point = [Fraction(part, 1 if integral else random.choice((1, 2, 3))) for part in top]
            with contextlib.suppress(ZeroDivisionError):
                value = term_value(term, point)
                compared += 1
                found = quotient_value(form, atoms, dict(enumerate(point)))
                if found != value:
                    wrong.append((term, point, value, found))
    assert (wrong[:3], compared > 1_500) == ([], True)


def compared(term: Operand, values: dict[int, int | Fraction]) -> ComparedProgram:
    """Return a term as the only path of a program."""
    return ComparedProgram((SymbolicPath((), (), term),), values)


@pytest.mark.parametrize("count", [12, pytest.param(300, marks=pytest.mark.slow)])
def test_the_solver_is_asked_what_terms_say(count: int) -> None:
    """At a point, the solver finds a term equal to its exact value and to no other: rounding is half to even, floors round down."""
    random, decided = Random(SEED), 0
    while decided < count:
        term, point = drawn_term(random, random.randint(2, 6)), [random.choice((*SMALL, -3)) for _ in INPUTS]
        try:
            value = Fraction(term_value(term, point))
        except ZeroDivisionError:
            continue
        fixed = {number: InputDomain(True, Fraction(at), Fraction(at)) for number, at in enumerate(point)}
        side = compared(term, {number: number for number in range(3)})
        same, other = (
            compare_paths(side, compared(own, {}), fixed).equal for own in (value, value + Fraction(1, 1_000))
        )
        assert (same in {True, None}, other in {False, None}) == (True, True), (term, point, value)
        decided += same is not None


def test_deep_terms_and_hard_questions_are_given_up() -> None:
    """Nesting beyond the limit, whatever the stack allows, and a Diophantine question out of reach are reasons not to know."""
    deep: Operand = X
    for _ in range(5_000):
        deep = Term("+", (deep, 1))
    power = Term("-", (Term("**", (X, 3)), Term("*", (7, Term("**", (Y, 3))))))
    hard = Term("==", (power, Term("+", (Term("*", (11, X)), 5))))
    for term, reason in ((deep, "terms nested more than 100 deep"), (hard, "the solver gave up")):
        sides = (compared(value, {0: 0, 1: 1}) for value in (term, term if term is deep else 0))
        found = compare_paths(*sides, {0: NATURAL, 1: NATURAL})
        assert (found.equal, found.point, found.reason) == (None, None, reason)


# Planted pairs.


def confirmed_alone(pairs: Iterable[PlantedPair]) -> list[tuple[str, str, list[bool]]]:
    """Return the pairs that a prover by itself finds equal, and which of the provers do."""
    wrong = []
    for pair in pairs:
        comparison = comparison_of(pair)
        if comparison is None:
            continue
        confirmed = [comparison.by_renaming()]
        with contextlib.suppress(Refusal):
            confirmed += [comparison.by_form(), bool(comparison.by_solver().equal)]
        if any(confirmed):
            wrong.append((pair.left.problem_id, pair.kind, confirmed))
    return wrong


@pytest.mark.parametrize("count", [15, pytest.param(200, marks=pytest.mark.slow)])
def test_no_prover_alone_confirms_a_fault(count: int) -> None:
    """Neither normal forms, renaming nor the solver, each by itself, finds two programs equal that part."""
    assert confirmed_alone(planted_faults(SEED + 1, count)) == []


def test_a_second_solver_bears_out_the_first() -> None:
    """Where z3 decides a planted pair, cvc5 finds the same or nothing, and it does decide most of them."""
    wrong, answers = [], Counter[str]()
    for pair in (*planted_faults(SEED + 2, 5), *planted_rewrites(SEED + 2, 5)):
        comparison = comparison_of(pair)
        with contextlib.suppress(Refusal):
            if comparison is None or comparison.by_form():
                continue
            first = comparison.by_solver()
            if first.equal is not None:
                answer = second_answer(comparison)
                answers[answer] += 1
                if answer not in {"unknown", "no answer", "unsat" if first.equal else "sat"}:
                    wrong.append((pair.left.problem_id, pair.kind, first.equal, answer))
    assert (wrong, answers["sat"] + answers["unsat"] > answers.total() / 2, answers.total() > 0) == ([], True, True)


# Renaming.


def same_key(left: str, right: str, matched: str) -> bool:
    """Tell whether two programs, whose statements `; ` may separate, have one key, of which some inputs are aligned by name."""
    programs = [read_program(Response("p", "m", code.replace("; ", "\n"))) for code in (left, right)]
    pairs = [pair.split("=") for pair in matched.split()]
    keys = []
    for side, program in enumerate(programs):
        assert program is not None
        names = [parameter.name for parameter in program.parameters]
        keys.append(canonical_key(program, {names.index(pair[side]): number for number, pair in enumerate(pairs)}))
    return keys[0] == keys[1]


@cases("row", lines_beside(__file__, "renamed_programs.jsonl"))
def test_names_and_the_order_of_inputs_do_not_matter_and_every_difference_is_seen(row: dict[str, Any]) -> None:
    """A program with other names that states its inputs in another order has the same key; what is not aligned is its value.

    Another operator, constant, type, variable, scope, function, comparison or alignment is another key.
    """
    assert same_key(row["left"], row["right"], row["matched"]) is row["same"], row


# Limits.


def test_processor_time_is_limited_and_waiting_is_no_work() -> None:
    """A copy that waits ten times as long as it may work gives its result; one that works on and on gives none."""

    def patient() -> int:
        time.sleep(1.0)
        return 1

    assert (limited_result(patient, 0.05), limited_result(lambda: sum(itertools.repeat(1)), 0.2)) == (1, None)
