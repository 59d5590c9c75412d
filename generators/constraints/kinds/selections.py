"""Problems about truth values and digits: things that are chosen or not, people who are honest or not, a number to be found."""

from collections.abc import Sequence
from itertools import product
from random import Random

from generators.constraints.problem.clue_language import ClueKind, ClueLanguage, ClueTable, clue_table, columns_of
from generators.constraints.problem.clue_problem import pose
from generators.constraints.problem.domain import ProblemForm, ProblemSize, by_size
from generators.constraints.problem.draft import ProblemDraft
from generators.constraints.problem.english import TIMES, article, counted, number
from generators.constraints.problem.vocabulary import NamedThing, figures, people, words
from harness.text.nouns import listed


def _truths(things: list[NamedThing]) -> dict[str, Sequence[bool]]:
    return columns_of(things, product((True, False), repeat=len(things)))


def choice(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about which of several priced things a person chooses; `None` where the draw gives none."""
    setting = rng.choice(words("choices")["setting"])
    names, who = rng.sample(setting["things"], by_size(3, 4, 5)[size]), people(rng, 1)[0].said
    prices = dict(zip(names, rng.sample(range(2, 21), len(names)), strict=True))
    things = [NamedThing(f"the {name}", name, {"price": str(price)}) for name, price in prices.items()]
    totals = {sum(taken) for taken in product(*((0, price) for price in prices.values()))} - {0}
    counts = [NamedThing(counted(n, "thing", "things"), str(n)) for n in range(1, len(things))]
    filling = {key: setting[key] for key in ("takes", "take", "cost", "unit")}
    language = ClueLanguage(
        clue_table("choices"),
        {**dict.fromkeys("abx", things), "n": counts, "m": figures(sorted(totals))},
        _truths(things),
        clue_table("choices").forms,
        filling={**filling, "who": who, "pay": setting["cost"].removesuffix("s")},
    )
    offers = listed([f"{article(name)} ({price} {setting['unit']})" for name, price in prices.items()])
    can = ("Is that possible?", "Is there a choice that fits all of this?", f"Can {who} choose like that?")
    bounds = by_size((2, 3, 5), (3, 4, 8), (3, 6, 10))[size]
    return pose("choice", language, setting, form, rng, bounds, can=can, who=who, prices=offers)


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
    language = liars_language(people(rng, rng.choice(by_size((2, 3), (3, 4), (4, 5))[size])))
    can = ("Is that possible?", "Can they all have said that?", "Can all of them have said these things?")
    bounds = by_size((2, 3, 4), (3, 4, 7), (4, 6, 10))[size]
    return pose("liars", language, setting, form, rng, bounds, can=can, role=setting["roles"])


def number_puzzle(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about the digits of a number; `None` where the draw gives none."""
    names, setting = by_size(("tens", "ones"), ("tens", "ones"), ("hundreds", "tens", "ones"))[size], words("numbers")
    digits, worlds = len(names), [str(value) for value in range(10 ** (len(names) - 1), 10 ** len(names))]
    powers = [10**power for power in range(digits)][::-1]
    whole, reverse = (
        f"(+ {' '.join(f'(* {power} {name})' if power > 1 else name for power, name in zip(weights, names, strict=True))})"
        for weights in (powers, powers[::-1])
    )
    things = [NamedThing(f"{name} digit", name) for name in names]
    step, table = 9 if digits == 2 else 99, clue_table("numbers")
    ranges = {
        **dict.fromkeys("abx", things),
        "v": figures(range(10)),
        "s": figures(range(2, 9 * digits)),
        "d": figures(range(1, 9)),
        "f": [NamedThing(TIMES[factor], str(factor)) for factor in (2, 3, 4)],
        "k": figures((3, 4, 5, 6, 7, 8, 9, 11)),
        "t": figures(10 ** (digits - 1) * first for first in range(2, 9)),
        "r": figures(step * times for times in range(1, 6)),
    }
    language = ClueLanguage(
        table,
        ranges,
        {name: [int(value[place]) for value in worlds] for place, name in enumerate(names)},
        {name: given for name, given in table.forms.items() if name != "two_sum" or digits > 2},
        digits,
        {"names": " ".join(names), "whole": whole, "reverse": reverse},
        background=tuple(f"(<= {int(place == 0)} {name} 9)" for place, name in enumerate(names)),
    )
    bounds, who, locks = by_size((2, 3, 4), (3, 4, 6), (3, 5, 9))[size], words("names")["names"], setting["locks"]
    spots = {"who": who, "n": number(digits), "place": setting["places"], "lock": locks}
    return pose("number", language, setting, form, rng, bounds, **spots)
