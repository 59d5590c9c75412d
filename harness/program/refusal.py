"""Refusals with a typed reason why a response was not read or not evaluated."""

import enum


class RefusalReason(enum.StrEnum):
    """The kinds of reason, as they appear before the colon of a verdict's reason."""

    EMPTY = "empty"
    TOO_LARGE = "too-large"
    CONTROL_CHARACTER = "control-character"
    NO_CODE = "no-code"
    BROKEN_JSON = "broken-json"
    SYNTAX = "syntax-error"
    NO_FUNCTION = "no-function"
    NO_ANSWER = "no-answer"
    SEVERAL_FUNCTIONS = "several-functions"
    MISSING_ARGUMENT = "missing-argument"
    FORBIDDEN = "forbidden"
    UNSUPPORTED = "unsupported"
    TOO_DEEP = "too-deep"
    BUDGET = "budget"
    NO_STEPS = "no-steps"
    BROKEN_STEPS = "broken-steps"
    NO_ANNOTATION = "no-annotation"
    SEVERAL_ANNOTATIONS = "several-annotations"
    MALFORMED_ANNOTATION = "malformed-annotation"
    FALSE_ANNOTATION = "false-annotation"
    NO_TRACE = "no-trace"
    NON_NUMERIC = "non-numeric"
    DUPLICATE = "duplicate"
    UNKNOWN_PROBLEM = "unknown-problem"
    MALFORMED_RECORD = "malformed-record"


class Refusal(Exception):
    """A response is refused; the text is `reason: detail (line N)`."""

    def __init__(self, reason: RefusalReason, detail: str, line: int | None = None) -> None:
        self.reason = reason
        self.detail = detail
        self.line = line
        super().__init__(f"{reason}: {detail}" + (f" (line {line})" if line else ""))


class ProgramError(Exception):
    """An exception that the program itself would raise in Python: part of its behaviour, like a value.

    `name` is the Python exception's name, such as `ZeroDivisionError`.
    """

    def __init__(self, name: str, detail: str = "") -> None:
        self.name = name
        super().__init__(f"{name}: {detail}" if detail else name)


class UntranslatableError(Exception):
    """The term holds an operation that the theory of a solver lacks."""
