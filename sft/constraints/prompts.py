"""The prompts of the program writer and the texts to learn: a program for a problem, or a correction after feedback."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.corpora.problems import read_records
from harness.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from harness.smtlib.constraint_problem import ConstraintProblem

CONTRACT = "declare a constant answer if a value is asked for, assert what is said, end with (check-sat)."
WRITE = f"Write the problem as an SMT-LIB2 program: {CONTRACT}"
CORRECT = f"Correct the SMT-LIB2 program by what the solver says of it: {CONTRACT}"
FIELDS = ("instruction", "input", "output")


@dataclass(frozen=True, slots=True)
class InstructionExample:
    """What is asked, of what, and what is to be written."""

    instruction: str
    input: str
    output: str

    def record(self) -> dict[str, str]:
        """Return the JSON form that fine-tuning tools read."""
        return {name: getattr(self, name) for name in FIELDS}

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> InstructionExample:
        """Return the example of a JSON form.

        Raises:
            ValueError: it is no such form.
        """
        if not all(isinstance(record.get(name), str) for name in FIELDS):
            raise ValueError(f"expected text in {', '.join(FIELDS)}, found {', '.join(record) or 'nothing'}")
        return cls(*(record[name] for name in FIELDS))


@dataclass(frozen=True, slots=True)
class ProgramCorrection:
    """A program that is wrong, what the solver says of it, and the one it should have been; `id` is its problem's."""

    id: str
    problem: str
    program: str
    said: str
    output: str

    def record(self) -> dict[str, str]:
        """Return the JSON form."""
        return {
            "id": self.id,
            "problem": self.problem,
            "program": self.program,
            "said": self.said,
            "output": self.output,
        }


def example_of(problem: ConstraintProblem) -> InstructionExample:
    """Return what is to be learnt of a problem."""
    return InstructionExample(WRITE, problem.problem.strip(), problem.program.strip())


def example_of_correction(one: ProgramCorrection) -> InstructionExample:
    """Return what is to be learnt of a program that is corrected."""
    return InstructionExample(CORRECT, correction_input(one.problem, one.program, one.said), one.output.strip())


def correction_input(problem: str, program: str, said: str) -> str:
    """Return what a model is told of a program that is to be corrected."""
    return f"{problem.strip()}\n\nProgram:\n{program.strip()}\n\nSolver:\n{said.strip()}"


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
    found = []
    for number, record in read_records(path):
        try:
            found.append(ProgramCorrection(**record))
        except TypeError:
            message = f"{path}:{number}: expected id, problem, program, said and output, found {ascii(record)[:80]}"
            raise HarnessError(message) from None
    return found
