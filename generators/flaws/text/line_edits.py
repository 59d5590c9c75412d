"""Edits of a line whose step has a new expression, and the words that a person still has to correct."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from generators.flaws.flawed_solution import FlawDiscardReason
from generators.flaws.mutation_operator import Mutant
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.text.expression_text import write_out
from generators.flaws.text.solution_rewrite import FlawDiscardError, FlawSourceText
from generators.flaws.text.written_expressions import (
    StepLine,
    WrittenExpression,
    outer_span,
    result_alone,
    rewrite_line,
)
from harness.domain import Exact
from harness.equations.equation import Number
from harness.program import ir
from harness.program.expression_nodes import substituted
from harness.solution.solution_text import LineText, PlacedVariable
from harness.text.markup import without_annotations
from harness.text.operation_words import Rewording

Edits = dict[tuple[int, int], str]


@dataclass(frozen=True, slots=True)
class EditedLine:
    """A line with a new expression, the value that it gives a misread variable, and the corrections left to a person.

    `written` is what was written in the place of the old expression, by where that stood.
    """

    line: LineText
    misread: Mapping[str, Exact]
    edits: tuple[str, ...]
    written: Edits


def edit_line(text: FlawSourceText, line: StepLine, mutant: Mutant) -> EditedLine:
    """Write the new expression of a mutant out and let the words of its line follow.

    Raises:
        FlawDiscardError: the new expression cannot be written out.
        ValueError: the mutant has none.
    """
    source = text.source
    before, after = source.expression(mutant.variable), mutant.expression
    if after is None:
        message = f"{mutant}: changes nothing"
        raise ValueError(message)
    instead = substituted(before, after)
    spans = _written(text, line, mutant.variable, after, instead)
    _check_rewritten(line, mutant.variable, spans)
    edits: list[str] = []
    stale = [] if instead else [tail for place in line.written[mutant.variable] if (tail := _tail(line, place, spans))]
    if isinstance(after, ir.Name | ir.Const) and spans:
        alone = result_alone(line, mutant.variable)
        spans = alone or spans
        stated_before = any(
            isinstance(part, PlacedVariable) and part.variable == mutant.variable and end <= min(spans)[0]
            for _, end, part in line.spans
        )
        edits += [] if alone and not stated_before else ["the equation has nothing to work out"]
    misread = _misread(source, after, instead)
    edited = rewrite_line(line, {**_kept(line, misread, spans), **spans})
    stale += [literal.text for literal in edited.literals if not misread.keys().isdisjoint(literal.candidates)]
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
    return EditedLine(replace(edited, parts=tuple(parts)), misread, tuple(edits), spans)


def _written(
    text: FlawSourceText, line: StepLine, variable: str, after: ir.Expr, instead: Mapping[ir.Expr, ir.Expr]
) -> Edits:
    """Return the new expression at each place where the old one is written out."""
    values = text.source.values
    spans: Edits = {}
    for place in line.written[variable]:
        new = write_out(after, values, like=place, style=text.style, instead=instead)
        if new is None:
            raise FlawDiscardError(FlawDiscardReason.NOT_SHOWN, "the new expression cannot be written out")
        spans[place.start, place.end] = new
    return spans


def _check_rewritten(line: StepLine, variable: str, spans: Edits) -> None:
    """Check that no equation sets an expression that stays as it is equal to the new result.

    Raises:
        FlawDiscardError: an equation does.
    """
    results = [
        (start, end)
        for start, end, part in line.spans
        if isinstance(part, PlacedVariable) and part.variable == variable
    ]
    for equation in line.reading.equations:
        for side, other in ((equation.left, equation.right), (equation.right, equation.left)):
            stated = isinstance(other, Number) and any(
                start < other.end and other.start < end for start, end in results
            )
            if stated and not isinstance(side, Number) and outer_span(side) not in spans:
                raise FlawDiscardError(FlawDiscardReason.NOT_SHOWN, line.words[side.start : side.end])


def says_still(line: StepLine, variable: str, rewritten: str) -> bool:
    """Tell whether a rewritten line still sets the old expression equal to something in its prose, though no longer in its annotation."""
    prose = _squeezed(without_annotations(rewritten))
    return any(
        re.search(rf"(?<![\d.)+*/-]){re.escape(_squeezed(line.words[place.start : place.end]))}=", prose)
        for place in line.written[variable]
    )


def _squeezed(text: str) -> str:
    """Return the characters of a text without spaces, dollars and separators, with one sign of multiplication."""
    return _LOOSE_SIGNS.sub("", _MULTIPLICATION.sub("*", text)).replace("–", "-").replace("÷", "/")


_LOOSE_SIGNS = re.compile(r"[\s$,]")
_MULTIPLICATION = re.compile(r"×|\bx\b|\bX\b")


def _misread(source: FlawSource, after: ir.Expr, instead: Mapping[ir.Expr, ir.Expr]) -> dict[str, Exact]:
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


def _kept(line: StepLine, misread: Collection[str], spans: Edits) -> Edits:
    """Return the places of a misread variable within other equations, which keep their words: only one step misreads it."""
    equations = [(equation.start, equation.end) for equation in line.reading.equations]
    return {
        (start, end): line.words[start:end]
        for start, end, part in line.spans
        if isinstance(part, PlacedVariable)
        and part.variable in misread
        and any(first <= start and end <= last for first, last in equations)
        and not any(first < end and start < last for first, last in spans)
    }


def _tail(line: StepLine, place: WrittenExpression, spans: Edits) -> str:
    """Return the words between an expression and its equals sign if their number is no longer the last one."""
    tail = _TAIL.match(line.words, place.end)
    old, new = line.words[place.start : place.end], spans[place.start, place.end]
    last = max((text for text in place.dress.values() if old.endswith(text)), key=len, default=old)
    return "" if tail is None or new.endswith(last) else tail[1]


_TAIL = re.compile(r" ?([A-Za-z][A-Za-z ]{1,80}?) ?(?:=|<<)")
