"""Tests of the sort checker: it accepts only what both solvers accept, and names the fault of other programs."""

from random import Random

from hypothesis import given, settings, strategies as st

from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.logics import LogicFeature, features_of, narrowest
from harness.smtlib.script import read_script
from tests.cases import cases
from tests.harness.smtlib.random_scripts import draw_program, refusals

TOKENS = "3 2.5 x Int Real Bool and = + / -1 ite let not true red"
X = "(declare-const x Int)\n"
R = "(declare-const r Real)\n"
P = "(declare-const p Bool)\n"
COLOR = "(declare-datatype Color ((red) (green)))\n(declare-const c Color)\n"


def faults(body: str) -> list[tuple[ScriptFaultKind, str]]:
    """Return the faults of a script that lacks its question."""
    return [(fault.kind, fault.found) for fault in read_script(f"{body}\n(check-sat)\n").faults]


@given(st.integers(0, 10**6))
@settings(max_examples=25)
def test_well_sorted_programs_are_valid(seed: int) -> None:
    """What is well-sorted by construction has no faults, and neither solver finds any."""
    program = draw_program(Random(seed))
    assert read_script(program).faults == ()
    assert refusals(program.replace("(check-sat)", "")) == {}


@given(st.integers(0, 10**6), st.integers(1, 3))
@settings(max_examples=150)
def test_what_is_valid_both_solvers_accept(seed: int, count: int) -> None:
    """Of programs with tokens left out, doubled, swapped or exchanged for others, each called valid is read by z3 and by cvc5."""
    random = Random(seed)
    tokens = draw_program(random).replace("(", " ( ").replace(")", " ) ").split()
    for _ in range(count):
        place, other = random.randrange(len(tokens)), random.randrange(len(tokens))
        match random.randrange(4):
            case 0:
                tokens[place : place + 1] = []
            case 1:
                tokens[place:place] = [tokens[other]]
            case 2:
                tokens[place], tokens[other] = tokens[other], tokens[place]
            case _:
                tokens[place] = random.choice(TOKENS.split())
    text = " ".join(tokens)
    if read_script(text).valid:
        assert refusals(text) == {}


@cases(
    ("body", "found"),
    [
        (f"{X}(assert (> x y))", (ScriptFaultKind.UNDECLARED, "y")),
        (f"{X}(assert (= x true))", (ScriptFaultKind.WRONG_SORT, "= of x of sort Int, true of sort Bool")),
        (f"{X}(assert (+ x 1))", (ScriptFaultKind.WRONG_SORT, "(+ x 1) of sort Int")),
        (f"{X}(assert (> x))", (ScriptFaultKind.WRONG_ARITY, "(> x)")),
        (f"{X}{R}(assert (> x r))", (ScriptFaultKind.WRONG_SORT, "> of x of sort Int, r of sort Real")),
        (f"{X}(assert (> (/ x 2) 1.0))", (ScriptFaultKind.WRONG_SORT, "x of sort Int")),
        (f"{X}(assert (> x -3))", (ScriptFaultKind.ODD_ATOM, "-3")),
        (f"{X}(assert (x > 3))", (ScriptFaultKind.MALFORMED_TERM, ">")),
        (f"{X}(assert (> (x) 3))", (ScriptFaultKind.WRONG_ARITY, "(x)")),
        (f"{P}(assert (not p p))", (ScriptFaultKind.WRONG_ARITY, "(not p p)")),
        (f"{P}(assert (ite p p))", (ScriptFaultKind.WRONG_ARITY, "(ite p p)")),
        (f"{P}(assert (= (ite p 1 0.5) 1))", (ScriptFaultKind.WRONG_SORT, "ite of Int and Real")),
        (f"{X}{X}(assert (> x 3))", (ScriptFaultKind.DUPLICATE, "x")),
        ("(declare-const x int)\n(assert (> x 3))", (ScriptFaultKind.UNKNOWN_SORT, "int")),
        (f"{COLOR}(assert (= c blue))", (ScriptFaultKind.UNDECLARED, "blue")),
        (f"{COLOR}(assert (= c 1))", (ScriptFaultKind.WRONG_SORT, "= of c of sort Color, 1 of sort Int")),
        ("(declare-const bag Int)\n(assert (> bag 3))", (ScriptFaultKind.RESERVED_NAME, "bag")),
        (f"(set-logic QF_LRA)\n{X}(assert (> x 3))", (ScriptFaultKind.NARROW_LOGIC, "QF_LRA")),
        (f"(set-logic QF_LIA)\n{X}(assert (= (* x x) 4))", (ScriptFaultKind.NARROW_LOGIC, "QF_LIA")),
        (f"(set-logic LINEAR)\n{X}(assert (> x 3))", (ScriptFaultKind.UNKNOWN_LOGIC, "LINEAR")),
        (f"{X}(set-logic QF_LIA)\n(assert (> x 3))", (ScriptFaultKind.MISPLACED_COMMAND, "(set-logic QF_LIA)")),
        (f"{X}(assert (> x 3) (< x 5))", (ScriptFaultKind.MALFORMED_COMMAND, "(assert (> x 3) (< x 5))")),
        (f"{X}(push)\n(assert (> x 3))", (ScriptFaultKind.REFUSED_COMMAND, "push")),
        (f"{X}(define-funs-rec)\n(assert (> x 3))", (ScriptFaultKind.REFUSED_COMMAND, "define-funs-rec")),
        (f"{X}(assert (= x {'9' * 2_000}))", (ScriptFaultKind.LONG_NUMERAL, "2000 digits")),
        (X, (ScriptFaultKind.NO_ASSERTION, "no assertion")),
        (f"{COLOR}(assert ((_ is red) c))", (ScriptFaultKind.MALFORMED_TERM, "(_ is red)")),
        (f"{COLOR}(assert (= c (as red Color)))", (ScriptFaultKind.UNSUPPORTED, "(as red Color)")),
        ("(define-sort Day () Int)\n(assert true)", (ScriptFaultKind.UNSUPPORTED, "(define-sort Day () Int)")),
        ("(declare-const a (Array Int Int))\n(assert true)", (ScriptFaultKind.UNSUPPORTED, "(Array Int Int)")),
        (f"{X}(exists ((y Int)) p)\n(assert true)", (ScriptFaultKind.UNKNOWN_COMMAND, "(exists ((y Int)) p)")),
    ],
)
def test_each_fault_is_told(body: str, found: tuple[ScriptFaultKind, str]) -> None:
    """A planted fault is found, once, as what it is."""
    assert found in faults(body)


@cases(
    "body",
    [
        f"{X}(assert (let ((y (+ x 1))) (> y 3)))",
        f"{X}(assert (exists ((y Int)) (and (> y x) (forall ((x Bool)) x))))",
        f"{X}(assert (! (> x 3) :named above))\n(assert above)",
        "(define-fun twice ((n Int)) Int (* 2 n))\n(define-const k Int 3)\n(assert (= (twice k) 6))",
        "(declare-sort Person 0)\n(declare-fun knows (Person Person) Bool)\n(declare-const a Person)\n(assert (knows a a))",
        f"(set-option :produce-models true)\n(set-info :source |us|)\n{R}(assert (> r 1))",
        f"(set-logic QF_LRA)\n{R}(assert (= r (ite (> r 1) 1 0.5)))",
        f"{R}(assert (= r (/ 1 3)))",
        "(declare-const |a b| Int)\n(assert (> |a b| 3))\n(check-sat)\n(get-value (|a b|))",
    ],
)
def test_what_the_standard_allows_is_valid(body: str) -> None:
    """Bindings, quantifiers, annotations, definitions, sorts of one's own: no fault, and both solvers agree."""
    text = f"{body}\n(check-sat)\n"
    assert read_script(text).faults == ()
    assert refusals(text) == {}


def test_both_solvers_know_the_logic_that_is_chosen() -> None:
    """The narrowest logic for any mix of features holds them, and z3 and cvc5 know its name."""
    features, names = list(LogicFeature), set()
    for number in range(2 ** len(features)):
        used = {feature for place, feature in enumerate(features) if number >> place & 1}
        if LogicFeature.PRODUCTS not in used or used & {LogicFeature.INTEGERS, LogicFeature.REALS}:
            held = features_of(narrowest(used))
            assert held is not None
            assert used <= held
            names.add(narrowest(used))
    for name in names:
        assert refusals(f"(set-logic {name})\n(declare-const p Bool)\n(assert p)\n(check-sat)\n") == {}
