"""Tests of `oracle-factory report`: its output for runs, and its error messages without a traceback."""

from pathlib import Path

import pytest

from harness.command_line.runnable_commands import runnable
from harness.store.run_folder import run_option
from oracle_factory.command import main
from tests.cases import cases
from tests.reports.html.report_pages import sealed_stage


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
        ("formalization", ["--html"], "/report/index.html"),
        ("template", [], "3 templates of 2 problems"),
        ("template", ["--trace", "mini-001"], "tomato_rows * tomatoes_per_row"),
        ("template", ["--traces"], "/report/traces.html"),
        ("mutation", [], "Operators by type of error"),
        ("mutation", ["--flaw", "mini-001:operator_swap:"], "mini-001:operator_swap:"),
        ("mutation", ["--flaws"], "/report/flaws.html"),
        ("variant", [], "Operators by class"),
        ("variant", ["--variant", "mini-001"], "solvable mini-001:renumbered:"),
        ("variant", ["--variants"], "/report/variants.html"),
        ("label", ["--labels"], "/report/labels.html"),
        ("verifier", ["--verifier"], "/report/verifier.html"),
    ],
)
def test_option_prints_or_writes_what_it_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], stage: str, options: list[str], words: str
) -> None:
    """A run prints the summary of its one stage, an option an item of it or the path of its page."""
    run = sealed_stage(tmp_path / "small", stage)
    assert words in output_of(capsys, str(run), *options)
    if stage not in {"formalization", "label", "verifier"} and options:
        bare = sealed_stage(tmp_path / "bare", "formalization")
        assert main(["report", str(bare), *options]) == 2
        assert capsys.readouterr().err == (
            f"oracle-factory report: {bare}/{stage}: the run has no {stage} stage; "
            f"run it: {runnable('pytest')} -n auto -m {stage} {run_option(bare)}\n"
        )


def test_run_is_named_as_under_runs(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run under `runs/` is known by its name, and the commands shown use it."""
    monkeypatch.chdir(run.parent.parent)
    assert "oracle-factory report small --problem ID" in output_of(capsys, "small")
