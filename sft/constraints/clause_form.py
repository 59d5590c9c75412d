"""Programs clause by clause: each clause of the problem as a comment, then the commands that state it.

The form is a program of SMT-LIB2 whose comments are its reasoning. A model is given the comments, one after the other, and writes the
commands; the logic, which follows from the commands, and the check are added.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.smtlib.grammar import ANSWER, CHECK, VALUE
from harness.smtlib.logics import narrowest
from harness.smtlib.printer import write_node, write_script
from harness.smtlib.s_expressions import Atom, walk
from harness.smtlib.script import read_script
from oracles.constraints.clause_alignment import align_clauses, clauses_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from harness.smtlib.script import Script

COMMENT = ";"
"""What begins a clause; a model writes it when it has stated the clause before."""


@dataclass(frozen=True, slots=True)
class ClauseCommands:
    """A clause of a problem with the commands that state it."""

    clause: str
    commands: tuple[str, ...]


def commented_clauses(problem: str, program: str) -> list[ClauseCommands]:
    """Return the clauses of a problem, each with the declarations and assertions of the program that belong to it.

    A constant is declared with the first clause that speaks of it, and an assertion stands where all its constants are declared. What no
    clause states stands with the assertion before it.
    """
    script = read_script(program)
    alignment = align_clauses(problem, program)
    if not alignment.clauses:
        return []
    last = len(alignment.clauses) - 1
    places: list[int] = []
    for place in alignment.order:
        places.append(place if place is not None else (places[-1] if places else 0))
    used = [
        frozenset(atom.name for atom in walk(node) if isinstance(atom, Atom)) for node in script.assertions
    ]
    written: list[list[str]] = [[] for _ in alignment.clauses]
    lines = {place: write_script([command]).strip() for place, command in enumerate(script.commands)}
    for place, names in _declarations(script):
        clauses = [clause for clause, own in zip(places, used, strict=True) if own & names]
        said = [clause for clause, own in enumerate(alignment.names) if own & names]
        first = last if names == {ANSWER} else min([*clauses, *said], default=0)
        written[min([first, *clauses])].append(lines[place])
    for clause, node in zip(places, script.assertions, strict=True):
        written[clause].append(f"(assert {write_node(node)})")
    return [
        ClauseCommands(clause.text, tuple(commands))
        for clause, commands in zip(alignment.clauses, written, strict=True)
    ]


def _declarations(script: Script) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield the commands that declare, in order, each with the names for the sake of which it stands where it does."""
    declared = [(declaration.command, frozenset({declaration.name}), declaration.sort) for declaration in script.declarations]
    for enumeration in script.enumerations:
        # A sort stands before the constants that have it.
        names = frozenset[str]().union(*(names for _, names, sort in declared if sort == enumeration.name))
        declared.append((enumeration.command, names or frozenset(enumeration.values), ""))
    for command, names, _ in sorted(declared):
        yield command, names


def form_of(clauses: Iterable[ClauseCommands]) -> str:
    """Return the text of the form: a comment and its commands, one a line."""
    return "\n".join("\n".join((f"{COMMENT} {part.clause}", *part.commands)) for part in clauses)


def program_of(commands: Sequence[str]) -> str:
    """Return the program of commands: the logic that they need, the commands, the check, and the question for the answer."""
    text = "\n".join(commands)
    script = read_script(f"(set-logic ALL)\n{text}\n{CHECK}\n")
    asked = any(declaration.name == ANSWER and not declaration.sorts for declaration in script.declarations)
    return "\n".join([f"(set-logic {narrowest(script.features)})", text, CHECK, *([VALUE] if asked else [])]) + "\n"


def clause_texts(problem: str) -> list[str]:
    """Return the clauses of a problem, as the form has them."""
    return [" ".join(clause.text.split()) for clause in clauses_of(problem)]
