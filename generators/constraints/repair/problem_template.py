"""The template of a problem: its text is looked up in all that the languages of generated problems can say.

This is a last resort, where the written program cannot be repaired. It reads what the generators write: things in order or in
slots (scheduling), comparisons, groups (equality), honest people and liars (truth values), and amounts (arithmetic). A text in
other words is not read. The program states how the text was understood, not what the broken program said.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

from generators.constraints.kinds import comparisons, groups, liars, rows
from generators.constraints.problem.draft import constants, enumeration
from generators.constraints.problem.english import TIMES
from generators.constraints.problem.vocabulary import NamedThing, symbols_of, words
from harness.smtlib.script import read_script
from harness.smtlib.symbols import RESERVED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generators.constraints.problem.language import WorldLanguage

LONGEST = 5_000
MOST_THINGS = 7
MOST_WORDS = 4
MOST_NUMBERS = 20
LEAST_FACTS = 2


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a text was found to say: declarations, conditions of the kind of problem, and facts, each with its clause."""

    logic: str
    declarations: Sequence[str]
    background: Sequence[str]
    facts: Sequence[tuple[str, str]]

    def program(self) -> str:
        lines = [
            f"(set-logic {self.logic})",
            *self.declarations,
            *(f"(assert {formula})" for formula in self.background),
        ]
        lines += [f"(assert {formula}) ; {clause}" for formula, clause in self.facts]
        return "\n".join([*lines, "(check-sat)", ""])


def template_program(problem: str) -> str | None:
    """Return a program of the statements of a problem's text that a language of the generators can say; `None` for fewer than two.

    Deterministic. Statements alone are read: a question asserts nothing.
    """
    text = " ".join(problem[:LONGEST].split())
    clauses = list(_clauses(text))
    best = max(_readings(text, clauses), key=lambda reading: len(reading.facts), default=None)
    if best is None or len(best.facts) < LEAST_FACTS:
        return None
    program = best.program()
    return program if read_script(program).valid else None


def _clauses(text: str) -> Iterator[str]:
    """Yield the statements of a text up to its question, after which answer options stand, and the clauses of those that are joined."""
    before, asked, _ = text.partition("?")
    for sentence in (before.rpartition(".")[0] if asked else before).replace(";", ".").split("."):
        clause = sentence.rpartition(": ")[2].strip()
        if clause.startswith("(") and ") " in clause:
            clause = clause.partition(") ")[2]
        if clause:
            yield clause
            parts = clause.split(", and ")
            yield from parts if len(parts) > 1 else ()


def _readings(text: str, clauses: Sequence[str]) -> Iterator[_Reading]:
    for setting in words("rows")["setting"]:
        yield from _placed(text, clauses, setting, 1)
    numbers = [int(word) for word in text.replace(":", " ").split() if word.isdecimal() and len(word) < 3]
    for setting in words("rows")["slots"] if numbers else ():
        yield from _placed(text, clauses, setting, min(numbers))
    for setting in words("comparisons")["setting"]:
        for things, place in _things(text, setting):
            symbols = symbols_of(things)
            facts = _looked_up(comparisons.language(things, setting, place), clauses)
            yield _Reading("QF_LIA", constants(symbols, "Int"), (f"(distinct {' '.join(symbols)})",), facts)
    for setting in words("liars")["setting"]:
        for things, _ in _things(text, setting):
            yield _Reading(
                "QF_UF",
                constants(symbols_of(things), "Bool"),
                (),
                _looked_up(liars.language(things), clauses, claims=True),
            )
    for setting in words("groups")["setting"]:
        labelled = [names for names in setting["groups"] if isinstance(names, list) and _are_said(text, setting, names)]
        names: list[str] = max(labelled, key=len, default=[])
        for things, _ in _things(text, setting) if names else ():
            declarations = (enumeration("Group", tuple(names)), *constants(symbols_of(things), "Group"))
            facts = _looked_up(groups.language(things, names, setting), clauses, groups=len(names))
            yield _Reading("ALL", declarations, (), facts)
    for context in words("relations")["context"]:
        for things, place in _things(text, context):
            sort = "Real" if context.get("real") else "Int"
            facts = _compared_amounts(context, things, place, clauses)
            yield _Reading(
                "QF_LRA" if context.get("real") else "QF_LIA", constants(symbols_of(things), sort), (), facts
            )


def _are_said(text: str, setting: Mapping[str, Any], names: Sequence[str]) -> bool:
    """Tell whether a text names all of these groups."""
    return all(str(setting["label"]).format(g=name).lower() in text.lower() for name in names)


def _placed(text: str, clauses: Sequence[str], setting: Mapping[str, Any], first: int) -> Iterator[_Reading]:
    """Yield the reading of a text about things in places one after the other."""
    for things, _ in _things(text, setting):
        symbols, last = symbols_of(things), first + len(things) - 1
        background = (*(f"(<= {first} {symbol} {last})" for symbol in symbols), f"(distinct {' '.join(symbols)})")
        yield _Reading(
            "QF_LIA", constants(symbols, "Int"), background, _looked_up(rows.language(things, setting, first), clauses)
        )


def _things(text: str, setting: Mapping[str, Any]) -> Iterator[tuple[list[NamedThing], str]]:
    """Yield the things that an opening of the setting lists, with its place; where none fits, the names with a capital."""
    for place in setting.get("places", [""]):
        for form in setting["intro"]:
            listed = _slot(text, form.replace("{place}", place), "{names}")
            names = listed.replace(" and ", ", ").split(", ") if listed else []
            if _are_names(names):
                yield [NamedThing(name, _symbol(name)) for name in names], place
                return
    named = [word.strip(".,;:?!") for word in text.split()]
    names = list(dict.fromkeys(word for word in named if word.isalpha() and word.istitle() and named.count(word) > 1))
    if setting.get("things", "people") == "people" and _are_names(names):
        yield [NamedThing(name, _symbol(name)) for name in names], setting.get("places", [""])[0]


def _are_names(names: Sequence[str]) -> bool:
    """Tell whether these are two names or more, all different and of few words."""
    plain = all(name.replace(" ", "").isalpha() and len(name.split()) <= MOST_WORDS for name in names)
    return plain and 1 < len(names) <= MOST_THINGS and len(set(map(_symbol, names))) == len(names)


def _slot(text: str, form: str, slot: str) -> str:
    """Return what stands in a text where a form has a slot, up to the next slot on either side; empty where the form does not fit."""
    before, found, after = form.partition(slot)
    before, after = before.rpartition("}")[2], after.partition("{")[0]
    start = text.find(before) + len(before) if before in text else -1
    end = text.find(after, start)
    return text[start:end] if found and start >= 0 and end >= 0 and after else ""


def _symbol(name: str) -> str:
    """Return the symbol of a thing: its words but for the article, in small letters."""
    plain = "_".join("".join(c if c.isalnum() and c.isascii() else " " for c in name.lower()).split()).removeprefix(
        "the_"
    )
    return plain if plain[:1].isalpha() and plain not in RESERVED else f"the_{plain}"


def _looked_up(
    language: WorldLanguage, clauses: Sequence[str], *, groups: int = 0, claims: bool = False
) -> list[tuple[str, str]]:
    """Return the terms of the clauses that are among all that a language can say, or that somebody claims in it."""
    count = len(language.things)
    ranges = {letter: range(count) for letter in "abc"} | {letter: range(groups) for letter in "gh"}
    said: dict[str, str] = {}
    for name, kind in language.kinds.items():
        values = [ranges.get(letter, range(1, count + 1)) for letter in kind.arguments]
        for arguments in product(*values):
            things = [argument for letter, argument in zip(kind.arguments, arguments, strict=True) if letter in "abc"]
            if len(set(things)) < len(things):
                continue
            statement = (name, *arguments)
            speakers = range(count) if claims else ()
            for told in (statement, *(("says", speaker, *statement) for speaker in speakers)):
                for form in language.sayings(told):
                    said.setdefault(form.lower(), language.term(told))
    return _found(said, clauses)


def _compared_amounts(
    context: Mapping[str, Any], things: Sequence[NamedThing], place: str, clauses: Sequence[str]
) -> list[tuple[str, str]]:
    """Return the terms of clauses that give an amount, its difference from another or its multiple, or the sum of all."""
    said: dict[str, str] = {}
    units = {unit: unit for unit in ("years", "points", "metres", "dollars", "minutes")}
    names = {**units, "names": _listed(things), "place": place}
    numbers = {word for clause in clauses for word in clause.split() if word.replace(".", "", 1).isdecimal()}
    symbols = " ".join(symbols_of(things))
    for number in sorted(numbers)[:MOST_NUMBERS]:
        for form in context["total"]:
            said.setdefault(_filled(form, t=number, **names).lower(), f"(= (+ {symbols}) {number})")
        for thing, form in product(things, context["value"]):
            said.setdefault(_filled(form, a=thing.said, v=number, **names).lower(), f"(= {thing.symbol} {number})")
        for (own, other), form in product(permutations(things, 2), context["plus"]):
            text = _filled(form, a=own.said, b=other.said, d=number, **names)
            said.setdefault(text.lower(), f"(= {own.symbol} (+ {other.symbol} {number}))")
    for (own, other), (factor, word), form in product(permutations(things, 2), TIMES.items(), context.get("times", ())):
        text = _filled(form, a=own.said, b=other.said, m=word, **names)
        said.setdefault(text.lower(), f"(= {own.symbol} (* {factor} {other.symbol}))")
    return _found(said, clauses)


def _filled(form: str, **slots: str) -> str:
    """Return a form with its slots filled, a slot of nothing that the reader knows with nothing."""
    return form.format_map(defaultdict(str, slots))


def _listed(things: Sequence[NamedThing]) -> str:
    said = [thing.said for thing in things]
    return f"{', '.join(said[:-1])} and {said[-1]}"


def _found(said: Mapping[str, str], clauses: Sequence[str]) -> list[tuple[str, str]]:
    return [(said[clause.lower()], clause) for clause in clauses if clause.lower() in said]
