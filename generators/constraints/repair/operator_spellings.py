"""The one table of operators: how SMT-LIB2, C, Python, LaTeX and logic write them, and how closely they bind between arguments."""

from __future__ import annotations

_SPELLINGS = {
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
_BY_SPELLING = {spelling: name for name, spellings in _SPELLINGS.items() for spelling in spellings.split()}
SIGNS = tuple(sorted((sign for sign in _BY_SPELLING if not sign[-1].isalpha()), key=len, reverse=True))
"""The spellings that are no words, the longest first."""
_BY_CLOSENESS = ("<=>", "=>", "or", "xor", "and", "= distinct < <= > >=", "+ -", "* / div mod")
_CLOSENESS = {name: place for place, names in enumerate(_BY_CLOSENESS, start=1) for name in names.split()}
COMPARISON, SUM, SIGN = _CLOSENESS["="], _CLOSENESS["+"], len(_BY_CLOSENESS) + 1


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


def closeness(name: str) -> int | None:
    """Return how closely an operator binds between two arguments, `None` where it does not stand there."""
    return _CLOSENESS.get(name)
