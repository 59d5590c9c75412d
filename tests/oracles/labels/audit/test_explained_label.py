"""Tests of the audit of explanations: faults planted by rule are found, with or without the correct solution."""

from benchmarks.planted_explanations import explanation_of, is_missed, planted_faults
from tests.cases import cases
from tests.certified_records import certified_flaw_records
from tests.oracles.proofs.flaw_records import slip

EVERY = 97
MOST_MISSED = 0.1


def test_explanations_of_other_errors_are_refuted() -> None:
    """Of faults planted in explanations beside the correct solution, at most one in ten is missed; no own one is refuted."""
    made = certified_flaw_records()
    sample = made[:: max(1, len(made) // EVERY)]
    assert not [
        explanation_of(record) for record in sample if not is_missed(record, explanation_of(record), reference=True)
    ]
    planted = [
        (record, rule, text)
        for place, record in enumerate(sample)
        for rule, text in planted_faults(record, [*sample[place:], *sample[:place], *made])
    ]
    missed = [(rule, text) for record, rule, text in planted if is_missed(record, text, reference=True)]
    assert len(planted) > EVERY
    assert len(missed) <= MOST_MISSED * len(planted), missed


@cases(
    ("explanation", "missed"),
    [
        ("Half of 14 is 7, so it should be 7, not 8.", True),
        ("The division on line 4 is wrong.", False),
        ("It should be 7, not 8: see the 1,234 birds.", False),
        ("Everybody can look this up: a week has 7 days. With 8 the result is 8 instead of 7.", False),
    ],
)
def test_words_of_other_origin_are_read_for_lines_and_numbers(explanation: str, *, missed: bool) -> None:
    """A line that is not labelled, and a number of nothing; a known sentence of another type of error."""
    assert is_missed(slip(), explanation, reference=True) is missed
