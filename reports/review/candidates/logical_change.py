"""Description of the change that makes a solution flawed, as one sentence and as a list of values."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from harness.domain import Exact
from harness.program import ir
from harness.program.syntax.unparser import unparse
from harness.solution.labels import FINAL_ANSWER, ErrorType
from harness.solution.slip_causes import GENERAL_CAUSE, SLIP_CAUSES
from harness.text.names import proper_names, variable_phrase, variable_words, with_names
from harness.text.number_forms import format_value
from oracles.certificates.program_edit import EditKind, expression_difference
from oracles.labels.edits.candidate import ReviewCandidate, UnreadableCandidateError, subject_of

LONGEST_EXPRESSION = 90
_NAME = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value that the change made another, as numbers are written; `after` is `None` where its step is left out.

    `name` is the variable in words, `line` that of the correct solution, empty where none is known.
    """

    name: str
    variable: str
    line: str
    before: str
    after: str | None


@dataclass(frozen=True, slots=True)
class LogicalChange:
    """The change in one sentence, the values of the step it was made to, and those that follow from it."""

    sentence: str
    line: str
    values: tuple[ValueChange, ...]
    follows: tuple[ValueChange, ...]


def change_of(record: Mapping[str, Any]) -> LogicalChange:
    """Return what was changed in a record of the mutation stage; of one that cannot be read it says so."""
    try:
        subject = subject_of(record)
    except UnreadableCandidateError as error:
        return LogicalChange(f"What was changed cannot be told: {error}", "", (), ())
    facts = _Facts.of(subject)
    names = proper_names(subject.record["question"])
    values = _values(subject, names)
    told = {step.variable for step in subject.certificate.told.steps if step.line == subject.line}
    own = {subject.certificate.change.variable, *told}
    here = tuple(one for one in values if one.variable in own or one.line == FINAL_ANSWER)
    sentence = with_names(SENTENCES[facts.error_type](facts), names)
    return LogicalChange(sentence, subject.line, here, tuple(one for one in values if one not in here))


def _values(subject: ReviewCandidate, names: frozenset[str]) -> list[ValueChange]:
    certificate = subject.certificate
    found = []
    for step in certificate.oracle.steps:
        old, new = subject.before[step.variable], subject.after.get(step.variable)
        if new != old:
            after = None if new is None else format_value(new)
            name = with_names(variable_words(step.variable), names) or "value"
            found.append(ValueChange(name, step.variable, step.line, format_value(old), after))
    if certificate.oracle.answer != certificate.told.answer:
        old, new = subject.before[certificate.oracle.answer], certificate.answer
        found.append(ValueChange("final answer", "answer", FINAL_ANSWER, format_value(old), format_value(new)))
    return found


@dataclass(frozen=True, slots=True)
class _Facts:
    """What sentences are made of: where, which variable, and the two expressions with their numbers.

    `was` and `now` are the smallest parts that differ, in words and with their values; `said` are what the mutation
    itself names, from and to. `error_type` is the label's.
    """

    line: str
    name: str
    before: str
    after: str
    was: str
    now: str
    said: tuple[str, str]
    error_type: ErrorType
    kind: EditKind | None
    subject: ReviewCandidate

    @classmethod
    def of(cls, subject: ReviewCandidate) -> "_Facts":
        change, edit = subject.certificate.change, subject.edit
        was = now = ""
        if edit is not None and edit.before is not None and edit.after is not None:
            parts = expression_difference(edit.before, edit.after)
            was, now = _part(parts.before, subject.before), _part(parts.after, subject.after)
        mutation = subject.record.get("mutation")
        said = (
            [str(mutation.get(key, ""))[:LONGEST_EXPRESSION] for key in ("from", "to")]
            if isinstance(mutation, dict)
            else ["", ""]
        )
        return cls(
            "the final answer" if subject.line == FINAL_ANSWER else subject.line,
            variable_words(change.variable) or "value",
            _numbers(change.before, subject.before),
            _numbers(change.after, subject.after),
            was,
            now,
            (said[0], said[1]),
            ErrorType(subject.record["label"]["error_details"]["error_type"]),
            None if edit is None else edit.kind,
            subject,
        )

    @property
    def right(self) -> Fraction:
        """Return what the changed variable is in the correct solution."""
        return Fraction(self.subject.before[self.subject.certificate.change.variable])

    @property
    def wrong(self) -> Fraction:
        """Return what it is said to be."""
        return Fraction(self.subject.after[self.subject.certificate.change.variable])

    @property
    def instead(self) -> str:
        """Return both expressions with their numbers."""
        return f"{self.after} instead of {self.before}"


def _part(node: ir.Expr, values: Mapping[str, Exact]) -> str:
    """Return a part of an expression as a person calls it: `the medal price (4)`, `40`, `12 + 3`."""
    if isinstance(node, ir.Name) and node.name in values:
        return f"{variable_phrase(node.name)} ({format_value(values[node.name])})"
    return _numbers(unparse(node), values)


def _numbers(code: str, values: Mapping[str, Exact]) -> str:
    """Return an expression with the values of its variables."""

    def value(match: re.Match[str]) -> str:
        found = values.get(match[0])
        if found is None:
            return match[0]
        text = format_value(found)
        return f"({text})" if found < 0 or "/" in text else text

    written = _NAME.sub(value, code)
    return written if len(written) <= LONGEST_EXPRESSION else f"{written[: LONGEST_EXPRESSION - 1]}…"


def _operator_swap(one: _Facts) -> str:
    return f"On {one.line} the operator was changed from {one.said[0]} to {one.said[1]}: {one.instead}."


def _operand_swap(one: _Facts) -> str:
    operation = "division" if "/" in one.said[0] else "subtraction"
    return f"On {one.line} the two sides of the {operation} were swapped: {one.instead}."


def _other_quantity(one: _Facts) -> str:
    return f"On {one.line} the solution uses {one.now} instead of {one.was}."


def _old_value(one: _Facts) -> str:
    return f"On {one.line} the solution uses the earlier value, {one.now}, instead of the new one, {one.was}."


def _misread(one: _Facts) -> str:
    old, new = one.said
    return f"On {one.line} the number {old} of the problem was read as {new}: {one.instead}."


def _misremembered(one: _Facts) -> str:
    old, new = one.said
    return f"On {one.line} a fact was remembered wrongly: {new} instead of {old}, so {one.instead}."


def _left_out(one: _Facts) -> str:
    return _skipped(one) if one.kind is EditKind.DELETED else _dropped(one)


def _dropped(one: _Facts) -> str:
    return f"On {one.line} the solution leaves out {one.said[0]}: {one.instead}."


def _extraneous(one: _Facts) -> str:
    return f"On {one.line} one operation too many was done: {one.instead}."


def _conversion(one: _Facts) -> str:
    if one.kind is EditKind.DELETED:
        return _skipped(one)
    old, new = one.said
    if {old, new} == {"*", "/"}:
        return f"On {one.line} units were converted the wrong way round: {one.instead}."
    return f"On {one.line} units were converted wrongly: {one.instead}."


def _grouped(one: _Facts) -> str:
    return f"On {one.line} the operations were done in another order: {one.instead}."


def _formula(one: _Facts) -> str:
    return f"On {one.line} another formula was used: {one.instead}."


def _algebra(one: _Facts) -> str:
    return f"On {one.line} the equation was solved wrongly: {one.instead}."


def _constraint(one: _Facts) -> str:
    old, new = one.said
    if "rounding" in f"{old} {new}":
        return f"On {one.line} there is {new} where {old} is needed: {one.instead}."
    return f"On {one.line} a limit of the problem was ignored: {one.instead}."


def _skipped(one: _Facts) -> str:
    """Tell of a step that is left out, and of what is read in its place."""
    certificate, values = one.subject.certificate, one.subject.after
    result = format_value(one.subject.before[certificate.change.variable])
    said = one.said[1].removeprefix("the ")
    value = next((f" ({format_value(values[name])})" for name in values if variable_words(name) == said), "")
    step, last = f"{one.before} = {result} ({one.name})", one.subject.line == FINAL_ANSWER
    if last:
        return f"The last step, {step}, was left out; the answer is the {said}{value}."
    return f"The step {step} was left out; {one.line} uses the {said}{value} instead."


def _reported(one: _Facts) -> str:
    right = format_value(one.subject.before[one.subject.certificate.oracle.answer])
    wrong = format_value(one.subject.certificate.answer)
    return f"The final answer is {one.said[1]} ({wrong}) instead of {one.said[0]} ({right})."


def _slipped(one: _Facts) -> str:
    cause = SLIP_CAUSES.get(str(one.subject.record.get("operator")), GENERAL_CAUSE).format(
        difference=format_value(abs(one.right - one.wrong)),
        size="large" if abs(one.wrong) > abs(one.right) else "small",
    )
    return f"On {one.line} {cause}: {_worked(one)}."


def _worked(one: _Facts) -> str:
    """Return the false equation of a slip, and what is right instead."""
    variable = one.subject.certificate.change.variable
    step = next(step for step in one.subject.certificate.oracle.steps if step.variable == variable)
    worked = _numbers(unparse(step.expression), one.subject.before)
    return f"{worked} = {format_value(one.wrong)} instead of {format_value(one.right)}"


SENTENCES: Mapping[ErrorType, Callable[[_Facts], str]] = {
    ErrorType.COMPUTATIONAL: _slipped,
    ErrorType.OPERATOR_SWAP: _operator_swap,
    ErrorType.OPERAND_SWAP: _operand_swap,
    ErrorType.WRONG_REFERENCE_GROUP: _other_quantity,
    ErrorType.FAILURE_TO_UPDATE_STATE: _old_value,
    ErrorType.INPUT_MISREPRESENTATION: _misread,
    ErrorType.WORLD_KNOWLEDGE: _misremembered,
    ErrorType.SKIPPED_STEP: _left_out,
    ErrorType.UNIT_CONVERSION: _conversion,
    ErrorType.FINAL_ANSWER_SELECTION: _reported,
    ErrorType.WRONG_FORMULA: _formula,
    ErrorType.SCOPING: _grouped,
    ErrorType.EXTRANEOUS_OPERATION: _extraneous,
    ErrorType.ALGEBRAIC_SIMPLIFICATION: _algebra,
    ErrorType.CONSTRAINT_VIOLATION: _constraint,
}
"""The sentence on a change by the type of the error: an operator has no sentence of its own."""
