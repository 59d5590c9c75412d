"""Problems about which member belongs to which group, and about days, shifts and halls.

The worlds are all ways to put the members into the groups, 8 to 729. If the groups are equally large, only the ways with
equally large groups count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, product
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
from generators.constraints.problem.english import capitalized, listed, number, sentence
from generators.constraints.problem.language import Statement, StatementKind, World, WorldLanguage, arrangements
from generators.constraints.problem.vocabulary import NamedThing, names_of, people, symbols_of, things_of, words

_BOUNDS = by_size(ClueBounds(2, 3, 4), ClueBounds(3, 5, 8), ClueBounds(4, 7, 12))
_MEMBERS = by_size((3, 4), (4, 5), (5, 6))
_PLURALS = {"is": "are", "sleeps": "sleep", "works": "work", "has": "have", "child": "children"}
_VERBS = {"is_are": "is", "sleep": "sleeps", "work": "works", "has_have": "has", "child": "child"}


def groups(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about groups of people; `None` where the draw gives none."""
    return _draft("groups", "relationships", rng, size, form)


def duties(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about days, shifts and halls; `None` where the draw gives none."""
    return _draft("duties", "scheduling", rng, size, form)


def _draft(kind: str, domain: str, rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    setting = rng.choice([known for known in words("groups")["setting"] if known["domain"] == domain])
    count = rng.choice(_MEMBERS[size])
    drawn_groups = setting["groups"]
    if drawn_groups == "people":
        persons = people(rng, count + (2 if size is ProblemSize.SMALL else rng.choice((2, 3))))
        members, names = persons[:count], [person.said for person in persons[count:]]
    else:
        members = things_of(rng, count, setting)
        names = rng.choice([group for group in drawn_groups if size is not ProblemSize.SMALL or len(group) == 2])
    each = count // len(names) if count % len(names) == 0 and rng.random() < 0.5 else 0
    language = _Groups(members, names, each, setting)
    labels = [language.label(group) for group in range(len(names))]
    place = rng.choice(setting["places"])
    opening = rng.choice(setting["intro"]).format(
        names=names_of(members),
        n=number(count),
        k=number(len(names)),
        k_capital=number(len(names)).capitalize(),
        groups=listed(labels),
        groups_or=listed(labels, "or"),
        place=place,
        place_capital=capitalized(place),
    )
    opening = sentence(" ".join(opening.split()))
    if each:
        opening += " " + rng.choice(setting["size"]).format(s=number(each))
    sort = setting["sort"]
    declarations = (enumeration(sort, tuple(names)), *constants(symbols_of(members), sort))
    background = tuple(f"(= {each} {language.counted(group)})" for group in range(len(names))) if each else ()
    frame = ProblemFrame(kind, opening, rng.choice(setting["can"]), "QF_UFDTLIA", declarations, background)
    return draft_problem(language, frame, _question(language, rng), _BOUNDS[size], form, rng)


def _question(language: _Groups, rng: Random) -> WorldQuestion:
    setting = language.setting
    a, b = sorted(rng.sample(range(len(language.things)), 2))
    first, second = language.things[a], language.things[b]
    group = rng.randrange(len(language.names))
    kind = rng.choice(("where", "where", "same") if language.each else ("where", "where", "same", "many"))
    form = rng.choice(setting[kind])
    if kind == "where":
        return WorldQuestion(
            form.format(a=first.said),
            setting["sort"],
            (f"(= answer {first.symbol})",),
            lambda world: language.names[world[a]],
            lambda world: [[("in", a, world[a])]],
            lambda value: language.label(language.names.index(value)),
        )
    if kind == "same":

        def goals(world: World) -> list[list[Statement]]:
            together = "together" if world[a] == world[b] else "apart"
            return [[("in", a, world[a]), ("in", b, world[b])], [(together, a, b)]]

        text = form.format(a=first.said, b=second.said)
        return truth_question(text, language.term(("together", a, b)), lambda world: world[a] == world[b], goals)
    return number_question(
        form.format(g=language.label(group)),
        language.counted(group),
        lambda world: world.count(group),
        lambda world: [[("in" if own == group else "out", a, group) for a, own in enumerate(world)]],
    )


_KINDS = {
    "in": StatementKind(2, "ag", lambda w, a, g: w[a] == g, "(= {a} {g})"),
    "out": StatementKind(3, "ag", lambda w, a, g: w[a] != g, "(not (= {a} {g}))"),
    "together": StatementKind(5, "ab", lambda w, a, b: w[a] == w[b], "(= {a} {b})"),
    "apart": StatementKind(5, "ab", lambda w, a, b: w[a] != w[b], "(not (= {a} {b}))"),
    "if_in": StatementKind(4, "agbh", lambda w, a, g, b, h: w[a] != g or w[b] == h, "(=> (= {a} {g}) (= {b} {h}))"),
    "count": StatementKind(2, "gm", lambda w, g, m: w.count(g) == m, "(= {count_g} {m})"),
    "least": StatementKind(2, "gm", lambda w, g, m: w.count(g) >= m, "(>= {count_g} {m})"),
    "more": StatementKind(3, "gh", lambda w, g, h: w.count(g) > w.count(h), "(> {count_g} {count_h})"),
}


class _Groups(WorldLanguage):
    """Statements about who is in which group; a world gives the group of each member.

    `each` is how large all groups are, or 0 where they may differ in size.
    """

    kinds = _KINDS

    def __init__(
        self, members: Sequence[NamedThing], names: Sequence[str], each: int, setting: Mapping[str, Any]
    ) -> None:
        self.things, self.names, self.each, self.setting = members, names, each, setting
        self.forms = setting
        self.shape = len(members), len(names), each
        self.worlds = _worlds(len(members), len(names), each)

    def label(self, group: int) -> str:
        """Return a group as a text says it."""
        name = self.names[group]
        form = str(self.setting["label"])
        return form.format(g=name if form == "{g}" else name.lower())

    def counted(self, group: int) -> str:
        """Return the term for how many are in a group."""
        return f"(+ {' '.join(f'(ite (= {thing.symbol} {self.names[group]}) 1 0)' for thing in self.things)})"

    def symbols(self, letter: str, argument: int) -> dict[str, str]:
        if letter in "gh":
            return {letter: self.names[argument], f"count_{letter}": self.counted(argument)}
        return super().symbols(letter, argument)

    def values(self, world: tuple[int, ...]) -> dict[str, str]:
        return {member.symbol: self.names[group] for member, group in zip(self.things, world, strict=True)}

    def words(self, letter: str, argument: int) -> dict[str, str]:
        if letter in "gh":
            return {letter: self.label(argument)}
        if letter == "m":
            verbs = {key: verb if argument == 1 else _PLURALS[verb] for key, verb in _VERBS.items()}
            return {"m": number(argument), **verbs}
        return super().words(letter, argument)

    def portrait(self, world: tuple[int, ...]) -> list[Statement]:
        return [("in", a, group) for a, group in enumerate(world)]

    def draw(self, rng: Random) -> Statement:
        count, several = len(self.things), len(self.names)
        kind = self.draw_kind(rng)
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
        return kind, group, rng.randint(2 if kind == "least" else 1, count - 1)

    def facts(self) -> Sequence[Statement]:
        members = range(len(self.things))
        placed = [(kind, a, group) for kind in ("in", "out") for a in members for group in range(len(self.names))]
        return (*placed, *((kind, a, b) for kind in ("together", "apart") for a, b in combinations(members, 2)))


def language(members: Sequence[NamedThing], names: Sequence[str], setting: Mapping[str, Any]) -> WorldLanguage:
    """Return the language of members of groups of any size."""
    return _Groups(members, names, 0, setting)


@cache
def _worlds(count: int, several: int, each: int) -> tuple[tuple[int, ...], ...]:
    every = product(range(several), repeat=count)
    return tuple(world for world in every if not each or all(world.count(group) == each for group in range(several)))
