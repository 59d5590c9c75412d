"""Who stands where in a row? A problem about things in places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generators.constraints.domain import Size
from generators.constraints.draft import constants, enumeration, literal
from generators.constraints.english import counted, listed, number, sentence
from generators.constraints.languages.row import Row
from generators.constraints.posing import Bounds, Frame, Question, pose
from generators.constraints.vocabulary import coloured, people, words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from generators.constraints.draft import Draft
    from generators.constraints.language import World

BOUNDS = {Size.SMALL: Bounds(2, 3, 4), Size.MEDIUM: Bounds(3, 5, 8), Size.LARGE: Bounds(4, 8, 14)}


def row(rng: Random, size: Size) -> Draft | None:
    """Draft a problem about a row; `None` where what was drawn makes none."""
    setting = rng.choice(words("rows")["setting"])
    count = {Size.SMALL: 3, Size.MEDIUM: rng.choice((4, 5)), Size.LARGE: rng.choice((5, 6))}[size]
    things = people(rng, count) if setting["things"] == "people" else coloured(rng, count, setting["noun"])
    language = Row(things, setting)
    symbols = tuple(one.symbol for one in things)
    background = (*(f"(<= 1 {symbol} {count})" for symbol in symbols), f"(distinct {' '.join(symbols)})")
    place = rng.choice(setting["places"])
    opening = rng.choice(setting["intro"]).format(
        names=listed([one.said for one in things]),
        n=number(count),
        place=place,
    )
    can = rng.choice(setting["can"])
    frame = Frame("row", sentence(opening), can, "QF_LIA", constants(symbols, "Int"), background)
    return pose(language, frame, _question(language, setting, rng), BOUNDS[size], rng)


def _question(language: Row, setting: Mapping[str, Any], rng: Random) -> Question:
    a, b = rng.sample(range(len(language.things)), 2)
    said, symbol = language.things[a].said, language.things[a].symbol
    kind = rng.choice(("where", "who", "who", "is_before", "ahead"))
    form = rng.choice(setting[kind])
    match kind:
        case "where":
            return Question(form.format(a=said), "Int", (f"(= answer {symbol})",), lambda world: str(world[a]))
        case "is_before":
            other = language.things[b]
            text, tie = form.format(a=said, b=other.said), f"(= answer (< {symbol} {other.symbol}))"
            return Question(text, "Bool", (tie,), lambda world: literal(world[a] < world[b]), yes_or_no)
        case "ahead":
            return Question(
                form.format(a=said), "Int", (f"(= answer (- {symbol} 1))",), lambda world: str(world[a] - 1)
            )
    return who(language, form, rng.randint(1, len(language.things)))


def who(language: Row, form: str, place: int) -> Question:
    """Return the question which of the things is at a place."""
    things = language.things
    sort = "Person" if language.setting["things"] == "people" else "Thing"
    chosen = things[-1].value
    for one in reversed(things[:-1]):
        chosen = f"(ite (= {one.symbol} {place}) {one.value} {chosen})"
    names = {one.value: one.said for one in things}

    def value(world: World) -> str:
        return things[world.index(place)].value

    return Question(
        form.format(nth=language.nth(place)),
        sort,
        (f"(= answer {chosen})",),
        value,
        names.__getitem__,
        "QF_UFDTLIA",
        (enumeration(sort, tuple(one.value for one in things)),),
    )


def yes_or_no(value: str) -> str:
    """Read a truth value as an answer."""
    return "yes" if value == "true" else "no"
