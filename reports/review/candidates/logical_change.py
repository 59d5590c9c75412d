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
from harness.solution.phrases.slip_causes import GENERAL_CAUSE, SLIP_CAUSES
from harness.text.names import proper_names, variable_phrase, variable_words, with_names
from harness.text.number_forms import format_value
from oracles.labels.edits.candidate import ReviewCandidate, UnreadableCandidateError, subject_of
from oracles.proofs.program_edit import EditKind, expression_difference

LONGEST_EXPRESSION = 90
_NAME = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value before and after the change, as numbers are written; `after` is `None` if its step is left out.

    `name` is the variable in words, `line` the line of the correct solution, empty if it is unknown.
    """

    name: str
    variable: str
    line: str
    before: str
    after: str | None


@dataclass(frozen=True, slots=True)
class LogicalChange:
    """The change in one sentence, the values of the changed step, and the values that follow from it."""

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
    facts = _Facts.of(subject)
    names = proper_names(subject.record["question"])
    values = _values(subject, names)
    same_line = {step.variable for step in subject.certificate.told.steps if step.line == subject.line}
    own = {subject.certificate.change.variable, *same_line}
    here = tuple(value for value in values if value.variable in own or value.line == FINAL_ANSWER)
    sentence = SENTENCES[facts.error_type]
    words = with_names(sentence.format(facts=facts) if isinstance(sentence, str) else sentence(facts), names)
    return LogicalChange(words, subject.line, here, tuple(value for value in values if value not in here))


def _values(subject: ReviewCandidate, names: frozenset[str]) -> list[ValueChange]:
    certificate = subject.certificate
    changes = []
    for step in certificate.oracle.steps:
        old, new = subject.before[step.variable], subject.after.get(step.variable)
        if new != old:
            after = None if new is None else format_value(new)
            name = with_names(variable_words(step.variable), names) or "value"
            changes.append(ValueChange(name, step.variable, step.line, format_value(old), after))
    if certificate.oracle.answer != certificate.told.answer:
        old, new = subject.before[certificate.oracle.answer], certificate.answer
        changes.append(ValueChange("final answer", "answer", FINAL_ANSWER, format_value(old), format_value(new)))
    return changes


@dataclass(frozen=True, slots=True)
class _Facts:
    """The parts of sentences: the line, the variable, and the two expressions with their numbers.

    `was` and `now` are the smallest parts that differ, in words and with their values; `named` are the values that the mutation
    itself names, from and to. `error_type` is the label's.
    """

    line: str
    name: str
    before: str
    after: str
    was: str
    now: str
    named: tuple[str, str]
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
        named = (
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
            (named[0], named[1]),
            ErrorType(subject.record["label"]["error_details"]["error_type"]),
            None if edit is None else edit.kind,
            subject,
        )

    @property
    def right(self) -> Fraction:
        """Return the value of the changed variable in the correct solution."""
        return Fraction(self.subject.before[self.subject.certificate.change.variable])

    @property
    def wrong(self) -> Fraction:
        """Return the value of the changed variable in the flawed solution."""
        return Fraction(self.subject.after[self.subject.certificate.change.variable])

    @property
    def instead(self) -> str:
        """Return both expressions with their numbers."""
        return f"{self.after} instead of {self.before}"


def _part(node: ir.Expr, values: Mapping[str, Exact]) -> str:
    """Return a part of an expression in words and values: `the medal price (4)`, `40`, `12 + 3`."""
    if isinstance(node, ir.Name) and node.name in values:
        return f"{variable_phrase(node.name)} ({format_value(values[node.name])})"
    return _numbers(unparse(node), values)


def _numbers(code: str, values: Mapping[str, Exact]) -> str:
    """Return an expression with the values of its variables."""

    def value(match: re.Match[str]) -> str:
        number = values.get(match[0])
        if number is None:
            return match[0]
        text = format_value(number)
        return f"({text})" if number < 0 or "/" in text else text

    written = _NAME.sub(value, code)
    return written if len(written) <= LONGEST_EXPRESSION else f"{written[: LONGEST_EXPRESSION - 1]}…"


def _operand_swap(facts: _Facts) -> str:
    operation = "division" if "/" in facts.named[0] else "subtraction"
    return f"On {facts.line} the two sides of the {operation} were swapped: {facts.instead}."


def _left_out(facts: _Facts) -> str:
    return _skipped(facts) if facts.kind is EditKind.DELETED else _DROPPED.format(facts=facts)


def _conversion(facts: _Facts) -> str:
    if facts.kind is EditKind.DELETED:
        return _skipped(facts)
    old, new = facts.named
    if {old, new} == {"*", "/"}:
        return f"On {facts.line} units were converted the wrong way round: {facts.instead}."
    return f"On {facts.line} units were converted wrongly: {facts.instead}."


def _constraint(facts: _Facts) -> str:
    old, new = facts.named
    if "rounding" in f"{old} {new}":
        return f"On {facts.line} there is {new} where {old} is needed: {facts.instead}."
    return f"On {facts.line} a limit of the problem was ignored: {facts.instead}."


def _skipped(facts: _Facts) -> str:
    """Describe a step that is left out, and the value that is used instead."""
    certificate, values = facts.subject.certificate, facts.subject.after
    result = format_value(facts.subject.before[certificate.change.variable])
    quantity = facts.named[1].removeprefix("the ")
    value = next((f" ({format_value(values[name])})" for name in values if variable_words(name) == quantity), "")
    step, last = f"{facts.before} = {result} ({facts.name})", facts.subject.line == FINAL_ANSWER
    if last:
        return f"The last step, {step}, was left out; the answer is the {quantity}{value}."
    return f"The step {step} was left out; {facts.line} uses the {quantity}{value} instead."


def _reported(facts: _Facts) -> str:
    right = format_value(facts.subject.before[facts.subject.certificate.oracle.answer])
    wrong = format_value(facts.subject.certificate.answer)
    return f"The final answer is {facts.named[1]} ({wrong}) instead of {facts.named[0]} ({right})."


def _slipped(facts: _Facts) -> str:
    cause = SLIP_CAUSES.get(str(facts.subject.record.get("operator")), GENERAL_CAUSE).format(
        difference=format_value(abs(facts.right - facts.wrong)),
        size="large" if abs(facts.wrong) > abs(facts.right) else "small",
    )
    return f"On {facts.line} {cause}: {_worked(facts)}."


def _worked(facts: _Facts) -> str:
    """Return the false equation of a slip, and the right value."""
    variable = facts.subject.certificate.change.variable
    step = next(step for step in facts.subject.certificate.oracle.steps if step.variable == variable)
    worked = _numbers(unparse(step.expression), facts.subject.before)
    return f"{worked} = {format_value(facts.wrong)} instead of {format_value(facts.right)}"


_DROPPED = "On {facts.line} the solution leaves out {facts.named[0]}: {facts.instead}."
SENTENCES: Mapping[ErrorType, str | Callable[[_Facts], str]] = {
    ErrorType.COMPUTATIONAL: _slipped,
    ErrorType.OPERATOR_SWAP: (
        "On {facts.line} the operator was changed from {facts.named[0]} to {facts.named[1]}: {facts.instead}."
    ),
    ErrorType.OPERAND_SWAP: _operand_swap,
    ErrorType.WRONG_REFERENCE_GROUP: "On {facts.line} the solution uses {facts.now} instead of {facts.was}.",
    ErrorType.FAILURE_TO_UPDATE_STATE: (
        "On {facts.line} the solution uses the earlier value, {facts.now}, instead of the new one, {facts.was}."
    ),
    ErrorType.INPUT_MISREPRESENTATION: (
        "On {facts.line} the number {facts.named[0]} of the problem was read as {facts.named[1]}: {facts.instead}."
    ),
    ErrorType.WORLD_KNOWLEDGE: (
        "On {facts.line} a fact was remembered wrongly: {facts.named[1]} instead of {facts.named[0]}, so {facts.instead}."
    ),
    ErrorType.SKIPPED_STEP: _left_out,
    ErrorType.UNIT_CONVERSION: _conversion,
    ErrorType.FINAL_ANSWER_SELECTION: _reported,
    ErrorType.WRONG_FORMULA: "On {facts.line} another formula was used: {facts.instead}.",
    ErrorType.SCOPING: "On {facts.line} the operations were done in another order: {facts.instead}.",
    ErrorType.EXTRANEOUS_OPERATION: "On {facts.line} one operation too many was done: {facts.instead}.",
    ErrorType.ALGEBRAIC_SIMPLIFICATION: "On {facts.line} the equation was solved wrongly: {facts.instead}.",
    ErrorType.CONSTRAINT_VIOLATION: _constraint,
}
"""The sentence on a change by the type of the error, as text or as a function: an operator has no sentence of its own."""
