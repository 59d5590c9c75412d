"""Tests of constraint validation on a machine that stops or kills the processes of solvers."""

import os
import signal
import threading
from pathlib import Path

import pytest

from harness.domain import Status
from harness.smtlib.constraint_problem import ConstraintProblem
from oracles.constraints.limits import SolverLimits
from oracles.constraints.validation import ValidationCase, validate_all
from oracles.constraints.worker_pool import LossKind
from properties.constraints.claims import CLAIMS, ProblemJudge
from sft.constraints.solver_session import SolverSession
from tests.oracles.constraints.test_constraint_validation import pigeons, program

CASES = [ValidationCase(str(number), program(f"(= x {number})", "(= answer x)"), str(number)) for number in range(12)]


def _workers() -> list[int]:
    """Return the processes of solvers that this thread has started."""
    children = Path(f"/proc/self/task/{threading.get_native_id()}/children").read_text("utf-8").split()
    return [int(child) for child in children if "worker_process" in Path(f"/proc/{child}/cmdline").read_text("utf-8")]


def _kill_twice(parent: int, over: threading.Event) -> None:
    """Kill a process of a solver once it has used the processor for three seconds, so amid a task; then the next one."""
    killed: set[str] = set()
    while len(killed) < 2 and not over.wait(0.05):
        for child in {*Path(f"/proc/self/task/{parent}/children").read_text("utf-8").split()} - killed:
            if int(Path(f"/proc/{child}/stat").read_text("utf-8").split()[13]) > 3 * os.sysconf("SC_CLK_TCK"):
                os.kill(int(child), signal.SIGKILL)
                killed.add(child)


def test_a_busy_machine_changes_no_verdict() -> None:
    """A process that gets no processor for longer than its limit of seconds decides as ever."""
    results = validate_all(CASES[:3], limits=SolverLimits(seconds=0.5), workers=1)
    decided = [next(results)]
    workers = _workers()
    for worker in workers:
        os.kill(worker, signal.SIGSTOP)
        threading.Timer(1.5, os.kill, (worker, signal.SIGCONT)).start()
    decided += results
    assert workers
    assert [result.correct for result in decided] == [True] * 3


def test_a_killed_solver_changes_no_verdict() -> None:
    """A process that is killed, whatever it does at that moment, is followed by another, which decides as ever."""
    results = validate_all(CASES, workers=2)
    decided, killed = [], 0
    for result in results:
        decided.append(result)
        if len(decided) in {1, 5, 6}:
            (worker, *_) = _workers()
            os.kill(worker, signal.SIGKILL)
            killed += 1
    assert killed == 3
    assert decided == list(validate_all(CASES, workers=1))


@pytest.mark.slow
def test_claims_about_a_program_whose_solvers_are_killed_are_unknown() -> None:
    """What is killed twice amid a program confirms and refutes no claim about it; the problem behind it is judged."""
    lost, other = (
        ConstraintProblem(name, "test", "?", (), text, "3", satisfiable=True, unique=True)
        for name, text in (("lost", pigeons(12)), ("other", program("(= x 3)", "(= answer x)")))
    )
    limits = SolverLimits(work=10**9, seconds=60)
    session = SolverSession(lambda asked: validate_all(asked, limits=limits, workers=1), CASES[0])
    judge, over = ProblemJudge(0, session), threading.Event()
    thread = threading.Thread(target=_kill_twice, args=(threading.get_native_id(), over))
    thread.start()
    try:
        found = {claim: judge.judge(claim, lost) for claim in CLAIMS}
        assert {claim: verdict.status for claim, verdict in found.items()} == dict.fromkeys(CLAIMS, Status.UNKNOWN)
        assert (found["valid"].reason or "").startswith(LossKind.DIED)
        assert judge.judge("entails", other).status is Status.CONFIRMED
    finally:
        over.set()
        thread.join()
        judge.close()
