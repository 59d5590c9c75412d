"""The taxonomy of errors in solutions, and the label that describes one error."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

FLAWED = "Flawed"
CORRECT = "Correct"
FINAL_ANSWER = "FA"
"""The line number of the final answer, `#### 72`; the lines before it are `L1`, `L2`, …, as they stand."""


class ErrorClass(enum.StrEnum):
    """The coarse class of an error."""

    COMPUTATIONAL = "computational_error"
    CONCEPTUAL = "conceptual_error"
    SKIPPED_STEP = "skipped_step"


class ErrorType(enum.StrEnum):
    """The taxonomy: one computational type, whose kinds are operators, and thirteen conceptual ones.

    `incorrect_world_knowledge` is an input misrepresented that the question does not give.
    """

    COMPUTATIONAL = "computational_error"
    OPERATOR_SWAP = "operator_swap"
    WRONG_REFERENCE_GROUP = "wrong_reference_group"
    FAILURE_TO_UPDATE_STATE = "failure_to_update_state"
    OPERAND_SWAP = "operand_swap"
    INPUT_MISREPRESENTATION = "input_misrepresentation"
    WORLD_KNOWLEDGE = "incorrect_world_knowledge"
    SKIPPED_STEP = "skipped_step"
    UNIT_CONVERSION = "unit_conversion"
    FINAL_ANSWER_SELECTION = "wrong_final_answer_selection"
    WRONG_FORMULA = "wrong_formula"
    SCOPING = "scoping_precedence"
    EXTRANEOUS_OPERATION = "extraneous_operation"
    ALGEBRAIC_SIMPLIFICATION = "algebraic_simplification"
    CONSTRAINT_VIOLATION = "constraint_violation"

    @property
    def error_class(self) -> ErrorClass:
        """Return the coarse class."""
        if self is ErrorType.COMPUTATIONAL:
            return ErrorClass.COMPUTATIONAL
        return ErrorClass.SKIPPED_STEP if self is ErrorType.SKIPPED_STEP else ErrorClass.CONCEPTUAL


@dataclass(frozen=True, slots=True)
class Label:
    """What is wrong with a flawed solution: which kind of error, on which line of it, why, and how the line should read."""

    error_type: ErrorType
    line: str
    explanation: str
    correction: str

    def record(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "verdict": FLAWED,
            "error_details": {
                "error_type": str(self.error_type),
                "error_class": str(self.error_type.error_class),
                "erroneous_line_number": self.line,
                "explanation": self.explanation,
                "correction": self.correction,
            },
        }

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Label:
        """Return the label of a JSON form that `record` gave."""
        details = record["error_details"]
        return cls(
            ErrorType(details["error_type"]),
            details["erroneous_line_number"],
            details["explanation"],
            details["correction"],
        )
