"""Problems about the start times of jobs of given lengths that are done in sequence without a break.

The worlds are all orders of the jobs, 6 to 120. The order gives the start of each job.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, combinations, permutations
from random import Random

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
from generators.constraints.problem.english import capitalized, counted, listed, number, sentence
from generators.constraints.problem.language import Statement, StatementKind, World, WorldLanguage, arrangements
from generators.constraints.problem.vocabulary import NamedThing, people, symbols_of, words

_BOUNDS = by_size(ClueBounds(2, 3, 5), ClueBounds(3, 4, 8), ClueBounds(3, 6, 12))
_COUNTS = by_size(3, 4, 5)
_LONGEST = by_size(4, 4, 3)
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
    """Draft a problem about jobs one after the other; `None` where the draw gives none."""
    setting = rng.choice(words("jobs")["setting"])
    names = rng.sample(setting["things"], _COUNTS[size])
    noun = setting.get("noun")
    things = [NamedThing(f"the {name} {noun}" if noun else name, name) for name in names]
    lengths = [rng.randint(1, _LONGEST[size]) for _ in things]
    language = _Jobs(things, lengths, rng.randint(6, 10))
    place = rng.choice(setting["places"])
    inside = place.startswith(("in ", "at ", "on "))
    times = [
        f"{thing.said} ({counted(length, 'hour', 'hours')})" for thing, length in zip(things, lengths, strict=True)
    ]
    opening = rng.choice(setting["intro"]).format(
        **{"from": language.first, "names": listed(times), "n": number(len(things)), "who": people(rng, 1)[0].said},
        place=place,
        place_capital=capitalized(place) if inside else f"On the stage {place}",
    )
    symbols = symbols_of(things)
    background = [
        f"(<= {language.first} {symbol} {language.last - length})"
        for symbol, length in zip(symbols, lengths, strict=True)
    ]
    for (first, length), (second, other_length) in combinations(zip(symbols, lengths, strict=True), 2):
        background.append(f"(or (<= (+ {first} {length}) {second}) (<= (+ {second} {other_length}) {first}))")
    can = rng.choice(("Is that possible?", "Is there an order that fits all of this?", "Can it be planned like that?"))
    frame = ProblemFrame("jobs", sentence(opening), can, "QF_LIA", constants(symbols, "Int"), tuple(background))
    return draft_problem(language, frame, _question(language, rng), _BOUNDS[size], form, rng)


def _question(language: _Jobs, rng: Random) -> WorldQuestion:
    things, first = language.things, language.first
    a, b = rng.sample(range(len(things)), 2)
    said, symbol, length = things[a].said, things[a].symbol, language.lengths[a]

    def start(world: World) -> list[list[Statement]]:
        return [[("starts", a, world[a])]]

    match rng.choice(("start", "start", "end", "first", "before")):
        case "start":
            text = rng.choice((f"At what hour does {said} begin?", f"At which hour of the day does {said} begin?"))
            return number_question(text, symbol, lambda world: world[a], start)
        case "end":
            text, end = f"At what hour is {said} done?", f"(+ {symbol} {length})"
            return number_question(text, end, lambda world: world[a] + length, start)
        case "before":
            return truth_question(
                f"Is {said} done before {things[b].said}?",
                language.term(("before", a, b)),
                lambda world: world[a] < world[b],
                lambda world: [[("before", a, b) if world[a] < world[b] else ("before", b, a)]],
            )
    text = rng.choice(("What comes first?", "Which of them comes first?"))
    return thing_question(language, text, "Job", lambda job: ("starts", job, first), lambda world: world.index(first))


class _Jobs(WorldLanguage):
    """Statements about when jobs are done; a world gives the start of each."""

    forms = _FORMS

    def __init__(self, things: Sequence[NamedThing], lengths: Sequence[int], first: int) -> None:
        self.things, self.lengths, self.first, self.last = things, lengths, first, first + sum(lengths)
        self.shape = len(things)
        self.worlds = tuple(self._starts(order) for order in arrangements(len(things), len(things)))
        # The worlds in which a job starts at an hour. Statements about hours combine these, in a tenth of the time of
        # asking each world.
        self._at: list[dict[int, int]] = [{} for _ in things]
        for bit, world in enumerate(self.worlds):
            for a, hour in enumerate(world):
                self._at[a][hour] = self._at[a].get(hour, 0) | 1 << bit
        self.kinds = {
            "before": StatementKind(4, "ab", lambda w, a, b: w[a] < w[b], "(< {a} {b})"),
            "direct": StatementKind(4, "ab", lambda w, a, b: w[a] + lengths[a] == w[b], "(= {b} {end})"),
            "starts": StatementKind(2, "at", lambda w, a, t: w[a] == t, "(= {a} {t})"),
            "not_before": StatementKind(4, "at", lambda w, a, t: w[a] >= t, "(>= {a} {t})"),
            "done_by": StatementKind(5, "at", lambda w, a, t: w[a] + lengths[a] <= t, "(<= {end} {t})"),
            "not_first": StatementKind(2, "a", lambda w, a: w[a] > first, f"(> {{a}} {first})"),
            "not_last": StatementKind(2, "a", lambda w, a: w[a] < max(w), f"(< {{end}} {self.last})"),
        }

    def _starts(self, order: Sequence[int]) -> tuple[int, ...]:
        begins = accumulate((self.lengths[job] for job in order[:-1]), initial=self.first)
        start_of = dict(zip(order, begins, strict=True))
        return tuple(start_of[job] for job in range(len(order)))

    def mask(self, statement: Statement) -> int:
        match statement:
            case "starts", a, hour:
                return self._at[a].get(hour, 0)
            case "not_before", a, bound:
                return sum(mask for hour, mask in self._at[a].items() if hour >= bound)
            case "done_by", a, bound:
                return sum(mask for hour, mask in self._at[a].items() if hour + self.lengths[a] <= bound)
        # The others depend on the order alone, not on the lengths.
        return super().mask(statement)

    def symbols(self, letter: str, argument: int) -> dict[str, str]:
        own = super().symbols(letter, argument)
        return {**own, "end": f"(+ {own['a']} {self.lengths[argument]})"} if letter == "a" else own

    def portrait(self, world: tuple[int, ...]) -> list[Statement]:
        return [("starts", a, hour) for a, hour in enumerate(world)]

    def describe(self, world: tuple[int, ...]) -> str:
        return f"the order can be {self.in_order(world)}"

    def draw(self, rng: Random) -> Statement:
        kind = self.draw_kind(rng)
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
        before = [("before", a, b) for a, b in permutations(count, 2)]
        return (*starts, *before, *((kind, a) for kind in ("not_first", "not_last") for a in count))
