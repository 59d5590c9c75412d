"""The re-check of the fields of a variant's record that follow from other fields: id, operator, twin, words of facts, solution."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from harness.constraint_system import FactSource, ProblemClass
from harness.equations.equation import Truth
from harness.equations.line_reader import read_line
from harness.program import ir
from harness.solution.phrases.reasoning_phrases import OPERATOR_CLASSES
from harness.text.characters import quoted
from harness.text.nouns import singular_noun
from harness.text.numbers import LimitSide, limit_side, mentions
from harness.text.sentences import sentences_of
from oracles.certificates.flaw_text import ANSWER_MARK, means
from oracles.recheck.variants.edit_forms import edit_form_problem
from oracles.recheck.variants.stated_orders import order_problems
from oracles.recheck.variants.unplaced_statements import unplaced_problem
from oracles.recheck.variants.variant_text import VariantText

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.constraint_system import ConstraintSystem
    from harness.domain import Exact
    from harness.records.variant import VariantRecord


_WORD = re.compile(r"[^\W\d_]+")


def variant_digest(text: str) -> str:
    """Return the digest with which the id of a variant ends."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def variant_field_problem(
    record: VariantRecord, system: ConstraintSystem, models: Sequence[Mapping[str, Exact]]
) -> str | None:
    """Return the first field that does not follow from the others, with what was expected; `None` where all do."""
    return next(_problems(record, system, models), None)


def _problems(record: VariantRecord, system: ConstraintSystem, models: Sequence[Mapping[str, Exact]]) -> Iterator[str]:
    expected = f"{record.problem_id}:{record.operator}:{variant_digest(record.modified_problem_text)}"
    if record.variant_id != expected:
        yield f"variant_id: expected {quoted(expected)}, found {quoted(record.variant_id)}"
    yield from _operator_problems(record)
    odd_edit = edit_form_problem(record, system)
    if odd_edit is not None:
        yield odd_edit
    unplaced = unplaced_problem(record.modified_problem_text, system)
    if unplaced is not None:
        yield unplaced
    sentences = sentences_of(record.modified_problem_text)
    for fact in system.facts:
        if fact.span is None:
            continue
        if fact.source is not FactSource.TEXT:
            yield f"system.facts: expected the source of {fact.name}, which stands in the text, to be {FactSource.TEXT}, found {fact.source}"
        words = next((sentence.text for sentence in sentences if sentence.start <= fact.span[0] < sentence.end), "")
        if fact.words != words:
            yield f"system.facts: expected the words of {fact.name} to be {quoted(words)}, found {quoted(fact.words)}"
    yield from _limit_problems(record.modified_problem_text, system)
    edits = tuple((*edit.span, edit.before, edit.after) for edit in record.edits)
    inserted = VariantText(record.question, record.modified_problem_text, edits, system).written
    yield from order_problems(record.operator, record.modified_problem_text, inserted, system, models)
    if record.solution is not None:
        yield from _solution_problems(record.solution, record.modified_problem_text, system, models[0])


def _limit_problems(text: str, system: ConstraintSystem) -> Iterator[str]:
    """Yield why bounds do not agree with the words before the numbers that set them.

    A number that bounds a quantity and that no step reads is such a limit.
    """
    read = {step.variable for step in system.steps}
    read.update(name for step in system.steps for name in ir.names_in_order(step.expression))
    for bound in system.bounds:
        if not isinstance(bound.limit, str):
            continue
        for name, side in ((bound.limit, LimitSide.MOST), (bound.variable, LimitSide.LEAST)):
            fact = None if name in read else next((fact for fact in system.facts if fact.variable == name), None)
            if fact is None:
                continue
            said = None if fact.span is None else limit_side(text, fact.span[0])
            if said is not side:
                yield f"system.bounds: expected {bound.name} to say {said or 'no limit'} as the text does, found {side}"
            if bound.words != fact.words:
                yield f"system.bounds: expected the words of {bound.name} to be {quoted(fact.words)}, found {quoted(bound.words)}"


def _operator_problems(record: VariantRecord) -> Iterator[str]:
    """Yield why the class, the edits and the twin are not those of the operator."""
    made = OPERATOR_CLASSES.get(record.operator)
    twin = record.twin_of
    expected = ProblemClass.SOLVABLE if twin is not None else made
    if made is not None and record.class_label != expected:
        yield f"operator: {quoted(record.operator)} makes no {ProblemClass(record.class_label).name.lower()} problems{' as twins' if twin else ''}"
    if made == ProblemClass.SOLVABLE and twin is not None:
        yield f"twin_of: {quoted(record.operator)} makes no twins, found {quoted(twin)}"
    if made is not None and (record.operator == "original") is bool(record.edits):
        yield f"operator: {quoted(record.operator)} makes {'no' if record.edits else 'at least one'} edit, found {len(record.edits)}"
    own = re.escape(f"{record.problem_id}:{record.operator}:")
    if twin is not None and (re.fullmatch(f"{own}[0-9a-f]{{12}}", twin) is None or twin == record.variant_id):
        yield f"twin_of: expected the id of another variant of the same problem and operator, found {quoted(twin)}"


def _solution_problems(
    solution: str, problem: str, system: ConstraintSystem, model: Mapping[str, Exact]
) -> Iterator[str]:
    """Yield why a solution is not told by the steps: each stands on a line of it, which shows its value and states nothing false."""
    *lines, last = solution.split("\n")
    if not last.startswith(f"{ANSWER_MARK} ") or last != last.strip():
        yield f"solution: expected the last line to be {ANSWER_MARK} and the answer, found {quoted(last)}"
    for number, line in enumerate(lines, start=1):
        false = next((equation for equation in read_line(line).equations if equation.truth is Truth.FALSE), None)
        if false is not None:
            yield f"solution: L{number} holds a false equation: {quoted(line[false.start : false.end])}"
    told: dict[str, list[str]] = {}
    for step in system.steps:
        told.setdefault(step.words, []).append(step.variable)
        if step.words and step.words not in lines and step.words not in problem:
            yield f"solution: expected a line {quoted(step.words)}, the words of {step.name}, found none"
    places = [lines.index(words) for words in told if words in lines]
    if places != sorted(places):
        yield "solution: its lines stand in another order than the steps that they tell"
    for line in lines:
        names = told.get(line, [])
        shown = [mention.readings for mention in mentions(line)]
        if names and not any(means(readings, model[name]) for readings in shown for name in names):
            yield f"solution: {quoted(line)} does not show {names[0]}"
    known = _content_words(" ".join([problem, *told, *system.variables]))
    values = frozenset(model.values())
    for line in lines:
        words = _content_words(line)
        speaks = 2 * len(words & known) >= len(words) > 0
        if (
            line not in told
            and not speaks
            and not any(not values.isdisjoint(number.readings) for number in mentions(line))
        ):
            yield f"solution: expected lines that tell a step or speak of the problem, found {quoted(line)}"


def _content_words(text: str) -> frozenset[str]:
    """Return the words of a text with four letters or more, in the singular."""
    return frozenset(singular_noun(word.lower()) for word in _WORD.findall(text.replace("_", " ")) if len(word) > 3)
