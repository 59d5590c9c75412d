"""The table of formulas that people confuse, such as area and perimeter."""

from __future__ import annotations

from typing import Any

from generators.flaws.knowledge.formula_patterns import Formula, PlaceholderKind
from harness.solution.phrases.explanation_phrases import FORMULA_CLAUSES
from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)
_PATTERNS: dict[str, str] = _LISTS.mapping("patterns")


def _pattern(stated: str) -> str:
    return _PATTERNS[stated[1:]] if stated.startswith("@") else stated


def _formula(entry: dict[str, Any]) -> Formula:
    fields: dict[str, Any] = {
        **entry,
        **FORMULA_CLAUSES[entry["name"]],
        **{key: tuple(entry[key]) for key in ("right", "wrong")},
        **{key: _pattern(entry[key]) for key in ("about", "unlike", "question") if key in entry},
        "roles": {letter: _pattern(role) for letter, role in entry.get("roles", {}).items()},
        "kinds": {letter: PlaceholderKind[kind.upper()] for letter, kind in entry.get("kinds", {}).items()},
    }
    return Formula(**fields)


FORMULAS = tuple(map(_formula, _LISTS.records("formulas")))
