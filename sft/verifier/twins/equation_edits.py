"""Single changes of an equation that could repair a conceptual error: an operand, an operator or a term."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.equations.equation import Number, Operation, StatedEquation, Truth
from harness.equations.grammar import apply
from harness.text.number_forms import format_value, numbers_at
from harness.text.numbers import whole_as_int
from sft.verifier.twins.expression_trees import parts, reads_as_meant, strength, with_replacement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.domain import Exact
    from harness.equations.equation import Expression
    from sft.verifier.twins.known_numbers import KnownNumbers

LONGEST_CHANGE = 100
_SIGNS = {"+": "+", "-": "-", "*": "*", "/": "/"}
_SAID = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}
_TIMES = frozenset("x×X*")
_WEAK = {"+": 1, "-": 1, "*": 2, "/": 2}


@dataclass(frozen=True, slots=True)
class TextReplacement:
    """A text that replaces the characters `start` to `end` of a line."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class EquationChange:
    """A change of the left side of an equation: the replacements in the text, and the value after them.

    `weight` orders changes; the most likely repairs have the lowest.
    """

    kind: str
    words: str
    weight: int
    pieces: tuple[TextReplacement, ...]
    value: Exact


def changes(line: str, equation: StatedEquation, known: KnownNumbers) -> Iterator[EquationChange]:
    """Yield the single changes of an equation, each with the exact value of the changed left side."""
    left = equation.left
    expression = line[left.start : left.end]
    if equation.truth is Truth.FALSE and left.value is not None:
        yield EquationChange(
            "result", f"{_of(line, equation.right)} -> {format_value(left.value)} in {expression}", 0, (), left.value
        )
    if not any(isinstance(part, Operation) for part in parts(left)):
        return
    for change in _all(line, left, known):
        yield replace(change, words=f"{change.words} in {expression}"[:LONGEST_CHANGE])


def _of(line: str, part: Expression) -> str:
    return line[part.start : part.end]


def _all(line: str, left: Expression, known: KnownNumbers) -> Iterator[EquationChange]:
    for part in parts(left):
        if isinstance(part, Number):
            yield from _other_operand(line, left, part, known)
            yield from _other_percent(line, left, part)
        elif isinstance(part, Operation) and part.operator in _SIGNS:
            yield from _other_operator(line, left, part)
            yield from _turned(line, left, part)
            yield from _dropped(line, left, part, known)
    yield from _added(line, left, known)


def _other_operand(line: str, left: Expression, number: Number, known: KnownNumbers) -> Iterator[EquationChange]:
    """Yield changes of an operand to another number of the question, or to an earlier result."""
    if number.value is None or number.scale != 1:
        return
    given = known.given(number.value)
    for value in dict.fromkeys((*known.results, *known.stated)):
        text = _written(line, number, value)
        if value == number.value or text is None:
            continue
        weight = 2 if value in known.unused else 3 if not given else 5 if value in known.results else 6
        weight += 2 * (value.denominator > 1 and number.value.denominator == 1)
        whole = with_replacement(left, number, replace(number, value=value))
        words = f"{_of(line, number)} -> {text}"
        yield from _made("operand", words, weight, (TextReplacement(number.start, number.end, text),), whole)


def _written(line: str, number: Number, value: Exact) -> str | None:
    """Return a value in the form of a number of the line, `None` if it has none."""
    if number.value is None:
        return None
    if number.percent and value.denominator == 1 and value > 1:
        return None
    for place in numbers_at(line, number.start, number.value):
        if place.end == number.end:
            return place.form.write(value)
    return None


def _other_percent(line: str, left: Expression, number: Number) -> Iterator[EquationChange]:
    """Yield changes of a percentage to the rest, or to the whole and the part: 80% or 120% for 20%."""
    value = number.value
    if value is None or not (number.percent or 0 < value < 1) or not 0 < value < 1:
        return
    for new in (1 - value, 1 + value):
        text = _written(line, number, new)
        if text is not None:
            whole = with_replacement(left, number, replace(number, value=new))
            words = f"{_of(line, number)} -> {text}"
            yield from _made("share", words, 3, (TextReplacement(number.start, number.end, text),), whole)


def _other_operator(line: str, left: Expression, part: Operation) -> Iterator[EquationChange]:
    """Yield changes of the operator."""
    sign = line[part.sign_start : part.sign_end]
    if not sign or line.startswith("\\", part.sign_start) or part.sign_start < part.left.end:
        return
    for operator in _SIGNS:
        if operator == part.operator:
            continue
        new = replace(part, operator=operator, value=apply(operator, part.left.value, part.right.value))
        whole = with_replacement(left, part, new)
        if reads_as_meant(whole):
            text = _SAID[operator] if sign.isalpha() and len(sign) > 1 else _sign(operator, line)
            yield from _made(
                "operator", f"{sign} -> {text}", 1, (TextReplacement(part.sign_start, part.sign_end, text),), whole
            )


def _sign(operator: str, line: str) -> str:
    """Return an operator as the line would write it."""
    if operator == "*":
        return next((sign for sign in ("×", " x ", "*") if sign in line), "*").strip()
    return "÷" if operator == "/" and "÷" in line else operator


def _turned(line: str, left: Expression, part: Operation) -> Iterator[EquationChange]:
    """Yield the exchange of the operands of a difference or a quotient."""
    left_operand, right_operand = part.left, part.right
    if (
        part.operator not in {"-", "/"}
        or left_operand.value == right_operand.value
        or part.sign_start < left_operand.end
    ):
        return
    whole = with_replacement(
        left,
        part,
        replace(
            part,
            left=right_operand,
            right=left_operand,
            value=apply(part.operator, right_operand.value, left_operand.value),
        ),
    )
    if reads_as_meant(whole):
        pieces = (
            TextReplacement(left_operand.start, left_operand.end, _of(line, right_operand)),
            TextReplacement(right_operand.start, right_operand.end, _of(line, left_operand)),
        )
        yield from _made("turned", f"{_of(line, left_operand)} <-> {_of(line, right_operand)}", 3, pieces, whole)


def _dropped(line: str, left: Expression, part: Operation, known: KnownNumbers) -> Iterator[EquationChange]:
    """Yield an operation without one of its operands, if another operation remains."""
    if part.sign_start < part.left.end:
        return
    for kept, gone in ((part.left, part.right), (part.right, part.left)):
        whole = with_replacement(left, part, kept)
        if not any(isinstance(inner, Operation) for inner in parts(whole)) or not reads_as_meant(whole):
            continue
        if gone is part.left and part.operator in {"-", "/"}:
            continue
        start, end = (
            (_outer_end(kept), _outer_end(gone)) if kept is part.left else (_outer_start(gone), _outer_start(kept))
        )
        weight = 2 if any(known.given(inner.value) for inner in parts(gone)) else 1
        words = f"without {line[part.sign_start : part.sign_end]} {_of(line, gone)}"
        yield from _made("dropped", words, weight, (TextReplacement(start, end, ""),), whole)


def _outer_start(part: Expression) -> int:
    if isinstance(part, Operation):
        return _outer_start(part.left)
    return part.outer_start if isinstance(part, Number) else part.start


def _outer_end(part: Expression) -> int:
    if isinstance(part, Operation):
        return _outer_end(part.right)
    return part.outer_end if isinstance(part, Number) else part.end


def _added(line: str, left: Expression, known: KnownNumbers) -> Iterator[EquationChange]:
    """Yield one more term or factor: an unused number, a usual factor, the rest or the sum of a share."""
    terms: list[tuple[str, str, Exact, int]] = []
    for value in known.unused:
        if value < 1 and value in known.percents:
            terms += [("share", "*", value, 3), ("share", "*", 1 - value, 4), ("share", "*", 1 + value, 4)]
        else:
            terms += [("added", operator, value, 3 + (operator == "/")) for operator in _SIGNS]
    for factor in known.factors:
        terms += [("unit", operator, Fraction(factor), 5) for operator in "*/"]
    terms += [("added", operator, value, 6) for value in known.results[:2] for operator in "+-"]
    space = (
        " "
        if any(
            line[part.sign_start - 1 : part.sign_start] == " " for part in parts(left) if isinstance(part, Operation)
        )
        else ""
    )
    end = _outer_end(left)
    for kind, operator, value, weight in sorted(terms, key=_by_weight):
        text = format_value(value)
        if "/" in text:
            continue
        new = apply(operator, left.value, whole_as_int(Fraction(value)))
        if new is None:
            continue
        sign = _sign(operator, line)
        pieces: tuple[TextReplacement, ...] = (TextReplacement(end, end, f"{space}{sign}{space}{text}"),)
        if strength(left) < _WEAK[operator]:
            pieces = (
                TextReplacement(left.start, left.start, "("),
                TextReplacement(end, end, f"){space}{sign}{space}{text}"),
            )
        yield from _result(kind, f"with {operator} {text}", weight, pieces, new)


def _by_weight(term: tuple[str, str, Exact, int]) -> tuple[int, str, str, Fraction]:
    return term[3], term[0], term[1], Fraction(term[2])


def _made(
    kind: str, words: str, weight: int, pieces: tuple[TextReplacement, ...], whole: Expression
) -> Iterator[EquationChange]:
    if whole.value is not None:
        yield from _result(kind, words, weight, pieces, whole.value)


def _result(
    kind: str, words: str, weight: int, pieces: tuple[TextReplacement, ...], value: Exact
) -> Iterator[EquationChange]:
    """Yield a change if its value is above zero."""
    if value > 0:
        yield EquationChange(kind, words, weight, pieces, whole_as_int(value))
