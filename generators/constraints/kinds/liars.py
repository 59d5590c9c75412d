"""Problems about who is honest and who lies, given what the people say of each other.

Each person is one or the other: the worlds are all 8 to 32 combinations. The clue that a person says something holds if and
only if the person is honest exactly when the statement is true.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING

from generators.constraints.problem.clue_problem import (
    ClueBounds,
    ProblemFrame,
    WorldQuestion,
    draft_problem,
    yes_or_no,
)
from generators.constraints.problem.domain import ProblemForm, ProblemSize
from generators.constraints.problem.draft import constants, enumeration, literal
from generators.constraints.problem.english import listed, sentence
from generators.constraints.problem.language import Statement, WorldLanguage, arrangements, weighted, worlds_where
from generators.constraints.problem.vocabulary import NamedThing, people, words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from generators.constraints.problem.draft import ProblemDraft
    from generators.constraints.problem.language import World

_BOUNDS = {
    ProblemSize.SMALL: ClueBounds(2, 3, 4),
    ProblemSize.MEDIUM: ClueBounds(3, 4, 7),
    ProblemSize.LARGE: ClueBounds(4, 6, 10),
}
_COUNTS = {ProblemSize.SMALL: (2, 3), ProblemSize.MEDIUM: (3, 4), ProblemSize.LARGE: (4, 5)}
_WEIGHTS = {
    "honest": 2,
    "liar": 3,
    "alike": 2,
    "unlike": 2,
    "both_lie": 2,
    "one_lies": 2,
    "both_honest": 2,
    "if_honest": 1,
}
_DRAWN = weighted(_WEIGHTS)
_FORMS = {
    "honest": ("{b} is honest", "{b} always tells the truth"),
    "liar": ("{b} is a liar", "{b} never tells the truth"),
    "alike": ("{b} and {c} are either both honest or both liars",),
    "unlike": ("exactly one of {b} and {c} is a liar", "of {b} and {c}, exactly one is honest"),
    "both_lie": ("{b} and {c} are both liars",),
    "one_lies": ("at least one of {b} and {c} is a liar",),
    "both_honest": ("{b} and {c} are both honest",),
    "if_honest": ("if {b} is honest, then {c} is honest, too",),
}


def liars(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about liars; `None` where what was drawn makes none."""
    setting = rng.choice(words("liars")["setting"])
    persons = people(rng, rng.choice(_COUNTS[size]))
    place = rng.choice(setting["places"])
    opening = rng.choice(setting["intro"]).format(
        names=listed([one.said for one in persons]),
        place=place,
        place_capital=place[0].upper() + place[1:],
        role=rng.choice(setting["roles"]),
    )
    language = _Liars(persons)
    can = rng.choice(("Is that possible?", "Can they all have said that?", "Can all of them have said these things?"))
    symbols = tuple(one.symbol for one in persons)
    frame = ProblemFrame("liars", sentence(opening), can, "QF_UF", constants(symbols, "Bool"), ())
    return draft_problem(language, frame, _question(language, rng), _BOUNDS[size], form, rng)


def _question(language: _Liars, rng: Random) -> WorldQuestion:
    persons = language.people
    a = rng.randrange(len(persons))

    def told(world: World) -> list[list[Statement]]:
        return [[("honest" if world[a] else "liar", a)]]

    def all_told(world: World) -> list[list[Statement]]:
        return [[("honest" if one else "liar", b) for b, one in enumerate(world)]]

    match rng.choice(("is", "is", "how_many", "what")):
        case "is":
            honest = rng.random() < 0.5
            form = rng.choice(
                ("Is {a} honest?", "Does {a} tell the truth?") if honest else ("Is {a} a liar?", "Does {a} lie?")
            )
            tie = persons[a].symbol if honest else f"(not {persons[a].symbol})"
            text, ties = form.format(a=persons[a].said), (f"(= answer {tie})",)
            return WorldQuestion(text, "Bool", ties, lambda world: literal(world[a] == honest), told, yes_or_no)
        case "how_many":
            counted = " ".join(f"(ite {one.symbol} 0 1)" for one in persons)
            text = rng.choice(("How many of them are liars?", "How many liars are there among them?"))
            ties = (f"(= answer (+ {counted}))",)
            return WorldQuestion(text, "Int", ties, lambda world: str(world.count(False)), all_told, str, "QF_UFLIA")
    return WorldQuestion(
        rng.choice(("What is {a}, honest or a liar?", "Is {a} honest or a liar?")).format(a=persons[a].said),
        "Kind",
        (f"(= answer (ite {persons[a].symbol} Honest Liar))",),
        lambda world: "Honest" if world[a] else "Liar",
        told,
        {"Honest": "honest", "Liar": "a liar"}.__getitem__,
        "QF_UFDT",
        (enumeration("Kind", ("Honest", "Liar")),),
    )


class _Liars(WorldLanguage):
    """Statements about who is honest, and of who says what; a world tells of each whether they are honest."""

    def __init__(self, persons: Sequence[NamedThing]) -> None:
        self.people = persons
        self.worlds = _worlds(len(persons))

    def holds(self, statement: Statement, world: tuple[bool, ...]) -> bool:
        match statement:
            case "says", a, *claim:
                return world[a] == self.holds(tuple(claim), world)
            case "honest", a:
                return world[a]
            case "liar", a:
                return not world[a]
            case "alike", a, b:
                return bool(world[a] == world[b])
            case "unlike", a, b:
                return bool(world[a] != world[b])
            case "both_lie", a, b:
                return not (world[a] or world[b])
            case "one_lies", a, b:
                return not (world[a] and world[b])
            case "both_honest", a, b:
                return world[a] and world[b]
            case "if_honest", a, b:
                return not world[a] or world[b]
        raise ValueError(statement)

    def mask(self, statement: Statement) -> int:
        return _mask(len(self.people), statement)

    def term(self, statement: Statement) -> str:
        name = [one.symbol for one in self.people]
        match statement:
            case "says", a, *claim:
                return f"(= {name[a]} {self.term(tuple(claim))})"
            case "honest", a:
                return name[a]
            case "liar", a:
                return f"(not {name[a]})"
            case "alike", a, b:
                return f"(= {name[a]} {name[b]})"
            case "unlike", a, b:
                return f"(xor {name[a]} {name[b]})"
            case "both_lie", a, b:
                return f"(and (not {name[a]}) (not {name[b]}))"
            case "one_lies", a, b:
                return f"(or (not {name[a]}) (not {name[b]}))"
            case "both_honest", a, b:
                return f"(and {name[a]} {name[b]})"
            case "if_honest", a, b:
                return f"(=> {name[a]} {name[b]})"
        raise ValueError(statement)

    def values(self, world: tuple[bool, ...]) -> dict[str, str]:
        return {one.symbol: literal(honest) for one, honest in zip(self.people, world, strict=True)}

    def say(self, statement: Statement, rng: Random | None = None) -> str:
        if statement[0] == "says":
            _, a, *claim = statement
            verb = "says" if rng is None else rng.choice(("says", "says", "claims", "states"))
            return f"{self.people[a].said} {verb} that {self.say(tuple(claim), rng)}"
        kind, *arguments = statement
        forms = _FORMS[kind]
        form = forms[0] if rng is None else rng.choice(forms)
        return form.format(**dict(zip("bc", (self.people[one].said for one in arguments), strict=False)))

    def portrait(self, world: tuple[bool, ...]) -> list[Statement]:
        return [("honest" if honest else "liar", a) for a, honest in enumerate(world)]

    def draw(self, rng: Random) -> Statement:
        count = len(self.people)
        kind = rng.choice(_DRAWN)
        a = rng.randrange(count)
        if kind in {"honest", "liar"}:
            return "says", a, kind, rng.choice([one for one in range(count) if one != a])
        return "says", a, kind, *rng.choice(arrangements(count, 2))

    def facts(self) -> Sequence[Statement]:
        return _facts(len(self.people))


@cache
def _worlds(count: int) -> tuple[tuple[bool, ...], ...]:
    return tuple(product((True, False), repeat=count))


@cache
def _mask(count: int, statement: Statement) -> int:
    meant = _Liars([NamedThing("", "")] * count)
    return worlds_where(meant.worlds, lambda world: meant.holds(statement, world))


@cache
def _facts(count: int) -> tuple[Statement, ...]:
    one = [(kind, a) for kind in ("honest", "liar") for a in range(count)]
    two = [(kind, a, b) for kind in ("alike", "unlike", "one_lies") for a, b in combinations(range(count), 2)]
    return (*one, *two)
