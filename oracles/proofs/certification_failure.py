"""The reasons and exceptions for systems of constraints that get no certificate."""

from __future__ import annotations

import enum


class UncertifiedReason(enum.StrEnum):
    """Why a system has no certificate of a class."""

    SATISFIABLE = "the constraints can be met"
    UNTOUCHED = "the edit takes no part in the contradiction"
    BROKEN_BEFORE = "the constraints are not met without the edit"
    NO_SOLUTION = "the values break a constraint"
    SEVERAL_ANSWERS = "the constraints leave several answers"
    SAME_ANSWER = "no two solutions differ in the answer"
    NOT_ENTAILED = "the fact does not follow from the others"
    MALFORMED = "the constraints are no system"
    UNTRANSLATABLE = "a step has no translation for solvers"


class VariantNotCertified(Exception):
    """A system is not of the class; `why` says what is wrong, the text with which constraint or value."""

    def __init__(self, why: UncertifiedReason, detail: str = "") -> None:
        """Keep the reason apart from its detail, for who counts reasons."""
        self.why = why
        self.detail = detail
        super().__init__(f"{why}: {detail}" if detail else str(why))


class SolverUndecided(Exception):
    """The solver gave up, or could not read its input: nothing is known about the system."""


def check_answer(answer: str, expect: str, why: UncertifiedReason) -> None:
    """Check what a solver answers.

    Raises:
        NotCertified: it answers the opposite.
        Undecided: it gave up.
    """
    if answer == "unknown":
        message = "the solver gave up"
        raise SolverUndecided(message)
    if answer != expect:
        raise VariantNotCertified(why)
