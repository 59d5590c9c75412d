"""Resolution of the operands of a solution to earlier results, numbers of the question or world knowledge.

Where several results or numbers of the question have the value, the likeliest by the words around them is meant. On a tie, a
result comes before a number of the question; of several results the latest comes first, of several numbers the first one.
"""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from generators.formalizations.number_assignment import InputDescription, counted
from generators.formalizations.solution_equations import LineEquation
from generators.formalizations.template_writer import TemplateWriter, Variable
from harness.domain import Exact
from harness.equations.equation import Expression, Number, Operation, ParenthesizedExpression
from harness.text.markup import without_annotations
from harness.text.names import name_after
from harness.text.numbers import NumberMention, mentions
from harness.text.sentences import quote
from harness.text.words import LIGHT, WordContext, content_words, word_context

BEFORE, AFTER = 30, 40
"""The characters before and after a number that count as its surroundings."""
BESIDE = 30
"""The distance in characters within which numbers of the question are neighbours."""
_NEVER = -100
"""The weight of an impossible meaning: the 2 of `half` is never added or subtracted."""
_HUNDREDS = frozenset((100, Fraction(1, 100)))


@dataclass(frozen=True)
class SolutionLine:
    """A line of the solution, with the words that tell what its numbers are; most lines leave no doubt about them."""

    text: str
    number: int

    @cached_property
    def context(self) -> WordContext:
        """Return the line without annotations by its words."""
        return word_context(without_annotations(self.text))

    def places(self, written: str) -> list[int]:
        """Return which words of the line are a number, written like this."""
        digits = written.strip("$ %")
        return [place for place, word in enumerate(self.context.words) if word == digits]

    def described(self, written: str) -> InputDescription:
        """Return what the line says of a number, written like this: its words, and those right after the number."""
        words = self.context.words
        head = frozenset[str]().union(*(counted(words[place + 1 :]) for place in self.places(written)))
        return InputDescription(frozenset(word for word in words if word.isalpha()) - LIGHT, head)

    def beside(self, written: str, signs: frozenset[str], step: int) -> bool:
        """Tell whether one of the signs stands before (-1) or after (1) a number somewhere in the line."""
        words = self.context.words
        return any(signs.intersection(words[max(0, place + step) :][:1]) for place in self.places(written))


class Operand(NamedTuple):
    """A number on the left side of an equation of a line.

    `sign` joins it, `later` is how often its value is an operand afterwards, `others` are the other operands of the equation.
    """

    value: Exact
    text: str
    line: SolutionLine
    sign: str = ""
    later: int = 0
    others: tuple[Exact, ...] = ()


def operands_of(equation: LineEquation, line: SolutionLine, later: Counter[Exact]) -> list[Operand]:
    """Return the operands of an equation; `later` counts the operands of the equations that follow."""
    signs, values = dict(_signs(equation.left, "")), equation.values
    operands = []
    for place, (value, number) in enumerate(zip(values, equation.operands, strict=True)):
        uses = later[value] + values[place + 1 :].count(value)
        others = tuple(other for other in values if other != value)
        text, sign = line.text[number.start : number.end], signs[number.start]
        operands.append(Operand(value, text, line, sign=sign, later=uses, others=others))
    return operands


def _signs(node: Expression, sign: str) -> list[tuple[int, str]]:
    """Return where each number starts and the sign that joins it: of a division, the sign is `/` only for the divisor."""
    if isinstance(node, Number):
        return [(node.start, sign)]
    if isinstance(node, Operation):
        left, right = ("*", "/") if node.operator in {"/", "//"} else (node.operator, node.operator)
        return [*_signs(node.left, left), *_signs(node.right, right)]
    return _signs(node.inner, sign if isinstance(node, ParenthesizedExpression) else "-")


@dataclass
class Scope:
    """The variables of a solution while its lines are read; inputs are written when they are used first."""

    question: str
    writer: TemplateWriter
    mentions: list[NumberMention] = field(init=False)
    _stated: dict[Exact, list[NumberMention]] = field(default_factory=dict)
    _results: dict[Exact, list[tuple[Variable, SolutionLine]]] = field(default_factory=dict)
    _inputs: dict[tuple[int, Exact], Variable] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.mentions = mentions(self.question)
        for mention in self.mentions:
            first, *others = mention.readings
            # Not the size of the groups that a number counts, nor the one of a third.
            groups = len(others) == 2 and first.denominator == 1
            for value in (first, *(others[:1] if groups else [other for other in others if other != 1])):
                self._stated.setdefault(value, []).append(mention)

    @cached_property
    def _context(self) -> WordContext:
        return word_context(self.question)

    def is_fraction(self, top: Exact, bottom: Exact) -> bool:
        """Tell whether a division is a fraction of the question or one that an earlier line gave."""
        part = Fraction(top) / bottom
        stated = (mention.readings for mention in self.mentions if mention.readings[0] == part)
        return part.denominator != 1 and (part in self._results or any({top, bottom} <= {*own} for own in stated))

    def add_result(self, variable: Variable, line: SolutionLine) -> None:
        """Add the result of a line."""
        self._results.setdefault(variable.value, []).append((variable, line))

    def quantities(self) -> list[Variable]:
        """Return the results so far and the numbers of the question, without a name where no line has used one."""
        stated = [(mention.start, value) for value, mentioned in self._stated.items() for mention in mentioned]
        inputs = [self._inputs.get(key) or Variable("", key[1]) for key in stated]
        return [*inputs, *(variable for results in self._results.values() for variable, _ in results)]

    def resolve(self, operand: Operand) -> Variable:
        """Return the variable an operand stands for."""
        chosen = self._meaning(operand)
        if not isinstance(chosen, Variable):
            key = (-1 if chosen is None else chosen.start), operand.value
            chosen = self._inputs[key] = self._inputs.get(key) or self._input(operand, chosen)
        chosen.line = operand.line.number
        return chosen

    def _input(self, operand: Operand, mention: NumberMention | None) -> Variable:
        """Return a new input: a number of the question, or world knowledge."""
        if mention is None:
            start = operand.line.text.find(operand.text)
            name = name_after(operand.line.text, start + len(operand.text), start, fallback="constant")
            return self.writer.give(name, operand.value, None)
        name = name_after(self.question, mention.end, mention.start, fallback="number")
        return self.writer.give(name, operand.value, quote(self.question, mention.start, mention.end))

    def _meaning(self, operand: Operand) -> Variable | NumberMention | None:
        """Return the result or the number of the question that an operand stands for, `None` where nothing has its value.

        Besides the words around it counts that other numbers of the equation stand beside a number of the question, that nothing
        has used it yet, and that a result which no later line can use must be used now.
        """
        results, stated = self._results.get(operand.value, []), self._stated.get(operand.value, [])
        if len(results) + len(stated) < 2:
            return results[0][0] if results else stated[0] if stated else None
        line, told = operand.line, operand.line.described(operand.text)
        urgency = 4 if sum(variable.line == 0 for variable, _ in results) > operand.later else -1

        def likeness(candidate: InputDescription, used: int) -> int:
            weight = 3 * (not told.head.isdisjoint(candidate.head)) + (not told.words.isdisjoint(candidate.head))
            return weight + min(3, len(told.words & candidate.words)) + 2 * (used == 0) - 2 * (used == line.number)

        ranked: list[tuple[int, bool, bool, int, Variable | NumberMention]] = []
        for place, (variable, own) in enumerate(results):
            weight = likeness(own.described(operand.text), variable.line) + (0 if variable.line else urgency)
            ranked.append((-weight, variable.line > 0, False, -place, variable))
        for mention in stated:
            known = self._inputs.get((mention.start, operand.value))
            used = 0 if known is None else known.line
            weight = likeness(self._description(mention), used) + self._fitness(mention, operand)
            ranked.append((-weight, used > 0, True, mention.start, mention))
        return min(ranked, key=lambda candidate: candidate[:4])[4]

    def _description(self, mention: NumberMention) -> InputDescription:
        """Return what the question says of a number: the words around it, as far as its neighbours, and those right after it."""
        before = [other.end for other in self.mentions if other.end <= mention.start]
        after = [other.start for other in self.mentions if other.start >= mention.end]
        start = max([mention.start - BEFORE, 0, *before[-1:]])
        around = self.question[start : min([mention.end + AFTER, *after[:1]])]
        return InputDescription(content_words(around), counted(self._context.after(mention.end)))

    def _fitness(self, mention: NumberMention, operand: Operand) -> int:
        """Return how well a number of the question fits the place of an operand in its equation."""
        neighbours = (self._stated.get(value, ()) for value in operand.others if value not in self._results)
        beside = (near[0].start for near in neighbours if len(near) == 1)
        weight = 2 * any(abs(mention.start - place) < BESIDE for place in beside)
        if mention.text.endswith(("%", "percent", "per cent")):
            hundredths = not _HUNDREDS.isdisjoint((operand.value, *operand.others))
            weight += 3 * (hundredths or operand.line.beside(operand.text, frozenset({"%", "percent"}), 1))
        elif mention.readings[0] != operand.value and mention.readings[0] < 1:
            weight += 1 if operand.sign == "/" else _NEVER if operand.sign in {"+", "-"} else -2
        if operand.line.beside(operand.text, frozenset("$"), -1):
            weight += 3 if self._context.before(mention.start)[:1] == ("$",) else -2
        return weight
