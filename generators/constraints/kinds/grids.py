"""Problems about who has which value of one or two attributes, where all people have different values.

The worlds are all ways to assign the values of each attribute to the people, 6 to 576.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import permutations, product
from random import Random
from typing import Any

from generators.constraints.problem.clue_problem import (
    ClueBounds,
    ProblemFrame,
    WorldQuestion,
    draft_problem,
    thing_question,
    truth_question,
)
from generators.constraints.problem.domain import ProblemForm, ProblemSize, by_size
from generators.constraints.problem.draft import ProblemDraft, constants, enumeration
from generators.constraints.problem.english import article, capitalized, draw_form, listed, sentence
from generators.constraints.problem.language import Statement, StatementKind, World, WorldLanguage, arrangements
from generators.constraints.problem.vocabulary import NamedThing, names_of, people, words

_BOUNDS = by_size(ClueBounds(2, 3, 4), ClueBounds(3, 5, 9), ClueBounds(4, 8, 14))
_SHAPES: dict[ProblemSize, tuple[tuple[int, int], ...]] = by_size(((3, 1),), ((4, 1), (3, 2), (3, 2)), ((4, 2),))


def grid(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about who has what; `None` where the draw gives none."""
    count, several = rng.choice(_SHAPES[size])
    settings = rng.sample(words("grids")["setting"], several)
    language = _Grid(people(rng, count), [_Attribute(setting, count, rng) for setting in settings])
    names = names_of(language.things)
    opening = " ".join(
        sentence(
            rng.choice(described.intro).format(names=names if number == 0 else "the same people", **described.inventory)
        )
        for number, described in enumerate(language.attributes)
    ).replace(". the", ". The")
    declarations: list[str] = []
    background: list[str] = []
    for place, attribute in enumerate(language.attributes):
        symbols = tuple(language.constant(a, place) for a in range(count))
        declarations += [enumeration(attribute.sort, attribute.names), *constants(symbols, attribute.sort)]
        background.append(f"(distinct {' '.join(symbols)})")
    can = rng.choice(("Is that possible?", "Can all of this be true?", "Is there a way to make all of this true?"))
    frame = ProblemFrame("grid", opening, can, "QF_UFDT", tuple(declarations), tuple(background))
    return draft_problem(language, frame, _question(language, rng), _BOUNDS[size], form, rng)


class _Attribute:
    """An attribute of people, with as many values as there are people, and its words."""

    def __init__(self, setting: Mapping[str, Any], count: int, rng: Random) -> None:
        self.key, table = next((name, part) for name, part in setting.items() if isinstance(part, dict))
        self.words: dict[str, Any] = table
        self.intro = setting["intro"]
        self.sort = str(table["sort"])
        self.values: list[str] = rng.sample(table["values"], count)
        self.names = tuple(capitalized(value) for value in self.values)

    def said(self, value: int) -> str:
        """Return a value with its article."""
        name = self.values[value]
        if self.words.get("the"):
            return f"the {name}"
        return article(name) if self.words.get("article") else name

    @property
    def inventory(self) -> dict[str, str]:
        """Return the words for all values."""
        values = [self.said(value) for value in sorted(range(len(self.values)), key=self.values.__getitem__)]
        return {self.key: listed(values), f"{self.key}_or": listed(values, "or")}

    def holder(self, value: int) -> str:
        """Return the words for who has a value."""
        name = self.values[value]
        definite = f"the {name}" if self.words.get("article") else self.said(value)
        return str(self.words["of"]).format(v=definite, bare=name)


def _question(language: _Grid, rng: Random) -> WorldQuestion:
    place = rng.randrange(len(language.attributes))
    attribute = language.attributes[place]
    a, value = rng.randrange(len(language.things)), rng.randrange(len(language.things))

    def goals(world: World) -> list[list[Statement]]:
        return [[("has", a, place, world[place][a])]]

    match rng.choice(("which", "which", "who", "who", "has")):
        case "which":
            return WorldQuestion(
                rng.choice(attribute.words["which"]).format(a=language.things[a].said),
                attribute.sort,
                (f"(= answer {language.constant(a, place)})",),
                lambda world: attribute.names[world[place][a]],
                goals,
                lambda name: attribute.said(attribute.names.index(name)),
            )
        case "has":
            claim = ("has", a, place, value)
            return truth_question(
                f"Is it true that {language.say(claim)}?",
                language.term(claim),
                lambda world: world[place][a] == value,
                lambda world: [*goals(world), [("lacks", a, place, value)]],
            )
    return thing_question(
        language,
        rng.choice(attribute.words["who"]).format(v=attribute.said(value)),
        "Person",
        lambda person: ("has", person, place, value),
        lambda world: world[place].index(value),
        logic="",
    )


_KINDS = {
    "has": StatementKind(2, "apv", lambda w, a, p, v: w[p][a] == v),
    "lacks": StatementKind(5, "apv", lambda w, a, p, v: w[p][a] != v),
    "either": StatementKind(3, "apvu", lambda w, a, p, v, u: w[p][a] in {v, u}),
    "among": StatementKind(3, "abpv", lambda w, a, b, p, v: v in {w[p][a], w[p][b]}),
    "linked": StatementKind(6, "pvqu", lambda w, p, v, q, u: w[p].index(v) == w[q].index(u)),
    "unlinked": StatementKind(5, "pvqu", lambda w, p, v, q, u: w[p].index(v) != w[q].index(u)),
}


class _Grid(WorldLanguage):
    """Statements about who has what; a world gives, for each attribute `p`, the value `v` of each person."""

    kinds = _KINDS

    def __init__(self, persons: Sequence[NamedThing], attributes: Sequence[_Attribute]) -> None:
        self.things, self.attributes = persons, attributes
        self.shape = len(persons), len(attributes)
        self.worlds = _worlds(len(persons), len(attributes))

    def constant(self, a: int, place: int) -> str:
        """Return the constant for what a person has."""
        symbol = self.things[a].symbol
        return symbol if len(self.attributes) == 1 else f"{symbol}_{self.attributes[place].key}"

    def term(self, statement: Statement) -> str:
        match statement:
            case "has", a, place, value:
                return f"(= {self.constant(a, place)} {self.attributes[place].names[value]})"
            case "lacks", *arguments:
                return f"(not {self.term(('has', *arguments))})"
            case "either", a, place, value, other:
                return f"(or {self.term(('has', a, place, value))} {self.term(('has', a, place, other))})"
            case "among", a, b, place, value:
                return f"(or {self.term(('has', a, place, value))} {self.term(('has', b, place, value))})"
        kind, place, value, other_place, other = statement
        form = "(= {} {})" if kind == "linked" else "(=> {} (not {}))"
        pairs = [
            form.format(self.term(("has", a, place, value)), self.term(("has", a, other_place, other)))
            for a in range(len(self.things))
        ]
        return f"(and {' '.join(pairs)})"

    def values(self, world: tuple[tuple[int, ...], ...]) -> dict[str, str]:
        return {
            self.constant(a, place): self.attributes[place].names[value] for _, a, place, value in self.portrait(world)
        }

    def say(self, statement: Statement, rng: Random | None = None) -> str:
        match statement:
            case ("has" | "lacks") as kind, a, place, value:
                attribute = self.attributes[place]
                return str(draw_form(attribute.words[kind], rng)).format(a=self.things[a].said, v=attribute.said(value))
            case "either", a, place, value, other:
                attribute = self.attributes[place]
                values = f"either {attribute.said(value)} or {attribute.said(other)}"
                return str(attribute.words["has"][0]).format(a=self.things[a].said, v=values)
            case "among", a, b, place, value:
                attribute = self.attributes[place]
                persons = listed([self.things[a].said, self.things[b].said], "or")
                return f"it is {persons} who {str(attribute.words['of_verb']).format(v=attribute.said(value))}"
        kind, place, value, other_place, other = statement
        attribute = self.attributes[other_place]
        form = str(attribute.words["of_verb" if kind == "linked" else "lacks_verb"])
        return f"{self.attributes[place].holder(value)} {form.format(v=attribute.said(other))}"

    def portrait(self, world: tuple[tuple[int, ...], ...]) -> list[Statement]:
        return [("has", a, place, value) for place, given in enumerate(world) for a, value in enumerate(given)]

    def draw(self, rng: Random) -> Statement:
        count, several = len(self.things), len(self.attributes)
        kind = self.draw_kind(rng)
        if several == 1 and kind in {"linked", "unlinked"}:
            kind = "lacks"
        place = rng.randrange(several)
        a, b = rng.choice(arrangements(count, 2))
        value, other = rng.choice(arrangements(count, 2))
        match kind:
            case "has" | "lacks":
                return kind, a, place, value
            case "either":
                return kind, a, place, value, other
            case "among":
                return kind, a, b, place, value
        return kind, place, value, 1 - place, rng.randrange(count)

    def facts(self) -> Sequence[Statement]:
        count, several = range(len(self.things)), range(len(self.attributes))
        return [(kind, *arguments) for kind in ("has", "lacks") for arguments in product(count, several, count)]


@cache
def _worlds(count: int, several: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    return tuple(product(permutations(range(count)), repeat=several))
