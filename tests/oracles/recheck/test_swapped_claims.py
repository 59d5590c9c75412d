"""Laws of the re-check on records that claim what another record claims, or the same in other words, and are sealed again."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from benchmarks.renamed_errors import is_accepted, reworded_changes
from benchmarks.tampering import FREE, fits_file, swapped
from benchmarks.tampering_rules import Tampering
from harness.domain import Status
from harness.equations.line_reader import read_line
from harness.solution.phrases.explanation_phrases import NOTHING
from harness.text.numbers import mentions
from oracles.certificates.solvers import SolverName, open_solver
from oracles.recheck.record_recheck import recheck
from tests.cases import cases
from tests.certified_records import certified_flaw_records
from tests.oracles.recheck.test_tampering import KINDS

HALF_A_CENT = Fraction(1, 200)
Record = dict[str, Any]
Z3 = open_solver(SolverName.Z3)


def tells_the_same(change: Tampering) -> bool:
    """Tell whether a trace of reasoning has the same numbers in the same order as before: the sentences that frame them have synonyms."""
    if change.field != "reasoning_trace":
        return False
    traces = (side["reasoning_trace"] for side in (change.original, change.record))
    before, after = ([mention.readings for mention in mentions(trace)] for trace in traces)
    return before == after


def _is_refused(change: Tampering, records: Sequence[Record]) -> bool:
    return recheck(change.record, Z3).status is not Status.CONFIRMED or not fits_file(change, records)


@cases("kind", ["computational", "conceptual"])
def test_no_field_of_a_flaw_may_hold_what_another_has(kind: str) -> None:
    """Each field of a flaw as other flaws have it: refused for itself or in its file, unless nothing else in the record says it."""
    tried, accepted = _swapped(kind, 2, 3)
    assert tried > 80
    assert not accepted


@pytest.mark.slow
@cases("kind", KINDS)
def test_no_field_of_many_records_may_hold_what_another_has(kind: str) -> None:
    """The same for variants, with more records and more values."""
    tried, accepted = _swapped(kind, 12, 20)
    assert tried > 480
    assert not accepted


def _swapped(kind: str, size: int, most: int) -> tuple[int, list[tuple[str, str]]]:
    """Return how many swaps were tried, and the field and values of those that are accepted although other fields say otherwise."""
    records = KINDS[kind]()
    changes = list(swapped(kind, records, size, most))
    accepted = [
        (change.field, change.rule)
        for change in changes
        if change.field.partition(".")[0] not in FREE[change.kind]
        and not tells_the_same(change)
        and not _is_refused(change, records)
    ]
    return len(changes), accepted


@pytest.mark.parametrize("step", [40, pytest.param(1, marks=pytest.mark.slow)], ids=["some", "all"])
def test_a_change_has_one_name(step: int) -> None:
    """`from` and `to` in words, by a part, as code, or with other spaces name the same change and are refused; as they are made, they are accepted."""
    tried = 0
    for record in certified_flaw_records()[::step]:
        assert is_accepted(record)
        for reworded in reworded_changes(record):
            tried += 1
            assert not is_accepted(reworded), reworded["mutation"]
    assert tried > 20


@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.slow)], ids=["some", "all"])
def test_a_change_says_what_both_solutions_work_out(step: int) -> None:
    """`from`, read as arithmetic, gives the value that the correct solution has for the changed step, and `to` that of the flawed one."""
    read = 0
    records = certified_flaw_records()[::step]
    for record in records:
        mutation, values = record["mutation"], {row["variable"]: row for row in record["values"]}
        changed = values.get(mutation["variable"])
        if changed is None or changed["after"] is None:
            continue
        for calculation, value in ((mutation["from"], changed["before"]), (mutation["to"], changed["after"])):
            equations = read_line(f"{calculation} = {value}").equations
            if calculation == NOTHING or len(equations) != 1:
                continue
            read += 1
            worked_out, stated = equations[0].left.value, Fraction(value)
            # A flawed solution may round an endless decimal to hundredths, as the certificate says.
            assert worked_out is not None
            assert stated == worked_out or abs(stated - worked_out) <= HALF_A_CENT, (calculation, value)
    assert read > len(records)
