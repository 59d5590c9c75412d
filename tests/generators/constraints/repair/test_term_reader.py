"""Tests of the tolerant reader of terms: one meaning, a doubt, or a refusal."""

import pytest

from generators.constraints.repair.term_reader import UnreadableError, read_term
from harness.smtlib.s_expressions import write_node
from tests.cases import cases, rows, texts

KNOWN = {"x", "y", "z", "p", "q", "r", "f", "red-book"}


@cases(
    ("text", "term"),
    rows(r"""(x < y) → (< x y) | x<y → (< x y) | (x - y >= 3) → (>= (- x y) 3)
(x > 3 and y > 4) → (and (> x 3) (> y 4))
And(x > 3, Or(y == 4, y == 5)) → (and (> x 3) (or (= y 4) (= y 5))) | (Implies (x > 3) (y > 4)) → (=> (> x 3) (> y 4))
(3 < x <= 9) → (and (< 3 x) (<= x 9)) | 1 <= x <= 5 → (<= 1 x 5) | (= x -3) → (= x (- 3)) | (- x -3) → (- x (- 3))
(- x + 3 > y) → (> (+ (- x) 3) y) | (== x (2 * y)) → (= x (* 2 y))
(≠ x y) → (distinct x y) | Distinct([x, y]) → (distinct x y) | x + y * 2 == 12 → (= (+ x (* y 2)) 12)
(x mod 5) = 3 → (= (mod x 5) 3) | p || (q && r) → (or p (and q r)) | p <=> q → (= p q) | p -> q -> r → (=> p (=> q r))
p \land \lnot q \Rightarrow x \leq 3 → (=> (and p (not q)) (<= x 3)) | (if p x y) → (ite p x y)
(exists ((k Int)) (x == 2*k)) → (exists ((k Int)) (= x (* 2 k))) | (let ((v x)) (v < 3)) → (let ((v x)) (< v 3))
red-book < x-1 → (< red-book (- x 1)) | (f(x) > 3) → (> (f x) 3) | (not(> x 3)) → (not (> x 3)) | ((x + 1)) → (+ x 1)
(|a b| > x) → (> |a b| x)"""),
)
def test_a_term_is_read_as_it_is_meant(text: str, term: str) -> None:
    """Terms in the notation of other languages become the terms that a person reads in them, without a doubt."""
    reading = read_term(text, KNOWN)
    assert (write_node(reading.node), reading.doubts) == (term, ())


@cases(
    "text",
    [
        *texts("""(= x y -2) | p xor q or r | (=> p not (q) r) | p iff q => r | x = 3 mod 5 | p = q = r | (and x > 3 y > 4) | (not x = 3)
(=> (> x 3) y = 4) | (= x y + 3) | (< x+y z)
(or p) | (x) | (< x + y z) | (= x y - 3) | (- x - y) | (< - x y z) | (f x * y)"""),
        "p & q | r",
    ],
)
def test_what_other_languages_mean_otherwise_is_doubted(text: str) -> None:
    """An argument of several words without parentheses, a name alone in parentheses, connectives of unequal order, a congruence, a chain of equalities."""
    assert read_term(text, KNOWN).doubts


@cases(
    "text",
    [
        *texts("""(not x = 3 and y = 4) | (and (> x 3) or (> y 4)) | x != y != 4 | (= x y +1) | x y | x > | (x > 3 | x ≡ 3 | x^y = 3
x[1] = 3 | (f x)[1] = 3 | x >= 25% | x = 25% - y | x = 25% * y | x > 9:30 | x > .5 | (= x 3,5) | (<= 0 x [9, 10])
3x > 4 | x**2 = 4 | x > 3 ? p : q | p if x > 3 else q | (! (x > 3) :named a) | ((_ is red) x) | (forall x p) | ()"""),
        "",
        "(" * 400,
        "not " * 400 + "p",
    ],
)
def test_what_is_not_one_term_is_refused(text: str) -> None:
    """Nothing is read in part."""
    with pytest.raises(UnreadableError):
        read_term(text, KNOWN)


def test_a_declared_name_is_never_an_operator() -> None:
    """Names such as `and` in bars, `mod` or `le` are names where they are declared."""
    assert write_node(read_term("le < 3", {"le"}).node) == "(< le 3)"
