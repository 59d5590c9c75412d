"""Description of the change that makes a solution flawed, as one sentence and as a list of values."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from textwrap import shorten
from typing import Any

from harness.domain import Exact
from harness.program import ir
from harness.program.expression_nodes import changed_part
from harness.solution.expression_text import calculation_text
from harness.solution.labels import FINAL_ANSWER, ErrorType
from harness.text.names import proper_names, variable_words, with_names
from harness.text.number_forms import format_value
from oracles.labels.edited_text import ReviewCandidate, UnreadableCandidateError, subject_of
from oracles.proofs.straight_program import EditKind

LONGEST_EXPRESSION = 90


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value before and after the change, as numbers are written, equal where it did not change; `after` is `None` if its step is left out.

    `name` is the variable in words, `line` the line of the correct solution, empty if it is unknown.
    """

    name: str
    variable: str
    line: str
    before: str
    after: str | None


@dataclass(frozen=True, slots=True)
class LogicalChange:
    """The change in one sentence, the values of the changed line with its operands, and the values that follow from it."""

    sentence: str
    line: str
    values: tuple[ValueChange, ...]
    follows: tuple[ValueChange, ...]


def change_of(record: Mapping[str, Any]) -> LogicalChange:
    """Return the change of a record of the mutation stage; for an unreadable record its sentence says so."""
    try:
        subject = subject_of(record)
    except UnreadableCandidateError as error:
        return LogicalChange(f"The change cannot be described: {error}", "", (), ())
    names = proper_names(subject.record["question"])
    values = _value_changes(subject, names)
    operands, own = _line_variables(subject)
    here = tuple(value for value in values if value.variable in operands | own or value.line == FINAL_ANSWER)
    here = tuple(sorted(here, key=lambda value: value.variable not in operands))
    changed = {name for name, value in subject.before.items() if subject.after.get(name) != value}
    follows = tuple(value for value in values if value not in here and value.variable in changed)
    return LogicalChange(with_names(_sentence(subject), names), subject.line, here, follows)


def _line_variables(subject: ReviewCandidate) -> tuple[set[str], set[str]]:
    """Return the variables that the steps of the changed line read, in either solution, and those that they give."""
    certificate = subject.certificate
    own = {step.variable for step in certificate.told.steps if step.line == subject.line} | {
        certificate.change.variable
    }
    steps = [step for step in (*certificate.oracle.steps, *certificate.told.steps) if step.variable in own]
    return {name for step in steps for name in ir.names_in_order(step.expression)} - own, own


def _value_changes(subject: ReviewCandidate, names: frozenset[str]) -> list[ValueChange]:
    certificate = subject.certificate
    lines = {step.variable: step.line for step in certificate.oracle.steps}
    changes = []
    for variable in certificate.oracle.variables:
        new = subject.after.get(variable)
        name = with_names(variable_words(variable), names) or "value"
        after = None if new is None else format_value(new)
        line = lines.get(variable, "")
        changes.append(ValueChange(name, variable, line, format_value(subject.before[variable]), after))
    if certificate.oracle.answer != certificate.told.answer:
        old, new = subject.before[certificate.oracle.answer], certificate.answer
        changes.append(ValueChange("final answer", "answer", FINAL_ANSWER, format_value(old), format_value(new)))
    return changes


def _sentence(subject: ReviewCandidate) -> str:
    change, edit = subject.certificate.change, subject.edit
    error_type = ErrorType(subject.record["label"]["error_details"]["error_type"])
    right, wrong = subject.before[change.variable], subject.after.get(change.variable)
    if edit is not None and edit.kind is EditKind.DELETED and error_type is not ErrorType.FINAL_ANSWER_SELECTION:
        return _left_out(subject)
    if error_type is ErrorType.COMPUTATIONAL and wrong is not None:
        return _slip(subject, right, wrong)
    mutation = subject.record.get("mutation")
    named = mutation if isinstance(mutation, dict) else {}
    old, new = (str(named.get(side, ""))[:LONGEST_EXPRESSION] for side in ("from", "to"))
    facts = {
        "line": "the final answer" if subject.line == FINAL_ANSWER else subject.line,
        "instead": f"{new} instead of {old}",
        "was": old,
        "now": new,
    }
    if edit is not None and edit.before is not None and edit.after is not None:
        was, now = changed_part(edit.before, edit.after)
        facts |= {"was": _term(was, subject.before), "now": _term(now, subject.after)}
    elif error_type is ErrorType.FINAL_ANSWER_SELECTION:
        answers = subject.certificate.oracle.answer, subject.certificate.told.answer
        facts |= {"was": _term(ir.Name(answers[0]), subject.before), "now": _term(ir.Name(answers[1]), subject.after)}
    return SENTENCES[error_type].format(**facts)


def _term(node: ir.Expr | str, values: Mapping[str, Exact]) -> str:
    """Return a part of an expression in words and values: `+`, `the medal price (4)`, `40`, `12 + 3`."""
    if isinstance(node, str):
        return node
    if isinstance(node, ir.Name) and node.name in values:
        return f"the {variable_words(node.name) or 'value'} ({format_value(values[node.name])})"
    return shorten(calculation_text(node, values), LONGEST_EXPRESSION, placeholder="…")


def _left_out(subject: ReviewCandidate) -> str:
    change = subject.certificate.change
    removed = next(step for step in subject.certificate.oracle.steps if step.variable == change.variable)
    equation = f"{_term(removed.expression, subject.before)} = {format_value(subject.before[change.variable])}"
    step = f"{equation} ({variable_words(change.variable) or 'value'})"
    if subject.line == FINAL_ANSWER:
        return f"The last step, {step}, was left out; the answer is {format_value(subject.certificate.answer)}."
    return f"The step {step} was left out; {subject.line} goes on without it."


def _slip(subject: ReviewCandidate, right: Exact, wrong: Exact) -> str:
    variable = subject.certificate.change.variable
    difference = format_value(abs(Fraction(right) - wrong))
    step = next(step for step in subject.certificate.oracle.steps if step.variable == variable)
    equation = f"{_term(step.expression, subject.before)} = {format_value(wrong)}"
    return f"On {subject.line} the result is off by {difference}: {equation} instead of {format_value(right)}."


SENTENCES: Mapping[ErrorType, str] = {
    ErrorType.COMPUTATIONAL: "On {line} the result is wrong: {instead}.",
    ErrorType.OPERATOR_SWAP: "On {line} the operator was changed from {was} to {now}: {instead}.",
    ErrorType.OPERAND_SWAP: "On {line} the two sides of the operation were swapped: {instead}.",
    ErrorType.WRONG_REFERENCE_GROUP: "On {line} the solution uses {now} instead of {was}.",
    ErrorType.FAILURE_TO_UPDATE_STATE: (
        "On {line} the solution uses the earlier value, {now}, instead of the new one, {was}."
    ),
    ErrorType.INPUT_MISREPRESENTATION: "On {line} {now} was read for {was}: {instead}.",
    ErrorType.WORLD_KNOWLEDGE: "On {line} a fact was remembered wrongly, {now} for {was}: {instead}.",
    ErrorType.SKIPPED_STEP: "On {line} the solution leaves a part out: {instead}.",
    ErrorType.UNIT_CONVERSION: "On {line} units were converted wrongly: {instead}.",
    ErrorType.FINAL_ANSWER_SELECTION: "The final answer is {now} instead of {was}.",
    ErrorType.WRONG_FORMULA: "On {line} another formula was used: {instead}.",
    ErrorType.SCOPING: "On {line} the operations were done in another order: {instead}.",
    ErrorType.EXTRANEOUS_OPERATION: "On {line} one operation too many was done: {instead}.",
    ErrorType.ALGEBRAIC_SIMPLIFICATION: "On {line} the equation was solved wrongly: {instead}.",
    ErrorType.CONSTRAINT_VIOLATION: "On {line} a limit or a rounding of the problem was ignored: {instead}.",
}
"""The sentence on a change by the type of the error; a step that is left out and a slip have their own."""
