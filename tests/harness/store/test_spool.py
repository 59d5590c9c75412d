"""Records on disk: they come back at any place, in any process, with several writers and after kills, and hold no memory."""

from __future__ import annotations

import json
import multiprocessing
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from harness.store.run_folder import RunFolder, Shard
from harness.store.spool import ShardIndex, Spool
from tests.cases import cases

VALUES = st.lists(st.text() | st.integers() | st.tuples(st.text(), st.none()))


@given(first=VALUES, second=VALUES)
def test_values_come_back(first: list[object], second: list[object]) -> None:
    """What was added is read in order and at each place, also when more is added after a look."""
    spool = Spool[object]()
    for value in first:
        spool.append(value)
    assert list(spool) == first
    for value in second:
        spool.append(value)
    every = first + second
    assert (list(spool), [spool[place] for place in range(-len(every), len(every))]) == (every, every + every)
    assert spool[1:] == every[1:]
    with pytest.raises(IndexError):
        spool[len(every)]


def _sum(spool: Spool[int], answer: multiprocessing.Queue[int]) -> None:
    answer.put(sum(spool[place] for place in range(len(spool))))


def test_forked_processes_read_at_once() -> None:
    """Processes that are forked from the one that wrote read all values at the same time."""
    spool, context = Spool[int](), multiprocessing.get_context("fork")
    for value in range(2_000):
        spool.append(value)
    assert spool[0] == 0
    answers = context.Queue()
    readers = [context.Process(target=_sum, args=(spool, answers)) for _ in range(4)]
    for reader in readers:
        reader.start()
    sums = [answers.get(timeout=60) for _ in readers]
    for reader in readers:
        reader.join()
    assert sums == [sum(range(2_000))] * 4


def test_values_stay_on_disk() -> None:
    """Of 2,000 values of 2 kB each, 4 MB together, memory holds less than a tenth."""
    spool = Spool[str]()
    tracemalloc.start()
    try:
        for number in range(2_000):
            spool.append(f"{number:02000}")
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 400_000


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


@cases("cut", range(2, 30))
def test_a_line_cut_off_by_a_kill_is_passed_over(tmp_path: Path, cut: int) -> None:
    """The lines before it are found, and its record as well once it is written again, also by a process of the same number."""
    stage = RunFolder(tmp_path).stage("mutation")
    first, second = {"problem_id": "a"}, {"problem_id": "b", "text": "{}", "more": "of it"}
    for number in range(2):
        shard = stage.shard("gw0")
        for record in (second, first) if number else (first, second):
            shard.append(record)
        shard.close()
        if not number:
            shard.path.write_bytes(shard.path.read_bytes()[:-cut])
            index = ShardIndex.snapshot(shard.path.parent)
            assert [list(index.lines("a")), list(index.lines("b"))] == [[json.dumps(first, separators=(",", ":"))], []]
    found = [[json.loads(line) for line in ShardIndex(shard.path.parent).lines(name)] for name in ("a", "b")]
    assert found == [[first, first], [second]]


@cases("line", [b"\n", b"{}\n", b'{"problem_id":\n', b'{"problem_id":7}\n', b"[1]\n", b"\xff\xfe\n"])
def test_other_lines_are_passed_over(tmp_path: Path, line: bytes) -> None:
    """A line that names no problem is left out, and shards in a folder beside others are apart."""
    shard = Shard(tmp_path / "bulk" / "gw0-1.jsonl")
    shard.append({"problem_id": "b"})
    shard.path.write_bytes(line + shard.path.read_bytes() + line)
    assert ShardIndex(shard.path.parent).problem_ids() == ["b"]
    assert ShardIndex(tmp_path).problem_ids() == []
