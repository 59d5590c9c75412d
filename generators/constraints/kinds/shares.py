"""Problems about how a number of things is shared out, where each person gets at least one.

The worlds are all ways to share them, at most 220.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING, Any

from generators.constraints.problem.clue_problem import (
    ClueBounds,
    ProblemFrame,
    WorldQuestion,
    draft_problem,
    yes_or_no,
)
from generators.constraints.problem.domain import ProblemForm, ProblemSize
from generators.constraints.problem.draft import constants, enumeration, literal
from generators.constraints.problem.english import draw_form, listed, number, sentence
from generators.constraints.problem.language import Statement, WorldLanguage, arrangements, weighted, worlds_where
from generators.constraints.problem.vocabulary import NamedThing, people, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from generators.constraints.problem.draft import ProblemDraft
    from generators.constraints.problem.language import World

_BOUNDS = {
    ProblemSize.SMALL: ClueBounds(2, 3, 5),
    ProblemSize.MEDIUM: ClueBounds(3, 5, 8),
    ProblemSize.LARGE: ClueBounds(4, 7, 12),
}
_SHAPES = {ProblemSize.SMALL: (2, 3, (5, 14)), ProblemSize.MEDIUM: (3, 3, (8, 20)), ProblemSize.LARGE: (4, 4, (10, 13))}
_WEIGHTS = {
    "exactly": 2,
    "least": 4,
    "most": 4,
    "more": 3,
    "ahead": 4,
    "times": 4,
    "sum": 3,
    "same": 2,
    "even": 2,
    "odd": 2,
}
_DRAWN = weighted(_WEIGHTS)
_TIMES = {2: "twice", 3: "three times", 4: "four times"}


def shares(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem of sharing out; `None` where what was drawn makes none."""
    fewest, most, totals = _SHAPES[size]
    setting = rng.choice(words("shares")["setting"])
    persons = people(rng, rng.randint(fewest, most))
    total = rng.randint(*totals)
    language = _Shares(persons, total, setting, rng.choice(setting["things"]))
    opening = rng.choice(setting["intro"]).format(
        names=listed([one.said for one in persons]),
        n=number(len(persons)),
        total=number(total),
        total_capital=number(total).capitalize(),
        things=language.things,
    )
    symbols = tuple(one.symbol for one in persons)
    background = (*(f"(>= {symbol} 1)" for symbol in symbols), f"(= (+ {' '.join(symbols)}) {total})")
    can = rng.choice(setting["can"]).format(things=language.things)
    frame = ProblemFrame("shares", sentence(opening), can, "QF_LIA", constants(symbols, "Int"), background)
    return draft_problem(language, frame, _question(language, setting, rng), _BOUNDS[size], form, rng)


def _question(language: _Shares, setting: Mapping[str, Any], rng: Random) -> WorldQuestion:
    persons = language.people
    a, b = rng.sample(range(len(persons)), 2)
    kind = rng.choice(("how_many", "how_many", "how_many", "who", "is_more"))
    form = rng.choice(setting[kind]).format(a=persons[a].said, b=persons[b].said, things=language.things)
    match kind:
        case "how_many":
            tie = f"(= answer {persons[a].symbol})"
            return WorldQuestion(
                form, "Int", (tie,), lambda world: str(world[a]), lambda world: [[("exactly", a, world[a])]]
            )
        case "is_more":
            tie = f"(= answer (> {persons[a].symbol} {persons[b].symbol}))"

            def goals(world: World) -> list[list[Statement]]:
                both = [("exactly", a, world[a]), ("exactly", b, world[b])]
                return [both, [("more", a, b) if world[a] > world[b] else ("more", b, a)]]

            return WorldQuestion(form, "Bool", (tie,), lambda world: literal(world[a] > world[b]), goals, yes_or_no)
    names = [one.value for one in persons]
    ties = []
    for one, name in enumerate(names):
        over = [f"(> {persons[one].symbol} {other.symbol})" for other in persons if other is not persons[one]]
        ties.append(
            f"(= (= answer {name}) (and {' '.join(over)}))" if len(over) > 1 else f"(= (= answer {name}) {over[0]})"
        )

    def leader(world: World) -> str:
        best = max(world)
        return names[world.index(best)] if world.count(best) == 1 else ""

    return WorldQuestion(
        form,
        "Person",
        tuple(ties),
        leader,
        lambda world: [[("exactly", one, many) for one, many in enumerate(world)]],
        lambda name: persons[names.index(name)].said,
        "QF_UFDTLIA",
        (enumeration("Person", tuple(names)),),
    )


class _Shares(WorldLanguage):
    """Statements about how many each gets; a world gives the number of each."""

    def __init__(self, persons: Sequence[NamedThing], total: int, setting: Mapping[str, Any], things: str) -> None:
        self.people, self.total, self.setting, self.things = persons, total, setting, things
        self.worlds = _worlds(len(persons), total)

    def holds(self, statement: Statement, world: tuple[int, ...]) -> bool:
        match statement:
            case "exactly", a, many:
                return bool(world[a] == many)
            case "least", a, many:
                return bool(world[a] >= many)
            case "most", a, many:
                return bool(world[a] <= many)
            case "more", a, b:
                return world[a] > world[b]
            case "ahead", a, b, many:
                return bool(world[a] == world[b] + many)
            case "times", a, b, many:
                return bool(world[a] == many * world[b])
            case "sum", a, b, many:
                return bool(world[a] + world[b] == many)
            case "same", a, b:
                return bool(world[a] == world[b])
            case ("even" | "odd") as kind, a:
                return bool((world[a] % 2 == 0) == (kind == "even"))
        raise ValueError(statement)

    def mask(self, statement: Statement) -> int:
        return _mask(len(self.people), self.total, statement)

    def term(self, statement: Statement) -> str:
        name = [one.symbol for one in self.people]
        match statement:
            case ("exactly" | "least" | "most") as kind, a, many:
                return f"({_SIGNS[kind]} {name[a]} {many})"
            case "more", a, b:
                return f"(> {name[a]} {name[b]})"
            case "ahead", a, b, many:
                return f"(= {name[a]} (+ {name[b]} {many}))"
            case "times", a, b, many:
                return f"(= {name[a]} (* {many} {name[b]}))"
            case "sum", a, b, many:
                return f"(= (+ {name[a]} {name[b]}) {many})"
            case "same", a, b:
                return f"(= {name[a]} {name[b]})"
            case ("even" | "odd") as kind, a:
                return f"(= (mod {name[a]} 2) {int(kind == 'odd')})"
        raise ValueError(statement)

    def values(self, world: tuple[int, ...]) -> dict[str, str]:
        return {one.symbol: str(many) for one, many in zip(self.people, world, strict=True)}

    def say(self, statement: Statement, rng: Random | None = None) -> str:
        kind, a, *others = statement
        form = str(draw_form(self.setting[kind], rng))
        values = {"a": self.people[a].said, "things": self.things}
        if kind in {"more", "ahead", "times", "sum", "same"}:
            values["b"] = self.people[others[0]].said
        if kind not in {"more", "same", "even", "odd"}:
            values["m"] = _TIMES[others[-1]] if kind == "times" else number(others[-1])
        return form.format(**values)

    def portrait(self, world: tuple[int, ...]) -> list[Statement]:
        return [("exactly", a, many) for a, many in enumerate(world)]

    def draw(self, rng: Random) -> Statement:
        count = len(self.people)
        kind = rng.choice(_DRAWN)
        a, b = rng.choice(arrangements(count, 2))
        highest = self.total - count + 1
        match kind:
            case "more" | "same":
                return kind, a, b
            case "even" | "odd":
                return kind, a
            case "ahead":
                return kind, a, b, rng.randint(1, highest - 1)
            case "times":
                return kind, a, b, rng.choice(tuple(_TIMES))
            case "sum":
                return kind, a, b, rng.randint(2, self.total - count + 2)
        return kind, a, rng.randint(1 + (kind == "least"), highest - (kind == "most"))

    def facts(self) -> Sequence[Statement]:
        return _facts(len(self.people), self.total)


_SIGNS = {"exactly": "=", "least": ">=", "most": "<="}


@cache
def _worlds(count: int, total: int) -> tuple[tuple[int, ...], ...]:
    firsts = product(range(1, total), repeat=count - 1)
    return tuple((*first, total - sum(first)) for first in firsts if sum(first) < total)


@cache
def _mask(count: int, total: int, statement: Statement) -> int:
    meant = _Shares([NamedThing("", "")] * count, total, {}, "")
    return worlds_where(meant.worlds, lambda world: meant.holds(statement, world))


@cache
def _facts(count: int, total: int) -> tuple[Statement, ...]:
    amounts = range(1, total - count + 2)
    one = [(kind, a, many) for kind in ("exactly", "least", "most") for a in range(count) for many in amounts]
    two = [("more", a, b) for a, b in permutations(range(count), 2)]
    sums = (
        [("sum", a, b, many) for a, b in combinations(range(count), 2) for many in range(2, total)] if count > 2 else []
    )
    return (*one, *two, *sums)
