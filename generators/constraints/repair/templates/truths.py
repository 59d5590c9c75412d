"""The template of statements about what is true and false: who comes, lies or pays, if somebody else does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generators.constraints.repair.templates.problem_statements import MOST_NAMES, ProblemReading, clauses, symbols
from generators.constraints.repair.templates.relations import NAME, NAMES, named
from harness.text.lexicon import word_lists

if TYPE_CHECKING:
    from collections.abc import Sequence

_LISTS = word_lists(__file__)
_IF = re.compile(r"^[Ii]f (?P<test>.+?)(?:, then | then |, )(?P<then>.+)$")
_LATE = re.compile(r"^(?P<then>.+?) (?P<word>if and only if|only if|if|unless) (?P<test>.+)$")
_SAYING = re.compile(
    rf"^(?i:(?P<quantity>either |neither |both |not both |exactly one of |at least one of |at most one of ))?(?P<names>{NAME}(?: nor {NAME})+|{NAMES}) (?P<rest>[a-z].{{0,40}})$"
)
_NEGATION = re.compile(rf"\b(?:{_LISTS.either('denials')}) ?")
_HELPERS = re.compile(r"^(?:will|is|are|does|do|also|can|must|has to|have to|has|have)\s+")
MOST_WORDS = 4


class _Atoms:
    """The statements of a text without their negations, by subject and predicate."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str], str] = {}

    def formula(self, text: str) -> str | None:
        """Return a proposition as a formula, its atoms in braces; `None` where it cannot be read."""
        text = text.strip(" .,")
        said = _SAYING.match(text[0].upper() + text[1:] if text else "")
        if said is None or said["names"].split()[0].lower() in {"if", "the", "it", "there", "they", "he", "she"}:
            return None
        rest = said["rest"]
        denied = len(_NEGATION.findall(rest)) % 2 == 1
        what = _HELPERS.sub("", _NEGATION.sub("", rest).strip())
        if not what or len(what.split()) > MOST_WORDS or re.search(r"\d|,|\b(?:and|or|than|as|more|same)\b", what):
            return None
        key = " ".join(
            word if number else re.sub(r"(?<=[a-z]{2})(?<!s)s$", "", word) for number, word in enumerate(what.split())
        )
        names = [name for name in named(said["names"]) if name.lower() not in {"either", "neither", "both"}]
        atoms = [f"{{{self._symbol(name, key)}}}" for name in names]
        return _joined(atoms, (said["quantity"] or "").strip().lower(), said["names"], denied=denied)

    def _symbol(self, name: str, key: str) -> str:
        return self.found.setdefault((name, key), f"a{len(self.found)}")


def _joined(atoms: list[str], quantity: str, names: str, *, denied: bool) -> str | None:
    """Return the formula of a quantity such as `exactly one of` over atoms."""
    signed = [f"(not {atom})" if denied else atom for atom in atoms]
    every = signed[0] if len(signed) == 1 else f"(and {' '.join(signed)})"
    some = signed[0] if len(signed) == 1 else f"(or {' '.join(signed)})"
    if not quantity or quantity == "both":
        return some if " or " in names else every
    if len(atoms) < 2:
        return None
    if quantity in {"either", "at least one of"}:
        return some
    if quantity == "neither":
        return None if denied else f"(not {some})"
    if quantity == "not both":
        return None if denied else f"(not {every})"
    pairs = [f"(not (and {left} {right}))" for number, left in enumerate(signed) for right in signed[number + 1 :]]
    return f"(and {' '.join([some, *pairs] if quantity == 'exactly one of' else pairs)})"


def truths(sentences: Sequence[str]) -> ProblemReading | None:
    """Return the reading of a text whose statements are conditions on what named persons do; `None` where it has none."""
    atoms = _Atoms()
    told: list[tuple[str, str]] = []
    conditions = 0
    for sentence in sentences:
        parts = (
            [sentence.strip(" .")] if _IF.match(sentence) or _LATE.match(sentence.strip(" .")) else clauses([sentence])
        )
        for clause in parts:
            formula = _conditional(atoms, clause)
            conditions += formula is not None
            formula = formula or atoms.formula(clause)
            if formula is not None:
                told.append((formula, clause))
    if not conditions or len(atoms.found) > MOST_NAMES:
        return None
    alike = len({key for _, key in atoms.found}) == 1
    names = [name if alike else f"{name} {key}" for name, key in atoms.found]
    constants = dict(zip(atoms.found.values(), symbols(names).values(), strict=True))
    facts = [(formula.format_map(constants), clause) for formula, clause in told]
    return ProblemReading(dict.fromkeys(constants.values(), "Bool"), (), facts)


def _conditional(atoms: _Atoms, clause: str) -> str | None:
    if found := _IF.match(clause):
        word = "if"
    elif found := _LATE.match(clause):
        word = found["word"]
    else:
        return None
    test, then = atoms.formula(found["test"]), atoms.formula(found["then"])
    if test is None or then is None:
        return None
    match word:
        case "if":
            return f"(=> {test} {then})"
        case "only if":
            return f"(=> {then} {test})"
        case "unless":
            return f"(or {test} {then})"
    return f"(= {test} {then})"
