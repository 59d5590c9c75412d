"""The straight-line program of a trace, and the one place in which a mutant differs from its oracle."""

import enum
from dataclasses import dataclass

from harness.program import ir
from harness.program.evaluation.evaluator import format_exact
from harness.program.expression_nodes import operand_pairs, without_operand
from harness.program.syntax.unparser import unparse
from harness.program.value_parser import read_exact, read_expression
from harness.records.mutation import CertifiedProgram, ProgramStep
from harness.solution.labels import FINAL_ANSWER
from harness.solution.trace import Trace


def program_of(trace: Trace) -> CertifiedProgram:
    """Return the program that a trace was made from, as its JSON is read; errors as in `read_expression` and `read_exact`."""
    inputs, steps = [], []
    for entry in trace.entries:
        if entry.expression is None:
            inputs.append((entry.variable, read_exact(format_exact(entry.value))))
        else:
            steps.append(ProgramStep(entry.line or "", entry.variable, read_expression(unparse(entry.expression))))
    return CertifiedProgram(tuple(inputs), tuple(steps), trace.result)


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
    something else since, `FA` where the answer does.
    """

    kind: EditKind
    line: str
    variable: str
    before: ir.Expr | None
    after: ir.Expr | None
    readers: tuple[str, ...] = ()

    @property
    def told_on(self) -> str:
        """Return the line of the flawed solution that tells the error first: of a deletion, the first reader's."""
        return self.readers[0] if self.kind is EditKind.DELETED and self.readers else self.line


def edit_between(oracle: CertifiedProgram, mutant: CertifiedProgram) -> ProgramEdit:
    """Return the one place in which a mutant differs from its oracle; none or several are an `EditError`."""
    if oracle.inputs != mutant.inputs:
        raise EditError("the mutant has other inputs than the oracle")
    match len(mutant.steps) - len(oracle.steps):
        case 0:
            return _changed_step(oracle, mutant)
        case -1:
            return _deleted_step(oracle, mutant, EditKind.DELETED)
        case 1:
            return _deleted_step(mutant, oracle, EditKind.ADDED)
    raise EditError(
        f"the mutant has {len(mutant.steps)} steps, the oracle {len(oracle.steps)}: more than one place differs"
    )


def _changed_step(oracle: CertifiedProgram, mutant: CertifiedProgram) -> ProgramEdit:
    places = []
    for old, new in zip(oracle.steps, mutant.steps, strict=True):
        if (old.line, old.variable) != (new.line, new.variable):
            raise EditError(
                f"the step {old.variable!r} on {old.line or 'no line'} stands against {new.variable!r} on {new.line or 'no line'}"
            )
        if _differs(old, new):
            places.append(ProgramEdit(EditKind.CHANGED, new.line, new.variable, old.expression, new.expression))
    if oracle.answer != mutant.answer:
        names = ir.Name(oracle.answer), ir.Name(mutant.answer)
        places.append(ProgramEdit(EditKind.ANSWER, FINAL_ANSWER, oracle.answer, *names, (FINAL_ANSWER,)))
    if len(places) != 1:
        variables = ", ".join(repr(place.variable) for place in places[:4])
        raise EditError(
            f"{len(places)} places differ ({variables})" if places else "the mutant does not differ from the oracle"
        )
    return places[0]


def _differs(old: ProgramStep, new: ProgramStep) -> bool:
    return old.expression is not new.expression and old.expression != new.expression


def _deleted_step(longer: CertifiedProgram, shorter: CertifiedProgram, kind: EditKind) -> ProgramEdit:
    """Find the step of the longer program that the shorter one lacks; its readers read one other thing instead, or nothing.

    The longer program is the oracle of a deleted step, and the mutant of an added one.
    """
    names = [step.variable for step in shorter.steps]
    place = next(
        (index for index, step in enumerate(longer.steps) if names[index : index + 1] != [step.variable]), len(names)
    )
    removed, rest = longer.steps[place], (*longer.steps[:place], *longer.steps[place + 1 :])
    if [step.variable for step in rest] != names:
        raise EditError(f"the steps differ in more than {removed.variable!r}")
    lines = [step.line for step in shorter.steps]
    if lines not in (
        [step.line if index < place else _lowered_line(step.line, shift) for index, step in enumerate(rest)]
        for shift in (0, 1)
    ):
        raise EditError("the lines of the steps do not follow from one step less")
    readers = [(old, new) for old, new in zip(rest, shorter.steps, strict=True) if _differs(old, new)]
    gave_answer = longer.answer == removed.variable
    if not gave_answer and longer.answer != shorter.answer:
        raise EditError(f"besides {removed.variable!r}, the answer differs")
    if gave_answer or any(without_operand(old.expression, removed.variable) != new.expression for old, new in readers):
        instead: set[ir.Expr] = {ir.Name(shorter.answer)} if gave_answer else set()
        for old, new in readers:
            differences = _differences(old.expression, new.expression)
            instead.update(after for _, after in differences)
            if len(instead) > 1 or any(before != ir.Name(removed.variable) for before, _ in differences):
                raise EditError(f"besides {removed.variable!r}, the step {old.variable!r} differs")
    # A step that still reads the variable has no value for it, which evaluation finds.
    told = [(new if kind is EditKind.DELETED else old).line for old, new in readers] + [FINAL_ANSWER] * gave_answer
    before, after = (removed.expression, None) if kind is EditKind.DELETED else (None, removed.expression)
    return ProgramEdit(kind, removed.line, removed.variable, before, after, tuple(told))


def _lowered_line(line: str, shift: int) -> str:
    return f"L{int(line[1:]) - shift}" if line[1:].isdecimal() else line


def _differences(before: ir.Expr, after: ir.Expr) -> list[tuple[ir.Expr, ir.Expr]]:
    """Return all smallest parts in which two expressions differ."""
    if before == after:
        return []
    pairs = operand_pairs(before, after)
    return [part for pair in pairs for part in _differences(*pair)] if pairs else [(before, after)]
