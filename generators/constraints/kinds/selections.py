"""Problems about truth values and digits: things that are chosen or not, people who are honest or not, a number to be found."""

from __future__ import annotations

from itertools import product
from random import Random

from generators.constraints.problem.clue_language import ClueKind, ClueLanguage, ClueTable, clue_table
from generators.constraints.problem.clue_problem import ClueFrame, clue_problem
from generators.constraints.problem.domain import ProblemForm, ProblemSize, by_size
from generators.constraints.problem.draft import ProblemDraft
from generators.constraints.problem.english import TIMES, article, capitalized, counted, listed, number, sentence
from generators.constraints.problem.vocabulary import NamedThing, names_of, numbers_from, people, symbols_of, words


def _truths(things: list[NamedThing]) -> dict[str, tuple[bool, ...]]:
    """Return all combinations of truth values of things."""
    worlds = product((True, False), repeat=len(things))
    return dict(zip(symbols_of(things), zip(*worlds, strict=True), strict=True))


def choice(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about which of several priced things a person chooses; `None` where the draw gives none."""
    setting = rng.choice(words("choices")["setting"])
    names, unit, who = rng.sample(setting["things"], by_size(3, 4, 5)[size]), setting["unit"], people(rng, 1)[0].said
    prices = rng.sample(range(2, 21), len(names))
    things = [NamedThing(f"the {name}", name, {"price": str(price)}) for name, price in zip(names, prices, strict=True)]
    columns = _truths(things)
    totals = {
        sum(price for price, taken in zip(prices, world, strict=True) if taken)
        for world in zip(*columns.values(), strict=True)
    }
    counts = [NamedThing(counted(n, "thing", "things"), str(n)) for n in range(1, len(things))]
    language = ClueLanguage(
        clue_table("choices"),
        {**dict.fromkeys("abx", things), "n": counts, "m": [NamedThing(str(m), str(m)) for m in sorted(totals) if m]},
        columns,
        clue_table("choices").forms,
        filling={
            **{key: setting[key] for key in ("takes", "take", "cost", "unit")},
            "who": who,
            "pay": setting["cost"].removesuffix("s"),
        },
    )
    offers = listed([f"{article(name)} ({price} {unit})" for name, price in zip(names, prices, strict=True)])
    opening = rng.choice(setting["intro"]).format(who=who, prices=offers)
    can = rng.choice(("Is that possible?", "Is there a choice that fits all of this?", f"Can {who} choose like that?"))
    bounds = by_size((2, 3, 5), (3, 4, 8), (3, 6, 10))[size]
    return clue_problem(language, ClueFrame("choice", sentence(opening), can, *bounds), form, rng)


def liars_language(persons: list[NamedThing]) -> ClueLanguage:
    """Return the language of honest people and liars. That somebody says something holds if they are honest exactly when it is true."""
    table = clue_table("liars")
    clues, forms = dict[str, ClueKind](), dict(table.forms)
    for name, kind in table.clues.items():
        clues[name] = ClueKind(0, kind.arguments, kind.term)
        clues[f"says_{name}"] = ClueKind(kind.weight, f"a{kind.arguments}", f"(= {{a}} {kind.term})")
        claims = product(words("liars")["table"]["verbs"], table.forms[name])
        forms[f"says_{name}"] = [f"{{a}} {verb} that {claim}" for verb, claim in claims]
    told = ClueTable("liars", clues, table.questions, table.facts, table.portrait, forms)
    others = list(persons)  # whom somebody talks of may be oneself
    kinds = [NamedThing("honest", "Honest"), NamedThing("a liar", "Liar")]
    ranges = {"a": persons, "x": persons, "b": others, "c": others}
    return ClueLanguage(told, ranges, _truths(persons), forms, len(persons), enumerations={"Kind": kinds})


def liars(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about who is honest and who lies, from what people say of each other; `None` where the draw gives none."""
    setting = rng.choice(words("liars")["setting"])
    persons, place = people(rng, rng.choice(by_size((2, 3), (3, 4), (4, 5))[size])), rng.choice(setting["places"])
    opening = rng.choice(setting["intro"]).format(
        names=names_of(persons), place=place, place_capital=capitalized(place), role=rng.choice(setting["roles"])
    )
    can = rng.choice(("Is that possible?", "Can they all have said that?", "Can all of them have said these things?"))
    bounds = by_size((2, 3, 4), (3, 4, 7), (4, 6, 10))[size]
    return clue_problem(liars_language(persons), ClueFrame("liars", sentence(opening), can, *bounds), form, rng)


def number_puzzle(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about the digits of a number; `None` where the draw gives none."""
    names = by_size(("tens", "ones"), ("tens", "ones"), ("hundreds", "tens", "ones"))[size]
    digits, numbers = len(names), range(10 ** (len(names) - 1), 10 ** len(names))
    powers = [10**power for power in range(digits)][::-1]
    whole, reverse = (
        f"(+ {' '.join(f'(* {power} {name})' if power > 1 else name for power, name in zip(weights, names, strict=True))})"
        for weights in (powers, powers[::-1])
    )
    things = [NamedThing(f"{name} digit", name) for name in names]
    step = 9 if digits == 2 else 99
    ranges = {
        **dict.fromkeys("abx", things),
        "v": numbers_from(0, 9, spelt=False),
        "s": numbers_from(2, 9 * digits - 1, spelt=False),
        "d": numbers_from(1, 8, spelt=False),
        "f": [NamedThing(TIMES[factor], str(factor)) for factor in (2, 3, 4)],
        "k": [NamedThing(str(divisor), str(divisor)) for divisor in (3, 4, 5, 6, 7, 8, 9, 11)],
        "t": [NamedThing(str(bound), str(bound)) for bound in (10 ** (digits - 1) * first for first in range(2, 9))],
        "r": [NamedThing(str(step * times), str(step * times)) for times in range(1, 6)],
    }
    table = clue_table("numbers")
    forms = {name: given for name, given in table.forms.items() if name != "two_sum" or digits > 2}
    columns = {name: [int(str(value)[place]) for value in numbers] for place, name in enumerate(names)}
    filling = {"names": " ".join(names), "whole": whole, "reverse": reverse}
    language = ClueLanguage(table, ranges, columns, forms, digits, filling)
    opening = rng.choice(words("numbers")["intro"]).format(
        who=people(rng, 1)[0].said,
        n=number(digits),
        place=rng.choice(words("numbers")["places"]),
        lock=rng.choice(words("numbers")["locks"]),
    )
    language.background = tuple(f"(<= {int(place == 0)} {name} 9)" for place, name in enumerate(names))
    can, bounds = rng.choice(words("numbers")["can"]), by_size((2, 3, 4), (3, 4, 6), (3, 5, 9))[size]
    return clue_problem(language, ClueFrame("number", sentence(opening), can, *bounds), form, rng)
