"""Tests of solver scripts: their meaning equals that of the exact evaluator, and they are safe and linear in size."""

import time
from fractions import Fraction
from random import Random

import pytest
from hypothesis import assume, given, settings

from harness.domain import Exact
from harness.program import ir
from harness.program.evaluation.evaluator import Evaluator
from harness.program.refusal import ProgramError
from harness.program.value_parser import read_expression
from oracles.equivalence.provers.translation_error import UntranslatableError
from oracles.proofs.flaw_certificate import FlawCertificate
from oracles.proofs.flaw_script import FlawQuery, FlawScript, script, smtlib
from oracles.proofs.real_terms import PRELUDE, RealTermWriter, literal, symbol
from oracles.proofs.solvers import Solver, SolverName, open_solver
from oracles.proofs.straight_program import ProgramStep, StraightLineProgram
from tests.cases import cases
from tests.oracles.proofs.linear_solutions import (
    BINARY,
    MUTANTS,
    POWERS,
    SEEDS,
    SLIPS,
    TERNARY,
    UNARY,
    expression,
    value,
)


@pytest.fixture(scope="module", params=list(SolverName))
def solver(request: pytest.FixtureRequest) -> Solver:
    """Return each of the solvers."""
    return open_solver(request.param)


def evaluated(node: ir.Expr, inputs: dict[str, Exact]) -> Exact | None:
    """Return what the exact evaluator gives; `None` where it raises."""
    try:
        result = Evaluator(ir.Program("test", "", (), {}, (), None), ()).value(node, dict(inputs))
    except ProgramError:
        return None
    return int(result) if isinstance(result, bool) else result


def asked(solver: Solver, code: str, inputs: dict[str, Exact]) -> tuple[str, ...]:
    """Ask whether an expression can be other than its value with nothing divided by zero, and whether something is."""
    node = read_expression(code)
    writer = RealTermWriter()
    names = writer.program("o", StraightLineProgram(inputs, (ProgramStep("L1", "result", node),), "result"), inputs)
    expected = evaluated(node, inputs)
    defined = f"(and true {' '.join(writer.guards)})"
    wrong = "false" if expected is None else f"(not (= {names['result']} {literal(expected)}))"
    return solver.answers(
        FlawScript(
            tuple(writer.definitions),
            (
                FlawQuery("the value", f"(and {defined} {wrong})", "unsat"),
                FlawQuery("defined", f"(not {defined})", "unsat"),
            ),
        )
    )


@given(SEEDS)
@settings(max_examples=400)
def test_both_solvers_compute_what_the_evaluator_computes(random: Random) -> None:
    """For any expression at any point, of either sign, whole or not: the same value, and undefined where it raises."""
    inputs = {name: value(random) for name in ("a", "b")}
    code = expression(random, ["a", "b"])
    defined = evaluated(read_expression(code), inputs) is not None
    for solver in SOLVERS:
        assert asked(solver, code, inputs) == ("unsat", "unsat" if defined else "sat")


SOLVERS = [open_solver(name) for name in SolverName]
POINTS = [
    Fraction(-5, 2),
    Fraction(-1, 2),
    Fraction(1, 2),
    Fraction(3, 2),
    Fraction(5, 2),
    -7,
    7,
    Fraction(-7, 3),
    25,
    15,
]


@cases(
    "form",
    [
        *BINARY,
        *UNARY,
        *TERNARY,
        *POWERS,
        "round({}, ndigits=1)",
        "pow({}, 2)",
        "sum([{}, {}])",
        "math.trunc({})",
        "float({})",
        "Fraction({})",
        "({} > 1) + 1",
        "max([{}, 2])",
    ],
)
def test_each_form_means_the_same_at_signed_halves(form: str, solver: Solver) -> None:
    """Floor, remainder and rounding part on negatives and on halves; there too the text is the evaluator's."""
    for first, second in zip(POINTS, [*POINTS[3:], *POINTS[:3]], strict=True):
        places = form.count("{}")
        code = form.format(*["a", "b", "a"][:places])
        assert asked(solver, code, {"a": first, "b": second}) == ("unsat", "unsat"), (form, first, second)


@cases("code", ["a if a else 1 / a", "a and 1 / a", "1 / a if a else 5", "a == 0 or 1 / a"])
def test_what_is_never_divided_needs_no_guard(code: str, solver: Solver) -> None:
    """A divisor on a path not taken may be zero, as in Python; one on the path taken may not."""
    defined = evaluated(read_expression(code), {"a": 0}) is not None
    assert asked(solver, code, {"a": 0}) == ("unsat", "unsat" if defined else "sat")


@cases(
    "code",
    [
        "'text'",
        "None",
        "math.gcd(a, b)",
        "a ** b",
        "a ** 0.5",
        "a ** 33",
        "round(a, b)",
        "round(a, 101)",
        "unknown",
        "a in [1]",
        "sum([])",
        "max(a)",
        "math.pi",
        "[a]",
        "a[0]",
        "max(a, b, key=a)",
        "solve(a)",
    ],
)
def test_what_the_theory_lacks_is_refused(code: str) -> None:
    """An operation that the theory lacks is refused with a typed reason, never translated wrongly."""
    with pytest.raises(UntranslatableError, match="has no translation"):
        RealTermWriter().term(read_expression(code), {"a": "|o:a|", "b": "|o:b|"})


@cases(
    ("code", "point"),
    [
        ("a ** b", 3),
        ("a ** (b + 1)", -2),
        ("2 ** int(b / 2)", 9),
        ("a ** b if b < 5 else 1", 3),
        ("1.5 ** -b", 2),
        ("a ** b", 0),
    ],
)
def test_an_exponent_that_is_no_literal_is_guarded_by_its_value(code: str, point: int, solver: Solver) -> None:
    """The power is written out for the value the exponent has; were it another, the guard would fail."""
    assert asked(solver, code, {"a": 3, "b": point}) == ("unsat", "unsat")
    writer = RealTermWriter()
    wrong = StraightLineProgram({"a": 3, "b": point}, (ProgramStep("L1", "x", read_expression(code)),), "x")
    writer.program("o", wrong, {"a": 3, "b": point + 2})
    query = FlawQuery("guards", f"(and true {' '.join(writer.guards)})", "unsat")
    assert solver.answers(FlawScript(tuple(writer.definitions), (query,))) == ("unsat",)


def test_a_variable_is_never_called(solver: Solver) -> None:
    """A program that names a variable `max` has no `max` left to call."""
    with pytest.raises(UntranslatableError):
        RealTermWriter().term(read_expression("max(max, 2)"), {"max": "|o:max|"})
    assert asked(solver, "max + and_ + let + Δ", {"max": 1, "and_": 2, "let": 3, "Δ": 4}) == ("unsat", "unsat")


def test_symbols_are_distinct_and_plain() -> None:
    """Each name has a symbol of its own, of printable ASCII, that no name can break out of."""
    names = ["a", "and", "Δ", "~394~", "a|b", "a\\b", "\n", "", "é", "e\u0301", "|", "x ", "_"]
    symbols = [symbol(name, "s") for name in names]
    assert len(set(symbols)) == len(names)
    for written in symbols:
        assert written.isascii()
        assert written.isprintable()
        assert written.count("|") == 2
        assert "\\" not in written


@given(SLIPS | MUTANTS)
@settings(max_examples=60)
def test_both_solvers_bear_a_true_certificate_out(certificate: FlawCertificate) -> None:
    """Every query is answered as expected, read back from the JSON alone."""
    read = FlawCertificate.of_record(certificate.record())
    for solver in SOLVERS:
        assert solver.answers(script(read)) == script(read).expected


@given(SLIPS | MUTANTS)
@settings(max_examples=30)
def test_a_script_is_plain_text_any_solver_runs(certificate: FlawCertificate) -> None:
    """It is ASCII, begins with the prelude, and asks once for each claim and once for all of them."""
    text = smtlib(certificate)
    assert text.isascii()
    assert text.startswith(PRELUDE)
    assert text.count("(check-sat)") == text.count("; ") == len(script(certificate).queries)
    assert script(certificate).expected.count("sat") == 1


@cases(
    "form",
    [
        "round({})",
        "max({}, 3) + 1",
        "({}) ** 2 - 1",
        "({}) % 7 + 0.5",
        "1 / ({}) + 1",
        "(1 if {} > 2 else 5)",
        "({} and 2)",
    ],
)
def test_a_deep_program_is_written_in_linear_size(form: str, solver: Solver) -> None:
    """Forty steps, each of which reads the last one twice, take text and time in proportion."""
    sizes = []
    for count in (20, 40):
        steps = [ProgramStep("L1", "x0", read_expression("a"))]
        for place in range(count):
            code = f"({form.format(f'x{place}')} + x{place}) / 3"
            steps.append(ProgramStep("L1", f"x{place + 1}", read_expression(code)))
        writer = RealTermWriter()
        names = writer.program("o", StraightLineProgram({"a": 3}, tuple(steps), f"x{count}"), {})
        sizes.append(sum(map(len, writer.definitions)))
    assert sizes[1] < 2.3 * sizes[0]
    began = time.perf_counter()
    answer = solver.answers(
        FlawScript(tuple(writer.definitions), (FlawQuery("read", f"(= {names['x5']} {names['x5']})", "sat"),))
    )
    assert answer == ("sat",)
    assert time.perf_counter() - began < 5


@cases("nested", ["max(a, {})", "({} if {} > 1 else 2)", "(1 / {})", "round({})", "({} or a)"])
def test_a_deep_expression_is_written_in_quadratic_size_at_most(nested: str) -> None:
    """Nesting multiplies nothing: a condition on a path is named by its symbol."""
    sizes = []
    for depth in (6, 12):
        code = "a"
        for _ in range(depth):
            code = nested.replace("{}", code, 1).replace("{}", "a")
        writer = RealTermWriter()
        writer.program("o", StraightLineProgram({"a": 3}, (ProgramStep("L1", "x", read_expression(code)),), "x"), {})
        sizes.append(sum(map(len, [*writer.definitions, *writer.guards])))
    assert sizes[1] < 4.5 * sizes[0]


@given(SEEDS)
@settings(max_examples=50)
def test_a_tampered_claim_is_answered_otherwise(random: Random) -> None:
    """Where an equation is false, the query that says it holds is answered sat."""
    code = expression(random, ["a", "b"])
    inputs = {name: value(random) for name in ("a", "b")}
    expected = evaluated(read_expression(code), inputs)
    assume(expected is not None)
    assert expected is not None
    writer = RealTermWriter()
    names = writer.program(
        "o", StraightLineProgram(inputs, (ProgramStep("L1", "x", read_expression(code)),), "x"), inputs
    )
    query = FlawQuery("a false value", f"(not (= {names['x']} {literal(expected + 1)}))", "unsat")
    for solver in SOLVERS:
        assert solver.answers(FlawScript(tuple(writer.definitions), (query,))) == ("sat",)
