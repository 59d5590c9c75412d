"""The one place in which a mutant differs from its oracle: a step changed, deleted or added, or another answer."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.program import ir
from harness.program.expression_nodes import without_operand
from harness.solution.labels import FINAL_ANSWER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracles.proofs.straight_program import ProgramStep, StraightLineProgram

_LINE = re.compile(r"L([1-9][0-9]{0,4})")


class EditError(Exception):
    """Two programs are the same, or differ in more than one place."""


class EditKind(enum.StrEnum):
    """The ways a mutant may differ from its oracle."""

    CHANGED = "changed"
    DELETED = "deleted"
    ADDED = "added"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class ProgramEdit:
    """The one place: the step that was changed, deleted or added, or the answer.

    `line` is that of the step in the program that has it; `readers` are the lines, in the mutant, of the steps that read
    something else since, `FA` where the answer does. Where they read nothing in its place, their expressions lack the
    operand: it is `dropped`.
    """

    kind: EditKind
    line: str
    variable: str
    before: ir.Expr | None
    after: ir.Expr | None
    readers: tuple[str, ...] = ()
    dropped: bool = False

    @property
    def told_on(self) -> str:
        """Return the line of the flawed solution that tells the error first: of a deletion, the first reader's."""
        return self.readers[0] if self.kind is EditKind.DELETED and self.readers else self.line


@dataclass(frozen=True, slots=True)
class ExpressionDifference:
    """The smallest parts of two expressions within which all their differences lie."""

    before: ir.Expr
    after: ir.Expr


def edit_between(oracle: StraightLineProgram, mutant: StraightLineProgram) -> ProgramEdit:
    """Return the place in which a mutant differs from its oracle.

    Raises:
        EditError: there is no such place, or there is more than one.
    """
    if list(oracle.inputs.items()) != list(mutant.inputs.items()):
        message = "the mutant has other inputs than the oracle"
        raise EditError(message)
    longer = len(mutant.steps) - len(oracle.steps)
    if longer == 0:
        return _changed(oracle, mutant)
    if longer == -1:
        return _deleted(oracle, mutant, EditKind.DELETED)
    if longer == 1:
        return _deleted(mutant, oracle, EditKind.ADDED)
    message = f"the mutant has {len(mutant.steps)} steps, the oracle {len(oracle.steps)}: more than one place differs"
    raise EditError(message)


def _changed(oracle: StraightLineProgram, mutant: StraightLineProgram) -> ProgramEdit:
    places = []
    for old, new in zip(oracle.steps, mutant.steps, strict=True):
        if old is new:
            continue
        if (old.line, old.variable) != (new.line, new.variable):
            message = f"the step {old.variable!r} on {old.line or 'no line'} stands against {new.variable!r} on {new.line or 'no line'}"
            raise EditError(message)
        if old.expression is not new.expression and old.expression != new.expression:
            places.append(ProgramEdit(EditKind.CHANGED, new.line, new.variable, old.expression, new.expression))
    if oracle.answer != mutant.answer:
        names = ir.Name(oracle.answer), ir.Name(mutant.answer)
        places.append(ProgramEdit(EditKind.ANSWER, FINAL_ANSWER, oracle.answer, *names, (FINAL_ANSWER,)))
    if len(places) != 1:
        variables = ", ".join(repr(place.variable) for place in places[:4])
        message = (
            f"{len(places)} places differ ({variables})" if places else "the mutant does not differ from the oracle"
        )
        raise EditError(message)
    return places[0]


def _deleted(longer: StraightLineProgram, shorter: StraightLineProgram, kind: EditKind) -> ProgramEdit:
    """Find the step of the longer program that the shorter one lacks; its readers read one other thing instead."""
    names = [step.variable for step in shorter.steps]
    place = next(
        (index for index, step in enumerate(longer.steps) if names[index : index + 1] != [step.variable]), len(names)
    )
    removed, rest = longer.steps[place], (*longer.steps[:place], *longer.steps[place + 1 :])
    if [step.variable for step in rest] != names:
        message = f"the steps differ in more than {removed.variable!r}"
        raise EditError(message)
    _check_lines(rest, shorter.steps, place)
    readers = [
        (old, new)
        for old, new in zip(rest, shorter.steps, strict=True)
        if old is not new and old.expression is not new.expression and old.expression != new.expression
    ]
    rewired = longer.answer == removed.variable
    instead: ir.Expr | None = ir.Name(shorter.answer) if rewired else None
    dropped = (
        bool(readers)
        and not rewired
        and all(without_operand(old.expression, removed.variable) == new.expression for old, new in readers)
    )
    for old, new in readers:
        if dropped:
            break
        replacement = _instead(old.expression, new.expression, removed.variable)
        if replacement is None or (instead is not None and replacement != instead):
            message = f"besides {removed.variable!r}, the step {old.variable!r} differs"
            raise EditError(message)
        instead = replacement
    if not rewired and longer.answer != shorter.answer:
        message = f"besides {removed.variable!r}, the answer differs"
        raise EditError(message)
    # A step that still reads the variable has no value for it, which evaluation finds.
    lines = [(new if kind is EditKind.DELETED else old).line for old, new in readers] + [FINAL_ANSWER] * rewired
    before, after = (removed.expression, None) if kind is EditKind.DELETED else (None, removed.expression)
    return ProgramEdit(kind, removed.line, removed.variable, before, after, tuple(lines), dropped)


def _check_lines(longer: Sequence[ProgramStep], shorter: Sequence[ProgramStep], place: int) -> None:
    """Check that lines are the same before a place, and after it the same or all one lower."""
    for shift in (0, 1):
        moved = [step.line if index < place else _shifted(step.line, shift) for index, step in enumerate(longer)]
        if moved == [step.line for step in shorter]:
            return
    message = "the lines of the steps do not follow from one step less"
    raise EditError(message)


def _shifted(line: str, shift: int) -> str:
    match = _LINE.fullmatch(line)
    return line if match is None else f"L{int(match[1]) - shift}"


def _instead(old: ir.Expr, new: ir.Expr, name: str) -> ir.Expr | None:
    """Return the one expression that stands in `new` wherever `old` reads a name; `None` where they differ otherwise."""
    if old == new:
        return None
    if old == ir.Name(name):
        return new
    if _shape(old) != _shape(new):
        return None
    instead: ir.Expr | None = None
    for before, after in zip(_children(old), _children(new), strict=True):
        if before == after:
            continue
        replacement = _instead(before, after, name)
        if replacement is None or (instead is not None and replacement != instead):
            return None
        instead = replacement
    return instead


def expression_difference(before: ir.Expr, after: ir.Expr) -> ExpressionDifference:
    """Return the smallest parts of two different expressions within which all their differences lie."""
    while _shape(before) == _shape(after):
        pairs = [pair for pair in zip(_children(before), _children(after), strict=True) if pair[0] != pair[1]]
        if len(pairs) != 1:
            break
        before, after = pairs[0]
    return ExpressionDifference(before, after)


def _children(node: object) -> list[ir.Expr]:
    """Return the expressions right below a node, in order."""
    children: list[ir.Expr] = []
    for slot in getattr(node, "__slots__", ()):
        _collect(getattr(node, slot), children)
    return children


def _collect(value: object, children: list[ir.Expr]) -> None:
    if isinstance(value, ir.Expr):
        children.append(value)
    elif isinstance(value, tuple):
        for item in value:
            _collect(item, children)


def _shape(node: object) -> object:
    """Return all of a node but the expressions right below it."""
    if isinstance(node, ir.Expr):
        return (type(node), *(_outline(getattr(node, slot)) for slot in node.__slots__))
    return node


def _outline(value: object) -> object:
    if isinstance(value, ir.Expr):
        return None
    return tuple(map(_outline, value)) if isinstance(value, tuple) else value
