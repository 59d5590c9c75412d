"""Tests of `oracle-factory report` on mutation stages: its output, and its error messages without a traceback."""

import subprocess
import sys
from pathlib import Path

import pytest

from oracle_factory.command import main


def test_run_prints_the_summary(mutation_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`oracle-factory report RUN` of a run with this stage alone prints its summary."""
    assert main(["report", str(mutation_run)]) == 0
    out = capsys.readouterr().out
    assert "Operators by type of error" in out
    assert "UT-3" not in out


def test_flaw_prints_one_or_lists(mutation_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--flaw` takes the id of a problem, and an id that the list names."""
    assert main(["report", str(mutation_run), "--flaw", "mini-016"]) == 0
    flaw_id = next(word for word in capsys.readouterr().out.split() if word.startswith("mini-016:"))
    assert main(["report", str(mutation_run), "--flaw", flaw_id]) == 0
    assert "◀ wrong" in capsys.readouterr().out


def test_flaws_writes_the_page(mutation_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--flaws` writes the page and prints where it is."""
    assert main(["report", str(mutation_run), "--flaws"]) == 0
    assert str(mutation_run / "report" / "flaws.html") in capsys.readouterr().out.replace("\n", "")


@pytest.mark.parametrize("option", [["--flaws"], ["--flaw", "p-1"]], ids=["page", "terminal"])
def test_flaws_of_a_run_without_the_stage_are_one_message(
    run: Path, option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the mutation stage has not run, one line says how to run it."""
    assert main(["report", str(run), *option]) == 2
    assert capsys.readouterr().err == (
        f"oracle-factory report: {run}/mutation: the run has no mutation stage; "
        f"run it: pytest -n auto -m mutation --harness-run small\n"
    )


def test_unknown_flaw_is_one_message(mutation_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A mistyped id ends with status 2 and one line on stderr."""
    assert main(["report", str(mutation_run), "--flaw", "mini-061\x1b[31m"]) == 2
    said = capsys.readouterr()
    assert (said.out, len(said.err.splitlines()), "\x1b" in said.err) == ("", 1, False)


def test_terminal_without_unicode_is_served(hostile_mutation_run: Path) -> None:
    """On an ASCII terminal, characters it lacks are shown as escapes."""
    root = Path(__file__).parents[2]
    for option in ([], ["--flaw", "mini-001"]):
        done = subprocess.run(
            [sys.executable, "-m", "oracle_factory", "report", str(hostile_mutation_run), *option],
            env={"PYTHONPATH": str(root), "PYTHONIOENCODING": "ascii"},
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr, done.stdout.isascii()) == (0, b"", True)
