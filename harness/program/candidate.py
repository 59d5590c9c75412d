"""A candidate formalization: a response with its program and its result at the default inputs."""

from dataclasses import dataclass

from harness.domain import Response
from harness.program.evaluation.evaluator import Outcome, evaluate
from harness.program.ir import Program
from harness.program.lifter import lift
from harness.program.refusal import Refusal


@dataclass(frozen=True, slots=True)
class Candidate:
    """A response with its program and the outcome at the default inputs.

    `program` is `None` for an unreadable response; `outcome` is `None` where evaluation was refused. `reason` is the refusal.
    """

    response: Response
    program: Program | None
    outcome: Outcome | None
    reason: str | None


def read_candidate(response: Response) -> Candidate:
    """Read and evaluate a response; every refusal becomes the candidate's reason."""
    try:
        program = lift(response)
    except Refusal as refusal:
        return Candidate(response, None, None, str(refusal))
    try:
        return Candidate(response, program, evaluate(program), None)
    except Refusal as refusal:
        return Candidate(response, program, None, str(refusal))


def read_program(response: Response) -> Program | None:
    """Read a response's program without evaluating it; `None` where it holds none."""
    try:
        return lift(response)
    except Refusal:
        return None
