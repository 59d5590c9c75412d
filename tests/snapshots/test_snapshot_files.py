"""Is the file of a problem's snapshot its own, in the folder it belongs to, whatever the problem's id is?"""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from snapshots.files import LONGEST_STEM, path_of, read, stale, stem, write

IDS = st.text(max_size=400) | st.text(alphabet="./\\~%2EF\x00", max_size=400)


@pytest.mark.parametrize(
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
    assert path_of(Path("kept"), problem_id) == Path("kept", name)


@given(problem_id=IDS)
def test_no_id_leads_out_of_the_folder(problem_id: str) -> None:
    """The name is one visible part of printable ASCII that every file system takes."""
    name = path_of(Path("kept"), problem_id).name
    assert path_of(Path("kept"), problem_id).parts == ("kept", name)
    assert name.isascii()
    assert name.isprintable()
    assert not name.startswith(".")
    assert len(name) <= LONGEST_STEM + len(".trace.txt")
    assert not set(name) & set('/\\:*?"<>|\0')


@given(left=IDS, right=IDS)
def test_no_two_ids_share_a_file(left: str, right: str) -> None:
    """Different ids have different names."""
    assert (stem(left) == stem(right)) == (left == right)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """Text comes back, with no file beside it; no file is `None`, a broken one is shown escaped."""
    path = path_of(tmp_path / "new", "mini-001")
    assert read(path) is None
    write(path, "7/2 ≈ “x” →\n")
    assert read(path) == "7/2 ≈ “x” →\n"
    assert list(path.parent.iterdir()) == [path]
    path.write_bytes(b"\xff\n")
    assert read(path) == "\\xff\n"


def test_what_belongs_to_no_problem_is_stale(tmp_path: Path) -> None:
    """Other names, other suffixes and files in folders within are stale; there may be no folder at all."""
    for name in ("mini-001.trace.txt", "mini-002.trace.txt", "mini-001.txt", ".mini-001.trace.txt.7.partial"):
        write(tmp_path / name, "")
    write(tmp_path / "old" / "mini-001.trace.txt", "")
    found = stale(tmp_path, ["mini-001", "mini-003"])
    assert [str(path.relative_to(tmp_path)) for path in found] == [
        ".mini-001.trace.txt.7.partial",
        "mini-001.txt",
        "mini-002.trace.txt",
        "old/mini-001.trace.txt",
    ]
    assert stale(tmp_path / "nowhere", []) == []
