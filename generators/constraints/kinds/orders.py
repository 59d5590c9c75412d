"""Problems about an order: a row, a timetable, a ranking, a round table, jobs in sequence. The worlds are all orders of the things."""

from collections.abc import Mapping, Sequence
from itertools import accumulate, combinations, permutations
from random import Random
from typing import Any

from generators.constraints.problem.clue_language import ClueLanguage, clue_table, columns_of
from generators.constraints.problem.clue_problem import pose
from generators.constraints.problem.domain import ProblemForm, ProblemSize, by_size
from generators.constraints.problem.draft import ProblemDraft
from generators.constraints.problem.english import ORDINALS, capitalized, counted
from generators.constraints.problem.vocabulary import NamedThing, figures, people, symbols_of, things_of, words
from harness.text.nouns import listed

_SORTS = {"people": "Person", "coloured": "Thing", "subjects": "Lesson", "tasks": "Task"}
_COUNTS: dict[ProblemSize, tuple[int, ...]] = by_size((3,), (4, 5), (5, 6))


def row_language(things: Sequence[NamedThing], setting: Mapping[str, Any], first: int) -> ClueLanguage:
    """Return the language of things in places from `first` on."""
    count, symbols, last = len(things), symbols_of(things), first + len(things) - 1
    places = []
    for place in range(count):
        nth = "last" if place == count - 1 and setting.get("last", True) else ORDINALS[place]
        places.append(NamedThing(nth, str(place + first), {"nth": nth, "hour": str(place + first)}))
    gaps = []
    for between in range(1, max(2, count - 1)):
        amount = f"{counted(between, setting['one'], setting['many'])} {'is' if between == 1 else 'are'}"
        gaps.append(NamedThing("", str(between + 1), {"count": amount, "hours": counted(between + 1, "hour", "hours")}))
    return ClueLanguage(
        clue_table("rows"),
        {**dict.fromkeys("abcx", things), "p": places, "n": gaps},
        columns_of(things, list(permutations(range(first, first + count)))),
        setting,
        count,
        {"first": str(first), "final": str(last)},
        thing_sort=_SORTS[setting["things"]],
        background=(*(f"(<= {first} {symbol} {last})" for symbol in symbols), f"(distinct {' '.join(symbols)})"),
    )


def row(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about places in a row; `None` where the draw gives none."""
    return _order_problem("row", rng.choice(words("rows")["setting"]), 1, size, form, rng)


def slots(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about hours, one thing at each; `None` where the draw gives none."""
    return _order_problem("slots", rng.choice(words("rows")["slots"]), rng.randint(7, 14), size, form, rng)


def _order_problem(  # noqa: PLR0917  # what a problem is made of
    kind: str, setting: Mapping[str, Any], first: int, size: ProblemSize, form: ProblemForm, rng: Random
) -> ProblemDraft | None:
    things = things_of(rng, rng.choice(_COUNTS[size]), setting)
    bounds, language = by_size((2, 3, 4), (3, 5, 8), (4, 8, 14))[size], row_language(things, setting, first)
    slots: dict[str, Any] = {"from": first, "to": first + len(things) - 1, "planner": words("names")["names"]}
    return pose(kind, language, setting, form, rng, bounds, **slots)


def comparison_language(things: Sequence[NamedThing], setting: Mapping[str, Any], place: str) -> ClueLanguage:
    """Return the language of things that are compared; the highest number is the rank of the one that has most."""
    return ClueLanguage(
        clue_table("comparisons"),
        dict.fromkeys("abcxo", things),
        columns_of(things, list(permutations(range(1, len(things) + 1)))),
        setting,
        len(things),
        {"place": place},
        thing_sort="Person" if setting["things"] == "people" else "Thing",
        background=(f"(distinct {' '.join(symbols_of(things))})",),
    )


def comparison(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about who is the tallest, the oldest or the dearest; `None` where the draw gives none."""
    setting = rng.choice(words("comparisons")["setting"])
    counts: dict[ProblemSize, tuple[int, ...]] = by_size((3, 3, 4), (4, 5), (5, 6))
    things, place = things_of(rng, rng.choice(counts[size]), setting), rng.choice(setting.get("places", [""]))
    bounds, relatives = by_size((2, 4, 4), (3, 6, 8), (4, 8, 12))[size], setting.get("relatives", [""])
    can = ("Is that possible?", "Can all of this be true?", "Can all of these statements be true together?")
    language = comparison_language(things, setting, place)
    return pose("comparison", language, setting, form, rng, bounds, can=can, place=place, relatives=relatives)


def table(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about a round table, where one has place 0 since turning changes nothing; `None` where the draw gives none."""
    setting = rng.choice(words("tables")["setting"])
    things = people(rng, rng.choice(by_size((4,), (5,), (5, 6))[size]))
    count, symbols, forms = len(things), symbols_of(things), dict(clue_table("tables").forms)
    for name in ("opposite", "who_opposite") if count % 2 else ("far",) if count == 4 else ():
        del forms[name]
    bounded = (f"(<= 0 {symbol} {count - 1})" for symbol in symbols[1:])
    language = ClueLanguage(
        clue_table("tables"),
        dict.fromkeys("abcx", things),
        columns_of(things, [(0, *others) for others in permutations(range(1, count))]),
        forms,
        count,
        {"count": str(count), "half": str(count // 2), **{key: setting[key] for key in ("verb", "verbs", "do")}},
        background=(f"(= {symbols[0]} 0)", *bounded, f"(distinct {' '.join(symbols)})"),
    )
    can = (f"Can they {setting['do']} like that?", "Is that possible?", "Is there such an order?")
    return pose("table", language, setting, form, rng, by_size((2, 3, 4), (3, 5, 8), (4, 7, 12))[size], can=can)


def jobs(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about jobs of given lengths, one after the other without a break; `None` where the draw gives none."""
    setting = rng.choice(words("jobs")["setting"])
    names, noun = rng.sample(setting["things"], by_size(3, 4, 5)[size]), setting.get("noun")
    lengths = [rng.randint(1, by_size(4, 4, 3)[size]) for _ in names]
    length_of, first = dict(zip(names, lengths, strict=True)), rng.randint(6, 10)
    said = {name: f"the {name} {noun}" if noun else name for name in names}
    things = [NamedThing(said[name], name, {"length": str(length)}) for name, length in length_of.items()]
    last, worlds = first + sum(lengths), list[list[int]]()
    for order in permutations(names):
        begins = accumulate((length_of[name] for name in order[:-1]), initial=first)
        start_of = dict(zip(order, begins, strict=True))
        worlds.append([start_of[name] for name in names])
    ends = {name: f"(+ {name} {length})" for name, length in length_of.items()}
    language = ClueLanguage(
        clue_table("jobs"),
        {**dict.fromkeys("abx", things), "t": figures(range(first, last + 1))},
        columns_of(things, worlds),
        clue_table("jobs").forms,
        tuple(lengths),
        {"first": str(first), "final": str(last)},
        thing_sort="Job",
        background=(
            *(f"(<= {first} {name} {last - length})" for name, length in length_of.items()),
            *(f"(or (<= {ends[a]} {b}) (<= {ends[b]} {a}))" for a, b in combinations(names, 2)),
        ),
    )
    place = rng.choice(setting["places"])
    slots = {
        "from": first,
        "names": listed([f"{said[name]} ({counted(length, 'hour', 'hours')})" for name, length in length_of.items()]),
        "who": words("names")["names"],
        "place_capital": capitalized(place) if place.startswith(("in ", "at ", "on ")) else f"On the stage {place}",
    }
    can = ("Is that possible?", "Is there an order that fits all of this?", "Can it be planned like that?")
    bounds = by_size((2, 3, 5), (3, 4, 8), (3, 6, 12))[size]
    return pose("jobs", language, setting, form, rng, bounds, can=can, place=place, **slots)
