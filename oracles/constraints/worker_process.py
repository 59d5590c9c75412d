"""The process that runs the solvers on programs and that can be ended without harm to the session.

Its messages are JSON: `["validate", {…}]` is a task, `["at", "z3"]` announces the next solver, `["done", {…}]` is the result.
"""

import json
import os
import resource
import signal
import sys
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from harness.json_form import json_form
from harness.store.run_folder import dump
from oracles.constraints.equivalence import EquivalenceProver
from oracles.constraints.validation import ProgramJudge, ValidationCase

OUT_OF_MEMORY = 101
"""The exit status when memory is exhausted; z3 uses the same."""


def main(arguments: Sequence[str]) -> None:
    """Answer tasks until there are no more.

    `arguments` are the file descriptor of the connection, the limits on work, on MiB beyond what the libraries take, and on
    seconds of processor time for a task.
    """
    descriptor, work, memory, seconds = *map(int, arguments[:3]), float(arguments[3])
    connection = Connection(descriptor)

    def send(*message: Any) -> None:
        connection.send_bytes(dump(list(message)).encode("utf-8", "backslashreplace"))

    def began(step: str) -> None:
        send("at", step)

    judge, prover = ProgramJudge(work, began), EquivalenceProver(work, began)
    import cvc5  # noqa: F401  # loaded before memory is limited, as z3 is
    import z3  # noqa: F401  # as above

    held = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    most = held + (memory << 20)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    while True:
        try:
            name, task = json.loads(connection.recv_bytes())
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            result: Any = judge.judge(ValidationCase(**task)) if name == "validate" else prover.equivalent(**task)
            form = json_form(result)
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
        signal.setitimer(signal.ITIMER_PROF, 0)
        send("done", form)


if __name__ == "__main__":
    main(sys.argv[1:])
