"""The domain of an input: the values that it may take, from its type, its sign and its role in the problem."""

from __future__ import annotations

import itertools
import math
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from harness.domain import Exact, Parameter
from harness.program.evaluation.evaluator import format_exact
from harness.text.lexicon import english
from harness.text.names import counted_and_unit, name_parts, name_words
from harness.text.nouns import singular_noun
from harness.text.numbers import mentions
from harness.text.units import is_counted, is_measured
from oracles.alignment.word_overlap import is_terse

_LISTS = english("input_domain")
LONGEST_PERCENT = 4
_PERCENT = _LISTS.words("percent")
_PART = _LISTS.words("part")
SHARE_WORDS = _PERCENT | _PART
_CONSTANT = _LISTS.words("constant")
_QUANTITY = _LISTS.words("quantity")
_BEYOND_WHOLE = _LISTS.words("beyond_whole")
_BEYOND_WHOLE_BEGINNINGS = _LISTS.ordered("beyond_whole_beginnings")
_LOWER, _UPPER = _LISTS.words("lower"), _LISTS.words("upper")
_GREATEST = tuple((frozenset(entry["words"].split()), int(entry["value"])) for entry in _LISTS.records("greatest"))


@dataclass(frozen=True, slots=True)
class InputDomain:
    """The integers or rationals between two bounds; `open_low` excludes the lower, `open_high` the upper bound.

    `guessed` says that the upper bound is a guess from the input's name and value: the input is called a share.
    """

    integral: bool
    low: Fraction | None
    high: Fraction | None
    open_low: bool = False
    open_high: bool = False
    guessed: bool = False

    def __contains__(self, value: int | Fraction) -> bool:
        """Tell whether the input may take the value."""
        if self.integral and value.denominator != 1:
            return False
        if self.low is not None and (value <= self.low if self.open_low else value < self.low):
            return False
        return not (self.high is not None and (value >= self.high if self.open_high else value > self.high))

    @property
    def positive(self) -> bool:
        """Tell whether every value is greater than zero."""
        return self.low is not None and (self.low > 0 or (self.low == 0 and self.open_low))

    def __str__(self) -> str:
        """Describe the domain as `integers >= 1` or `rationals > 0, <= 1 (<= 1 is guessed)`."""
        bounds = []
        if self.low is not None:
            bounds.append(f"{'>' if self.open_low else '>='} {format_exact(self.low)}")
        if self.high is not None:
            bounds.append(f"{'<' if self.open_high else '<='} {format_exact(self.high)}")
        values = " ".join([("integers" if self.integral else "rationals"), ", ".join(bounds)]).strip()
        return f"{values} ({bounds[-1]} is guessed)" if self.guessed else values

    def beside(self, certain: InputDomain) -> list[str]:
        """Return in words what is a guess: what the domain says and that of the same input without guesses does not."""
        guesses = []
        if self.integral and not certain.integral:
            guesses.append("whole, which its names and types leave open")
        if self.guessed and self.high is not None:
            guesses.append(f"at most {format_exact(self.high)}, a bound guessed from its name")
        return guesses

    def intersection(self, other: InputDomain) -> InputDomain:
        """Return the values that lie in both domains; it may be empty. Its bound is a guess where the tighter one is."""
        integral = self.integral or other.integral
        # Of two bounds of one value, the tighter one excludes it.
        lows = [(side.low, side.open_low) for side in (self, other) if side.low is not None]
        highs = [(side.high, not side.open_high) for side in (self, other) if side.high is not None]
        low, open_low = max(lows, default=(None, False))
        high, closed_high = min(highs, default=(None, True))
        certain = [side.high for side in (self, other) if side.high is not None and not side.guessed]
        guessed = (self.guessed or other.guessed) and high not in certain
        if integral and low is not None:
            low, open_low = Fraction(math.floor(low) + 1 if open_low else math.ceil(low)), False
        if integral and high is not None:
            high, closed_high = Fraction(math.floor(high) if closed_high else math.ceil(high) - 1), True
        return InputDomain(integral, low, high, open_low, not closed_high, guessed)


def domain_of(parameter: Parameter) -> InputDomain:
    """Return the values a parameter may take: its role keeps sign, integrality and range.

    An input stated as a positive number stays positive, a zero stays non-negative, a negative number stays negative.
    `int` inputs with a whole value range over integers. A share stays at most the whole (`share_cap`), which is a guess.
    """
    return joint_domain(parameter, parameter)


def joint_domain(
    left: Parameter, right: Parameter, *, guesses: bool = True, measured: Container[Exact] = ()
) -> InputDomain:
    """Return the values that two aligned parameters may both take: integers where they count, or both are typed as `int`.

    People, days and boxes count, whatever an author typed. What one side types as `float` is real if a name speaks of money, a length or a
    share, or its value is among those `measured`. Without `guesses` it is real, too, where no name speaks of a count, unless both are
    initials, and a share has no cap. That cap needs one of them to be called a share, and neither to be something that may exceed the whole.
    """
    whole, typed, measures, counts = zip(wholeness(left), wholeness(right), strict=True)
    counted = guesses or any(counts) or (is_terse(left) and is_terse(right))
    real = left.value in measured or any(measures) or not counted
    integral = all(whole) and (all(typed) or (not real and (any(typed) or any(counts))))
    domain = _typed_domain(left, integral=integral).intersection(_typed_domain(right, integral=integral))
    caps = [cap for own in (left, right) if guesses and (cap := share_cap(own)) is not None]
    if not caps or _exceeds_whole(left) or _exceeds_whole(right):
        return domain
    return replace(domain, high=max(caps), guessed=True)


@lru_cache(maxsize=64)
def measured_values(text: str) -> frozenset[Exact]:
    """Return the numbers of a text that stand beside what measures, and does not count: 62 of `$62` and of `62 liters`."""
    return frozenset(
        value
        for number in mentions(text)
        if is_measured(
            [
                text[number.start - 1 : number.start],
                *name_words(text[number.end : number.end + 40].partition(" ")[2].partition(" ")[0]),
            ]
        )
        for value in number.readings
    )


def greatest_value(parameter: Parameter) -> int | None:
    """Return the greatest sensible value of an input, by its words; `None` where they set none."""
    words = frozenset(map(singular_noun, name_words(parameter.name)))
    return min((value for needed, value in _GREATEST if words.issuperset(needed)), default=None)


def bound_orders(parameters: Sequence[Parameter]) -> list[tuple[int, int]]:
    """Return the inputs, by index, that are the lower and the upper bound of one quantity: `min_age` and `max_age`."""
    orders = []
    for (low, first), (high, second) in itertools.permutations(enumerate(parameters), 2):
        words = set(name_words(first.name)), set(name_words(second.name))
        lower, upper = words[0] & _LOWER, words[1] & _UPPER
        if lower and upper and words[0] - lower == words[1] - upper and first.value <= second.value:
            orders.append((low, high))
    return orders


def pair_name(left: Parameter, right: Parameter) -> str:
    """Return the name of a pair of aligned inputs, `left|right` where they differ."""
    return left.name if left.name == right.name else f"{left.name}|{right.name}"


class Wholeness(NamedTuple):
    """All that decides whether two aligned parameters range over integers: a parameter's value is whole, its type is `int`, its name measures or counts."""

    whole: bool
    typed: bool
    measured: bool
    counted: bool


def wholeness(parameter: Parameter) -> Wholeness:
    """Return what makes a parameter range over integers or reals."""
    words, whole = _head_words(parameter.name), Fraction(parameter.value).denominator == 1
    return Wholeness(whole, parameter.type == "int", is_measured(words), is_counted(words))


def _typed_domain(parameter: Parameter, *, integral: bool) -> InputDomain:
    value = Fraction(parameter.value)
    if value < 0:
        return InputDomain(integral, None, Fraction(-1 if integral else 0), open_high=not integral)
    if value == 0:
        return InputDomain(integral, Fraction(0), None)
    return InputDomain(integral, Fraction(1 if integral else 0), None, open_low=not integral)


def share_cap(parameter: Parameter) -> Fraction | None:
    """Return the value of the whole of which the parameter is a share: 1 or 100; `None` where it is no share.

    Its own name must call it a percentage (with a value below 100) or a fraction (with a value below 1), and not a
    quantity, a constant or something that may exceed the whole. A word of the comment never makes a share: `# half of them`
    mostly speaks of another number.
    """
    words = name_words(parameter.name)
    cap = None
    if not _PERCENT.isdisjoint(words):
        cap = _percentage_cap(parameter, words)
    elif words and not _PART.isdisjoint((words[0], words[-1])) and parameter.value < 1:
        cap = Fraction(1) if "of" in words[1:2] or _QUANTITY.isdisjoint(words) else None
    if cap is None or parameter.value <= 0 or not _CONSTANT.isdisjoint(words) or _exceeds_whole(parameter):
        return None
    return cap


def _percentage_cap(parameter: Parameter, words: tuple[str, ...]) -> Fraction | None:
    parts = itertools.pairwise(name_parts(parameter.name))
    short = ((number, word) for number, word in parts if number.isdecimal() and len(number) <= LONGEST_PERCENT)
    stated = next((int(number) for number, word in short if word in _PERCENT), None)
    if words[-1] in _QUANTITY or stated not in (None, parameter.value, 100 * parameter.value):
        return None
    return Fraction(1) if parameter.value < 1 else Fraction(100) if parameter.value < 100 else None


def _exceeds_whole(parameter: Parameter) -> bool:
    """Tell whether the name or the comment mentions an increase or a comparison, which may exceed the whole."""
    words = {*name_words(parameter.name), *name_words(parameter.comment)}
    return not _BEYOND_WHOLE.isdisjoint(words) or any(word.startswith(_BEYOND_WHOLE_BEGINNINGS) for word in words)


@lru_cache(maxsize=4_096)
def _head_words(name: str) -> tuple[str, ...]:
    """Return the words of a name up to what it is counted or measured by: `eggs` of `eggs_per_day`."""
    return tuple(counted_and_unit(name_words(name))[0])
