"""The lines of a flawed solution: rendered from its trace, every value replaced, and the line of the error with its new expression."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from generators.flaws.flawed_solution import FlawDiscardError, FlawDiscardReason
from generators.flaws.mutation_operator import Mutant
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.text.expression_text import StyledExpressionWriter
from generators.flaws.text.solution_lines import FlawSourceText, Span, StepLine, outer_span
from harness.domain import Exact
from harness.equations.equation import Number, Truth
from harness.equations.line_reader import read_line
from harness.program import ir
from harness.program.expression_nodes import substituted
from harness.solution.solution_text import LineText, PlacedVariable, UnwritableError, render_line
from harness.solution.trace import Trace
from harness.text.markup import without_annotations
from harness.text.operation_words import Rewording

_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_TWO_SIGNS = re.compile(r"[-+*/×÷−–] ?[-−–]\$?\d")
_BETWEEN = re.compile(r"[\s=$<>\d.,]*")
_LOOSE_SIGNS = re.compile(r"[\s$,]")
_TIMES_SIGN = re.compile(r"×|\b[xX]\b")


@dataclass(frozen=True, slots=True)
class RewrittenLines:
    """The lines that a flaw rewrites by their number in the source, from zero; `omitted` is a line left out, `edits` what is left to a person."""

    lines: Mapping[int, str]
    omitted: int | None = None
    edits: tuple[str, ...] = ()

    def all_lines(self, text: FlawSourceText) -> tuple[str, ...]:
        """Return all lines of the flawed solution."""
        numbered = enumerate(text.lines)
        return tuple(self.lines.get(number, line.words) for number, line in numbered if number != self.omitted)


def rendered_lines(
    text: FlawSourceText,
    first: int,
    values: Mapping[str, Exact],
    *,
    gone: str = "",
    omitted: int | None = None,
    mutant: Mutant | None = None,
) -> RewrittenLines:
    """Render the lines from `first` on that state changed values; `mutant` gives the first line another expression.

    `values` are those of the flawed solution, `gone` is a variable that it lacks and `omitted` its line.

    Raises:
        FlawDiscardError: an earlier line states a changed value, an old value would be left, or one cannot be written.
    """
    source = text.source
    changed = [name for name, value in source.values.items() if name != gone and values.get(name, value) != value]
    numbers = {first}.union(*(text.stated_on.get(name, ()) for name in changed))
    if gone and mutant is None:
        numbers |= text.stated_on.get(gone, frozenset())
    numbers -= {omitted}
    if min(numbers) < first:
        raise FlawDiscardError(FlawDiscardReason.EARLIER, f"L{min(numbers) + 1}")
    _check_stale_numbers(text, first if omitted is None else omitted, values, omitted)
    lines = {number: _rendered(text, number, values) for number in sorted(numbers) if number != first or not mutant}
    edits: tuple[str, ...] = ()
    if mutant is not None:
        line, step = text.lines[first], mutant.reader or mutant.variable
        edited = _edited_line(text, line, step, mutant)
        if gone and gone in edited.line.variables:
            raise FlawDiscardError(FlawDiscardReason.STALE, f"L{first + 1}")
        lines[first] = _rendered(text, first, {**values, **edited.misread}, edited.line)
        if lines[first] == line.words or _says_still(line, step, lines[first]):
            raise FlawDiscardError(FlawDiscardReason.NOT_SHOWN, step)
        edits = edited.edits
    return RewrittenLines(lines, omitted, edits)


def check_equations(rewritten: RewrittenLines, text: FlawSourceText, *, wrong: int | None = None) -> None:
    """Check that of the rewritten lines only the line `wrong` states false equations.

    Raises:
        FlawDiscardError: another line states one, the wrong line states none, or a line cannot be read or has two signs in a row.
    """
    for number, words in rewritten.lines.items():
        label = f"L{number + 1}"
        if _TWO_SIGNS.search(words) and _TWO_SIGNS.search(text.lines[number].words) is None:
            raise FlawDiscardError(FlawDiscardReason.NEGATIVE, label)
        reading = read_line(words)
        if number == wrong:
            if not reading.false:
                raise FlawDiscardError(FlawDiscardReason.NO_EQUATION, label)
            continue
        if reading.false:
            raise FlawDiscardError(FlawDiscardReason.ELSEWHERE, label)
        undecided = any(equation.truth is Truth.UNKNOWN for equation in reading.equations)
        if undecided or any(passage.claims for passage in reading.unread):
            raise FlawDiscardError(FlawDiscardReason.UNREAD, label)


def flawed_answer(source: FlawSource, trace: Trace) -> str:
    """Write the answer of a trace as the gold answer is written.

    Raises:
        FlawDiscardError: the answer cannot be written like that.
    """
    answer = source.answer_form.write(trace.answer.value)
    if answer is None:
        raise FlawDiscardError(FlawDiscardReason.UNWRITABLE, f"#### {trace.answer.value}")
    return answer


def _check_stale_numbers(text: FlawSourceText, first: int, values: Mapping[str, Exact], omitted: int | None) -> None:
    """Check that from a line on, no number that belongs to no variable may be an old value, which no variable still has."""
    before = text.source.values
    old = {value for name, value in before.items() if values.get(name) != value}
    kept = {value for name, value in values.items() if before.get(name) == value}
    # In words, -7 is a 7 after a dash.
    stale = (old | {-value for value in old if value < 0}) - kept
    for number in range(first, len(text.lines)):
        literals = () if number == omitted else text.lines[number].text.literals
        doubtful = any(values.get(name) != before[name] for literal in literals for name in literal.candidates)
        if number != omitted and (doubtful or not stale.isdisjoint(text.loose[number])):
            raise FlawDiscardError(FlawDiscardReason.STALE, f"L{number + 1}")


def _rendered(text: FlawSourceText, number: int, values: Mapping[str, Exact], line: LineText | None = None) -> str:
    source, written = text.source, line or text.lines[number].text
    for part, following in pairwise(written.parts):
        changed = isinstance(part, PlacedVariable) and values[part.variable] != source.values[part.variable]
        # `the 4th day` is no quantity, though another 4 is.
        if changed and isinstance(following, str) and _ORDINAL.match(following):
            raise FlawDiscardError(FlawDiscardReason.UNWRITABLE, "an ordinal")
    try:
        return render_line(written, values, source.values, source.text.vocabulary)
    except UnwritableError as error:
        raise FlawDiscardError(FlawDiscardReason.UNWRITABLE, str(error)[:120]) from None


@dataclass(frozen=True, slots=True)
class _EditedLine:
    """A line with a new expression, the value that it gives a misread variable, and the corrections left to a person."""

    line: LineText
    misread: Mapping[str, Exact]
    edits: tuple[str, ...]


def _edited_line(text: FlawSourceText, line: StepLine, variable: str, mutant: Mutant) -> _EditedLine:
    """Write the new expression of a mutant out, and let the words of its line follow."""
    source = text.source
    before, after = source.expression(variable), mutant.expression
    if after is None:
        message = f"{mutant}: changes nothing"
        raise ValueError(message)
    instead = substituted(before, after)
    spans: dict[Span, str] = {}
    for place in line.written[variable]:
        new = StyledExpressionWriter(source.values, place, text.style, instead).write(after)
        if new is None:
            raise FlawDiscardError(FlawDiscardReason.NOT_SHOWN, "the new expression cannot be written out")
        spans[place.start, place.end] = new
    _check_covered(line, variable, spans)
    edits: list[str] = []
    if isinstance(after, ir.Name | ir.Const) and spans:
        alone = _result_alone(line, variable)
        stated_before = any(end <= min(spans)[0] for _, end in line.places(variable))
        spans = alone or spans
        edits += [] if alone and not stated_before else ["the equation has nothing to work out"]
    misread = _misread_values(source, after, instead)
    edited = line.rewritten({**_kept_places(line, misread, spans), **spans})
    stale = [literal.text for literal in edited.literals if not misread.keys().isdisjoint(literal.candidates)]
    rewording = Rewording.of_change(before, after, mutant.words)
    changed = False
    parts: list[str | PlacedVariable] = []
    for part in edited.parts:
        if isinstance(part, str):
            reworded = rewording.reword(part)
            changed = changed or bool(reworded.changed)
            stale += reworded.stale
            part = reworded.text
        parts.append(part)
    edits += [f"the words still say {word!r}" for word in dict.fromkeys(stale)]
    if not spans and not changed:
        edits.append("the operation is not written out")
    return _EditedLine(replace(edited, parts=tuple(parts)), misread, tuple(edits))


def _check_covered(line: StepLine, variable: str, spans: Collection[Span]) -> None:
    """Check that no equation sets an expression that stays as it is equal to the new result."""
    results = line.places(variable)
    for equation in line.reading.equations:
        for side, other in ((equation.left, equation.right), (equation.right, equation.left)):
            stated = isinstance(other, Number) and any(
                start < other.end and other.start < end for start, end in results
            )
            if stated and not isinstance(side, Number) and outer_span(side) not in spans:
                raise FlawDiscardError(FlawDiscardReason.NOT_SHOWN, line.words[side.start : side.end])


def _says_still(line: StepLine, variable: str, rewritten: str) -> bool:
    """Tell whether a rewritten line still sets the old expression equal to something in its prose."""
    prose = _squeezed(without_annotations(rewritten))
    olds = (re.escape(_squeezed(line.words[place.start : place.end])) for place in line.written[variable])
    return any(re.search(rf"(?<![\d.)+*/-]){old}=", prose) for old in olds)


def _squeezed(text: str) -> str:
    """Return the characters of a text without spaces, dollars and separators, with one sign for each operation."""
    return _LOOSE_SIGNS.sub("", _TIMES_SIGN.sub("*", text)).replace("–", "-").replace("÷", "/")


def _misread_values(source: FlawSource, after: ir.Expr, instead: Mapping[ir.Expr, ir.Expr]) -> dict[str, Exact]:
    """Return the variable in whose place another one or a number is read, with the value the line takes it to have."""
    read = set(ir.names_in_order(after))
    misread: dict[str, Exact] = {}
    for new, old in instead.items():
        match new, old:
            case (ir.Name(name), ir.Name(gone)) if gone not in read:
                misread[gone] = source.values[name]
            case (ir.Const(int() | Fraction() as value), ir.Name(gone)) if gone not in read:
                misread[gone] = value
    return misread


def _kept_places(line: StepLine, misread: Collection[str], spans: Collection[Span]) -> dict[Span, str]:
    """Return the places of a misread variable within other equations, which keep their words: only one step misreads it."""
    equations = [(equation.start, equation.end) for equation in line.reading.equations]
    return {
        (start, end): line.words[start:end]
        for name in misread
        for start, end in line.places(name)
        if any(first <= start and end <= last for first, last in equations)
        and not any(first < end and start < last for first, last in spans)
    }


def _result_alone(line: StepLine, variable: str) -> dict[Span, str] | None:
    """Return the edit that leaves of `6 + 4 = <<6+4=10>>10 eggs` the `10 eggs`, `None` where more stands in between."""
    written, places = line.written[variable], line.places(variable)
    if not written or not places or places[-1][0] < written[-1].end:
        return None
    first, last = written[0].start, places[-1][0]
    between = line.words[first:last]
    for expression in reversed(written):
        between = between[: expression.start - first] + between[expression.end - first :]
    if _BETWEEN.fullmatch(between) is None:
        return None
    return {(first, last): "$" if between.rstrip("<>=0123456789., ").endswith("$") or between.endswith("$") else ""}
