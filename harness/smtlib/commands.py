"""The commands and options of SMT-LIB2, and which of them a script may contain."""

ALLOWED = frozenset(
    {
        "set-logic",
        "set-info",
        "set-option",
        "declare-sort",
        "define-sort",
        "declare-datatype",
        "declare-datatypes",
        "declare-const",
        "declare-fun",
        "define-const",
        "define-fun",
        "assert",
        "check-sat",
        "get-model",
        "get-value",
    }
)
"""What may reach a solver: nothing that reads or writes files, changes limits, undoes or ends anything."""

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
"""What a solver knows and no script here may say."""

OPTIONS = frozenset({":produce-models", ":produce-unsat-cores"})
"""The options a script may set, to `true` or `false`."""

RECOVERING = frozenset(name for name in ALLOWED | REFUSED if "-" in name or name == "assert")
"""Names that begin a command wherever they follow a parenthesis: no function is called so."""
