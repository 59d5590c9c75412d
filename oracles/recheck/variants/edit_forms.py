"""The forms of edits by the operator that a variant names: the edit must be the one that the operator makes.

Each rule is necessary, not sufficient: of edits that two operators may make, either may be named.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from harness.program import ir
from harness.text.characters import quoted
from harness.text.numbers import mentions
from harness.text.sentences import sentences_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.constraint_system import ConstraintSystem, Fact
    from harness.domain import Exact
    from harness.records.variant import VariantEdit, VariantRecord

STATING = frozenset({"restated_input", "stated_limit", "stated_order", "stated_part", "stated_quantity"})
"""The operators that add sentences or clauses and change nothing else."""
REPLACING = frozenset({"broken_bound", "redundant_fact", "renumbered"})
"""The operators that write one thing in the place of another."""
LOSING = frozenset({"removed_clause", "removed_number", "removed_sentence", "vague_quantity"})
"""The operators that take a number away or write it vaguely."""
_BOUNDED = {
    **dict.fromkeys(("broken_bound", "stated_limit", "stated_order"), True),
    **dict.fromkeys(("redundant_fact", "restated_input", "stated_quantity"), False),
}
"""Whether what an operator contradicts are bounds of quantities, or numbers that say the same."""
_WORD = re.compile(r"[^\W\d_]+")
_ARTICLES = frozenset({"a", "an"})
_CONDITION = re.compile(r"\W*if\b", re.IGNORECASE)
_ALONE = re.compile(r"(?:a total of |another |an? )?[$€£]?#%?(?:[- ][a-z]+)?", re.IGNORECASE)
"""A number, written as `#`, that is removed alone or with its unit."""


def edit_form_problem(record: VariantRecord, system: ConstraintSystem) -> str | None:
    """Return why the edits are not those of the operator; `None` where they may be."""
    operator = record.operator
    kept = operator in STATING and any(edit.before for edit in record.edits)
    added = operator in REPLACING and not all(edit.before and edit.after for edit in record.edits)
    if kept or added:
        return f"operator: {quoted(operator)} {'adds words only' if kept else 'adds or removes no sentence'}, found other edits"
    if operator in LOSING and (odd_loss := _loss_problem(record)) is not None:
        return odd_loss
    bounded = any(bound.name in record.core for bound in system.bounds)
    if record.core and bounded is not _BOUNDED.get(operator, bounded):
        return f"operator: {quoted(operator)} breaks {'no' if bounded else 'a'} bound, found {'one' if bounded else 'none'} in the core"
    return next(_statement_problems(operator, _written_facts(record, system), system), None)


def _loss_problem(record: VariantRecord) -> str | None:
    """Return why no number is lost as the operator loses it: in a whole sentence, in part of one, alone, or for vague words.

    A near-twin states its lost number elsewhere, or repeats the sentence that its variant repeats.
    """
    losing = [edit for edit in record.edits if _numbers(edit.before) - _numbers(edit.after)]
    written = _numbers(" ".join(edit.after for edit in record.edits))
    if record.twin_of is None:
        # A number that is lost may stand in a sentence that is said again for another reason.
        lost = [edit for edit in losing if _numbers(edit.before) - written] or losing
    else:
        lost = [edit for edit in losing if _CONDITION.match(edit.before) is None]
    forms = {_loss_form(record.question, edit) for edit in lost}
    if forms and record.operator not in forms:
        return f"operator: the edits are those of {' or '.join(sorted(forms))}, found {quoted(record.operator)}"
    said_anew = any(
        edit.before and not (_is_alone(edit.before.strip()) and _is_alone(edit.after.strip())) for edit in record.edits
    )
    if not forms and not (record.twin_of is not None and said_anew):
        return f"operator: {quoted(record.operator)} takes a number away, found edits that leave all numbers"
    return None


def _numbers(text: str) -> Counter[Exact]:
    return Counter(mention.readings[0] for mention in mentions(text))


def _loss_form(question: str, edit: VariantEdit) -> str:
    """Return the operator that takes a number away by such an edit, `renumbered` where another number stands there now."""
    start = edit.span[0]
    before, after = ({word.lower() for word in _WORD.findall(text)} for text in (edit.before, edit.after))
    sentence = next((part for part in sentences_of(question) if part.start == start), None)
    if _numbers(edit.after) - _numbers(edit.before):
        return "renumbered"
    if after - before - _ARTICLES:
        return "vague_quantity"
    if not edit.after and sentence is not None and edit.before.rstrip() == sentence.text.rstrip():
        return "removed_sentence"
    return "removed_number" if _is_alone(edit.before.strip()) else "removed_clause"


def _is_alone(text: str) -> bool:
    """Tell whether a text is one number with nothing but an article, a unit, or the next word's first letter."""
    numbers = mentions(text)
    return len(numbers) == 1 and _ALONE.fullmatch(f"{text[: numbers[0].start]}#{text[numbers[0].end :]}") is not None


def _written_facts(record: VariantRecord, system: ConstraintSystem) -> list[Fact]:
    """Return the facts whose numbers the edits wrote."""
    spans: list[tuple[int, int]] = []
    moved = 0
    for edit in sorted(record.edits, key=lambda edit: edit.span):
        start = edit.span[0] + moved
        spans.append((start, start + len(edit.after)))
        moved += len(edit.after) - (edit.span[1] - edit.span[0])
    return [
        fact
        for fact in system.facts
        if fact.span is not None and any(start <= fact.span[0] < end for start, end in spans)
    ]


def _statement_problems(operator: str, written: Sequence[Fact], system: ConstraintSystem) -> Iterator[str]:
    """Yield why the statements of the edits are not those of this operator."""
    steps = {step.variable for step in system.steps}
    read = {name for step in system.steps for name in ir.names_in_order(step.expression)} - steps
    times = Counter(fact.variable for fact in system.facts)
    # `at most 5` bounds a quantity by the limit, `at least 5` the limit by a quantity.
    limits = {name for bound in system.bounds if isinstance(bound.limit, str) for name in (bound.limit, bound.variable)}
    about = {
        "broken_bound": lambda fact: fact.variable in read,
        "redundant_fact": lambda fact: fact.variable not in read or times[fact.variable] > 1,
        "restated_input": lambda fact: fact.variable in read and times[fact.variable] > 1,
        "stated_limit": lambda fact: fact.variable in limits and fact.variable not in read | steps,
        "stated_part": lambda fact: times[fact.variable] == 1 and fact.variable in read | steps,
        "stated_quantity": lambda fact: fact.variable in steps,
    }.get(operator)
    if about is None:
        return
    odd = next((fact for fact in written if not about(fact)), None)
    if odd is not None:
        yield f"operator: {quoted(operator)} does not state {quoted(odd.variable)}"
    elif operator == "stated_part" and written and all(fact.variable in steps for fact in written):
        yield f"operator: {quoted(operator)} states a part of a whole, found results only"
