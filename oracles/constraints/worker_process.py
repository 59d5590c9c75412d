"""The process that runs the solvers on programs and that can be ended without harm to the session.

It reads and writes lines of JSON: `["validate", {…}]` is a task, `["at", "z3"]` announces the next solver, `["done", {…}]`
is the result.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from typing import TYPE_CHECKING, Any

from harness.json_form import json_form
from harness.store.run_folder import dump
from oracles.constraints.equivalence_prover import EquivalenceProver
from oracles.constraints.program_judge import ProgramJudge
from oracles.constraints.validation import ValidationCase

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MEBIBYTE = 1 << 20
OUT_OF_MEMORY = 101
"""The exit status when memory is exhausted; z3 uses the same."""


def main(arguments: Sequence[str]) -> None:
    """Answer lines until there are no more.

    `arguments` are the limits on work, on MiB beyond what the libraries take, and on seconds of processor time for a task.
    """
    work, memory, seconds = int(arguments[0]), int(arguments[1]), float(arguments[2])
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # Solvers print warnings where answers go.
    os.dup2(2, 1)

    def say(*line: Any) -> None:
        out.write(f"{dump(list(line))}\n")
        out.flush()

    def began(what: str) -> None:
        say("at", what)

    judge, prover = ProgramJudge.within(work, began), EquivalenceProver.within(work, began)
    answers: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
        "validate": lambda task: json_form(judge.judge(ValidationCase(**task))),
        "equivalent": lambda task: json_form(prover.equivalent(**task)),
    }
    import cvc5  # noqa: F401  # loaded before memory is limited, as z3 is
    import z3  # noqa: F401  # as above

    most = _held() + memory * MEBIBYTE
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    say("ready")
    for line in sys.stdin:
        name, task = json.loads(line)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            result = answers[name](task)
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
        signal.setitimer(signal.ITIMER_PROF, 0)
        say("done", result)


def _held() -> int:
    """Return the address space this process has, in bytes."""
    with open("/proc/self/statm", encoding="ascii") as told:  # noqa: PTH123  # no file of ours
        return int(told.read().split()[0]) * resource.getpagesize()


if __name__ == "__main__":
    main(sys.argv[1:])
