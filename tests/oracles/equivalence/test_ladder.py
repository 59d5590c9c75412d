"""Tests of the equivalence ladder: it decides what is decidable, refuses the rest and never confirms a falsehood."""

from fractions import Fraction
from functools import cache

import pytest

from harness.domain import Response, Status, Verdict
from harness.program.candidate import Candidate, read_candidate
from harness.program.evaluation.evaluator import evaluate
from oracles.alignment.parameter_matching import AlignedPair, Alignment, Alignments, align
from oracles.equivalence.ladder import EquivalenceJudge
from tests.cases import cases

INPUTS = "a: int = 7, b: int = 3, c: float = 2.5"


def candidate(code: str, model: str) -> Candidate:
    """Read a whole formalization, or an expression of `a`, `b` and `c`, or an indented body that sets `t`."""
    body = f"\n    t = 0\n{code}\n    return t\n" if code.startswith(" ") else f"\n    return {code}\n"
    return read_candidate(Response("p", model, code if code.startswith("def") else f"def solve({INPUTS}):{body}"))


def same_words(left: str, right: str) -> float:
    """Tell inputs apart by their names alone."""
    return 1.0 if left == right else 0.0


@cache
def judged(left: str, right: str) -> Verdict:
    """Decide a pair whose inputs are aligned by name."""
    first, second = candidate(left, "left"), candidate(right, "right")
    parameters = [() if lifted.program is None else lifted.program.parameters for lifted in (first, second)]
    return EquivalenceJudge("p").judge(first, second, align(parameters[0], parameters[1], same_words))


EQUAL = {
    "commuted": ("a + b * c", "c * b + a"),
    "distributed": ("(a + b) * c", "a * c + b * c"),
    "division as a fraction": ("a / 2", "a * Fraction(1, 2)"),
    "cancelled number": ("(a * 4) / 2", "2 * a"),
    "floor of an integer": ("(a + b) // 1", "a + b"),
    "ceil by negation": ("math.ceil(a / b)", "-(-a // b)"),
    "remainder by floor": ("a % b", "a - b * (a // b)"),
    "absolute of a positive": ("abs(a * c)", "a * c"),
    "truncation of a positive": ("int(a / b)", "a // b"),
    "min by choice": ("min(a, b)", "(a if a < b else b)"),
    "max by choice": ("max(a, b + 1)", "(a if a > b else b + 1)"),
    "a beaten argument": ("max(a, a + b)", "a + b"),
    "chained comparison": ("(1 if 2 < a < 9 else 2)", "(1 if a > 2 and a < 9 else 2)"),
    "negated choice": ("(a if not a < b else b)", "(b if a < b else a)"),
    "disjunction": ("(1 if a > 9 or b > 9 else 2)", "(2 if a <= 9 and b <= 9 else 1)"),
    "conjunction nested": ("(1 if a > 6 and b < 7 else 2)", "((1 if a > 6 else 2) if b < 7 else 2)"),
    "the same division by zero": ("1 / (a - b)", "(-1) / (b - a)"),
    "a power as a quotient": ("(a - b) ** -1", "1 / (a - b)"),
    "a choice of zero": ("(a or 5) * 2", "a * 2"),
    "a sum over a display": ("sum([a, b, c])", "a + b + c"),
    "a loop of fixed length": ("    for i in range(4):\n        t += a", "    t = 4 * a"),
    "a loop of open length": ("    for i in range(a):\n        t += c", "    t = a * c"),
    "a long loop": ("    for i in range(900):\n        t = t + a", "    t = 900 * a"),
    "a solved equation": ("    x = Symbol('x')\n    t = solve_it(Eq(2 * x + b, a), x)[x]", "    t = (a - b) / 2"),
    "an equation that may be singular": (
        "solve_it(Eq((a - b) * Symbol('x'), 6), Symbol('x'))[Symbol('x')] * 1",
        "6 / (a - b)",
    ),
    "terms too many to expand": ("(a + b + c + 1) ** 12 + a", "a + (1 + c + b + a) ** 12"),
    "a loop over what only one side counts": (
        "def solve(a: int = 6, b: int = 3):\n    t = 0\n    for i in range(a, a + 3):\n        t += b\n    return t",
        "def solve(a: float = 6.0, b: int = 3):\n    return 3 * b + 0 * a",
    ),
    "round half to even": ("round(a / 2)", "(a // 2 if (a % 4 == 1 or a % 2 == 0) else a // 2 + 1)"),
}

UNEQUAL = {
    "a power of a difference that may vanish": ("(a - b) ** -1 * (a - b)", "1"),
    "pow of a difference that may vanish": ("pow(a - b, -1) * (a - b)", "1"),
    "a removable singularity": ("(a - b) * a / (a - b)", "a"),
    "an index into a list": ("[5, 6, 7][a - 7] + 0 * b", "[5, 6, 7][a - 7] + (1 if b == 4321 else 0)"),
    "a repeated list": ("sum([1] * a)", "sum([1] * a) + (1 if b == 4321 else 0)"),
    "a list repeated by the right": ("len(a * [1])", "len(a * [1]) + (1 if b == 4321 else 0)"),
    "a text of a number": ("int(str(a))", "int(str(a)) + (1 if b == 4321 else 0)"),
    "an f-string of a number": ("len(f'{a}')", "len(f'{a}') + (1 if b == 4321 else 0)"),
    "both conditions": ("(1 if a > 6 and b < 4321 else 2)", "(1 if a > 6 else 2)"),
    "a truthy number": ("(a or 5) * 2", "(a or 5) * 2 + (1 if b == 4321 else 0)"),
    "membership among inputs": ("(1 if 4321 in [a, b] else 2)", "2 + 0 * a"),
    "equality of lists": ("(1 if [a, b] == [4321, b] else 2)", "2 + 0 * a"),
    "equality of tuples": ("(1 if (a,) != (4321,) else 2)", "1 + 0 * a"),
    "an unknown function": ("math.log(a)", "math.log(b)"),
    "a sum with a start": ("sum([1, 2, a], start=5)", "3 + a"),
    "a multiple of the field's prime": (
        "(a + b + c + 1) ** 20 + a",
        "(a + b + c + 1) ** 20 + 2305843009213693952 * a - 2305843009213693951 * 7",
    ),
    "a loop of no rounds that divides": (
        "    for i in range(a - 6):\n        t += c / (b - 2)",
        "    t = max(a - 6, 0) * c / (b - 2)",
    ),
    "a loop bound that is no integer": (
        "def solve(a: float = 6, b: int = 3):\n    t = 0\n    for i in range(a, a + 3):\n        t += b\n    return t",
        "def solve(a: float = 6.0, b: int = 3):\n    return 3 * b + 0 * a",
    ),
    "an exception at one value": ("(nothing if a == 4321 else b)", "b"),
    "an exception at one value of a difference": ("(b if a - b != 4321 else 'text' + 1)", "b"),
    "a singular equation": (
        "solve_it(Eq((a - 4321) * Symbol('x'), (a - 4321) * b), Symbol('x'))[Symbol('x')] * 1",
        "b",
    ),
    "a loop bound that is a float on a far branch": (
        "    if b > 4321:\n        for i in range(a / 1):\n            t += 1",
        "(a if b > 4321 else 0)",
    ),
    "a far threshold": ("(a if a < 4321 else 0)", "a"),
    "strict against not": ("(1 if a < 4321 else 2)", "(1 if a <= 4321 else 2)"),
    "floor and truncation of negatives": ("math.floor((a - b) / 2)", "int((a - b) / 2)"),
    "rounding half up": ("round(a / 2)", "math.floor(a / 2 + 0.5)"),
    "two places and three": ("round(c, 2)", "round(c, 3)"),
    "a swapped difference": ("abs(a - b)", "a - b"),
    "a product for a sum": ("a + b - 3", "a * b - 14"),
}


SLOWEST = "a loop bound that is a float on a far branch"
"""It takes as long as all others together."""
QUICK = [case for case in UNEQUAL if case != SLOWEST]


@cases("case", EQUAL)
def test_equal_programs_are_confirmed(case: str) -> None:
    """Two ways to write one function are proved equal."""
    assert judged(*EQUAL[case]).status is Status.CONFIRMED


@cases("case", QUICK)
def test_unequal_programs_are_never_confirmed(case: str) -> None:
    """Two functions that part somewhere in the domain are not CONFIRMED."""
    assert judged(*UNEQUAL[case]).status is not Status.CONFIRMED


@pytest.mark.slow
@cases("case", [*EQUAL, *QUICK][::3])
def test_swapping_the_sides_keeps_the_status(case: str) -> None:
    """Equivalence is symmetric; the slow tests ask about every pair."""
    left, right = {**EQUAL, **UNEQUAL}[case]
    assert judged(left, right).status is judged(right, left).status


@pytest.mark.slow
def test_swapping_the_sides_keeps_every_status() -> None:
    """Swapping the sides of any pair keeps its status."""
    for case in [*EQUAL, *QUICK]:
        vars(test_swapping_the_sides_keeps_the_status)["law"](case)


@pytest.mark.slow
def test_the_slowest_pair_is_judged_alike_and_truly() -> None:
    """The slowest pair is judged alike from both sides, and truly."""
    for law in (
        test_unequal_programs_are_never_confirmed,
        test_swapping_the_sides_keeps_the_status,
        test_a_counterexample_holds_when_it_is_run_again,
    ):
        vars(law)["law"](SLOWEST)


@cases("case", QUICK)
def test_a_counterexample_holds_when_it_is_run_again(case: str) -> None:
    """Evaluating both programs on the reported inputs gives the reported answers, and they differ."""
    left, right = UNEQUAL[case]
    verdict = judged(left, right)
    if verdict.counterexample is None:
        assert verdict.status is Status.UNKNOWN
        return
    shown = []
    for code, side in ((left, 0), (right, 1)):
        program = candidate(code, "again").program
        assert program is not None
        named = {name.split("|")[-side]: Fraction(value) for name, value in verdict.counterexample.inputs.items()}
        inputs = [named.get(parameter.name, Fraction(parameter.value)) for parameter in program.parameters]
        typed = [
            int(value) if parameter.type == "int" and value.denominator == 1 else value
            for parameter, value in zip(program.parameters, inputs, strict=True)
        ]
        shown.append(str(evaluate(program, typed)))
    assert (shown, shown[0] != shown[1]) == ([verdict.counterexample.left, verdict.counterexample.right], True)


def test_programs_that_part_on_their_own_values_are_refuted_in_spite_of_long_loops() -> None:
    """A loop longer than a search allows is no obstacle to stating that the answers differ."""
    verdict = judged("    for i in range(5000):\n        t = t + 1", "    t = 5001 + 0 * a")
    assert (verdict.status, verdict.reason) == (
        Status.REFUTED,
        "on the problem's own values: left gives 5000, right gives 5001",
    )


def test_nothing_aligned_is_unknown() -> None:
    """Programs without inputs in common agree on one point only, which is no proof."""
    verdict = judged("def solve(x: int = 4):\n    return x", "def solve(y: int = 2):\n    return y * 2")
    assert (verdict.status, verdict.checked, verdict.frozen) == (Status.UNKNOWN, 1, 2)


def test_the_method_that_decided_is_named() -> None:
    """The verdict names the rung of the ladder that decided."""
    pairs = (
        EQUAL["commuted"],
        EQUAL["terms too many to expand"],
        EQUAL["min by choice"],
        ("a", "b"),
        ("a", "a + (1 if a == 4321 else 0)"),
    )
    assert [judged(*pair).method for pair in pairs] == ["normal-form", "schwartz-zippel", "smt", "evaluation", "smt"]


def test_a_proof_at_random_points_states_its_error_bound() -> None:
    """The bound is in the verdict, and nowhere else."""
    bounds = [judged(*EQUAL[case]).error_bound for case in ("terms too many to expand", "commuted", "min by choice")]
    assert (bounds[0] is None, bounds[1:]) == (False, [None, None])


def test_a_difference_after_many_rounds_is_found() -> None:
    """A model of the solver that takes thousands of steps to evaluate is evaluated all the same."""
    rounds = "    t = 0\n    for i in range(a):\n        for j in range(b):\n            t += 2\n    return t"
    verdict = judged(
        f"def solve(a: int = 2, b: int = 3):\n{rounds}",
        "def solve(a: int = 2, b: int = 3):\n    return a * b * 2 + (1 if b > 4000 else 0)",
    )
    assert (verdict.status, verdict.method) == (Status.REFUTED, "smt")


def test_an_unaligned_input_is_frozen() -> None:
    """What one side lacks stays at its value: only the aligned inputs move."""
    verdict = judged(
        "def solve(a: int = 7, weeks: int = 4):\n    return a * weeks", "def solve(a: int = 7):\n    return a * 4"
    )
    assert (verdict.status, verdict.domain, verdict.frozen) == (Status.CONFIRMED, {"a": "integers >= 1"}, 1)


def test_swapped_inputs_are_unknown_where_words_do_not_decide() -> None:
    """Where two alignments are equally plausible and one refutes what the other confirms, the verdict says so."""
    verdict = judged(
        "def solve(p: int = 2, q: int = 2):\n    return p * 3 + q",
        "def solve(u: int = 2, v: int = 2):\n    return v * 3 + u",
    )
    assert (verdict.status, verdict.counterexample) == (Status.UNKNOWN, None)
    assert verdict.reason is not None
    assert "REFUTED if p = u, q = v; CONFIRMED if p = v, q = u" in verdict.reason


def open_alignments(matched: tuple[int, int], other: tuple[int, int]) -> Alignments:
    """Return two plausible matchings of one pair of inputs, the first of them the best."""
    best, second = (Alignment((AlignedPair(*places, 0.5),), 0.5) for places in (matched, other))
    return Alignments(best, (second,), (), (), choices=((best, second),))


@cases(
    "right",
    [
        "def solve(coin_value: int = 1, coin_count: int = 1):\n    return coin_value * 7 + coin_count * 5",
        "def solve(first_share: int = 1, second_share: int = 1):\n    return first_share * 7 + 5",
    ],
)
def test_one_name_or_one_use_settles_the_alignment(right: str) -> None:
    """An alignment that separates equal names, or matches a used input with an unused one, does not disturb a confirmation."""
    first = candidate("def solve(coin_value: int = 1):\n    return coin_value * 7 + 5", "left")
    verdict = EquivalenceJudge("p").judge(first, candidate(right, "right"), open_alignments((0, 0), (0, 1)))
    assert verdict.status is Status.CONFIRMED


@cases(
    "right",
    [
        "def solve(first_share: int = 1, second_share: int = 1):\n    return first_share * 7 + second_share * 5",
        "def solve(first_share: int = 1, coin_value: int = 1):\n    return first_share * 7 + 5",
    ],
)
def test_neither_a_name_nor_a_use_settles_other_alignments(right: str) -> None:
    """Without equal names, and with both inputs in use, the pair stays UNKNOWN; so it does where the equal name is the unused one."""
    first = candidate("def solve(coin_value: int = 1):\n    return coin_value * 7 + 5", "left")
    verdict = EquivalenceJudge("p").judge(first, candidate(right, "right"), open_alignments((0, 0), (0, 1)))
    assert verdict.status is Status.UNKNOWN


def test_inputs_of_equal_roles_are_confirmed_under_any_names() -> None:
    """A program that is symmetric in two inputs is equal under both alignments: the words need not decide."""
    verdict = judged(
        "def solve(p: int = 2, q: int = 2):\n    return p * q + 7",
        "def solve(u: int = 2, v: int = 2):\n    return 7 + v * u",
    )
    assert verdict.status is Status.CONFIRMED


def test_a_program_that_cannot_be_read_leaves_the_pair_unknown() -> None:
    """A refusal on one side is a reason not to know, with zero comparisons."""
    verdict = judged("a", "def solve(a: int = 7):\n    return eval('a')")
    assert (verdict.status, verdict.checked, verdict.unsupported) == (Status.UNKNOWN, 0, 1)


def test_verdicts_do_not_depend_on_what_was_judged_before() -> None:
    """One judge that decided other pairs first gives the verdict of a fresh one."""
    shared = EquivalenceJudge("p")
    pairs = [*EQUAL.values(), *UNEQUAL.values()][::5]
    later = []
    for left, right in pairs:
        first, second = candidate(left, "left"), candidate(right, "right")
        parameters = [() if lifted.program is None else lifted.program.parameters for lifted in (first, second)]
        later.append(shared.judge(first, second, align(parameters[0], parameters[1], same_words)))
    assert later == [judged(*pair) for pair in pairs]
