"""Tests of `oracle-factory report`: its output for runs, and its error messages without a traceback."""

import subprocess
import sys
from pathlib import Path

import pytest

from oracle_factory.command import main


def test_run_prints_the_summary(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`oracle-factory report RUN` prints the summary."""
    assert main(["report", str(run)]) == 0
    assert "problems with an oracle" in capsys.readouterr().out


def test_problem_prints_one_problem(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--problem ID` prints that problem."""
    assert main(["report", str(run), "--problem", "p-1"]) == 0
    assert "How much?" in capsys.readouterr().out


def test_findings_prints_every_finding(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--findings` prints a line a finding."""
    assert main(["report", str(run), "--findings"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_html_writes_the_page(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--html` writes the page and prints where it is."""
    assert main(["report", str(run), "--html"]) == 0
    assert str(run / "report" / "index.html") in capsys.readouterr().out.replace("\n", "")


def test_traces_writes_the_page(template_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--traces` writes the page of traces and prints where it is."""
    assert main(["report", str(template_run), "--traces"]) == 0
    assert str(template_run / "report" / "traces.html") in capsys.readouterr().out.replace("\n", "")


def test_trace_prints_the_traces_of_a_problem(template_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--trace ID` prints that problem's templates."""
    assert main(["report", str(template_run), "--trace", "mini-001"]) == 0
    assert "tomato_rows * tomatoes_per_row" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("option", [["--traces"], ["--trace", "p-1"]], ids=["page", "terminal"])
def test_traces_of_a_run_without_the_stage_are_one_message(
    run: Path, option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the template stage has not run, one line says how to run it."""
    assert main(["report", str(run), *option]) == 2
    assert capsys.readouterr().err == (
        f"oracle-factory report: {run}/template: the run has no template stage; "
        f"run it: pytest -n auto -m template --harness-run small\n"
    )


def test_run_is_named_as_under_runs(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run under `runs/` is known by its name, and the commands shown use it."""
    monkeypatch.chdir(run.parent.parent)
    assert main(["report", "small"]) == 0
    assert "oracle-factory report small --problem ID" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere: expected a run under runs/"),
        (["small", "--problem", "p-10"], "did you mean p-1"),
    ],
)
def test_mistake_is_one_message(run: Path, arguments: list[str], message: str) -> None:
    """A user's mistake ends with status 2 and one line on stderr."""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "oracle_factory", "report", *arguments],
        cwd=run.parent.parent,
        env={"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert message in done.stderr


def test_terminal_without_unicode_is_served(hostile_run: Path) -> None:
    """On an ASCII terminal, characters it lacks are shown as escapes."""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "oracle_factory", "report", str(hostile_run)],
        env={"PYTHONPATH": str(root), "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr, done.stdout.isascii()) == (0, b"", True)
