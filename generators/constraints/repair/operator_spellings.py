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
    "^": "^ **",
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
EQUIVALENCE, IMPLICATION, COMPARISON, SUM, PRODUCT, SIGN, POWER = 1, 2, 6, 7, 8, 9, 10
_CLOSENESS = {
    "<=>": EQUIVALENCE,
    "=>": IMPLICATION,
    "or": 3,
    "xor": 4,
    "and": 5,
    "^": POWER,
    **dict.fromkeys(("=", "distinct", "<", "<=", ">", ">="), COMPARISON),
    **dict.fromkeys(("+", "-"), SUM),
    **dict.fromkeys(("*", "/", "div", "mod"), PRODUCT),
}
COMPARISONS = frozenset(name for name, closeness in _CLOSENESS.items() if closeness == COMPARISON)


def operator(text: str) -> str | None:
    """Return the operator that a sign or word stands for, `<=>` and `^` among them; `None` where it is not one."""
    found = _BY_SPELLING.get(text)
    if found is None and text[:1].isalpha():
        found = _BY_SPELLING.get(text.lower().replace("_", ""))
    return found


def function(text: str) -> str | None:
    """Return the function of SMT-LIB2 that a sign or word before its arguments stands for; `None` where it is not one."""
    found = operator(text)
    return {"<=>": "=", "^": None}.get(found, found) if found else None


def closeness(name: str) -> int | None:
    """Return how closely an operator binds between two arguments, `None` where it does not stand there."""
    return _CLOSENESS.get(name)
