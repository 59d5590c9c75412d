"""Limits on the work, time and memory of deciding one program."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SolverLimits:
    """What deciding one program may take: solver work a question, then, for what escapes that, seconds and MiB of memory.

    Work is counted by the solvers, in z3's units, and the same on every machine: ten million take z3 one to five seconds. Seconds
    and memory only end what does not count.
    """

    work: int = 10_000_000
    seconds: float = 60.0
    memory: int = 2_048
