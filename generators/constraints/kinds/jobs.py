"""Problems about the start times of jobs of given lengths that are done in sequence without a break.

The worlds are all orders of the jobs, 6 to 120. The order gives the start of each job.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate, permutations
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
from generators.constraints.problem.english import counted, listed, number, sentence
from generators.constraints.problem.language import Statement, WorldLanguage, arrangements, weighted, worlds_where
from generators.constraints.problem.vocabulary import NamedThing, people, words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from generators.constraints.problem.draft import ProblemDraft
    from generators.constraints.problem.language import World

_BOUNDS = {
    ProblemSize.SMALL: ClueBounds(2, 3, 5),
    ProblemSize.MEDIUM: ClueBounds(3, 4, 8),
    ProblemSize.LARGE: ClueBounds(3, 6, 12),
}
_COUNTS = {ProblemSize.SMALL: 3, ProblemSize.MEDIUM: 4, ProblemSize.LARGE: 5}
_LONGEST = {ProblemSize.SMALL: 4, ProblemSize.MEDIUM: 4, ProblemSize.LARGE: 3}
_WEIGHTS = {"before": 4, "direct": 4, "starts": 2, "not_before": 4, "done_by": 5, "not_first": 2, "not_last": 2}
_DRAWN = weighted(_WEIGHTS)
_FORMS = {
    "before": ("{a} is done some time before {b}", "{b} is done some time after {a}"),
    "direct": ("{b} begins as soon as {a} is done", "{a} is done directly before {b}"),
    "starts": ("{a} begins at {t} o'clock",),
    "not_before": ("{a} does not begin before {t} o'clock", "{a} begins at {t} o'clock or later"),
    "done_by": ("{a} is done by {t} o'clock at the latest", "{a} ends at {t} o'clock or earlier"),
    "not_first": ("{a} does not come first",),
    "not_last": ("{a} does not come last",),
}


def jobs(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about jobs one after the other; `None` where what was drawn makes none."""
    setting = rng.choice(words("jobs")["setting"])
    names = rng.sample(setting["things"], _COUNTS[size])
    noun = setting.get("noun")
    things = [NamedThing(f"the {name} {noun}" if noun else name, name) for name in names]
    lengths = [rng.randint(1, _LONGEST[size]) for _ in things]
    language = _Jobs(things, lengths, rng.randint(6, 10))
    place = rng.choice(setting["places"])
    told = [f"{one.said} ({counted(length, 'hour', 'hours')})" for one, length in zip(things, lengths, strict=True)]
    opening = rng.choice(setting["intro"]).format(
        **{"from": language.first, "names": listed(told), "n": number(len(things)), "who": people(rng, 1)[0].said},
        place=place,
        place_capital=place[0].upper() + place[1:]
        if place.startswith(("in ", "at ", "on "))
        else f"On the stage {place}",
    )
    last = language.first + sum(lengths)
    background = []
    for one, length in zip(things, lengths, strict=True):
        background.append(f"(<= {language.first} {one.symbol} {last - length})")
    for a, b in _pairs(len(things)):
        first, second = things[a].symbol, things[b].symbol
        background.append(f"(or (<= (+ {first} {lengths[a]}) {second}) (<= (+ {second} {lengths[b]}) {first}))")
    can = rng.choice(("Is that possible?", "Is there an order that fits all of this?", "Can it be planned like that?"))
    symbols = tuple(one.symbol for one in things)
    frame = ProblemFrame("jobs", sentence(opening), can, "QF_LIA", constants(symbols, "Int"), tuple(background))
    return draft_problem(language, frame, _question(language, rng), _BOUNDS[size], form, rng)


def _pairs(count: int) -> list[tuple[int, int]]:
    return [(a, b) for a in range(count) for b in range(a + 1, count)]


def _question(language: _Jobs, rng: Random) -> WorldQuestion:
    things, lengths = language.things, language.lengths
    a, b = rng.sample(range(len(things)), 2)
    said, symbol = things[a].said, things[a].symbol

    def placed(world: World) -> list[list[Statement]]:
        return [[("starts", a, world[a])]]

    match rng.choice(("start", "start", "end", "first", "before")):
        case "start":
            text = rng.choice((f"At what hour does {said} begin?", f"At which hour of the day does {said} begin?"))
            return WorldQuestion(text, "Int", (f"(= answer {symbol})",), lambda world: str(world[a]), placed)
        case "end":
            text, tie = f"At what hour is {said} done?", f"(= answer (+ {symbol} {lengths[a]}))"
            return WorldQuestion(text, "Int", (tie,), lambda world: str(world[a] + lengths[a]), placed)
        case "before":
            tie = f"(= answer (< {symbol} {things[b].symbol}))"

            def ordered(world: World) -> list[list[Statement]]:
                return [[("before", a, b) if world[a] < world[b] else ("before", b, a)]]

            text = f"Is {said} done before {things[b].said}?"
            return WorldQuestion(text, "Bool", (tie,), lambda world: literal(world[a] < world[b]), ordered, yes_or_no)
    names = [one.value for one in things]
    chosen = names[-1]
    for one in reversed(range(len(names) - 1)):
        chosen = f"(ite (= {things[one].symbol} {language.first}) {names[one]} {chosen})"
    return WorldQuestion(
        rng.choice(("What comes first?", "Which of them comes first?")),
        "Job",
        (f"(= answer {chosen})",),
        lambda world: names[world.index(language.first)],
        lambda world: [[("starts", world.index(language.first), language.first)]],
        lambda name: things[names.index(name)].said,
        "QF_UFDTLIA",
        (enumeration("Job", tuple(names)),),
    )


class _Jobs(WorldLanguage):
    """Statements about when jobs are done; a world gives the start of each."""

    def __init__(self, things: Sequence[NamedThing], lengths: Sequence[int], first: int) -> None:
        super().__init__()
        self.things, self.lengths, self.first = things, lengths, first
        self.worlds = tuple(self._starts(order) for order in _orders(len(things)))
        # Where a job starts at an hour: what else is said of hours is made up of these, which takes a tenth of asking each world.
        self._at: list[dict[int, int]] = [{} for _ in things]
        for bit, world in enumerate(self.worlds):
            for a, hour in enumerate(world):
                self._at[a][hour] = self._at[a].get(hour, 0) | 1 << bit

    def _starts(self, order: Sequence[int]) -> tuple[int, ...]:
        begins = accumulate((self.lengths[one] for one in order[:-1]), initial=self.first)
        found = dict(zip(order, begins, strict=True))
        return tuple(found[one] for one in range(len(order)))

    def holds(self, statement: Statement, world: tuple[int, ...]) -> bool:
        match statement:
            case "before", a, b:
                return world[a] < world[b]
            case "direct", a, b:
                return bool(world[a] + self.lengths[a] == world[b])
            case "starts", a, hour:
                return bool(world[a] == hour)
            case "not_before", a, hour:
                return bool(world[a] >= hour)
            case "done_by", a, hour:
                return bool(world[a] + self.lengths[a] <= hour)
            case "not_first", a:
                return world[a] > self.first
            case "not_last", a:
                return world[a] < max(world)
        raise ValueError(statement)

    def mask(self, statement: Statement) -> int:
        match statement:
            case "starts", a, hour:
                return self._at[a].get(hour, 0)
            case "not_before", a, bound:
                return sum(mask for hour, mask in self._at[a].items() if hour >= bound)
            case "done_by", a, bound:
                return sum(mask for hour, mask in self._at[a].items() if hour + self.lengths[a] <= bound)
        return _ordered(len(self.things), statement)

    def term(self, statement: Statement) -> str:
        name = [one.symbol for one in self.things]
        match statement:
            case "before", a, b:
                return f"(< {name[a]} {name[b]})"
            case "direct", a, b:
                return f"(= {name[b]} (+ {name[a]} {self.lengths[a]}))"
            case "starts", a, hour:
                return f"(= {name[a]} {hour})"
            case "not_before", a, hour:
                return f"(>= {name[a]} {hour})"
            case "done_by", a, hour:
                return f"(<= (+ {name[a]} {self.lengths[a]}) {hour})"
            case "not_first", a:
                return f"(> {name[a]} {self.first})"
            case "not_last", a:
                return f"(< (+ {name[a]} {self.lengths[a]}) {self.first + sum(self.lengths)})"
        raise ValueError(statement)

    def values(self, world: tuple[int, ...]) -> dict[str, str]:
        return {one.symbol: str(hour) for one, hour in zip(self.things, world, strict=True)}

    def say(self, statement: Statement, rng: Random | None = None) -> str:
        kind, a, *others = statement
        form = _FORMS[kind][0] if rng is None else rng.choice(_FORMS[kind])
        values: dict[str, Any] = {"a": self.things[a].said}
        if kind in {"before", "direct"}:
            values["b"] = self.things[others[0]].said
        elif others:
            values["t"] = others[0]
        return form.format(**values)

    def portrait(self, world: tuple[int, ...]) -> list[Statement]:
        return [("starts", a, hour) for a, hour in enumerate(world)]

    def describe(self, world: tuple[int, ...]) -> str:
        order = sorted(range(len(world)), key=world.__getitem__)
        return f"the order can be {listed([self.things[one].said for one in order])}"

    def draw(self, rng: Random) -> Statement:
        kind = rng.choice(_DRAWN)
        a, b = rng.choice(arrangements(len(self.things), 2))
        match kind:
            case "before" | "direct":
                return kind, a, b
            case "not_first" | "not_last":
                return kind, a
        begins = rng.choice(self.worlds)[a]
        return kind, a, begins + (self.lengths[a] + rng.randint(0, 1) if kind == "done_by" else 0)

    def facts(self) -> Sequence[Statement]:
        count = range(len(self.things))
        starts = [("starts", a, hour) for a in count for hour in sorted(self._at[a])]
        two = [("before", a, b) for a, b in permutations(count, 2)]
        return (*starts, *two, *((kind, a) for kind in ("not_first", "not_last") for a in count))


@cache
def _orders(count: int) -> tuple[tuple[int, ...], ...]:
    return tuple(permutations(range(count)))


@cache
def _ordered(count: int, statement: Statement) -> int:
    """Return the worlds in which something holds that does not depend on how long the jobs take."""
    meant = _Jobs([NamedThing("", "")] * count, [1] * count, 0)
    return worlds_where(meant.worlds, lambda world: meant.holds(statement, world))
