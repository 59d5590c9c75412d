"""The records of the stage of constraint problems: which assertions of a program state each clause of its problem."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseRecord:
    """A clause of a problem in plain language."""

    text: str
    """Its words."""
    asks: bool
    """Whether it asks and states nothing."""
    option: bool
    """Whether it is an answer option."""
    assertions: tuple[str, ...] = ()
    """The terms that the program asserts for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseAlignmentRecord:
    """The clauses of a problem beside the assertions of its program, aligned by names and numbers: a hint, not a proof."""

    id: str
    """The problem."""
    clauses: tuple[ClauseRecord, ...]
    """The clauses in their order."""
    unaligned: tuple[str, ...]
    """The terms that the program asserts for no clause."""
    unstated: tuple[str, ...]
    """The words of the clauses that should be stated and are not."""
