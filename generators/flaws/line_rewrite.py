"""The lines of a flawed solution: rendered from its trace, every value replaced, and the line of the error with its new expression."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from generators.flaws.flawed_solution import FlawDiscardError, FlawDiscardReason
from generators.flaws.mutation_operator import Mutant
from generators.flaws.solution.solution_lines import LinePart, Span, StepLine, WritingStyle, WrittenExpression
from generators.flaws.solution.source_solution import FlawSource
from harness.domain import Exact, Values
from harness.program import ir
from harness.program.evaluation.evaluator import value_of
from harness.program.expression_nodes import substituted
from harness.solution.expression_text import ATOM_BINDING, QUOTIENT_BINDING, ExpressionWriter
from harness.solution.solution_text import LineText, UnwritableError, render_line
from harness.solution.trace import Trace
from harness.text.nouns import agree_with_number
from harness.text.number_forms import PLAIN, numbers_at
from harness.text.numbers import mentions
from harness.text.operation_words import lost_operation_words, with_words_replaced
from harness.text.words import plain_words

_TWO_SIGNS = re.compile(r"[-+*/×÷−–] ?[-−–]\$?\d")
_BETWEEN = re.compile(r"[\s=$<>\d.,]*")
_QUOTIENT = re.compile(r"[\d.,]+ ?/ ?\$?[\d.]")
_GROUPED = re.compile(r"\d,\d{3}\b")


@dataclass(frozen=True, slots=True)
class RewrittenLines:
    """The lines that a flaw rewrites by their number in the source, from zero.

    `first` is the line of the error, `omitted` a line left out, `edits` what is left to a person.
    """

    first: int
    lines: Mapping[int, str]
    omitted: int | None = None
    edits: tuple[str, ...] = ()


def mutated_lines(source: FlawSource, mutant: Mutant, trace: Trace) -> RewrittenLines:
    """Render the lines of a mutant, which has this trace; errors as in `rendered_lines`."""
    variable = mutant.variable
    own = source.line_number(variable) - 1
    if mutant.result is not None:
        return RewrittenLines(own, {}, own if mutant.omitted else None)
    if not mutant.gone:
        return rendered_lines(source, own, trace.values, mutant=mutant)
    first = source.line_number(source.readers(variable)[0].variable) - 1
    if variable not in source.lines[first].text.variables:
        raise FlawDiscardError(FlawDiscardReason.NOT_STATED, variable)
    values = {**trace.values, variable: source.values[str(mutant.rewired)]}
    return rendered_lines(source, first, values, omitted=own)


def rendered_lines(
    source: FlawSource, first: int, values: Values, *, omitted: int | None = None, mutant: Mutant | None = None
) -> RewrittenLines:
    """Render the lines from `first` on that state changed values; `mutant` gives the first line another expression.

    A `FlawDiscardError` says that an earlier line states a changed value, an old one would be left, one cannot be written, or
    a minus sign follows another sign.
    """
    changed = {name for name, value in source.values.items() if values.get(name) != value}
    stating = {number for number, line in enumerate(source.lines) if not changed.isdisjoint(line.text.variables)}
    numbers = {first, *stating} - {omitted}
    if min(numbers) < first:
        raise FlawDiscardError(FlawDiscardReason.EARLIER, f"L{min(numbers) + 1}")
    _check_stale_numbers(source, first if omitted is None else omitted, values, omitted)
    lines: dict[int, str] = {}
    edits: tuple[str, ...] = ()
    for number in sorted(numbers):
        line, known = source.lines[number].text, values
        if number == first and mutant is not None:
            edited = _edited_line(source, source.lines[number], mutant)
            line, known, edits = edited.line, {**values, **edited.misread}, edited.edits
        if not known.keys() >= set(line.variables):
            raise FlawDiscardError(FlawDiscardReason.STALE, line.label)
        try:
            lines[number] = render_line(line, known, source.values, source.text.vocabulary)
        except UnwritableError as error:
            raise FlawDiscardError(FlawDiscardReason.UNWRITABLE, str(error)) from None
        if _TWO_SIGNS.search(lines[number]) and not _TWO_SIGNS.search(source.lines[number].words):
            raise FlawDiscardError(FlawDiscardReason.NEGATIVE, line.label)
    return RewrittenLines(first, lines, omitted, edits)


def _check_stale_numbers(source: FlawSource, first: int, values: Values, omitted: int | None) -> None:
    """Check that from a line on, no number that belongs to no variable may be an old value, which no variable still has."""
    before = source.values
    old = {value for name, value in before.items() if values.get(name) != value}
    kept = {value for name, value in values.items() if before.get(name) == value}
    # In words, -7 is a 7 after a dash.
    stale = (old | {-value for value in old if value < 0}) - kept
    for number, line in enumerate(source.lines[first:], start=first):
        names = {name for literal in line.text.literals for name in literal.candidates}
        doubtful = any(values.get(name) != before[name] for name in names)
        if number != omitted and (doubtful or not stale.isdisjoint(line.loose)):
            raise FlawDiscardError(FlawDiscardReason.STALE, f"L{number + 1}")


@dataclass(frozen=True, slots=True)
class _EditedLine:
    """A line with a new expression, the value that it gives a misread variable, and the corrections left to a person."""

    line: LineText
    misread: Values
    edits: tuple[str, ...]


def _edited_line(source: FlawSource, line: StepLine, mutant: Mutant) -> _EditedLine:
    """Write the new expression of a mutant out, and let the words of its line follow."""
    variable = mutant.variable
    before, after = source.expression(variable), mutant.expression
    if after is None or variable not in line.text.variables:
        raise FlawDiscardError(FlawDiscardReason.NOT_STATED, variable)
    instead = substituted(before, after)
    spans: dict[Span, str] = {}
    for place in line.written[variable]:
        new = StyledExpressionWriter(source.values, place, source.style, instead).write(after)
        if new is None:
            raise FlawDiscardError(FlawDiscardReason.NOT_SHOWN, variable)
        spans[place.start, place.end] = new
    edits: list[str] = []
    if isinstance(after, ir.Name | ir.Const) and spans:
        alone = _result_alone(line, variable)
        stated_before = any(end <= min(spans)[0] for _, end in line.places(variable))
        spans = alone or spans
        edits += [] if alone and not stated_before else ["the equation has nothing to work out"]
    misread = _misread_values(source.values, after, instead)
    if mutant.rewritten is not None:
        old, new = mutant.rewritten
        if line.words.count(old) != 1:
            raise FlawDiscardError(FlawDiscardReason.NOT_SHOWN, variable)
        start = line.words.index(old)
        spans, misread = {(start, start + len(old)): new}, {variable: source.values[variable]}
    edited = line.rewritten(spans)
    stale = [literal.text for literal in edited.literals if not misread.keys().isdisjoint(literal.candidates)]
    # In an equation with an unknown, the words tell what is meant to be done.
    simplified = variable in source.simplified
    lost = frozenset[str]() if simplified else lost_operation_words(before, after)
    others = {} if simplified else dict(mutant.words)
    parts: list[LinePart] = []
    for part in edited.parts:
        if isinstance(part, str):
            stale += [word for word in plain_words(part) if word in lost and word not in others]
            part = with_words_replaced(part, others)
        parts.append(part)
    changed = parts != [*edited.parts]
    edits += [f"the words still say {word!r}" for word in dict.fromkeys(stale)]
    if not spans and not changed and not simplified and misread.keys().isdisjoint(edited.variables):
        edits.append("the operation is not written out")
    return _EditedLine(replace(edited, parts=tuple(parts)), misread, tuple(edits))


def _misread_values(values: Values, after: ir.Expr, instead: Mapping[ir.Expr, ir.Expr]) -> dict[str, Exact]:
    """Return the variable in whose place another one or a number is read, with the value the line takes it to have."""
    read = set(ir.names_in_order(after))
    misread: dict[str, Exact] = {}
    for new, old in instead.items():
        match new, old:
            case (ir.Name(name), ir.Name(gone)) if gone not in read:
                misread[gone] = values[name]
            case (ir.Const(int() | Fraction() as value), ir.Name(gone)) if gone not in read:
                misread[gone] = value
    return misread


def _result_alone(line: StepLine, variable: str) -> dict[Span, str] | None:
    """Return the edit that leaves of `6 + 4 = <<6+4=10>>10 eggs` the `10 eggs`, `None` where more stands in between."""
    written, places = line.written[variable], line.places(variable)
    if not places or places[-1][0] < written[-1].end:
        return None
    first, last = written[0].start, places[-1][0]
    between = line.words[first:last]
    for expression in reversed(written):
        between = between[: expression.start - first] + between[expression.end - first :]
    if _BETWEEN.fullmatch(between) is None:
        return None
    return {(first, last): "$" if between.rstrip("<>=0123456789., ").endswith("$") or between.endswith("$") else ""}


class StyledExpressionWriter(ExpressionWriter):
    """Writes expressions as a line writes the one of `like`, whose numbers keep their form: `$18.50`, `36 glasses`.

    `instead` are new nodes with those in whose place they stand; they take over the form. Only + - * / and parentheses
    can be written.
    """

    def __init__(
        self, values: Values, like: WrittenExpression, style: WritingStyle, instead: Mapping[ir.Expr, ir.Expr]
    ) -> None:
        super().__init__(values)
        self.instead = instead
        self.vocabulary = style.vocabulary
        self.dress, self.joints = like.dress, like.joints
        self.money = style.money if any(text.startswith("$") for text in self.dress.values()) else frozenset()
        self.times = "*" if like.annotation else style.times
        if any(_GROUPED.search(text) for text in self.dress.values()):
            self.form = replace(PLAIN, separators=True)
        spaced = any(joint.startswith(" ") for joint in self.joints.values())
        self.tight = like.annotation or (bool(self.joints) and not spaced)

    def dressed(self, _node: ir.Expr) -> tuple[str, int] | None:
        """Return the number as the line writes it. `3/4` stands for one number and still binds like a division."""
        text = self.dress.get(_node) or self._dressed_as_before(_node)
        return None if text is None else (text, QUOTIENT_BINDING if _QUOTIENT.match(text) else ATOM_BINDING)

    def number(self, value: Exact, _name: str | None = None) -> str:
        """Return the text of a value, money with its sign where other numbers have it."""
        text = super().number(value, _name)
        return f"${text}" if _name in self.money and text[0].isdigit() else text

    def joint(self, operator: str) -> str:
        """Return what stands between two operands; words between them stay where only one number changes."""
        known = self.joints.get(operator)
        if known is not None and not set(known) & set("()[]") and (self.instead or len(known) < 4):
            return known or "*"
        sign = self.times if operator == "*" else operator
        return sign if self.tight else f" {sign} "

    def _dressed_as_before(self, node: ir.Expr) -> str | None:
        """Return the text of the old node with the new number: `45 miles/hour` after `60 miles/hour`."""
        old = self.instead.get(node)
        dressed = "" if old is None else self.dress.get(old, "")
        numbers = mentions(dressed)
        if old is None or len(numbers) != 1:
            return None
        before, after = value_of(old, self.values), value_of(node, self.values)
        if before is None or after is None or after < 0:
            return None
        start = numbers[0].start - dressed.endswith("$", 0, numbers[0].start)
        for written in numbers_at(dressed, start, before):
            text = written.form.write(after)
            if written.end <= numbers[0].end and text is not None:
                words = agree_with_number(dressed[written.end :], before, after, self.vocabulary)
                return f"{dressed[:start]}{text}{words}"
        return None
