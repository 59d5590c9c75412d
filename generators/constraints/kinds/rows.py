"""Problems about the order of things in a row or of events in a schedule, no two in the same place.

The worlds are all orders of the things, 6 to 720.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import permutations
from random import Random
from typing import Any

from generators.constraints.problem.clue_problem import (
    ClueBounds,
    ProblemFrame,
    WorldQuestion,
    draft_problem,
    number_question,
    thing_question,
    truth_question,
)
from generators.constraints.problem.domain import ProblemForm, ProblemSize, by_size
from generators.constraints.problem.draft import ProblemDraft, constants
from generators.constraints.problem.english import ORDINALS, capitalized, counted, number, sentence
from generators.constraints.problem.language import Statement, StatementKind, World, WorldLanguage
from generators.constraints.problem.vocabulary import NamedThing, names_of, people, symbols_of, things_of, words

_SORTS = {"people": "Person", "coloured": "Thing", "subjects": "Lesson", "tasks": "Task"}
_BOUNDS = by_size(ClueBounds(2, 3, 4), ClueBounds(3, 5, 8), ClueBounds(4, 8, 14))


def row(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about places in a row; `None` where the draw gives none."""
    setting = rng.choice(words("rows")["setting"])
    return _draft("row", setting, size, form, rng, first=1, place=rng.choice(setting["places"]))


def slots(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about hours, one thing at each; `None` where the draw gives none."""
    setting = rng.choice(words("rows")["slots"])
    return _draft("slots", setting, size, form, rng, first=rng.randint(7, 14), place=rng.choice(setting["places"]))


def _draft(
    kind: str, setting: Mapping[str, Any], size: ProblemSize, form: ProblemForm, rng: Random, *, first: int, place: str
) -> ProblemDraft | None:
    count = by_size(3, rng.choice((4, 5)), rng.choice((5, 6)))[size]
    language = _Row(things_of(rng, count, setting), setting, first)
    symbols = symbols_of(language.things)
    last = first + count - 1
    background = (*(f"(<= {first} {symbol} {last})" for symbol in symbols), f"(distinct {' '.join(symbols)})")
    opening = rng.choice(setting["intro"]).format(
        **{"names": names_of(language.things), "n": number(count), "from": first, "to": last},
        place=place,
        place_capital=capitalized(place),
        planner=people(rng, 1)[0].said,
    )
    can, declarations = rng.choice(setting["can"]), constants(symbols, "Int")
    frame = ProblemFrame(kind, sentence(opening), can, "QF_LIA", declarations, background)
    return draft_problem(language, frame, _question(language, rng), _BOUNDS[size], form, rng)


def _question(language: _Row, rng: Random) -> WorldQuestion:
    setting, things, first = language.setting, language.things, language.first
    a, b = rng.sample(range(len(things)), 2)
    said, symbol = things[a].said, things[a].symbol
    kind = rng.choice(("where", "who", "who", "is_before", "ahead"))
    form = rng.choice(setting[kind])

    def placed(world: World) -> list[list[Statement]]:
        return [[("at", a, world[a])]]

    def ordered(world: World) -> list[list[Statement]]:
        both = [("at", a, world[a]), ("at", b, world[b])]
        return [both, [("before", a, b) if world[a] < world[b] else ("before", b, a)]]

    match kind:
        case "where":
            return number_question(form.format(a=said), symbol, lambda world: world[a] + first - 1, placed)
        case "is_before":
            text, term = form.format(a=said, b=things[b].said), language.term(("before", a, b))
            return truth_question(text, term, lambda world: world[a] < world[b], ordered)
        case "ahead":
            return number_question(form.format(a=said), f"(- {symbol} {first})", lambda world: world[a] - 1, placed)
    place = rng.randint(1, len(things))
    text = form.format(**language.words("p", place))
    sort = _SORTS[setting["things"]]
    return thing_question(language, text, sort, lambda thing: ("at", thing, place), lambda world: world.index(place))


_KINDS = {
    "at": StatementKind(2, "ap", lambda w, a, p: w[a] == p, "(= {a} {p})"),
    "not_at": StatementKind(4, "ap", lambda w, a, p: w[a] != p, "(not (= {a} {p}))"),
    "before": StatementKind(6, "ab", lambda w, a, b: w[a] < w[b], "(< {a} {b})"),
    "direct": StatementKind(4, "ab", lambda w, a, b: w[a] + 1 == w[b], "(= {b} (+ {a} 1))"),
    "next": StatementKind(4, "ab", lambda w, a, b: abs(w[a] - w[b]) == 1, "(or (= {b} (+ {a} 1)) (= {a} (+ {b} 1)))"),
    "apart": StatementKind(
        4, "ab", lambda w, a, b: abs(w[a] - w[b]) > 1, "(not (or (= {b} (+ {a} 1)) (= {a} (+ {b} 1))))"
    ),
    "gap": StatementKind(
        3, "abn", lambda w, a, b, n: abs(w[a] - w[b]) == n + 1, "(or (= {b} (+ {a} {n})) (= {a} (+ {b} {n})))"
    ),
    "between": StatementKind(
        3,
        "abc",
        lambda w, a, b, c: min(w[b], w[c]) < w[a] < max(w[b], w[c]),
        "(or (< {b} {a} {c}) (< {c} {a} {b}))",
    ),
    "ends": StatementKind(2, "a", lambda w, a: w[a] in {1, len(w)}, "(or (= {a} {first}) (= {a} {last}))"),
    "inner": StatementKind(2, "a", lambda w, a: 1 < w[a] < len(w), "(< {first} {a} {last})"),
}


class _Row(WorldLanguage):
    """Statements about the places of things in a row; a world gives the place of each."""

    kinds = _KINDS

    def __init__(self, things: Sequence[NamedThing], setting: Mapping[str, Any], first: int) -> None:
        self.things, self.setting, self.first = things, setting, first
        self.forms = setting
        self.shape = len(things)
        self.worlds = _orders(len(things))

    def symbols(self, letter: str, argument: int) -> dict[str, str]:
        match letter:
            case "p":
                return {"p": str(argument + self.first - 1)}
            case "n":
                return {"n": str(argument + 1)}
        ends = {"first": str(self.first), "last": str(self.first + len(self.things) - 1)}
        return {**super().symbols(letter, argument), **ends}

    def values(self, world: tuple[int, ...]) -> dict[str, str]:
        return {thing.symbol: str(place + self.first - 1) for thing, place in zip(self.things, world, strict=True)}

    def words(self, letter: str, argument: int) -> dict[str, str]:
        match letter:
            case "p":
                last = argument == len(self.things) and self.setting.get("last", True)
                nth = "last" if last else ORDINALS[argument - 1]
                return {"nth": nth, "hour": str(argument + self.first - 1)}
            case "n":
                amount = counted(argument, self.setting["one"], self.setting["many"])
                verb = "is" if argument == 1 else "are"
                return {"count": f"{amount} {verb}", "hours": counted(argument + 1, "hour", "hours")}
        return super().words(letter, argument)

    def portrait(self, world: tuple[int, ...]) -> list[Statement]:
        return [("at", a, place) for a, place in enumerate(world)]

    def describe(self, world: tuple[int, ...]) -> str:
        return f"the order can be {self.in_order(world)}"

    def draw(self, rng: Random) -> Statement:
        count = len(self.things)
        kind = self.draw_kind(rng)
        things = rng.sample(range(count), 3 if kind == "between" else 2)
        match kind:
            case "at" | "not_at":
                return kind, things[0], rng.randint(1, count)
            case "ends" | "inner":
                return kind, things[0]
            case "gap":
                return kind, *things, rng.randint(1, max(1, count - 2))
        return kind, *things

    def facts(self) -> Sequence[Statement]:
        count = range(len(self.things))
        placed = [(kind, a, place + 1) for kind in ("at", "not_at") for a in count for place in count]
        return (*placed, *(("before", a, b) for a, b in permutations(count, 2)))


def language(things: Sequence[NamedThing], setting: Mapping[str, Any], first: int) -> WorldLanguage:
    """Return the language of things in places from `first` on."""
    return _Row(things, setting, first)


@cache
def _orders(count: int) -> tuple[tuple[int, ...], ...]:
    return tuple(permutations(range(1, count + 1)))
