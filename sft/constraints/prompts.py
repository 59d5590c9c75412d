"""The prompts of the program writer and the training texts: a program for a problem, or a correction after feedback."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sft.constraints.clause_form import clause_program, given_spans

if TYPE_CHECKING:
    from harness.smtlib.constraint_problem import ConstraintProblem

CONTRACT = "declare a constant answer if a value is asked for, assert what is said, end with (check-sat)."
WRITE = f"Write the problem as an SMT-LIB2 program: {CONTRACT}"
CLAUSE_BY_CLAUSE = "Write the problem as an SMT-LIB2 program, clause by clause."
CORRECT = f"Correct the SMT-LIB2 program by what the solver says of it: {CONTRACT}"


class OutputForm(enum.StrEnum):
    """The form that a model learns to write: the reasoning, a blank line and the program; the program alone; or clause by clause."""

    REASONING = "reasoning"
    PROGRAM = "program"
    CLAUSES = "clauses"


def instruction_of(form: OutputForm) -> str:
    """Return the request to a model for a problem."""
    return CLAUSE_BY_CLAUSE if form is OutputForm.CLAUSES else WRITE


@dataclass(frozen=True, slots=True)
class InstructionExample:
    """A training text in the form that fine-tuning tools read."""

    instruction: str
    """The instruction."""
    input: str
    """A problem, or a program with the feedback of the solver."""
    output: str
    """The expected program."""


@dataclass(frozen=True, slots=True)
class ProgramCorrection:
    """A wrong program and its correction."""

    id: str
    """The problem."""
    problem: str
    """The question."""
    program: str
    """The wrong program."""
    said: str
    """The feedback of the solver."""
    output: str
    """The right program."""


def example_of(problem: ConstraintProblem, form: OutputForm = OutputForm.REASONING) -> InstructionExample:
    """Return the training text of a problem; a problem without reasoning has its program alone where that is asked for."""
    if form is OutputForm.CLAUSES:
        stated = clause_program(problem.problem, problem.program, problem.stated)
        return InstructionExample(CLAUSE_BY_CLAUSE, problem.problem.strip(), stated.text)
    steps = "\n".join(problem.reasoning).strip() if form is OutputForm.REASONING else ""
    output = "\n\n".join(part for part in (steps, problem.program.strip()) if part)
    return InstructionExample(WRITE, problem.problem.strip(), output)


def example_of_correction(correction: ProgramCorrection) -> InstructionExample:
    """Return the training text of a correction."""
    return InstructionExample(
        CORRECT, correction_input(correction.problem, correction.program, correction.said), correction.output.strip()
    )


def correction_input(problem: str, program: str, feedback: str) -> str:
    """Return the prompt for the correction of a program."""
    return f"{problem.strip()}\n\nProgram:\n{program.strip()}\n\nSolver:\n{feedback.strip()}"


def chat_turns(instruction: str, asked: str) -> list[dict[str, str]]:
    """Return the chat before the answer of the model."""
    return [{"role": "system", "content": instruction}, {"role": "user", "content": asked}]


def prompt_turns(form: OutputForm, instruction: str, asked: str) -> list[dict[str, str]]:
    """Return the chat before the answer; clause by clause the answer has the words of the problem, so that they are not asked first."""
    return chat_turns(instruction, "" if form is OutputForm.CLAUSES else asked)


def chat_of(example: InstructionExample) -> dict[str, Any]:
    """Return an example as the trainer reads it; `problem_id` groups the examples of the same input.

    `given` are the parts of the completion that a writer is given, from one character up to another; none is learnt.
    """
    clauses = example.instruction == CLAUSE_BY_CLAUSE
    form = OutputForm.CLAUSES if clauses else OutputForm.PROGRAM
    prompt = prompt_turns(form, example.instruction, example.input)
    chat = {"problem_id": example.input, "prompt": prompt, "completion": example.output}
    return {**chat, "given": [list(span) for span in given_spans(example.output)]} if clauses else chat
