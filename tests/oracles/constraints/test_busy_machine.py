"""Tests of constraint validation on a machine that stops or kills the processes of solvers."""

import os
import signal
import threading
from pathlib import Path

import pytest

from harness.domain import Status
from harness.smtlib.constraint_problem import ConstraintProblem
from oracles.constraints.validation import ValidationCase, validate, validate_all
from oracles.constraints.worker_pool import LossKind, SolverLimits, SolverWorker
from properties.constraints.claims import CLAIMS, ProblemJudge
from tests.oracles.constraints.test_constraint_validation import children, pigeons, program

CASES = [ValidationCase(str(number), program(f"(= x {number})", "(= answer x)"), str(number)) for number in range(12)]


def _workers() -> list[int]:
    """Return the processes of solvers that this process has started."""
    return [child for child in children() if "worker_process" in Path(f"/proc/{child}/cmdline").read_text("utf-8")]


def _kill_twice(over: threading.Event) -> None:
    """Kill a process of a solver once it has used the processor for three seconds, so amid a task; then the next one."""
    killed: set[int] = set()
    while len(killed) < 2 and not over.wait(0.05):
        for child in children() - killed:
            if int(Path(f"/proc/{child}/stat").read_text("utf-8").split()[13]) > 3 * os.sysconf("SC_CLK_TCK"):
                os.kill(child, signal.SIGKILL)
                killed.add(child)


def test_a_busy_machine_changes_no_verdict() -> None:
    """A process that gets no processor for longer than its limit of seconds decides as ever."""
    worker = SolverWorker(SolverLimits(seconds=0.5))
    decided = [validate(CASES[0], worker)]
    (process,) = _workers()
    os.kill(process, signal.SIGSTOP)
    threading.Timer(1.5, os.kill, (process, signal.SIGCONT)).start()
    decided += [validate(case, worker) for case in CASES[1:3]]
    assert [result.correct for result in decided] == [True] * 3
    assert _workers() == [process]
    worker.close()


def test_a_killed_solver_changes_no_verdict() -> None:
    """A process that is killed is followed by another, which decides as ever, and none is left."""
    worker, decided = SolverWorker(), []
    for number, case in enumerate(CASES):
        if number in {1, 5, 6}:
            (process,) = _workers()
            os.kill(process, signal.SIGKILL)
        decided.append(validate(case, worker))
    worker.close()
    assert _workers() == []
    results = validate_all(CASES, workers=2)
    first = next(results)
    os.kill(_workers()[0], signal.SIGKILL)
    assert decided == [first, *results]


@pytest.mark.slow
def test_claims_about_a_program_whose_solvers_are_killed_are_unknown() -> None:
    """What is killed twice amid a program confirms and refutes no claim about it; the problem after it is judged."""
    lost, other = (
        ConstraintProblem(name, "test", "?", (), text, "3", satisfiable=True, unique=True)
        for name, text in (("lost", pigeons(12)), ("other", program("(= x 3)", "(= answer x)")))
    )
    judge, over = ProblemJudge(0, SolverWorker(SolverLimits(work=10**9, seconds=60))), threading.Event()
    thread = threading.Thread(target=_kill_twice, args=(over,))
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
