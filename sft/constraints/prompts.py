"""The prompts of the program writer and the texts to learn: a program for a problem, or a correction after feedback."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.records.record_files import read_file

if TYPE_CHECKING:
    from pathlib import Path

    from harness.smtlib.constraint_problem import ConstraintProblem

CONTRACT = "declare a constant answer if a value is asked for, assert what is said, end with (check-sat)."
WRITE = f"Write the problem as an SMT-LIB2 program: {CONTRACT}"
CORRECT = f"Correct the SMT-LIB2 program by what the solver says of it: {CONTRACT}"


@dataclass(frozen=True, slots=True)
class InstructionExample:
    """A text to learn, in the form that fine-tuning tools read."""

    instruction: str
    """What is asked."""
    input: str
    """Of what it is asked: a problem, or a program with what the solver says."""
    output: str
    """The program that is to be written."""


@dataclass(frozen=True, slots=True)
class ProgramCorrection:
    """A program that is wrong, and the one it should have been."""

    id: str
    """The problem."""
    problem: str
    """The question."""
    program: str
    """The wrong program."""
    said: str
    """What the solver says of it."""
    output: str
    """The right program."""


def example_of(problem: ConstraintProblem) -> InstructionExample:
    """Return what is to be learnt of a problem."""
    return InstructionExample(WRITE, problem.problem.strip(), problem.program.strip())


def example_of_correction(correction: ProgramCorrection) -> InstructionExample:
    """Return what is to be learnt of a program that is corrected."""
    return InstructionExample(
        CORRECT, correction_input(correction.problem, correction.program, correction.said), correction.output.strip()
    )


def correction_input(problem: str, program: str, feedback: str) -> str:
    """Return what a model is told of a program that is to be corrected."""
    return f"{problem.strip()}\n\nProgram:\n{program.strip()}\n\nSolver:\n{feedback.strip()}"


def chat_turns(instruction: str, asked: str) -> list[dict[str, str]]:
    """Return the chat that a model goes on from."""
    return [{"role": "system", "content": instruction}, {"role": "user", "content": asked}]


def chat_of(example: InstructionExample) -> dict[str, Any]:
    """Return an example as the trainer reads it; `problem_id` keeps what is asked of one text together."""
    asked = example.input
    return {"problem_id": asked, "prompt": chat_turns(example.instruction, asked), "completion": example.output}


def read_corrections(path: Path) -> list[ProgramCorrection]:
    """Read corrections from JSONL.

    Raises:
        HarnessError: the file cannot be read, or a record is none.
    """
    return list(read_file(ProgramCorrection, path))
