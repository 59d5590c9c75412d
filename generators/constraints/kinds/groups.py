"""Problems about which member belongs to which group, and about days, shifts and halls.

The worlds are all ways to put the members into the groups, 8 to 729. If the groups are equally large, only the ways with
equally large groups count.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
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
from generators.constraints.problem.vocabulary import NamedThing, people, things_of, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from generators.constraints.problem.draft import ProblemDraft
    from generators.constraints.problem.language import World

_BOUNDS = {
    ProblemSize.SMALL: ClueBounds(2, 3, 4),
    ProblemSize.MEDIUM: ClueBounds(3, 5, 8),
    ProblemSize.LARGE: ClueBounds(4, 7, 12),
}
_MEMBERS = {ProblemSize.SMALL: (3, 4), ProblemSize.MEDIUM: (4, 5), ProblemSize.LARGE: (5, 6)}
_WEIGHTS = {"in": 2, "out": 3, "together": 5, "apart": 5, "if_in": 4, "count": 2, "least": 2, "more": 3}
_DRAWN = weighted(_WEIGHTS)


def groups(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about groups of people; `None` where what was drawn makes none."""
    return _drafted("groups", "relationships", rng, size, form)


def duties(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about days, shifts and halls; `None` where what was drawn makes none."""
    return _drafted("duties", "scheduling", rng, size, form)


def _drafted(kind: str, domain: str, rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    setting = rng.choice([one for one in words("groups")["setting"] if one["domain"] == domain])
    count = rng.choice(_MEMBERS[size])
    drawn_groups = setting["groups"]
    if drawn_groups == "people":
        persons = people(rng, count + (2 if size is ProblemSize.SMALL else rng.choice((2, 3))))
        members, names = persons[:count], [one.said for one in persons[count:]]
    else:
        members = things_of(rng, count, setting)
        names = rng.choice([one for one in drawn_groups if size is not ProblemSize.SMALL or len(one) == 2])
    each = count // len(names) if count % len(names) == 0 and rng.random() < 0.5 else 0
    language = _Groups(members, names, each, setting)
    labels = [language.label(one) for one in range(len(names))]
    place = rng.choice(setting["places"])
    opening = rng.choice(setting["intro"]).format(
        names=listed([one.said for one in members]),
        n=number(count),
        k=number(len(names)),
        k_capital=number(len(names)).capitalize(),
        groups=listed(labels),
        groups_or=listed(labels, "or"),
        place=place,
        place_capital=place[:1].upper() + place[1:],
    )
    opening = sentence(" ".join(opening.split()))
    if each:
        opening += " " + rng.choice(setting["size"]).format(s=number(each))
    symbols = tuple(one.symbol for one in members)
    declarations = (enumeration(setting["sort"], tuple(names)), *constants(symbols, setting["sort"]))
    background = tuple(f"(= {each} {language.counted(one)})" for one in range(len(names))) if each else ()
    frame = ProblemFrame(kind, opening, rng.choice(setting["can"]), "QF_UFDTLIA", declarations, background)
    return draft_problem(language, frame, _question(language, setting, rng), _BOUNDS[size], form, rng)


def _question(language: _Groups, setting: Mapping[str, Any], rng: Random) -> WorldQuestion:
    a, b = sorted(rng.sample(range(len(language.members)), 2))
    first, second = language.members[a], language.members[b]
    group = rng.randrange(len(language.names))
    kind = rng.choice(("where", "where", "same") if language.each else ("where", "where", "same", "many"))
    form = rng.choice(setting[kind])
    match kind:
        case "where":
            return WorldQuestion(
                form.format(a=first.said),
                setting["sort"],
                (f"(= answer {first.symbol})",),
                lambda world: language.names[world[a]],
                lambda world: [[("in", a, world[a])]],
                lambda value: language.label(language.names.index(value)),
            )
        case "same":
            tie = f"(= answer (= {first.symbol} {second.symbol}))"

            def goals(world: World) -> list[list[Statement]]:
                together = "together" if world[a] == world[b] else "apart"
                return [[("in", a, world[a]), ("in", b, world[b])], [(together, a, b)]]

            text = form.format(a=first.said, b=second.said)
            return WorldQuestion(text, "Bool", (tie,), lambda world: literal(world[a] == world[b]), goals, yes_or_no)
    tie = f"(= answer {language.counted(group)})"
    return WorldQuestion(
        form.format(g=language.label(group)),
        "Int",
        (tie,),
        lambda world: str(world.count(group)),
        lambda world: [[("in" if one == group else "out", a, group) for a, one in enumerate(world)]],
    )


class _Groups(WorldLanguage):
    """Statements about who is in which group; a world gives the group of each member. `each` is how large all groups are, or 0."""

    def __init__(
        self, members: Sequence[NamedThing], names: Sequence[str], each: int, setting: Mapping[str, Any]
    ) -> None:
        self.members, self.names, self.each, self.setting = members, names, each, setting
        self.worlds = _worlds(len(members), len(names), each)

    def label(self, group: int) -> str:
        """Return a group as a text says it."""
        name = self.names[group]
        form = str(self.setting["label"])
        return form.format(g=name if form == "{g}" else name.lower())

    def counted(self, group: int) -> str:
        """Return the term for how many are in a group."""
        return f"(+ {' '.join(f'(ite (= {one.symbol} {self.names[group]}) 1 0)' for one in self.members)})"

    def holds(self, statement: Statement, world: tuple[int, ...]) -> bool:
        match statement:
            case "in", a, group:
                return bool(world[a] == group)
            case "out", a, group:
                return bool(world[a] != group)
            case "together", a, b:
                return bool(world[a] == world[b])
            case "apart", a, b:
                return bool(world[a] != world[b])
            case "if_in", a, group, b, other:
                return bool(world[a] != group or world[b] == other)
            case "count", group, many:
                return bool(world.count(group) == many)
            case "least", group, many:
                return bool(world.count(group) >= many)
            case "more", group, other:
                return world.count(group) > world.count(other)
        raise ValueError(statement)

    def mask(self, statement: Statement) -> int:
        return _mask(len(self.members), len(self.names), self.each, statement)

    def term(self, statement: Statement) -> str:
        name = [one.symbol for one in self.members]
        match statement:
            case "in", a, group:
                return f"(= {name[a]} {self.names[group]})"
            case "out", a, group:
                return f"(not (= {name[a]} {self.names[group]}))"
            case "together", a, b:
                return f"(= {name[a]} {name[b]})"
            case "apart", a, b:
                return f"(not (= {name[a]} {name[b]}))"
            case "if_in", a, group, b, other:
                return f"(=> (= {name[a]} {self.names[group]}) (= {name[b]} {self.names[other]}))"
            case "count", group, many:
                return f"(= {self.counted(group)} {many})"
            case "least", group, many:
                return f"(>= {self.counted(group)} {many})"
            case "more", group, other:
                return f"(> {self.counted(group)} {self.counted(other)})"
        raise ValueError(statement)

    def values(self, world: tuple[int, ...]) -> dict[str, str]:
        return {one.symbol: self.names[group] for one, group in zip(self.members, world, strict=True)}

    def say(self, statement: Statement, rng: Random | None = None) -> str:
        kind, *arguments = statement
        form = str(draw_form(self.setting[kind], rng))
        match kind:
            case "in" | "out":
                return form.format(a=self.members[arguments[0]].said, g=self.label(arguments[1]))
            case "together" | "apart":
                return form.format(a=self.members[arguments[0]].said, b=self.members[arguments[1]].said)
            case "if_in":
                a, group, b, other = arguments
                persons = {"a": self.members[a].said, "b": self.members[b].said}
                return form.format(**persons, g=self.label(group), h=self.label(other))
            case "more":
                return form.format(g=self.label(arguments[0]), h=self.label(arguments[1]))
        group, many = arguments
        one = many == 1
        verbs = {
            "is_are": "is" if one else "are",
            "sleep": "sleeps" if one else "sleep",
            "work": "works" if one else "work",
        }
        verbs |= {"has_have": "has" if one else "have", "child": "child" if one else "children"}
        return form.format(g=self.label(group), m=number(many), **verbs)

    def portrait(self, world: tuple[int, ...]) -> list[Statement]:
        return [("in", a, group) for a, group in enumerate(world)]

    def draw(self, rng: Random) -> Statement:
        count, several = len(self.members), len(self.names)
        kind = rng.choice(_DRAWN)
        a, b = rng.choice(arrangements(count, 2))
        group, other = rng.randrange(several), rng.randrange(several)
        if self.each and kind in {"count", "least", "more"}:
            kind = rng.choice(("together", "apart"))
        match kind:
            case "in" | "out":
                return kind, a, group
            case "together" | "apart":
                return kind, a, b
            case "if_in":
                return kind, a, group, b, other
            case "more":
                return kind, *rng.choice(arrangements(several, 2))
            case "least":
                return kind, group, rng.randint(2, count - 1)
        return kind, group, rng.randint(1, count - 1)

    def facts(self) -> Sequence[Statement]:
        return _facts(len(self.members), len(self.names))


@cache
def _worlds(count: int, several: int, each: int) -> tuple[tuple[int, ...], ...]:
    every = product(range(several), repeat=count)
    return tuple(world for world in every if not each or all(world.count(one) == each for one in range(several)))


@cache
def _mask(count: int, several: int, each: int, statement: Statement) -> int:
    meant = _Groups([NamedThing("", "")] * count, [""] * several, each, {})
    return worlds_where(meant.worlds, lambda world: meant.holds(statement, world))


@cache
def _facts(count: int, several: int) -> tuple[Statement, ...]:
    placed = [(kind, a, group) for kind in ("in", "out") for a in range(count) for group in range(several)]
    return (*placed, *((kind, a, b) for kind in ("together", "apart") for a, b in combinations(range(count), 2)))
