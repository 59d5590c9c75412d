"""The taxonomy of errors in solutions, the label that describes one error, and the position of its line."""

import enum
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field

from harness.json_form import Name, Prose

FLAWED: Final = "Flawed"
CORRECT: Final = "Correct"
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

    @classmethod
    def _missing_(cls, value: object) -> "ErrorType | None":
        """Return the type that another publication calls by this name."""
        return ALIASES.get(value) if isinstance(value, str) else None

    @property
    def alias(self) -> str | None:
        """Return the name of the type in the publication that the taxonomy comes from; `None` where it has no other."""
        return _WRITTEN.get(self)

    @property
    def error_class(self) -> ErrorClass:
        """Return the coarse class."""
        if self is ErrorType.COMPUTATIONAL:
            return ErrorClass.COMPUTATIONAL
        return ErrorClass.SKIPPED_STEP if self is ErrorType.SKIPPED_STEP else ErrorClass.CONCEPTUAL


ALIASES: dict[str, ErrorType] = {
    "incorrect_operation": ErrorType.OPERATOR_SWAP,
    "incorrect_operand": ErrorType.WRONG_REFERENCE_GROUP,
    "incomplete_calculation": ErrorType.SKIPPED_STEP,
    "unit_handling": ErrorType.UNIT_CONVERSION,
    "incorrect_final_answer_selection": ErrorType.FINAL_ANSWER_SELECTION,
    "incorrect_formula_application": ErrorType.WRONG_FORMULA,
    "misinterpreted_scoping_precedence": ErrorType.SCOPING,
    "extraneous_operation_invented_method": ErrorType.EXTRANEOUS_OPERATION,
    "algebraic_simplification_error": ErrorType.ALGEBRAIC_SIMPLIFICATION,
}
"""The types by other names that they are published under."""
_WRITTEN = {error_type: alias for alias, error_type in ALIASES.items()} | {
    ErrorType.FAILURE_TO_UPDATE_STATE: "incorrect_operand"
}
"""The names that are written beside ours; a stale value is an incorrect operand, too."""


class TypeNames(enum.StrEnum):
    """The names of the types of errors: the taxonomy's own, or those of the publication that it comes from."""

    OWN = "own"
    ORIGINAL = "original"

    def of(self, error_type: ErrorType) -> str:
        """Return the name of a type."""
        return str((self is TypeNames.ORIGINAL and error_type.alias) or error_type)

    def renamed(self, form: Any) -> Any:
        """Return a JSON form whose fields `error_type` have these names; the `alias` beside one is left out where it is that name."""
        if isinstance(form, list):
            return [self.renamed(part) for part in form]
        if self is TypeNames.OWN or not isinstance(form, dict):
            return form
        known = named_error_type(form.get("error_type"))
        own = {} if known is None else {"error_type": self.of(known)}
        kept = {key: self.renamed(part) for key, part in form.items() if key != "alias" or not own}
        return {**kept, **own}


def named_error_type(name: object) -> ErrorType | None:
    """Return the type that a text names, by its own name or an alias; `None` where it names none."""
    try:
        return ErrorType(name) if isinstance(name, str) else None
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class ErrorDetails:
    """The error of a flawed solution."""

    error_type: ErrorType
    """The type of the taxonomy."""
    error_class: ErrorClass
    """The coarse class of the type."""
    erroneous_line_number: Annotated[str, Field(pattern=r"^(L[1-9][0-9]{0,4}|FA)$")]
    """The line of the error: `L1`, `L2`, …, or `FA` for the final answer."""
    explanation: Prose
    """Why it is wrong, for a reader."""
    correction: Prose
    """The correct line."""
    alias: Annotated[Name | None, Field(exclude_if=lambda alias: alias is None)] = None
    """The name of the type in the publication that the taxonomy comes from, such as `incorrect_operation`; absent where it has no other."""


@dataclass(frozen=True, slots=True)
class Label:
    """The label of a flawed solution."""

    verdict: Literal["Flawed"]
    """The verdict that a verifier should give."""
    error_details: ErrorDetails
    """The error."""

    @classmethod
    def of_error(cls, error_type: ErrorType, line: str, explanation: str, correction: str) -> Self:
        """Return the label of an error on a line."""
        details = ErrorDetails(error_type, error_type.error_class, line, explanation, correction, error_type.alias)
        return cls("Flawed", details)

    @property
    def error_type(self) -> ErrorType:
        """Return the type of the error."""
        return self.error_details.error_type

    @property
    def line(self) -> str:
        """Return the line of the error."""
        return self.error_details.erroneous_line_number


def position_of(label: str, lines: int) -> str:
    """Return `early`, `middle` or `late` for a line `L1`, `L2`, … of a solution with a number of lines; the final answer is late."""
    if label == FINAL_ANSWER:
        return "late"
    share = (int(label[1:]) - 1) / max(1, lines - 1)
    return "early" if share < 1 / 3 else "middle" if share < 2 / 3 else "late"
