"""How SMT-LIB2, C, Python, LaTeX and logic write operators, commands and sorts, and slips of a letter in names."""

import re

from harness.smtlib.s_expressions import Node, NodeGroup
from harness.smtlib.vocabulary import ALLOWED, REFUSED
from harness.text.names import name_parts

_OPERATORS = {
    "and": r"and & && /\ ∧ ⋀ \land \wedge",
    "or": r"or | || \/ ∨ ⋁ \lor \vee",
    "not": r"not ! ~ ¬ \lnot \neg",
    "xor": r"xor ⊕ \oplus",
    "=>": r"=> -> --> ==> → ⇒ ⟹ implies \to \implies \rightarrow \Rightarrow \Longrightarrow",
    "<=>": r"<=> <-> <==> ↔ ⇔ iff \iff \leftrightarrow \Leftrightarrow",
    "=": r"= == === eq",
    "distinct": r"distinct != /= <> !== ≠ ne neq noteq alldifferent alldiff \ne \neq",
    "<": r"< lt \lt",
    "<=": r"<= =< ≤ ⩽ le leq lte \le \leq \leqslant",
    ">": r"> gt \gt",
    ">=": r">= ≥ ⩾ ge geq gte \ge \geq \geqslant",
    "+": "+",
    "-": "- −",
    "*": r"* × · ⋅ \cdot \times",
    "/": "/ ÷",
    "div": "div //",
    "mod": r"mod % \bmod \mod",
    "abs": "abs",
    "ite": "ite if",
    "to_real": "to_real toreal",
    "to_int": "to_int toint",
    "is_int": "is_int isint",
    "forall": "forall ∀",
    "exists": "exists ∃",
    "let": "let",
}
_BY_SPELLING = {spelling: name for name, spellings in _OPERATORS.items() for spelling in spellings.split()}
SIGNS = tuple(sorted((sign for sign in _BY_SPELLING if not sign[-1].isalpha()), key=len, reverse=True))
"""The spellings that are no words, the longest first."""
_BY_CLOSENESS = ("<=>", "=>", "or", "xor", "and", "= distinct < <= > >=", "+ -", "* / div mod")
CLOSENESS = {name: place for place, names in enumerate(_BY_CLOSENESS, start=1) for name in names.split()}
"""How closely each operator binds that may stand between two arguments."""
COMPARISON, SUM, SIGN = CLOSENESS["="], CLOSENESS["+"], len(_BY_CLOSENESS) + 1
_COMMANDS = {
    "declare-const": "declare declare-var declare-variable declare-constant declare-symbol const var",
    "declare-fun": "declare-function",
    "define-fun": "define define-function",
    "assert": "constraint assert-that",
    "check-sat": "check checksat check-satisfiability",
    "set-logic": "logic setlogic",
    "get-model": "model getmodel",
}
_SORTS = {"Int": "int integer ℤ", "Bool": "bool boolean", "Real": "real float double ℝ"}
_COMMAND_NAMES = {spelling: name for name, spellings in _COMMANDS.items() for spelling in spellings.split()}
_SORT_NAMES = {spelling: name for name, spellings in _SORTS.items() for spelling in spellings.split()}
_SHORTEST = 5


def operator(text: str) -> str | None:
    """Return the operator that a sign or word stands for, `<=>` among them; `None` where it is not one."""
    found = _BY_SPELLING.get(text)
    if found is None and text[:1].isalpha():
        found = _BY_SPELLING.get(text.lower().replace("_", ""))
    return found


def function(text: str) -> str | None:
    """Return the function of SMT-LIB2 that a sign or word before its arguments stands for; `None` where it is not one."""
    found = operator(text)
    return "=" if found == "<=>" else found


def has_one_argument(node: Node) -> bool:
    """Tell whether a term is `(and p)` or `(or p)`, which solvers read, and which the standard does not have."""
    return isinstance(node, NodeGroup) and node.head in {"and", "or"} and len(node.arguments) == 1


def command_name(text: str) -> str | None:
    """Return the command that a word spells: in other letters, as other languages do, or with one slip of a letter."""
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", text).lower().replace("_", "-").strip(":!,.")
    if plain in ALLOWED | REFUSED:
        return plain
    near = [name for name in _COMMANDS if is_near_name(plain, name)]
    return _COMMAND_NAMES.get(plain) or (near[0] if len(near) == 1 else None)


def sort_name(text: str) -> str | None:
    """Return the sort of SMT-LIB2 that a word of another language means."""
    return _SORT_NAMES.get(text.strip(":").lower().removeprefix("$"))


def folded_name(name: str) -> str:
    """Return a name without the signs between its words."""
    return re.sub(r"[-_. ]", "", name).lower()


def is_near_name(left: str, right: str) -> bool:
    """Tell whether one slip makes two names alike: a letter put in, left out or exchanged, or two neighbours swapped.

    Not where the slip is one of digits, or a whole word is one letter, as in `start_a` and `start_b`: those are two names.
    """
    numbers = [re.findall(r"\d+", name) for name in (left, right)]
    if max(len(left), len(right)) < _SHORTEST or numbers[0] != numbers[1]:
        return False
    shorter, longer = sorted((left.lower(), right.lower()), key=len)
    pairs = enumerate(zip(shorter, longer, strict=False))
    first = next((place for place, (letter, other) in pairs if letter != other), len(shorter))
    inserted = shorter[first:] == longer[first + 1 :]
    exchanged = len(shorter) == len(longer) and shorter[first + 1 :] == longer[first + 1 :]
    swapped = shorter == longer[:first] + longer[first : first + 2][::-1] + longer[first + 2 :]
    if shorter == longer or not (inserted or exchanged or swapped):
        return False
    first_words, second_words = name_parts(left), name_parts(right)
    differing = [pair for pair in zip(first_words, second_words, strict=False) if pair[0] != pair[1]]
    return len(first_words) != len(second_words) or any(max(map(len, pair)) > 1 for pair in differing)
