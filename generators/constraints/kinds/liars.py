"""Problems about who is honest and who lies, given what the people say of each other.

Each person is one or the other: the worlds are all 8 to 32 combinations. The clue that a person says something holds if and
only if the person is honest exactly when the statement is true.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from random import Random

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
from generators.constraints.problem.english import capitalized, draw_form, sentence
from generators.constraints.problem.language import Statement, StatementKind, World, WorldLanguage, arrangements
from generators.constraints.problem.vocabulary import NamedThing, names_of, people, symbols_of, words

_BOUNDS = by_size(ClueBounds(2, 3, 4), ClueBounds(3, 4, 7), ClueBounds(4, 6, 10))
_COUNTS = by_size((2, 3), (3, 4), (4, 5))


def liars(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about liars; `None` where the draw gives none."""
    setting = rng.choice(words("liars")["setting"])
    persons = people(rng, rng.choice(_COUNTS[size]))
    place = rng.choice(setting["places"])
    opening = rng.choice(setting["intro"]).format(
        names=names_of(persons), place=place, place_capital=capitalized(place), role=rng.choice(setting["roles"])
    )
    language = _Liars(persons)
    can = rng.choice(("Is that possible?", "Can they all have said that?", "Can all of them have said these things?"))
    frame = ProblemFrame("liars", sentence(opening), can, "QF_UF", constants(symbols_of(persons), "Bool"), ())
    return draft_problem(language, frame, _question(language, rng), _BOUNDS[size], form, rng)


def _question(language: _Liars, rng: Random) -> WorldQuestion:
    a = rng.randrange(len(language.things))
    said, symbol = language.things[a].said, language.things[a].symbol

    def goals(world: World) -> list[list[Statement]]:
        return [[_fact(world, a)]]

    match rng.choice(("is", "is", "how_many", "what")):
        case "is":
            honest = rng.random() < 0.5
            form = rng.choice(
                ("Is {a} honest?", "Does {a} tell the truth?") if honest else ("Is {a} a liar?", "Does {a} lie?")
            )
            term = language.term(("honest" if honest else "liar", a))
            return truth_question(form.format(a=said), term, lambda world: world[a] == honest, goals)
        case "how_many":
            lying = " ".join(f"(ite {thing.symbol} 0 1)" for thing in language.things)
            text = rng.choice(("How many of them are liars?", "How many liars are there among them?"))
            return number_question(
                text,
                f"(+ {lying})",
                lambda world: world.count(False),
                lambda world: [language.portrait(world)],
                "QF_UFLIA",
            )
    return WorldQuestion(
        rng.choice(("What is {a}, honest or a liar?", "Is {a} honest or a liar?")).format(a=said),
        "Kind",
        (f"(= answer (ite {symbol} Honest Liar))",),
        lambda world: "Honest" if world[a] else "Liar",
        goals,
        {"Honest": "honest", "Liar": "a liar"}.__getitem__,
        "QF_UFDT",
        (enumeration("Kind", ("Honest", "Liar")),),
    )


def _fact(world: tuple[bool, ...], a: int) -> Statement:
    return "honest" if world[a] else "liar", a


_KINDS = {
    "honest": StatementKind(2, "b", lambda w, b: w[b], "{b}"),
    "liar": StatementKind(3, "b", lambda w, b: not w[b], "(not {b})"),
    "alike": StatementKind(2, "bc", lambda w, b, c: w[b] == w[c], "(= {b} {c})"),
    "unlike": StatementKind(2, "bc", lambda w, b, c: w[b] != w[c], "(xor {b} {c})"),
    "both_lie": StatementKind(2, "bc", lambda w, b, c: not (w[b] or w[c]), "(and (not {b}) (not {c}))"),
    "one_lies": StatementKind(2, "bc", lambda w, b, c: not (w[b] and w[c]), "(or (not {b}) (not {c}))"),
    "both_honest": StatementKind(2, "bc", lambda w, b, c: w[b] and w[c], "(and {b} {c})"),
    "if_honest": StatementKind(1, "bc", lambda w, b, c: not w[b] or w[c], "(=> {b} {c})"),
}


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


_VERBS = ("says", "says", "claims", "states")


class _Liars(WorldLanguage):
    """Statements about who is honest, and of who says what; a world tells of each whether they are honest.

    A claim is the statement `("says", person, kind, *arguments)`.
    """

    kinds = _KINDS
    forms = _FORMS

    def __init__(self, persons: Sequence[NamedThing]) -> None:
        self.things = persons
        self.shape = len(persons)
        self.worlds = _worlds(len(persons))

    def holds(self, statement: Statement, world: tuple[bool, ...]) -> bool:
        if statement[0] == "says":
            _, a, *claim = statement
            return world[a] == super().holds(tuple(claim), world)
        return super().holds(statement, world)

    def term(self, statement: Statement) -> str:
        if statement[0] == "says":
            _, a, *claim = statement
            return f"(= {self.things[a].symbol} {super().term(tuple(claim))})"
        return super().term(statement)

    def sayings(self, statement: Statement) -> list[str]:
        if statement[0] == "says":
            _, a, *claim = statement
            said = super().sayings(tuple(claim))
            return [f"{self.things[a].said} {verb} that {text}" for verb in dict.fromkeys(_VERBS) for text in said]
        return super().sayings(statement)

    def say(self, statement: Statement, rng: Random | None = None) -> str:
        if statement[0] == "says":
            _, a, *claim = statement
            verb = draw_form(_VERBS, rng)
            return f"{self.things[a].said} {verb} that {super().say(tuple(claim), rng)}"
        return super().say(statement, rng)

    def portrait(self, world: tuple[bool, ...]) -> list[Statement]:
        return [_fact(world, a) for a in range(len(world))]

    def draw(self, rng: Random) -> Statement:
        count = len(self.things)
        kind = self.draw_kind(rng)
        a = rng.randrange(count)
        if kind in {"honest", "liar"}:
            return "says", a, kind, rng.choice([other for other in range(count) if other != a])
        return "says", a, kind, *rng.choice(arrangements(count, 2))

    def facts(self) -> Sequence[Statement]:
        persons = range(len(self.things))
        single = [(kind, a) for kind in ("honest", "liar") for a in persons]
        pairs = [(kind, a, b) for kind in ("alike", "unlike", "one_lies") for a, b in combinations(persons, 2)]
        return (*single, *pairs)


def language(persons: Sequence[NamedThing]) -> WorldLanguage:
    """Return the language of honest people and liars."""
    return _Liars(persons)


@cache
def _worlds(count: int) -> tuple[tuple[bool, ...], ...]:
    return tuple(product((True, False), repeat=count))
