"""Line templates: the lines of a solution with the variables of their equations in place of the numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from generators.formalizations.annotation.line_equations import Equation
from generators.formalizations.annotation.operand_resolution import Variable
from harness.domain import Exact
from harness.text.number_forms import numbers_at
from harness.text.numbers import NUMERAL, read_numeral, whole_as_int

_FRACTION = re.compile(r"\d+ ?/ ?\d+(?![\d.])")
_NUMERAL = re.compile(rf"(?<![\d.])({NUMERAL})( ?%)?")


def line_template(
    line: str, equation: Equation, placed: list[tuple[tuple[int, int], Variable]], output: Variable
) -> str:
    """Return the line with variables in the place of their numbers.

    A number written as no form writes it, such as `007`, stays a word: its variable would not give it back.
    """
    everything = [*placed, (equation.result, output)]
    if "%" not in line:
        names: dict[str, str] = {}
        for (start, stop), variable in everything:
            text = line[start:stop]
            if names.setdefault(text, variable.name) != variable.name or _USUAL.fullmatch(text) is None:
                break
        else:
            return _replaced(line, names, [variable for _, variable in everything])
    spans = {
        start: (stop, variable) for (start, stop), variable in everything if _stands(line, start, stop, variable.value)
    }
    before = _Turns(line, {}, [variable for _, variable in placed], output)
    after = _Turns(line, {}, [output], None)
    for start, (stop, variable) in spans.items():
        if variable is not output:
            before.written.setdefault(line[start:stop], []).append(variable.name)
    # What follows the sign is the result, in the annotation of `1 * 60 = <<60=60>>60` too.
    stated = line.find("=", max((stop for (_, stop), _ in placed), default=0), equation.result[0])
    turns = before
    parts: list[str] = []
    end = 0
    for match in _NUMERAL.finditer(line):
        start = match.start()
        if start < end:
            continue
        if turns is before and start > stated:
            turns = after
            after.written.update({**before.written, equation.stated: [output.name]})
            after.then = before.first
        name: str | None
        known = spans.get(start)
        fraction = _FRACTION.match(line, start)
        if known is not None:
            stop, name = known[0], known[1].name
        elif fraction is not None and (taken := turns.written.get(fraction[0])):
            taken.append(taken.pop(0))
            stop, name = fraction.end(), taken[-1]
        else:
            stop, name = turns.placed(match)
        if name is not None:
            parts += [line[end:start], f"{{{name}}}"]
            end = stop
    parts.append(line[end:])
    return "".join(parts)


def _replaced(line: str, names: Mapping[str, str], variables: Sequence[Variable]) -> str:
    """Return a line whose equation writes each variable in one way of its own: what stands there tells the variable."""

    def placed(match: re.Match[str]) -> str:
        name = names.get(match[1])
        if name is None:
            value = read_numeral(match[1])
            fitting = [variable.name for variable in variables if variable.value == value]
            if value is None or not fitting or not _stands(line, *match.span(1), whole_as_int(value)):
                return match[0]
            name = fitting[0]
        return f"{{{name}}}"

    return _NUMERAL.sub(placed, line)


def _stands(text: str, start: int, stop: int, value: Exact) -> bool:
    """Tell whether the characters, read as a value, are a form that gives them back."""
    if _USUAL.fullmatch(text, start, stop) is not None:
        return True
    return any(written.end == stop for written in numbers_at(text, start, value))


# Digits that `read_numeral` and `NumberForm.write` agree on.
_USUAL = re.compile(r"(?:[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,14}|0)(?:\.\d{0,8}[1-9])?", re.ASCII)


class _Turns:
    """The variables that numbers of the prose may be; where several have one value, they take turns.

    `written` gives those of the line's equation by what stands there; `then` stands only where none of `first` has the
    value.
    """

    def __init__(self, line: str, written: dict[str, list[str]], first: list[Variable], then: Variable | None) -> None:
        """Look at values only when a number is met that the equation writes in another way."""
        self.line = line
        self.written = written
        self.first = first
        self.then: Sequence[Variable] = [] if then is None else [then]
        self._names: dict[Exact, list[str]] | None = None

    def placed(self, match: re.Match[str]) -> tuple[int, str | None]:
        """Return where a number of the prose ends and which variable it is, if it is one."""
        names = self.written.get(match[1]) if match[2] is None else None
        if names is not None:
            names.append(names.pop(0))
            return match.end(), names[-1]
        value = read_numeral(match[1])
        if value is None:
            return match.end(), None
        value = whole_as_int(value)
        if match[2]:
            hundredth = whole_as_int(Fraction(value) / 100)
            name = self._name(hundredth, *match.span())
            if name is not None:
                return match.end(), name
        return match.end(1), self._name(value, *match.span(1))

    def _name(self, value: Exact, start: int, stop: int) -> str | None:
        if self._names is None:
            self._names = {}
            for group in (self.first, self.then):
                known = set(self._names)
                for variable in group:
                    if variable.value not in known:
                        self._names.setdefault(variable.value, []).append(variable.name)
        names = self._names.get(value)
        if not names or not _stands(self.line, start, stop, value):
            return None
        names.append(names.pop(0))
        return names[-1]
