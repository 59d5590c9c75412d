"""Resolution of the operands of annotations to earlier results, numbers of the question or world knowledge.

These three are tried in this order. Where several results or numbers of the question have the value, `Scope._meant`
weighs the evidence for each: the noun right after the number, the words around it, other numbers of the line that stand
beside it in the question, that nothing has used it yet, and that a result which no later line can use must be used now.
On a tie, a result comes before a number of the question; of several results the latest comes first, of several numbers
of the question the first one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from generators.formalizations.annotation.arithmetic import CONVERSIONS
from generators.formalizations.annotation.variable_names import content_words, is_content, name_after, quote
from harness.domain import Exact
from harness.text.markup import ANNOTATION, without_annotations
from harness.text.names import unused_name
from harness.text.numbers import NumberMention, mentions

BEFORE, AFTER = 30, 40
"""The characters before and after a number that count as its surroundings."""
UNIT = 20
"""The characters after a number that may hold its noun."""
BESIDE = 30
"""The distance in characters within which numbers of the question are neighbours."""


_NEVER = -100
"""The weight of an impossible meaning: the 2 of `half` is never added or subtracted."""


@dataclass(slots=True)
class Variable:
    """A variable of the template: an input with the words of the question around it, or a result.

    `line` is the last line that used it, 0 before any did.
    """

    name: str
    value: Exact
    comment: str | None = None
    line: int = 0


class AnnotatedLine:
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
        prose, places = self.prose, []
        at = prose.find(written)
        while at >= 0:
            end = at + len(written)
            if (prose[at - 1 : at] or " ") not in _NUMERIC and _ENDED.match(prose, end):
                places.append(at)
            at = prose.find(written, end)
        return places

    def nouns(self, written: str) -> frozenset[str]:
        """Return the words right after a number wherever the prose has it, written like this."""
        places = self.places(written)
        return frozenset[str]().union(*(first_words(self.prose, at + len(written)) for at in places))

    def is_money(self, written: str) -> bool:
        """Tell whether a dollar sign stands before a number somewhere in the prose."""
        return any(self.prose.endswith(("$", "$ "), 0, at) for at in self.places(written))

    def is_percent(self, written: str) -> bool:
        """Tell whether a per cent sign stands after a number somewhere in the prose."""
        return any(self.prose.startswith(_PERCENT, at + len(written)) for at in self.places(written))

    @cached_property
    def states_results(self) -> bool:
        """Tell whether the prose may state an equation other than the annotation's."""
        return "=" in _STATED.sub("", self.text)


# An annotation, with the sign of the equation in prose that it repeats.
_STATED = re.compile(rf"(?:=\s*+\$?+\s*+)?{ANNOTATION.pattern}")
_NUMERIC = frozenset("0123456789.,")
_ENDED = re.compile(r"(?!\d|[.,]\d)")
_PERCENT = ("%", " %", " percent")
_WORD_OR_STOP = re.compile(r"[a-z]+|[\d.,;=]")


def first_words(text: str, at: int) -> frozenset[str]:
    """Return the first one or two content words after a place, up to the next number, without a plural s."""
    words: list[str] = []
    for word in _WORD_OR_STOP.findall(text[at : at + UNIT].lower()):
        if not word.isalpha():
            break
        if is_content(word):
            words.append(word.rstrip("s"))
            if len(words) == 2:
                break
    return frozenset(words)


class Operand(NamedTuple):
    """A number on the left side of an equation: what tells its meaning besides the words of its line.

    `divides` tells whether it is a divisor, `term` whether it is added or subtracted by itself, `percent` whether the line makes hundredths of it, `later` how often its value is
    an operand afterwards, `beside` are the places in the question of the other operands whose meaning is certain.
    """

    value: Exact
    written: str
    divides: bool = False
    term: bool = False
    percent: bool = False
    later: int = 0
    beside: Sequence[int] = ()


class OperandCandidate(NamedTuple):
    """A possible meaning of an operand: a result or a number of the question, with its words.

    `used` is the last line that used it, 0 before any did.
    """

    meant: Variable | NumberMention
    nouns: frozenset[str]
    words: frozenset[str]
    place: int
    weight: int
    used: int


def _is_percent(mention: NumberMention) -> bool:
    """Tell whether a mention is a percentage."""
    return mention.text.endswith(("%", "percent", "per cent"))


def _values(mention: NumberMention) -> list[Exact]:
    """Return the values a number of the question gives: not the size of the groups it counts, nor the one of a third."""
    first, *others = mention.readings
    if len(others) == 2 and first.denominator == 1:
        return [first, others[0]]
    return [first, *(value for value in others if value != 1)]


def _as_written(mention: NumberMention) -> tuple[Exact, Exact]:
    """Return numerator and denominator of a fraction, as digits write them or reduced."""
    _, first, second = mention.readings
    return (first, second) if mention.text[0].isdigit() else (second, first)


@dataclass(slots=True)
class Scope:
    """The variables of a solution while its lines are read."""

    question: str
    mentions: list[NumberMention] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    results: dict[Exact, list[tuple[Variable, AnnotatedLine]]] = field(default_factory=dict)
    stated: dict[Exact, list[NumberMention]] = field(default_factory=dict)
    inputs: dict[tuple[int, Exact], Variable] = field(default_factory=dict)
    knowledge: dict[Exact, Variable] = field(default_factory=dict)
    fractions: set[tuple[Exact, Exact]] = field(default_factory=set)
    """The fractions that the question writes in digits, `3/4` as (3, 4)."""
    _told: dict[int, tuple[frozenset[str], frozenset[str]]] = field(default_factory=dict)
    """By where a number of the question starts: the words right after it, and those around it."""

    @classmethod
    def of(cls, question: str) -> Scope:
        """Read the numbers of a question."""
        scope = cls(question, mentions(question))
        for mention in scope.mentions:
            part = mention.readings[0]
            if part.denominator > 1 and len(mention.readings) == 3:
                scope.fractions.add(_as_written(mention))
            for value in _values(mention):
                scope.stated.setdefault(value, []).append(mention)
        return scope

    def is_fraction(self, top: Exact, bottom: Exact) -> bool:
        """Tell whether a division is a fraction of the question or one that an earlier line gave."""
        if (top, bottom) in self.fractions:
            return True
        return bottom != 0 and (part := Fraction(top) / bottom).denominator != 1 and part in self.results

    def knows(self, value: Exact) -> bool:
        """Tell whether a result or a number of the question has the value."""
        return value in self.results or value in self.stated

    def certain(self, value: Exact, line: AnnotatedLine) -> tuple[Variable, bool] | None:
        """Return the meaning of an operand where there is only one, as is usual; else `None`."""
        results, mentioned = self.results.get(value), self.stated.get(value)
        if results is not None:
            if mentioned is not None or len(results) > 1:
                return None
            variable = results[0][0]
            variable.line = line.number
            return variable, False
        if mentioned is None or len(mentioned) > 1 or mentioned[0].readings[0] != value or value in CONVERSIONS:
            return None
        return self._input(mentioned[0], value, line)

    def doubtful(self, value: Exact) -> bool:
        """Tell whether several things may have the value: results, numbers of the question, world knowledge."""
        results, mentioned = self.results.get(value, ()), self.stated.get(value, ())
        if len(mentioned) == 1 and not results:
            return mentioned[0].readings[0] != value and _is_percent(mentioned[0])
        return len(results) + len(mentioned) > 1

    def resolve(self, operand: Operand, line: AnnotatedLine) -> tuple[Variable, bool]:
        """Return the variable an operand stands for, and whether this is its first use as an input."""
        value = operand.value
        results, mentioned = self.results.get(value, []), self.stated.get(value, [])
        stated = [
            mention
            for mention in mentioned
            if operand.percent or mention.readings[0] == value or not _is_percent(mention)
        ]
        if (not results and not stated) or (stated and not results and self._converts(operand, stated, line)):
            return self._known(value, operand.written, line)
        chosen = self._meant(results, stated, operand, line)
        if isinstance(chosen, Variable):
            chosen.line = line.number
            return chosen, False
        return self._input(chosen, value, line)

    def _converts(self, operand: Operand, stated: list[NumberMention], line: AnnotatedLine) -> bool:
        """Tell whether the line says by the noun that a number converts units, where no number of the question has it."""
        units = CONVERSIONS.get(operand.value)
        if units is None or not (nouns := line.nouns(operand.written)) & units:
            return False
        return not any(nouns & first_words(self.question, mention.end) for mention in stated)

    def result(self, value: Exact, name: str, line: AnnotatedLine) -> Variable:
        """Add the result of a line."""
        variable = Variable(unused_name(name, self.names), value)
        self.results.setdefault(value, []).append((variable, line))
        return variable

    def _meant(
        self,
        results: list[tuple[Variable, AnnotatedLine]],
        stated: list[NumberMention],
        operand: Operand,
        line: AnnotatedLine,
    ) -> Variable | NumberMention:
        """Return the result or the number of the question that an operand stands for; there is at least one."""
        if len(results) + len(stated) == 1:
            return results[0][0] if results else stated[0]
        nouns, words = line.nouns(operand.written), line.words
        unused = sum(variable.line == 0 for variable, _ in results)
        # A result that no later line can use is needed now; one that some later line can use may wait.
        urgency = 4 if unused > operand.later else -1
        sources = [
            OperandCandidate(
                variable,
                of_line.nouns(operand.written),
                of_line.words,
                -place,
                0 if variable.line else urgency,
                variable.line,
            )
            for place, (variable, of_line) in enumerate(results)
        ]
        money = line.is_money(operand.written)
        for mention in stated:
            start = mention.start
            known = self.inputs.get((start, operand.value))
            weight = 2 * any(abs(start - place) < BESIDE for place in operand.beside)
            if mention.readings[0] != operand.value and mention.readings[0] < 1 and not _is_percent(mention):
                weight += 1 if operand.divides else _NEVER if operand.term else -2
            if operand.percent and _is_percent(mention):
                weight += 3
            if money:
                weight += 3 if self.question.endswith(("$", "$ "), 0, start) else -2
            sources.append(
                OperandCandidate(mention, *self._words(mention), start, weight, 0 if known is None else known.line)
            )

        def rank(source: OperandCandidate) -> tuple[int, bool, bool, int]:
            weight = source.weight + 3 * bool(nouns & source.nouns) + min(3, len(words & source.words))
            weight += bool(words & source.nouns)
            weight += 2 * (source.used == 0) - 2 * (source.used == line.number)
            return (-weight, source.used > 0, not isinstance(source.meant, Variable), source.place)

        return min(sources, key=rank).meant

    def _words(self, mention: NumberMention) -> tuple[frozenset[str], frozenset[str]]:
        """Return the words right after a number of the question, and those around it."""
        if mention.start not in self._told:
            around = content_words(self._around(mention))
            self._told[mention.start] = (first_words(self.question, mention.end), around)
        return self._told[mention.start]

    def _around(self, mention: NumberMention) -> str:
        """Return the words around a number of the question, as far as the numbers before and after it."""
        start, end = max(0, mention.start - BEFORE), mention.end + AFTER
        for other in self.mentions:
            if start < other.end <= mention.start:
                start = other.end
            if mention.end <= other.start < end:
                end = other.start
        return self.question[start:end]

    def places(self, values: Iterable[Exact]) -> list[int]:
        """Return where in the question those values stand that no result has, and that stand there once."""
        return [
            mentioned[0].start
            for value in values
            if value not in self.results and len(mentioned := self.stated.get(value, [])) == 1
        ]

    def _input(self, mention: NumberMention, value: Exact, line: AnnotatedLine) -> tuple[Variable, bool]:
        key = (mention.start, value)
        first = key not in self.inputs
        if first:
            name = unused_name(name_after(self.question, mention.end, mention.start, fallback="number"), self.names)
            self.inputs[key] = Variable(name, value, quote(self.question, mention.start, mention.end))
        self.inputs[key].line = line.number
        return self.inputs[key], first

    def _known(self, value: Exact, written: str, line: AnnotatedLine) -> tuple[Variable, bool]:
        first = value not in self.knowledge
        if first:
            place = line.text.find(written)
            name = name_after(line.text, place + len(written), max(place, 0), fallback="constant")
            self.knowledge[value] = Variable(unused_name(name, self.names), value)
        return self.knowledge[value], first
