"""How do the solution and the answer of a problem read with other values, and which solutions would say something stale?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.program import ir
from harness.solution.rendering import Placed, UnwritableError
from harness.text.mentions import mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from generators.flaws.source import Source
    from harness.domain import Exact
    from harness.solution.rendering import LineText, Literal


@dataclass(frozen=True, slots=True)
class Worked:
    """A solution and its answer, as `#### ` is followed by it."""

    solution: str
    answer: str


class StaleError(ValueError):
    """Words of the solution would still say an old value, or no longer fit the new ones."""


def work_anew(source: Source, values: Mapping[str, Exact]) -> Worked:
    """Write the solution and the answer with other values, one for each variable.

    Raises:
        StaleError: something of the solution would not follow, or not fit.
        UnwritableError: a value cannot be written where another stood.
    """
    changed = frozenset(name for name, value in values.items() if value != source.values[name])
    for line in source.text.lines:
        for literal in line.literals:
            if not _stays(literal, source, changed):
                message = f"{line.label}: {literal.text!r} would stay"
                raise StaleError(message)
    _check_coincidences(source, values)
    solution = source.text.render(values)
    for line in source.text.lines:
        _check_words(line, values, changed)
    answer = source.answer_form.write(values[source.final])
    if answer is None:
        message = f"the answer {values[source.final]} cannot be written like {source.problem.gold!r}"
        raise UnwritableError(message)
    return Worked(solution, answer)


_ONE = frozenset(["one", "once", "1", "100", "100%", "score"])
_PART = re.compile(r"(?:half|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)", re.IGNORECASE)


def _stays(literal: Literal, source: Source, changed: frozenset[str]) -> bool:
    """Tell whether a number left in the words may stay as it is: it stands for nothing that changes."""
    if literal.candidates:
        return changed.isdisjoint(literal.candidates)
    text = literal.text.lower()
    if text in _ONE or _PART.fullmatch(text):
        return True
    said = {reading for one in mentions(literal.text) for reading in one.readings[:1]}
    return bool(said) and said <= constants_of(source)


def constants_of(source: Source) -> frozenset[Exact]:
    """Return the numbers that stand in the steps of a solution as they are."""
    return frozenset(value for entry in source.steps for value in _constants(entry.expression))


def _constants(node: object) -> Iterator[Exact]:
    if isinstance(node, ir.Const):
        if not isinstance(node.value, bool | str) and node.value is not None:
            yield node.value
    elif isinstance(node, tuple):
        for part in node:
            yield from _constants(part)
    elif hasattr(node, "__slots__"):
        for slot in node.__slots__:
            yield from _constants(getattr(node, slot))


def _check_coincidences(source: Source, values: Mapping[str, Exact]) -> None:
    """Refuse where two variables of one value part: the words may give the one's number to the other."""
    written = {name for line in source.text.lines for name in line.variables}
    first: dict[Exact, str] = {}
    for name in written:
        other = first.setdefault(source.values[name], name)
        if values[other] != values[name]:
            message = f"{other} and {name} were both {source.values[name]}"
            raise StaleError(message)


_ARTICLE = re.compile(r"\b(an?) $", re.IGNORECASE)
_VOWEL_SOUND = re.compile(r"\$?(?:8|11(?!\d)|18(?!\d)|1[18],|eight|eleven)")


def _check_words(line: LineText, values: Mapping[str, Exact], changed: frozenset[str]) -> None:
    before = ""
    for part in line.parts:
        if isinstance(part, Placed):
            if part.variable in changed:
                if part.form.rounded:
                    message = f"{line.label}: {part.variable} is rounded"
                    raise StaleError(message)
                article = _ARTICLE.search(before)
                text = part.form.write(values[part.variable]) or ""
                if article is not None and (article[1].lower() == "an") != bool(_VOWEL_SOUND.match(text.lower())):
                    message = f"{line.label}: {article[1]} {text}"
                    raise StaleError(message)
            before = ""
        else:
            before = part
