"""The translation of a program to SMT-LIB2: the program, its answer options, and the lines without a translation."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class TranslationFailure(enum.StrEnum):
    """Why a line has no translation."""

    UNREADABLE = "unreadable"
    UNDECLARED = "undeclared-name"
    UNKNOWN_SORT = "unknown-sort"
    WRONG_ARITY = "wrong-arity"
    WRONG_SORT = "wrong-sort"
    UNORDERED = "order-of-unordered"
    UNKNOWN_OPTION = "unknown-option"
    TOO_LARGE = "too-large"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class UntranslatedLine:
    """A line that could not be translated: its number from one, why, and what was found there."""

    line: int
    failure: TranslationFailure
    found: str


class OptionClaim(enum.StrEnum):
    """What an option claims of its formula, given the constraints."""

    MUST = "is entailed"
    CAN = "can hold"
    CANNOT = "cannot hold"
    NEED_NOT = "is not entailed"
    EXACTLY = "one of several holds, and each can"


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """An answer to choose: its letter, and what it claims of which formulas, in SMT-LIB2."""

    letter: str
    claim: OptionClaim
    formulas: tuple[str, ...]


def numbers_term(term: str, numbers: Iterable[int]) -> str:
    """Return the formula that a term has one of some numbers."""
    ordered = sorted(set(numbers))
    written = [str(number) if number >= 0 else f"(- {-number})" for number in ordered]
    if ordered == list(range(ordered[0], ordered[-1] + 1)):
        return f"(<= {written[0]} {term} {written[-1]})"
    return f"(or {' '.join(f'(= {term} {number})' for number in written)})"


def assertion(formula: str, sentence: str) -> str:
    """Return the assertion of a formula, with the sentence that it formalizes as a comment."""
    return f"(assert {formula})" + (f" ; {' '.join(sentence.split())}" if sentence.strip() else "")


@dataclass(frozen=True, slots=True)
class Translation:
    """A program in SMT-LIB2 of what could be translated, its options, and what could not.

    `assumed` says what was taken for granted, such as that values are ordered as they are listed.
    """

    program: str
    options: tuple[AnswerOption, ...]
    untranslated: tuple[UntranslatedLine, ...]
    assumed: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Tell whether all of it was translated."""
        return not self.untranslated
