"""Problems about the order of things in a row or of events in a schedule, no two in the same place.

The worlds are all orders of the things, 6 to 720.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
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
from generators.constraints.problem.english import ORDINALS, counted, draw_form, listed, number, sentence
from generators.constraints.problem.language import Statement, WorldLanguage, weighted, worlds_where
from generators.constraints.problem.vocabulary import people, things_of, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from generators.constraints.problem.draft import ProblemDraft
    from generators.constraints.problem.language import World
    from generators.constraints.problem.vocabulary import NamedThing

SORTS = {"people": "Person", "coloured": "Thing", "subjects": "Lesson", "tasks": "Task"}
BOUNDS = {
    ProblemSize.SMALL: ClueBounds(2, 3, 4),
    ProblemSize.MEDIUM: ClueBounds(3, 5, 8),
    ProblemSize.LARGE: ClueBounds(4, 8, 14),
}


def row(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about places in a row; `None` where what was drawn makes none."""
    setting = rng.choice(words("rows")["setting"])
    return _drafted("row", setting, size, form, rng, first=1, place=rng.choice(setting["places"]))


def slots(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about hours, one thing at each; `None` where what was drawn makes none."""
    setting = rng.choice(words("rows")["slots"])
    return _drafted("slots", setting, size, form, rng, first=rng.randint(7, 14), place=rng.choice(setting["places"]))


def _drafted(
    kind: str, setting: Mapping[str, Any], size: ProblemSize, form: ProblemForm, rng: Random, *, first: int, place: str
) -> ProblemDraft | None:
    count = {ProblemSize.SMALL: 3, ProblemSize.MEDIUM: rng.choice((4, 5)), ProblemSize.LARGE: rng.choice((5, 6))}[size]
    language = _Row(things_of(rng, count, setting), setting, first)
    symbols = tuple(one.symbol for one in language.things)
    last = first + count - 1
    background = (*(f"(<= {first} {symbol} {last})" for symbol in symbols), f"(distinct {' '.join(symbols)})")
    opening = rng.choice(setting["intro"]).format(
        **{"names": listed([one.said for one in language.things]), "n": number(count), "from": first, "to": last},
        place=place,
        place_capital=place[0].upper() + place[1:],
        planner=people(rng, 1)[0].said,
    )
    frame = ProblemFrame(
        kind, sentence(opening), rng.choice(setting["can"]), "QF_LIA", constants(symbols, "Int"), background
    )
    return draft_problem(language, frame, _question(language, setting, rng), BOUNDS[size], form, rng)


def _question(language: _Row, setting: Mapping[str, Any], rng: Random) -> WorldQuestion:
    a, b = rng.sample(range(len(language.things)), 2)
    said, symbol = language.things[a].said, language.things[a].symbol
    kind = rng.choice(("where", "who", "who", "is_before", "ahead"))
    form = rng.choice(setting[kind])

    def placed(world: World) -> list[list[Statement]]:
        return [[("at", a, world[a])]]

    def ordered(world: World) -> list[list[Statement]]:
        first, second = (a, b) if world[a] < world[b] else (b, a)
        return [[("at", a, world[a]), ("at", b, world[b])], [("before", first, second)]]

    match kind:
        case "where":
            return WorldQuestion(
                form.format(a=said),
                "Int",
                (f"(= answer {symbol})",),
                lambda world: str(world[a] + language.first - 1),
                placed,
            )
        case "is_before":
            other = language.things[b]
            text, tie = form.format(a=said, b=other.said), f"(= answer (< {symbol} {other.symbol}))"
            return WorldQuestion(text, "Bool", (tie,), lambda world: literal(world[a] < world[b]), ordered, yes_or_no)
        case "ahead":
            tie = f"(= answer (- {symbol} {language.first}))"
            return WorldQuestion(form.format(a=said), "Int", (tie,), lambda world: str(world[a] - 1), placed)
    return who(language, form, rng.randint(1, len(language.things)))


def who(language: _Row, form: str, place: int) -> WorldQuestion:
    """Return the question which of the things is at a place."""
    things = language.things
    sort = SORTS[language.setting["things"]]
    chosen = things[-1].value
    for one in reversed(things[:-1]):
        chosen = f"(ite (= {one.symbol} {place + language.first - 1}) {one.value} {chosen})"
    names = {one.value: one.said for one in things}

    def value(world: World) -> str:
        return str(things[world.index(place)].value)

    return WorldQuestion(
        form.format(nth=language.nth(place), hour=place + language.first - 1),
        sort,
        (f"(= answer {chosen})",),
        value,
        lambda world: [[("at", world.index(place), place)]],
        names.__getitem__,
        "QF_UFDTLIA",
        (enumeration(sort, tuple(one.value for one in things)),),
    )


_WEIGHTS = {
    "at": 2, "not_at": 4, "before": 6, "direct": 4, "next": 4, "apart": 4, "gap": 3, "between": 3, "ends": 2, "inner": 2,
}  # fmt: skip
_DRAWN = weighted(_WEIGHTS)


class _Row(WorldLanguage):
    """Statements about the places of things in a row; a world gives the place of each."""

    def __init__(self, things: Sequence[NamedThing], setting: Mapping[str, Any], first: int) -> None:
        self.things = things
        self.setting = setting
        self.first = first
        self.worlds = _orders(len(things))

    def holds(self, statement: Statement, world: tuple[int, ...]) -> bool:
        match statement:
            case "at", a, place:
                return bool(world[a] == place)
            case "not_at", a, place:
                return bool(world[a] != place)
            case "before", a, b:
                return world[a] < world[b]
            case "direct", a, b:
                return world[a] + 1 == world[b]
            case "next", a, b:
                return abs(world[a] - world[b]) == 1
            case "apart", a, b:
                return abs(world[a] - world[b]) > 1
            case "gap", a, b, count:
                return bool(abs(world[a] - world[b]) == count + 1)
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
        first, last = self.first, self.first + len(name) - 1
        match statement:
            case "at", a, place:
                return f"(= {name[a]} {place + first - 1})"
            case "not_at", a, place:
                return f"(not (= {name[a]} {place + first - 1}))"
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
                return f"(or (= {name[a]} {first}) (= {name[a]} {last}))"
            case "inner", a:
                return f"(< {first} {name[a]} {last})"
        raise ValueError(statement)

    def values(self, world: tuple[int, ...]) -> dict[str, str]:
        return {thing.symbol: str(place + self.first - 1) for thing, place in zip(self.things, world, strict=True)}

    def say(self, statement: Statement, rng: Random | None = None) -> str:
        kind, *arguments = statement
        form = draw_form(self.setting[kind], rng)
        if kind in {"at", "not_at"}:
            place = arguments[1]
            return form.format(a=self.things[arguments[0]].said, nth=self.nth(place), hour=place + self.first - 1)
        if kind == "gap":
            a, b, count = arguments
            amount = counted(count, self.setting["one"], self.setting["many"])
            verb = "is" if count == 1 else "are"
            hours = counted(count + 1, "hour", "hours")
            return form.format(a=self.things[a].said, b=self.things[b].said, count=f"{amount} {verb}", hours=hours)
        return form.format(**dict(zip("abc", (self.things[one].said for one in arguments), strict=False)))

    def portrait(self, world: tuple[int, ...]) -> list[Statement]:
        return [("at", a, place) for a, place in enumerate(world)]

    def describe(self, world: tuple[int, ...]) -> str:
        order = sorted(range(len(world)), key=world.__getitem__)
        return f"the order can be {listed([self.things[one].said for one in order])}"

    def nth(self, place: int) -> str:
        """Return a place as a word."""
        last = place == len(self.things) and self.setting.get("last", True)
        return "last" if last else ORDINALS[place - 1]

    def draw(self, rng: Random) -> Statement:
        count = len(self.things)
        kind = rng.choice(_DRAWN)
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
    meant = _Row((None,) * count, {}, 1)  # type: ignore[arg-type]  # what a statement means does not depend on names
    return worlds_where(meant.worlds, lambda world: meant.holds(statement, world))


@cache
def _facts(count: int) -> tuple[Statement, ...]:
    placed = [(kind, a, at) for kind in ("at", "not_at") for a in range(count) for at in range(1, count + 1)]
    return (*placed, *(("before", a, b) for a, b in permutations(range(count), 2)))
