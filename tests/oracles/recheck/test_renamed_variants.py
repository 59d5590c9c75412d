"""A variant that is called by the name of another operator is refused where its edits are none of that operator."""

import json

import pytest

from benchmarks.tampering import fits_file
from benchmarks.tampering_rules import Tampering, named_anew
from harness.records.content_digest import with_digest
from harness.solution.phrases.reasoning_phrases import OPERATOR_CLASSES
from oracles.certificates.solvers import SolverName, open_solver
from oracles.recheck.variants.variant_fields import variant_digest
from oracles.recheck.variants.variant_record import objection
from tests.cases import cases
from tests.certified_records import certified_variant_records
from tests.oracles.variants.constraint_systems import RECORDS, Record, anew

MAY_BE_CALLED = {
    "solvable": {"original"},
    "contradictory": {"broken_bound"},
    "restated": {"restated_input"},
    "limited": {"stated_limit"},
    "underspecified": {"vague_quantity"},
}
"""The operators that may make such edits, by the name of a record."""


def renamed(made: Record, operator: str) -> Record:
    """Return a variant's record by the name of another operator, sealed again."""
    variant_id = f"{made['problem_id']}:{operator}:{variant_digest(made['modified_problem_text'])}"
    return anew(made, operator=operator, variant_id=variant_id)


@cases("name", RECORDS)
def test_an_edit_is_confirmed_under_names_that_fit_alone(name: str) -> None:
    """Of the operators of its class, only those are accepted that make such an edit."""
    made = json.loads(json.dumps(RECORDS[name](open_solver(SolverName.Z3))))
    accepted = {operator for operator in OPERATOR_CLASSES if objection(renamed(made, operator)) is None}
    assert accepted == MAY_BE_CALLED[name]


@pytest.mark.slow
def test_a_variant_has_one_name_in_its_file() -> None:
    """Called by another operator's name, with its ids written anew, a variant is refused by itself; a near-twin at the latest in its file."""
    records = certified_variant_records()
    accepted = [
        (record["variant_id"], operator)
        for record in records
        for operator in OPERATOR_CLASSES
        if operator != record["operator"]
        and objection(made := with_digest(named_anew({**record, "operator": operator}))) is None
        and (record["twin_of"] is None or fits_file(Tampering("variant", "operator", operator, made, record), records))
    ]
    assert not accepted
