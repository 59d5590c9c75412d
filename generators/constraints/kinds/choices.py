"""Problems about which of several priced things a person chooses.

The worlds are all sets of the things, 8 to 32.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

from generators.constraints.problem.clue_problem import (
    ClueBounds,
    ProblemFrame,
    WorldQuestion,
    draft_problem,
    yes_or_no,
)
from generators.constraints.problem.domain import ProblemForm, ProblemSize
from generators.constraints.problem.draft import constants, literal
from generators.constraints.problem.english import article, counted, listed, sentence
from generators.constraints.problem.language import Statement, WorldLanguage, arrangements, weighted, worlds_where
from generators.constraints.problem.vocabulary import people, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from generators.constraints.problem.draft import ProblemDraft
    from generators.constraints.problem.language import World

_BOUNDS = {
    ProblemSize.SMALL: ClueBounds(2, 3, 5),
    ProblemSize.MEDIUM: ClueBounds(3, 4, 8),
    ProblemSize.LARGE: ClueBounds(3, 6, 10),
}
_COUNTS = {ProblemSize.SMALL: 3, ProblemSize.MEDIUM: 4, ProblemSize.LARGE: 5}
_WEIGHTS = {
    "takes": 1,
    "leaves": 1,
    "if_takes": 3,
    "not_both": 3,
    "one_of": 3,
    "count": 3,
    "total": 3,
    "total_most": 4,
    "total_least": 4,
}
_DRAWN = weighted(_WEIGHTS)


def choice(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem of choosing; `None` where what was drawn makes none."""
    setting = rng.choice(words("choices")["setting"])
    things = rng.sample(setting["things"], _COUNTS[size])
    prices = rng.sample(range(2, 21), len(things))
    (person,) = people(rng, 1)
    language = _Choices(person.said, things, prices, setting)
    unit = setting["unit"]
    told = listed([f"{article(thing)} ({price} {unit})" for thing, price in zip(things, prices, strict=True)])
    opening = rng.choice(setting["intro"]).format(who=person.said, prices=told)
    can = rng.choice(
        ("Is that possible?", "Is there a choice that fits all of this?", f"Can {person.said} choose like that?")
    )
    frame = ProblemFrame("choice", sentence(opening), can, "QF_LIA", constants(tuple(things), "Bool"), ())
    return draft_problem(language, frame, _question(language, rng), _BOUNDS[size], form, rng)


def _question(language: _Choices, rng: Random) -> WorldQuestion:
    setting, who = language.setting, language.who
    x = rng.randrange(len(language.things))

    def all_told(world: World) -> list[list[Statement]]:
        return [[("takes" if taken else "leaves", one) for one, taken in enumerate(world)]]

    match rng.choice(("does", "does", "total", "count")):
        case "does":
            text = f"Does {who} {setting['take']} the {language.things[x]}?"
            ties = (f"(= answer {language.things[x]})",)
            return WorldQuestion(
                text,
                "Bool",
                ties,
                lambda world: literal(world[x]),
                lambda world: [[("takes" if world[x] else "leaves", x)]],
                yes_or_no,
            )
        case "total":
            text = {
                "spends": f"How many {setting['unit']} does {who} spend in all?",
                "pays": f"How many {setting['unit']} does {who} pay in all?",
                "loads": f"How many {setting['unit']} does {who} load in all?",
                "works": f"For how many {setting['unit']} does {who} work in all?",
            }[setting["cost"]]
            ties = (f"(= answer {language.total})",)
            return WorldQuestion(text, "Int", ties, lambda world: str(language.spent(world)), all_told)
    text = f"How many of these things does {who} {setting['take']}?"
    return WorldQuestion(text, "Int", (f"(= answer {language.number})",), lambda world: str(sum(world)), all_told)


class _Choices(WorldLanguage):
    """Statements about what is chosen; a world tells of each thing whether it is."""

    def __init__(self, who: str, things: Sequence[str], prices: Sequence[int], setting: Mapping[str, Any]) -> None:
        super().__init__()
        self.who, self.things, self.prices, self.setting = who, things, prices, setting
        self.worlds = _worlds(len(things))
        self._spent = [self.spent(world) for world in self.worlds]

    @property
    def total(self) -> str:
        """Return the term for what is spent."""
        return (
            f"(+ {' '.join(f'(ite {thing} {price} 0)' for thing, price in zip(self.things, self.prices, strict=True))})"
        )

    @property
    def number(self) -> str:
        """Return the term for how many are chosen."""
        return f"(+ {' '.join(f'(ite {thing} 1 0)' for thing in self.things)})"

    def spent(self, world: tuple[bool, ...]) -> int:
        """Return what is spent in a world."""
        return sum(price for price, taken in zip(self.prices, world, strict=True) if taken)

    def holds(self, statement: Statement, world: tuple[bool, ...]) -> bool:
        match statement:
            case "takes", x:
                return world[x]
            case "leaves", x:
                return not world[x]
            case "if_takes", x, y:
                return not world[x] or world[y]
            case "not_both", x, y:
                return not (world[x] and world[y])
            case "one_of", x, y:
                return world[x] or world[y]
            case "count", many:
                return bool(sum(world) == many)
            case "total", amount:
                return bool(self.spent(world) == amount)
            case "total_most", amount:
                return bool(self.spent(world) <= amount)
            case "total_least", amount:
                return bool(self.spent(world) >= amount)
        raise ValueError(statement)

    def mask(self, statement: Statement) -> int:
        match statement:
            case "total", amount:
                return worlds_where(self._spent, lambda spent: bool(spent == amount))
            case "total_most", amount:
                return worlds_where(self._spent, lambda spent: bool(spent <= amount))
            case "total_least", amount:
                return worlds_where(self._spent, lambda spent: bool(spent >= amount))
        return _mask(len(self.things), statement)

    def term(self, statement: Statement) -> str:
        thing = self.things
        match statement:
            case "takes", x:
                return thing[x]
            case "leaves", x:
                return f"(not {thing[x]})"
            case "if_takes", x, y:
                return f"(=> {thing[x]} {thing[y]})"
            case "not_both", x, y:
                return f"(not (and {thing[x]} {thing[y]}))"
            case "one_of", x, y:
                return f"(or {thing[x]} {thing[y]})"
            case "count", many:
                return f"(= {self.number} {many})"
            case "total", amount:
                return f"(= {self.total} {amount})"
            case "total_most", amount:
                return f"(<= {self.total} {amount})"
            case "total_least", amount:
                return f"(>= {self.total} {amount})"
        raise ValueError(statement)

    def values(self, world: tuple[bool, ...]) -> dict[str, str]:
        return {thing: literal(taken) for thing, taken in zip(self.things, world, strict=True)}

    def say(self, statement: Statement, rng: Random | None = None) -> str:
        who, takes, take = self.who, self.setting["takes"], self.setting["take"]
        kind, *arguments = statement
        if kind in {"count", "total", "total_most", "total_least"}:
            amount = (
                counted(arguments[0], "thing", "things")
                if kind == "count"
                else f"{arguments[0]} {self.setting['unit']}"
            )
            verb = takes if kind == "count" else self.setting["cost"]
            bound = {"total_most": "at most", "total_least": "at least"}.get(kind, "exactly")
            return f"{who} {verb} {bound} {amount}{'' if kind == 'count' else ' in all'}"
        the = [f"the {self.things[one]}" for one in arguments]
        match kind:
            case "takes":
                return f"{who} {takes} {the[0]}"
            case "leaves":
                return f"{who} does not {take} {the[0]}"
            case "if_takes":
                forms = (
                    f"if {who} {takes} {the[0]}, then {who} {takes} {the[1]}, too",
                    f"{who} {takes} {the[0]} only together with {the[1]}",
                )
            case "not_both":
                forms = (
                    f"{who} does not {take} both {the[0]} and {the[1]}",
                    f"of {the[0]} and {the[1]}, {who} {takes} at most one",
                )
            case _:
                forms = (
                    f"{who} {takes} at least one of {the[0]} and {the[1]}",
                    f"{who} {takes} {the[0]} or {the[1]}, or both",
                )
        return forms[0] if rng is None else rng.choice(forms)

    def portrait(self, world: tuple[bool, ...]) -> list[Statement]:
        return [("takes" if taken else "leaves", x) for x, taken in enumerate(world)]

    def draw(self, rng: Random) -> Statement:
        kind = rng.choice(_DRAWN)
        x, y = rng.choice(arrangements(len(self.things), 2))
        match kind:
            case "takes" | "leaves":
                return kind, x
            case "count":
                return kind, rng.randint(1, len(self.things) - 1)
            case "total" | "total_most" | "total_least":
                spent = rng.choice(self._spent)
                # A bound that is not met exactly says no more than the one that is, and looks less made up.
                slack = 0 if kind == "total" else rng.randint(0, 2)
                return kind, max(1, spent + (slack if kind == "total_most" else -slack))
        return kind, x, y

    def facts(self) -> Sequence[Statement]:
        return [(kind, x) for kind in ("takes", "leaves") for x in range(len(self.things))]


@cache
def _worlds(count: int) -> tuple[tuple[bool, ...], ...]:
    return tuple(product((True, False), repeat=count))


@cache
def _mask(count: int, statement: Statement) -> int:
    """Return the worlds in which something holds that does not depend on the prices."""
    meant = _Choices("", [""] * count, [0] * count, {})
    return worlds_where(meant.worlds, lambda world: meant.holds(statement, world))
