"""The commands and options of SMT-LIB2, and which of them a script may contain."""

DECLARING = frozenset(
    {
        "declare-sort",
        "define-sort",
        "declare-datatype",
        "declare-datatypes",
        "declare-const",
        "declare-fun",
        "define-const",
        "define-fun",
    }
)
"""The commands that declare or define a sort, a constant or a function."""

ALLOWED = DECLARING | {"set-logic", "set-info", "set-option", "assert", "check-sat", "get-model", "get-value"}
"""The commands that may reach a solver; none of them reads or writes files, changes limits, or undoes or ends anything."""

REFUSED = frozenset(
    {
        "check-sat-assuming",
        "declare-codatatype",
        "declare-codatatypes",
        "declare-datatypes-rec",
        "define-fun-rec",
        "define-funs-rec",
        "define-sort-rec",
        "echo",
        "eval",
        "exit",
        "get-assertions",
        "get-assignment",
        "get-info",
        "get-objectives",
        "get-option",
        "get-proof",
        "get-unsat-assumptions",
        "get-unsat-core",
        "include",
        "maximize",
        "minimize",
        "pop",
        "push",
        "reset",
        "reset-assertions",
        "simplify",
    }
)
"""The commands of solvers that no script may contain."""

SOLVED = frozenset({"push", "pop", "check-sat-assuming", "define-fun-rec", "define-funs-rec"})
"""The refused commands that a validation puts to the solvers: they change what is asserted and read or write no files."""

SAYING = frozenset(
    {
        "set-info",
        "get-model",
        "get-value",
        "echo",
        "get-assertions",
        "get-assignment",
        "get-info",
        "get-option",
        "get-proof",
        "get-unsat-assumptions",
        "get-unsat-core",
    }
)
"""The commands that a validation leaves out: they print something, and change nothing."""

OPTIONS = frozenset({":produce-models", ":produce-unsat-cores"})
"""The options a script may set, to `true` or `false`."""

RECOVERING = frozenset(name for name in ALLOWED | REFUSED if "-" in name or name == "assert")
"""The names that begin a command after any parenthesis, because no function has such a name."""
