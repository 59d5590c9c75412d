"""Tests of the audit of explanations: the lines and the numbers that they name."""

import copy
import json

from harness.corpora.labelled_solutions import LabelledSolution, read_record
from oracles.labels.audit.causes import AuditCause
from oracles.labels.audit.label_verdict import audit
from tests.cases import cases
from tests.certified_records import certified_flaw_records
from tests.oracles.proofs.flaw_records import Record, slip


def causes(record: Record) -> list[str]:
    """Return the causes for which the audit refutes a record."""
    read = read_record(json.loads(json.dumps(record)), "flaws")
    assert isinstance(read, LabelledSolution)
    return [finding.cause for finding in audit(read, None, "p-1").findings if AuditCause(finding.cause).refutes]


def test_no_explanation_of_the_pipeline_is_refuted() -> None:
    """Beside the correct solution, whose numbers it may name."""
    assert not [record["flaw_id"] for record in certified_flaw_records()[::5] if causes(record)]


@cases(
    ("explanation", "refuted"),
    [
        ("Half of 14 is 7, so it should be 7, not 8.", False),
        ("The division on line 4 is wrong.", True),
        ("It should be 7, not 8: see the 1,234 birds.", True),
        ("It should be 9, not 8.", True),
    ],
)
def test_words_of_other_origin_are_read_for_lines_and_numbers(explanation: str, *, refuted: bool) -> None:
    """A line that is not labelled, a number of nothing, a value that the line does not work out."""
    record = copy.deepcopy(slip())
    record["label"]["error_details"]["explanation"] = explanation
    assert causes(record) == (["explanation-disagrees"] if refuted else [])
