"""The check of an explanation: it names the line of the error, and the values and numbers of question and solutions."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from harness.domain import Exact
from harness.equations.line_reader import read_line
from harness.text.lexicon import english
from harness.text.numbers import NUMERAL, mentions, read_numeral
from harness.text.quantity_phrases import LINE_RESULT
from oracles.labels.audit.solution_lines import read_statement

LONGEST_EXPLANATION = 2_000
_PHRASES = english("explanations")
_LINE_NAMED = _PHRASES.pattern("line", after=r"#?(?P<number>[1-9][0-9]{0,3})\b(?!\.[0-9]|\s*[-+*/×=])")
_VALUE = rf"-?(?:{NUMERAL})(?:/[0-9]{{1,9}})?"
_SHOULD_BE = re.compile(
    rf"(?:{_PHRASES.either('right')}) \$?(?P<right>{_VALUE}),? (?:{_PHRASES.either('wrong')}) \$?(?P<wrong>{_VALUE})(?![\d,/]*\d)",
    re.ASCII,
)
# Noise of floats, and decimals that a line shows fewer of.
_NEAR = Fraction(1, 100)
_COMMON, _MOST_VALUES = {*range(13), 100}, 40


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A number as an explanation writes it, and its decimals."""

    value: Exact
    places: int

    def names(self, exact: Exact | None) -> bool:
        """Tell whether it is a value to its decimals, percent and the noise of floats apart.

        Lines show two decimals of what an explanation has more of. A value that could not be computed is accepted.
        """
        if exact is None:
            return True
        senses = [Fraction(exact), Fraction(exact) * 100]
        if any(abs(self.value - sense) * 10**self.places < 1 for sense in senses):
            return True
        return self.places > 2 and any(abs(self.value - sense) <= Fraction(1, 200) for sense in senses)


@dataclass(frozen=True, slots=True)
class ExplainedError:
    """What an explanation may say of an error.

    `lines` are those that it may name, any if there are none; `known` are the numbers of question and solutions, `None` where they are
    not known; `is_right` and `is_wrong` tell whether it may call a value so.
    """

    lines: Collection[str]
    known: frozenset[Exact] | None
    is_right: Callable[[StatedValue], bool]
    is_wrong: Callable[[StatedValue], bool]


@dataclass(frozen=True, slots=True)
class ExplanationObjection:
    """A passage of an explanation that contradicts its error, and what was expected; `doubtful` if it may be a constant."""

    start: int
    end: int
    expected: str
    doubtful: bool = False


def explanation_objections(text: str, error: ExplainedError) -> Iterator[ExplanationObjection]:
    """Yield the first line of an explanation that is not that of the error, numbers of nothing, and values called right or wrong that are not."""
    # `the result of line 2 (24)` only tells where 24 comes from.
    named = list(_LINE_NAMED.finditer(LINE_RESULT.sub(lambda match: " " * len(match[0]), text)))
    if named and error.lines and not any(f"L{match['number']}" in error.lines for match in named):
        yield ExplanationObjection(*named[0].span(), " or ".join(sorted(error.lines)))
    yield from _foreign_numbers(text, error)
    for match in _SHOULD_BE.finditer(text):
        for name, accepts in (("right", error.is_right), ("wrong", error.is_wrong)):
            value = _stated_value(match[name])
            if value is not None and not accepts(value):
                yield ExplanationObjection(*match.span(name), f"a {name} value of its line")


def _foreign_numbers(text: str, error: ExplainedError) -> Iterator[ExplanationObjection]:
    """Yield the numbers in digits that neither the question nor a solution has, and that no operation on their numbers gives."""
    if error.known is None:
        return
    worked = {equation.left.value for equation in read_line(text).equations}
    known = frozenset(error.known | {value for value in worked if value is not None})
    passed = [match.span() for match in _LINE_NAMED.finditer(text)]
    results: frozenset[Exact] | None = None
    for number in mentions(text):
        if not number.text[0].isdigit() or any(start <= number.start < end for start, end in passed):
            continue
        # Small counts and 100 percent stand in explanations without being anybody's.
        common = any(reading in _COMMON for reading in number.readings)
        if common or any(_is_known(reading, known) for reading in number.readings):
            continue
        results = _results_of_pairs(known) if results is None else results
        if not any(_is_known(reading, results) or _completes(reading, known) for reading in number.readings):
            yield ExplanationObjection(
                number.start, number.end, "a number of the question or of a solution", doubtful=True
            )


def _completes(value: Exact, known: frozenset[Exact]) -> bool:
    """Tell whether a number and a known one make a known one."""
    few = len(known) <= _MOST_VALUES
    return few and any(value - other in known or other - value in known for other in known)


def _results_of_pairs(values: frozenset[Exact]) -> frozenset[Exact]:
    """Return the results of one operation on two known numbers, where these are few."""
    known = [Fraction(value) for value in values] if len(values) <= _MOST_VALUES else []
    pairs = [(left, right) for left in known for right in known]
    results = {result for left, right in pairs for result in (left + right, abs(left - right), left * right)}
    return frozenset(results | {left / right for left, right in pairs if right})


def _is_known(value: Exact, known: frozenset[Exact]) -> bool:
    if value in known or -value in known or value * 100 in known or Fraction(value, 100) in known:
        return True
    return value.denominator != 1 and any(abs(Fraction(value) - other) < _NEAR for other in known)


# Most lines of a flawed solution are those of other flawed solutions of its problem.
@lru_cache(maxsize=8_192)
def numbers_of(line: str) -> frozenset[Exact]:
    """Return the numbers of a line, in digits and in words, and what the sides of its equations are."""
    statement = read_statement(line)
    sides = (side.value for equation in statement.equations for side in (equation.left, equation.right))
    readings = (reading for mention in mentions(line) for reading in mention.readings)
    return frozenset(value for value in (*statement.numbers, *readings, *sides) if value is not None)


def _stated_value(text: str) -> StatedValue | None:
    """Return a number's value and the decimals it is written with; `None` where it divides by zero."""
    top, _, bottom = text.removeprefix("-").partition("/")
    over, under = read_numeral(top), read_numeral(bottom) if bottom else 1
    if over is None or not under:
        return None
    value = Fraction(over) / under
    return StatedValue(-value if text.startswith("-") else value, 0 if bottom else len(top.partition(".")[2]))
