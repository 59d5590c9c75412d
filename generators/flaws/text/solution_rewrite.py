"""The lines of a source solution, how they read with changed values, and the checks of their equations."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from random import Random

from generators.flaws.flawed_solution import FlawDiscardReason
from generators.flaws.solution.quantity_units import Quantity
from generators.flaws.solution.source_solution import FlawSource, UnfitError, UnfitReason
from generators.flaws.text.expression_text import WritingStyle
from generators.flaws.text.line_claims import LineClaims, claims_of
from generators.flaws.text.written_expressions import StepLine, read_step_line
from harness.domain import Exact
from harness.equations.equation import Truth
from harness.equations.line_reader import read_line
from harness.solution.solution_text import LineText, PlacedVariable, UnwritableError, render_line
from harness.solution.trace import Trace
from harness.text.numbers import mentions

_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")


class FlawDiscardError(Exception):
    """The change gives no flawed solution."""

    def __init__(self, discard: FlawDiscardReason, detail: str = "") -> None:
        super().__init__(detail)
        self.discard = discard
        self.detail = detail


@dataclass(frozen=True)
class FlawSourceText:
    """The lines of a source, each with the variables its numbers belong to, in the order of the solution."""

    source: FlawSource
    lines: tuple[StepLine, ...] = field(repr=False)

    @cached_property
    def stated_on(self) -> Mapping[str, frozenset[int]]:
        """Return, for each variable, the lines its value stands on, from zero."""
        lines: dict[str, set[int]] = {}
        for number, line in enumerate(self.lines):
            for name in line.text.variables:
                lines.setdefault(name, set()).add(number)
        return {name: frozenset(numbers) for name, numbers in lines.items()}

    @cached_property
    def loose(self) -> tuple[frozenset[Exact], ...]:
        """Return, for each line, the values of its numbers that belong to no variable."""
        return tuple(_loose(line.text) for line in self.lines)

    @cached_property
    def claims(self) -> tuple[LineClaims | None, ...]:
        """Return the claims of each line about its variables, where they depend on their values alone."""
        return tuple(claims_of(line, self.source.values) for line in self.lines)

    @cached_property
    def style(self) -> WritingStyle:
        """Return how the solution writes: its multiplication sign outside annotations is `*`, `x` or `×`."""
        prose = " ".join(part for line in self.lines for part in line.text.parts if isinstance(part, str))
        counts = {sign: prose.count(f" {sign} ") for sign in ("x", "×", "*")}
        times = max(counts, key=counts.__getitem__) if any(counts.values()) else "*"
        money = (name for name, unit in self.source.units.items() if unit.quantity is Quantity.MONEY)
        return WritingStyle(frozenset(money), times, self.source.text.vocabulary)


def _loose(line: LineText) -> frozenset[Exact]:
    return frozenset(
        reading
        for part in line.parts
        if isinstance(part, str)
        for mention in mentions(part)
        for reading in mention.readings[:1]
    )


def read_source_text(source: FlawSource) -> FlawSourceText:
    """Read the lines of a source.

    Raises:
        UnfitError: the solution itself states a false equation.
    """
    steps: dict[int, dict[str, object]] = {}
    for entry in source.steps:
        steps.setdefault(source.line_number(entry.variable), {})[entry.variable] = entry.expression
    lines = tuple(
        read_step_line(line, steps.get(number, {}), source.values)  # type: ignore[arg-type]  # steps have expressions
        for number, line in enumerate(source.text.lines, start=1)
    )
    for line in lines:
        if line.reading.false:
            raise UnfitError(UnfitReason.FALSE, line.text.label)
    return FlawSourceText(source, lines)


def render(text: FlawSourceText, number: int, values: Mapping[str, Exact], line: LineText | None = None) -> str:
    """Write the line of a number, from zero, with other values, or another line in its place.

    Raises:
        FlawDiscardError: a value cannot be written where another stood.
    """
    source, written = text.source, line or text.lines[number].text
    for part, following in pairwise(written.parts):
        if not isinstance(part, PlacedVariable) or values[part.variable] == source.values[part.variable]:
            continue
        # `the 4th day` is no quantity, though another 4 is.
        if isinstance(following, str) and _ORDINAL.match(following):
            raise FlawDiscardError(FlawDiscardReason.UNWRITABLE, f"{part.variable} as an ordinal")
    try:
        return render_line(written, values, source.values, source.text.vocabulary)
    except UnwritableError as error:
        raise FlawDiscardError(FlawDiscardReason.UNWRITABLE, str(error)[:120]) from None


_TWO_SIGNS = re.compile(r"[-+*/×÷−–] ?[-−–]\$?\d")


def changed_lines(text: FlawSourceText, first: int, changed: Collection[str]) -> list[int]:
    """Return the lines, from zero, that state one of the changed values, the first one in any case.

    Raises:
        FlawDiscardError: one of them stands before the first.
    """
    numbers = {first}.union(*(text.stated_on.get(name, ()) for name in changed))
    if min(numbers) < first:
        raise FlawDiscardError(FlawDiscardReason.EARLIER, f"L{min(numbers) + 1}")
    return sorted(numbers)


def check_equations(
    lines: Mapping[int, str],
    text: FlawSourceText,
    values: Mapping[str, Exact],
    *,
    wrong: int | None,
    worded: int | None = None,
) -> None:
    """Check that of the rewritten lines, numbered as in the source, only the line `wrong` states false equations.

    `worded` is a line that has other words than before, not only other values, and must be read.

    Raises:
        FlawDiscardError: another line states one, the wrong line states none, or a line cannot be read or has two signs in a row.
    """
    for number, words in lines.items():
        if _TWO_SIGNS.search(words) and _TWO_SIGNS.search(text.lines[number].words) is None:
            raise FlawDiscardError(FlawDiscardReason.NEGATIVE, f"L{number + 1}")
        claims = text.claims[number] if number != worded else None
        if claims is not None and (claims.fail(values) if number == wrong else claims.hold(values)):
            continue
        reading = read_line(words)
        false = bool(reading.false)
        if number == wrong and not false:
            raise FlawDiscardError(FlawDiscardReason.NO_EQUATION, f"L{number + 1}")
        if number != wrong and false:
            raise FlawDiscardError(FlawDiscardReason.ELSEWHERE, f"L{number + 1}")
        undecided = any(equation.truth is Truth.UNKNOWN for equation in reading.equations)
        if number != wrong and (undecided or any(passage.claims for passage in reading.unread)):
            raise FlawDiscardError(FlawDiscardReason.UNREAD, f"L{number + 1}")


def states_variable(line: LineText, variable: str) -> bool:
    """Tell whether a line has a place for the value of a variable."""
    return any(isinstance(part, PlacedVariable) and part.variable == variable for part in line.parts)


def changed_values(source: FlawSource, trace: Trace) -> list[str]:
    """Return the variables of a trace that have another value than in the source, in order."""
    before = source.values
    return [entry.variable for entry in trace.entries if before[entry.variable] != entry.value]


def flawed_lines(text: FlawSourceText, written: Mapping[int, str], omitted: int | None = None) -> tuple[str, ...]:
    """Return all lines, the rewritten ones in their new words, without the omitted one."""
    return tuple(written.get(number, line.words) for number, line in enumerate(text.lines) if number != omitted)


def flawed_answer(source: FlawSource, trace: Trace) -> str:
    """Write the answer of a trace as the gold answer is written.

    Raises:
        FlawDiscardError: the answer cannot be written like that.
    """
    answer = source.answer_form.write(trace.answer.value)
    if answer is None:
        raise FlawDiscardError(FlawDiscardReason.UNWRITABLE, f"#### {trace.answer.value}")
    return answer


def random_of(source: FlawSource, operator: str, seed: int) -> Random:
    """Return the random generator of an operator on a problem."""
    return Random(f"{seed}:{source.problem.problem_id}:{operator}".encode("utf-8", "surrogatepass"))
