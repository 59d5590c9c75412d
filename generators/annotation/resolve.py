"""What does a number in an annotation stand for: an earlier result, a number of the question, or world knowledge?

The order is that of the question. Where two earlier results fit, the one nothing has used yet is meant, and of several the
latest. Where two numbers of the question fit, the one whose surroundings share most words with the line is meant; ties go
to one nothing has used yet, and of several to the first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from generators.annotation.naming import content_words, name_after, quote
from harness.text.mentions import mentions

if TYPE_CHECKING:
    from harness.domain import Exact
    from harness.text.mentions import Mention

AROUND = 45
"""How many characters before and after a number count as its surroundings."""


@dataclass(slots=True)
class Variable:
    """A variable of the template: an input with the words of the question around it, or a result."""

    name: str
    value: Exact
    comment: str | None = None
    used: int = 0


@dataclass(slots=True)
class Scope:
    """The variables of a solution while its lines are read."""

    question: str
    names: set[str] = field(default_factory=set)
    results: dict[Exact, list[Variable]] = field(default_factory=dict)
    stated: dict[Exact, list[Mention]] = field(default_factory=dict)
    inputs: dict[tuple[int, Exact], Variable] = field(default_factory=dict)
    knowledge: dict[Exact, Variable] = field(default_factory=dict)

    @classmethod
    def of(cls, question: str) -> Scope:
        """Read the numbers of a question."""
        scope = cls(question)
        for mention in mentions(question):
            for value in mention.readings:
                scope.stated.setdefault(value, []).append(mention)
        return scope

    def resolve(self, value: Exact, written: str, line: str, *, percent: bool) -> tuple[Variable, bool]:
        """Return the variable an operand stands for, and whether this is its first use as an input."""
        found = self.results.get(value)
        if found and not percent:
            chosen = next((one for one in reversed(found) if not one.used), found[-1])
            chosen.used += 1
            return chosen, False
        fitting = self.stated.get(value)
        if fitting:
            mention = fitting[0] if len(fitting) == 1 else self._meant(fitting, value, line)
            return self._input(mention, value)
        return self._known(value, written, line)

    def result(self, value: Exact, name: str) -> Variable:
        """Add the result of a line."""
        variable = Variable(self.unique(name), value)
        self.results.setdefault(value, []).append(variable)
        return variable

    def unique(self, name: str) -> str:
        """Return the name, with a number after it where it is taken."""
        chosen, number = name, 1
        while chosen in self.names:
            number += 1
            chosen = f"{name}_{number}"
        self.names.add(chosen)
        return chosen

    def _meant(self, fitting: list[Mention], value: Exact, line: str) -> Mention:
        words = content_words(line)

        def rank(mention: Mention) -> tuple[int, int, int]:
            around = self.question[max(0, mention.start - AROUND) : mention.end + AROUND]
            variable = self.inputs.get((mention.start, value))
            return (-len(words & content_words(around)), 0 if variable is None else variable.used, mention.start)

        return min(fitting, key=rank)

    def _input(self, mention: Mention, value: Exact) -> tuple[Variable, bool]:
        key = (mention.start, value)
        first = key not in self.inputs
        if first:
            name = self.unique(name_after(self.question, mention.end, mention.start, fallback="number"))
            self.inputs[key] = Variable(name, value, quote(self.question, mention.start, mention.end))
        self.inputs[key].used += 1
        return self.inputs[key], first

    def _known(self, value: Exact, written: str, line: str) -> tuple[Variable, bool]:
        first = value not in self.knowledge
        if first:
            place = line.find(written)
            name = name_after(line, place + len(written), max(place, 0), fallback="constant")
            self.knowledge[value] = Variable(self.unique(name), value)
        return self.knowledge[value], first
