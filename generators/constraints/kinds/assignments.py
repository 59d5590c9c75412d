"""Problems about who has what: attributes, groups, shares. The worlds are all ways to give each one a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations, product
from random import Random
from typing import Any

from generators.constraints.problem.clue_language import ClueLanguage, clue_table
from generators.constraints.problem.clue_problem import ClueFrame, clue_problem
from generators.constraints.problem.domain import ProblemForm, ProblemSize, by_size
from generators.constraints.problem.draft import ProblemDraft
from generators.constraints.problem.english import TIMES, article, capitalized, listed, number, sentence
from generators.constraints.problem.vocabulary import (
    NamedThing,
    names_of,
    numbers_from,
    people,
    symbols_of,
    things_of,
    words,
)

_BOUNDS = by_size((2, 3, 4), (3, 5, 8), (4, 7, 12))


def grid(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about one or two attributes, of which all have different values; `None` where the draw gives none."""
    shapes: dict[ProblemSize, tuple[tuple[int, int], ...]] = by_size(((3, 1),), ((4, 1), (3, 2), (3, 2)), ((4, 2),))
    count, several = rng.choice(shapes[size])
    things, table = people(rng, count), clue_table("grids")
    ranges: dict[str, Sequence[NamedThing]] = dict.fromkeys("abx", things)
    columns: dict[str, Sequence[Any]] = {}
    enumerations: dict[str, Sequence[NamedThing]] = {}
    openings, background = list[str](), list[str]()
    worlds = list(product(permutations(range(count)), repeat=several))
    for place, setting in enumerate(rng.sample(words("grids")["setting"], several)):
        key, own = next((name, part) for name, part in setting.items() if isinstance(part, dict))
        suffix = "" if several == 1 else f"_{key}"
        values = [_attribute_value(value, own, suffix) for value in rng.sample(own["values"], count)]
        ranges["vu"[place]] = values
        if several == 1:
            ranges["u"] = values
        enumerations[own["sort"]] = values
        symbols = [f"{thing.symbol}{suffix}" for thing in things]
        for number_of_thing, symbol in enumerate(symbols):
            columns[symbol] = [values[world[place][number_of_thing]].value for world in worlds]
        background.append(f"(distinct {' '.join(symbols)})")
        inventory = [value.said for value in sorted(values, key=lambda value: value.symbol)]
        names = names_of(things) if place == 0 else "the same people"
        said = {key: listed(inventory), f"{key}_or": listed(inventory, "or")}
        openings.append(sentence(rng.choice(setting["intro"]).format(names=names, **said)))
    unused = {"linked", "unlinked"} if several == 1 else {"either"}
    forms = {name: form for name, form in table.forms.items() if name not in unused}
    language = ClueLanguage(table, ranges, columns, forms, (count, several), {}, enumerations, background=background)
    can = rng.choice(("Is that possible?", "Can all of this be true?", "Is there a way to make all of this true?"))
    bounds = by_size((2, 3, 4), (3, 5, 9), (4, 8, 14))[size]
    opening = " ".join(openings).replace(". the", ". The")
    return clue_problem(language, ClueFrame("grid", opening, can, *bounds), form, rng)


def _attribute_value(name: str, own: Mapping[str, Any], suffix: str) -> NamedThing:
    """Return a value of an attribute, with what is said of those who have it."""
    said = f"the {name}" if own.get("the") else article(name) if own.get("article") else name
    more = {"suffix": suffix, "holder": own["of"].format(v=f"the {name}" if own.get("article") else said, bare=name)}
    for key in ("has", "lacks", "which", "who"):
        more |= {key: own[key][0].replace("{v}", said), f"{key}_too": own[key][-1].replace("{v}", said)}
    return NamedThing(
        said, capitalized(name), {**more, **{key: own[key].format(v=said) for key in ("of_verb", "lacks_verb")}}
    )


def groups_language(
    things: Sequence[NamedThing], names: Sequence[str], each: int, setting: Mapping[str, Any]
) -> ClueLanguage:
    """Return the language of members of groups, all of which have `each` of them, or any number where that is 0."""
    form, by_number = str(setting["label"]), words("groups")["table"]["by_number"]
    labelled = [NamedThing(form.format(g=name if form == "{g}" else name.lower()), name) for name in names]
    worlds = [
        world
        for world in product(names, repeat=len(things))
        if not each or all(world.count(name) == each for name in names)
    ]
    amounts = [
        NamedThing(number(count), str(count), {key: forms[count > 1] for key, forms in by_number.items()})
        for count in range(1, len(things))
    ]
    forms = {
        name: given for name, given in setting.items() if not each or name not in {"count", "least", "more", "many"}
    }
    for name, key in product(("count", "least"), by_number):
        # The form of a verb goes with the number.
        if name in forms:
            forms[name] = [text.replace(f"{{{key}}}", f"{{m_{key}}}") for text in forms[name]]
    return ClueLanguage(
        clue_table("groups"),
        {**dict.fromkeys("abx", things), **dict.fromkeys("gh", labelled), "m": amounts},
        dict(zip(symbols_of(things), zip(*worlds, strict=True), strict=True)),
        forms,
        (len(things), len(names), each),
        enumerations={setting["sort"]: labelled},
    )


def groups(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about groups of people; `None` where the draw gives none."""
    return _grouped("groups", "relationships", rng, size, form)


def duties(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about days, shifts and halls; `None` where the draw gives none."""
    return _grouped("duties", "scheduling", rng, size, form)


def _grouped(kind: str, domain: str, rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    setting = rng.choice([known for known in words("groups")["setting"] if known["domain"] == domain])
    small, count = size is ProblemSize.SMALL, rng.choice(by_size((3, 4), (4, 5), (5, 6))[size])
    if setting["groups"] == "people":
        persons = people(rng, count + (2 if small else rng.choice((2, 3))))
        members, names = persons[:count], [person.said for person in persons[count:]]
    else:
        members = things_of(rng, count, setting)
        names = rng.choice([group for group in setting["groups"] if not small or len(group) == 2])
    each = count // len(names) if count % len(names) == 0 and rng.random() < 0.5 else 0
    language = groups_language(members, names, each, setting)
    labels, place = [group.said for group in language.ranges["g"]], rng.choice(setting["places"])
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
    sizes = (
        f"(= {each} {language.written('(+ [x: (ite (= {x} {g}) 1 0)])', 'g', (group,))})" for group in range(len(names))
    )
    language.background = tuple(sizes) if each else ()
    return clue_problem(language, ClueFrame(kind, opening, rng.choice(setting["can"]), *_BOUNDS[size]), form, rng)


def shares(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about things that are shared out, at least one for each; `None` where the draw gives none."""
    fewest, most, totals = by_size((2, 3, (5, 14)), (3, 3, (8, 20)), (4, 4, (10, 13)))[size]
    setting = rng.choice(words("shares")["setting"])
    persons, total, goods = people(rng, rng.randint(fewest, most)), rng.randint(*totals), rng.choice(setting["things"])
    count, symbols = len(persons), symbols_of(persons)
    firsts = product(range(1, total), repeat=count - 1)
    worlds = [(*first, total - sum(first)) for first in firsts if sum(first) < total]
    ranges = {
        **dict.fromkeys("abx", persons),
        "m": numbers_from(1, total - count + 1),
        "s": numbers_from(2, total - 1),
        "f": [NamedThing(TIMES[factor], str(factor)) for factor in (2, 3, 4)],
    }
    # With two people, the sum of both is known.
    forms = {name: given for name, given in setting.items() if name != "sum" or count > 2}
    language = ClueLanguage(
        clue_table("shares"),
        ranges,
        dict(zip(symbols, zip(*worlds, strict=True), strict=True)),
        forms,
        (count, total),
        {"things": goods},
    )
    opening = rng.choice(setting["intro"]).format(
        names=names_of(persons),
        n=number(count),
        total=number(total),
        total_capital=number(total).capitalize(),
        things=goods,
    )
    language.background = (*(f"(>= {symbol} 1)" for symbol in symbols), f"(= (+ {' '.join(symbols)}) {total})")
    can = rng.choice(setting["can"]).format(things=goods)
    bounds = by_size((2, 3, 5), (3, 5, 8), (4, 7, 12))[size]
    return clue_problem(language, ClueFrame("shares", sentence(opening), can, *bounds), form, rng)


def purchase(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about the numbers of two kinds of things, from their count and a weighted sum; `None` where the draw gives none."""
    context, most = rng.choice(words("purchases")["context"]), by_size(12, 20, 28)[size]
    p, q = rng.choice(context["prices"]) if "prices" in context else (context["one"][2], context["two"][2])
    kinds = [
        NamedThing(context[key][1], context[key][1].replace(" ", "_").replace("-", "_"), {"weight": str(weight)})
        for key, weight in (("one", p), ("two", q))
    ]
    symbols = symbols_of(kinds)
    worlds = [(one, all_of_them - one) for all_of_them in range(2, most + 1) for one in range(1, all_of_them)]
    own = {
        "who": people(rng, 1)[0].said,
        **{key: rng.choice(context.get(f"{key}s", [""])) for key in ("place", "thing", "subject")},
    }
    filling = {**own, "things": own["thing"], "unit": context["unit"]}
    language = ClueLanguage(
        clue_table("purchases"),
        {
            **dict.fromkeys("abx", kinds),
            "m": numbers_from(1, most - 1, spelt=False),
            "n": numbers_from(2, most, spelt=False),
            "t": [NamedThing(str(total), str(total)) for total in sorted({p * one + q * two for one, two in worlds})],
        },
        dict(zip(symbols, zip(*worlds, strict=True), strict=True)),
        {**clue_table("purchases").forms, "counts": context["counts"], "sums": context["sums"]},
        (p, q, most),
        filling,
        background=(*(f"(>= {symbol} 1)" for symbol in symbols), f"(<= (+ {' '.join(symbols)}) {most})"),
    )
    opening = rng.choice(context["intro"]).format(
        many=listed([kind.said for kind in rng.sample(kinds, 2)]),
        place_capital=capitalized(own["place"]),
        things_capital=own["thing"].capitalize(),
        **filling,
    )
    facts = str(context["facts"]).format(p=p, q=q)
    for unit in ("dollar", "kilogram", "point") if p == 1 else ():
        facts = facts.replace(f" 1 {unit}s", f" 1 {unit}")
    can, bounds = rng.choice(("Is that possible?", "Can that be?")), by_size((2, 2, 3), (2, 3, 4), (2, 3, 5))[size]
    return clue_problem(
        language,
        ClueFrame("purchase", f"{sentence(opening)} {facts} There are at most {most} of them.", can, *bounds),
        form,
        rng,
    )
