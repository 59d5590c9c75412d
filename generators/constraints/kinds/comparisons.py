"""Problems about who is the tallest, the oldest or the dearest, where no two are equal.

Clues only compare, so that only the order counts. The worlds are all orders, 6 to 720. A world gives the rank of each; the
highest number is the rank of the one who has most.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise, permutations
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
from generators.constraints.problem.vocabulary import NamedThing, things_of, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from generators.constraints.problem.draft import ProblemDraft
    from generators.constraints.problem.language import World

_BOUNDS = {
    ProblemSize.SMALL: ClueBounds(2, 4, 4),
    ProblemSize.MEDIUM: ClueBounds(3, 6, 8),
    ProblemSize.LARGE: ClueBounds(4, 8, 12),
}
_COUNTS = {ProblemSize.SMALL: (3, 3, 4), ProblemSize.MEDIUM: (4, 5), ProblemSize.LARGE: (5, 6)}
_WEIGHTS = {"over": 8, "over_both": 2, "under_both": 2, "middle": 3, "not_most": 2, "not_least": 2}
_DRAWN = weighted(_WEIGHTS)


def comparison(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem of comparing; `None` where what was drawn makes none."""
    setting = rng.choice(words("comparisons")["setting"])
    things = things_of(rng, rng.choice(_COUNTS[size]), setting)
    place = rng.choice(setting.get("places", [""]))
    language = _Ranking(things, setting, place)
    opening = rng.choice(setting["intro"]).format(
        names=listed([one.said for one in things]),
        n=number(len(things)),
        place=place,
        relatives=rng.choice(setting.get("relatives", [""])),
    )
    symbols = tuple(one.symbol for one in things)
    can = rng.choice(("Is that possible?", "Can all of this be true?", "Can all of these statements be true together?"))
    background = (f"(distinct {' '.join(symbols)})",)
    frame = ProblemFrame("comparison", sentence(opening), can, "QF_LIA", constants(symbols, "Int"), background)
    return draft_problem(language, frame, _question(language, setting, rng), _BOUNDS[size], form, rng)


def _question(language: _Ranking, setting: Mapping[str, Any], rng: Random) -> WorldQuestion:
    things = language.things
    a, b = rng.sample(range(len(things)), 2)
    kind = rng.choice(("who_most", "who_most", "who_least", "who_least", "is_over", "above"))
    form = str(rng.choice(setting[kind])).format(a=things[a].said, b=things[b].said, place=language.place)

    def ordered(world: World) -> list[list[Statement]]:
        return [[("over", a, b) if world[a] > world[b] else ("over", b, a)]]

    match kind:
        case "is_over":
            tie = f"(= answer (> {things[a].symbol} {things[b].symbol}))"
            return WorldQuestion(form, "Bool", (tie,), lambda world: literal(world[a] > world[b]), ordered, yes_or_no)
        case "above":
            others = [one for one in range(len(things)) if one != a]
            counted = " ".join(f"(ite (> {things[one].symbol} {things[a].symbol}) 1 0)" for one in others)

            def compared(world: World) -> list[list[Statement]]:
                return [[("over", one, a) if world[one] > world[a] else ("over", a, one) for one in others]]

            tie = f"(= answer (+ {counted}))"
            return WorldQuestion(form, "Int", (tie,), lambda world: str(len(things) - world[a]), compared)
    names = [one.value for one in things]
    statement = kind.removeprefix("who_")
    wanted = len(things) if statement == "most" else 1
    chosen = names[-1]
    for one in reversed(range(len(names) - 1)):
        chosen = f"(ite {language.term((statement, one))} {names[one]} {chosen})"
    return WorldQuestion(
        form,
        "Person" if setting["things"] == "people" else "Thing",
        (f"(= answer {chosen})",),
        lambda world: names[world.index(wanted)],
        lambda world: [[(statement, world.index(wanted))]],
        lambda name: things[names.index(name)].said,
        "QF_UFDTLIA",
        (enumeration("Person" if setting["things"] == "people" else "Thing", tuple(names)),),
    )


class _Ranking(WorldLanguage):
    """Statements that compare; a world gives the rank of each thing."""

    def __init__(self, things: Sequence[NamedThing], setting: Mapping[str, Any], place: str) -> None:
        self.things, self.setting, self.place = things, setting, place
        self.worlds = _ranks(len(things))

    def holds(self, statement: Statement, world: tuple[int, ...]) -> bool:
        match statement:
            case "over", a, b:
                return world[a] > world[b]
            case "over_both", a, b, c:
                return world[a] > max(world[b], world[c])
            case "under_both", a, b, c:
                return world[a] < min(world[b], world[c])
            case "middle", a, b, c:
                return min(world[b], world[c]) < world[a] < max(world[b], world[c])
            case "not_most", a:
                return world[a] < len(world)
            case "not_least", a:
                return world[a] > 1
            case "most", a:
                return world[a] == len(world)
            case "least", a:
                return world[a] == 1
        raise ValueError(statement)

    def mask(self, statement: Statement) -> int:
        return _mask(len(self.things), statement)

    def term(self, statement: Statement) -> str:
        name = [one.symbol for one in self.things]
        kind, a, *others = statement
        match kind:
            case "over":
                return f"(> {name[a]} {name[others[0]]})"
            case "over_both" | "under_both":
                sign = ">" if kind == "over_both" else "<"
                return f"(and ({sign} {name[a]} {name[others[0]]}) ({sign} {name[a]} {name[others[1]]}))"
            case "middle":
                b, c = name[others[0]], name[others[1]]
                return f"(or (< {b} {name[a]} {c}) (< {c} {name[a]} {b}))"
        sign, joined = {"most": (">", "and"), "least": ("<", "and"), "not_most": ("<", "or"), "not_least": (">", "or")}[
            kind
        ]
        return f"({joined} {' '.join(f'({sign} {name[a]} {other})' for other in name if other != name[a])})"

    def values(self, world: tuple[int, ...]) -> dict[str, str]:
        return {one.symbol: str(rank) for one, rank in zip(self.things, world, strict=True)}

    def say(self, statement: Statement, rng: Random | None = None) -> str:
        kind, *arguments = statement
        said = dict(zip("abc", (self.things[one].said for one in arguments), strict=False))
        return str(draw_form(self.setting[kind], rng)).format(**said, place=self.place)

    def portrait(self, world: tuple[int, ...]) -> list[Statement]:
        order = sorted(range(len(world)), key=world.__getitem__, reverse=True)
        return [("over", a, b) for a, b in pairwise(order)]

    def draw(self, rng: Random) -> Statement:
        kind = rng.choice(_DRAWN)
        arguments = {"over": 2, "not_most": 1, "not_least": 1}.get(kind, 3)
        return kind, *rng.choice(arrangements(len(self.things), arguments))

    def facts(self) -> Sequence[Statement]:
        return _facts(len(self.things))


@cache
def _ranks(count: int) -> tuple[tuple[int, ...], ...]:
    return tuple(permutations(range(1, count + 1)))


@cache
def _mask(count: int, statement: Statement) -> int:
    meant = _Ranking([NamedThing("", "")] * count, {}, "")
    return worlds_where(meant.worlds, lambda world: meant.holds(statement, world))


@cache
def _facts(count: int) -> tuple[Statement, ...]:
    one = [(kind, a) for kind in ("most", "least", "not_most", "not_least") for a in range(count)]
    return (*one, *(("over", a, b) for a, b in permutations(range(count), 2)))
