"""Tests of `oracle-factory report`: its output for runs, and its error messages without a traceback."""

import subprocess
import sys
from pathlib import Path

import pytest

from harness.command_line.runnable_commands import runnable
from harness.store.run_folder import run_option
from oracle_factory.command import main
from tests.cases import cases
from tests.reports.hostile import HOSTILE_PROBLEMS
from tests.reports.stage_records import STAGE_RECORDS, formalization_records, seal_stage, some_records


def small_run(folder: Path, stage: str) -> Path:
    """Return a run with a stage of a few problems."""
    return seal_stage(folder / "small", stage, some_records(STAGE_RECORDS[stage](), HOSTILE_PROBLEMS[stage]))


def output_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return what a command that succeeds prints, its spaces collapsed."""
    assert main(["report", *arguments]) == 0
    return " ".join(capsys.readouterr().out.split())


@cases(
    ("stage", "options", "words"),
    [
        ("formalization", [], "problems with an oracle"),
        ("formalization", ["--problem", "p-1"], "How much?"),
        ("formalization", ["--findings"], "UT-3 p-1 ada ~ cyd: with b = 1"),
        ("template", [], "3 templates of 2 problems"),
        ("template", ["--trace", "mini-001"], "tomato_rows * tomatoes_per_row"),
        ("mutation", [], "Operators by type of error"),
        ("mutation", ["--flaw", "mini-001:operator_swap:"], "mini-001:operator_swap:"),
        ("variant", [], "Operators by class"),
        ("variant", ["--variant", "mini-001"], "solvable mini-001:renumbered:"),
    ],
)
def test_option_prints_what_it_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], stage: str, options: list[str], words: str
) -> None:
    """A run prints the summary of its one stage, an option an item of it or every finding."""
    assert words in output_of(capsys, str(small_run(tmp_path, stage)), *options)


@cases(
    ("stage", "option", "file"),
    [
        ("formalization", "--html", "index.html"),
        ("template", "--traces", "traces.html"),
        ("mutation", "--flaws", "flaws.html"),
        ("variant", "--variants", "variants.html"),
    ],
)
def test_option_writes_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], stage: str, option: str, file: str
) -> None:
    """The page is written, and its path is printed."""
    run = small_run(tmp_path, stage)
    assert str(run / "report" / file) in output_of(capsys, str(run), option)


@cases(
    ("stage", "option"),
    [
        *(("template", option) for option in (["--traces"], ["--trace", "p-1"])),
        *(("mutation", option) for option in (["--flaws"], ["--flaw", "p-1"])),
        *(("variant", option) for option in (["--variants"], ["--variant", "p-1"])),
    ],
)
def test_missing_stage_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], stage: str, option: list[str]
) -> None:
    """Where the stage has not run, one line says how to run it."""
    run = small_run(tmp_path, "formalization")
    assert main(["report", str(run), *option]) == 2
    assert capsys.readouterr().err == (
        f"oracle-factory report: {run}/{stage}: the run has no {stage} stage; "
        f"run it: {runnable('pytest')} -n auto -m {stage} {run_option(run)}\n"
    )


def test_run_is_named_as_under_runs(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run under `runs/` is known by its name, and the commands shown use it."""
    monkeypatch.chdir(run.parent.parent)
    assert "oracle-factory report small --problem ID" in output_of(capsys, "small")


@cases(("stage", "option"), [("mutation", "--flaw"), ("variant", "--variant"), ("formalization", "--problem")])
def test_unknown_id_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], stage: str, option: str) -> None:
    """A mistyped id ends with status 2 and one line on stderr, in which nothing acts."""
    assert main(["report", str(small_run(tmp_path, stage)), option, "mini-061\x1b[31m"]) == 2
    printed = capsys.readouterr()
    assert (printed.out, len(printed.err.splitlines()), "\x1b" in printed.err) == ("", 1, False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere: expected a run under runs/"),
        (["small", "--problem", "p-10"], "did you mean p-1"),
    ],
)
def test_mistake_is_one_message(tmp_path: Path, arguments: list[str], message: str) -> None:
    """A user's mistake ends with status 2 and one line on stderr."""
    seal_stage(tmp_path / "runs" / "small", "formalization", formalization_records())
    done = subprocess.run(
        [sys.executable, "-m", "oracle_factory", "report", *arguments],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert message in done.stderr


def test_thresholds_choose_what_a_list_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Beside `--flaw` of a problem they leave out what rests on less; without it they are misuse."""
    run = str(seal_stage(tmp_path / "run", "mutation", STAGE_RECORDS["mutation"]()))
    whole = output_of(capsys, run, "--flaw", "mini-002")
    assert output_of(capsys, run, "--flaw", "mini-002", "--min-confidence", "0.5", "--min-clique", "2") == whole
    assert "rest on less" in output_of(capsys, run, "--flaw", "mini-002", "--min-clique", "3")
    for options in (["--min-clique", "3"], ["--flaws", "--min-confidence", "0.5"]):
        assert main(["report", run, *options]) == 2
        assert "expected beside --flaw ID or --variant ID" in capsys.readouterr().err
