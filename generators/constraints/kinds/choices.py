"""Problems about which of several priced things a person chooses.

The worlds are all sets of the things, 8 to 32.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
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
from generators.constraints.problem.draft import ProblemDraft, constants
from generators.constraints.problem.english import article, counted, listed, sentence
from generators.constraints.problem.language import Statement, StatementKind, WorldLanguage, arrangements
from generators.constraints.problem.vocabulary import NamedThing, people, symbols_of, words

_BOUNDS = by_size(ClueBounds(2, 3, 5), ClueBounds(3, 4, 8), ClueBounds(3, 6, 10))
_COUNTS = by_size(3, 4, 5)
_FORMS = {
    "takes": ("{who} {takes} {a}",),
    "leaves": ("{who} does not {take} {a}",),
    "if_takes": ("if {who} {takes} {a}, then {who} {takes} {b}, too", "{who} {takes} {a} only together with {b}"),
    "not_both": ("{who} does not {take} both {a} and {b}", "of {a} and {b}, {who} {takes} at most one"),
    "one_of": ("{who} {takes} at least one of {a} and {b}", "{who} {takes} {a} or {b}, or both"),
    "count": ("{who} {takes} exactly {things}",),
    "total": ("{who} {cost} exactly {m} {unit} in all",),
    "total_most": ("{who} {cost} at most {m} {unit} in all",),
    "total_least": ("{who} {cost} at least {m} {unit} in all",),
}
_TOTAL_QUESTIONS = {
    "spends": "How many {unit} does {who} spend in all?",
    "pays": "How many {unit} does {who} pay in all?",
    "loads": "How many {unit} does {who} load in all?",
    "works": "For how many {unit} does {who} work in all?",
}


def choice(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem of choosing; `None` where the draw gives none."""
    setting = rng.choice(words("choices")["setting"])
    names = rng.sample(setting["things"], _COUNTS[size])
    prices = rng.sample(range(2, 21), len(names))
    (person,) = people(rng, 1)
    language = _Choices(person.said, [NamedThing(f"the {name}", name) for name in names], prices, setting)
    unit = setting["unit"]
    offers = listed([f"{article(name)} ({price} {unit})" for name, price in zip(names, prices, strict=True)])
    opening = rng.choice(setting["intro"]).format(who=person.said, prices=offers)
    can = rng.choice(
        ("Is that possible?", "Is there a choice that fits all of this?", f"Can {person.said} choose like that?")
    )
    declarations = constants(symbols_of(language.things), "Bool")
    frame = ProblemFrame("choice", sentence(opening), can, "QF_LIA", declarations, ())
    return draft_problem(language, frame, _question(language, rng), _BOUNDS[size], form, rng)


def _question(language: _Choices, rng: Random) -> WorldQuestion:
    setting, who = language.setting, language.who
    x = rng.randrange(len(language.things))
    thing = language.things[x]
    match rng.choice(("does", "does", "total", "count")):
        case "does":
            text = f"Does {who} {setting['take']} {thing.said}?"
            return truth_question(text, thing.symbol, lambda world: world[x], lambda world: [[_fact(world, x)]])
        case "total":
            text = _TOTAL_QUESTIONS[setting["cost"]].format(unit=setting["unit"], who=who)
            return number_question(
                text, language.total, language.spent.__getitem__, lambda world: [language.portrait(world)]
            )
    text = f"How many of these things does {who} {setting['take']}?"
    return number_question(text, language.number, sum, lambda world: [language.portrait(world)])


def _fact(world: tuple[bool, ...], x: int) -> Statement:
    return "takes" if world[x] else "leaves", x


class _Choices(WorldLanguage):
    """Statements about the choice; a world tells of each thing whether it is chosen."""

    forms = _FORMS

    def __init__(
        self, who: str, things: Sequence[NamedThing], prices: Sequence[int], setting: Mapping[str, Any]
    ) -> None:
        self.who, self.things, self.setting = who, things, setting
        self.shape = len(things)
        self.worlds = _worlds(len(things))
        self.spent = {
            world: sum(price for price, taken in zip(prices, world, strict=True) if taken) for world in self.worlds
        }
        self.total = (
            f"(+ {' '.join(f'(ite {thing.symbol} {price} 0)' for thing, price in zip(things, prices, strict=True))})"
        )
        self.number = f"(+ {' '.join(f'(ite {thing.symbol} 1 0)' for thing in things)})"
        self.kinds = {
            "takes": StatementKind(1, "a", lambda w, a: w[a], "{a}"),
            "leaves": StatementKind(1, "a", lambda w, a: not w[a], "(not {a})"),
            "if_takes": StatementKind(3, "ab", lambda w, a, b: not w[a] or w[b], "(=> {a} {b})"),
            "not_both": StatementKind(3, "ab", lambda w, a, b: not (w[a] and w[b]), "(not (and {a} {b}))"),
            "one_of": StatementKind(3, "ab", lambda w, a, b: w[a] or w[b], "(or {a} {b})"),
            "count": StatementKind(3, "m", lambda w, m: sum(w) == m, f"(= {self.number} {{m}})"),
            "total": StatementKind(3, "m", lambda w, m: self.spent[w] == m, f"(= {self.total} {{m}})"),
            "total_most": StatementKind(4, "m", lambda w, m: self.spent[w] <= m, f"(<= {self.total} {{m}})"),
            "total_least": StatementKind(4, "m", lambda w, m: self.spent[w] >= m, f"(>= {self.total} {{m}})"),
        }

    def mask(self, statement: Statement) -> int:
        # The meaning of totals depends on the prices, which differ from problem to problem.
        if statement[0].startswith("total"):
            return self.where(lambda world: self.holds(statement, world))
        return super().mask(statement)

    def say(self, statement: Statement, rng: Random | None = None) -> str:
        return super().say(statement, rng if len(self.forms[statement[0]]) > 1 else None)

    def words(self, letter: str, argument: Any) -> dict[str, str]:
        setting = {key: self.setting[key] for key in ("takes", "take", "cost", "unit")}
        things = counted(argument, "thing", "things") if letter == "m" else ""
        return {**super().words(letter, argument), **setting, "who": self.who, "things": things}

    def portrait(self, world: tuple[bool, ...]) -> list[Statement]:
        return [_fact(world, x) for x in range(len(world))]

    def draw(self, rng: Random) -> Statement:
        kind = self.draw_kind(rng)
        x, y = rng.choice(arrangements(len(self.things), 2))
        match kind:
            case "takes" | "leaves":
                return kind, x
            case "count":
                return kind, rng.randint(1, len(self.things) - 1)
            case "total" | "total_most" | "total_least":
                spent = rng.choice(list(self.spent.values()))
                # A bound that is not met exactly says no more than the one that is, and looks less made up.
                slack = 0 if kind == "total" else rng.randint(0, 2)
                return kind, max(1, spent + (slack if kind == "total_most" else -slack))
        return kind, x, y

    def facts(self) -> Sequence[Statement]:
        return [(kind, x) for kind in ("takes", "leaves") for x in range(len(self.things))]


@cache
def _worlds(count: int) -> tuple[tuple[bool, ...], ...]:
    return tuple(product((True, False), repeat=count))
