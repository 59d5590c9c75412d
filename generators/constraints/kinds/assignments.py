"""Problems about who has what: attributes, groups, shares. The worlds are all ways to give each one a value."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import permutations, product
from random import Random
from typing import Any

from generators.constraints.problem.clue_language import ClueLanguage, clue_table, columns_of
from generators.constraints.problem.clue_problem import pose
from generators.constraints.problem.domain import ProblemForm, ProblemSize, by_size
from generators.constraints.problem.draft import ProblemDraft
from generators.constraints.problem.english import TIMES, article, capitalized, number, sentence
from generators.constraints.problem.vocabulary import (
    NamedThing,
    figures,
    names_of,
    numbers_from,
    people,
    symbols_of,
    things_of,
    words,
)
from harness.text.nouns import listed


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
        ranges |= dict.fromkeys("vu" if several == 1 else "vu"[place], values)
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
    can = ("Is that possible?", "Can all of this be true?", "Is there a way to make all of this true?")
    bounds = by_size((2, 3, 4), (3, 5, 9), (4, 8, 14))[size]
    return pose("grid", language, {}, form, rng, bounds, opening=" ".join(openings).replace(". the", ". The"), can=can)


def _attribute_value(name: str, own: Mapping[str, Any], suffix: str) -> NamedThing:
    """Return a value of an attribute, with what is said of those who have it."""
    said = f"the {name}" if own.get("the") else article(name) if own.get("article") else name
    more = {"suffix": suffix, "holder": own["of"].format(v=f"the {name}" if own.get("article") else said, bare=name)}
    for key in ("has", "lacks", "which", "who"):
        more |= {key: own[key][0].replace("{v}", said), f"{key}_too": own[key][-1].replace("{v}", said)}
    more |= {key: own[key].format(v=said) for key in ("of_verb", "lacks_verb")}
    return NamedThing(said, capitalized(name), more)


def groups_language(
    things: Sequence[NamedThing], names: Sequence[str], each: int, setting: Mapping[str, Any]
) -> ClueLanguage:
    """Return the language of members of groups, all of which have `each` of them, or any number where that is 0."""
    form, by_number = str(setting["label"]), words("groups")["table"]["by_number"]
    labelled = [NamedThing(form.format(g=name if form == "{g}" else name.lower()), name) for name in names]
    worlds = product(names, repeat=len(things))
    allowed = [world for world in worlds if not each or all(world.count(name) == each for name in names)]
    amounts = [
        NamedThing(number(count), str(count), {key: forms[count > 1] for key, forms in by_number.items()})
        for count in range(1, len(things))
    ]
    unused = {"count", "least", "more", "many"} if each else set[str]()
    forms = {name: given for name, given in setting.items() if name not in unused}
    for name, key in product({"count", "least"} & forms.keys(), by_number):
        # The form of a verb goes with the number.
        forms[name] = [text.replace(f"{{{key}}}", f"{{m_{key}}}") for text in forms[name]]
    language = ClueLanguage(
        clue_table("groups"),
        {**dict.fromkeys("abx", things), **dict.fromkeys("gh", labelled), "m": amounts},
        columns_of(things, allowed),
        forms,
        (len(things), len(names), each),
        enumerations={setting["sort"]: labelled},
    )
    members = (language.written("(+ [x: (ite (= {x} {g}) 1 0)])", "g", (group,)) for group in range(len(names)))
    language.background = tuple(f"(= {each} {count})" for count in members) if each else ()
    return language


def _group_problem(kind: str, domain: str, rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    setting = rng.choice([known for known in words("groups")["setting"] if known["domain"] == domain])
    small, count = size is ProblemSize.SMALL, rng.choice(by_size((3, 4), (4, 5), (5, 6))[size])
    if setting["groups"] == "people":
        persons = people(rng, count + (2 if small else rng.choice((2, 3))))
        members, names = persons[:count], [person.said for person in persons[count:]]
    else:
        members = things_of(rng, count, setting)
        names = rng.choice([group for group in setting["groups"] if not small or len(group) == 2])
    each = count // len(names) if count % len(names) == 0 and rng.random() < 0.5 else 0
    language, k = groups_language(members, names, each, setting), number(len(names))
    labels = [group.said for group in language.ranges["g"]]
    slots = {"k": k, "k_capital": k.capitalize(), "groups": listed(labels), "groups_or": listed(labels, "or")}
    bounds = by_size((2, 3, 4), (3, 5, 8), (4, 7, 12))[size]
    if each:
        slots["size"] = number(each)
    return pose(kind, language, setting, form, rng, bounds, **slots)


groups = partial(_group_problem, "groups", "relationships")
duties = partial(_group_problem, "duties", "scheduling")
"""Groups of people; days, shifts and halls."""


def shares(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about things that are shared out, at least one for each; `None` where the draw gives none."""
    fewest, most, totals = by_size((2, 3, (5, 14)), (3, 3, (8, 20)), (4, 4, (10, 13)))[size]
    setting = rng.choice(words("shares")["setting"])
    persons, total, goods = people(rng, rng.randint(fewest, most)), rng.randint(*totals), rng.choice(setting["things"])
    count, symbols = len(persons), symbols_of(persons)
    firsts = product(range(1, total), repeat=count - 1)
    worlds = [(*first, total - sum(first)) for first in firsts if sum(first) < total]
    amounts = {"m": numbers_from(1, total - count + 1), "s": numbers_from(2, total - 1)}
    factors = [NamedThing(TIMES[factor], str(factor)) for factor in (2, 3, 4)]
    language = ClueLanguage(
        clue_table("shares"),
        {**dict.fromkeys("abx", persons), **amounts, "f": factors},
        columns_of(persons, worlds),
        # With two people, the sum of both is known.
        {name: given for name, given in setting.items() if name != "sum" or count > 2},
        (count, total),
        {"things": goods},
        background=(*(f"(>= {symbol} 1)" for symbol in symbols), f"(= (+ {' '.join(symbols)}) {total})"),
    )
    slots = {"total": number(total), "total_capital": number(total).capitalize(), "things": goods}
    return pose("shares", language, setting, form, rng, by_size((2, 3, 5), (3, 5, 8), (4, 7, 12))[size], **slots)


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
    who = people(rng, 1)[0].said
    own = {key: rng.choice(context.get(f"{key}s", [""])) for key in ("place", "thing", "subject")}
    filling = {"who": who, **own, "things": own["thing"], "unit": context["unit"]}
    totals = figures(sorted({p * one + q * two for one, two in worlds}))
    amounts = {"m": figures(range(1, most)), "n": figures(range(2, most + 1)), "t": totals}
    language = ClueLanguage(
        clue_table("purchases"),
        {**dict.fromkeys("abx", kinds), **amounts},
        columns_of(kinds, worlds),
        {**clue_table("purchases").forms, "counts": context["counts"], "sums": context["sums"]},
        (p, q, most),
        filling,
        background=(*(f"(>= {symbol} 1)" for symbol in symbols), f"(<= (+ {' '.join(symbols)}) {most})"),
    )
    intro, many = rng.choice(context["intro"]), listed([kind.said for kind in rng.sample(kinds, 2)])
    capitals = {"place_capital": capitalized(own["place"]), "things_capital": own["thing"].capitalize()}
    facts = str(context["facts"]).format(p=p, q=q)
    for unit in ("dollar", "kilogram", "point") if p == 1 else ():
        facts = facts.replace(f" 1 {unit}s", f" 1 {unit}")
    opening = f"{sentence(intro.format(many=many, **capitals, **filling))} {facts} There are at most {most} of them."
    can, bounds = ("Is that possible?", "Can that be?"), by_size((2, 2, 3), (2, 3, 4), (2, 3, 5))[size]
    return pose("purchase", language, {}, form, rng, bounds, opening=opening, can=can)
