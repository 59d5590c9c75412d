"""Clauses of a question that hold a number and can be removed so that a complete sentence is left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generators.variants.question.input_places import LocatedQuestion, NumberPlace
from generators.variants.question.question_edit import QuestionEdit
from generators.variants.question.vague_context import NumberContext, dollar_sign
from harness.text.lexicon import word_lists
from harness.text.nouns import FUNCTION_WORDS, is_plural, phrase_at, singular_noun, singular_of
from harness.text.sentences import Sentence
from harness.text.units import MEASURES, TIMES

_LISTS = word_lists(__file__)


@dataclass(frozen=True, slots=True)
class RemovableClause:
    """Words from `start` to `end` that can go; `left` takes their place. `noun` is what a number in them counts.

    `again` says the same as a sentence, with `{}` for the number, an empty text where no sentence is sure to. `alone` are a number and
    its unit by themselves, as in `a group of 10 people`.
    """

    start: int
    end: int
    left: str = ""
    noun: str = ""
    again: str = ""
    alone: bool = False

    def edit(self, text: str) -> QuestionEdit:
        """Return the edit that takes the clause out."""
        return QuestionEdit(self.start, self.end, text[self.start : self.end], self.left)


@dataclass(frozen=True, slots=True)
class QuestionCondition:
    """The condition of what a sentence asks, `If each box holds 6 mugs, how many …?` or `How many … if …?`.

    `start` to `end` is what goes if it goes, `first` to `last` what it says, `asked` the question without it.
    """

    start: int
    end: int
    first: int
    last: int
    asked: str
    leads: bool


_EACH = r"(?: each| apiece| per [a-z]+| an? [a-z]+| for each [a-z]+| every [a-z]+)"
_IN_EACH = re.compile(
    r"(?: (?:in|on|inside) each(?: (?:one|of them|[a-z]+))?| in it| in them| inside| each| apiece| per [a-z]+)"
)
_PRICE_EACH = re.compile(_EACH)
_ENDS = re.compile(r"[.;?!]")
_GOES_ON = re.compile(r" (?:at (?:the|a|his|her|their)|in|on|from|during|while|because|before|after|until|when|so) ")
_AND = re.compile(r" and (?P<rest>[^.;?!]*)")
_SHARED = re.compile(r"\b(?:each|with|that|which|for|at|costing|containing|per|apiece|every|worth)\b|\$")
_NO_SHARE = re.compile(r"\s*(?:%|percent|discount|tax|tip|interest|fee|change)", re.IGNORECASE)
_NOT_PRICED = rf"\b(?:{_LISTS.either('not_priced')}) (?:at|for)"
_DEFINITE_HEAD = re.compile(
    r"\b(?:ones?|the(?: [a-z-]+){1,2}|those|that|this|these|only|all|any|of|each|other)$", re.IGNORECASE
)
_NOT_TRADED = re.compile(r"\b(?:each|apiece|per|every|at)\b|\$\d")
_TOTALLED = re.compile(r" (?:in total|in all|altogether|total)\b")
_THING = re.compile(rf"\b(?:{_LISTS.either('thing')})(?: [a-z][a-z'’-]*){{1,4}}$")
_LAST = re.compile(r"(?P<of>\bof (?:[a-z-]+ ){0,2})?\b(?P<noun>[a-z-]+)$")
_CONTAINERS = rf"\b(?:{_LISTS.either('containers')})(?:e?s)? of"
_SIZES = _LISTS.words("sizes")
_NO_SIZED = _LISTS.words("no_sized")
_SIZED = re.compile(r"-(?P<unit>[a-z]+)(?:[- ](?:long|tall|wide|deep|high))? (?P<next>[a-z]+)")
_COUNTED = rf"\b(?:{_LISTS.either('counted')})"
_DURATION = frozenset(["minute", "hour", "day", "week", "month", "year", "night"])
_NO_RATE = rf"\b(?:{_LISTS.either('no_rate')})"
_BY_TIME = re.compile(r" (?:a|per|each|every) (?:day|week|month|year|night|hour)\b")
_NEXT_CLAUSE = re.compile(r"[.;?!]|,? (?:and|but) (?:he|she|they|it|then)\b|, (?:how|what)\b")
_ATTACHING = re.compile(
    f"(?P<comma>,)? (?:(?P<each>each )?(?P<kind>with|containing|holding|weighing|costing|having)|(?P<who>that|which)(?: each)? (?:{_LISTS.either('attaching')}))(?: a total of)? $"
)


def clauses_around(spot: NumberContext) -> Iterator[RemovableClause]:
    """Yield the clauses around a number that hold it and hardly anything else."""
    if _NO_SHARE.match(spot.behind) or spot.place.value <= 0:
        return
    yield from _size(spot)
    if spot.joined:
        return
    if spot.is_money:
        yield from _priced(spot)
        yield from _paid(spot)
        yield from _brought(spot)
    elif spot.place.value.denominator == 1 and spot.place.value >= 2:
        yield from _contained(spot)
        yield from _lasting(spot)
    yield from _moving(spot)
    yield from _attached(spot)


def _closes(text: str, end: int) -> bool:
    """Tell whether a clause can end at a place: what follows is not joined to what goes before it, once the clause is gone."""
    if _ENDS.match(text, end) or _GOES_ON.match(text, end):
        return True
    more = _AND.match(text, end)
    return more is not None and not _SHARED.search(more["rest"])


def _one_of(head: str) -> str:
    """Return the singular of the plural noun that words end with, an empty text where that is not sure."""
    match = _LAST.search(head)
    return "" if match is None or match["of"] else singular_of(match["noun"])


def _each_has(head: str, verb: str, what: str) -> str:
    noun = _one_of(head)
    return f"Each {noun} {verb} {{}}{what}." if noun else ""


def _price_of(head: str, each: str) -> str:
    unit = re.match(r" (?:per|an?|for each|every) ([a-z]+)$", each)
    noun = _one_of(head) if unit is None else unit[1]
    return f"The price per {noun} is {{}}." if noun and noun not in TIMES else ""


def _priced(spot: NumberContext) -> Iterator[RemovableClause]:
    """Yield ` at $3 each` after a noun."""
    each = _PRICE_EACH.match(spot.behind)
    if each is None or not spot.is_behind(r"[a-z] (?:at|for)") or spot.is_behind(_NOT_PRICED):
        return
    end = spot.place.end + each.end()
    if _closes(spot.text, end):
        start = spot.start - len(" for ") + spot.is_behind("at")
        again = _price_of(spot.text[:start], each.group())
        yield RemovableClause(start, end, noun="dollar", again=again)


def _paid(spot: NumberContext) -> Iterator[RemovableClause]:
    """Yield ` for $20` after what somebody buys or sells."""
    start = max(spot.before.rfind(mark) for mark in (". ", "? ", "! ", ";", ","))
    clause = spot.before[start + 1 :]
    traded = re.search(rf"\b(?:{_LISTS.either('traded')})\b(?: [\w'’-]+){{1,6}} for $", clause)
    if traded is None or " and " in traded.group() or not _closes(spot.text, spot.place.end):
        return
    if _TOTALLED.match(spot.behind):
        return
    if _NOT_TRADED.search(clause) is None:
        yield RemovableClause(spot.start - len(" for "), spot.place.end, noun="dollar")


def _moving(spot: NumberContext) -> Iterator[RemovableClause]:
    """Yield ` at 60 miles per hour` and ` at a speed of 60 mph` after who or what moves."""
    lead = re.search(
        r"(?<=[a-z\d]) at (?:(?:an? |the )?(?:average |constant |steady )?(?:speed|rate|pace) of )?(?:about )?$",
        spot.before,
    )
    rate = re.match(
        r" (?:mph|km/h|(?P<unit>[a-z]+) (?:per|an?|every|each) (?:second|minute|hour|day|week|month))(?=[.,;?]| (?:for|to|and|in|on|from|while)\b)",
        spot.behind,
    )
    if (
        lead is None
        or rate is None
        or spot.is_behind(r"\b(?:starts?|started|fixed|set|paid|charged|is|was|are|were) at")
        or re.search(r"\bcan [a-z]+$", spot.text[: lead.start()])
        or _has_no_verb(spot.text[: lead.start()])
    ):
        return
    end = spot.place.end + rate.end()
    if spot.text[end : end + 5] != " and " or _closes(spot.text, end):
        yield RemovableClause(lead.start(), end, noun=singular_noun(rate["unit"] or "mile"))


def _has_no_verb(words: str) -> bool:
    """Tell whether the last of joined clauses shares the verb of the one before: `…, and during the second half`."""
    return re.match(rf"(?:{_LISTS.either('adverbial')})\b", re.split(r"(?: and|,|[.;?!]) ", words)[-1]) is not None


def _brought(spot: NumberContext) -> Iterator[RemovableClause]:
    """Yield ` with $20` after somebody who went somewhere."""
    pocket = re.match(r"(?: in (?:his|her|their) (?:pocket|wallet|purse))?(?=[.;?!]| and )", spot.behind)
    went = r"\b(?:store|shop|market|mall|fair|carnival|supermarket|bakery|bookstore|arcade|casino) with"
    if pocket is not None and spot.is_behind(went):
        yield RemovableClause(spot.start - len(" with "), spot.place.end + pocket.end(), noun="dollar")


def _size(spot: NumberContext) -> Iterator[RemovableClause]:
    """Yield `5-pound ` before a noun; `an 8-pound bag` becomes `a bag`."""
    match = _SIZED.match(spot.behind)
    if match is None or match["unit"] not in _SIZES or match["next"] in _NO_SIZED:
        return
    end = spot.place.end + match.start("next")
    article = re.search(r"(?<!\bis )(?<!\bwas )(?<!\bof )\b(?P<a>an?) $", spot.before, re.IGNORECASE)
    if article is not None:
        word = "an" if match["next"][0] in "aeio" else "a"
        word = word.capitalize() if article["a"][0] == "A" else word
        yield RemovableClause(article.start(), end, f"{word} ", match["unit"], alone=True)
    elif spot.is_behind(_COUNTED) and not spot.is_behind(r"\b(?:as|is|was|has)"):
        yield RemovableClause(spot.start, end, noun=match["unit"], alone=True)


def _contained(spot: NumberContext) -> Iterator[RemovableClause]:
    """Yield `12 ` of `a box of 12 pencils`."""
    phrase = phrase_at(spot.text, spot.place.end)
    container = re.search(rf"{_CONTAINERS} $", spot.before)
    if phrase is None or phrase.noun in TIMES | MEASURES or container is None:
        return
    if _PRICE_EACH.match(spot.text, phrase.end):
        return
    words = container.group().removesuffix(" of ")
    owner = f"Each {singular_of(words)}" if is_plural(words) else f"The {words}"
    sure = phrase.closed and len(re.findall(rf"\b{words}\b", spot.text)) == 1
    again = f"{owner} has {{}}{spot.text[spot.place.end : phrase.end]}." if sure else ""
    yield RemovableClause(spot.start, spot.place.end + 1, noun=phrase.noun, again=again, alone=True)


def _lasting(spot: NumberContext) -> Iterator[RemovableClause]:
    """Yield ` for 5 hours` and ` 3 times a week` at the end of a clause."""
    match = re.match(r" (?P<unit>[a-z]+s)\b", spot.behind)
    if match is None:
        return
    unit = singular_noun(match["unit"])
    lead = re.search(
        r"(?<!\bonly [a-z]{4})(?<!\bonly [a-z]{5})(?<!\bis)(?<!\bare)(?<!\bwas)(?<!\bwere)(?<!\bbe)(?<=[a-z\d]) (?:for|in|over|during|within) (?:the next |another |a total of )?$",
        spot.before,
    )
    rate = _BY_TIME.match(spot.behind, match.end())
    end = spot.place.end + (rate.end() if rate is not None else match.end())
    if _NEXT_CLAUSE.match(spot.text, end) is None:
        return
    follows_word = spot.is_behind("[a-z]") and not spot.is_behind(_NO_RATE)
    if lead is not None and unit in _DURATION:
        yield RemovableClause(lead.start(), end, noun=unit)
    elif rate is not None and unit in {"time", "day", "night"} and follows_word:
        yield RemovableClause(spot.start - 1, end, noun=unit)


def _attached(spot: NumberContext) -> Iterator[RemovableClause]:
    """Yield ` with 12 sticks in each box`, `, each weighing 5 pounds,` and ` that cost $2 each` after a noun."""
    phrase = None if spot.is_money else phrase_at(spot.text, spot.place.end)
    lead = _ATTACHING.search(spot.before)
    if lead is None or (phrase is None and not spot.is_money):
        return
    if spot.is_money and lead["kind"] in {"with", "having", "holding"}:
        return
    head = spot.before[: lead.start()]
    last = re.search(r"([a-z\d]+)$", head)
    if last is None or last[1] in FUNCTION_WORDS or _DEFINITE_HEAD.search(head):
        return
    if lead["kind"] in {"with", "having"} and (last[1].endswith("ed") or not _THING.search(head)):
        return
    if re.search(
        rf"\b{re.escape(last[1])} (?:with|that|which|containing|holding|at|for) ", re.split(r"[.?!] ", head)[-1]
    ):
        return
    end = spot.place.end if phrase is None else phrase.end
    each = (_PRICE_EACH if phrase is None else _IN_EACH).match(spot.text, end)
    end = end if each is None else each.end()
    size = re.compile(r" (?:tall|long|wide|deep|high|old|thick)\b").match(spot.text, end)
    end = size.end() if lead["who"] and size is not None else end
    noun, again = ("dollar" if phrase is None else phrase.noun), ""
    if each is not None and phrase is None:
        again = _price_of(head, each.group())
    elif each is not None and phrase is not None and size is None and phrase.noun not in {"cent", "dollar"}:
        verb = "weighs" if "weigh" in lead.group() else "has"
        again = _each_has(head, verb, spot.text[spot.place.end : phrase.end])
    if lead["comma"] and spot.text[end : end + 1] == ",":
        yield RemovableClause(lead.start(), end + 1, noun=noun, again=again)
    elif _ENDS.match(spot.text, end) or (not lead["comma"] and _GOES_ON.match(spot.text, end)):
        yield RemovableClause(lead.start(), end, noun=noun, again=again)


_LEADING = re.compile(
    r"If (?P<said>[^,;]+), (?:then )?(?P<asked>(?:how|what|which|calculate|find|determine)\b)", re.IGNORECASE
)
_TRAILING = re.compile(r",? (?:if|given that|assuming) (?P<said>[^,;?]+)(?=\?)")


def condition_of(sentence: Sentence) -> QuestionCondition | None:
    """Return the condition of what a sentence asks, `None` if it has none or several."""
    start = sentence.start
    leading, trailing = _LEADING.match(sentence.text), _TRAILING.search(sentence.text)
    if leading is not None and trailing is None:
        asked, end = sentence.text[leading.start("asked") :], start + leading.start("asked")
        first, last = start + leading.start("said"), start + leading.end("said")
        return QuestionCondition(start, end, first, last, asked[0].upper() + asked[1:], leads=True)
    if leading is None and trailing is not None and not re.search(r"\b(?:if|and)\b", trailing["said"]):
        first, last = start + trailing.start("said"), start + trailing.end("said")
        asked = f"{sentence.text[: trailing.start()]}?"
        return QuestionCondition(start + trailing.start(), start + trailing.end(), first, last, asked, leads=False)
    return None


_KIND = re.compile(r"(?:Each|The price per|The) (?P<kind>[a-z-]+) ")


def is_only_kind(question: LocatedQuestion, place: NumberPlace, before: str) -> bool:
    """Tell whether the things of which a statement says how much each has, or what each costs, are spoken of with no second number like it.

    Of `4 boxes with 10 pens and 5 boxes with 8 pens`, `each box has 10 pens` is not true.
    """
    match, text = _KIND.match(before), question.text
    if match is None:
        return False
    counted = 0
    for mention in question.mentions:
        phrase = phrase_at(text, mention.end)
        counted += phrase is not None and phrase.noun == match["kind"]
        clause = re.split(r"[.;?!,]", text[: mention.start])[-1]
        money = bool(dollar_sign(text, mention.start)) is bool(dollar_sign(text, place.start))
        if (
            mention.start != place.start
            and money
            and re.search(rf"\b{match['kind']}\w* (?:at|for|with) (?:\$ ?)?$", clause)
        ):
            return False
    return counted <= 1
