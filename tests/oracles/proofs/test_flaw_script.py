"""Tests of solver scripts: they mean what the exact evaluator computes, each is answered by itself, and both solvers agree."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from harness.domain import Exact
from harness.program import ir
from harness.program.evaluation.evaluator import Evaluator
from harness.program.refusal import ProgramError, UntranslatableError
from harness.program.value_parser import read_expression
from harness.records.mutation import FlawCertificate
from harness.solution.trace import propagate
from oracles.proofs.flaw_certificate import program_values
from oracles.proofs.flaw_check import FlawQuery, FlawScript, script
from oracles.proofs.real_terms import FUNCTIONS, LOGIC, RealTermWriter, literal, symbol
from oracles.proofs.solvers import Solver, SolverError, SolverName, open_solver
from tests.cases import cases, texts
from tests.oracles.proofs.linear_solutions import (
    BINARY,
    MUTANTS,
    POWERS,
    SEEDS,
    SLIPS,
    UNARY,
    Straight,
    certificate_of,
    expression,
    value,
)

SOLVERS = [open_solver(name) for name in SolverName]
POINTS = [*(Fraction(top, 2) for top in (-5, -1, 1, 3, 5)), -7, 7, Fraction(-7, 3), 25, 15]


@pytest.fixture(params=list(SolverName))
def solver(request: pytest.FixtureRequest) -> Solver:
    """Return each of the solvers, new."""
    return open_solver(request.param)


def answers(solver: Solver, written: FlawScript) -> tuple[str, ...]:
    """Return the answers to the queries of a script."""
    return solver.decide(written.text, len(written.queries))


def evaluated(node: ir.Expr, inputs: dict[str, Exact]) -> Exact | None:
    """Return what the exact evaluator gives; `None` where it raises."""
    try:
        result = Evaluator(ir.Program("test", "", (), {}, (), None), ()).value(node, dict(inputs))
    except ProgramError:
        return None
    return int(result) if isinstance(result, bool) else result


def written_term(code: str, inputs: dict[str, Exact]) -> tuple[RealTermWriter, str]:
    """Return a writer that defines inputs, and the term of an expression over them."""
    writer = RealTermWriter(values=inputs)
    writer.names = {name: writer.define(symbol(name), "Real", literal(given)) for name, given in inputs.items()}
    return writer, writer.term(read_expression(code))


def asked(solver: Solver, code: str, inputs: dict[str, Exact], more: Exact = 0) -> tuple[str, ...]:
    """Ask whether an expression can be other than its value with nothing divided by zero, and whether something is."""
    writer, term = written_term(code, inputs)
    expected = evaluated(read_expression(code), inputs)
    defined = f"(and true {' '.join(writer.guards)})"
    wrong = "false" if expected is None else f"(not (= {term} {literal(expected + more)}))"
    queries = FlawQuery("value", f"(and {defined} {wrong})", "unsat"), FlawQuery("defined", f"(not {defined})", "unsat")
    return answers(solver, FlawScript(tuple(writer.definitions), queries))


@given(SEEDS)
@settings(max_examples=400)
def test_both_solvers_compute_what_the_evaluator_computes(random: Random) -> None:
    """For any expression at any point: the same value and no other, and undefined where it raises."""
    inputs = {name: value(random) for name in ("a", "b")}
    code = expression(random, ["a", "b"])
    defined = evaluated(read_expression(code), inputs) is not None
    for solver in SOLVERS:
        assert asked(solver, code, inputs) == ("unsat", "unsat" if defined else "sat")
        assert not defined or asked(solver, code, inputs, 1) == ("sat", "unsat")


@cases("form", [*BINARY, *UNARY, *POWERS, "math.trunc({})", "float({})", "Fraction({})", "max({}, 2, {})"])
def test_each_form_means_the_same_at_signed_halves(form: str, solver: Solver) -> None:
    """Floor, remainder and rounding part on negatives and on halves; there too the text is the evaluator's."""
    for first, second in zip(POINTS, [*POINTS[3:], *POINTS[:3]], strict=True):
        code = form.format(*["a", "b", "a"][: form.count("{}")])
        assert asked(solver, code, {"a": first, "b": second}) == ("unsat", "unsat"), (form, first, second)


@cases(
    "code",
    [
        *(*texts("""'text' | None | a ** b | b ** 0.5 | a ** (1 / 3) | a ** 33 | round(a, b) | round(a, 101)"""),),
        *("unknown", "sum([])", "max(a)", "[a]", "a[0]", "max(a, b, key=a)", "solve(a)"),
        *("a > b", "a and b", "not a", "a if b else 1", "a if a != b else 1", "sqrt(b)", "max(max, 2)"),
    ],
)
def test_what_the_theory_lacks_is_refused(code: str) -> None:
    """An operation that has no translation, or a variable that is called, is refused, never translated wrongly."""
    with pytest.raises(UntranslatableError, match="has no translation"):
        written_term(code, {"a": 1, "b": 2, **({"max": 3} if "max(max" in code else {})})


@cases("code", ["sqrt(a * b)", "(a * b) ** 0.5", "int((a * b) ** (1 / 2)) + sqrt(b / (4 * b))"])
def test_a_root_is_the_number_whose_square_it_is(code: str, solver: Solver) -> None:
    """Both solvers give a root its value and no other one."""
    inputs: dict[str, Exact] = {"a": 6, "b": 24}
    assert asked(solver, code, inputs) == ("unsat", "unsat")
    assert asked(solver, code, inputs, 1) == ("sat", "unsat")


def test_a_root_that_is_none_is_refuted(solver: Solver) -> None:
    """The square is part of the claim: a root of another number has no value."""
    writer, term = written_term("sqrt(a)", {"a": 144})
    writer.names = {"a": term}
    writer.term(read_expression("sqrt(a)"))
    query = FlawQuery("defined", writer.guards[-1], "unsat")
    assert answers(solver, FlawScript(tuple(writer.definitions), (query,))) == ("unsat",)


def test_symbols_are_distinct_and_plain() -> None:
    """Each name has a symbol of its own, of printable ASCII, that no name can break out of."""
    names = ["a", "and", "Δ", "~394~", "a|b", "a\\b", "\n", "", "é", "e\u0301", "|", "x ", "_"]
    symbols = [symbol(name, "s") for name in names]
    assert len(set(symbols)) == len(names)
    for written in symbols:
        assert (written.isascii(), written.isprintable(), written.count("|"), "\\" in written) == (True, True, 2, False)


@given(SLIPS | MUTANTS)
def test_both_solvers_confirm_a_true_certificate(certificate: FlawCertificate) -> None:
    """The script is ASCII, asks once for each claim and once for all of them, and is answered as expected."""
    written = script(certificate)
    assert written.text.isascii()
    assert written.text.startswith(LOGIC + FUNCTIONS)
    assert written.text.count("(check-sat)") == written.text.count("; ") == len(written.queries)
    for solver in SOLVERS:
        assert answers(solver, written) == tuple(query.expect for query in written.queries)


@given(SLIPS, st.data())
def test_both_solvers_refute_a_second_false_equation(certificate: FlawCertificate, data: st.DataObject) -> None:
    """The query that says the other steps hold is answered sat, and nothing holds together."""
    others = [step.variable for step in certificate.oracle.steps if step.variable != certificate.change.variable]
    other = data.draw(st.sampled_from(others))
    written = script(replace(certificate, stated={**certificate.stated, other: certificate.stated[other] + 1}))
    for solver in SOLVERS:
        first, *_, last = answers(solver, written)
        assert (first, last) == ("sat", "unsat")


@given(SLIPS | MUTANTS)
def test_both_solvers_refute_the_wrong_line_and_the_same_answer(certificate: FlawCertificate) -> None:
    """A step that holds is not false, whichever is named; nor do answers differ that are the same."""
    told = certificate.told
    other = next(step.variable for step in told.steps if step.variable != certificate.change.variable)
    named = replace(certificate, mutant=None, oracle=told, change=replace(certificate.change, variable=other))
    oracle, mutant = replace(certificate.oracle, answer=other), replace(told, answer=other)
    same = replace(certificate, oracle=oracle, mutant=mutant)
    same = replace(same, stated={**same.stated, other: program_values(oracle)[other]})
    for solver in SOLVERS:
        for false in (script(named), script(same)):
            assert answers(solver, false) != tuple(query.expect for query in false.queries)


def example() -> FlawCertificate:
    """Return a certificate."""
    straight = Straight({"a": 10, "b": 4}, (("x", "a / b"), ("y", "x + 1")), "y")
    return certificate_of(straight, propagate(straight.trace(), "x", 3), "x")


def test_both_solvers_refute_a_division_by_zero() -> None:
    """SMT-LIB gives a quotient by zero any value; the guard says that there is none."""
    written = script(replace(example(), oracle=replace(example().oracle, inputs=(("a", 10), ("b", 0)))))
    for solver in SOLVERS:
        found = dict(zip((query.claim for query in written.queries), answers(solver, written), strict=True))
        assert (found["each operation has a value"], found["all of it together"]) == ("sat", "unsat")


@cases(
    "form", ["round({})", "max({}, 3) + 1", "({}) ** 2 - 1", "({}) % 7 + 0.5", "1 / ({}) + 1", "(1 if {} > 2 else 5)"]
)
def test_a_deep_program_is_written_in_linear_size(form: str) -> None:
    """Forty steps, each of which reads the last one twice, take text and time in proportion."""
    sizes = []
    for count in (20, 40):
        steps = tuple((f"x{place + 1}", f"({form.format(f'x{place}')} + x{place}) / 3") for place in range(count))
        names = {f"x{place}": f"|x{place}|" for place in range(count + 1)}
        writer = RealTermWriter(names=names)
        terms = [writer.term(read_expression(code)) for _, code in steps]
        sizes.append(sum(map(len, [*writer.definitions, *terms])))
    assert sizes[1] < 2.3 * sizes[0]


ONE = FlawScript(("(define-fun |x| () Real 1.0)",), (FlawQuery("one", "(= |x| 1.0)", "sat"),))
TWO = FlawScript(("(define-fun |x| () Real 2.0)",), (FlawQuery("one", "(= |x| 1.0)", "unsat"),))


@cases(
    "text",
    [
        "",
        LOGIC,
        f"{LOGIC}(check-sat)\n(check-sat)\n",
        f"{LOGIC}(assert x)(check-sat)\n",
        f"{LOGIC}(define-fun",
        f"{LOGIC}(assert 1.0)(check-sat)\n",
        f"(push 1)\n{LOGIC}(check-sat)\n",
        "(set-logic ALL)\n(check-sat)\n",
    ],
)
def test_a_script_is_answered_by_itself(text: str, solver: Solver) -> None:
    """No question, two, another logic, nonsense are an error; a symbol may be defined anew after it and after any script."""
    for script_of_x, answer in ((ONE, "sat"), (TWO, "unsat")):
        assert answers(solver, script_of_x) == (answer,)
        with pytest.raises(SolverError):
            solver.decide(text)


def test_both_solvers_check_a_rounded_quotient() -> None:
    """The certificate states the rounding: the step is the quotient rounded to thousandths, exactly."""
    oracle = Straight({"a": 365, "b": 5, "price": 2}, (("x", "a / b"), ("y", "x * price")), "y")
    certificate = certificate_of(oracle, oracle.with_step(0, "round(b / a, 3)").trace())
    assert certificate.stated == {"x": Fraction(14, 1000), "y": Fraction(28, 1000)}
    for solver in SOLVERS:
        assert answers(solver, script(certificate)) == tuple(query.expect for query in script(certificate).queries)
