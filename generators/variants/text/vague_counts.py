"""Vague wordings for a number of things, or for how many times as many there are, in a question."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.variants.question.vague_context import NumberContext, VaguePhrase
from generators.variants.text.vague_amounts import ANOTHER_CLAUSE
from harness.text.lexicon import word_lists
from harness.text.nouns import NounPhrase, ends_phrase, is_plural, phrase_at, singular_noun
from harness.text.number_forms import NumberKind
from harness.text.units import MEASURES, TIMES

_LISTS = word_lists(__file__)

A_FEW = range(3, 13)
SEVERAL = range(3, 41)
MANY = 20
_POSITION = re.compile(r"\b(?P<word>first|last|next|past|final|following|previous|every) $", re.IGNORECASE)
ADDED = re.compile(
    r"\b(?P<words>another|an additional|an extra|a total of|a group of|a team of|a set of) $", re.IGNORECASE
)
_TOTAL = re.compile(r"\b(?:in total|total|altogether|in all|combined|overall)\b", re.IGNORECASE)
_MEASURED = re.compile(rf" (?:{_LISTS.either('measured')})\b")
_HAVING = rf"\b(?:{_LISTS.either('having')})"


def vague_counts(spot: NumberContext) -> Iterator[VaguePhrase]:
    """Yield ways of saying vaguely how many there are, none where the surroundings are not understood."""
    place = spot.place
    if place.value.denominator == 1 and place.value >= 2 and not place.form.after.strip() and not spot.joined:
        yield from _times(spot)
        yield from _count(spot)


def _quantifiers(value: int, noun: str, *, total: bool) -> tuple[str, ...]:
    if total:
        return ("a certain number of", "an unknown number of")
    measured = noun in TIMES or noun in MEASURES or noun in {"dollar", "cent"}
    words = [] if measured else ["some", "some", *(["a number of"] if value >= 3 else [])]
    words += ["several", "several"] if value in SEVERAL else []
    words += ["a few"] if value in A_FEW else []
    words += ["many"] if value >= MANY and not measured else []
    return (*words, "a certain number of")


def _small(value: int) -> tuple[str, ...]:
    return ("some", "several", "a few") if value in A_FEW else ("some", "several") if value in SEVERAL else ("some",)


def _count(spot: NumberContext) -> Iterator[VaguePhrase]:
    text, place, value = spot.text, spot.place, int(spot.place.value)
    phrase = phrase_at(text, place.end)
    if phrase is None:
        yield from _pronoun(spot)
        return
    if re.match(r" (?:old|of age|by \d)", text[phrase.end :]):
        return
    more = re.match(r" (more|less|fewer)\b", spot.behind)
    behind = phrase.end if phrase.closed and not _MEASURED.match(text, phrase.end) else None
    added, position = ADDED.search(spot.before), _POSITION.search(spot.before)
    if added is not None:
        if not more and not re.search(r"\d[ ,]*$", spot.before[: added.start()]):
            yield from _added(spot, phrase, added, behind)
    elif position is not None:
        if phrase.noun in TIMES and value in A_FEW:
            several = () if position["word"].lower() == "every" else ("several",)
            yield spot.say("few", *several, behind=behind, noun=phrase.noun)
    elif spot.firm or spot.definite or (spot.is_behind(r"\bof") and not more):
        return
    elif more is not None:
        some = more[1] == "more" and _MORE_THAN.match(spot.behind) is None
        small = tuple(count for count in _small(value) if some or count != "some")
        if small:
            yield spot.say(*small, behind=behind, noun=phrase.noun)
    elif re.match(r" (?:dozen|hundred|thousand|million|pairs? of)\b", spot.behind):
        if value in A_FEW:
            yield spot.say("several", "a few", behind=behind, noun=phrase.noun)
    else:
        rest = re.split(r"[.?!;]", spot.behind, maxsplit=1)[0]
        total = _TOTAL.search(rest) is not None or re.search(r"\btotal\b", spot.before[-20:]) is not None
        yield spot.say(*_quantifiers(value, phrase.noun, total=total), behind=behind, noun=phrase.noun)


def _added(spot: NumberContext, phrase: NounPhrase, added: re.Match[str], behind: int | None) -> Iterator[VaguePhrase]:
    kind, start, small = added["words"].lower(), added.start("words"), _small(int(spot.place.value))
    if phrase.noun in TIMES or phrase.noun in MEASURES:
        small = tuple(count for count in small if count != "some")
    match kind:
        case "another" if small:
            yield spot.say(*(f"{count} more" for count in small), start=start, behind=behind, noun=phrase.noun)
        case "an additional" | "an extra" if small:
            word = kind.removeprefix("an ")
            yield spot.say(*(f"{count} {word}" for count in small), start=start, behind=behind, noun=phrase.noun)
        case "a total of":
            words = ("a certain number of", "an unknown number of")
            yield spot.say(*words, start=start, behind=behind, noun=phrase.noun)
        case "a group of" | "a team of" | "a set of" if "several" in small:
            yield spot.say("several", behind=behind, noun=phrase.noun)


def _pronoun(spot: NumberContext) -> Iterator[VaguePhrase]:
    """Yield `some of them` for `5 of them`, and `has several` for `has 5` at the end of a clause."""
    if spot.firm or spot.definite:
        return
    end = spot.place.end
    of_them = re.match(r" of (?:them|the|his|her|their|its|those|these|my)\b", spot.behind)
    if of_them is not None:
        closed = of_them.group().endswith("them") and ends_phrase(spot.text, end + of_them.end())
        yield spot.say(*_small(int(spot.place.value)), behind=end + of_them.end() if closed else None)
    elif re.match(r"[.;]|, (?:and|while|but) ", spot.behind) and spot.is_behind(_HAVING):
        yield spot.say(*_small(int(spot.place.value)), behind=end)


_COMPARATIVES = _LISTS.either("comparatives")
_COMPARATIVE_OF: dict[str, str] = _LISTS.mapping("comparative_of")
_TIMES_AS = re.compile(r"(?P<times> times)? as (?P<adjective>\w+)(?P<noun>(?: [a-z][\w-]*){0,4}?) as (?=[\w$])")
_MORE_THAN = re.compile(
    rf"(?P<unit> [a-z]+)? (?P<word>{_COMPARATIVES}|more|less|fewer)(?P<noun>(?: [a-z][\w-]*){{0,3}}?) than "
)


def _times(spot: NumberContext) -> Iterator[VaguePhrase]:
    """Yield `more apples than` for `twice as many apples as`, and `several times as many`."""
    written = spot.written.lower()
    named = spot.place.form.kind is NumberKind.NAMED and (written in {"twice", "thrice"} or written.endswith(" times"))
    match = _TIMES_AS.match(spot.behind)
    if spot.firm or spot.definite or match is None or (match["times"] is None) != named:
        return
    comparative = _COMPARATIVE_OF.get(match["adjective"])
    if comparative is None or ANOTHER_CLAUSE.search(match["noun"]):
        return
    if (match["noun"] and match["adjective"] not in {"many", "much"}) or spot.is_behind(r"\bto \w+"):
        return
    yield spot.say(f"{comparative}{match['noun']} than ", end=spot.place.end + match.end(), noun="time")
    if spot.place.value in SEVERAL:
        end = spot.place.end + len(match["times"] or "")
        yield spot.say("several times", "many times", "several times", end=end, noun="time")


def comparisons(spot: NumberContext) -> Iterator[VaguePhrase]:
    """Yield the number of a comparison with the empty words that take its place: `5 more apples than`, `5 years older than`."""
    place = spot.place
    if place.value.denominator != 1 or place.value < 2 or place.form.after.strip() or spot.joined:
        return
    match = _MORE_THAN.match(spot.behind)
    if spot.begins or spot.firm or spot.definite or match is None or ANOTHER_CLAUSE.search(match["noun"]):
        return
    unit = (match["unit"] or "").strip()
    if unit == "times" or (unit and not is_plural(unit)):
        return
    noun = singular_noun(unit) if unit else ""
    yield spot.say("", end=spot.place.end + match.start("word"), noun=noun)
