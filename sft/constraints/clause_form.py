"""A program written clause by clause: each clause of the problem as a comment, and behind it the assertions that state it.

It is SMT-LIB2 with the assertions in the order of the text. The comments are the problem's own words, so that a writer is given
them and does not write them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.smtlib.grammar import ANSWER, CHECK, VALUE
from harness.smtlib.printer import write_node
from harness.smtlib.script import read_script
from oracles.constraints.clause_alignment import align_clauses, clauses_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MARK = ";"
"""What begins a clause; a writer ends the assertions of a clause by it."""
_ENDING = frozenset({"assert", "check-sat", "get-value", "get-model", "exit"})


@dataclass(frozen=True, slots=True)
class StatedClause:
    """A clause on one line, and the assertions that state it."""

    text: str
    assertions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClauseProgram:
    """A program clause by clause: its head (logic and declarations, a command a line) and its clauses in the order of the text."""

    head: tuple[str, ...]
    clauses: tuple[StatedClause, ...]

    @property
    def text(self) -> str:
        """Return the program in SMT-LIB2."""
        lines = list(self.head)
        for clause in self.clauses:
            lines += [given_line(clause.text), *clause.assertions]
        lines.append(CHECK)
        if any(command.startswith(f"(declare-const {ANSWER} ") for command in self.head):
            lines.append(VALUE)
        return "\n".join(lines)


def clause_texts(problem: str) -> tuple[str, ...]:
    """Return the clauses of a problem, each on one line, without answer options."""
    return tuple(" ".join(clause.text.split()) for clause in clauses_of(problem) if not clause.option)


def clause_program(problem: str, program: str) -> ClauseProgram:
    """Return a program clause by clause; an assertion that no clause states follows the one before it."""
    alignment = align_clauses(problem, program)
    script = read_script(program)
    stating: list[list[str]] = [[] for _ in alignment.clauses]
    place = 0
    for node, clause in zip(script.assertions, alignment.clause_of, strict=True):
        place = place if clause is None else clause
        if stating:
            stating[place].append(f"(assert {write_node(node)})")
    return ClauseProgram(
        tuple(write_node(command) for command in script.commands if command.head not in _ENDING),
        tuple(
            StatedClause(" ".join(clause.text.split()), tuple(assertions))
            for clause, assertions in zip(alignment.clauses, stating, strict=True)
            if assertions or not clause.option
        ),
    )


def given_line(clause: str) -> str:
    """Return the comment of a clause."""
    return f"{MARK} {clause}"


def given_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the words of clauses begin and end in a program clause by clause, with their line ends."""
    start = 0
    for line in text.splitlines(keepends=True):
        if line.startswith(MARK):
            yield start + len(MARK), start + len(line)
        start += len(line)


def without_clauses(lines: Iterable[str]) -> str:
    """Return a program without the comments of its clauses."""
    return "\n".join(line for line in lines if not line.startswith(MARK))
