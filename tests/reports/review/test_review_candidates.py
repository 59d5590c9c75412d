"""Tests of candidate files: candidates are located again in their files whatever else the files hold."""

import gzip
import json
import os
import signal
import time
from dataclasses import astuple
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from harness.errors import HarnessError
from reports.review import candidates as indexing
from reports.review.candidates import Candidates
from tests.cases import cases
from tests.reports.review.made_candidates import made_record, write_records

NUMBERS = range(30)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file of thirty candidates."""
    return write_records(tmp_path / "conceptual.jsonl", map(made_record, NUMBERS))


def _open(tmp_path: Path, *paths: Path) -> Candidates:
    return Candidates.open(paths, cache=tmp_path / "cache")


def test_a_compressed_file_gives_the_same(tmp_path: Path, file: Path) -> None:
    """A `.gz` file gives the candidates of the plain one, record by record; the shortlist of a stratum holds the most plausible."""
    packed = tmp_path / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    pools = [_open(tmp_path, path) for path in (file, packed)]
    plain, other = ([pool.get(made_record(number)["flaw_id"]) for number in NUMBERS] for pool in pools)
    assert plain == other
    chosen = set(pools[0].shortlists(4))
    assert len(chosen) == 8
    for stratum in pools[0].strata:
        own = [one for one in plain if (one.tier, one.position, one.error_type) == astuple(stratum)]
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
    candidates = _open(tmp_path, path)
    assert len(candidates) == 2
    assert candidates.rejected == {reason: 1}
    assert candidates.get(made_record(2)["flaw_id"]).record == made_record(2)


@settings(max_examples=40)
@given(st.binary(max_size=2_000))
def test_no_bytes_break_the_index(tmp_path_factory: pytest.TempPathFactory, junk: bytes) -> None:
    """Whatever bytes follow a candidate, it is found, and nothing else is."""
    folder = tmp_path_factory.mktemp("junk")
    path = folder / "any.jsonl"
    path.write_bytes(json.dumps(made_record(0)).encode() + b"\n" + junk)
    candidates = _open(folder, path)
    assert len(candidates) == 1
    assert candidates.get(made_record(0)["flaw_id"]).record == made_record(0)


@cases("content", [b"", b"\n\n", b'{"a": 1}\n'])
def test_a_file_without_a_candidate_says_so(tmp_path: Path, content: bytes) -> None:
    """A file that holds no candidate is refused with what was expected and what makes some."""
    path = tmp_path / "none.jsonl"
    path.write_bytes(content)
    with pytest.raises(HarnessError, match=r"none\.jsonl: expected flawed solutions .* pytest -n auto -m mutation"):
        _open(tmp_path, path)


@cases("name", ["missing.jsonl", "broken.jsonl.gz", "."])
def test_a_file_that_cannot_be_read_says_so(tmp_path: Path, name: str) -> None:
    """A file that is missing, broken or a folder is named."""
    (tmp_path / "broken.jsonl.gz").write_bytes(b"\x1f\x8bnothing")
    with pytest.raises(HarnessError, match="candidates: "):
        _open(tmp_path, tmp_path / name)


def test_a_changed_file_is_indexed_again(tmp_path: Path, file: Path) -> None:
    """A file that was changed has another index, and the earlier one is gone; an open one says that its file changed."""
    before = _open(tmp_path, file)
    write_records(file, [made_record(number, question="Changed?") for number in NUMBERS])
    os.utime(file, ns=(1, 1))
    after = _open(tmp_path, file)
    name = made_record(3)["flaw_id"]
    assert after.get(name).record["question"] == "Changed?"
    assert after.index != before.index
    assert [path.name for path in (tmp_path / "cache").glob("*.sqlite*")] == [after.index.name]
    with pytest.raises(HarnessError, match=r"conceptual\.jsonl: the file was changed during the review"):
        before.get(name)


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\x00" + b"\x00" * 84])
def test_a_damaged_index_is_made_again(tmp_path: Path, file: Path, content: bytes) -> None:
    """An index that is no whole one is replaced."""
    first = _open(tmp_path, file)
    first.index.write_bytes(content)
    again = _open(tmp_path, file)
    assert again.get(made_record(7)["flaw_id"]).record == made_record(7)


def _build_slowly(path: Path, cache: Path) -> None:
    read = indexing._row

    def slow(line: bytes, seen: set[str]) -> dict[str, Any] | indexing.UnfitReason:
        if len(seen) == len(NUMBERS) - 1:
            (cache / "half-built").touch()
            time.sleep(60)
        return read(line, seen)

    indexing._row = slow  # in a process that is killed
    Candidates.open([path], cache=cache)


def test_a_killed_build_leaves_nothing_to_read(tmp_path: Path, file: Path) -> None:
    """A build that is killed amid its work leaves no index; the next one builds it, and clears what was left."""
    cache = tmp_path / "cache"
    builder = get_context("fork").Process(target=_build_slowly, args=(file, cache))
    builder.start()
    while not (cache / "half-built").exists():
        time.sleep(0.01)
    assert builder.pid is not None
    os.kill(builder.pid, signal.SIGKILL)
    builder.join()
    assert not list(cache.glob("*.sqlite"))
    assert list(cache.glob("*.sqlite-partial"))
    assert len(_open(tmp_path, file)) == len(NUMBERS)
    assert not list(cache.glob("*.sqlite-partial"))


def test_a_build_waits_for_another(tmp_path: Path, file: Path) -> None:
    """Processes that open the same files at once end up with one whole index."""
    context = get_context("fork")
    results = context.Queue()

    def count() -> None:
        results.put(len(Candidates.open([file], cache=tmp_path / "cache")))

    workers = [context.Process(target=count) for _ in range(4)]
    for worker in workers:
        worker.start()
    assert [results.get(timeout=60) for _ in workers] == [len(NUMBERS)] * 4
    for worker in workers:
        worker.join()
    assert len(list((tmp_path / "cache").glob("*.sqlite"))) == 1
