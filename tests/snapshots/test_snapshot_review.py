"""Tests of `oracle-factory snapshots`: it shows the changes and updates exactly the accepted ones."""

import io
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rich.console import Console

from oracle_factory.command import main
from snapshots import command
from snapshots.review.diff_view import diff_rows, print_change
from snapshots.review.differences import SnapshotChange, change_message, difference
from snapshots.snapshot_files import MUTATIONS, TRACES, left_over_files, write
from snapshots.texts import mutations, subjects as subject_texts
from snapshots.texts.subjects import OperatorSubject

ROOT = Path(__file__).resolve().parent.parent.parent
OLD = "".join(f"line {number}\n" for number in range(1, 31))
NEW = OLD.replace("line 9\n", "line nine\n").replace("line 20\n", "").replace("line 25\n", "line 25\nand more\n")
FILES = ["mini-001.trace.txt", "mini-002.trace.txt"]

Answers = Callable[..., list[str]]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return a folder in which the command has written two snapshots."""
    monkeypatch.setattr(command, "HOME", tmp_path)
    assert main(["snapshots", "--yes", "mini-001", "mini-002"]) == 0
    capsys.readouterr()
    return TRACES.folder(tmp_path)


@pytest.fixture
def changed(kept: Path) -> Path:
    """Return the folder with both snapshots changed."""
    for name in FILES:
        (kept / name).write_text(f"changed\n{(kept / name).read_text()}")
    return kept


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """Return how a test answers the command's questions, as if at a terminal; it returns what was asked."""

    def give(*words: str) -> list[str]:
        left, asked = iter(words), []

        def read(_: Console, prompt: object = "", **__: object) -> str:
            asked.append(str(prompt))
            word = next(left, None)
            if word is None:
                raise EOFError
            return word

        monkeypatch.setattr(Console, "input", read)
        for stream in (sys.stdin, sys.stdout):
            monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
        return asked

    return give


def _changed(folder: Path) -> list[str]:
    return [name for name in FILES if (folder / name).read_text().startswith("changed")]


@pytest.mark.parametrize(
    ("said", "questions", "left"),
    [
        (["y", "n"], 2, [FILES[1]]),
        (["n", "y"], 2, [FILES[0]]),
        (["", "YES"], 2, [FILES[0]]),
        (["perhaps", "no"], 2, FILES),
        (["a"], 1, []),
        (["n", "a"], 2, [FILES[0]]),
        (["q"], 1, FILES),
        (["y", "q"], 2, [FILES[1]]),
        (["y"], 2, [FILES[1]]),
        ([], 1, FILES),
    ],
)
def test_exactly_what_is_accepted_is_updated(
    changed: Path, answers: Answers, said: list[str], questions: int, left: list[str]
) -> None:
    """Each change is asked about once; anything but yes or all leaves it, and the end of input leaves the rest."""
    asked = answers(*said)
    assert main(["snapshots", "mini-001", "mini-002"]) == 0
    assert len(asked) == questions
    assert _changed(changed) == left


def test_nothing_to_review_asks_nothing(kept: Path, answers: Answers, capsys: pytest.CaptureFixture[str]) -> None:
    """Where no snapshot differs, the command says so and ends with 0."""
    assert answers("y") == []
    assert main(["snapshots", "mini-001", "mini-002"]) == 0
    assert capsys.readouterr().out == "2 problems compared with their snapshots: none differs\n"
    assert sorted(path.name for path in kept.iterdir()) == FILES


def test_check_only_shows(changed: Path, answers: Answers, capsys: pytest.CaptureFixture[str]) -> None:
    """`--check` shows each change, asks nothing, changes nothing, and ends with 1; with 0 where nothing differs."""
    asked = answers("a")
    assert main(["snapshots", "--check", "mini-001", "mini-002"]) == 1
    shown = capsys.readouterr().out
    assert all(name in shown for name in FILES)
    assert (asked, _changed(changed)) == ([], FILES)
    assert main(["snapshots", "--yes", "mini-001", "mini-002"]) == 0
    assert main(["snapshots", "--check", "mini-001", "mini-002"]) == 0


def test_without_a_terminal_nothing_is_updated(changed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The changes are shown, one message names `--yes`, the status is 1."""
    assert main(["snapshots", "mini-001", "mini-002"]) == 1
    ended = capsys.readouterr()
    assert "mini-001.trace.txt" in ended.out
    assert ended.err.count("nothing was updated") == 1
    assert "--yes" in ended.err
    assert _changed(changed) == FILES


def test_new_and_left_over_snapshots_are_changes(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing snapshot is shown whole as new, one of nothing as to be removed; accepted, both are done."""
    few = [subject for subject in subject_texts.subjects() if subject.name in {"mini-001", "mini-002"}]
    monkeypatch.setattr(subject_texts, "subjects", lambda: few)
    expected = (kept / FILES[0]).read_text()
    (kept / FILES[0]).unlink()
    write(kept / "mini-999.trace.txt", "of nobody\n")
    assert main(["snapshots", "--check"]) == 1
    shown = capsys.readouterr().out
    assert "1/2" in shown
    assert ": new" in shown
    assert "+ mini-001, tier 1" in shown
    assert "without a subject, to be removed" in shown
    assert "- of nobody" in shown
    assert main(["snapshots", "--yes"]) == 0
    assert sorted(path.name for path in kept.iterdir()) == FILES
    assert (kept / FILES[0]).read_text() == expected


def test_both_kinds_are_reviewed_by_one_command(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Traces and mutations are counted, shown, taken over and tidied up together; one of either kind may be named."""
    monkeypatch.setattr(mutations, "bundled_flaws", dict)
    both = [*subject_texts.subjects([TRACES])[:2], OperatorSubject(MUTATIONS, "off_by_n")]
    monkeypatch.setattr(subject_texts, "subjects", lambda: both)
    path = MUTATIONS.path_of(kept.parent, "off_by_n")
    write(path.with_name("gone.mutation.txt"), "of nobody\n")
    assert main(["snapshots", "--check", "off_by_n"]) == 1
    assert capsys.readouterr().out.startswith("1 operator compared with their snapshots: 1 differs\n")
    assert main(["snapshots", "--yes"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("2 problems and 1 operator compared with their snapshots: 2 differ\n")
    assert "- of nobody" in shown
    assert path.read_text() == "off_by_n\n\n    makes no flawed solution of the bundled problems\n"
    assert left_over_files(MUTATIONS, kept.parent, ["off_by_n"]) == []
    assert main(["snapshots", "--check"]) == 0


@pytest.mark.slow
def test_absent_data_leave_their_snapshots_alone(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without GSM8K its snapshots are neither new nor left over, and the command says what it left out."""
    traces = subject_texts.subjects([TRACES])
    monkeypatch.setattr(subject_texts, "subjects", lambda: traces)
    write(kept / "gsm8k-train-1.trace.txt", "kept\n")
    monkeypatch.setenv("SHARED_DATA", str(kept / "nowhere"))
    assert main(["snapshots", "--yes"]) == 0
    assert "28 left out: no GSM8K at" in capsys.readouterr().out
    assert (kept / "gsm8k-train-1.trace.txt").read_text() == "kept\n"


def test_an_unknown_name_is_one_message(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What has no snapshot ends the command with 2 and a message that shows its name escaped."""
    assert main(["snapshots", "mini-001", "nobody\x1b"]) == 2
    assert (
        capsys.readouterr().err
        == "oracle-factory snapshots: 'nobody\\x1b': expected the name of a problem or an operator that has a snapshot, "
        "such as 'mini-001' or 'off_by_n'\n"
    )
    assert sorted(path.name for path in kept.iterdir()) == FILES


def test_one_of_two_is_accepted_at_a_terminal(changed: Path) -> None:
    """At a real terminal, `y` and `n` typed take over the first change and leave the second."""
    code = (
        "import pathlib, sys, snapshots.command; from oracle_factory.command import main;"
        f"snapshots.command.HOME = pathlib.Path({str(changed.parent)!r});"
        "sys.exit(main(['snapshots', 'mini-001', 'mini-002']))"
    )
    controller, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**os.environ, "COLUMNS": "200", "TERM": "xterm"},
    ) as process:
        os.close(terminal)
        shown = _read_until(controller, "[q]uit: ")
        os.write(controller, b"y\n")
        shown += _read_until(controller, "[q]uit: ")
        os.write(controller, b"n\n")
        shown += _read_until(controller, "as it was")
        assert process.wait(timeout=60) == 0, shown
    os.close(controller)
    assert "1 updated, 1 left as it was" in shown
    assert _changed(changed) == [FILES[1]]


def _read_until(descriptor: int, end: str, patience: float = 60.0) -> str:
    """Read what a terminal shows until it ends in some words."""
    shown, deadline = "", time.monotonic() + patience
    while end not in shown and time.monotonic() < deadline:
        if select.select([descriptor], [], [], 1.0)[0]:
            shown += os.read(descriptor, 65536).decode(errors="replace")
    return shown


def _printed(change: SnapshotChange, width: int = 80) -> Iterator[str]:
    console = Console(file=io.StringIO(), width=width, highlight=False)
    print_change(change, console, place="1/1")
    assert isinstance(console.file, io.StringIO)
    return (line.rstrip() for line in console.file.getvalue().splitlines())


def test_changed_lines_stand_side_by_side() -> None:
    """Changed, removed and added lines are marked, their surroundings shown, the rest folded."""
    assert [(row.kind, row.old, row.new) for row in diff_rows(OLD, NEW) if row.kind != "equal"] == [
        ("fold", "6 unchanged lines", "6 unchanged lines"),
        ("replace", "line 9", "line nine"),
        ("fold", "6 unchanged lines", "6 unchanged lines"),
        ("delete", "line 20", None),
        ("fold", "1 unchanged line", "1 unchanged line"),
        ("insert", None, "and more"),
        ("fold", "4 unchanged lines", "4 unchanged lines"),
    ]
    shown = list(_printed(SnapshotChange(Path("a.trace.txt"), OLD, NEW)))
    assert shown[0].startswith("1/1 a.trace.txt: changed ─")
    assert "~ line 9                                 line nine" in shown
    assert "- line 20" in shown
    assert "+                                        and more" in shown
    assert "⋯ 6 unchanged lines                      6 unchanged lines" in shown


def test_a_lost_newline_at_the_end_is_shown() -> None:
    """Texts that differ in nothing but their last newline have a row that says so."""
    assert [row.kind for row in diff_rows("a\n", "a")] == ["equal", "delete"]
    assert list(difference("a\n", "a"))


def test_a_difference_keeps_the_indentation_of_its_lines() -> None:
    """Spaces at the start of a line and between columns are part of what a person reviews."""
    lines = list(difference("a\n    x   = 1\n", "a\n    x   = 2\n"))
    assert ("-    x   = 1" in lines, "+    x   = 2" in lines) == (True, True)


def test_hostile_text_in_a_snapshot_acts_on_no_terminal() -> None:
    """Escape sequences, direction marks and markup of a tampered file are shown, not obeyed."""
    hostile = "\x1b[2Ja\u202eb\rc[bold]d[/bold]\n"
    for change in (
        SnapshotChange(Path("h\x1b"), hostile, "a\n"),
        SnapshotChange(Path("h"), None, hostile),
        SnapshotChange(Path("h"), hostile, None),
    ):
        shown = "\n".join(_printed(change))
        assert "[bold]d[/bold]" in shown
        assert not {"\x1b", "\u202e", "\r"} & set(shown)
    assert not {"\x1b", "\u202e", "\r"} & set(change_message(Path("h\x1b"), hostile, "a\n"))


def test_a_long_difference_is_cut_in_a_failure() -> None:
    """A failure shows forty lines of a difference and how many more there are."""
    shown = change_message(Path("a"), "x\n" * 100, "y\n" * 100).split("\n")
    assert shown[0] == "differs from a"
    assert len(shown) == 43
    assert shown[41].startswith("… and ")
    assert "make snapshots" in shown[42]
