"""Test of constraint validation where the machine is busy."""

import os
import signal
import threading
from pathlib import Path

from oracles.constraints.limits import SolverLimits
from oracles.constraints.validation import ValidationCase, validate_all
from tests.oracles.constraints.test_constraint_validation import program


def test_a_busy_machine_changes_no_verdict() -> None:
    """A process that gets no processor for longer than its limit of seconds decides as ever."""
    cases = [
        ValidationCase(str(number), program(f"(= x {number})", "(= answer x)"), str(number)) for number in range(3)
    ]
    results = validate_all(cases, limits=SolverLimits(seconds=0.5), workers=1)
    decided = [next(results)]
    children = Path(f"/proc/self/task/{threading.get_native_id()}/children").read_text("utf-8").split()
    workers = [
        int(child) for child in children if "worker_process" in Path(f"/proc/{child}/cmdline").read_text("utf-8")
    ]
    for worker in workers:
        os.kill(worker, signal.SIGSTOP)
        threading.Timer(1.5, os.kill, (worker, signal.SIGCONT)).start()
    decided += results
    assert workers
    assert [result.correct for result in decided] == [True] * 3
