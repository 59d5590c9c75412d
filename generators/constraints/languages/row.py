"""What can be said of things in a row, in places from one on, no two in the same place?"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING, Any

from generators.constraints.english import ORDINALS, counted, drawn, listed
from generators.constraints.language import Language, Statement, where

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from generators.constraints.vocabulary import Thing

WEIGHTS = {
    "at": 2, "not_at": 4, "before": 6, "direct": 4, "next": 4, "apart": 4, "gap": 3, "between": 3, "ends": 2, "inner": 2,
}  # fmt: skip


class Row(Language):
    """Statements about the places of things in a row; a world gives the place of each."""

    def __init__(self, things: Sequence[Thing], setting: Mapping[str, Any]) -> None:
        self.things = things
        self.setting = setting
        self.worlds = _orders(len(things))

    def holds(self, statement: Statement, world: tuple[int, ...]) -> bool:
        match statement:
            case "at", a, place:
                return world[a] == place
            case "not_at", a, place:
                return world[a] != place
            case "before", a, b:
                return world[a] < world[b]
            case "direct", a, b:
                return world[a] + 1 == world[b]
            case "next", a, b:
                return abs(world[a] - world[b]) == 1
            case "apart", a, b:
                return abs(world[a] - world[b]) > 1
            case "gap", a, b, count:
                return abs(world[a] - world[b]) == count + 1
            case "between", a, b, c:
                return min(world[b], world[c]) < world[a] < max(world[b], world[c])
            case "ends", a:
                return world[a] in {1, len(world)}
            case "inner", a:
                return 1 < world[a] < len(world)
        raise ValueError(statement)

    def mask(self, statement: Statement) -> int:
        return _mask(len(self.things), statement)

    def term(self, statement: Statement) -> str:
        name = [one.symbol for one in self.things]
        match statement:
            case "at", a, place:
                return f"(= {name[a]} {place})"
            case "not_at", a, place:
                return f"(not (= {name[a]} {place}))"
            case "before", a, b:
                return f"(< {name[a]} {name[b]})"
            case "direct", a, b:
                return f"(= {name[b]} (+ {name[a]} 1))"
            case "next", a, b:
                return f"(or (= {name[b]} (+ {name[a]} 1)) (= {name[a]} (+ {name[b]} 1)))"
            case "apart", a, b:
                return f"(not {self.term(('next', a, b))})"
            case "gap", a, b, count:
                return f"(or (= {name[b]} (+ {name[a]} {count + 1})) (= {name[a]} (+ {name[b]} {count + 1})))"
            case "between", a, b, c:
                return f"(or (< {name[b]} {name[a]} {name[c]}) (< {name[c]} {name[a]} {name[b]}))"
            case "ends", a:
                return f"(or (= {name[a]} 1) (= {name[a]} {len(name)}))"
            case "inner", a:
                return f"(< 1 {name[a]} {len(name)})"
        raise ValueError(statement)

    def values(self, world: tuple[int, ...]) -> dict[str, str]:
        return {thing.symbol: str(place) for thing, place in zip(self.things, world, strict=True)}

    def say(self, statement: Statement, rng: Random | None = None) -> str:
        kind, *arguments = statement
        form = drawn(self.setting[kind], rng)
        if kind in {"at", "not_at"}:
            return form.format(a=self.things[arguments[0]].said, nth=self.nth(arguments[1]))
        if kind == "gap":
            a, b, count = arguments
            amount = counted(count, self.setting["one"], self.setting["many"])
            verb = self.setting.get("gap_verb") or ("is" if count == 1 else "are")
            return form.format(a=self.things[a].said, b=self.things[b].said, count=f"{amount} {verb}")
        return form.format(**dict(zip("abc", (self.things[one].said for one in arguments), strict=False)))

    def describe(self, world: tuple[int, ...]) -> str:
        order = sorted(range(len(world)), key=world.__getitem__)
        return f"the order is {listed([self.things[one].said for one in order])}"

    def nth(self, place: int) -> str:
        """Return a place as a word."""
        return "last" if place == len(self.things) and "last" not in self.setting else ORDINALS[place - 1]

    def draw(self, rng: Random) -> Statement:
        count = len(self.things)
        (kind,) = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))
        arguments = rng.sample(range(count), 3 if kind == "between" else 2)
        if kind in {"at", "not_at"}:
            return kind, arguments[0], rng.randint(1, count)
        if kind in {"ends", "inner"}:
            return kind, arguments[0]
        if kind == "gap":
            return kind, *arguments, rng.randint(1, max(1, count - 2))
        return kind, *arguments

    def facts(self) -> Sequence[Statement]:
        return _facts(len(self.things))


@cache
def _orders(count: int) -> tuple[tuple[int, ...], ...]:
    return tuple(permutations(range(1, count + 1)))


@cache
def _mask(count: int, statement: Statement) -> int:
    meant = Row((None,) * count, {})  # type: ignore[arg-type]  # what a statement means does not depend on names
    return where(meant.worlds, lambda world: meant.holds(statement, world))


@cache
def _facts(count: int) -> tuple[Statement, ...]:
    placed = [(kind, a, at) for kind in ("at", "not_at") for a in range(count) for at in range(1, count + 1)]
    return (*placed, *(("before", a, b) for a, b in permutations(range(count), 2)))
