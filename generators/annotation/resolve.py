"""What does a number in an annotation stand for: an earlier result, a number of the question, or world knowledge?

The order is that of the question. Where several results or numbers of the question have the value, `Scope._meant` weighs what
speaks for each: the noun right after the number, the words around it, other numbers of the line that stand beside it in the
question, that nothing has used it yet, and that a result which no later line can use must be used now. Ties go to a result
before a number of the question, then to the latest result and the first number.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from generators.annotation.naming import content_words, name_after, quote
from harness.text.mentions import mentions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.domain import Exact
    from harness.text.mentions import Mention

BEFORE, AFTER = 30, 40
"""How many characters before and after a number count as its surroundings."""
UNIT = 20
"""How many characters after a number may hold its noun."""
BESIDE = 30
"""How many characters apart numbers of the question stand beside each other."""
_ANNOTATION = re.compile(r"<<[^<>]*>>")


@dataclass(slots=True)
class Variable:
    """A variable of the template: an input with the words of the question around it, or a result.

    `line` is the last line that used it, 0 before any did.
    """

    name: str
    value: Exact
    comment: str | None = None
    line: int = 0


class Line:
    """A line of the solution, with the words that tell what its numbers are."""

    def __init__(self, text: str, number: int) -> None:
        """Read nothing yet: most lines leave no doubt about their numbers."""
        self.text = text
        self.number = number

    @cached_property
    def prose(self) -> str:
        """Return the line without annotations."""
        return _ANNOTATION.sub("", self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """Return the content words."""
        return content_words(self.prose)

    def nouns(self, written: str) -> frozenset[str]:
        """Return the words right after the places where a number stands in the prose."""
        found: set[str] = set()
        for place in re.finditer(rf"(?<![\d.,]){re.escape(written)}(?![\d]|[.,]\d)", self.prose):
            found |= first_words(self.prose, place.end())
        return frozenset(found)


def first_words(text: str, at: int) -> frozenset[str]:
    """Return the first one or two content words after a place, up to the next number."""
    after = re.split(r"[\d.,;=]", text[at : at + UNIT], maxsplit=1)[0]
    return frozenset(sorted(content_words(after))[:2])


@dataclass(frozen=True, slots=True)
class Operand:
    """A number on the left side of an equation: what tells its meaning besides the words of its line.

    `divides` tells whether it is a divisor, `later` how often its value is an operand afterwards, `beside` are the
    places in the question of the other operands whose meaning is certain.
    """

    value: Exact
    written: str
    divides: bool = False
    later: int = 0
    beside: Sequence[int] = ()


@dataclass(slots=True)
class Source:
    """What an operand may stand for: a result or a number of the question, with the words that tell."""

    nouns: frozenset[str]
    words: frozenset[str]
    place: int
    weight: int
    variable: Variable | None = None
    mention: Mention | None = None


def _counts_groups(mention: Mention) -> bool:
    """Tell whether a mention such as `two dozen` counts groups, whose size is world knowledge."""
    return mention.readings[0].denominator == 1 and len(mention.readings) == 3


def _as_written(mention: Mention) -> tuple[Exact, Exact]:
    """Return numerator and denominator of a fraction, as digits write them or reduced."""
    _, first, second = mention.readings
    return (first, second) if mention.text[0].isdigit() else (second, first)


@dataclass(slots=True)
class Scope:
    """The variables of a solution while its lines are read."""

    question: str
    names: set[str] = field(default_factory=set)
    results: dict[Exact, list[tuple[Variable, Line]]] = field(default_factory=dict)
    stated: dict[Exact, list[Mention]] = field(default_factory=dict)
    inputs: dict[tuple[int, Exact], Variable] = field(default_factory=dict)
    knowledge: dict[Exact, Variable] = field(default_factory=dict)
    fractions: set[tuple[Exact, Exact]] = field(default_factory=set)
    """The fractions that the question writes in digits, `3/4` as (3, 4)."""

    @classmethod
    def of(cls, question: str) -> Scope:
        """Read the numbers of a question."""
        scope = cls(question)
        for mention in mentions(question):
            part = mention.readings[0]
            if part.denominator > 1 and len(mention.readings) == 3:
                scope.fractions.add(_as_written(mention))
            for value in itertools.islice(mention.readings, 2 if _counts_groups(mention) else None):
                scope.stated.setdefault(value, []).append(mention)
        return scope

    def knows(self, value: Exact) -> bool:
        """Tell whether a result or a number of the question has the value."""
        return value in self.results or value in self.stated

    def doubtful(self, value: Exact) -> bool:
        """Tell whether several results or numbers of the question have the value."""
        return len(self.results.get(value, ())) + len(self.stated.get(value, ())) > 1

    def resolve(self, operand: Operand, line: Line) -> tuple[Variable, bool]:
        """Return the variable an operand stands for, and whether this is its first use as an input."""
        value = operand.value
        results, stated = self.results.get(value, []), self.stated.get(value, [])
        if not results and not stated:
            return self._known(value, operand.written, line)
        mention: Mention | None = None
        if len(results) + len(stated) > 1:
            chosen = self._meant(results, stated, operand, line)
            variable, mention = chosen.variable, chosen.mention
        elif results:
            variable = results[0][0]
        else:
            variable, mention = None, stated[0]
        if mention is not None:
            return self._input(mention, value, line)
        if variable is not None:
            variable.line = line.number
            return variable, False
        return self._known(value, operand.written, line)

    def result(self, value: Exact, name: str, line: Line) -> Variable:
        """Add the result of a line."""
        variable = Variable(self.unique(name), value)
        self.results.setdefault(value, []).append((variable, line))
        return variable

    def unique(self, name: str) -> str:
        """Return the name, with a number after it where it is taken."""
        chosen, number = name, 1
        while chosen in self.names:
            number += 1
            chosen = f"{name}_{number}"
        self.names.add(chosen)
        return chosen

    def _meant(
        self, results: list[tuple[Variable, Line]], stated: list[Mention], operand: Operand, line: Line
    ) -> Source:
        nouns, words = line.nouns(operand.written), line.words
        unused = sum(variable.line == 0 for variable, _ in results)
        urgent = unused > operand.later
        sources = [
            Source(one.nouns(operand.written), one.words, -place, 4 * (urgent and not variable.line), variable=variable)
            for place, (variable, one) in enumerate(results)
        ]
        for mention in stated:
            end, start = mention.end, mention.start
            around = self.question[max(0, start - BEFORE) : end + AFTER]
            known = self.inputs.get((start, operand.value))
            weight = 2 * any(abs(start - place) < BESIDE for place in operand.beside)
            if mention.readings[0] != operand.value and mention.readings[0] < 1:
                weight += 2 if operand.divides else -2
            sources.append(
                Source(first_words(self.question, end), content_words(around), start, weight, known, mention)
            )

        def rank(source: Source) -> tuple[int, bool, bool, int]:
            used = 0 if source.variable is None else source.variable.line
            weight = source.weight + 3 * bool(nouns & source.nouns) + min(3, len(words & source.words))
            weight += (used == 0) - 2 * (used == line.number)
            return (-weight, used > 0, source.mention is not None, source.place)

        return min(sources, key=rank)

    def places(self, values: Iterable[Exact]) -> list[int]:
        """Return where in the question those values stand that no result has, and that stand there once."""
        return [
            found[0].start
            for value in values
            if value not in self.results and len(found := self.stated.get(value, [])) == 1
        ]

    def _input(self, mention: Mention, value: Exact, line: Line) -> tuple[Variable, bool]:
        key = (mention.start, value)
        first = key not in self.inputs
        if first:
            name = self.unique(name_after(self.question, mention.end, mention.start, fallback="number"))
            self.inputs[key] = Variable(name, value, quote(self.question, mention.start, mention.end))
        self.inputs[key].line = line.number
        return self.inputs[key], first

    def _known(self, value: Exact, written: str, line: Line) -> tuple[Variable, bool]:
        first = value not in self.knowledge
        if first:
            place = line.text.find(written)
            name = name_after(line.text, place + len(written), max(place, 0), fallback="constant")
            self.knowledge[value] = Variable(self.unique(name), value)
        return self.knowledge[value], first
