"""Resolution of the operands of a solution to earlier results, numbers of the question or world knowledge.

These three are tried in this order. Where several results or numbers of the question have the value, `Scope._meant`
weighs the evidence for each. On a tie, a result comes before a number of the question; of several results the latest
comes first, of several numbers of the question the first one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from generators.formalizations.solution_equations import LineEquation
from generators.formalizations.template_writer import TemplateWriter, Variable
from generators.formalizations.variable_names import content_words, is_content, name_after, quote
from harness.domain import Exact
from harness.equations.equation import Expression, Number, Operation, ParenthesizedExpression
from harness.text.lexicon import english
from harness.text.markup import without_annotations
from harness.text.numbers import NumberMention, mentions, whole_as_int

BEFORE, AFTER = 30, 40
"""The characters before and after a number that count as its surroundings."""
UNIT = 20
"""The characters after a number that may hold its noun."""
BESIDE = 30
"""The distance in characters within which numbers of the question are neighbours."""
CONVERSIONS: dict[Exact, frozenset[str]] = {
    whole_as_int(Fraction(value)): frozenset(nouns.split())
    for value, nouns in english("conversion_factors").mapping("nouns").items()
}
"""By value, the nouns, without a plural s, that stand right after a number which converts units: 60 seconds, 24 hours."""
_NEVER = -100
"""The weight of an impossible meaning: the 2 of `half` is never added or subtracted."""
_HUNDREDS = frozenset((100, Fraction(1, 100)))
_NUMERIC = frozenset("0123456789.,")
_ENDED = re.compile(r"(?!\d|[.,]\d)")
_WORD_OR_STOP = re.compile(r"[a-z]+|[\d.,;=]")


class SolutionLine:
    """A line of the solution, with the words that tell what its numbers are."""

    def __init__(self, text: str, number: int) -> None:
        """Read nothing yet: most lines leave no doubt about their numbers."""
        self.text = text
        self.number = number

    @cached_property
    def prose(self) -> str:
        """Return the line without annotations."""
        return without_annotations(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """Return the content words."""
        return content_words(self.prose)

    def places(self, written: str) -> list[int]:
        """Return where the prose has a number, written like this."""
        return [
            match.start()
            for match in re.finditer(re.escape(written), self.prose)
            if (self.prose[match.start() - 1 : match.start()] or " ") not in _NUMERIC
            and _ENDED.match(self.prose, match.end())
        ]

    def nouns(self, written: str) -> frozenset[str]:
        """Return the words right after a number wherever the prose has it, written like this."""
        return frozenset[str]().union(
            *(first_words(self.prose, place + len(written)) for place in self.places(written))
        )

    def has_dollar(self, written: str) -> bool:
        """Tell whether a dollar sign stands before a number somewhere in the prose."""
        return any(self.prose.endswith(("$", "$ "), 0, place) for place in self.places(written))

    def has_percent(self, written: str) -> bool:
        """Tell whether a per cent sign stands after a number somewhere in the prose."""
        return any(
            self.prose.startswith(("%", " %", " percent"), place + len(written)) for place in self.places(written)
        )


def first_words(text: str, start: int) -> frozenset[str]:
    """Return the first one or two content words after a place, up to the next number, without a plural s."""
    words: list[str] = []
    for word in _WORD_OR_STOP.findall(text[start : start + UNIT].lower()):
        if not word.isalpha() or len(words) == 2:
            break
        if is_content(word):
            words.append(word.rstrip("s"))
    return frozenset(words)


class Operand(NamedTuple):
    """A number on the left side of an equation of a line.

    `divides` tells whether it is a divisor, `term` whether it is added or subtracted by itself, `later` how often its value
    is an operand afterwards, `others` are the other operands of the equation.
    """

    value: Exact
    text: str
    line: SolutionLine
    divides: bool
    term: bool
    later: int
    others: tuple[Exact, ...]

    @property
    def is_percentage(self) -> bool:
        """Tell whether its line makes hundredths of it."""
        return not _HUNDREDS.isdisjoint((self.value, *self.others)) or self.line.has_percent(self.text)


def operands_of(equation: LineEquation, line: SolutionLine, later: Sequence[Exact]) -> list[Operand]:
    """Return the operands of an equation; `later` are the operands of the equations that follow."""
    signs = dict(_signs(equation.left, ""))
    values = [number.value or 0 for number in equation.operands]
    return [
        Operand(
            value,
            line.text[number.start : number.end],
            line,
            divides=signs[number.start] == "/",
            term=signs[number.start] in {"+", "-"},
            later=later.count(value) + values[place + 1 :].count(value),
            others=tuple(other for other in values if other != value),
        )
        for place, (value, number) in enumerate(zip(values, equation.operands, strict=True))
    ]


def _signs(node: Expression, sign: str) -> list[tuple[int, str]]:
    """Return where each number starts and the sign that joins it: of a division, the sign is `/` only for the divisor."""
    if isinstance(node, Number):
        return [(node.start, sign)]
    if isinstance(node, Operation):
        left, right = ("*", "/") if node.operator in {"/", "//"} else (node.operator, node.operator)
        return [*_signs(node.left, left), *_signs(node.right, right)]
    return _signs(node.inner, sign if isinstance(node, ParenthesizedExpression) else "-")


class _Candidate(NamedTuple):
    """A possible meaning of an operand: a result or a number of the question, with its words.

    `used` is the last line that used it, 0 before any did.
    """

    meant: Variable | NumberMention
    nouns: frozenset[str]
    words: frozenset[str]
    place: int
    weight: int
    used: int


@dataclass(slots=True)
class Scope:
    """The variables of a solution while its lines are read; inputs are written when they are used first."""

    question: str
    writer: TemplateWriter
    mentions: list[NumberMention] = field(init=False)
    _stated: dict[Exact, list[NumberMention]] = field(default_factory=dict)
    _results: dict[Exact, list[tuple[Variable, SolutionLine]]] = field(default_factory=dict)
    _inputs: dict[tuple[int, Exact], Variable] = field(default_factory=dict)
    _fractions: set[tuple[Exact, Exact]] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Read the numbers of the question."""
        self.mentions = mentions(self.question)
        for mention in self.mentions:
            first, *others = mention.readings
            if first.denominator > 1 and len(others) == 2:
                in_digits = mention.text[0].isdigit()
                self._fractions.add((others[0], others[1]) if in_digits else (others[1], others[0]))
            # Not the size of the groups that a number counts, nor the one of a third.
            meant = others[:1] if len(others) == 2 and first.denominator == 1 else [one for one in others if one != 1]
            for value in (first, *meant):
                self._stated.setdefault(value, []).append(mention)

    def is_fraction(self, top: Exact, bottom: Exact) -> bool:
        """Tell whether a division is a fraction of the question or one that an earlier line gave."""
        part = Fraction(top) / bottom
        return (top, bottom) in self._fractions or (part.denominator != 1 and part in self._results)

    def add_result(self, variable: Variable, line: SolutionLine) -> None:
        """Add the result of a line."""
        self._results.setdefault(variable.value, []).append((variable, line))

    def resolve(self, operand: Operand) -> Variable:
        """Return the variable an operand stands for."""
        value, line = operand.value, operand.line
        results = self._results.get(value, [])
        stated = [
            mention
            for mention in self._stated.get(value, [])
            if mention.readings[0] == value or not _is_percent(mention) or operand.is_percentage
        ]
        chosen: Variable | NumberMention | None = None
        if results or (stated and not self._converts(operand, stated)):
            chosen = self._meant(results, stated, operand)
        if isinstance(chosen, Variable):
            chosen.line = line.number
            return chosen
        place = -1 if chosen is None else chosen.start
        if (place, value) not in self._inputs:
            if chosen is None:
                start = line.text.find(operand.text)
                name = name_after(line.text, start + len(operand.text), start, fallback="constant")
                comment = None
            else:
                name = name_after(self.question, chosen.end, chosen.start, fallback="number")
                comment = quote(self.question, chosen.start, chosen.end)
            self._inputs[place, value] = self.writer.give(name, value, comment)
        self._inputs[place, value].line = line.number
        return self._inputs[place, value]

    def _converts(self, operand: Operand, stated: list[NumberMention]) -> bool:
        """Tell whether the line says by the noun that a number converts units, where no number of the question has it."""
        nouns = operand.line.nouns(operand.text) if operand.value in CONVERSIONS else frozenset()
        if nouns.isdisjoint(CONVERSIONS.get(operand.value, ())):
            return False
        return not any(nouns & first_words(self.question, mention.end) for mention in stated)

    def _meant(
        self, results: list[tuple[Variable, SolutionLine]], stated: list[NumberMention], operand: Operand
    ) -> Variable | NumberMention:
        """Return the result or the number of the question that an operand stands for; there is at least one.

        The evidence is the noun right after the number, the words around it, other numbers of the equation that stand beside
        it in the question, that nothing has used it yet, and that a result which no later line can use must be used now.
        """
        line = operand.line
        if len(results) + len(stated) == 1:
            return results[0][0] if results else stated[0]
        nouns, words = line.nouns(operand.text), line.words
        urgency = 4 if sum(variable.line == 0 for variable, _ in results) > operand.later else -1
        candidates = [
            _Candidate(
                variable, own.nouns(operand.text), own.words, -place, 0 if variable.line else urgency, variable.line
            )
            for place, (variable, own) in enumerate(results)
        ]
        dollar = line.has_dollar(operand.text)
        beside = [
            self._stated[value][0].start
            for value in operand.others
            if value not in self._results and len(self._stated.get(value, ())) == 1
        ]
        for mention in stated:
            start, known = mention.start, self._inputs.get((mention.start, operand.value))
            weight = 2 * any(abs(start - place) < BESIDE for place in beside)
            if mention.readings[0] != operand.value and mention.readings[0] < 1 and not _is_percent(mention):
                weight += 1 if operand.divides else _NEVER if operand.term else -2
            if _is_percent(mention) and operand.is_percentage:
                weight += 3
            if dollar:
                weight += 3 if self.question.endswith(("$", "$ "), 0, start) else -2
            around = content_words(self._around(mention))
            own = first_words(self.question, mention.end)
            candidates.append(_Candidate(mention, own, around, start, weight, 0 if known is None else known.line))

        def rank(candidate: _Candidate) -> tuple[int, bool, bool, int]:
            weight = candidate.weight + 3 * bool(nouns & candidate.nouns) + min(3, len(words & candidate.words))
            weight += bool(words & candidate.nouns)
            weight += 2 * (candidate.used == 0) - 2 * (candidate.used == line.number)
            return (-weight, candidate.used > 0, not isinstance(candidate.meant, Variable), candidate.place)

        return min(candidates, key=rank).meant

    def _around(self, mention: NumberMention) -> str:
        """Return the words around a number of the question, as far as the numbers before and after it."""
        before = [other.end for other in self.mentions if other.end <= mention.start]
        after = [other.start for other in self.mentions if other.start >= mention.end]
        start = max([mention.start - BEFORE, 0, *before[-1:]])
        return self.question[start : min([mention.end + AFTER, *after[:1]])]


def _is_percent(mention: NumberMention) -> bool:
    """Tell whether a mention is a percentage."""
    return mention.text.endswith(("%", "percent", "per cent"))
