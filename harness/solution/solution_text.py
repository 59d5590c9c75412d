"""The text of a solution as lines with the places of trace values, rendered with other values."""

import enum
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from harness.domain import Exact, Problem
from harness.solution.template import Template
from harness.solution.trace import Trace
from harness.text.markup import without_annotations
from harness.text.nouns import agree_with_number
from harness.text.number_forms import NumberForm, NumberKind, format_value, numbers_at
from harness.text.numbers import mentions
from harness.text.words import plain_words

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_SPACE = re.compile(r"\s*")
_NAME = re.compile(r"\s*([^\W\d]\w*)\s*(?:[:!][^{}]*)?")


class MismatchCause(enum.StrEnum):
    """Why a line of a template differs from the line of the solution."""

    NO_LINE = "no such line"
    VARIABLE = "unknown variable"
    EXPRESSION = "expression in a placeholder"
    VALUE = "another value"
    PUNCTUATION = "punctuation"
    CASE = "upper and lower case"
    ANNOTATION = "annotation"
    WORDING = "wording"


@dataclass(frozen=True, slots=True)
class PlacedVariable:
    """A variable at one place of a line, with the form of its value there."""

    variable: str
    form: NumberForm


LinePart = str | PlacedVariable


@dataclass(frozen=True, slots=True)
class UnexplainedNumber:
    """A number of a line that no variable explains for certain."""

    text: str
    """The number as it is written."""
    candidates: tuple[str, ...]
    """The variables that have its value."""


@dataclass(frozen=True, slots=True)
class LineText:
    """A line of a solution as words and the places of variables; `literals` are the numbers left in the words."""

    label: str
    parts: tuple[LinePart, ...]
    literals: tuple[UnexplainedNumber, ...] = ()

    @property
    def variables(self) -> tuple[str, ...]:
        """Return the variables of the line in order, each once."""
        return tuple(dict.fromkeys(part.variable for part in self.parts if isinstance(part, PlacedVariable)))

    @property
    def words(self) -> list[str]:
        """Return the parts that are words."""
        return [part for part in self.parts if isinstance(part, str)]


@dataclass(frozen=True, slots=True)
class TemplateMismatch:
    """A line whose template gives another text than the solution."""

    line: str
    """The line."""
    cause: MismatchCause
    """The kind of difference."""
    given: str
    """The text that the template gives."""
    expected: str
    """The text of the solution."""


class UnwritableError(ValueError):
    """A value cannot be written in the form of its place, such as 7/3 in decimals or -2 in words."""


def render_line(
    line: LineText,
    values: Mapping[str, Exact],
    original: Mapping[str, Exact] | None = None,
    vocabulary: frozenset[str] = frozenset(),
) -> str:
    """Return a line with the values of a trace; with the `original` values, nouns agree with changed numbers.

    Raises:
        KeyError: a variable has no value.
        UnwritableError: a value cannot be written exactly in the form of its place.
    """
    written: list[str] = []
    before: LinePart = ""
    for part in line.parts:
        if isinstance(part, PlacedVariable):
            text = part.form.write(values[part.variable])
            if text is None:
                words = "".join(word if isinstance(word, str) else f"{{{word.variable}}}" for word in line.parts)[:200]
                value = f"{part.variable} = {values[part.variable]}"
                raise UnwritableError(f"{line.label}: {value} cannot be written like {part.form.kind} in {words!r}")
            written.append(text)
        elif isinstance(before, PlacedVariable) and original is not None:
            scale, name = before.form.scale, before.variable
            old, new = (known[name] if scale == 1 else known[name] * scale for known in (original, values))
            written.append(agree_with_number(part, old, new, vocabulary))
        else:
            written.append(part)
        before = part
    return "".join(written)


def fit_line(
    label: str, template: str, line: str, values: Mapping[str, Exact], copies: Collection[str] = ()
) -> LineText | TemplateMismatch:
    """Match a template line with the line of the solution: each placeholder must be at a place of its value.

    Apart from white space, all characters must be equal. Other numbers of the line belong to the only variable with their
    value; `copies` of other variables do not count.
    """
    pieces = _PLACEHOLDER.split(template)
    names: list[str] = []
    for inside in pieces[1::2]:
        match = _NAME.fullmatch(inside)
        if match is None or match[1] not in values:
            cause = MismatchCause.EXPRESSION if match is None else MismatchCause.VARIABLE
            return TemplateMismatch(label, cause, template, line)
        names.append(match[1])
    parts = _laid(pieces[::2], names, line, values)
    if parts is None:
        written = [*(format_value(values[name]) for name in names), ""]
        given = "".join(part for pair in zip(pieces[::2], written, strict=True) for part in pair)
        alike = (cause for cause, form in _SAME_BUT_FOR.items() if form(line) == form(given))
        return TemplateMismatch(label, next(alike, MismatchCause.WORDING), given, line)
    return claim_literals(LineText(label, tuple(part for part in parts if part != "")), values, copies)


def claim_literals(line: LineText, values: Mapping[str, Exact], copies: Collection[str] = ()) -> LineText:
    """Assign each number in the words of a line to the only variable with its value; list numbers with no or several variables.

    `copies` are variables that only repeat another one, such as `answer`; they get no number.
    """
    by_value: dict[Exact, list[str]] = {}
    for name, value in values.items():
        if name not in copies:
            by_value.setdefault(value, []).append(name)
    parts: list[LinePart] = []
    literals: list[UnexplainedNumber] = []
    for part in line.parts:
        if isinstance(part, PlacedVariable):
            parts.append(part)
            continue
        end = 0
        for mention in mentions(part):
            if mention.start == 0 and mention.text.startswith(".") and parts and isinstance(parts[-1], PlacedVariable):
                # The decimals of the number before: `{dollars}.00`.
                continue
            # The first reading that has a variable counts: `2/3` is not 2 if a variable is two thirds.
            owners = next((tuple(by_value[value]) for value in mention.readings if value in by_value), ())
            written = numbers_at(part, mention.start, values[owners[0]]) if len(owners) == 1 else ()
            form = next((place.form for place in written if place.end == mention.end), None)
            if form is None:
                literals.append(UnexplainedNumber(mention.text, owners))
                continue
            parts += [part[end : mention.start], PlacedVariable(owners[0], form)]
            end = mention.end
        parts.append(part[end:])
    return replace(line, parts=tuple(part for part in parts if part != ""), literals=tuple(literals))


def with_separators(lines: Sequence[LineText], values: Mapping[str, Exact]) -> list[LineText]:
    """Return lines whose numbers below a thousand use thousands separators if the solution does.

    Numbers within `<<…>>` have no separators.
    """
    forms = [part.form for line in lines for part in line.parts if isinstance(part, PlacedVariable)]
    if not any(form.separators for form in forms):
        return list(lines)
    return [replace(line, parts=tuple(_separated(line.parts, values))) for line in lines]


def _separated(parts: tuple[LinePart, ...], values: Mapping[str, Exact]) -> Iterator[LinePart]:
    inside = False
    for part in parts:
        if isinstance(part, str):
            opened, closed = part.rfind("<<"), part.rfind(">>")
            inside = opened > closed if opened != closed else inside
            yield part
        elif part.form.kind is NumberKind.NUMERAL and not inside:
            separated = replace(part.form, separators=True)
            value = values[part.variable]
            yield replace(part, form=separated) if separated.write(value) == part.form.write(value) else part
        else:
            yield part


def _laid(
    words: Sequence[str], names: Sequence[str], line: str, values: Mapping[str, Exact]
) -> tuple[LinePart, ...] | None:
    """Return the parts of a line with each variable at a place of its value, `None` if the words do not fit the line.

    Of the ways to write the values up to a place of the line, the first is kept.
    """
    start = _end_of_words(words[0], line, 0)
    reached: dict[int, tuple[LinePart, ...]] = {} if start is None else {start: (line[:start],)}
    for name, following in zip(names, words[1:], strict=True):
        further: dict[int, tuple[LinePart, ...]] = {}
        for start, parts in reached.items():
            for written in numbers_at(line, start, values[name]):
                end = _end_of_words(following, line, written.end)
                if end is not None:
                    further.setdefault(end, (*parts, PlacedVariable(name, written.form), line[written.end : end]))
        reached = further
    return reached.get(len(line))


def _end_of_words(words: str, line: str, at: int) -> int | None:
    """Return the end of the words at `at`, and of the white space after them; `None` if the line has other words.

    The words may differ in white space.
    """
    if line.startswith(words, at):
        return _past_space(line, at + len(words))
    for character in words:
        if not character.isspace():
            at = _past_space(line, at)
            if not line.startswith(character, at):
                return None
            at += 1
    return _past_space(line, at)


def _past_space(line: str, at: int) -> int:
    match = _SPACE.match(line, at)
    return at if match is None else match.end()


_NOT_WORD = re.compile(r"[^\w]|_")
_NUMBER = re.compile(r"\d[\d,]*\.?\d*|\.\d+")


_SAME_BUT_FOR: Mapping[MismatchCause, Callable[[str], str]] = {
    MismatchCause.CASE: lambda text: "".join(text.lower().split()),
    MismatchCause.ANNOTATION: lambda text: "".join(without_annotations(text).split()),
    MismatchCause.PUNCTUATION: lambda text: _NOT_WORD.sub("", text).lower(),
    MismatchCause.VALUE: lambda text: _NUMBER.sub("#", "".join(text.split())),
}
"""What two lines have in common that differ by a cause, the smallest difference first."""


@dataclass(frozen=True, slots=True)
class SolutionText:
    """The lines of a solution with the places of its variables, and the lines whose template gives something else."""

    lines: tuple[LineText, ...]
    values: Mapping[str, Exact]
    vocabulary: frozenset[str]
    mismatches: tuple[TemplateMismatch, ...]

    @property
    def faithful(self) -> bool:
        """Tell whether every step of the template gives back its line."""
        return not self.mismatches

    def render(self, values: Mapping[str, Exact] | None = None) -> str:
        """Write the solution with other values, or with its own, which gives back its text; a value that its place cannot hold is an `UnwritableError`."""
        given = self.values if values is None else values
        return "\n".join(render_line(line, given, self.values, self.vocabulary) for line in self.lines)


def read_text(problem: Problem, template: Template, trace: Trace) -> SolutionText:
    """Lay the wording of a template over the lines of a problem's solution.

    A line that no step words, or whose step does not fit, keeps its own words, and its numbers belong to the variables
    that alone have their values.
    """
    lines = problem.solution.split("\n") if problem.solution else []
    fitted: dict[int, LineText] = {}
    mismatches: list[TemplateMismatch] = []
    for step in template.steps:
        if step.line > len(lines):
            given = step.solution_line_template
            expected = f"(the solution has {len(lines)} lines)"
            mismatches.append(TemplateMismatch(step.line_number, MismatchCause.NO_LINE, given, expected))
            continue
        laid = fit_line(step.line_number, step.solution_line_template, lines[step.line - 1], trace.values, trace.copies)
        if isinstance(laid, TemplateMismatch):
            mismatches.append(laid)
        else:
            fitted[step.line] = laid
    texts = [
        fitted.get(number) or claim_literals(LineText(f"L{number}", (line,)), trace.values, trace.copies)
        for number, line in enumerate(lines, start=1)
    ]
    vocabulary = frozenset(plain_words(f"{problem.question} {problem.solution}"))
    return SolutionText(tuple(with_separators(texts, trace.values)), trace.values, vocabulary, tuple(mismatches))
