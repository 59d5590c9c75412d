"""Laws of the re-check on tampered records: nothing that the pipeline did not make is accepted, also where the digest is computed anew."""

import copy
import itertools
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.tampering import FREE, fits_file, swapped, tampered
from harness.domain import Problem, Response, Status
from harness.json_form import with_digest
from oracles.proofs.solvers import SolverName
from properties.recheck.file_recheck import RecordRecheck
from properties.recheck.reference_records import CorpusProblems
from properties.recheck.reproduction import NO_SOURCE
from properties.stages import mutation
from tests.cases import cases
from tests.certified_records import certified_flaw_records, certified_variant_records

RECHECK = RecordRecheck.of(SolverName.Z3)
Record = dict[str, Any]
KINDS = ("computational", "conceptual", "variant")
SIZES = [1, pytest.param(4, marks=pytest.mark.slow)]
"""So many records of each kind are tampered with."""


def records_of(kind: str) -> list[Record]:
    """Return the flaws of a kind, or the variants, of some bundled problems."""
    if kind == "variant":
        return list(certified_variant_records())
    slip = kind == "computational"
    return [record for record in certified_flaw_records() if (record["certificate"]["mutant"] is None) is slip]


def accepted(record: Record) -> bool:
    """Tell whether the re-check confirms a record."""
    return RECHECK.result(record).status is Status.CONFIRMED


@cases("kind", KINDS)
def test_what_the_pipeline_makes_is_confirmed(kind: str) -> None:
    """Each record that the pipeline makes is confirmed."""
    found = [RECHECK.result(record) for record in records_of(kind)[::7]]
    assert [result.reason for result in found if result.status is not Status.CONFIRMED] == []


@pytest.mark.parametrize("size", SIZES)
@cases("kind", KINDS)
def test_no_tampered_field_is_accepted(size: int, kind: str) -> None:
    """Each field changed by each rule: refused in one line."""
    ways = set()
    for change in itertools.islice(
        tampered(kind, records_of(kind), size, resealed=False), 0, None, 3 if size == 1 else 1
    ):
        found = RECHECK.result(change.record)
        ways.add((change.kind, change.field, change.rule))
        assert found.status is not Status.CONFIRMED, (change.field, change.rule)
        assert found.reason
        assert "\n" not in found.reason, found.reason
    assert len(ways) >= 16 * size


@pytest.mark.parametrize("size", SIZES)
@cases("kind", KINDS)
def test_a_digest_computed_anew_hides_nothing(size: int, kind: str) -> None:
    """Whoever changes a field and computes the digest too is refused, unless the record is made from that field; then its file refuses it."""
    tried = 0
    found: Counter[tuple[str, str]] = Counter()
    records = records_of(kind)
    for change in itertools.islice(tampered(kind, records, size, resealed=True), 0, None, 11 if size == 1 else 1):
        free = change.field.partition(".")[0] in FREE
        if free and size == 1 and change.rule not in {"deleted", "plus one", "empty"}:
            continue
        tried += 1
        if accepted(change.record) and not (free and (change.field == "model" or not fits_file(change, records))):
            found[change.field, change.rule] += 1
    assert tried > 4 * size
    assert not found


@pytest.mark.parametrize(("size", "most"), [(1, 1), pytest.param(12, 20, marks=pytest.mark.slow)])
@cases("kind", KINDS)
def test_no_field_may_hold_what_another_record_has(size: int, most: int, kind: str) -> None:
    """Each field as other records have it, names and ids of an operator written anew, and sealed again."""
    records = records_of(kind)
    changes = [change for change in swapped(kind, records, size, most) if change.field.partition(".")[0] not in FREE]
    assert len(changes) > 20 * size
    assert not [(change.field, change.rule) for change in changes if accepted(change.record)]


def sealed_again(record: Record, **changes: Any) -> Record:
    """Return a record with other fields and the digest of them."""
    return with_digest({**copy.deepcopy(record), **changes})


def test_a_record_without_its_source_is_unknown() -> None:
    """As records of earlier versions: its certificate, numbers and equations hold, the rest is not checked."""
    for kind in KINDS:
        found = RECHECK.result(
            with_digest({name: own for name, own in records_of(kind)[0].items() if name != "source"})
        )
        assert (found.status, found.reason) == (Status.UNKNOWN, NO_SOURCE)


SOURCES: dict[str, Record] = {
    "another seed type": {"seed": "0"},
    "no lines": {"logical_steps": []},
    "another program": {"function_code": "def solve():\n    return 7"},
    "hostile code": {"function_code": "__import__('os').system('id')"},
    "deep code": {"function_code": "x = " + "(" * 5_000},
    "another solution": {"solution": "So it is 5.\n#### 5"},
    "no answer": {"solution": "So it is."},
}


@cases("name", SOURCES)
def test_a_source_that_does_not_make_the_record_is_refused(name: str) -> None:
    """With the digest computed anew, in one sentence that names the source or the field that differs."""
    for records in (certified_flaw_records(), certified_variant_records()):
        found = RECHECK.result(sealed_again(records[1], source={**records[1]["source"], **SOURCES[name]}))
        assert found.status is Status.REFUTED
        assert "\n" not in (found.reason or "")


def test_a_difference_names_its_field() -> None:
    """The explanation of another flaw of the same problem, and what was expected."""
    first, second = records_of("conceptual")[:2]
    label = copy.deepcopy(first["label"])
    label["error_details"]["explanation"] = second["label"]["error_details"]["explanation"]
    reason = RECHECK.result(sealed_again(first, label=label)).reason or ""
    assert reason.startswith("label.error_details.explanation: expected")


REVIEWS = {
    "accepted": ({}, None),
    "other words": ({"flawed_solution": ("Together that", "In all, that")}, None),
    "another number": ({"flawed_solution": ("#### ", "#### 1")}, "answers otherwise"),
    "another operator": ({"operator": "operator_swapped"}, "operator"),
    "another tier": ({"tier": 5}, "tier: expected"),
}


@cases("name", REVIEWS)
def test_a_reviewed_record_is_made_again_with_its_first_texts(name: str) -> None:
    """Its edited lines are held to its numbers; every other field is compared."""
    changes, reason = REVIEWS[name]
    record = copy.deepcopy(records_of("conceptual")[0])
    original = {
        "lines": record["flawed_solution"].split("\n"),
        "explanation": record["label"]["error_details"]["explanation"],
    }
    for field, value in changes.items():
        record[field] = record[field].replace(*value) if isinstance(value, tuple) else value
    found = RECHECK.result(sealed_again(record, needs_edit=False, edits=[], review={"original": original}))
    assert (found.reason is None) is (reason is None), found.reason
    assert (reason or "") in (found.reason or "")


def test_a_flaw_of_a_wrong_solution_is_refused_by_the_corpus() -> None:
    """A record alone does not show which of two solutions with true arithmetic is the right one; the corpus does."""
    question = "Petra packs 4 boxes. Each box holds 6 mugs. On the way, 5 mugs break. How many mugs are whole?"
    right = Problem("p-1", question, "4*6 = <<4*6=24>>24 mugs are packed.\n24-5 = <<24-5=19>>19 are whole.", "19")
    wrong = replace(right, solution="4+6 = <<4+6=10>>10 mugs are packed.\n10-5 = <<10-5=5>>5 are whole.", gold="5")
    program = "def solution():\n    boxes = 4\n    each = 6\n    mugs = boxes + each\n    broken = 5\n    return mugs - broken"
    records = mutation.make(wrong, [Response("p-1", "birch", program)], seed=0).records
    assert records
    assert all(map(accepted, records))
    corpus = CorpusProblems({"p-1": right})
    assert all("expected the answer '19'" in (corpus.problem(record) or "") for record in records)
