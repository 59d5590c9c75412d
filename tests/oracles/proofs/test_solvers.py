"""Tests of the solver processes: each script is answered independently, and unreadable ones are refused."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from harness.solution.trace import propagate
from oracles.equivalence.provers.translation_error import UntranslatableError
from oracles.proofs.flaw_certificate import FlawCertificate, certify_mutant, certify_slip, refutation
from oracles.proofs.flaw_script import FlawQuery, FlawScript, script
from oracles.proofs.solvers import Solver, SolverError, SolverName, open_solver
from tests.cases import cases
from tests.oracles.proofs.linear_solutions import MUTANTS, SLIPS, Straight

SOLVERS = [open_solver(name) for name in SolverName]


@pytest.fixture(params=list(SolverName))
def solver(request: pytest.FixtureRequest) -> Solver:
    """Return each of the solvers, new."""
    return open_solver(request.param)


def example() -> FlawCertificate:
    """Return a certificate."""
    trace = Straight({"a": 10, "b": 4}, (("x", "a / b"), ("y", "x + 1")), "y").trace()
    return certify_slip(trace, propagate(trace, "x", 3), "x")


ONE = FlawScript(("(define-fun |x| () Real 1.0)",), (FlawQuery("one", "(= |x| 1.0)", "sat"),))
TWO = FlawScript(("(define-fun |x| () Real 2.0)",), (FlawQuery("one", "(= |x| 1.0)", "unsat"),))


def test_a_script_knows_nothing_of_the_one_before(solver: Solver) -> None:
    """A script knows nothing of the one before: the same symbol may be defined anew."""
    for _ in range(3):
        assert solver.answers(ONE) == ("sat",)
        assert solver.answers(TWO) == ("unsat",)


@cases(
    "broken",
    [
        FlawScript((), (FlawQuery("unknown", "|nowhere|", "sat"),)),
        FlawScript(("(define-fun",), (FlawQuery("cut off", "true", "sat"),)),
        FlawScript((), (FlawQuery("no formula", "1.0", "sat"),)),
        FlawScript((), (FlawQuery("one too many", "true)\n(check-sat", "sat"),)),
    ],
)
def test_a_script_that_cannot_be_read_is_an_error_of_its_own(broken: FlawScript, solver: Solver) -> None:
    """It says why, and the next script is answered as if nothing had been."""
    solver.answers(ONE)
    with pytest.raises(SolverError):
        solver.answers(broken)
    assert solver.answers(ONE) == ("sat",)
    assert solver.answers(TWO) == ("unsat",)


@given(SLIPS, st.data())
@settings(max_examples=50)
def test_both_solvers_refute_a_second_false_equation(certificate: FlawCertificate, data: st.DataObject) -> None:
    """The query that says the other steps hold is answered sat, and nothing holds together."""
    others = [step.variable for step in certificate.oracle.steps if step.variable != certificate.change.variable]
    other = data.draw(st.sampled_from(others))
    written = script(replace(certificate, stated={**certificate.stated, other: certificate.stated[other] + 1}))
    for solver in SOLVERS:
        answers = solver.answers(written)
        assert answers[0] == "sat"
        assert answers[-1] == "unsat"


@given(SLIPS | MUTANTS)
@settings(max_examples=50)
def test_both_solvers_refute_the_wrong_line_and_the_same_answer(certificate: FlawCertificate) -> None:
    """A step that holds is not false, whichever is named; nor do answers differ that are the same."""
    others = [step.variable for step in certificate.told.steps if step.variable != certificate.change.variable]
    named = replace(
        certificate, mutant=None, oracle=certificate.told, change=replace(certificate.change, variable=others[0])
    )
    same = replace(
        certificate,
        oracle=replace(certificate.told, answer=others[0]),
        mutant=replace(certificate.told, answer=others[0]),
    )
    same = replace(same, stated={**same.stated, others[0]: _value(same, others[0])})
    for solver in SOLVERS:
        assert solver.answers(script(named)) != script(named).expected
        assert solver.answers(script(same)) != script(same).expected


def _value(certificate: FlawCertificate, variable: str) -> object:
    from oracles.proofs.flaw_certificate import program_values

    return program_values(certificate.oracle)[variable]


def test_both_solvers_refute_a_division_by_zero() -> None:
    """SMT-LIB gives a quotient by zero any value; the guard says that there is none."""
    written = script(replace(example(), oracle=replace(example().oracle, inputs={"a": 10, "b": 0})))
    for solver in SOLVERS:
        answers = dict(zip((query.claim for query in written.queries), solver.answers(written), strict=True))
        assert answers["no divisor is zero, exponents and roots are what they are taken for"] == "sat"
        assert answers["all of it together"] == "unsat"


@cases("root", ["x ** 0.5", "int(x ** 0.5)", "pow(x, 0.5)", "x ** (1 / 2)"])
def test_both_solvers_check_a_square_root_by_its_square(root: str) -> None:
    """A mutant whose oracle takes a square root is certified; where the number is not the root, the guard fails."""
    inputs = {"a": 6, "b": 24}
    oracle = Straight(inputs, (("x", "a * b"), ("y", root)), "y").trace()
    mutant = Straight(inputs, (("x", "a * b"), ("y", "(a + b) / 2")), "y").trace()
    certificate = certify_mutant(oracle, mutant)
    assert refutation(certificate) is None
    other = replace(certificate, oracle=replace(certificate.oracle, inputs={"a": 6, "b": 25}))
    for solver in SOLVERS:
        assert solver.answers(script(certificate)) == script(certificate).expected
    with pytest.raises(UntranslatableError):
        script(other)


def test_both_solvers_check_a_rounded_quotient() -> None:
    """The certificate states the rounding: the step is the quotient rounded to thousandths, exactly."""
    inputs = {"a": 365, "b": 5, "price": 2}
    oracle = Straight(inputs, (("x", "a / b"), ("y", "x * price")), "y").trace()
    mutant = Straight(inputs, (("x", "round(b / a, 3)"), ("y", "x * price")), "y").trace()
    certificate = certify_mutant(oracle, mutant)
    assert certificate.stated == {"x": Fraction(14, 1000), "y": Fraction(28, 1000)}
    for solver in SOLVERS:
        assert solver.answers(script(certificate)) == script(certificate).expected


@pytest.mark.slow
def test_memory_stays_flat(solver: Solver) -> None:
    """Three thousand scripts on one context take no more memory than the first few hundred and some slack."""
    import resource

    written = script(example())
    sizes = []
    for count in (300, 2_700):
        for _ in range(count):
            solver.answers(written)
        sizes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    assert sizes[1] - sizes[0] < 40_000
