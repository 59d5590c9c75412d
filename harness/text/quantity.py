"""A text that is one quantity, read to its last character: a number with its sign, currency, notation and unit."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain, product

from harness.text.characters import seen
from harness.text.lexicon import english
from harness.text.markup import without_latex
from harness.text.nouns import FUNCTION_WORDS, phrase_at
from harness.text.numbers import GROUPS, SCALES, mentions, read_words
from harness.text.units import singular_unit, sizes, sizes_in

LONGEST_QUANTITY = 200
LARGEST_EXPONENT = 300
CURRENCIES = "$€£¥₹"
_CODES = "|".join(sorted(english("units").words("currency_codes")))
_MINUS = str.maketrans("−–", "--")
_CURRENCY = re.compile(rf"(?:(?:US)?[{CURRENCIES}]|(?:{_CODES})(?=[\s\d]))\s?")
_SCIENTIFIC = re.compile(
    r"(?P<number>\d+(?:\.\d+)?)(?:[eE]|\s?[×·*x]\s?10\s?\^\s?(?P<brace>\{)?)"
    r"(?P<exponent>[-+]?\d{1,4})(?(brace)\})"
)
_OTHER_MARKS = str.maketrans(".,", ",.")
_WRAPPED = (
    re.compile(r"\$\$([^$]+)\$\$|\$(?=\D)([^$]+)\$|\$(\d[^$]*)\$"),
    re.compile(r"\\\((.+)\\\)|\\\[(.+)\\\]", re.DOTALL),
    re.compile(r"\\(?:boxed|fbox|text|textbf|mathrm|mathbf)\s?\{([^{}]+|.+)\}", re.DOTALL),
    re.compile(r"\*\*([^*]+)\*\*|\*([^*]+)\*|__([^_]+)__|`([^`]+)`|\"([^\"]+)\"|“([^”]+)”"),
    re.compile(r"[A-Za-z]\s?=([^=]+)"),
)
"""What stands around an answer: the marks of mathematics, a box, emphasis, quotation marks, the variable that it is the value of."""
_NOTATIONS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (
        re.compile(r"(?<![\d.,])\d{1,3}(?:(\{,\}|\\,|['’_\u00a0\u2009\u202f])\d{3}(?:\1\d{3})*)(?![\d,])"),
        lambda match: match.group().replace(match[1], ","),
    ),
    (
        # Both marks, each in one place of its own: no other reading.
        re.compile(r"(?<![\d.,])\d{1,3}(?:\.\d{3})+,\d{2}(?![\d.,])"),
        lambda match: match.group().translate(_OTHER_MARKS),
    ),
    (re.compile(r"\s?\^\s?(?:\\circ|\{\s?\\circ\s?\})|\s?°"), "°"),
    (re.compile(r"°\s?[CF]?(?![\w'])"), " degrees"),
    (re.compile(r"(?:\s|\\[,;: ]|~)+"), " "),
    (re.compile(r"(?<=\d) and (?=\d+ ?/ ?\d+)"), " "),
)
"""Notations of LaTeX, of thousands and of degrees, as plain text."""
_AMBIGUOUS = re.compile(r"\d ?-|/ ?0|^0\d+ ?/|^[A-Za-z]+(?:rd|th)$")
"""A difference or a mixed number, a fraction of nothing or a date, and an ordinal number or a fraction."""
_DECIMALS = re.compile(r"[\d,]*\.(\d+) ?%?(?: ?per ?cent)?")
_COUNTED = frozenset({*SCALES, *GROUPS})
_POWER, _RATE = re.compile(r" ?(?:\^ ?(?:[23]|\{[23]\})|[²³])"), re.compile(r"(?: per (?:1 )?|/)([a-z]+)")
_ONE_NOUN = re.compile(r" ([a-z]{2,})")
_NEXT_AMOUNT = re.compile(r",? (?:and )?(?=\d)")
_CLOCK = english("equations").pattern("clock")
_GLUED_UNIT = re.compile(r"[ -]?([A-Za-z]+|[¢€£$])")
_SCALE_LETTERS = frozenset("BKM")
"""Letters that count thousands or more, which no unit is written with."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity: its exact value, of `25%` 25; `places` are its written decimals, `percent` says that it was written with a percent sign.

    `unit` are the words or the sign after the number, or the currency before it, as they are written; empty where there is none.
    `count` is what is counted of a `million` or a `dozen`, `None` where the number has no such word; `summed` says that it was written in
    several units, `unit` being the last of them.
    """

    value: Fraction
    places: int = 0
    percent: bool = False
    unit: str = ""
    count: Fraction | None = None
    summed: bool = False

    def is_also(self, value: Fraction) -> bool:
        """Tell whether a number without a unit may be this quantity in another unit: 60 may be `5 dozen`, 120 `2 hours`."""
        number = abs(self.value)
        own = sizes(singular_unit(self.unit))
        ratios = (number * size / other for name, (size, *_) in own.items() for other in sizes_in(name))
        return abs(value) == self.count or abs(value) in ratios

    def ratios(self, other: Quantity) -> frozenset[Fraction]:
        """Return how many of another quantity's unit the unit of this one may be, empty where they measure different things."""
        mine, theirs = sizes(singular_unit(self.unit)), sizes(singular_unit(other.unit))
        pairs = chain.from_iterable(product(mine[name], theirs[name]) for name in mine.keys() & theirs.keys())
        return frozenset(Fraction(size) / part for size, part in pairs)


# An answer is read for each program and each flawed solution of its problem.
@lru_cache(maxsize=4_096)
def read_quantity(text: str) -> Quantity | None:
    r"""Read `1,250`, `$18.50`, `25%`, `3/4`, `\frac{3}{4}`, `1 1/2`, `-5`, `1.2 million`, `twelve`, `72 apples`, or `5 feet 6 inches` as 66 inches.

    `None` where a part of the text is not read: `2:3`, `6:35 p.m.`, `3,5`, `6*7 = 42`.
    """
    if len(text) > LONGEST_QUANTITY:
        return None
    plain = unwrapped(seen(text).translate(_MINUS))
    for pattern, replacement in _NOTATIONS:
        plain = pattern.sub(replacement, plain)
    return _amount(" ".join(without_latex(plain).split()))


def _amount(plain: str) -> Quantity | None:
    """Return the quantity that a text in plain notation is, to its last character."""
    negative, start = plain.startswith("-"), int(plain.startswith(("-", "+")))
    currency = _CURRENCY.match(plain, start)
    if currency is not None:
        start = currency.end()
        if not negative and plain.startswith("-", start):
            negative, start = True, start + 1
    found = _number_at(plain, start)
    if found is None:
        return None
    number, end = found
    unit = _unit(plain[end:], number.value)
    if unit is None and start == 0:
        return _of_several_units(number.value, plain[end:])
    if unit is None or (unit and currency is not None):
        return None
    value = -number.value if negative else number.value
    return replace(number, value=value, unit=unit if currency is None else currency[0].strip())


def _of_several_units(first: Fraction, words: str) -> Quantity | None:
    """Return an amount in units of which each is a whole number of the next, as one in the last of them: of `2 hours 35 minutes` 155 minutes.

    An amount of the next unit that would make one of the unit before it may be another one, and is not read.
    """
    glued = _GLUED_UNIT.match(words)
    joint = None if glued is None else _NEXT_AMOUNT.match(words, glued.end())
    rest = None if joint is None else _amount(words[joint.end() :])
    if glued is None or rest is None or rest.value < 0 or first.denominator != 1:
        return None
    ratios = replace(rest, unit=glued[1]).ratios(rest)
    ratio = min(ratios, default=Fraction(0))
    if len(ratios) != 1 or ratio.denominator != 1 or rest.value >= ratio:
        return None
    return replace(rest, value=first * ratio + rest.value, summed=True)


def _number_at(text: str, start: int) -> tuple[Quantity, int] | None:
    """Return the number at a place of a text and where it ends."""
    power = _SCIENTIFIC.match(text, start)
    if power is not None:
        if abs(int(power["exponent"])) > LARGEST_EXPONENT:
            return None
        return Quantity(Fraction(power["number"]) * Fraction(10) ** int(power["exponent"])), power.end()
    first = next(iter(mentions(text)), None)
    if first is None or first.start != start or _AMBIGUOUS.search(first.text):
        return None
    percent = first.text.lower().endswith(("%", "percent", "per cent"))
    counted = len(first.readings) > 1 and first.text.split()[-1].lower() in _COUNTED
    decimals = _DECIMALS.fullmatch(first.text)
    places = 0 if decimals is None else len(decimals[1])
    count = Fraction(first.readings[1]) if counted else None
    return Quantity(Fraction(first.readings[int(percent)]), places, percent, count=count), first.end


def unwrapped(text: str) -> str:
    """Return a text without the marks of mathematics, boxes and emphasis around it, and without its full stop."""
    before = None
    while before != text:
        before, text = text, text.strip()
        if text.endswith(".") and not text.endswith(".."):
            text = text[:-1]
        for pattern in _WRAPPED:
            match = pattern.fullmatch(text)
            if match is not None:
                text = next(group for group in match.groups() if group is not None)
    return text


def _unit(words: str, value: Fraction) -> str | None:
    """Return the unit after a number, empty where nothing follows, `None` where anything else does."""
    if not words.strip():
        return ""
    if words.strip() in _SCALE_LETTERS:
        return None
    glued = _GLUED_UNIT.match(words)
    phrase = phrase_at(words, 0)
    one = _ONE_NOUN.match(words)
    if glued is not None and (
        glued[1] in "¢€£$" or sizes(singular_unit(glued[1])) or _CURRENCY.fullmatch(f"{glued[1]} ")
    ):
        power = _POWER.match(words, glued.end())
        end = glued.end() if power is None else power.end()
    elif phrase is not None and read_words(phrase.noun) is None:
        end = phrase.end
    elif one is not None and value == 1 and one[1] not in FUNCTION_WORDS and not _CLOCK.match(one[1]):
        end = one.end()
    else:
        return None
    rate = _RATE.match(words, end)
    end = end if rate is None else rate.end()
    power = None if rate is None else _POWER.match(words, end)
    end = end if power is None else power.end()
    return words.strip() if end == len(words) else None
