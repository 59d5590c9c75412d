"""Tests of the processes of solvers: limits, a busy machine and kills change no verdict, and no process is left."""

import itertools
import os
import signal
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from harness.domain import Status
from harness.json_form import json_form, read_record
from harness.records.constraint import ConstraintProblem
from harness.smtlib.solvers import SolverName
from oracles.constraints import solver_processes
from oracles.constraints.solver_processes import LossKind, SolverLimits
from oracles.constraints.validation import Validation, ValidationCase, validate_all
from properties.stages.smt import CLAIMS, judged
from tests.oracles.constraints.programs import doubling, pigeons, program

CASES = [ValidationCase(str(number), program(f"(= x {number})", "(= answer x)"), str(number)) for number in range(12)]


def _children() -> set[int]:
    """Return the processes that this one has started."""
    listed = [path.read_text("ascii") for path in Path("/proc/self/task").glob("*/children")]
    return {int(child) for text in listed for child in text.split()}


OTHERS: set[int] = set()
"""The processes that other tests of this session have started."""


@pytest.fixture(autouse=True)
def _others() -> None:
    OTHERS.clear()
    OTHERS.update(_children())


def _kill_twice(over: threading.Event) -> None:
    """Kill a process of a solver once it has used the processor for three seconds, so amid a task; then the next one."""
    killed: set[int] = set()
    while len(killed) < 2 and not over.wait(0.05):
        for child in _children() - OTHERS - killed:
            if int(Path(f"/proc/{child}/stat").read_text("utf-8").split()[13]) > 3 * os.sysconf("SC_CLK_TCK"):
                os.kill(child, signal.SIGKILL)
                killed.add(child)


MANY = [replace(CASES[number % len(CASES)], id=str(number)) for number in range(300)]


def test_a_busy_machine_changes_no_verdict() -> None:
    """A process that gets no processor for longer than its limit of seconds decides as ever."""
    results = validate_all(MANY, limits=SolverLimits(seconds=0.5), workers=1)
    decided = [next(results)]
    (process,) = _children() - OTHERS
    os.kill(process, signal.SIGSTOP)
    threading.Timer(1.5, os.kill, (process, signal.SIGCONT)).start()
    decided += results
    assert [result.answer for result in decided] == [case.gold for case in MANY]
    assert _children() <= OTHERS


def test_a_killed_solver_changes_no_verdict() -> None:
    """A process that is killed is followed by another, which decides as ever; however many there are, results are the same and in order."""
    results = validate_all(MANY, workers=1)
    decided = []
    for number in range(len(MANY)):
        if number in {1, 50, 51}:
            (process,) = _children() - OTHERS
            os.kill(process, signal.SIGKILL)
        decided.append(next(results))
    assert [validation.answer for validation in decided] == [case.gold for case in MANY]
    assert read_record(Validation, json_form(decided[0])) == decided[0]
    results = validate_all(MANY, workers=2)
    first = next(results)
    os.kill(min(_children() - OTHERS), signal.SIGKILL)
    assert decided == [first, *results]
    assert _children() <= OTHERS


def test_a_process_that_waits_for_ever_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """What uses no processor time is ended by the clock, even where it was stopped."""
    monkeypatch.setattr(solver_processes, "STARTING", 3.0)
    monkeypatch.setattr(solver_processes, "IDLE", 0)
    threading.Timer(1, lambda: [os.kill(child, signal.SIGSTOP) for child in _children() - OTHERS]).start()
    (lost,) = validate_all([ValidationCase("a", pigeons(12))], limits=SolverLimits(work=10**9), workers=1)
    assert lost.error.startswith(LossKind.TIME)
    assert _children() <= OTHERS


def test_processes_end_with_the_results() -> None:
    """Who stops reading results leaves no process."""
    results = validate_all((ValidationCase(str(number), program("(= x 1)")) for number in range(1_000)), workers=2)
    next(results)
    assert len(_children() - OTHERS) == 2
    results.close()
    assert _children() <= OTHERS


def _kill_one(_: Validation) -> None:
    os.kill(min(_children() - OTHERS), signal.SIGKILL)


@pytest.mark.parametrize("failing", [2, 3], ids=["at the start", "after a kill"])
def test_no_process_is_left_where_another_cannot_be_started(failing: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the machine gives no further process, the reason is raised, and those that were started are ended."""
    fork, calls = os.fork, itertools.count(1)

    def limited_fork() -> int:
        if next(calls) == failing:
            raise BlockingIOError("no process")
        return fork()

    monkeypatch.setattr(os, "fork", limited_fork)
    with pytest.raises(BlockingIOError, match="no process"):
        list(map(_kill_one, validate_all(MANY, workers=2)))
    assert _children() <= OTHERS


def test_work_is_limited_first() -> None:
    """A hard program ends by the solver's own count, the same each time: valid, and nobody knows whether it can be satisfied."""
    cases = [ValidationCase("a", pigeons(12)), ValidationCase("b", pigeons(12))]
    first, second = validate_all(cases, limits=SolverLimits(work=20_000, seconds=60), workers=1)
    assert first == replace(second, id="a")
    assert (first.valid, first.satisfiable, first.by_solver) == (True, None, dict.fromkeys(SolverName, "unknown"))


@pytest.mark.parametrize(
    ("text", "limits", "kind"),
    [
        (pigeons(12), SolverLimits(work=10**9, seconds=1), LossKind.TIME),
        (doubling(29), SolverLimits(seconds=60, memory=64), LossKind.MEMORY),
    ],
)
def test_seconds_and_memory_are_limited(text: str, limits: SolverLimits, kind: LossKind) -> None:
    """What escapes the count is ended with a typed error that names the solver, and the program after it is judged."""
    lost, judged = validate_all([ValidationCase("lost", text, "1"), CASES[2]], limits=limits, workers=1)
    assert (lost.valid, lost.satisfiable, lost.correct) == (None, None, None)
    assert lost.error.startswith(kind)
    assert len(lost.by_solver) == 1
    assert judged.correct


@pytest.mark.slow
def test_claims_about_a_program_whose_solvers_are_killed_are_unknown() -> None:
    """What is killed twice amid a program confirms and refutes no claim about it; the problem after it is judged."""
    lost, other = (
        ConstraintProblem(name, "test", "?", (), text, "3", satisfiable=True, unique=True)
        for name, text in (("lost", pigeons(12)), ("other", program("(= x 3)", "(= answer x)")))
    )
    limits, over = SolverLimits(work=10**9, seconds=60), threading.Event()
    thread = threading.Thread(target=_kill_twice, args=(over,))
    thread.start()
    try:
        found = {claim: judged(claim, lost, 0, limits) for claim in CLAIMS}
        assert {claim: verdict.status for claim, verdict in found.items()} == dict.fromkeys(CLAIMS, Status.UNKNOWN)
        assert (found["valid"].reason or "").startswith(LossKind.DIED)
        assert judged("entails", other, 0, limits).status is Status.CONFIRMED
    finally:
        over.set()
        thread.join()
