"""Problems about how a number of things is shared out, where each person gets at least one.

The worlds are all ways to share them, at most 220.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, permutations, product
from random import Random
from typing import Any

from generators.constraints.problem.clue_problem import (
    ClueBounds,
    ProblemFrame,
    WorldQuestion,
    draft_problem,
    number_question,
    truth_question,
)
from generators.constraints.problem.domain import ProblemForm, ProblemSize, by_size
from generators.constraints.problem.draft import ProblemDraft, constants, enumeration
from generators.constraints.problem.english import TIMES, number, sentence
from generators.constraints.problem.language import Statement, StatementKind, World, WorldLanguage, arrangements
from generators.constraints.problem.vocabulary import NamedThing, names_of, people, symbols_of, words

_BOUNDS = by_size(ClueBounds(2, 3, 5), ClueBounds(3, 5, 8), ClueBounds(4, 7, 12))
_SHAPES = by_size((2, 3, (5, 14)), (3, 3, (8, 20)), (4, 4, (10, 13)))


def shares(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem of sharing out; `None` where the draw gives none."""
    fewest, most, totals = _SHAPES[size]
    setting = rng.choice(words("shares")["setting"])
    persons = people(rng, rng.randint(fewest, most))
    total = rng.randint(*totals)
    goods = rng.choice(setting["things"])
    language = _Shares(persons, total, setting, goods)
    opening = rng.choice(setting["intro"]).format(
        names=names_of(persons),
        n=number(len(persons)),
        total=number(total),
        total_capital=number(total).capitalize(),
        things=goods,
    )
    symbols = symbols_of(persons)
    background = (*(f"(>= {symbol} 1)" for symbol in symbols), f"(= (+ {' '.join(symbols)}) {total})")
    can = rng.choice(setting["can"]).format(things=goods)
    frame = ProblemFrame("shares", sentence(opening), can, "QF_LIA", constants(symbols, "Int"), background)
    return draft_problem(language, frame, _question(language, rng), _BOUNDS[size], form, rng)


def _question(language: _Shares, rng: Random) -> WorldQuestion:
    persons = language.things
    a, b = rng.sample(range(len(persons)), 2)
    kind = rng.choice(("how_many", "how_many", "how_many", "who", "is_more"))
    text = rng.choice(language.setting[kind]).format(a=persons[a].said, b=persons[b].said, things=language.goods)
    if kind == "how_many":
        return number_question(
            text, persons[a].symbol, lambda world: world[a], lambda world: [[("exactly", a, world[a])]]
        )
    if kind == "is_more":

        def goals(world: World) -> list[list[Statement]]:
            both = [("exactly", a, world[a]), ("exactly", b, world[b])]
            return [both, [("more", a, b) if world[a] > world[b] else ("more", b, a)]]

        return truth_question(text, language.term(("more", a, b)), lambda world: world[a] > world[b], goals)
    names = [person.value for person in persons]
    ties = []
    for place, name in enumerate(names):
        over = [language.term(("more", place, other)) for other in range(len(names)) if other != place]
        most = f"(and {' '.join(over)})" if len(over) > 1 else over[0]
        ties.append(f"(= (= answer {name}) {most})")

    def leader(world: World) -> str:
        best = max(world)
        return names[world.index(best)] if world.count(best) == 1 else ""

    return WorldQuestion(
        text,
        "Person",
        tuple(ties),
        leader,
        lambda world: [language.portrait(world)],
        lambda name: persons[names.index(name)].said,
        "QF_UFDTLIA",
        (enumeration("Person", tuple(names)),),
    )


_KINDS = {
    "exactly": StatementKind(2, "am", lambda w, a, m: w[a] == m, "(= {a} {m})"),
    "least": StatementKind(4, "am", lambda w, a, m: w[a] >= m, "(>= {a} {m})"),
    "most": StatementKind(4, "am", lambda w, a, m: w[a] <= m, "(<= {a} {m})"),
    "more": StatementKind(3, "ab", lambda w, a, b: w[a] > w[b], "(> {a} {b})"),
    "ahead": StatementKind(4, "abm", lambda w, a, b, m: w[a] == w[b] + m, "(= {a} (+ {b} {m}))"),
    "times": StatementKind(4, "abx", lambda w, a, b, x: w[a] == x * w[b], "(= {a} (* {x} {b}))"),
    "sum": StatementKind(3, "abm", lambda w, a, b, m: w[a] + w[b] == m, "(= (+ {a} {b}) {m})"),
    "same": StatementKind(2, "ab", lambda w, a, b: w[a] == w[b], "(= {a} {b})"),
    "even": StatementKind(2, "a", lambda w, a: w[a] % 2 == 0, "(= (mod {a} 2) 0)"),
    "odd": StatementKind(2, "a", lambda w, a: w[a] % 2 == 1, "(= (mod {a} 2) 1)"),
}


class _Shares(WorldLanguage):
    """Statements about how many each gets; a world gives the number of each."""

    kinds = _KINDS

    def __init__(self, persons: Sequence[NamedThing], total: int, setting: Mapping[str, Any], goods: str) -> None:
        self.things, self.total, self.setting, self.goods = persons, total, setting, goods
        self.forms = setting
        self.shape = len(persons), total
        self.worlds = _worlds(len(persons), total)

    def words(self, letter: str, argument: int) -> dict[str, str]:
        match letter:
            case "m":
                return {"m": number(argument)}
            case "x":
                return {"m": TIMES[argument]}
        return {**super().words(letter, argument), "things": self.goods}

    def portrait(self, world: tuple[int, ...]) -> list[Statement]:
        return [("exactly", a, many) for a, many in enumerate(world)]

    def draw(self, rng: Random) -> Statement:
        count = len(self.things)
        kind = self.draw_kind(rng)
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
                return kind, a, b, rng.choice((2, 3, 4))
            case "sum":
                return kind, a, b, rng.randint(2, self.total - count + 2)
        return kind, a, rng.randint(1 + (kind == "least"), highest - (kind == "most"))

    def facts(self) -> Sequence[Statement]:
        persons, amounts = range(len(self.things)), range(1, self.total - len(self.things) + 2)
        single = [(kind, a, many) for kind in ("exactly", "least", "most") for a in persons for many in amounts]
        more = [("more", a, b) for a, b in permutations(persons, 2)]
        pairs = combinations(persons, 2) if len(persons) > 2 else ()
        return (*single, *more, *(("sum", a, b, many) for a, b in pairs for many in range(2, self.total)))


@cache
def _worlds(count: int, total: int) -> tuple[tuple[int, ...], ...]:
    firsts = product(range(1, total), repeat=count - 1)
    return tuple((*first, total - sum(first)) for first in firsts if sum(first) < total)
