"""Problems about seats around a round table, where only the cyclic order counts.

One person has place 0, because a rotation of the table changes nothing. The worlds are all orders of the others, 6 to 120.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, pairwise, permutations
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
from generators.constraints.problem.english import capitalized, draw_form, number, sentence
from generators.constraints.problem.language import Statement, StatementKind, World, WorldLanguage, arrangements
from generators.constraints.problem.vocabulary import NamedThing, names_of, people, symbols_of, words

_BOUNDS = by_size(ClueBounds(2, 3, 4), ClueBounds(3, 5, 8), ClueBounds(4, 7, 12))
_COUNTS: dict[ProblemSize, tuple[int, ...]] = by_size((4,), (5,), (5, 6))


def table(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about a round table; `None` where the draw gives none."""
    setting = rng.choice(words("tables")["setting"])
    persons = people(rng, rng.choice(_COUNTS[size]))
    place = rng.choice(setting["places"])
    count = len(persons)
    opening = rng.choice(setting["intro"]).format(
        names=names_of(persons), n=number(count), place=place, place_capital=capitalized(place)
    )
    symbols = symbols_of(persons)
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
    persons, count = language.things, len(language.things)
    a, b = rng.sample(range(count), 2)
    first, second = persons[a], persons[b]
    do, verb = language.setting["do"], language.setting["verb"]
    kind = rng.choice(["next", "next", "beside", "steps"] + ["opposite"] * (2 if count % 2 == 0 else 0))
    if kind == "beside":
        beside = ("beside", a, b)
        return truth_question(
            f"Does {first.said} {do} next to {second.said}?",
            language.term(beside),
            lambda world: language.holds(beside, world),
            lambda world: [[("beside" if language.holds(beside, world) else "apart", *sorted((a, b)))]],
        )
    if kind == "steps":

        def steps(world: World) -> int:
            return int((world[b] - world[a]) % count)

        return number_question(
            f"Going clockwise from {first.said}, how many people does one pass before one comes to {second.said}?",
            f"(- (mod (- {second.symbol} {first.symbol}) {count}) 1)",
            lambda world: steps(world) - 1,
            lambda world: [[language.fact(a, b, steps(world))]],
        )
    step = 1 if kind == "next" else count // 2
    text = f"Who {verb} directly opposite {first.said}?"
    if kind == "next":
        after = f"Going clockwise, who is the next person after {first.said}?"
        text = rng.choice((after, f"Who {verb} directly after {first.said}, going clockwise?"))
    return thing_question(
        language,
        text,
        "Person",
        lambda other: ("clockwise", a, other, step),
        lambda world: world.index((world[a] + step) % count),
        goal=lambda other: language.fact(a, other, step),
        among=[other for other in range(count) if other != a],
    )


def _steps(a: str, b: str, steps: str = "1") -> str:
    """Return the term that one person is a number of places clockwise from another."""
    return f"(= (mod (- {{{b}}} {{{a}}}) {{count}}) {steps})"


def _beside(a: str, b: str) -> str:
    return f"(or {_steps(a, b)} {_steps(b, a)})"


def _are_beside(world: tuple[int, ...], a: int, b: int) -> bool:
    return abs(world[a] - world[b]) in {1, len(world) - 1}


_KINDS = {
    "clockwise": StatementKind(4, "abn", lambda w, a, b, n: (w[b] - w[a]) % len(w) == n, _steps("a", "b", "{n}")),
    "beside": StatementKind(5, "ab", _are_beside, _beside("a", "b")),
    "apart": StatementKind(5, "ab", lambda w, a, b: not _are_beside(w, a, b), f"(not {_beside('a', 'b')})"),
    "neighbours": StatementKind(
        2,
        "abc",
        lambda w, a, b, c: _are_beside(w, a, b) and _are_beside(w, a, c),
        f"(and {_beside('a', 'b')} {_beside('a', 'c')})",
    ),
}


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


class _Table(WorldLanguage):
    """Statements about an order around a table; a world gives the place of each, clockwise from 0."""

    kinds = _KINDS
    forms = _FORMS

    def __init__(self, persons: Sequence[NamedThing], setting: Mapping[str, Any]) -> None:
        self.things, self.setting = persons, setting
        self.shape = len(persons)
        self.worlds = _places(len(persons))

    def fact(self, a: int, b: int, steps: int) -> Statement:
        """Return the statement that somebody is a number of places clockwise from another."""
        count = len(self.things)
        if steps > count // 2 or (2 * steps == count and a > b):
            return "clockwise", b, a, count - steps
        return "clockwise", a, b, steps

    def symbols(self, letter: str, argument: int) -> dict[str, str]:
        return {**super().symbols(letter, argument), "count": str(len(self.things))}

    def say(self, statement: Statement, rng: Random | None = None) -> str:
        kind, *arguments = statement
        if kind == "clockwise":
            *arguments, steps = arguments
            kind = "clockwise" if steps == 1 else "opposite" if 2 * steps == len(self.things) else "far"
        persons = dict(zip("abc", (self.things[argument].said for argument in arguments), strict=False))
        return str(draw_form(self.forms[kind], rng)).format(
            **persons, **{key: self.setting[key] for key in ("verb", "verbs", "do")}
        )

    def portrait(self, world: tuple[int, ...]) -> list[Statement]:
        return [self.fact(a, b, 1) for a, b in pairwise(sorted(range(len(world)), key=world.__getitem__))]

    def describe(self, world: tuple[int, ...]) -> str:
        return f"the order, going clockwise, can be {self.in_order(world)}"

    def draw(self, rng: Random) -> Statement:
        count = len(self.things)
        kind = self.draw_kind(rng)
        arguments = rng.choice(arrangements(count, 3))
        if kind == "clockwise":
            return self.fact(arguments[0], arguments[1], rng.choice((1, count // 2)))
        return kind, *(arguments if kind == "neighbours" else sorted(arguments[:2]))

    def facts(self) -> Sequence[Statement]:
        count = len(self.things)
        steps = {self.fact(a, b, steps) for a, b in permutations(range(count), 2) for steps in range(1, count)}
        return (
            *sorted(steps),
            *((kind, a, b) for kind in ("beside", "apart") for a, b in combinations(range(count), 2)),
        )


@cache
def _places(count: int) -> tuple[tuple[int, ...], ...]:
    return tuple((0, *others) for others in permutations(range(1, count)))
