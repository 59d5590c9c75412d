"""The single changes of a line that make a wrong solution compute the oracle: the operators of flaws, read backwards."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.equations.equation import Number, Operation
from harness.program import ir
from harness.text.numbers import whole_as_int
from sft.diagnosis.quantities import operation
from sft.diagnosis.readings import Meaning, Reader

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.domain import Exact
    from sft.diagnosis.stated_steps import StatedStep

MOST_CHANGED = 400
"""The changes of one step that are tried."""


class ChangeKind(enum.StrEnum):
    """How a step is changed; in the order of preference."""

    RESULT = "result"
    OPERATOR = "operator"
    OPERAND = "operand"
    TERM_TOO_MUCH = "term too much"
    TERM_LEFT_OUT = "term left out"
    STEP = "step"


@dataclass(frozen=True, slots=True)
class ChangedStep:
    """A change of a step: `meaning` is what its result becomes; `was` and `now` are the numbers or signs that differ."""

    kind: ChangeKind
    meaning: Meaning
    was: str = ""
    now: str = ""
    operand: Number | None = None
    replaced_by: Meaning | None = None


def changed_steps(step: StatedStep, reader: Reader) -> list[ChangedStep]:
    """Return the changes of a step that could make it right, each result once, the smallest change first."""
    found: dict[int, ChangedStep] = {}
    options = [reader.meanings(number) for number in step.operands]
    own = reader.combined(step, options)
    if step.is_false:
        for meaning in own:
            found.setdefault(meaning.quantity.residue, ChangedStep(ChangeKind.RESULT, meaning))
    unchanged = {meaning.quantity.residue for meaning in own}
    for change in (*_operators(step, options), *_operands(step, options, reader), *_terms(step, own, options, reader)):
        if len(found) >= MOST_CHANGED:
            break
        if change.meaning.quantity.residue not in unchanged:
            found.setdefault(change.meaning.quantity.residue, change)
    for oracle_step in reader.oracle.steps:
        if oracle_step.quantity.residue not in unchanged:
            meaning = Meaning(oracle_step.quantity, oracle_step.expression)
            found.setdefault(oracle_step.quantity.residue, ChangedStep(ChangeKind.STEP, meaning))
    return list(found.values())


def _operators(step: StatedStep, options: Sequence[Sequence[Meaning]]) -> Iterator[ChangedStep]:
    """Yield the results with another operator at one place."""
    first = {number.start: option[0] for number, option in zip(step.operands, options, strict=True)}
    for start, sign in _signs(step.side):
        for operator in "+-*/":
            if operator != sign:
                for swapped in (False, True) if operator in "-/" else (False,):
                    meaning = _with_operator(step.side, first, start, operator, swapped=swapped)
                    if meaning is not None:
                        yield ChangedStep(ChangeKind.OPERATOR, meaning, sign, operator)
        if sign in {"-", "/"}:
            meaning = _with_operator(step.side, first, start, sign, swapped=True)
            if meaning is not None:
                yield ChangedStep(ChangeKind.OPERATOR, meaning, sign, sign)


def _signs(side: object) -> Iterator[tuple[int, str]]:
    if isinstance(side, Number):
        return
    if isinstance(side, Operation):
        yield side.sign_start, side.operator
        yield from _signs(side.left)
        yield from _signs(side.right)
    else:
        yield from _signs(side.inner)  # type: ignore[attr-defined]


def _with_operator(
    side: object, operands: Mapping[int, Meaning], start: int, operator: str, *, swapped: bool
) -> Meaning | None:
    if isinstance(side, Number):
        return operands[side.start]
    if not isinstance(side, Operation):
        inner = _with_operator(side.inner, operands, start, operator, swapped=swapped)  # type: ignore[attr-defined]
        return inner
    left = _with_operator(side.left, operands, start, operator, swapped=swapped)
    right = _with_operator(side.right, operands, start, operator, swapped=swapped)
    if left is None or right is None:
        return None
    if side.sign_start == start and swapped:
        left, right = right, left
    return joined(operator if side.sign_start == start else side.operator, left, right)


def joined(operator: str, left: Meaning, right: Meaning) -> Meaning | None:
    """Return the result of an operation on two meanings."""
    quantity = operation(operator, left.quantity, right.quantity)
    if quantity is None:
        return None
    return Meaning(quantity, ir.Binary(operator, left.expression, right.expression), left.known and right.known)


def _sources(reader: Reader) -> list[Meaning]:
    """Return what an operand could have been: earlier results, inputs, and what the oracle computes."""
    found = {meaning.quantity.residue: meaning for meanings in reader.results.values() for meaning in meanings}
    for name, quantity in reader.oracle.inputs.items():
        found.setdefault(quantity.residue, Meaning(quantity, ir.Name(name)))
    for step in reader.oracle.steps:
        found.setdefault(step.quantity.residue, Meaning(step.quantity, step.expression))
    return list(found.values())


def _operands(step: StatedStep, options: Sequence[Sequence[Meaning]], reader: Reader) -> Iterator[ChangedStep]:
    """Yield the results with another quantity in the place of one number."""
    sources = _sources(reader)
    for place, number in enumerate(step.operands):
        fixed = [option[:1] for option in options]
        for source in sources:
            for meaning in reader.combined(step, [*fixed[:place], [source], *fixed[place + 1 :]])[:1]:
                yield ChangedStep(ChangeKind.OPERAND, meaning, operand=number, replaced_by=source)


def _terms(
    step: StatedStep, own: Sequence[Meaning], options: Sequence[Sequence[Meaning]], reader: Reader
) -> Iterator[ChangedStep]:
    """Yield the results with a number left out, or with one more term or factor."""
    if len(options) == 2:
        for option in options:
            yield ChangedStep(ChangeKind.TERM_TOO_MUCH, option[0])
    for source in _sources(reader):
        for operator in "+-*/":
            meaning = joined(operator, own[0], source) if own else None
            if meaning is not None:
                yield ChangedStep(ChangeKind.TERM_LEFT_OUT, meaning, now=operator, replaced_by=source)


def repairs(
    steps: Sequence[StatedStep],
    place: int,
    reader: Reader,
    options: Sequence[Sequence[Sequence[Meaning]]],
    answer: Exact,
) -> Iterator[tuple[ChangedStep, Meaning]]:
    """Yield the changes of a step after which the steps that follow compute the oracle, each with what the answer becomes.

    `reader` has read the steps before it; `options` are the meanings of the numbers of each step as the solution stands.
    """
    target = reader.oracle.target
    later = _depending(steps, place, answer)
    if target is None or later is None:
        return
    for change in changed_steps(steps[place], reader):
        dirty: dict[Exact, Sequence[Meaning]] = {steps[place].stated: [change.meaning]}
        for number in later:
            step = steps[number]
            given = [
                [*dirty[value], *reader.of_inputs(value)] if (value := operand_value(operand)) in dirty else own
                for operand, own in zip(step.operands, options[number], strict=True)
            ]
            dirty[step.stated] = reader.combined(step, given)
        reached = next((each for each in dirty[answer] if each.quantity.residue == target.residue), None)
        if reached is not None:
            yield change, reached


def _depending(steps: Sequence[StatedStep], place: int, answer: Exact) -> list[int] | None:
    """Return the later steps that rest on a step, `None` where the answer does not."""
    values, later = {steps[place].stated}, []
    for number in range(place + 1, len(steps)):
        if not values.isdisjoint(map(operand_value, steps[number].operands)):
            values.add(steps[number].stated)
            later.append(number)
    return later if answer in values else None


def operand_value(number: Number) -> Exact:
    """Return the value of a number of an equation."""
    return whole_as_int(number.value or 0)
