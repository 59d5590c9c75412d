"""Tests of the reader on real LLM formalizations: each is read or refused with its reason."""

from pathlib import Path

import pytest

from harness.corpora.problems import read_records
from harness.domain import Response
from harness.program.lifter import read_candidate
from harness.program.refusal import RefusalReason

SHARES = {"parametric.jsonl": 1.0, "programs.jsonl.gz": 0.95, "templates.jsonl.gz": 0.98}


@pytest.mark.parametrize("part", [60, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", SHARES)
def test_real_formalizations_are_evaluated(shared_data: Path, name: str, part: int) -> None:
    """The share that has a number is no less than it was; every other has a typed reason or an exception's name.

    Of the larger files every sixtieth answer is read, and all in `make test-slow`.
    """
    records = [record for _, record in read_records(shared_data / "formalizations" / name)]
    records = records[:: 1 if len(records) < 200 else part]
    found = [read_candidate(Response(record["problem_id"], record["model"], record["response"])) for record in records]
    numbers = sum(result.outcome is not None and result.outcome.value is not None for result in found)
    told = all(
        result.outcome is not None or str(result.reason).partition(":")[0] in set(RefusalReason) for result in found
    )
    assert (told, numbers / len(found) >= SHARES[name]) == (True, True)
