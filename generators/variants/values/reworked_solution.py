"""The solution and the answer of a problem rewritten for other values, and the passages that would be stale."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from generators.flaws.solution.source_solution import FlawSource
from generators.variants.question.number_replacement import sounds_open
from harness.domain import Exact
from harness.equations.equation import Truth
from harness.equations.line_reader import read_line
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.solution.solution_text import LineLiteral, LineText, PlacedVariable, UnwritableError
from harness.text.number_forms import NumberKind
from harness.text.numbers import mentions


@dataclass(frozen=True, slots=True)
class ReworkedSolution:
    """A solution and its answer, as `#### ` is followed by it."""

    solution: str
    answer: str


class StaleWordingError(ValueError):
    """Words of the solution would still say an old value, or no longer fit the new ones."""


def rework_solution(source: FlawSource, values: Mapping[str, Exact]) -> ReworkedSolution:
    """Write the solution and the answer of a problem with other values; errors as in `SolutionWording.anew`."""
    return SolutionWording(source).anew(values)


@dataclass(frozen=True)
class SolutionWording:
    """The words of a solution, which can be written with other values as far as they follow."""

    source: FlawSource

    def anew(self, values: Mapping[str, Exact]) -> ReworkedSolution:
        """Write the solution and the answer with values, one for each variable.

        Raises:
            StaleWordingError: something of the solution would not follow, or not fit.
            UnwritableError: a value cannot be written where another stood.
        """
        source = self.source
        changed = frozenset(name for name, value in values.items() if value != source.values[name])
        if not changed:
            return ReworkedSolution(source.problem.solution, (source.problem.gold or "").strip())
        if not changed.isdisjoint(self.held):
            name = min(changed.intersection(self.held))
            raise StaleWordingError(f"{name}: {self.held[name]}")
        for names in self.coinciding:
            if _diverge(names, source.values, values):
                raise StaleWordingError(f"{' and '.join(names)} were told by one number")
        solution = source.text.render(values)
        for line in source.text.lines:
            _check_articles(line, values)
            _check_fractions(line, source, values)
        for number, text in enumerate(solution.split("\n"), start=1):
            _check_equations(f"L{number}", text)
        answer = source.answer_form.write(values[source.final])
        if answer is None:
            raise UnwritableError(f"the answer {values[source.final]} cannot be written like {source.problem.gold!r}")
        return ReworkedSolution(solution, answer)

    @cached_property
    def held(self) -> Mapping[str, str]:
        """Return the variables whose values are fixed by words of the solution, and how.

        A number left in the words may stand for a variable; a rounded one, or one such as `half`, does not follow.
        """
        source, held = self.source, dict[str, str]()
        for line in source.text.lines:
            for part in line.parts:
                if isinstance(part, PlacedVariable) and (part.form.rounded or part.form.kind is NumberKind.NAMED):
                    how = "rounded" if part.form.rounded else f"written {part.form.named!r}"
                    held.setdefault(part.variable, f"{how} on {line.label}")
            for literal in line.literals:
                for name in _meant(literal, source):
                    held.setdefault(name, f"{literal.text!r} stays on {line.label}")
        return held

    @cached_property
    def coinciding(self) -> tuple[tuple[str, ...], ...]:
        """Return the variables of the text that have one value, together, and those that have it in hundredths.

        Where they part, the words may give the one's number to the other.
        """
        values = self.source.values
        by_value: dict[Exact, list[str]] = {}
        hundredths: set[str] = set()
        for line in self.source.text.lines:
            for part in line.parts:
                if isinstance(part, PlacedVariable):
                    names = by_value.setdefault(values[part.variable], [])
                    if part.variable not in names:
                        names.append(part.variable)
                    if part.form.scale == 100 or "%" in part.form.after or values[part.variable].denominator != 1:
                        hundredths.add(part.variable)
        classes = [tuple(names) for names in by_value.values() if len(names) > 1]
        for value, names in by_value.items():
            larger = by_value.get(value * 100, []) if value else []
            if larger and not hundredths.isdisjoint([*names, *larger]):
                classes.append((*names, *larger))
        return tuple(classes)


def _diverge(names: Sequence[str], old: Mapping[str, Exact], new: Mapping[str, Exact]) -> bool:
    """Tell whether variables that had one value, or some a hundred times that of others, no longer have."""
    first = names[0]
    return any(old[first] * new[name] != new[first] * old[name] for name in names[1:])


_HARMLESS = frozenset(["one", "once", "1", "100", "100%", "score"])
_ORDINAL = re.compile(r"(?:third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)s?", re.IGNORECASE)


def _meant(literal: LineLiteral, source: FlawSource) -> tuple[str, ...]:
    """Return the variables that a number left in the words may stand for: all, where nothing explains it."""
    if literal.candidates:
        return literal.candidates
    if literal.text.lower() in _HARMLESS or _ORDINAL.fullmatch(literal.text):
        return ()
    readings = {reading for mention in mentions(literal.text) for reading in mention.readings[:1]}
    return () if readings and readings <= constants_of(source) else tuple(source.values)


def constants_of(source: FlawSource) -> frozenset[Exact]:
    """Return the numbers that stand in the steps of a solution as they are."""
    return frozenset(
        node.value
        for entry in source.steps
        for _, node in nodes(source.expression(entry.variable))
        if isinstance(node, ir.Const) and isinstance(node.value, int | Fraction) and not isinstance(node.value, bool)
    )


_ARTICLE = re.compile(r"\b(an?) $", re.IGNORECASE)


def _check_articles(line: LineText, values: Mapping[str, Exact]) -> None:
    before = ""
    for part in line.parts:
        if isinstance(part, PlacedVariable):
            article = _ARTICLE.search(before)
            written = part.form.write(values[part.variable]) or ""
            if article is not None and (article[1].lower() == "an") != sounds_open(written):
                raise StaleWordingError(f"{line.label}: {article[1]} {written}")
            before = ""
        else:
            before = part


def _check_fractions(line: LineText, source: FlawSource, values: Mapping[str, Exact]) -> None:
    """Refuse `2/4` where a fraction in lowest terms stood."""
    for part in line.parts:
        if isinstance(part, PlacedVariable) and part.form.kind is NumberKind.FRACTION:
            value, over = values[part.variable], part.form.denominator
            reduced = Fraction(source.values[part.variable]).denominator == over
            if reduced and over != value.denominator and over % value.denominator == 0:
                raise StaleWordingError(f"{line.label}: {part.form.write(value)} is not in lowest terms")


def _check_equations(label: str, text: str) -> None:
    """Refuse a line whose equations are not all true, to the digit or as announced."""
    reading = read_line(text)
    for equation in reading.equations:
        if equation.truth is not Truth.TRUE:
            raise StaleWordingError(f"{label}: {text[equation.start : equation.end]!r} is {equation.truth}")
    for unread in reading.unread:
        if unread.claims:
            raise StaleWordingError(f"{label}: {unread.reason} in {text[unread.start : unread.end]!r}")
