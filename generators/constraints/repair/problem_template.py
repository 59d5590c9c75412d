"""The template of a problem: its text is looked up in all that the languages of generated problems can say.

This is a last resort, where the written program cannot be repaired. It reads what the generators write: things in order or in
slots (scheduling), comparisons, groups (equality), honest people and liars (truth values), and amounts (arithmetic). A text in
other words is not read. The program states how the text was understood, not what the broken program said.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Any

from generators.constraints.kinds.assignments import groups_language
from generators.constraints.kinds.orders import comparison_language, row_language
from generators.constraints.kinds.selections import liars_language
from generators.constraints.problem.clue_language import ClueLanguage
from generators.constraints.problem.draft import constants, logic_of
from generators.constraints.problem.english import TIMES
from generators.constraints.problem.vocabulary import NamedThing, names_of, symbols_of, words
from harness.smtlib.script import read_script
from harness.smtlib.vocabulary import RESERVED

LONGEST = 5_000
MOST_THINGS = 7
MOST_WORDS = 4
MOST_NUMBERS = 20
LEAST_FACTS = 2
_STOP = re.compile(r"[.;](?!\d)")


def template_program(problem: str) -> str | None:
    """Return a program of the statements of a problem's text that a language of the generators can say; `None` for fewer than two.

    Deterministic. Statements alone are read: a question asserts nothing.
    """
    text = " ".join(problem[:LONGEST].split())
    clauses = list(_clauses(text))
    best: list[str] = []
    head: Sequence[str] = ()
    for declarations, terms in _sayings(text, clauses):
        facts = [f"(assert {terms[clause.lower()]}) ; {clause}" for clause in clauses if clause.lower() in terms]
        if len(facts) > len(best):
            best, head = facts, declarations
    if len(best) < LEAST_FACTS:
        return None
    logic = logic_of((*head, *(fact.partition(" ; ")[0] for fact in best)))
    program = "\n".join([f"(set-logic {logic})", *head, *best, "(check-sat)", ""])
    return program if read_script(program).valid else None


def _clauses(text: str) -> Iterator[str]:
    """Yield the statements of a text up to its question, after which answer options stand, and the clauses of those that are joined."""
    before, asked, _ = text.partition("?")
    sentences = _STOP.split(before)
    for sentence in sentences[:-1] if asked else sentences:
        clause = sentence.rpartition(": ")[2].strip()
        if clause.startswith("(") and ") " in clause:
            clause = clause.partition(") ")[2]
        if clause:
            yield clause
            parts = clause.split(", and ")
            yield from parts if len(parts) > 1 else ()


def _sayings(text: str, clauses: Sequence[str]) -> Iterator[tuple[Sequence[str], Mapping[str, str]]]:
    """Yield the head of a program for each kind of problem that a text may be, and the terms of all sentences that it can say."""
    for language in _languages(text):
        said: dict[str, str] = {}
        for name in language.table.clues:
            for statement in language.statements(name) if name in language.forms else ():
                for form in language.sayings(statement):
                    said.setdefault(form.lower(), language.term(statement))
        yield (*language.declarations(), *(f"(assert {term})" for term in language.background)), said
    for context in words("relations")["context"]:
        for things, place in _things(text, context):
            head = constants(symbols_of(things), "Real" if context.get("real") else "Int")
            yield head, _compared_amounts(context, things, place, clauses)


def _languages(text: str) -> Iterator[ClueLanguage]:
    """Yield the languages of the small worlds that a text may be about."""
    numbers = [int(word) for word in text.replace(":", " ").split() if word.isdecimal() and len(word) < 3]
    for part, first in (("setting", 1), ("slots", min(numbers, default=0))):
        for setting in words("rows")[part] if first else ():
            yield from (row_language(things, setting, first) for things, _ in _things(text, setting))
    for setting in words("comparisons")["setting"]:
        yield from (comparison_language(things, setting, place) for things, place in _things(text, setting))
    for setting in words("liars")["setting"]:
        yield from (liars_language(things) for things, _ in _things(text, setting))
    for setting in words("groups")["setting"]:
        listed = [names for names in setting["groups"] if isinstance(names, list)]
        labels = {tuple(names): [str(setting["label"]).format(g=name).lower() for name in names] for names in listed}
        said = [names for names, own in labels.items() if all(label in text.lower() for label in own)]
        for things, _ in _things(text, setting) if said else ():
            yield groups_language(things, max(said, key=len), 0, setting)


def _things(text: str, setting: Mapping[str, Any]) -> Iterator[tuple[list[NamedThing], str]]:
    """Yield the things that an opening of the setting lists, with its place; where none fits, the names with a capital."""
    places = setting.get("places", [""])
    for place, form in product(places, setting["intro"]):
        listed = _listed_names(text, form.replace("{place}", place))
        if _are_names(listed):
            yield [NamedThing(name, _symbol(name)) for name in listed], place
            return
    named = [word.strip(".,;:?!") for word in text.split()]
    names = list(dict.fromkeys(word for word in named if word.isalpha() and word.istitle() and named.count(word) > 1))
    if setting.get("things", "people") == "people" and _are_names(names):
        yield [NamedThing(name, _symbol(name)) for name in names], places[0]


def _are_names(names: Sequence[str]) -> bool:
    """Tell whether these are two names or more, all different and of few words."""
    plain = all(name.replace(" ", "").isalpha() and len(name.split()) <= MOST_WORDS for name in names)
    return plain and 1 < len(names) <= MOST_THINGS and len(set(map(_symbol, names))) == len(names)


def _listed_names(text: str, form: str) -> list[str]:
    """Return the names that a text lists where a form has them, up to the next slot on either side; none where the form does not fit."""
    before, found, after = form.partition("{names}")
    before, after = before.rpartition("}")[2], after.partition("{")[0]
    start = text.find(before) + len(before) if before in text else -1
    end = text.find(after, start)
    fits = found and after and start >= 0 and end >= 0
    return text[start:end].replace(" and ", ", ").split(", ") if fits else []


def _symbol(name: str) -> str:
    """Return the symbol of a thing: its words but for the article, in small letters."""
    letters = (c if c.isalnum() and c.isascii() else " " for c in name.lower())
    plain = "_".join("".join(letters).split()).removeprefix("the_")
    return plain if plain[:1].isalpha() and plain not in RESERVED else f"the_{plain}"


def _compared_amounts(
    context: Mapping[str, Any], things: Sequence[NamedThing], place: str, clauses: Sequence[str]
) -> dict[str, str]:
    """Return the terms of sentences that give an amount, its difference from another or its multiple, or the sum of all."""
    found = {word for clause in clauses for word in clause.split() if word.replace(".", "", 1).isdecimal()}
    numbers, total, pairs = sorted(found)[:MOST_NUMBERS], " ".join(symbols_of(things)), list(permutations(things, 2))
    rows = [("total", "", "", {"t": v}, f"(= (+ {total}) {v})") for v in numbers]
    rows += [("value", a.said, "", {"v": v}, f"(= {a.symbol} {v})") for a, v in product(things, numbers)]
    for a, b in pairs:
        rows += [("plus", a.said, b.said, {"d": v}, f"(= {a.symbol} (+ {b.symbol} {v}))") for v in numbers]
    for (a, b), (factor, word) in product(pairs, TIMES.items()):
        rows.append(("times", a.said, b.said, {"m": word}, f"(= {a.symbol} (* {factor} {b.symbol}))"))
    said: dict[str, str] = {}
    for key, own, other, numbered, term in rows:
        for form in context.get(key, ()):
            # A slot of nothing that is read here is filled with nothing.
            filled = defaultdict(str, {"names": names_of(things), "place": place, "a": own, "b": other, **numbered})
            said.setdefault(form.format_map(filled).lower(), term)
    return said
