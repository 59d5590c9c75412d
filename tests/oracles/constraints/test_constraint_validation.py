"""Tests of constraint validation: its report on any program is correct, and no program is lost."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from generators.constraints.problem.domain import DOMAINS, ProblemSize
from generators.constraints.problem_files import write_problems
from harness.json_form import json_form, read_record
from oracle_factory.command import main
from oracles.constraints.program_judge import ProgramJudge
from oracles.constraints.rows import ConstraintRow, read_rows
from oracles.constraints.solver_sessions import SolverSessions
from oracles.constraints.validation import Validation, ValidationCase, ValidationErrorKind, validate_all
from oracles.constraints.validation_files import validate_file
from oracles.constraints.worker_pool import LossKind, SolverLimits
from oracles.proofs.solvers import SolverError, SolverName
from tests.cases import cases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[3]
HEAD = "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const answer Int)\n"


def program(*terms: str) -> str:
    """Return a program over `x` and `answer` that asserts terms."""
    return f"{HEAD}{''.join(f'(assert {term})' for term in terms)}\n(check-sat)\n(get-value (answer))\n"


@pytest.fixture(scope="module")
def judge() -> ProgramJudge:
    """Return a judge of this process."""
    return ProgramJudge.within(10_000_000)


@cases(
    ("terms", "gold", "satisfiable", "unique", "entails"),
    [
        (["(= x 3)", "(= answer (+ x 1))"], "4", True, True, True),
        (["(= x 3)", "(= answer (+ x 1))"], "5", True, True, False),
        (["(> x 3)", "(= answer (+ x 1))"], "5", True, False, False),
        (["(< 3 x 5)", "(= answer (- x))"], "(- 4)", True, True, True),
        (["(< 3 x 5)", "(= answer (- x))"], "-4", True, True, True),
        (["(< 3 x 4)", "(= answer x)"], "3", False, None, False),
        (["(= answer x)"], None, True, False, None),
        (["(= x 1)", "(= answer x)"], "true", True, True, False),
        (["(= x 1)", "(= answer x)"], "1.0", True, True, True),
        (["(= x 1)", "(= answer x)"], "Ana", True, True, False),
    ],
)
def test_claims(
    judge: ProgramJudge,
    terms: list[str],
    gold: str | None,
    satisfiable: bool,
    unique: bool | None,
    entails: bool | None,
) -> None:
    """Satisfiable, unique and entailed are told apart, and a literal of another sort is never entailed."""
    found = judge.judge(ValidationCase("a", program(*terms), gold))
    assert found.valid, found.error
    assert (found.satisfiable, found.unique, found.entails_gold) == (satisfiable, unique, entails)
    assert found.correct is (None if gold is None else satisfiable and entails)


def test_other_sorts_of_answers(judge: ProgramJudge) -> None:
    """Truth values, reals and named values are judged like numbers; other capitals mean the same named value."""
    named = (
        "(declare-datatypes ((P 0)) (((Ana) (Ben))))(declare-const answer P)(assert (distinct answer Ana))(check-sat)"
    )
    truth = "(declare-const p Bool)(declare-const answer Bool)(assert p)(assert (= answer (not p)))(check-sat)"
    real = "(set-logic QF_LRA)(declare-const answer Real)(assert (= (* 2.0 answer) 5.0))(check-sat)"
    for text, gold in ((named, "Ben"), (named, "ben"), (truth, "false"), (real, "2.5"), (real, "(/ 5 2)")):
        found = judge.judge(ValidationCase("a", text, gold))
        assert (found.valid, found.unique, found.correct) == (True, True, True), (text, gold, found)
    assert judge.judge(ValidationCase("a", named, "Ana")).correct is False


def test_without_an_answer(judge: ProgramJudge) -> None:
    """A program without `answer` is right where it is satisfiable just as it is said to be; gold is then not entailed."""
    text = "(declare-const x Int)(assert (< x 0))(assert (> x {}))(check-sat)"
    assert judge.judge(ValidationCase("a", text.format("(- 2)"), satisfiable=True)).correct is True
    assert judge.judge(ValidationCase("a", text.format(0), satisfiable=True)).correct is False
    assert judge.judge(ValidationCase("a", text.format(0), satisfiable=False)).correct is True
    assert judge.judge(ValidationCase("a", text.format("(- 2)"))).correct is None
    assert judge.judge(ValidationCase("a", text.format("(- 2)"), "1")).entails_gold is False


def test_core_and_model(judge: ProgramJudge) -> None:
    """A core holds assertions that clash and none that do not; a model gives each constant a value."""
    found = judge.judge(ValidationCase("a", program("(> x 7)", "(= answer 1)", "(< x 7)", "(distinct x 100)")))
    assert found.core == ("(> x 7)", "(< x 7)")
    assert judge.judge(ValidationCase("a", program("(= x 7)", "(= answer 1)"))).model == {"x": "7", "answer": "1"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (HEAD + "(assert (> x 1)", "unclosed-parenthesis"),
        ('(set-option :diagnostic-output-channel "owned")' + program("(> x 1)"), "refused-command"),
        (HEAD + "(exit)(assert (> x 1))(check-sat)", "refused-command"),
        (HEAD + '(assert (> x 1))(include "/etc/passwd")(push 1)(check-sat)', "refused-command"),
        (HEAD + "(assert (> x 1))(reset)(assert (> y 1))(check-sat)", "refused-command"),
        ("The answer is 4.", "stray-text"),
        ("", "empty"),
        (HEAD + f"(assert {'(not ' * 5_000}true{')' * 5_000})(check-sat)", "too-deep"),
        (program(f"(= x {'9' * 100_000})"), "long-numeral"),
        ("\x00\ud800(assert", "odd-token"),
    ],
)
def test_errors_are_typed(
    judge: ProgramJudge, text: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What no solver should see has an error that begins with its kind; no solver is asked, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    asked: list[str] = []
    found = replace_began(judge, asked).judge(ValidationCase("a", text, "4"))
    assert not found.valid
    assert found.error.partition(":")[0] in {kind, "stray-text"}
    assert (found.correct, found.by_solver, asked) == (False, {}, ["reading"])
    assert list(tmp_path.iterdir()) == []


def replace_began(judge: ProgramJudge, asked: list[str]) -> ProgramJudge:
    """Return a judge that notes whose turn it is."""
    return ProgramJudge(judge.work, judge.sessions, asked.append)


def test_one_error_does_not_change_the_next(judge: ProgramJudge) -> None:
    """What a program declared before its error is gone when the next one is judged."""
    for _ in range(3):
        judge.judge(ValidationCase("a", "(declare-const x Bool)(assert (> x 1))(check-sat)"))
        assert judge.judge(ValidationCase("b", program("(= x 2)", "(= answer x)"), "2")).correct is True


class _Liar:
    """A solver that says what it is told to."""

    def __init__(self, said: str, _: str) -> None:
        self.said = said

    def tell(self, commands: str) -> list[str]:
        if self.said.startswith("error"):
            raise SolverError(self.said)
        return [self.said] if "check-sat" in commands else ["((x 1) (answer 1))"] if "get-value" in commands else []


@pytest.mark.parametrize("said", ["unsat", "unknown", "error: no", "perhaps"])
def test_disagreement_is_loud(judge: ProgramJudge, said: str) -> None:
    """Where one solver says sat and the other unsat, the program is not valid, and the error names both; unknown is no contradiction."""
    lying = ProgramJudge(
        1, {**judge.sessions, SolverName.CVC5: SolverSessions(partial(_Liar, said), kept=True)}, lambda _: None
    )
    found = lying.judge(ValidationCase("a", program("(= x 1)", "(= answer x)"), "1"))
    if said == "unknown":
        assert (found.valid, found.satisfiable, found.correct) == (True, True, True)
        return
    assert (found.valid, found.correct) == (False, False)
    assert found.error.startswith(ValidationErrorKind.DISAGREEMENT if said == "unsat" else ValidationErrorKind.SOLVER)
    assert "cvc5" in found.error


def pigeons(holes: int) -> str:
    """Return a program that puts one more pigeon than holes into holes: hard for both solvers."""
    names = [f"p{number}" for number in range(holes + 1)]
    lines = [f"(declare-const {name} Int)(assert (<= 1 {name} {holes}))" for name in names]
    return f"(set-logic QF_LIA){''.join(lines)}(assert (distinct {' '.join(names)}))(check-sat)"


def doubling(times: int) -> str:
    """Return a short program whose formula is as long as two to a power, once its functions are written out."""
    lines = [f"(define-fun f{number} ((a Int)) Int (f{number - 1} (f{number - 1} a)))" for number in range(1, times)]
    return f"(set-logic QF_LIA)(declare-const x Int)(define-fun f0 ((a Int)) Int (+ a a)){''.join(lines)}(assert (= (f{times - 1} x) 3))(check-sat)"


def test_work_is_limited_first() -> None:
    """A hard program ends by the solver's own count, the same each time: valid, and nobody knows whether it can be satisfied."""
    limits = SolverLimits(work=20_000, seconds=60)
    found = list(
        validate_all([ValidationCase("a", pigeons(12)), ValidationCase("b", pigeons(12))], limits=limits, workers=1)
    )
    assert found[0] == replace(found[1], id="a")
    assert (found[0].valid, found[0].satisfiable, found[0].by_solver) == (
        True,
        None,
        dict.fromkeys(SolverName, "unknown"),
    )


def test_seconds_and_memory_are_limited() -> None:
    """What escapes the count is ended with a typed error that names the solver, and the programs behind it are judged."""
    right = ValidationCase("right", program("(= x 2)", "(= answer x)"), "2")
    slow, first = validate_all(
        [ValidationCase("slow", pigeons(12), "1"), right], limits=SolverLimits(work=10**9, seconds=1), workers=1
    )
    cases = [ValidationCase("huge", doubling(29)), right]
    huge, second = validate_all(cases, limits=SolverLimits(seconds=60, memory=64), workers=1)
    assert (slow.valid, slow.satisfiable, slow.correct) == (None, None, None)
    assert slow.error.startswith(LossKind.TIME)
    assert len(slow.by_solver) == 1
    assert huge.error.startswith(LossKind.MEMORY)
    assert first.correct
    assert second.correct


def test_order_is_kept_and_processes_do_not_matter() -> None:
    """However many processes there are, results come in the order of the programs and are the same."""
    cases = [
        ValidationCase(str(number), program(f"(= x {number})", "(= answer x)"), str(number)) for number in range(20)
    ]
    found = [list(validate_all(cases, workers=workers)) for workers in (1, 3)]
    assert [validation.answer for validation in found[0]] == [str(number) for number in range(20)]
    assert found[0] == found[1]


@pytest.mark.slow
@pytest.mark.parametrize(("count", "orders"), [(3, 1), pytest.param(12, 3, marks=pytest.mark.slow)])
def test_what_was_asked_before_does_not_matter(count: int, orders: int) -> None:
    """The values of a model, too, are the same in any order, though most of these programs leave some open."""
    made = [problem for domain in DOMAINS for problem in domain.problems(count, seed=3, size=ProblemSize.SMALL)]
    cases = [ValidationCase(case.id, case.program, case.gold, case.satisfiable) for case in made]
    told = {validation.id: validation for validation in validate_all(cases, workers=1)}
    for seed in range(orders):
        mixed = Random(seed).sample(cases, len(cases))
        assert [validation for validation in validate_all(mixed, workers=2) if validation != told[validation.id]] == []


def test_processes_end_with_the_results() -> None:
    """Who stops reading results leaves no process behind."""
    results = validate_all((ValidationCase(str(number), program("(= x 1)")) for number in range(1_000)), workers=2)
    next(results)
    before = children()
    assert len(before) >= 2
    results.close()
    assert not children() & before


def children() -> set[int]:
    """Return the processes that this one has started."""
    listed = [path.read_text("ascii") for path in Path("/proc/self/task").glob("*/children")]
    return {int(child) for text in listed for child in text.split()}


def test_one_program() -> None:
    """A single program is validated by itself, and its record reads back as it was."""
    found = next(validate_all([ValidationCase("a", program("(= x 2)", "(= answer x)"), "2")], workers=1))
    assert found.correct
    assert read_record(Validation, json.loads(json.dumps(json_form(found)))) == found


@pytest.fixture(scope="module")
def problems(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of problems, some of them broken."""
    folder = tmp_path_factory.mktemp("problems")
    made = [problem for domain in DOMAINS for problem in domain.problems(4, seed=1, size=ProblemSize.SMALL)]
    broken = [replace(case, id=f"{case.id}-cut", program=case.program[:-40]) for case in made[::5]]
    write_problems(folder, [*made, *broken])
    return folder / "problems.jsonl"


def test_command(problems: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command writes a row `id,valid,error` for each problem and a record with all that was found."""
    assert main(["smt", "validate", str(problems), "-o", str(tmp_path / "out"), "--workers", "2"]) == 0
    ids = [row.id for row in read_rows([problems])]
    with (tmp_path / "out" / "validation_results.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["id"] for row in rows] == ids
    assert set(rows[0]) == {"id", "valid", "error"}
    for row in rows:
        assert row["valid"] == ("false" if row["id"].endswith("-cut") else "true")
        assert bool(row["error"]) == row["id"].endswith("-cut")
    records = [json.loads(line) for line in (tmp_path / "out" / "validation.jsonl").read_text("utf-8").splitlines()]
    assert [record["id"] for record in records] == ids
    assert "correct" in capsys.readouterr().out
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["validation.jsonl", "validation_results.csv"]


@pytest.mark.slow
def test_interrupted_validation_goes_on(problems: Path, tmp_path: Path) -> None:
    """What was found before Ctrl-C is kept, a line that was cut off is found again, and the files are the same in the end."""
    rows = list(read_rows([problems]))
    whole = validate_file(rows, tmp_path / "whole", limits=SolverLimits(), workers=2)

    def interrupted(done: int, _: int) -> None:
        if done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        validate_file(rows, tmp_path / "again", limits=SolverLimits(), workers=2, watch=interrupted)
    (partial_file,) = (tmp_path / "again").iterdir()
    with partial_file.open("a", encoding="utf-8") as stream:
        stream.write('{"place": 8, "valida')
    again = validate_file(rows, tmp_path / "again", limits=SolverLimits(), workers=2)
    assert (whole.kept, again.kept) == (0, 7)
    for name in ("validation_results.csv", "validation.jsonl"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_killed_validation_goes_on(problems: Path, tmp_path: Path) -> None:
    """A process that is killed amid its work leaves what it found to the next one, and its workers end by themselves."""
    command = [
        sys.executable,
        "-m",
        "oracle_factory",
        "smt",
        "validate",
        *[str(problems)] * 3,
        "-o",
        str(tmp_path),
        "--workers",
        "1",
    ]
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": "."}, stderr=subprocess.DEVNULL)
    wait_for(lambda: any(path.stat().st_size > 2_000 for path in tmp_path.glob(".*")))
    process.send_signal(signal.SIGKILL)
    process.wait()
    tally = validate_file(list(read_rows([problems] * 3)), tmp_path, limits=SolverLimits(), workers=2)
    assert 0 < tally.kept < tally.programs


def wait_for(happened: Callable[[], bool]) -> None:
    """Wait until something has happened."""
    until = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.slow
def test_other_rows_begin_anew(tmp_path: Path) -> None:
    """What was kept of other programs or limits is not taken for these."""
    rows = [ConstraintRow("a", {"program": program("(= x 1)")}), ConstraintRow("b", {"program": program("(= x 2)")})]

    def interrupted(*_: int) -> Iterator[None]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        validate_file(rows, tmp_path, limits=SolverLimits(), workers=1, watch=interrupted)
    assert validate_file(rows[::-1], tmp_path, limits=SolverLimits(), workers=1).kept == 0
    assert validate_file(rows, tmp_path, limits=SolverLimits(work=5_000_000), workers=1).kept == 0
    assert validate_file(rows, tmp_path, limits=SolverLimits(), workers=1).kept == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["validate", "nowhere.jsonl", "-o", "out"], "cannot be read"),
        (["validate", "empty.jsonl", "-o", "out"], "holds no row"),
        (["filter", "empty.jsonl", "-o", "empty.jsonl"], "holds no row"),
        (["filter", "table.csv", "-o", "out"], "expected a table with the columns"),
    ],
)
def test_what_cannot_be_used(
    options: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A file that is none ends in status 2 with one message that names it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.jsonl").write_text("\n", encoding="utf-8")
    (tmp_path / "table.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    assert main(["smt", *options]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


@pytest.mark.parametrize("command", [pytest.param("filter", marks=pytest.mark.slow), "validate"])
def test_the_field_of_the_program_is_named(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another column is read where it is named; a file in which no program is found says which names there are, with status 1."""
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"id": "a", "problem": "p", "code": program("(= x 1)")}) + "\n", encoding="utf-8")
    assert main(["smt", command, str(rows), "-o", str(tmp_path / "none")]) == 1
    assert "its fields are id, problem, code; name the program by --field" in capsys.readouterr().err
    assert main(["smt", command, str(rows), "-o", str(tmp_path / "out"), "--field", "code"]) == 0
