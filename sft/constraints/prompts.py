"""The prompts of the program writer, and training texts: a problem with its reasoning and its program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.smtlib.constraint_problem import ConstraintProblem

CONTRACT = "declare a constant answer if a value is asked for, assert what is said, end with (check-sat)."
WRITE = f"Write the problem as an SMT-LIB2 program: {CONTRACT}"
CONVERT = "Convert the constraint problem into reasoning and SMT-LIB."
CORRECT = f"Correct the SMT-LIB2 program by what the solver says of it: {CONTRACT}"


@dataclass(frozen=True, slots=True)
class InstructionExample:
    """A training text in the form that fine-tuning tools read."""

    instruction: str
    """The instruction."""
    input: str
    """The problem."""
    output: str
    """The expected reasoning and program."""


def example_of(problem: ConstraintProblem) -> InstructionExample:
    """Return the training text of a problem: its reasoning, where it has some, a blank line, and the program."""
    parts = ("\n".join(problem.reasoning).strip(), problem.program.strip())
    return InstructionExample(CONVERT, problem.problem.strip(), "\n\n".join(filter(None, parts)))


def chat_turns(instruction: str, asked: str) -> list[dict[str, str]]:
    """Return the chat before the answer of the model."""
    return [{"role": "system", "content": instruction}, {"role": "user", "content": asked}]


def chat_of(example: InstructionExample) -> dict[str, Any]:
    """Return an example as the trainer reads it; `problem_id` groups the examples of the same input."""
    prompt = chat_turns(example.instruction, example.input)
    return {"problem_id": example.input, "prompt": prompt, "completion": example.output}
