"""The commands and options of SMT-LIB2, which of them a script may contain, and which may be put to a solver."""

from collections.abc import Sequence

from harness.smtlib.s_expressions import Atom, NodeGroup

_DECLARING = (
    "declare-sort define-sort declare-datatype declare-datatypes declare-const declare-fun define-const define-fun"
)
DECLARING = frozenset(_DECLARING.split())
"""The commands that declare or define a sort, a constant or a function."""

ALLOWED = DECLARING | {"set-logic", "set-info", "set-option", "assert", "check-sat", "get-model", "get-value"}
"""The commands that may reach a solver; none of them reads or writes files, changes limits, or undoes or ends anything."""

_REFUSED = "assert-soft check-sat-assuming declare-codatatype declare-codatatypes declare-datatypes-rec define-fun-rec define-funs-rec define-sort-rec echo eval exit get-assertions get-assignment get-info get-objectives get-option get-proof get-unsat-assumptions get-unsat-core include maximize minimize pop push reset reset-assertions simplify"
REFUSED = frozenset(_REFUSED.split())
"""The commands of solvers that no script may contain."""

SOLVED = frozenset({"push", "pop", "check-sat-assuming", "define-fun-rec", "define-funs-rec"})
"""The refused commands that a validation puts to the solvers: they change what is asserted and read or write no files."""

_SAYING = "set-info get-model get-value echo get-assertions get-assignment get-info get-option get-proof get-unsat-assumptions get-unsat-core"
SAYING = frozenset(_SAYING.split())
"""The commands that a validation leaves out: they print something, and change nothing."""

OPTIONS = frozenset({":produce-models", ":produce-unsat-cores"})
"""The options a script may set, to `true` or `false`."""

RECOVERING = frozenset(name for name in ALLOWED | REFUSED if "-" in name or name == "assert")
"""The names that begin a command after any parenthesis, because no function has such a name."""

MOST_SCOPE_DIGITS = 3
"""Digits of the number of scopes that a command opens: a hundred million take a solver ten seconds and two gigabytes."""


def is_harmless(commands: Sequence[NodeGroup]) -> bool:
    """Tell whether solvers may be given commands: none reads or writes files, changes limits, or opens scopes without end."""
    for number, command in enumerate(commands):
        if command.head == "set-option":
            option = command.items[1] if len(command.items) == 3 else None
            if not isinstance(option, Atom) or option.text not in OPTIONS:
                return False
        elif command.head == "exit":
            if number < len(commands) - 1:
                return False
        elif command.head not in ALLOWED | SOLVED | SAYING or (
            command.head in {"push", "pop"}
            and any(isinstance(count, Atom) and len(count.text) > MOST_SCOPE_DIGITS for count in command.arguments)
        ):
            return False
    return True
