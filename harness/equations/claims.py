"""Which false equations of a text its author claims: not one that is supposed, asked or rejected, and not one that holds by a convention of the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from harness.equations.equation import Number, Operation
from harness.equations.truth import evaluate
from harness.text.lexicon import english
from harness.text.markup import ANNOTATION
from harness.text.nouns import FUNCTION_WORDS
from harness.text.numbers import MULTIPLES
from harness.text.operation_words import SAYING
from harness.text.sentences import FINITE, sentences_of

if TYPE_CHECKING:
    from harness.domain import Exact
    from harness.equations.equation import Expression, StatedEquation

REJECTED = "the text may reject it"
CONVENTION = "a convention of the text may make it true"
LARGEST_BASE = 16
_LISTS = english("claims")
_SUPPOSING, _REPORTING, _ASSERTING = _LISTS.words("supposing"), _LISTS.words("reporting"), _LISTS.words("asserting")
_LIGHT, _AMOUNTS, _INDEFINITE = _LISTS.words("light"), _LISTS.words("amounts"), _LISTS.words("indefinite")
_INVERTED = _LISTS.words("inverted")
_MARKS = _LISTS.pattern("marks")
_TURNING = _LISTS.pattern(
    "turning",
    r"(?:^|[.!?;,:—–(]|-\s)\W{0,4}",
    r"(?:\W{0,3}$|\s?[,.:;!?…—]|\s(?=that|this|it|i|we|let|the|no|wait|actually)\b)",
)
_FAILING, _NEGATED = _LISTS.pattern("failing", r"\b", r"\b"), _LISTS.pattern("negated", r"[\s,)$]*(?:\w+ )?", r"\b")
_VERBS, _CLAUSE = _LISTS.words("verbs"), _LISTS.pattern("clause")
_ASKING = _LISTS.pattern("asking", r"\W*", r"\b")
_ROUNDING = _LISTS.pattern("rounding", r"\b", r"")
_BASES = _LISTS.pattern("bases", r"\b", r"\b")
_MODULI = {int(modulus): re.compile(cue, re.IGNORECASE) for modulus, cue in _LISTS.mapping("moduli").items()}
_MODULUS = _LISTS.pattern("modulus", r"\b", r"[^.?!\d]{0,30}?(\d{1,6})(?![\d.]\d)")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_DEFINITION = re.compile(
    r"(?<![^\W_])([a-z])\s?([-−–+*×·÷/@^x]|\\times|\\cdot)\s?([a-z])(?![^\W_])(?:\s?=|(?:\s[a-z]{2,12}){1,4})\s?([^.,;?!\n]{1,40})",
    re.IGNORECASE,
)
_LONG_WORD = re.compile(r"[^\W\d_]{3}")
_OPERATIONS = frozenset(" ".join(SAYING.values()).split())
_KNOWN = (FINITE | FUNCTION_WORDS | _ASSERTING | _AMOUNTS | _OPERATIONS) - MULTIPLES.keys()
_JOINT = re.compile(r"[,;(=]\s*")


def claim_doubt(equation: StatedEquation, line: str) -> str:
    """Return why the author of a line may not claim a false equation in it, empty where the line is read as its statement.

    An equation that is an amount in its sentence (`she wants 3*4=13 eggs`) is claimed; one that is a sentence of its own has the mood of
    the words that govern it: `suppose 3*4=13`, `someone says that 3*4=13`, `3*4=13 cannot be`.
    """
    if equation.annotation:
        return ""
    prose = ANNOTATION.sub(lambda match: " " * len(match.group()), line)
    sentences = sentences_of(prose)
    place = max((at for at, each in enumerate(sentences) if each.start <= equation.start), default=0)
    start, end = sentences[place].start, max(sentences[place].end, equation.end)
    before, after = prose[start : equation.start], prose[equation.end : end]
    if _MARKS.search(prose) or _TURNING.search(prose, start):
        return REJECTED
    asked = after.partition("?")
    is_asked = asked[1] and ((len(asked[0]) <= 30 and "=" not in asked[0]) or _ASKING.match(before))
    return REJECTED if is_asked or _is_rejected(equation, after) or not _is_asserted(equation, before) else ""


def takes_back(text: str) -> bool:
    """Tell whether a text begins a clause with a word such as `Wait` or `Sorry`, or says that something is wrong."""
    return _TURNING.search(text) is not None or _FAILING.search(text) is not None


def _is_rejected(equation: StatedEquation, after: str) -> bool:
    """Tell whether what follows an equation says that it does not hold; of an amount, `16 answers wrong`, only a clause of its own does."""
    amount = _counts(equation)
    clause = _CLAUSE.search(after) if amount else None
    start = (clause.start() if clause else len(after)) if amount else 0
    negated = _NEGATED.match(after) or (clause and not clause[0].isalpha() and _NEGATED.match(after, start))
    return bool(negated) or _FAILING.search(after, start) is not None


def _counts(equation: StatedEquation) -> bool:
    """Tell whether a noun follows the number on the right, `5 eggs` or `5 of the eggs`, so that the equation is an amount of things."""
    unit = equation.right.unit if isinstance(equation.right, Number) else ""
    return bool(unit) and unit not in _VERBS and (unit == "of" or unit not in FUNCTION_WORDS or unit in FINITE)


def _is_asserted(equation: StatedEquation, before: str) -> bool:
    """Tell whether the words before an equation in its sentence claim it; those before one without a unit have to be known."""
    clause = _JOINT.split(before)[-1]
    words = [word.lower().replace("’", "'") for word in _WORD.findall(clause)]
    bare = not _counts(equation)
    last, second = words[-1] if words else "", words[-2] if words[1:] else ""
    if last == "of":
        # `the ones digit of 3*4`, but `a total of 3*4`
        return not bare or not second or second in _AMOUNTS or not _INDEFINITE.isdisjoint(words[-5:-2])
    while len(words) > 1 and words[-1] in _LIGHT:
        words.pop()
    if not words:
        return True
    governor = words[-1]
    if last == "that":
        return governor in _ASSERTING
    if governor in _SUPPOSING or (bare and (governor in _REPORTING or words[0] in _INVERTED)):
        return False
    read = len(last) < 2 or last in _KNOWN or (second in _KNOWN and second not in _INDEFINITE)
    return not bare or read or clause.rstrip(" $*").endswith(":")


@dataclass(frozen=True, slots=True)
class Conventions:
    """What a text states of how its equations are meant: numbers modulo, digits in a base, signs of its own, results rounded."""

    moduli: frozenset[int]
    cyclic: frozenset[int]
    in_bases: bool
    signs: frozenset[str]
    rounds: bool

    def may_hold(self, equation: StatedEquation, line: str) -> bool:
        """Tell whether an equation may hold by a convention."""
        left, right = equation.left, equation.right
        if left.value is None or right.value is None:
            return True
        apart = Fraction(left.value) - Fraction(right.value)
        if any(apart % modulus == 0 for modulus in self.moduli):
            return True
        added = isinstance(left, Operation) and left.operator in "+-"
        if added and any(
            apart % modulus == 0 and 0 <= right.value <= modulus and abs(apart) <= 2 * modulus
            for modulus in self.cyclic
        ):
            return True
        if self.signs and not self.signs.isdisjoint(_signs(left, line) | _signs(right, line)):
            return True
        if self.in_bases and any(_holds_in(base, equation, line) for base in range(2, LARGEST_BASE + 1)):
            return True
        zeros = len(str(right.value)) - len(str(right.value).rstrip("0"))
        return self.rounds and 2 * abs(apart) <= 10**zeros


@lru_cache(maxsize=1_024)
def conventions_of(text: str) -> Conventions:
    """Return the conventions that a problem or a solution states."""
    return Conventions(
        frozenset(int(match[1]) for match in _MODULUS.finditer(text)) - {0, 1},
        frozenset(modulus for modulus, cue in _MODULI.items() if cue.search(text)),
        _BASES.search(text) is not None,
        frozenset(
            match[2]
            for match in _DEFINITION.finditer(text)
            if {match[1], match[3]} <= set(_LONG_WORD.split(match[4])[0])
        ),
        _ROUNDING.search(text) is not None,
    )


def _signs(expression: Expression, line: str) -> set[str]:
    if isinstance(expression, Operation):
        own = {line[expression.sign_start : expression.sign_end].strip()}
        return own | _signs(expression.left, line) | _signs(expression.right, line)
    return set() if isinstance(expression, Number) else _signs(expression.inner, line)


def _holds_in(base: int, equation: StatedEquation, line: str) -> bool:
    """Tell whether an equation holds where the digits of its numbers are those of a base."""

    def read(number: Number) -> Exact | None:
        try:
            return int(line[number.start : number.end], base)
        except ValueError:
            return None

    left = evaluate(equation.left, read)
    return left is not None and left == evaluate(equation.right, read)
