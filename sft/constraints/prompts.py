"""The prompts of the program writer, and training texts: a problem with its program, in one of three forms."""

import enum
from dataclasses import dataclass
from typing import Any

from harness.records.constraint import ConstraintProblem
from sft.constraints.clause_form import clause_program, given_spans

CONTRACT = "declare a constant answer if a value is asked for, assert what is said, end with (check-sat)."
WRITE = f"Write the problem as an SMT-LIB2 program: {CONTRACT}"
CONVERT = "Convert the constraint problem into reasoning and SMT-LIB."
CLAUSE_BY_CLAUSE = "Write the problem as an SMT-LIB2 program, clause by clause."
CORRECT = f"Correct the SMT-LIB2 program by what the solver says of it: {CONTRACT}"


class OutputForm(enum.StrEnum):
    """The form that a model learns to write: the reasoning, a blank line and the program; the program alone; or clause by clause."""

    REASONING = "reasoning"
    PROGRAM = "program"
    CLAUSES = "clauses"

    @property
    def instruction(self) -> str:
        """Return the request to a model for a problem."""
        return {OutputForm.REASONING: CONVERT, OutputForm.PROGRAM: WRITE, OutputForm.CLAUSES: CLAUSE_BY_CLAUSE}[self]


@dataclass(frozen=True, slots=True)
class InstructionExample:
    """A training text in the form that fine-tuning tools read."""

    instruction: str
    """The instruction."""
    input: str
    """The problem."""
    output: str
    """The expected program."""


def example_of(problem: ConstraintProblem, form: OutputForm = OutputForm.REASONING) -> InstructionExample:
    """Return the training text of a problem; a problem without reasoning has its program alone where that is asked for."""
    if form is OutputForm.CLAUSES:
        output = clause_program(problem.problem, problem.program, problem.stated)
    else:
        steps = "\n".join(problem.reasoning).strip() if form is OutputForm.REASONING else ""
        output = "\n\n".join(part for part in (steps, problem.program.strip()) if part)
    return InstructionExample(form.instruction, problem.problem.strip(), output)


def chat_turns(instruction: str, asked: str) -> list[dict[str, str]]:
    """Return the chat before the answer of the model."""
    return [{"role": "system", "content": instruction}, {"role": "user", "content": asked}]


def chat_of(example: InstructionExample) -> dict[str, Any]:
    """Return an example as the trainer reads it; `problem_id` groups the examples of the same input.

    `given` are the parts of the completion that a writer is given, from one character up to another; none is learnt.
    """
    chat = {"problem_id": example.input, "completion": example.output}
    if example.instruction != CLAUSE_BY_CLAUSE:
        return {**chat, "prompt": chat_turns(example.instruction, example.input)}
    # The answer has the words of the problem, so that they are not asked first.
    given = [list(span) for span in given_spans(example.output)]
    return {**chat, "prompt": chat_turns(CLAUSE_BY_CLAUSE, ""), "given": given}
