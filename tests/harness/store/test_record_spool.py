"""Tests of the record spool: records larger than memory are read back, with several writers and after kills."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from harness.store.record_spool import LONGEST_KEY, BulkRecords, ShardIndex
from harness.store.run_folder import RunFolder, Shard, Stage
from tests.cases import cases

TEXTS = st.text(max_size=20)
RECORDS = st.dictionaries(TEXTS, st.recursive(TEXTS | st.integers() | st.none(), st.lists), max_size=8)


def stage_of(folder: Path) -> Stage:
    """Return a stage without records."""
    return RunFolder(folder).stage("mutation")


def read(folder: Path, *keys: str) -> list[tuple[str, Any]]:
    """Return the records of keys as another process finds them."""
    return list(BulkRecords.open(stage_of(folder), "reader").records(keys))


def write(folder: Path, worker: str, *records: tuple[str, Any]) -> Path:
    """Write records as one process does; return where they are."""
    bulk = BulkRecords.open(stage_of(folder), worker)
    for key, record in records:
        bulk.append(key, record)
    bulk.close()
    return bulk.shard.path


@pytest.mark.slow
@given(records=RECORDS)
def test_records_come_back_in_the_order_asked_for(
    tmp_path_factory: pytest.TempPathFactory, records: dict[str, Any]
) -> None:
    """Any text is a key, line separators and half surrogates included; what nobody wrote is passed over."""
    folder = tmp_path_factory.mktemp("bulk")
    write(folder, "gw0", *records.items())
    asked = sorted(records, reverse=True)
    assert read(folder, *asked, "\0nobody") == [(key, records[key]) for key in asked]


def test_records_of_all_processes_are_found(tmp_path: Path) -> None:
    """A record that any process wrote is found by every reader, and is listed."""
    write(tmp_path, "gw0", ("a", 1), ("b", [2]))
    write(tmp_path, "gw1", ("c", {"d": None}))
    assert read(tmp_path, "c", "a", "b") == [("c", {"d": None}), ("a", 1), ("b", [2])]
    assert BulkRecords.open(stage_of(tmp_path), "reader").keys() == {"a", "b", "c"}


def test_a_key_written_twice_is_read_once(tmp_path: Path) -> None:
    """A key that two processes wrote is read once."""
    write(tmp_path, "gw0", ("a", 1), ("a", 1))
    write(tmp_path, "gw1", ("a", 1))
    assert read(tmp_path, "a", "b") == [("a", 1)]


@cases("cut", range(1, 30))
def test_a_line_cut_off_by_a_kill_is_passed_over(tmp_path: Path, cut: int) -> None:
    """The records before it are there, and that of the key as well once it is written again, wherever that is."""
    path = write(tmp_path, "gw0", ("a", 1), ("b", {"text": "{}"}))
    path.write_bytes(path.read_bytes()[:-cut])
    assert read(tmp_path, "a", "b") == [("a", 1)]
    write(tmp_path, "again", ("b", {"text": "{}"}))
    assert read(tmp_path, "a", "b") == [("a", 1), ("b", {"text": "{}"})]


@cases("cut", range(1, 30))
def test_a_process_of_the_same_number_loses_nothing(tmp_path: Path, cut: int) -> None:
    """Process ids come again: a killed namesake's last line may be half there, in front of what is written now."""
    path = write(tmp_path, "gw0", ("a", 1), ("b", {"text": "{}"}))
    path.write_bytes(path.read_bytes()[:-cut])
    write(tmp_path, "gw0", ("b", {"text": "{}"}), ("c", 3))
    assert read(tmp_path, "a", "b", "c") == [("a", 1), ("b", {"text": "{}"}), ("c", 3)]


@pytest.mark.parametrize("key", ["k" * (LONGEST_KEY + 10), "é" * LONGEST_KEY, "\ud800" * LONGEST_KEY, ""])
def test_keys_of_any_length(tmp_path: Path, key: str) -> None:
    """Keys may have any length."""
    write(tmp_path, "gw0", (key, 1), ("b", 2))
    assert read(tmp_path, key, "b") == [(key, 1), ("b", 2)]


@cases("line", [b"\n", b"{}\n", b'{"key":\n', b'{"key":7,"record":1}\n', b'{"key":"a"}\n', b"\xff\xfe\n"])
def test_other_lines_are_passed_over(tmp_path: Path, line: bytes) -> None:
    """A line that is no record of a key is skipped."""
    path = write(tmp_path, "gw0", ("b", 2))
    path.write_bytes(line + path.read_bytes() + line)
    assert read(tmp_path, "a", "b") == [("b", 2)]


def test_nobody_wrote_anything(tmp_path: Path) -> None:
    """Where nothing was written there is no folder."""
    assert (read(tmp_path, "a"), BulkRecords.open(stage_of(tmp_path), "reader").keys()) == ([], frozenset())


def test_reading_leaves_no_file_open(tmp_path: Path) -> None:
    """Not even where only the first of a hundred records is wanted."""
    opened = Path("/proc/self/fd")
    if not opened.is_dir():
        pytest.skip("open files are listed under /proc")
    write(tmp_path, "gw0", *((str(number), "x" * 50_000) for number in range(100)))
    bulk = BulkRecords.open(stage_of(tmp_path), "reader")
    before = len(list(opened.iterdir()))
    stream = bulk.records(map(str, range(100)))
    assert next(stream) == ("0", "x" * 50_000)
    del stream
    assert len(list(opened.iterdir())) == before


def test_shards_of_verdicts_are_no_bulk(tmp_path: Path) -> None:
    """Shards of verdicts are not part of the spool, although they are beside it."""
    Shard(stage_of(tmp_path).folder / "shards" / "gw0-1.jsonl").append({"key": "a", "record": 1})
    assert read(tmp_path, "a") == []


@given(
    rows=st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["p", "q", "\u2028é"]), st.booleans()), max_size=40),
    looked=st.integers(0, 40),
)
def test_lines_are_found_by_problem(
    rows: list[tuple[int, str, bool]], looked: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever processes write in whatever order, the whole lines of each problem are found, also those added after a look; a snapshot keeps to its moment."""
    folder = tmp_path_factory.mktemp("shards")
    index, expected = ShardIndex(folder), dict[str, list[tuple[int, str]]]()
    snapshot, then = ShardIndex.snapshot(folder), dict[str, list[tuple[int, str]]]()
    for number, (shard, problem_id, whole) in enumerate(rows):
        if number == looked:
            assert _found(index, expected) == expected
            snapshot, then = ShardIndex.snapshot(folder), {name: list(lines) for name, lines in expected.items()}
        line = json.dumps({"problem_id": problem_id, "number": number}, ensure_ascii=False)
        with (folder / f"{shard}.jsonl").open("a", encoding="utf-8") as stream:
            stream.write(f"{line}\n" if whole else f"{line[:-3]}\n")
        if whole:
            expected.setdefault(problem_id, []).append((shard, line))
    assert _found(index, expected) == expected
    assert _found(snapshot, then) == then
    assert set(index.problem_ids()) == set(expected)


def _found(index: ShardIndex, expected: dict[str, list[tuple[int, str]]]) -> dict[str, list[tuple[int, str]]]:
    """Return what an index finds of the expected lines; the lines of one shard are in order, those of several in any."""
    found = {}
    for problem_id, lines in expected.items():
        known = {line: shard for shard, line in lines}
        read = [(known[line], line) for line in index.lines(problem_id)]
        assert [[line for shard, line in read if shard == own] for own in range(3)] == [
            [line for shard, line in lines if shard == own] for own in range(3)
        ]
        found[problem_id] = lines if sorted(read) == sorted(lines) else read
    return found
