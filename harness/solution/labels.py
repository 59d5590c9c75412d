"""The taxonomy of errors in solutions, and the label that describes one error."""

import enum
from dataclasses import dataclass
from typing import Annotated, Literal, Self

from pydantic import Field

from harness.json_form import Prose

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
class ErrorDetails:
    """What is wrong with a flawed solution."""

    error_type: ErrorType
    """The type of the taxonomy."""
    error_class: ErrorClass
    """The coarse class of the type."""
    erroneous_line_number: Annotated[str, Field(pattern=r"^(L[1-9][0-9]{0,4}|FA)$")]
    """The line of the error: `L1`, `L2`, …, or `FA` for the final answer."""
    explanation: Prose
    """Why it is wrong, for a reader."""
    correction: Prose
    """How the line should read."""


@dataclass(frozen=True, slots=True)
class Label:
    """The label of a flawed solution."""

    verdict: Literal["Flawed"]
    """What a verifier should say."""
    error_details: ErrorDetails
    """What is wrong."""

    @classmethod
    def of_error(cls, error_type: ErrorType, line: str, explanation: str, correction: str) -> Self:
        """Return the label of an error on a line."""
        return cls("Flawed", ErrorDetails(error_type, error_type.error_class, line, explanation, correction))

    @property
    def error_type(self) -> ErrorType:
        """Return the type of the error."""
        return self.error_details.error_type

    @property
    def line(self) -> str:
        """Return the line of the error."""
        return self.error_details.erroneous_line_number
