"""Limits on the work, time and memory of deciding one program."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SolverLimits:
    """The limits of deciding one program: solver work for a question, and seconds of processor time and MiB of memory as a second limit.

    Solvers count work, in units of z3, the same on every machine: ten million take z3 one to five seconds. Seconds and
    memory end what is not counted as work; they are those of the process that decides, so that a busy machine changes no verdict.
    """

    work: int = 10_000_000
    seconds: float = 60.0
    memory: int = 2_048
