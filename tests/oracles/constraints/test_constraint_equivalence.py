"""Tests of constraint equivalence: equal programs are proved equal, others are refuted by a counterexample."""

from itertools import product

from hypothesis import given, settings, strategies as st

from harness.domain import Status, Verdict
from harness.smtlib.solvers import SolverName, SolverSessions
from oracles.constraints.equivalence import EquivalenceProver
from oracles.constraints.validation import ProgramJudge, ValidationCase
from tests.cases import cases
from tests.oracles.constraints.programs import Liar, pigeons

INTS = "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)"
SUM = f"{INTS}(assert (< x y))(assert (= (+ x y) 5))(check-sat)"


PROVER = EquivalenceProver(10_000_000)
verdict = PROVER.equivalent


SAME = {
    "itself": SUM,
    "another order": f"{INTS}(assert (= 5 (+ y x)))(assert (> y x))(check-sat)",
    "one assertion": f"{INTS}(assert (and (< x y) (= (+ x y) 5)))(check-sat)",
    "another logic": SUM.replace("QF_LIA", "ALL"),
    "names in let": f"{INTS}(assert (let ((s (+ x y))) (and (= s 5) (not (>= x y)))))(check-sat)",
    "a defined sum": f"{INTS}(declare-const s Int)(assert (= s (+ x y)))(assert (= s 5))(assert (< x y))(check-sat)",
    "a chain of definitions": f"{INTS}(declare-const s Int)(declare-const t Int)(assert (= t (* 2 s)))(assert (= (+ x y) s))(assert (= t 10))(assert (< x y))(check-sat)",
    "a defined constant": f"{INTS}(define-fun s () Int (+ x y))(assert (= s 5))(assert (< x y))(check-sat)",
    "a constant that is not used": SUM.replace("(assert", "(declare-const z Bool)(assert", 1),
    "more checks and values": f"{SUM}(get-value (x y))",
}
OTHER = {
    "a bound that is looser": SUM.replace("(< x y)", "(<= x (+ y 1))"),
    "another number": SUM.replace("5", "7"),
    "an assertion less": f"{INTS}(assert (= (+ x y) 5))(check-sat)",
    "an assertion more": SUM.replace("(check-sat)", "(assert (> x 0))(check-sat)"),
    "nothing at all": f"{INTS}(assert false)(check-sat)",
    "another sum defined": f"{INTS}(declare-const s Int)(assert (= s (- x y)))(assert (= s 5))(assert (< x y))(check-sat)",
}


@cases(
    ("right", "status"),
    [*((right, Status.CONFIRMED) for right in SAME.values()), *((right, Status.REFUTED) for right in OTHER.values())],
)
def test_programs_that_say_the_same_are_told_from_others(right: str, status: Status) -> None:
    """The same in another writing is proved both ways by both solvers; a planted difference is refuted by values that meet one of the two alone."""
    for program, other in ((SUM, right), (right, SUM)):
        found = verdict(program, other)
        assert found.status is status, found.reason
        if status is Status.CONFIRMED:
            assert found.checked == 2
        else:
            assert_parts(program, other, found)


def assert_parts(left: str, right: str, found: Verdict) -> None:
    """Check a counterexample by validating each program with its values."""
    assert found.counterexample is not None
    pinned = "".join(f"(assert (= {name} {value}))" for name, value in found.counterexample.inputs.items())
    told = {"sat": True, "unsat": False}
    for program, outcome in ((left, found.counterexample.left), (right, found.counterexample.right)):
        case = ValidationCase("a", program.replace("(check-sat)", f"{pinned}(check-sat)", 1))
        assert ProgramJudge(10_000_000).judge(case).satisfiable is told[outcome]
    assert found.counterexample.left != found.counterexample.right


@cases(
    ("right", "reason"),
    [
        (SUM.replace("Int", "Real").replace("QF_LIA", "QF_LRA"), "x is of sort "),
        (SUM.replace("(check-sat)", ""), "cannot be read: no-check-sat"),
        ("(declare-fun f (Int) Int)(assert (= (f 1) 2))(check-sat)", "the function f is in one of them only"),
        (SUM.replace("(assert", "(define-fun s ((a Int)) Int a)(assert", 1), "the function s is defined"),
        ("(exit)", "cannot be read"),
    ],
)
def test_what_cannot_be_compared_is_unknown(right: str, reason: str) -> None:
    """Another sort of the same name, a function of one side and an unreadable program give neither yes nor no."""
    for found in (verdict(SUM, right), verdict(right, SUM)):
        assert found.status is Status.UNKNOWN
        assert reason in (found.reason or "")


PEOPLE = "(declare-datatypes ((P 0)) (((Ana) (Ben) (Cleo))))(declare-const a P)(assert (distinct a {}))(check-sat)"
TURNED = PEOPLE.replace("(Ana) (Ben) (Cleo)", "(Cleo) (Ana) (Ben)")
FUNCTIONS = "(declare-sort P 0)(declare-fun f (P) P)(declare-const a P)(assert (= (f {}) a))(check-sat)"
REAL = "(set-logic QF_LRA)(declare-const x Real)(assert {})(check-sat)"
WHOLE = "(set-logic QF_LIA)(declare-const x Int)(assert {})(check-sat)"
EVEN = "(declare-const x Int)(assert (= (mod x 2) 0))(check-sat)"
TWICE = "(declare-const x Int)(declare-const k Int)(assert (= x (* 2 k)))(check-sat)"


@cases(
    ("left", "right", "status"),
    [
        (PEOPLE.format("Ben"), TURNED.format("Ben"), Status.CONFIRMED),
        (PEOPLE.format("Ben"), TURNED.format("Ana"), Status.REFUTED),
        (PEOPLE.format("Ben"), PEOPLE.replace("(Cleo)", "(Dora)").format("Ben"), Status.UNKNOWN),
        (FUNCTIONS.format("a"), FUNCTIONS.format("(f (f a))"), Status.REFUTED),
        (FUNCTIONS.format("a"), FUNCTIONS.format("a"), Status.CONFIRMED),
        (REAL.format("(< 3 x)"), REAL.format("(< 3.0 x)"), Status.CONFIRMED),
        (REAL.format("(< 3 x)"), REAL.format("(>= x 4)"), Status.REFUTED),
        (WHOLE.format("(< 3 x)"), WHOLE.format("(>= x 4)"), Status.CONFIRMED),
        (EVEN, TWICE, Status.CONFIRMED),
        (TWICE, EVEN, Status.CONFIRMED),
        (TWICE.replace("2 k", "3 k"), EVEN, Status.REFUTED),
        (
            WHOLE.format("true"),
            WHOLE.format("true").replace(" x ", " |x y| ").replace("true", "(= |x y| 1)"),
            Status.CONFIRMED,
        ),
    ],
)
def test_sorts_numerals_and_constants_of_one_side(left: str, right: str, status: Status) -> None:
    """The order of values is nothing, `3` is `3.0` where all numbers are real, and a constant of one side is any value that fits."""
    assert verdict(left, right).status is status


def test_worn_out_solvers_do_not_agree() -> None:
    """Where solvers give up, nothing is claimed."""
    hard = pigeons(11)
    found = EquivalenceProver(20_000).equivalent(hard, hard.replace("(check-sat)", "(assert false)(check-sat)"))
    assert found.status is Status.UNKNOWN
    assert "undecided" in (found.reason or "")


def test_one_solver_alone_confirms_nothing() -> None:
    """Where one solver finds a difference and the other none, the verdict is unknown and says so."""
    sessions = {SolverName.Z3: SolverSessions(lambda _: Liar("unsat"), kept=True)}
    lying = EquivalenceProver(10_000_000, sessions=sessions)
    found = lying.equivalent(SUM, OTHER["another number"])
    assert found.status is Status.UNKNOWN
    assert (found.reason or "").startswith("solvers-disagree")


VALUES = range(-2, 3)
SIGNS = ("<", "<=", "=", ">", ">=", "distinct")
atoms = st.tuples(st.sampled_from(SIGNS), st.sampled_from(("x", "y")), st.sampled_from(("x", "y", 0, 1, -1)))


def written(atom: tuple[str, str, str | int]) -> str:
    """Return a comparison as a term."""
    sign, left, right = atom
    return f"({sign} {left} {right if right != -1 else '(- 1)'})"


def true(atom: tuple[str, str, str | int], x: int, y: int) -> bool:
    """Tell whether a comparison is true of two numbers."""
    sign, left, right = atom
    a, b = {"x": x, "y": y}[left], {"x": x, "y": y}.get(right, right)  # type: ignore[call-overload]  # names and numbers
    return {"<": a < b, "<=": a <= b, "=": a == b, ">": a > b, ">=": a >= b, "distinct": a != b}[sign]


@settings(max_examples=30, deadline=None)
@given(st.lists(atoms, min_size=1, max_size=3), st.lists(atoms, min_size=1, max_size=3))
def test_verdicts_are_those_of_a_search(
    left: list[tuple[str, str, str | int]], right: list[tuple[str, str, str | int]]
) -> None:
    """Over five numbers each, trying all pairs of values gives the same verdict as the proof."""
    small = f"{INTS}(assert (<= (- 2) x 2))(assert (<= (- 2) y 2))"
    texts = [
        f"{small}{''.join(f'(assert {written(atom)})' for atom in program)}(check-sat)" for program in (left, right)
    ]
    same = all(
        all(true(atom, x, y) for atom in left) == all(true(atom, x, y) for atom in right)
        for x, y in product(VALUES, VALUES)
    )
    assert verdict(*texts).status is (Status.CONFIRMED if same else Status.REFUTED)
