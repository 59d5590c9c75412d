"""Problems about seats around a round table, where only the cyclic order counts.

One person has place 0, because a rotation of the table changes nothing. The worlds are all orders of the others, 6 to 120.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise, permutations
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
    ProblemSize.SMALL: ClueBounds(2, 3, 4),
    ProblemSize.MEDIUM: ClueBounds(3, 5, 8),
    ProblemSize.LARGE: ClueBounds(4, 7, 12),
}
_COUNTS = {ProblemSize.SMALL: (4,), ProblemSize.MEDIUM: (5,), ProblemSize.LARGE: (5, 6)}
_WEIGHTS = {"clockwise": 4, "beside": 5, "apart": 5, "neighbours": 2}
_DRAWN = weighted(_WEIGHTS)
_FORMS = {
    "clockwise": (
        "going clockwise, the next person after {a} is {b}",
        "going anticlockwise, the next person after {b} is {a}",
    ),
    "opposite": ("{a} {verb} directly opposite {b}", "{a} and {b} {verbs} opposite each other"),
    "far": ("going clockwise, {b} is the second person after {a}",),
    "beside": ("{a} {verb} next to {b}", "{a} and {b} are neighbours"),
    "apart": ("{a} does not {do} next to {b}", "{a} and {b} are not neighbours"),
    "neighbours": ("the two neighbours of {a} are {b} and {c}", "{a} {verb} between {b} and {c} and next to both"),
}


def table(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about a round table; `None` where what was drawn makes none."""
    setting = rng.choice(words("tables")["setting"])
    persons = people(rng, rng.choice(_COUNTS[size]))
    place = rng.choice(setting["places"])
    count = len(persons)
    opening = rng.choice(setting["intro"]).format(
        names=listed([one.said for one in persons]),
        n=number(count),
        place=place,
        place_capital=place[0].upper() + place[1:],
    )
    symbols = tuple(one.symbol for one in persons)
    background = (
        f"(= {symbols[0]} 0)",
        *(f"(<= 0 {symbol} {count - 1})" for symbol in symbols[1:]),
        f"(distinct {' '.join(symbols)})",
    )
    can = rng.choice((f"Can they {setting['do']} like that?", "Is that possible?", "Is there such an order?"))
    frame = ProblemFrame("table", sentence(opening), can, "QF_LIA", constants(symbols, "Int"), background)
    language = _Table(persons, setting)
    return draft_problem(language, frame, _question(language, rng), _BOUNDS[size], form, rng)


def _question(language: _Table, rng: Random) -> WorldQuestion:
    persons, count = language.people, len(language.people)
    a, b = rng.sample(range(count), 2)
    kinds = ["next", "next", "beside", "steps"] + ["opposite"] * (2 if count % 2 == 0 else 0)
    kind = rng.choice(kinds)

    def apart(world: World) -> int:
        return int((world[b] - world[a]) % count)

    if kind == "beside":
        tie = f"(= answer {language.term(('beside', a, b))})"
        text = f"Does {persons[a].said} {language.setting['do']} next to {persons[b].said}?"

        def goals(world: World) -> list[list[Statement]]:
            return [[("beside" if apart(world) in {1, count - 1} else "apart", *sorted((a, b)))]]

        return WorldQuestion(
            text, "Bool", (tie,), lambda world: literal(apart(world) in {1, count - 1}), goals, yes_or_no
        )
    if kind == "steps":
        text = f"Going clockwise from {persons[a].said}, how many people does one pass before one comes to {persons[b].said}?"
        tie = f"(= answer (- (mod (- {persons[b].symbol} {persons[a].symbol}) {count}) 1))"
        return WorldQuestion(
            text,
            "Int",
            (tie,),
            lambda world: str(apart(world) - 1),
            lambda world: [[language.fact(a, b, apart(world))]],
        )
    step = 1 if kind == "next" else count // 2
    verb = language.setting["verb"]
    text = (
        rng.choice(
            (
                f"Going clockwise, who is the next person after {persons[a].said}?",
                f"Who {verb} directly after {persons[a].said}, going clockwise?",
            )
        )
        if kind == "next"
        else f"Who {verb} directly opposite {persons[a].said}?"
    )
    names = [one.value for one in persons]
    others = [one for one in range(count) if one != a]
    chosen = names[others[-1]]
    for one in reversed(others[:-1]):
        chosen = f"(ite {language.term(('clockwise', a, one, step))} {names[one]} {chosen})"

    def found(world: World) -> int:
        return int(world.index((world[a] + step) % count))

    return WorldQuestion(
        text,
        "Person",
        (f"(= answer {chosen})",),
        lambda world: names[found(world)],
        lambda world: [[language.fact(a, found(world), step)]],
        lambda name: persons[names.index(name)].said,
        "QF_UFDTLIA",
        (enumeration("Person", tuple(names)),),
    )


class _Table(WorldLanguage):
    """Statements about an order around a table; a world gives the place of each, clockwise from 0."""

    def __init__(self, persons: Sequence[NamedThing], setting: Mapping[str, Any]) -> None:
        self.people, self.setting = persons, setting
        self.worlds = _places(len(persons))

    def fact(self, a: int, b: int, steps: int) -> Statement:
        """Return the statement that somebody is so many places clockwise from another."""
        count = len(self.people)
        if steps > count // 2 or (2 * steps == count and a > b):
            return "clockwise", b, a, count - steps
        return "clockwise", a, b, steps

    def holds(self, statement: Statement, world: tuple[int, ...]) -> bool:
        count = len(world)
        match statement:
            case "clockwise", a, b, steps:
                return bool((world[b] - world[a]) % count == steps)
            case "beside", a, b:
                return (world[b] - world[a]) % count in {1, count - 1}
            case "apart", a, b:
                return (world[b] - world[a]) % count not in {1, count - 1}
            case "neighbours", a, b, c:
                return {(world[b] - world[a]) % count, (world[c] - world[a]) % count} == {1, count - 1}
        raise ValueError(statement)

    def mask(self, statement: Statement) -> int:
        return _mask(len(self.people), statement)

    def term(self, statement: Statement) -> str:
        name, count = [one.symbol for one in self.people], len(self.people)
        match statement:
            case "clockwise", a, b, steps:
                return f"(= (mod (- {name[b]} {name[a]}) {count}) {steps})"
            case "beside", a, b:
                return f"(or {self.term(('clockwise', a, b, 1))} {self.term(('clockwise', b, a, 1))})"
            case "apart", a, b:
                return f"(not {self.term(('beside', a, b))})"
            case "neighbours", a, b, c:
                return f"(and {self.term(('beside', a, b))} {self.term(('beside', a, c))})"
        raise ValueError(statement)

    def values(self, world: tuple[int, ...]) -> dict[str, str]:
        return {one.symbol: str(place) for one, place in zip(self.people, world, strict=True)}

    def say(self, statement: Statement, rng: Random | None = None) -> str:
        kind, *arguments = statement
        persons = dict(
            zip("abc", (self.people[one].said for one in arguments[:3] if kind != "clockwise"), strict=False)
        )
        if kind == "clockwise":
            a, b, steps = arguments
            persons = {"a": self.people[a].said, "b": self.people[b].said}
            kind = "clockwise" if steps == 1 else "opposite" if 2 * steps == len(self.people) else "far"
        return str(draw_form(_FORMS[kind], rng)).format(
            **persons, **{key: self.setting[key] for key in ("verb", "verbs", "do")}
        )

    def portrait(self, world: tuple[int, ...]) -> list[Statement]:
        return [self.fact(a, b, 1) for a, b in pairwise(sorted(range(len(world)), key=world.__getitem__))]

    def describe(self, world: tuple[int, ...]) -> str:
        order = sorted(range(len(world)), key=world.__getitem__)
        return f"the order, going clockwise, can be {listed([self.people[one].said for one in order])}"

    def draw(self, rng: Random) -> Statement:
        count = len(self.people)
        kind = rng.choice(_DRAWN)
        arguments = rng.choice(arrangements(count, 3))
        if kind == "clockwise":
            return self.fact(arguments[0], arguments[1], rng.choice((1, count // 2)))
        return kind, *(arguments if kind == "neighbours" else sorted(arguments[:2]))

    def facts(self) -> Sequence[Statement]:
        return _facts(len(self.people))


@cache
def _places(count: int) -> tuple[tuple[int, ...], ...]:
    return tuple((0, *others) for others in permutations(range(1, count)))


@cache
def _mask(count: int, statement: Statement) -> int:
    meant = _Table([NamedThing("", "")] * count, {})
    return worlds_where(meant.worlds, lambda world: meant.holds(statement, world))


@cache
def _facts(count: int) -> tuple[Statement, ...]:
    meant = _Table([NamedThing("", "")] * count, {})
    every = {meant.fact(a, b, steps) for a, b in permutations(range(count), 2) for steps in range(1, count)}
    return (*sorted(every), *((kind, a, b) for kind in ("beside", "apart") for a, b in combinations(range(count), 2)))
