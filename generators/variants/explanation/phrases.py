"""Phrases for the quantities of a problem, quoted from its text or formed from variable names."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.variants.variant_proposal import VariantProposal
from generators.variants.variant_source import VariantSubject
from harness.domain import Exact
from harness.solution.phrases.gap_phrases import gap_phrase
from harness.solution.phrases.missing_quantities import ONE_OF_NUMBERS, missing_phrase
from harness.text.lexicon import word_lists
from harness.text.names import ABBREVIATIONS
from harness.text.nouns import singular_noun
from harness.text.numbers import NumberMention, mentions
from harness.text.sentences import sentences_of
from harness.text.units import MEASURES, TIMES, WEEKDAYS

_LISTS = word_lists(__file__)

LONGEST_QUOTE = 160
LONGEST_CLAUSE = 120
MOST_WORDS = 9


_WORDS = re.compile(r"[A-Za-z]+")
_WORD = re.compile(r"[ -]([A-Za-z][\w'’-]*)")
_BREAKS = _LISTS.words("breaks")
_LOOSE_ENDS = _LISTS.words("loose_ends")
_LESS = _LISTS.words("less")
_LINKS = _LISTS.words("links")
_NO_NAMES = _LISTS.words("no_names")
_DAYS = frozenset(day.lower() for day in WEEKDAYS)
_LITTLE = _LISTS.words("little")
_NAMES_ALONE = _LISTS.words("names_alone")
_READS_BADLY = _LISTS.words("reads_badly")
_HEADS = _LISTS.words("heads")
_VAGUE = re.compile(r"(?:some|several|many|a few|a number of|a certain|part of|a part of)\b")
_OPENING = re.compile(r"(?:[Ii]f|[Aa]nd|[Bb]ut|[Ss]o|[Ww]hen|[Ss]ince|[Bb]ecause|[Tt]hen) ")
_LIMIT = re.compile(r"\b(?:(?:less|more|fewer) than|at (?:least|most)|no more than|up to) \$?$")
LONGEST_LIMIT = 16
_CLAUSE_END = re.compile(r"[.?!;:](?=\s|$)|,(?=\s)|\n")


def fragment(text: str, start: int, end: int) -> str:
    """Return a number of a text with the words after it up to where its clause turns: `6 rows of tomato seedlings`."""
    words: list[str] = []
    place = end
    numbers = {number.start for number in _numbers(text[end : end + LONGEST_QUOTE])}
    while len(words) < MOST_WORDS and (match := _WORD.match(text, place)) is not None:
        if match[1].lower() in _BREAKS or match.start(1) - end in numbers:
            break
        words.append(text[place : match.end()])
        place = match.end()
    while words and words[-1].strip().lower() in _LOOSE_ENDS:
        words.pop()
    return text[start - text.endswith("$", 0, start) : end] + "".join(words)


def quoted(text: str, span: tuple[int, int] | None, allowed: Collection[Exact]) -> str | None:
    """Return the words of a text that say a number, the clause around it where none follow; `None` where they cannot be quoted."""
    if span is None:
        return None
    words = fragment(text, *span)
    if " " not in words:
        before, after = list(_CLAUSE_END.finditer(text, 0, span[0])), _CLAUSE_END.search(text, span[1])
        clause = text[before[-1].end() if before else 0 : after.start() if after else len(text)].strip()
        clause = clause[match.end() :] if (match := _OPENING.match(clause)) is not None else clause
        words = clause if len(clause) <= LONGEST_CLAUSE and not foreign_numbers(clause, allowed) else words
    return None if '"' in words or foreign_numbers(words, allowed) else words


def claim_of(text: str, span: tuple[int, int] | None, allowed: Collection[Exact]) -> str | None:
    """Return the sentence that a number stands in, without its stop, or the words from the number on; `None` where neither can be quoted."""
    if span is None:
        return None
    whole = next((sentence.text for sentence in sentences_of(text) if sentence.start <= span[0] < sentence.end), "")
    limit = _LIMIT.search(text, max(0, span[0] - LONGEST_LIMIT), span[0])
    part = f"{'' if limit is None else limit[0]}{fragment(text, *span)}".replace("$$", "$")
    for quote in ("" if whole.endswith("?") else whole.rstrip("."), part):
        if " " in quote and len(quote) <= LONGEST_QUOTE and '"' not in quote and not foreign_numbers(quote, allowed):
            return quote
    return None


@lru_cache(4096)
def _numbers(text: str) -> tuple[NumberMention, ...]:
    # Variants of a problem share most of their words.
    return tuple(mentions(text))


def foreign_numbers(text: str, allowed: Collection[Exact]) -> list[str]:
    """Return the numbers of a text that mean none of the allowed values; `one` may be an article."""
    numbers = (number for number in _numbers(text) if number.text.lower() != "one")
    return [number.text for number in numbers if not any(value in allowed for value in number.readings)]


def names_in(subject: VariantSubject) -> frozenset[str]:
    """Return the words, in lower case, that a problem and its solution only write with a capital."""
    return _names_in(f"{subject.source.problem.question} {subject.source.problem.solution}")


@lru_cache(16)
def _names_in(text: str) -> frozenset[str]:
    words = _WORDS.findall(text)
    lower = {word for word in words if word.islower()}
    names = frozenset(word.lower() for word in words if word.istitle() and len(word) > 2)
    return names - lower - _NO_NAMES - _BREAKS - _LOOSE_ENDS - _LINKS


@lru_cache(4096)
def noun_phrase_of(variable: str, unit: Unit, names: frozenset[str]) -> str | None:
    """Return a variable's name as a noun phrase, `the number of red apples`; `None` where it reads badly.

    `names` are the proper names of the problem in lower case: `tom_apples` are `Tom's apples`.
    """
    words = [part for word in variable.lower().strip("_").split("_") for part in ABBREVIATIONS.get(word, word).split()]
    if words[0] == "num":
        words[0] = "number"
    if words[:1] == ["number"] and words[1:2] not in ([], ["of"]):
        words[:1] = ["number", "of"]
    text = " ".join(words)
    if not words or not _READS_BADLY.isdisjoint(words) or any(len(word) < 3 for word in set(words) - _LITTLE):
        return None
    if not text.isascii() or any(letter.isdigit() for letter in text) or _numbers(text):
        return None
    if words[0] in {"the", "a", "an"}:
        words = words[1:]
    elif words[0] == "sum" and words[1:2] not in ([], ["of"]):
        words[:1] = ["sum", "of"]
    if len(words) > 1 and words[-1] in names and words[-2] not in names | _LINKS:
        words.insert(-1, "on" if words[-1] in _DAYS else "for")
    for place, word in enumerate(words):
        if word in names:
            owner = place + 1 < len(words) and words[place + 1] not in names | _LINKS
            words[place] = f"{word.capitalize()}'s" if owner else word.capitalize()
    if not words or (len(words) == 1 and words[0] not in _NAMES_ALONE):
        return None
    owned = words[0].endswith("'s") or (words[0][0].isupper() and "'s" in words[1])
    if is_count(unit) and _many(words[1:] if owned else words):
        words[:0] = ["number", "of"]
        owned = False
    return " ".join(words if owned else ["the", *words])


def _many(words: Sequence[str]) -> bool:
    """Tell whether the words of a name are things, of which there is a number: `dots per blouse`, `remaining eggs`."""
    things = words[1:] if words[0] in {"remaining", "total"} else words
    head = next((place for place, word in enumerate(things) if word in _LINKS), len(things))
    return 0 < head <= 2 and singular_noun(things[head - 1]) != things[head - 1] and "'" not in things[0]


def is_count(unit: Unit) -> bool:
    """Tell whether a quantity is a number of things."""
    return unit.quantity is Quantity.COUNT and bool(unit.noun) and unit.noun not in TIMES | MEASURES


def missing_name(proposal: VariantProposal, variable: str) -> str | None:
    """Return the missing quantity of an edited problem: the question that the lost number answers, else the vague words in its place."""
    phrase = lost_phrase(proposal, variable)
    told = None if phrase is None or phrase.startswith(ONE_OF_NUMBERS) else phrase
    return told or vague_phrase(proposal, variable)


def lost_phrase(proposal: VariantProposal, variable: str) -> str | None:
    """Return the phrase for the number of the question that gave a variable, as `missing_phrase` does."""
    question = proposal.subject.question
    place = question.place_of.get(variable)
    return None if place is None else missing_phrase(question.text, place.start, place.end)


def gap_of(proposal: VariantProposal, variable: str) -> str | None:
    """Return the phrase for a number that an edit took out of a sentence that still stands; `None` where none does, or the number is unlocated."""
    place = proposal.subject.question.place_of.get(variable)
    edit = next((edit for edit in proposal.edits if place is not None and edit.start <= place.start < edit.end), None)
    if edit is None:
        return None
    return gap_phrase(proposal.text, proposal.edited.inserted_span(edit)[0], edit.before)


def is_quantity_name(name: str) -> bool:
    """Tell whether a name that was formed from a variable reads as a quantity: `the number of wolves`, `the wallet cost`, `the minutes per room`."""
    return name.startswith("the number of ") or " per " in name or name.rsplit(maxsplit=1)[-1] in _HEADS


def vague_phrase(proposal: VariantProposal, variable: str) -> str | None:
    """Return the quantity that the vague words of an edited problem leave open: `how many "several boxes of pens" are`; `None` without such words."""
    place = proposal.subject.question.place_of.get(variable)
    edit = next((edit for edit in proposal.edits if place is not None and edit.start <= place.start < edit.end), None)
    if edit is None or _VAGUE.match(edit.after) is None:
        return None
    start, _ = proposal.edited.inserted_span(edit)
    words = fragment(proposal.text, start, start + len(edit.after.rstrip()))
    if '"' in words or "(" in words or _numbers(words):
        return None
    counted = proposal.subject.units[variable].noun in words or re.match(r"(?:several|many|a few)\b", words)
    return f'how many "{words}" are' if counted and "money" not in words else f'how much "{words}" is'


def compares(text: str, span: tuple[int, int] | None) -> bool:
    """Tell whether a number says by how much one thing is less than another: `six fewer apples than`, `4 years younger`."""
    if span is None:
        return False
    return any(word in _LESS for word in text[span[1] : span[1] + 40].lower().split()[:4])


def joined(parts: Sequence[str]) -> str:
    """Return `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""


def sentence(text: str) -> str:
    """Return words as a sentence: a capital in front, a stop at the end."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
