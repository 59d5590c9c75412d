"""The re-check of the fields of a flaw's record that follow from other fields: id, position, change, values, edits, correction."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from harness.program import ir
from harness.program.evaluation.evaluator import format_exact
from harness.program.expression_nodes import nodes
from harness.records.flawed_program import flawed_program
from harness.records.mutation import ChangedValue
from harness.solution.labels import ErrorType, position_of
from harness.solution.phrases.explanation_phrases import operator_error_types
from harness.solution.solution_program import corpus_index
from harness.text.characters import quoted
from oracles.certificates.program_edit import EditKind, expression_difference
from oracles.recheck.flaws.change_words import change_texts, is_average
from oracles.recheck.flaws.slip_forms import slip_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oracles.certificates.program_edit import ExpressionDifference
    from oracles.recheck.flaws.flaw_facts import FlawFacts

# The sentences that `edits` may hold, as `plausibility` repeats them.
_EDIT = re.compile(
    r"the words still say |the operation is not written out|the equation has nothing to work out"
    r"|.* has another unit"
)
_SIZES = (
    "the answer is of another size",
    "the answer is of the same size",
    "the answer is negative",
    "the answer is no whole number",
)
_FAR = 20


def flaw_digest(operator: str, flawed: str) -> str:
    """Return the digest with which the id of a flawed solution ends."""
    return hashlib.sha256(f"{operator}\n{flawed}".encode("utf-8", "surrogatepass")).hexdigest()[:12]


def field_problem(facts: FlawFacts, *, reviewed: bool) -> str | None:
    """Return the first field that does not follow from the others, with what was expected; `None` where all do.

    A reviewer's record needs no edit any more.
    """
    return next(_problems(facts, reviewed=reviewed), None)


def _problems(facts: FlawFacts, *, reviewed: bool) -> Iterator[str]:
    record, change = facts.record, facts.certificate.change
    details = record.label.error_details
    expected_id = f"{record.problem_id}:{record.operator}:{flaw_digest(record.operator, record.flawed_solution)}"
    for field, expected, given in (
        ("flaw_id", expected_id, record.flaw_id),
        ("position", position_of(record.label.line, len(facts.solution_lines) - 1), record.position),
        ("mutation.mutation_type", record.operator, record.mutation.mutation_type),
        ("mutation.line", record.label.line, record.mutation.line),
        ("mutation.variable", change.variable, record.mutation.variable),
        ("label.error_details.correction", facts.correction, details.correction),
    ):
        if given != expected:
            yield f"{field}: expected {quoted(expected)}, found {quoted(given)}"
    expected_tier = facts.source.tier
    if record.tier != expected_tier:
        yield f"tier: expected {expected_tier}, found {quoted(str(record.tier))}"
    yield from _type_problems(facts)
    odd_slip = slip_problem(facts)
    if odd_slip is not None:
        yield odd_slip
    yield from _change_problems(facts)
    if record.values != (expected_values := tuple(changed_values(facts))):
        place = next(
            (
                place
                for place, pair in enumerate(zip(expected_values, record.values, strict=False))
                if pair[0] != pair[1]
            ),
            min(len(expected_values), len(record.values)),
        )
        shown = [
            str(values[place])[:120] if place < len(values) else "nothing"
            for values in (expected_values, record.values)
        ]
        yield f"values[{place}]: expected {shown[0]}, found {shown[1]}"
    expected_places = facts.source.question_inputs
    if record.question_inputs != expected_places:
        yield f"question_inputs: the question gives {len(expected_places)} places of inputs, others than the {len(record.question_inputs)} that the record has"
    if not facts.derived:
        yield from _program_problems(facts)
    yield from _edit_problems(facts, reviewed=reviewed)


def _program_problems(facts: FlawFacts) -> Iterator[str]:
    """Yield the parts of the flawed program that do not follow from the certificate and the text; records of earlier versions have none."""
    record, details = facts.record, facts.record.label.error_details
    if record.index is None and not (record.function_code or record.logical_steps or details.alias):
        return
    if record.index != corpus_index(record.problem_id):
        yield f"index: expected {corpus_index(record.problem_id)}, found {record.index}"
    if details.alias != details.error_type.alias:
        yield f"label.error_details.alias: expected {details.error_type.alias}, found {quoted(details.alias or '')}"
    program = flawed_program(
        record.certificate, record.flawed_solution, facts.after, record.question, record.question_inputs
    )
    if record.function_code != program.function_code:
        yield "function_code: is not the program of the certificate"
    if record.logical_steps != program.logical_steps:
        yield "logical_steps: are not the lines of the flawed solution with the variables of the certificate"


def _type_problems(facts: FlawFacts) -> Iterator[str]:
    """Yield why an error type is not one of the operator, or not one of such a change."""
    record, edit = facts.record, facts.edit
    kind = record.label.error_type
    types = operator_error_types(record.operator)
    if types and kind not in types:
        yield f"label.error_details.error_type: {record.operator} makes {' or '.join(sorted(types))}, found {kind}"
    if edit is None or facts.before_expression is None:
        return
    if edit.kind is EditKind.ANSWER:
        fits = kind is ErrorType.FINAL_ANSWER_SELECTION
    elif edit.kind is EditKind.DELETED:
        fits = kind in {ErrorType.SKIPPED_STEP, ErrorType.UNIT_CONVERSION}
    elif facts.after_expression is None:
        fits = kind is not ErrorType.FINAL_ANSWER_SELECTION
    else:
        difference = expression_difference(facts.before_expression, facts.after_expression)
        fits = _fits(kind, difference, facts.before_expression, facts.after_expression)
    if not fits:
        yield f"label.error_details.error_type: {kind} is no name for the change from {quoted(facts.certificate.change.before)} to {quoted(facts.certificate.change.after)}"


def _fits(kind: ErrorType, difference: ExpressionDifference, before: ir.Expr, after: ir.Expr) -> bool:
    """Tell whether a type of error can be the name of a changed expression, by its form."""
    match kind, difference.before, difference.after:
        case ErrorType.OPERATOR_SWAP, ir.Binary() as old, ir.Binary() as new:
            return old.operator != new.operator and {old.left, old.right} == {new.left, new.right}
        case ErrorType.OPERAND_SWAP, ir.Binary() as old, ir.Binary() as new:
            return old.operator == new.operator and (old.left, old.right) == (new.right, new.left)
        case ((ErrorType.OPERATOR_SWAP | ErrorType.OPERAND_SWAP), _, _):
            return False
        case ErrorType.WRONG_REFERENCE_GROUP, ir.Name() as old, ir.Binary("+" | "-", left, ir.Name()):
            return old == left
        case ((ErrorType.WRONG_REFERENCE_GROUP | ErrorType.FAILURE_TO_UPDATE_STATE), old, new):
            return isinstance(old, ir.Name) and isinstance(new, ir.Name)
        case ((ErrorType.INPUT_MISREPRESENTATION | ErrorType.WORLD_KNOWLEDGE), old, new):
            return isinstance(old, ir.Name | ir.Const) and isinstance(new, ir.Const)
        case ErrorType.EXTRANEOUS_OPERATION, _, _:
            return any(node == before for _, node in nodes(after) if node != after) or is_average(after)
        case ErrorType.SKIPPED_STEP, _, _:
            return len(list(nodes(after))) < len(list(nodes(before)))
        case ((ErrorType.FINAL_ANSWER_SELECTION | ErrorType.COMPUTATIONAL), _, _):
            return False
    return True


def _change_problems(facts: FlawFacts) -> Iterator[str]:
    """Yield why `from` and `to` of the mutation are not what stands in the correct and in the flawed solution."""
    mutation = facts.record.mutation
    for field, expected, given in zip(
        ("from", "to"), change_texts(facts), (mutation.before, mutation.after), strict=True
    ):
        if given != expected:
            yield f"mutation.{field}: expected {quoted(expected)}, found {quoted(given)}"


def changed_values(facts: FlawFacts) -> Iterator[ChangedValue]:
    """Yield the steps whose values differ, as the record should have them."""
    for step in facts.certificate.oracle.steps:
        before, after = facts.values[step.variable], facts.after.get(step.variable)
        if after != before:
            yield ChangedValue(
                step.variable, step.line or None, format_exact(before), None if after is None else format_exact(after)
            )


def _edit_problems(facts: FlawFacts, *, reviewed: bool) -> Iterator[str]:
    """Yield the objections to `needs_edit`, `edits` and `plausibility`."""
    record = facts.record
    if record.needs_edit is not bool(record.edits):
        yield f"needs_edit: is {str(record.needs_edit).lower()} where edits has {len(record.edits)} entries"
    reasons = record.plausibility.reasons
    own, last = reasons[: len(reasons) - len(record.edits)], reasons[len(reasons) - len(record.edits) :]
    forgotten = next((reason for reason in own if reason not in _SIZES and _EDIT.match(reason)), None)
    if not reviewed and last != record.edits:
        yield f"edits: expected the last {len(record.edits)} of plausibility.reasons, found {quoted('; '.join(record.edits))}"
    elif not reviewed and forgotten is not None:
        yield f"edits: {quoted(forgotten)} stands in plausibility.reasons and is missing"
    if not 0 <= record.plausibility.score <= 1:
        yield f"plausibility.score: expected 0 to 1, found {record.plausibility.score:g}"
    expected = set(size_reasons(facts))
    odd_reason = next((reason for reason in _SIZES if (reason in expected) is not (reason in reasons)), None)
    if odd_reason is not None:
        yield f"plausibility.reasons: {quoted(odd_reason)} {'is missing' if odd_reason in expected else 'is not so'}"


def size_reasons(facts: FlawFacts) -> Iterator[str]:
    """Yield the sentences of the plausibility about the size of the answer."""
    before, after = facts.values[facts.certificate.oracle.answer], facts.certificate.answer
    if before and after:
        ratio = abs(float(after) / float(before))
        if ratio > _FAR or ratio * _FAR < 1:
            yield _SIZES[0]
        elif 2 * ratio >= 1 and ratio <= 2:
            yield _SIZES[1]
    if after < 0 <= before:
        yield _SIZES[2]
    if before.denominator == 1 != after.denominator:
        yield _SIZES[3]
