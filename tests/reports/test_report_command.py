"""Tests of `oracle-factory report`: its output for runs, and its error messages without a traceback."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from harness.command_line.runnable_commands import runnable
from harness.corpora.problems import CORPORA
from harness.stages import FORMALIZATION
from harness.store.run_folder import run_option
from oracle_factory.command import main
from properties.factory.judged_problems import judged_run
from properties.factory.options import JudgeOptions
from reports.terminal.problem import print_problem
from reports.terminal.sections import BRIEF_LINES, print_brief
from reports.terminal.stages import print_stage
from reports.views.artefacts import open_stage
from reports.views.formalization_counts import ProblemRecords
from reports.views.phrases import decimal
from reports.views.run_summary import Doubt, ProblemSummary, RunSummary
from tests.cases import cases, rows
from tests.reports.html.report_pages import sealed_stage
from tests.reports.terminal.printing import printed


def output_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return what a command that succeeds prints, its spaces collapsed."""
    assert main(["report", *arguments]) == 0
    return " ".join(capsys.readouterr().out.split())


@cases(
    "command, words",
    rows("""formalization → 1 of 1 oracles right on gold | formalization --verbose → problems with an oracle
formalization --problem p-1 --verbose → Verdicts | formalization --problem p-1 → How much?
formalization --findings → UT-3 p-1 ada ~ cyd: with b = 1 | formalization --html → /report/index.html
template → 3 templates of 2 problems | template --trace mini-001 → tomato_rows * tomatoes_per_row
template --traces → /report/traces.html | mutation → Operators by type of error
mutation --flaw mini-001:operator_swap: → mini-001:operator_swap: | mutation --flaws → /report/flaws.html
variant → Operators by class | variant --variant mini-001 → solvable mini-001:renumbered:
variant --variants → /report/variants.html | label --labels → /report/labels.html
verifier --verifier → /report/verifier.html"""),
)
def test_option_prints_or_writes_what_it_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, words: str
) -> None:
    """A run prints the summary of its one stage, an option an item of it or the path of its page."""
    stage, *options = command.split()
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
    assert "oracle-factory report small --problem p-1" in output_of(capsys, "small")


WIDTHS = (60, 80, 120, 200)


@pytest.fixture(scope="module")
def judged_mini(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of eight bundled problems."""
    folder = tmp_path_factory.mktemp("judged") / "run"
    answers = [str(CORPORA / "mini" / "formalizations.jsonl"), "annotation"]
    options = JudgeOptions(corpus="mini", answers=answers, problems="0:8", out=folder, processes=1)
    return judged_run(options, quiet=True).run.folder


@pytest.mark.parametrize("width", WIDTHS)
def test_brief_of_real_records_is_short_and_names_who_is_wrong(judged_mini: Path, width: int) -> None:
    """A run and each of its problems take 16 lines of plain text; JSON has every program outside a clique, with a reason without fractions."""
    stage = open_stage(judged_mini)
    names = [problem.problem_id for problem in stage.problems()]
    shown = [printed(lambda console: print_stage(judged_mini, FORMALIZATION, console), width=width)]
    shown += [printed(partial(print_problem, judged_mini, name, verbose=False), width=width) for name in names]
    assert max(text.count("\n") for text in shown) <= BRIEF_LINES
    assert [text for text in shown if "\x1b" in text] == []
    brief = RunSummary.of(stage)
    wrong = {(doubt.problem_id, doubt.model) for doubt in brief.doubts if doubt.model}
    outside = {(own.problem_id, dissenter.model) for own in stage.consensus() for dissenter in own.dissenters}
    assert wrong == outside
    assert [doubt for doubt in brief.doubts if re.search("[0-9]/[0-9]", doubt.reason)] == []
    assert brief.right_on_gold == brief.with_gold == len(names)


@pytest.fixture(scope="module")
def summaries(judged_mini: Path) -> tuple[RunSummary, ProblemSummary]:
    """Return the summary of that run, and of its first problem."""
    stage = open_stage(judged_mini)
    named = next(stage.problems())
    programs, verdicts = list(stage.programs(named.problem_id)), list(stage.verdicts(named.problem_id))
    records = ProblemRecords(named, programs, verdicts, next(stage.consensus(named.problem_id)))
    return RunSummary.of(stage), ProblemSummary.of(stage, records)


@cases("width", WIDTHS)
@cases("longer", [1, 3, 40])
@cases("looks", [0, 1, 20])
def test_long_texts_leave_room_for_a_wrong_program(
    summaries: tuple[RunSummary, ProblemSummary], width: int, longer: int, looks: int
) -> None:
    """However long names, questions and reasons are, a brief takes 16 lines, none too wide, and gives a wrong program with its reason."""
    whole, own = summaries

    def doubts(given: Sequence[Doubt]) -> tuple[Doubt, ...]:
        look = Doubt(own.problem_id * longer, None, "may need rounding: with boxes = 3 it gives 2.5 " * longer)
        wrong = [
            Doubt(doubt.problem_id * longer, (doubt.model or "") * longer, doubt.reason * longer) for doubt in given
        ]
        return (*[look] * looks, *wrong)

    outcome, witness = f"{whole.outcome} " * longer, "Models that never differ are one witness. " * longer
    long = replace(
        whole, outcome=outcome, certainty=whole.certainty * longer, one_witness=witness, doubts=doubts(whole.doubts)
    )
    question, oracle = own.question * longer, (own.oracle or "") * longer
    short = replace(
        own, problem_id=own.problem_id * longer, question=question, oracle=oracle, doubts=doubts(own.doubts)
    )
    for brief in (long, short):
        text = printed(partial(print_brief, brief), width=width)
        assert text.count("\n") <= BRIEF_LINES
        assert [line for line in text.splitlines() if len(line) > width and "oracle-factory report" not in line] == []
        assert any(doubt.model and f"{doubt.model[:9]}" in text and doubt.reason[:9] in text for doubt in brief.doubts)


@pytest.mark.parametrize(
    ("exact", "shown"), [("91/5", "18.2"), ("1/3", "0.3333…"), ("-7", "-7"), ("10/5", "2"), ("ZeroDivisionError",) * 2]
)
def test_values_are_decimals(exact: str, shown: str) -> None:
    """A fraction is cut to four decimals and says so; a text stays as it is."""
    assert decimal(exact) == shown
