"""The forms of edits by the operator that a variant names: what it says was done to the problem must have been done.

Each rule is necessary, not sufficient: of edits that two operators may make, either may be named.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from harness.program import ir
from harness.text.printable_text import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.constraint_system import ConstraintSystem, Fact
    from harness.records.variant import VariantRecord

STATING = frozenset({"restated_input", "stated_limit", "stated_order", "stated_part", "stated_quantity"})
"""The operators that add sentences or clauses and change nothing else."""
REPLACING = frozenset({"broken_bound", "redundant_fact", "renumbered"})
"""The operators that write one thing in the place of another."""
REMOVING = frozenset({"removed_clause", "removed_number", "removed_sentence"})


def edit_form_problem(record: VariantRecord, system: ConstraintSystem) -> str | None:
    """Return why the edits are not what the operator does; `None` where they may be."""
    operator = record.operator
    kept = operator in STATING and any(edit.before for edit in record.edits)
    added = operator in REPLACING and not all(edit.before and edit.after for edit in record.edits)
    if kept or added:
        return f"operator: {quoted(operator)} {'adds words only' if kept else 'adds or removes no sentence'}, found other edits"
    if operator in REMOVING and not any(edit.before for edit in record.edits):
        return f"operator: {quoted(operator)} removes words, found edits that add words only"
    return next(_statement_problems(operator, _written_facts(record, system), system), None)


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
    """Yield why what the edits state is not what statements of this operator are about."""
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
