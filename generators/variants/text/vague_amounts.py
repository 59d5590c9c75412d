"""Vague wordings for a share of something or an amount of money in a question."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.variants.question.vague_context import NumberContext, VaguePhrase
from harness.domain import Exact
from harness.text.lexicon import word_lists
from harness.text.nouns import ends_phrase

_LISTS = word_lists(__file__)

_PART_OF = re.compile(rf" of (?P<word>{_LISTS.either('part_of')})(?!\w)")
_OF_THINGS = re.compile(
    r" of (?:them|(?:the|his|her|their|its|these|those|my)(?: remaining| other)? [a-z][a-z-]*s)(?![\w'’-])"
)
_HALF_THE = re.compile(f" (?:the|his|her|their|its|my) (?!{_LISTS.either('half_the')})")
_MEASURED = re.compile(
    rf" of (?:all\b|(?:the|his|her|their|its|that|my|\w+['’]s)(?: [a-z]+| \w+['’]s){{0,2}} (?:{_LISTS.either('measured')})\b)"
)
_DEDUCTED = _LISTS.either("deducted")
_WITH_NOUN = re.compile(rf" (?P<noun>{_DEDUCTED})(?![\w-])")
_MORE_THAN = re.compile(r" (?:more|less|fewer|cheaper|higher|lower|larger|smaller)\b(?: [a-z]+){0,3}? than ")
_AS_MANY = re.compile(r" as (?P<adjective>many|much)(?P<noun>(?: [a-z][\w-]*){0,4}?) as (?=[\w$])")
ANOTHER_CLAUSE = re.compile(rf"\b(?:{_LISTS.either('another_clause')})\b")
_ARTICLE = re.compile(r"\b(?P<article>an?) $", re.IGNORECASE)


def vague_shares(spot: NumberContext) -> Iterator[VaguePhrase]:
    """Yield ways of saying a share vaguely, `some of` for `25% of`, `less than` for `20% less than`."""
    if spot.begins and not spot.written[:1].isalpha():
        return
    if spot.is_percent and spot.place.value > (100 if spot.place.form.scale == 1 else 1):
        return
    percent = re.match(r" ?%| percent\b", spot.behind)
    end = spot.place.end + (percent.end() if percent is not None else 0)
    behind = spot.text[end:]
    if spot.written.lower() in {"double", "triple"} or re.match(r"[-–/]", behind):
        return
    if (
        _ARTICLE.search(spot.before)
        or spot.firm
        or spot.is_behind(r"\b(?:the|other|first|second|last|remaining|by|about|with)")
    ):
        return
    part, as_many = _PART_OF.match(behind), _AS_MANY.match(behind)
    if part is not None:
        certain = "a certain percentage of" if spot.is_percent else "a certain fraction of"
        if _MEASURED.match(behind):
            words: tuple[str, ...] = (certain,)
        elif part["word"] in {"what", "that", "it", "which"}:
            words = ("some of", certain)
        else:
            words = ("some of", "some of", certain, "a portion of")
        whose = _OF_THINGS.match(behind)
        closed = whose is not None and ends_phrase(behind, whose.end())
        told = "%" in spot.written or not spot.is_percent
        place = end + whose.end() if whose is not None and closed and told else None
        yield spot.say(*words, end=end + len(" of"), behind=place)
    elif spot.written.lower() == "half" and _HALF_THE.match(behind):
        yield spot.say("some of", end=end)
    elif as_many is not None and not ANOTHER_CLAUSE.search(as_many["noun"]) and spot.place.value < 1:
        word = "fewer" if as_many["adjective"] == "many" else "less"
        yield spot.say(f"{word}{as_many['noun']} than ", end=end + as_many.end())


def unsaid_amounts(spot: NumberContext) -> Iterator[VaguePhrase]:
    """Yield a share or an amount of dollars with the words that take its place, none or an article: `a 20% discount`, `20% less than`."""
    percent = re.match(r" ?%| percent\b", spot.behind)
    end = spot.place.end + (percent.end() if percent is not None else 0)
    article, noun = _ARTICLE.search(spot.before), _WITH_NOUN.match(spot.text, end)
    if article is not None and noun is not None and (spot.is_money or spot.is_percent):
        words = f"{'an' if noun['noun'][0] in 'aeio' else 'a'} "
        yield spot.say(words, start=article.start("article"), end=end + 1, behind=noun.end())
    compared = _MORE_THAN.match(spot.text, end)
    plain = not (spot.begins or spot.firm or spot.definite) and article is None
    if compared is not None and plain and (spot.is_money or spot.is_percent):
        yield spot.say("", end=end + 1)


_AMOUNTS = rf"\b(?:{_LISTS.either('amounts')})"
_RATE = re.compile(
    r" (?:each|apiece|per [a-z]+|an? [a-z]+|every [a-z]+|for each|for every|for one|daily|weekly|monthly)\b"
)
_PAID_BY_TIME = re.compile(
    r" (?:(?:per|an?|every) (?:hour|day|week|month|year|shift|night|lesson)|daily|weekly|monthly)\b"
)
_NO_PRICE = re.compile(r"\b(?:tax|paid|pay|charg|earn|work|interest)\w*(?: \w+){0,2} $")
_PRICES = rf"\b(?:{_LISTS.either('prices')})"
_NO_AMOUNT = re.compile(rf" (?:{_LISTS.either('no_amount')})\b")
_CLAUSE_ENDS = re.compile(r"[.,;?]| (?:and|while|but)\b")
_COST_ENDS = re.compile(r"[.,;?]| (?:and|while|but|to|for|in|on|if)\b")


def vague_money(spot: NumberContext) -> Iterator[VaguePhrase]:
    """Yield ways of saying an amount of dollars vaguely, `some money`, `a certain price`."""
    if spot.joined or spot.is_behind(r"\d,? (?:and|or|to)"):
        return
    total = re.search(r"\ba total of $", spot.before)
    before_total = spot.before[: total.start()] if total is not None else ""
    if total is None and spot.is_behind(
        r"\b(?:than|of|about|around|only|least|most|over|up to|between|another|extra|exactly|just|additional)"
    ):
        return
    end, value = spot.place.end, spot.place.value
    more = re.match(r" (more|less|cheaper) than ", spot.behind)
    if _ARTICLE.search(spot.before):
        return
    if more is not None:
        if not spot.definite and not spot.begins:
            yield spot.say(*_dollars(value, " "), "somewhat ", end=end + 1, noun="dollar")
    elif _RATE.match(spot.behind):
        time = _PAID_BY_TIME.match(spot.behind) is not None
        if spot.is_behind(r"\b(?:for|at)"):
            amount = time or _NO_PRICE.search(spot.before) is not None
            kind = "amount" if amount else "price"
            yield spot.say(f"a certain {kind}", f"a fixed {kind}", behind=end, noun="dollar")
        elif spot.is_behind(_PRICES):
            yield spot.say("a certain amount", "a fixed amount", "a set amount", behind=end, noun="dollar")
    elif _NO_AMOUNT.match(spot.behind) or spot.definite:
        return
    elif total is not None:
        if re.search(rf"{_AMOUNTS} $", before_total):
            yield spot.say("a certain amount of money", "some money", start=total.start(), behind=end, noun="dollar")
    elif spot.is_behind(_AMOUNTS):
        words = ("some money", "some money", "a certain amount of money", *_dollars(value))
        yield spot.say(*words, behind=end, noun="dollar")
    elif spot.is_behind(rf"(?:{_PRICES}|\bcosts? (?:him|her|them))") and _COST_ENDS.match(spot.behind):
        yield spot.say("a certain amount", "a certain amount of money", *_dollars(value), behind=end, noun="dollar")
    elif spot.is_behind(r"\bfor") and _CLAUSE_ENDS.match(spot.behind):
        yield spot.say("a certain price", "a certain amount", *_dollars(value), behind=end, noun="dollar")


def _dollars(value: Exact, more: str = "") -> tuple[str, ...]:
    if 3 <= value <= 20 and value.denominator == 1:
        return (f"a few dollars{more}", f"several dollars{more}") if value <= 12 else (f"several dollars{more}",)
    for name, size in (("hundred", 100), ("thousand", 1000)):
        if 3 <= value / size <= 9 and value % size == 0:
            return (f"several {name} dollars{more}",)
    return ()
