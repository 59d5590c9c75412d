"""Templates of friendships, of slots, and of values that are equal or differ."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from generators.constraints.repair.templates.problem_statements import MOST_NAMES, ProblemReading, clauses, symbols
from harness.text.lexicon import word_lists
from harness.text.numbers import TEENS, UNITS

if TYPE_CHECKING:
    from collections.abc import Sequence

_LISTS = word_lists(__file__)
_DAYS = _LISTS.mapping("days")
_COUNTS = {word: number for number, word in enumerate((*UNITS, *TEENS)) if 0 < number <= MOST_NAMES}

NAME = r"(?<![A-Za-z])[A-Z][A-Za-z]*+"
NAMES = rf"{NAME}(?:(?:, and|, or|,| and| or) {NAME})*"
_EITHER_WAY = re.compile(rf"\b(?:{_LISTS.either('unsure')})\b", re.IGNORECASE)

_FRIENDS = re.compile(
    rf"(?P<all>{NAMES}) are (?P<no>not |no )?(?:all )?(?:friends|friendly)$"
    rf"|(?P<left>{NAME}) (?:is|are) (?P<none>not |no )?(?:a )?(?:friends? (?:of|with)|friendly with) (?P<right>{NAMES})$"
    rf"|(?P<liking>{NAME}) (?P<dis>does not |doesn't )?(?:knows?|is acquainted with) (?P<liked>{NAMES})$"
)


def named(text: str) -> list[str]:
    """Return the names of a list such as `Ann, Bob and Cy`."""
    return re.findall(NAME, text)


def friendships(sentences: Sequence[str]) -> ProblemReading | None:
    """Return the reading of a text that says who is a friend of whom, which goes both ways; `None` where it does not."""
    facts: list[tuple[str, str]] = []
    pairs: dict[tuple[str, str], str] = {}

    def friends(left: str, right: str) -> str:
        first, second = sorted((left, right))
        return pairs.setdefault((first, second), f"friends_{first.lower()}_{second.lower()}")

    for clause in clauses(sentences):
        found = None if _EITHER_WAY.search(clause) else _FRIENDS.search(clause)
        if found is None:
            continue
        if found["all"]:
            names, told = named(found["all"]), list(itertools.combinations(named(found["all"]), 2))
        else:
            left, others = found["left"] or found["liking"], named(found["right"] or found["liked"])
            names, told = [left, *others], [(left, other) for other in others]
        if len(set(names)) < len(names) or not told:
            continue
        denied = bool(found["no"] or found["none"] or found["dis"])
        formulas = [f"(not {friends(*pair)})" if denied else friends(*pair) for pair in told]
        facts.append((formulas[0] if len(formulas) == 1 else f"(and {' '.join(formulas)})", clause))
    return ProblemReading(dict.fromkeys(pairs.values(), "Bool"), (), facts) if 0 < len(pairs) <= MOST_NAMES else None


_SLOT = rf"(?:{_LISTS.either('slot')})"
_PLACE = rf"(?:(?:the )?(?:{_SLOT} (?P<number>\d+)|(?P<ordinal>first|second|third|fourth|fifth|sixth|seventh) {_SLOT})|(?P<day>{'|'.join(_DAYS)}))"
_AT = re.compile(
    rf"(?P<names>{NAMES}) (?:is|are|sits?|meets?|works?|goes|runs?|stays?|takes place)(?P<no> not)? (?:both )?(?:scheduled |placed |assigned |put )?(?:for |in |on |at |to )?{_PLACE}$"
)
_SAME = re.compile(
    rf"(?P<names>{NAMES}) (?:(?P<no>do not|don't|cannot|never) )?(?:are in|are on|are at|are scheduled (?:for|in|on|at)|share|use|have|get)"
    rf" (?:an? |the )?(?P<how>same |different |one )?{_SLOT}s?$"
)
_EARLIER = re.compile(
    rf"(?P<left>{NAME}) is (?:scheduled )?(?P<no>not )?(?:some time |sometime )?(?P<way>before|after|earlier than|later than) (?P<right>{NAME})$"
)
_HOW_MANY = re.compile(
    rf"\b(?P<count>\d+|{'|'.join(_COUNTS)}) {_SLOT}s\b|\b{_SLOT}s? (?:1|one) (?:to|through|-) (?P<last>\d+)\b",
    re.IGNORECASE,
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")


def slots(sentences: Sequence[str]) -> ProblemReading | None:
    """Return the reading of a text that puts named things into numbered slots or on days; `None` where it does not."""
    names: dict[str, None] = {}
    told: list[tuple[str, str]] = []
    highest = 0
    for clause in clauses(sentences):
        if _EITHER_WAY.search(clause):
            continue
        if found := _AT.search(clause):
            place = _place(found)
            highest = max(highest, place)
            mentioned = named(found["names"])
            formulas = [f"(= {{{name}}} {place})" for name in mentioned]
            if found["no"]:
                formulas = [f"(not {formula})" for formula in formulas]
            told.append((formulas[0] if len(formulas) == 1 else f"(and {' '.join(formulas)})", clause))
        elif (found := _SAME.search(clause)) and len(mentioned := named(found["names"])) > 1:
            together = (found["how"] or "same ").strip() != "different"
            if found["no"] and not together:
                continue
            listed = " ".join(f"{{{name}}}" for name in mentioned)
            told.append((f"(= {listed})" if together and not found["no"] else f"(distinct {listed})", clause))
        elif found := _EARLIER.search(clause):
            mentioned = [found["left"], found["right"]]
            sign = "<" if found["way"] in {"before", "earlier than"} else ">"
            formula = f"({sign} {{{found['left']}}} {{{found['right']}}})"
            told.append((f"(not {formula})" if found["no"] else formula, clause))
        else:
            continue
        names.update(dict.fromkeys(mentioned))
    said = next((found for sentence in sentences if (found := _HOW_MANY.search(sentence))), None)
    if not 0 < len(names) <= MOST_NAMES or not any("{" in formula for formula, _ in told):
        return None
    constants = symbols(list(names))
    days = _DAYS.keys() & set(named(" ".join(sentences)))
    last = _number(said["count"] or said["last"]) if said else len(_DAYS) if days else 0
    always = [f"(<= 1 {name} {last})" if last >= highest and last else f"(<= 1 {name})" for name in constants.values()]
    facts = [(formula.format_map(constants), clause) for formula, clause in told]
    return ProblemReading(dict.fromkeys(constants.values(), "Int"), always, facts)


def _place(found: re.Match[str]) -> int:
    if found["number"]:
        return int(found["number"])
    return _DAYS[found["day"]] if found["day"] else _ORDINALS.index(found["ordinal"]) + 1


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _COUNTS[text.lower()]


_THING = r"(?:[Tt]he (?:(?:number|value|amount) of )?)?(?P<{}>[A-Za-z][\w-]*)"
_LEFT, _RIGHT = _THING.format("left"), _THING.format("right")
_COUNT = rf"(?P<number>\d+|{'|'.join(_COUNTS)})"
_EQUAL = re.compile(
    rf"^{_LEFT} (?:is|has|equals|are)(?P<no> not)?(?: the same (?:value |number )?as| equal to| equally many as)? (?:{_COUNT}|{_RIGHT})$"
)
_DIFFERENT = re.compile(rf"^{_LEFT} (?:is different from|differs from|is unequal to) (?:{_COUNT}|{_RIGHT})$")
_SUM = re.compile(
    rf"^(?:the sum of {_LEFT} and {_RIGHT}|{_THING.format('first')} plus {_THING.format('second')}) (?:is|equals|is equal to) {_COUNT}$",
    re.IGNORECASE,
)
_COMPARING = re.compile(
    r"\b(?:the same\b.*\bas|equals?|equal to|differs? from|different from|unequal to|plus|sum of)\b", re.IGNORECASE
)


def equal_values(sentences: Sequence[str]) -> ProblemReading | None:
    """Return the reading of a text that says which values are equal, differ or add up; `None` where it does not."""
    names: dict[str, None] = {}
    told: list[tuple[str, str]] = []
    for clause in clauses(sentences):
        if _EITHER_WAY.search(clause) or not (
            _COMPARING.search(clause) or re.fullmatch(rf"[a-zA-Z] is {_COUNT}", clause)
        ):
            continue
        if found := _SUM.search(clause):
            left, right = found["left"] or found["first"], found["right"] or found["second"]
            formula = f"(= (+ {{{left}}} {{{right}}}) {_number(found['number'])})"
        elif found := _DIFFERENT.search(clause) or _EQUAL.search(clause):
            left, right = found["left"], found["right"]
            other = str(_number(found["number"])) if found["number"] else f"{{{right}}}"
            formula = f"(= {{{left}}} {other})"
            if "no" not in found.re.groupindex or found["no"]:
                formula = f"(not {formula})"
        else:
            continue
        if left == right:
            continue
        names.update(dict.fromkeys(name for name in (left, right) if name))
        told.append((formula, clause))
    if not 0 < len(names) <= MOST_NAMES:
        return None
    constants = symbols(list(names))
    return ProblemReading(
        dict.fromkeys(constants.values(), "Int"),
        (),
        [(formula.format_map(constants), clause) for formula, clause in told],
    )
