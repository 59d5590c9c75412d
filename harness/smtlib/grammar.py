"""Which texts are programs in SMT-LIB2, told as a grammar that a language model can be held to?

`open_grammar` is all programs in the logics below, whatever they declare: syntactically valid by construction, in the
notation of llguidance (Lark) or of llama.cpp (GBNF). `grammar_after` goes on from the commands that are there already: a
name is declared once and before it is used, every term has its sort, functions have their arguments, and the program ends
only once `answer` is declared. So what it accepts is read by the solvers without an error.

    python -m harness.smtlib.grammar --notation gbnf > smtlib.gbnf
"""

from __future__ import annotations

import argparse
import enum
import json
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.smtlib.script import read_script

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from harness.smtlib.script import Script

ANSWER = "answer"
END = "(check-sat)"
ASKED = f"(get-value ({ANSWER}))"


class Notation(enum.StrEnum):
    """How a grammar is written down."""

    LARK = "lark"
    GBNF = "gbnf"


@dataclass(frozen=True, slots=True)
class Logic:
    """Which sorts a logic knows beside Bool, and whether functions and sorts of one's own may be declared."""

    sorts: tuple[str, ...] = ()
    functions: bool = False
    enumerations: bool = False


LOGICS: Mapping[str, Logic] = {
    "QF_LIA": Logic(("Int",)),
    "QF_LRA": Logic(("Real",)),
    "QF_LIRA": Logic(("Int", "Real")),
    "QF_UF": Logic((), functions=True),
    "QF_UFLIA": Logic(("Int",), functions=True),
    "QF_UFDT": Logic((), functions=True, enumerations=True),
    "QF_UFDTLIA": Logic(("Int",), functions=True, enumerations=True),
    "ALL": Logic(("Int", "Real"), functions=True, enumerations=True),
}
"""The logics that programs may set; z3 and cvc5 know each of them."""
_RESERVED = (
    *("BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL", "STRING", "as", "let", "exists", "forall", "match", "par"),
    *(
        "true",
        "false",
        "not",
        "and",
        "or",
        "xor",
        "ite",
        "distinct",
        "div",
        "mod",
        "abs",
        "to_real",
        "to_int",
        "is_int",
    ),
    *("assert", "echo", "exit", "pop", "push", "reset", "declare", "define", "check", "get", "set", "is"),
    *("Bool", "Int", "Real", "String", "Array", "Set", "Seq", "Bag", "Tuple", "List", "Pair", "RegLan", "RoundingMode"),
    *(
        "divisible",
        "select",
        "store",
        "const",
        "exp",
        "sin",
        "cos",
        "tan",
        "pi",
        "sqrt",
        "root",
        "pow",
        "iand",
        "implies",
    ),
    *(
        "iff",
        "if",
        "bv2nat",
        "int2bv",
        "emp",
        "sep",
        "table",
        "first",
        "second",
        "insert",
        "head",
        "tail",
        "nil",
        "cons",
    ),
    *("Float16", "Float32", "Float64", "Float128", "FloatingPoint", "BitVec", "Unicode", "Relation", "Table", "update"),
    *("Nil", "RNE", "RNA", "RTP", "RTN", "RTZ", "NaN", "member", "card", "choose", "complement", "join", "bag", "char"),
)
"""Words that SMT-LIB or one of the solvers keeps for itself."""
LONGEST_NAME = 40
_LETTERS = "a-zA-Z_"
_SIGNS = "a-zA-Z0-9_"
_KINDS = {"Bool": "bool", "Int": "int", "Real": "real"}


def open_grammar(notation: Notation) -> str:
    """Return the grammar of all programs; symbols may be any, so that names and sorts can still be undeclared."""
    rules = _Rules()
    programs = []
    for name, logic in LOGICS.items():
        prefix = name.lower().replace("_", "")
        kinds = _kinds(logic, prefix)
        if logic.functions or logic.enumerations:
            kinds["thing"] = f"{prefix}thing"
        leaves = {kind: ["NAME"] for kind in kinds}
        if logic.functions:
            rules.add(f"{prefix}call", '"(" NAME (" " ' + f"{prefix}term" + ')+ ")"')
            rules.add(f"{prefix}term", *kinds.values())
            leaves = {kind: [*found, f"{prefix}call"] for kind, found in leaves.items()}
        _terms(rules, kinds, leaves, prefix)
        sorts = [_text(sort) for sort in ("Bool", *logic.sorts)]
        if logic.functions or logic.enumerations:
            sorts.append("NAME")
        rules.add(f"{prefix}sort", *sorts)
        rules.add(f"{prefix}declared", *_declarations(logic, "NAME", f"{prefix}sort"))
        rules.add(
            f"{prefix}program",
            f"{_text(f'(set-logic {name})')} (NEWLINE {prefix}declared)* (NEWLINE {prefix}asserted)+ (NEWLINE {prefix}declared | NEWLINE {prefix}asserted)* ending",
        )
        programs.append(f"{prefix}program")
    rules.add("ending", f"NEWLINE {_text(END)} (NEWLINE {_text(ASKED)})? NEWLINE?")
    rules.add("start", *programs)
    return rules.write(notation, ())


def grammar_after(commands: str, notation: Notation) -> str:
    """Return the grammar of the programs that begin with these commands, one a line, and end in the next declaration at the latest.

    Behind a declaration it allows any text, since a token may reach beyond it: whoever holds a model to it asks for the
    next grammar as soon as the declaration is complete.
    """
    script = read_script(commands)
    rules = _Rules()
    if script.logic is None:
        rules.add("start", f'"(set-logic " ({_any(LOGICS)}) {_text(")" + chr(10) + "(")} REST')
        return rules.write(notation, ())
    logic = LOGICS.get(script.logic, LOGICS["ALL"])
    kinds, leaves = _kinds(logic, ""), {"Bool": ["false"], "Int": ["false"], "Real": ["false"]}
    leaves = {kind: [] for kind in kinds}
    named = [*script.sorts, *(one.name for one in script.enumerations)]
    for number, sort in enumerate(named):
        kinds[sort] = f"sort{number}"
        leaves[sort] = []
    for one in script.enumerations:
        leaves[one.name] += map(_text, one.values)
    for declaration in script.declarations:
        if declaration.sort in kinds and all(sort in kinds for sort in declaration.sorts):
            arguments = "".join(f' " " {kinds[sort]}' for sort in declaration.sorts)
            name = _text(declaration.name)
            leaves[declaration.sort].append(f'"(" {name}{arguments} ")"' if arguments else name)
    for sort in [sort for sort in named if not leaves[sort]]:
        # Nothing is of this sort yet, so that no term has it; what is a function of it cannot be applied.
        rules.add(kinds[sort], '"?"')
    _terms(rules, kinds, leaves, "")
    used = {*named, *(one.name for one in script.declarations), *(v for one in script.enumerations for v in one.values)}
    rules.add("sort", *(_text(sort) for sort in kinds))
    rules.add("declared", *_declarations(logic, "NAME", "sort"))
    begun = _text(commands.rstrip("\n"))
    asserted = "(NEWLINE asserted)*" if script.assertions else "(NEWLINE asserted)+"
    going = f"(NEWLINE asserted)* NEWLINE declared {_text(chr(10) + '(')} REST"
    ends = any(one.name == ANSWER and not one.sorts for one in script.declarations)
    rules.add("start", f"{begun} ({going} | {asserted} ending)" if ends else f"{begun} {going}")
    if ends:
        rules.add("ending", f"NEWLINE {_text(END)} (NEWLINE {_text(ASKED)})? NEWLINE?")
    return rules.write(notation, used)


def _kinds(logic: Logic, prefix: str) -> dict[str, str]:
    return {sort: f"{prefix}{_KINDS[sort]}" for sort in ("Bool", *logic.sorts)}


def _text(literal: str) -> str:
    return json.dumps(literal)


def _any(literals: Iterable[str]) -> str:
    return " | ".join(map(_text, literals))


def _declarations(logic: Logic, name: str, sort: str) -> list[str]:
    made = [f'"(declare-const " {name} " " {sort} ")"']
    if logic.functions:
        made.append(f'"(declare-fun " {name} " (" ({sort} (" " {sort})*)? ") " {sort} ")"')
        made.append(f'"(declare-sort " {name} " 0)"')
    if logic.enumerations:
        made.append(f'"(declare-datatypes ((" {name} " 0)) (((" {name} ")" (" (" {name} ")")* ")))"')
    return made


def _terms(rules: _Rules, kinds: Mapping[str, str], leaves: Mapping[str, Sequence[str]], prefix: str) -> None:
    """Add the rules of terms by sort: `kinds` names the rule of each sort, `leaves` what stands for it without an operator."""
    boolean = kinds["Bool"]
    made: dict[str, list[str]] = {sort: list(found) for sort, found in leaves.items()}
    two = f'" " {boolean} (" " {boolean})+'
    made["Bool"] += ['"true"', '"false"', f'"(not " {boolean} ")"', f'"(" ("and" | "or" | "=>" | "xor") {two} ")"']
    for sort, rule in kinds.items():
        if sort not in _KINDS and not leaves[sort]:
            continue
        made["Bool"].append(f'"(" ("=" | "distinct") " " {rule} (" " {rule})+ ")"')
        made[sort].append(f'"(ite " {boolean} " " {rule} " " {rule} ")"')
    for sort, number in (("Int", "NUMERAL"), ("Real", "DECIMAL")):
        if sort not in kinds:
            continue
        rule = kinds[sort]
        made["Bool"].append(f'"(" ("<=" | ">=" | "<" | ">") " " {rule} (" " {rule})+ ")"')
        made[sort] += [
            number,
            f'"(- " {rule} ")"',
            f'"(" ("+" | "-") " " {rule} (" " {rule})+ ")"',
            # Linear: one of the factors is a constant.
            f'"(* " {prefix}{sort.lower()}factor " " {rule} ")"',
            f'"(* " {rule} " " {prefix}{sort.lower()}factor ")"',
        ]
        rules.add(f"{prefix}{sort.lower()}factor", number, f'"(- " {number} ")"')
    if "Int" in kinds:
        made["Int"] += [f'"(" ("div" | "mod") " " {kinds["Int"]} " " POSITIVE ")"', f'"(abs " {kinds["Int"]} ")"']
    if "Real" in kinds:
        made["Real"].append(f'"(/ " {kinds["Real"]} " " ("POSITIVE" | DECIMAL) ")"'.replace('"POSITIVE"', "POSITIVE"))
    if "Int" in kinds and "Real" in kinds:
        made["Real"].append(f'"(to_real " {kinds["Int"]} ")"')
    for sort, alternatives in made.items():
        if alternatives:
            rules.add(kinds[sort], *alternatives)
    rules.add(f"{prefix}asserted", f'"(assert " {boolean} ")"')
