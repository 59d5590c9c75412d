"""A flaw that is called by the name of another error is refused, also where all its fields are derived anew and it is sealed again."""

from benchmarks.renamed_errors import is_accepted, renamed_errors
from tests.cases import cases
from tests.oracles.recheck.flaw_records import RECORDS

MAY_BE_CALLED = {
    "slip": {"off_by_n"},
    # A sum for a difference is also what comes of a term moved across without its sign.
    "mutant": {"operator_swap", "algebraic_simplification"},
    "skipped": {"skipped_assignment"},
    "unfinished": {"skipped_final_step"},
    "wrong_answer": {"wrong_final_answer"},
}
"""The operators whose sentences are true of a record."""


@cases("name", RECORDS)
def test_an_error_is_confirmed_under_names_that_are_true_of_it_alone(name: str) -> None:
    """Of all sentences of all operators with their slots filled from the certificate, those of other errors are refused."""
    made = list(renamed_errors(RECORDS[name]()))
    assert len(made) > 30
    assert {record["operator"] for record in made if is_accepted(record)} == MAY_BE_CALLED[name]
