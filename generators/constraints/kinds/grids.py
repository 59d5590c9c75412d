"""Problems about who has which value of one or two attributes, where all people have different values.

The worlds are all ways to assign the values of each attribute to the people, 6 to 576.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations, product
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
from generators.constraints.problem.english import article, draw_form, listed, sentence
from generators.constraints.problem.language import Statement, WorldLanguage, arrangements, weighted, worlds_where
from generators.constraints.problem.vocabulary import NamedThing, people, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from generators.constraints.problem.draft import ProblemDraft
    from generators.constraints.problem.language import World

_BOUNDS = {
    ProblemSize.SMALL: ClueBounds(2, 3, 4),
    ProblemSize.MEDIUM: ClueBounds(3, 5, 9),
    ProblemSize.LARGE: ClueBounds(4, 8, 14),
}
_SHAPES = {ProblemSize.SMALL: ((3, 1),), ProblemSize.MEDIUM: ((4, 1), (3, 2), (3, 2)), ProblemSize.LARGE: ((4, 2),)}
_WEIGHTS = {"has": 2, "lacks": 5, "either": 3, "among": 3, "linked": 6, "unlinked": 5}
_DRAWN = weighted(_WEIGHTS)


def grid(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about who has what; `None` where what was drawn makes none."""
    count, several = rng.choice(_SHAPES[size])
    settings = rng.sample(words("grids")["setting"], several)
    language = _Grid(people(rng, count), [_Attribute(one, rng.sample(_values(one), count)) for one in settings])
    names = listed([one.said for one in language.people])
    opening = " ".join(
        sentence(rng.choice(one.intro).format(names=names if number == 0 else "the same people", **one.inventory))
        for number, one in enumerate(language.attributes)
    ).replace(". the", ". The")
    declarations: list[str] = []
    background: list[str] = []
    for place, one in enumerate(language.attributes):
        symbols = tuple(language.constant(a, place) for a in range(count))
        declarations += [enumeration(one.sort, one.names), *constants(symbols, one.sort)]
        background.append(f"(distinct {' '.join(symbols)})")
    can = rng.choice(("Is that possible?", "Can all of this be true?", "Is there a way to make all of this true?"))
    frame = ProblemFrame("grid", opening, can, "QF_UFDT", tuple(declarations), tuple(background))
    return draft_problem(language, frame, _question(language, rng), _BOUNDS[size], form, rng)


def _values(setting: Mapping[str, Any]) -> list[str]:
    return list(_table(setting)["values"])


def _table(setting: Mapping[str, Any]) -> dict[str, Any]:
    return dict(next(one for one in setting.values() if isinstance(one, dict)))


class _Attribute:
    """What people may have, with its values and the words for it."""

    def __init__(self, setting: Mapping[str, Any], values: Sequence[str]) -> None:
        self.words = _table(setting)
        self.key = next(name for name, one in setting.items() if isinstance(one, dict))
        self.intro = setting["intro"]
        self.sort = str(self.words["sort"])
        self.values = values
        self.names = tuple(one[0].upper() + one[1:] for one in values)

    def said(self, value: int) -> str:
        """Return a value with its article."""
        name = self.values[value]
        if self.words.get("the"):
            return f"the {name}"
        if self.words.get("article"):
            return article(name)
        return name

    @property
    def inventory(self) -> dict[str, str]:
        """Return the words for all values."""
        every = sorted(range(len(self.values)), key=lambda one: self.values[one])
        said = [self.said(one) for one in every]
        return {self.key: listed(said), f"{self.key}_or": listed(said, "or")}

    def holder(self, value: int) -> str:
        """Return the words for who has a value."""
        said = self.said(value)
        definite = said if not self.words.get("article") else f"the {self.values[value]}"
        return str(self.words["of"]).format(v=definite, bare=self.values[value])


def _question(language: _Grid, rng: Random) -> WorldQuestion:
    place = rng.randrange(len(language.attributes))
    attribute = language.attributes[place]
    a, value = rng.randrange(len(language.people)), rng.randrange(len(language.people))
    person, symbol = language.people[a], language.constant(a, place)

    def goals(world: World) -> list[list[Statement]]:
        return [[("has", a, place, world[place][a])]]

    match rng.choice(("which", "which", "who", "who", "has")):
        case "which":
            return WorldQuestion(
                rng.choice(attribute.words["which"]).format(a=person.said),
                attribute.sort,
                (f"(= answer {symbol})",),
                lambda world: attribute.names[world[place][a]],
                goals,
                lambda name: attribute.said(attribute.names.index(name)),
            )
        case "has":
            text = f"Is it true that {language.say(('has', a, place, value))}?"
            tie = f"(= answer (= {symbol} {attribute.names[value]}))"

            def negative(world: World) -> list[list[Statement]]:
                return [*goals(world), [("lacks", a, place, value)]]

            return WorldQuestion(
                text, "Bool", (tie,), lambda world: literal(world[place][a] == value), negative, yes_or_no
            )
    names = [one.value for one in language.people]
    chosen = names[-1]
    for other in reversed(range(len(names) - 1)):
        chosen = f"(ite (= {language.constant(other, place)} {attribute.names[value]}) {names[other]} {chosen})"
    form = rng.choice(attribute.words["who"])
    return WorldQuestion(
        form.format(v=attribute.said(value)),
        "Person",
        (f"(= answer {chosen})",),
        lambda world: names[world[place].index(value)],
        lambda world: [[("has", world[place].index(value), place, value)]],
        lambda name: language.people[names.index(name)].said,
        "",
        (enumeration("Person", tuple(names)),),
    )


class _Grid(WorldLanguage):
    """Statements about who has what; a world gives, for each attribute, the value of each person."""

    def __init__(self, persons: Sequence[NamedThing], attributes: Sequence[_Attribute]) -> None:
        self.people, self.attributes = persons, attributes
        self.worlds = _worlds(len(persons), len(attributes))

    def constant(self, a: int, place: int) -> str:
        """Return the constant for what a person has."""
        symbol = self.people[a].symbol
        return symbol if len(self.attributes) == 1 else f"{symbol}_{self.attributes[place].key}"

    def holds(self, statement: Statement, world: tuple[tuple[int, ...], ...]) -> bool:
        match statement:
            case "has", a, place, value:
                return bool(world[place][a] == value)
            case "lacks", a, place, value:
                return bool(world[place][a] != value)
            case "either", a, place, value, other:
                return world[place][a] in {value, other}
            case "among", a, b, place, value:
                return value in {world[place][a], world[place][b]}
            case "linked", place, value, other_place, other:
                return world[place].index(value) == world[other_place].index(other)
            case "unlinked", place, value, other_place, other:
                return world[place].index(value) != world[other_place].index(other)
        raise ValueError(statement)

    def mask(self, statement: Statement) -> int:
        return _mask(len(self.people), len(self.attributes), statement)

    def _is(self, a: int, place: int, value: int) -> str:
        return f"(= {self.constant(a, place)} {self.attributes[place].names[value]})"

    def term(self, statement: Statement) -> str:
        match statement:
            case "has", a, place, value:
                return self._is(a, place, value)
            case "lacks", a, place, value:
                return f"(not {self._is(a, place, value)})"
            case "either", a, place, value, other:
                return f"(or {self._is(a, place, value)} {self._is(a, place, other)})"
            case "among", a, b, place, value:
                return f"(or {self._is(a, place, value)} {self._is(b, place, value)})"
            case ("linked" | "unlinked") as kind, place, value, other_place, other:
                sign = "=" if kind == "linked" else "=>"
                pairs = []
                for a in range(len(self.people)):
                    one, another = self._is(a, place, value), self._is(a, other_place, other)
                    pairs.append(f"({sign} {one} {another if kind == 'linked' else f'(not {another})'})")
                return f"(and {' '.join(pairs)})"
        raise ValueError(statement)

    def values(self, world: tuple[tuple[int, ...], ...]) -> dict[str, str]:
        return {
            self.constant(a, place): self.attributes[place].names[value]
            for place, given in enumerate(world)
            for a, value in enumerate(given)
        }

    def say(self, statement: Statement, rng: Random | None = None) -> str:
        match statement:
            case ("has" | "lacks") as kind, a, place, value:
                attribute = self.attributes[place]
                return str(draw_form(attribute.words[kind], rng)).format(a=self.people[a].said, v=attribute.said(value))
            case "either", a, place, value, other:
                attribute = self.attributes[place]
                form = str(attribute.words["has"][0])
                return form.format(
                    a=self.people[a].said, v=f"either {attribute.said(value)} or {attribute.said(other)}"
                )
            case "among", a, b, place, value:
                attribute = self.attributes[place]
                persons = listed([self.people[a].said, self.people[b].said], "or")
                return f"it is {persons} who {str(attribute.words['of_verb']).format(v=attribute.said(value))}"
            case ("linked" | "unlinked") as kind, place, value, other_place, other:
                attribute = self.attributes[other_place]
                verb = "of_verb" if kind == "linked" else "lacks_verb"
                said = str(attribute.words[verb]).format(v=attribute.said(other))
                return f"{self.attributes[place].holder(value)} {said}"
        raise ValueError(statement)

    def portrait(self, world: tuple[tuple[int, ...], ...]) -> list[Statement]:
        return [("has", a, place, value) for place, given in enumerate(world) for a, value in enumerate(given)]

    def draw(self, rng: Random) -> Statement:
        count, several = len(self.people), len(self.attributes)
        kind = rng.choice(_DRAWN)
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
        return _facts(len(self.people), len(self.attributes))


@cache
def _worlds(count: int, several: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    return tuple(product(permutations(range(count)), repeat=several))


@cache
def _mask(count: int, several: int, statement: Statement) -> int:
    worlds = _worlds(count, several)
    meant = _Grid([NamedThing("", "")] * count, [None] * several)  # type: ignore[list-item]  # what is meant needs no words
    return worlds_where(worlds, lambda world: meant.holds(statement, world))


@cache
def _facts(count: int, several: int) -> tuple[Statement, ...]:
    every = list(product(range(count), range(several), range(count)))
    return tuple((kind, a, place, value) for kind in ("has", "lacks") for a, place, value in every)
