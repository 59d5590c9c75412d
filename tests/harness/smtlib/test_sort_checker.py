"""Tests of the sort checker: it accepts only what both solvers accept, and names the fault of other programs."""

from random import Random

from hypothesis import given, settings, strategies as st

from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.script import read_script
from harness.smtlib.vocabulary import LogicFeature, features_of, narrowest
from tests.cases import cases, rows
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
    "body, kind, words",
    [
        ("{X}(assert (= x NINES))".replace("NINES", "9" * 2_000), "LONG_NUMERAL", "2000 digits"),
        *rows("""{X}(assert (> x y)) → UNDECLARED → y
{X}(assert (= x true)) → WRONG_SORT → = of x of sort Int, true of sort Bool
{X}(assert (+ x 1)) → WRONG_SORT → (+ x 1) of sort Int | {X}(assert (> x)) → WRONG_ARITY → (> x)
{X}{R}(assert (> x r)) → WRONG_SORT → > of x of sort Int, r of sort Real
{X}(assert (> (/ x 2) 1.0)) → WRONG_SORT → x of sort Int | {X}(assert (> x -3)) → ODD_ATOM → -3
{X}(assert (x > 3)) → MALFORMED_TERM → > | {X}(assert (> (x) 3)) → WRONG_ARITY → (x)
{P}(assert (not p p)) → WRONG_ARITY → (not p p) | {P}(assert (ite p p)) → WRONG_ARITY → (ite p p)
{P}(assert (= (ite p 1 0.5) 1)) → WRONG_SORT → ite of Int and Real | {X}{X}(assert (> x 3)) → DUPLICATE → x
(declare-const x int) (assert (> x 3)) → UNKNOWN_SORT → int | {COLOR}(assert (= c blue)) → UNDECLARED → blue
{COLOR}(assert (= c 1)) → WRONG_SORT → = of c of sort Color, 1 of sort Int
(declare-const bag Int) (assert (> bag 3)) → RESERVED_NAME → bag
(set-logic QF_LRA) {X}(assert (> x 3)) → NARROW_LOGIC → QF_LRA
(set-logic QF_LIA) {X}(assert (= (* x x) 4)) → NARROW_LOGIC → QF_LIA
(set-logic LINEAR) {X}(assert (> x 3)) → UNKNOWN_LOGIC → LINEAR
{X}(set-logic QF_LIA) (assert (> x 3)) → MISPLACED_COMMAND → (set-logic QF_LIA)
{X}(assert (> x 3) (< x 5)) → MALFORMED_COMMAND → (assert (> x 3) (< x 5))
{X}(push) (assert (> x 3)) → REFUSED_COMMAND → push
{X}(define-funs-rec) (assert (> x 3)) → REFUSED_COMMAND → define-funs-rec | {X} → NO_ASSERTION → no assertion
{COLOR}(assert ((_ is red) c)) → MALFORMED_TERM → (_ is red)
{COLOR}(assert (= c (as red Color))) → UNSUPPORTED → (as red Color)
(define-sort Day () Int) (assert true) → UNSUPPORTED → (define-sort Day () Int)
(declare-const a (Array Int Int)) (assert true) → UNSUPPORTED → (Array Int Int)
{X}(exists ((y Int)) p) (assert true) → UNKNOWN_COMMAND → (exists ((y Int)) p)"""),
    ],
)
def test_each_fault_is_told(body: str, kind: str, words: str) -> None:
    """A planted fault is found, once, as what it is."""
    assert (ScriptFaultKind[kind], words) in faults(body.format(X=X, P=P, R=R, COLOR=COLOR))


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
