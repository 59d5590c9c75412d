"""Tests of change descriptions: one sentence names the change of every flaw, and the values show its effects."""

from typing import Any

from harness.solution.labels import ErrorType
from reports.review.logical_change import SENTENCES, change_of
from tests.cases import cases

Record = dict[str, Any]


@cases(
    "change",
    [{"certificate": None}, {"label": {}}, {"mutation": 7}, {"mutation": {"from": "x" * 10**5, "to": "<b>" * 10**5}}],
)
def test_sentence_of_a_record_that_cannot_be_read_is_bounded(
    change: dict[str, Any], flawed: dict[str, list[Record]]
) -> None:
    """Nothing is raised, and the sentence is bounded, whatever the record holds."""
    for record in flawed["conceptual"][::10]:
        assert 0 < len(change_of({**record, **change}).sentence) < 500


def test_every_change_of_the_bundled_corpus_is_told(flawed: dict[str, list[Record]]) -> None:
    """Each sentence names both sides, which differ, and the values are those of the record."""
    records = flawed["conceptual"] + flawed["computational"]
    assert len(records) > 100
    assert set(SENTENCES) == set(ErrorType)
    for record in records:
        change = change_of(record)
        assert change.line == record["label"]["error_details"]["erroneous_line_number"]
        assert 20 < len(change.sentence) < 260
        assert "instead" in change.sentence or "left out" in change.sentence
        left, _, right = change.sentence.rpartition(" instead of ")
        assert not left.endswith(right.rstrip("."))
        assert change.values, record["flaw_id"]
        told = {value.variable: value.after for value in (*change.values, *change.follows)}
        assert {name for name, after in told.items() if after} >= {
            value["variable"] for value in record["values"] if value["after"]
        }
