"""Tests of candidate files: candidates are located again in their files whatever else the files hold."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from harness.errors import HarnessError
from reports.review import candidates as indexing
from reports.review.candidates import Candidates
from tests.cases import cases
from tests.json_lines import write_lines
from tests.reports.review.made_candidates import made_record

NUMBERS = range(30)


def test_a_compressed_file_gives_the_same(tmp_path: Path) -> None:
    """A `.gz` file gives the candidates of the plain one, record by record; the shortlist of a stratum holds the most plausible."""
    file, packed = write_lines(tmp_path / "conceptual.jsonl", map(made_record, NUMBERS)), tmp_path / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    pools = [Candidates.open([path]) for path in (file, packed)]
    plain, other = ([pool.get(made_record(number)["flaw_id"]) for number in NUMBERS] for pool in pools)
    assert [replace(candidate, line=None) for candidate in other] == plain
    chosen = set(pools[0].shortlists(4))
    assert len(chosen) == 8
    for stratum in pools[0].strata:
        own = [candidate for candidate in plain if candidate.stratum == stratum]
        inside = [candidate.plausibility for candidate in own if candidate.candidate_id in chosen]
        outside = [candidate.plausibility for candidate in own if candidate.candidate_id not in chosen]
        assert min(inside) >= max(outside)


REASON = indexing.UnfitReason
ODD = [
    (REASON.NO_JSON, ["{", "[" * 100_000, "\udcff\udcfe{"]),
    (REASON.TOO_LONG, [" " * indexing.LONGEST_RECORD + "{}"]),
    (REASON.REPEATED, [json.dumps(made_record(0, question="Again?"))]),
    (REASON.NO_SUCH_LINE, [json.dumps(made_record(1, flawed_solution="One line."))]),
    (
        REASON.MALFORMED,
        [
            *("17", "null"),
            *(
                json.dumps(made_record(1, **changed))
                for changed in (
                    {"plausibility": {"score": "high", "reasons": []}},
                    {"plausibility": {"score": float("nan"), "reasons": []}},
                    {"flaw_id": "\ud800"},
                    {"flaw_id": ""},
                    {"question": "x" * 100_001},
                )
            ),
        ],
    ),
]


@cases("reason, line", [(reason, line) for reason, lines in ODD for line in lines])
def test_a_line_that_is_no_candidate_is_counted(tmp_path: Path, line: str, reason: indexing.UnfitReason) -> None:
    """A line that is no candidate is counted by its reason and told; the lines around it are read."""
    path = tmp_path / "odd.jsonl"
    around = [json.dumps(made_record(0)), line, "", json.dumps(made_record(2))]
    path.write_bytes("\n".join(around).encode("utf-8", "surrogateescape"))
    candidates = Candidates.open([path])
    assert len(candidates) == 2
    assert candidates.rejected == {reason: 1}
    assert candidates.get(made_record(2)["flaw_id"]).record == made_record(2)


@given(st.binary(max_size=2_000))
def test_no_bytes_break_the_index(tmp_path_factory: pytest.TempPathFactory, junk: bytes) -> None:
    """Whatever bytes follow a candidate, it is found, and nothing else is."""
    folder = tmp_path_factory.mktemp("junk")
    path = folder / "any.jsonl"
    path.write_bytes(json.dumps(made_record(0)).encode() + b"\n" + junk)
    candidates = Candidates.open([path])
    assert len(candidates) == 1
    assert candidates.get(made_record(0)["flaw_id"]).record == made_record(0)


@cases("content", [b"", b"\n\n", b'{"a": 1}\n'])
def test_a_file_without_a_candidate_says_so(tmp_path: Path, content: bytes) -> None:
    """A file that holds no candidate is refused with what was expected and what makes some."""
    path = tmp_path / "none.jsonl"
    path.write_bytes(content)
    with pytest.raises(HarnessError, match=r"none\.jsonl: expected flawed solutions .* pytest -n auto -m mutation"):
        Candidates.open([path])


@cases("name", ["missing.jsonl", "broken.jsonl.gz", "."])
def test_a_file_that_cannot_be_read_says_so(tmp_path: Path, name: str) -> None:
    """A file that is missing, broken or a folder is named."""
    (tmp_path / "broken.jsonl.gz").write_bytes(b"\x1f\x8bnothing")
    with pytest.raises(HarnessError, match="candidates: "):
        Candidates.open([tmp_path / name])


def test_a_changed_file_says_so(tmp_path: Path) -> None:
    """A file that is changed during a review is named; opened again, it gives what it holds now."""
    file = write_lines(tmp_path / "conceptual.jsonl", map(made_record, NUMBERS))
    before = Candidates.open([file])
    write_lines(file, [made_record(number, question="Changed?") for number in NUMBERS])
    name = made_record(3)["flaw_id"]
    assert Candidates.open([file]).get(name).record["question"] == "Changed?"
    with pytest.raises(HarnessError, match=r"conceptual\.jsonl: the file was changed during the review"):
        before.get(name)
