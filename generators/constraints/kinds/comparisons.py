"""Problems about who is the tallest, the oldest or the dearest, where no two are equal.

Clues only compare, so that only the order counts. The worlds are all orders, 6 to 720. A world gives the rank of each; the
highest number is the rank of the one who has most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise, permutations
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
from generators.constraints.problem.english import number, sentence
from generators.constraints.problem.language import Statement, StatementKind, World, WorldLanguage, arrangements
from generators.constraints.problem.vocabulary import NamedThing, names_of, symbols_of, things_of, words

_BOUNDS = by_size(ClueBounds(2, 4, 4), ClueBounds(3, 6, 8), ClueBounds(4, 8, 12))
_COUNTS: dict[ProblemSize, tuple[int, ...]] = by_size((3, 3, 4), (4, 5), (5, 6))


def comparison(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem of comparing; `None` where the draw gives none."""
    setting = rng.choice(words("comparisons")["setting"])
    things = things_of(rng, rng.choice(_COUNTS[size]), setting)
    place = rng.choice(setting.get("places", [""]))
    language = _Ranking(things, setting, place)
    opening = rng.choice(setting["intro"]).format(
        names=names_of(things),
        n=number(len(things)),
        place=place,
        relatives=rng.choice(setting.get("relatives", [""])),
    )
    symbols = symbols_of(things)
    can = rng.choice(("Is that possible?", "Can all of this be true?", "Can all of these statements be true together?"))
    background = (f"(distinct {' '.join(symbols)})",)
    frame = ProblemFrame("comparison", sentence(opening), can, "QF_LIA", constants(symbols, "Int"), background)
    return draft_problem(language, frame, _question(language, rng), _BOUNDS[size], form, rng)


def _question(language: _Ranking, rng: Random) -> WorldQuestion:
    things, setting = language.things, language.setting
    a, b = rng.sample(range(len(things)), 2)
    kind = rng.choice(("who_most", "who_most", "who_least", "who_least", "is_over", "above"))
    text = str(rng.choice(setting[kind])).format(a=things[a].said, b=things[b].said, place=language.place)

    def compared(world: World, first: int, other: int) -> Statement:
        return ("over", first, other) if world[first] > world[other] else ("over", other, first)

    if kind == "is_over":
        term = language.term(("over", a, b))
        return truth_question(text, term, lambda world: world[a] > world[b], lambda world: [[compared(world, a, b)]])
    if kind == "above":
        others = [other for other in range(len(things)) if other != a]
        above = " ".join(f"(ite {language.term(('over', other, a))} 1 0)" for other in others)
        return number_question(
            text,
            f"(+ {above})",
            lambda world: len(things) - world[a],
            lambda world: [[compared(world, other, a) for other in others]],
        )
    extreme = kind.removeprefix("who_")
    rank = len(things) if extreme == "most" else 1
    sort = "Person" if setting["things"] == "people" else "Thing"
    return thing_question(language, text, sort, lambda place: (extreme, place), lambda world: world.index(rank))


_KINDS = {
    "over": StatementKind(8, "ab", lambda w, a, b: w[a] > w[b], "(> {a} {b})"),
    "over_both": StatementKind(2, "abc", lambda w, a, b, c: w[a] > max(w[b], w[c]), "(and (> {a} {b}) (> {a} {c}))"),
    "under_both": StatementKind(2, "abc", lambda w, a, b, c: w[a] < min(w[b], w[c]), "(and (< {a} {b}) (< {a} {c}))"),
    "middle": StatementKind(
        3,
        "abc",
        lambda w, a, b, c: min(w[b], w[c]) < w[a] < max(w[b], w[c]),
        "(or (< {b} {a} {c}) (< {c} {a} {b}))",
    ),
    "not_most": StatementKind(2, "a", lambda w, a: w[a] < len(w), "(or {under_others})"),
    "not_least": StatementKind(2, "a", lambda w, a: w[a] > 1, "(or {over_others})"),
    "most": StatementKind(0, "a", lambda w, a: w[a] == len(w), "(and {over_others})"),
    "least": StatementKind(0, "a", lambda w, a: w[a] == 1, "(and {under_others})"),
}


class _Ranking(WorldLanguage):
    """Statements that compare; a world gives the rank of each thing."""

    kinds = _KINDS

    def __init__(self, things: Sequence[NamedThing], setting: Mapping[str, Any], place: str) -> None:
        self.things, self.setting, self.place = things, setting, place
        self.forms = setting
        self.shape = len(things)
        self.worlds = _ranks(len(things))

    def symbols(self, letter: str, argument: int) -> dict[str, str]:
        symbol = self.things[argument].symbol
        others = [other for other in symbols_of(self.things) if other != symbol]
        over, under = (" ".join(f"({sign} {symbol} {other})" for other in others) for sign in "><")
        return {letter: symbol, "over_others": over, "under_others": under}

    def words(self, letter: str, argument: int) -> dict[str, str]:
        return {**super().words(letter, argument), "place": self.place}

    def portrait(self, world: tuple[int, ...]) -> list[Statement]:
        order = sorted(range(len(world)), key=world.__getitem__, reverse=True)
        return [("over", a, b) for a, b in pairwise(order)]

    def draw(self, rng: Random) -> Statement:
        kind = self.draw_kind(rng)
        return kind, *rng.choice(arrangements(len(self.things), len(self.kinds[kind].arguments)))

    def facts(self) -> Sequence[Statement]:
        count = range(len(self.things))
        single = [(kind, a) for kind in ("most", "least", "not_most", "not_least") for a in count]
        return (*single, *(("over", a, b) for a, b in permutations(count, 2)))


def language(things: Sequence[NamedThing], setting: Mapping[str, Any], place: str) -> WorldLanguage:
    """Return the language of things that are compared."""
    return _Ranking(things, setting, place)


@cache
def _ranks(count: int) -> tuple[tuple[int, ...], ...]:
    return tuple(permutations(range(1, count + 1)))
