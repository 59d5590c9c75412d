"""Tests of snapshot files: each snapshot has a file of its own in the folder of its kind, with any name."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from snapshots.snapshot_files import (
    KINDS,
    LONGEST_STEM,
    MUTATIONS,
    TRACES,
    SnapshotKind,
    kind_of_suite,
    left_over_files,
    read,
    stem,
    write,
)
from tests.cases import cases

NAMES = st.text(max_size=400) | st.text(alphabet="./\\~%2EF\x00", max_size=400)


@cases(
    ("problem_id", "name"),
    [
        ("mini-001", "mini-001.trace.txt"),
        ("gsm8k-train-1372", "gsm8k-train-1372.trace.txt"),
        ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd.trace.txt"),
        ("..", "%2E..trace.txt"),
        ("a\\b:c\x00\u202e", "a%5Cb%3Ac%00%E2%80%AE.trace.txt"),
    ],
)
def test_a_snapshot_is_named_after_its_problem(problem_id: str, name: str) -> None:
    """A plain id is the name; what is no part of a file name is escaped."""
    assert TRACES.path_of(Path("kept"), problem_id) == Path("kept", "test_traces", name)


def test_each_kind_has_a_folder_and_a_suffix() -> None:
    """The suite a kind belongs to is found again; a suite of no kind is named with those there are."""
    assert MUTATIONS.path_of(Path("kept"), "off_by_n") == Path("kept", "test_mutations", "off_by_n.mutation.txt")
    assert [kind_of_suite(kind.suite) for kind in KINDS] == list(KINDS)
    with pytest.raises(ValueError, match=r"'test_others': expected a suite of snapshots: test_traces, test_mutations"):
        kind_of_suite("test_others")


@given(kind=st.sampled_from(KINDS), of=NAMES)
def test_no_name_leads_out_of_the_folder(kind: SnapshotKind, of: str) -> None:
    """The name is one visible part of printable ASCII that every file system takes."""
    name = kind.path_of(Path("kept"), of).name
    assert kind.path_of(Path("kept"), of).parts == ("kept", kind.suite, name)
    assert name.isascii()
    assert name.isprintable()
    assert not name.startswith(".")
    assert len(name) <= LONGEST_STEM + len(f".{kind.suffix}")
    assert not set(name) & set('/\\:*?"<>|\0')


@given(left=NAMES, right=NAMES)
def test_no_two_names_share_a_file(left: str, right: str) -> None:
    """What is named differently has different files."""
    assert (stem(left) == stem(right)) == (left == right)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """Text comes back, with no file beside it; no file is `None`, a broken one is shown escaped."""
    path = TRACES.path_of(tmp_path / "new", "mini-001")
    assert read(path) is None
    write(path, "7/2 ≈ “x” →\n")
    assert read(path) == "7/2 ≈ “x” →\n"
    assert list(path.parent.iterdir()) == [path]
    path.write_bytes(b"\xff\n")
    assert read(path) == "\\xff\n"


def test_what_belongs_to_nothing_is_stale(tmp_path: Path) -> None:
    """Other names, suffixes and folders within are stale; other kinds' files are not looked at; no folder holds nothing."""
    folder = TRACES.folder(tmp_path)
    for name in ("mini-001.trace.txt", "mini-002.trace.txt", "mini-001.txt", ".mini-001.trace.txt.7.partial"):
        write(folder / name, "")
    write(folder / "mini-001.mutation.txt", "")
    write(folder / "old" / "mini-001.trace.txt", "")
    write(MUTATIONS.path_of(tmp_path, "off_by_n"), "")
    stale = left_over_files(TRACES, tmp_path, ["mini-001", "mini-003"])
    assert [str(path.relative_to(folder)) for path in stale] == [
        ".mini-001.trace.txt.7.partial",
        "mini-001.mutation.txt",
        "mini-001.txt",
        "mini-002.trace.txt",
        "old/mini-001.trace.txt",
    ]
    assert left_over_files(MUTATIONS, tmp_path, ["off_by_n"]) == []
    assert left_over_files(TRACES, tmp_path / "nowhere", []) == []
