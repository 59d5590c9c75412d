"""Statements that compare two quantities, `Ben has more cards than Ann`, and the statements that determine the comparison.

Each is one of a few shapes of sentences. Whoever or whatever has an amount is its *holder*; amounts are compared on a *scale*, the cards that
somebody has. A sentence of another shape is not read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from harness.text.lexicon import english
from harness.text.nouns import FUNCTION_WORDS, is_plural
from harness.text.numbers import mentions
from harness.text.sentences import FINITE, sentences_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.domain import Exact
    from harness.text.sentences import Sentence

ORDER = "order"
"""The name of the constraint of an order statement: `order:cards_of_ben`."""

_LISTS = english("order_statements")
_GREATER, _LESSER = _LISTS.words("greater"), _LISTS.words("lesser")
_MEASURES: dict[str, str] = _LISTS.mapping("measures")
_ADJECTIVES: dict[str, str] = _LISTS.mapping("adjectives")
_WORDS: dict[str, str] = _LISTS.mapping("lists")
_BARE, _LASTING, _HEDGES, _NO_NAMES = (
    frozenset(_WORDS[name].split()) for name in ("bare_verbs", "lasting_verbs", "hedges", "no_names")
)
_MONEY = "money"
LONGEST_TOLD = 1_000
"""Characters of the sentences that tell two amounts."""
_LONGEST_REST = 30
"""Characters after a number in which more of it could stand, and before a clause."""
_MEASURING = frozenset({"is", "was"})
_BEING = frozenset({"is", "was", "are", "were"})
_COMPARING = frozenset({"times", "more", "fewer", "less"})

_HOLDER = r"(?:[A-Z][a-z]{1,20}|[Tt]he (?:[a-z]{2,20} ){0,2}?[a-z]{2,20})"
_VERB = r"[a-z]{2,15}"
_NOUNS = r"[a-z]{2,20}(?: [a-z]{2,20}){0,3}?"
_NUMBER = r"\$?(?:\d{1,3}(?:,\d{3}){1,4}|\d{1,12})(?:\.\d{1,6})?(?:/\d{1,6})?|[a-z]{2,12}(?:-[a-z]{2,12})?"
_COMPARED = "|".join(sorted(_GREATER | _LESSER))
_ADJECTIVE = "|".join(_ADJECTIVES)
_ENDS = r"(?=(?: (?:do|does|did|has|had|is|was))?(?:[.;]|, (?:and|but|while|who|which)\b))"
_AMOUNT_ENDS = r"(?=[.;]|,? (?:and|but|while)\b|, [A-Z])"

_ORDER = re.compile(
    rf"(?P<first>{_HOLDER}) (?P<verb>{_VERB}) (?:(?P<side>more|fewer|less)(?: (?P<nouns>{_NOUNS}))?|(?P<compared>{_COMPARED})) than (?P<second>{_HOLDER})\."
)
_TIMES = re.compile(
    rf"(?P<holder>{_HOLDER}) (?P<verb>{_VERB}) (?P<number>{_NUMBER})(?: times)? as (?:(?:many|much) (?P<nouns>{_NOUNS})|(?P<adjective>{_ADJECTIVE})) as (?P<other>{_HOLDER}){_ENDS}"
)
_MORE = re.compile(
    rf"(?P<holder>{_HOLDER}) (?P<verb>{_VERB}) (?P<number>{_NUMBER}) (?:(?P<side>more|fewer|less)(?: (?P<nouns>{_NOUNS}))?|[a-z]{{3,12}} (?P<compared>{_COMPARED})) than (?P<other>{_HOLDER}){_ENDS}"
)
_AMOUNT = re.compile(
    rf"(?P<holder>{_HOLDER}) (?P<verb>{_VERB}) (?P<number>{_NUMBER})(?: (?P<unit>[a-z]{{3,12}}) (?P<adjective>{_ADJECTIVE})| (?P<nouns>{_NOUNS}))?{_AMOUNT_ENDS}"
)
_BEGUN = re.compile(r"(?:; | (?:while|but) )$")
_JOINED = re.compile(r"(?:,| and|, and) $")


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of a comparison: a verb and things (`has`, `cards`), or a measure (`is`, `old`)."""

    verb: str
    things: str

    def comparative(self, *, greater: bool) -> str:
        """Return the words between the two holders of an order statement, `has more cards than`."""
        if self.things in _ADJECTIVES:
            words = _GREATER if greater else _LESSER
            return f"{self.verb} {next(word for word in _MEASURES if word in words and self.things in _MEASURES[word].split())} than"
        plural = any(is_plural(word) for word in self.things.split()[:1] + self.things.split()[-1:])
        side = "more" if greater else "fewer" if plural else "less"
        return f"{self.verb} {side} than" if self.verb in _BARE else f"{self.verb} {side} {self.things} than"


@dataclass(frozen=True, slots=True)
class OrderStatement:
    """A sentence that says which of two holders has more on a scale; `first` and `second` as it names them."""

    first: str
    second: str
    scales: tuple[Scale, ...]
    first_is_greater: bool


@dataclass(frozen=True, slots=True)
class Amount:
    """A statement of an amount: its holder, its scale, and the place of its number; `start` and `end` span the whole statement."""

    holder: str
    scale: Scale
    number: tuple[int, int]
    readings: tuple[Exact, ...]
    start: int
    end: int
    other: str | None = None
    """The holder whose amount this one is compared with; `None` if the number alone gives it."""
    times: bool = False
    """The number says how many times as much it is; else how much more, or less where `less` is set."""
    less: bool = False


def order_of(sentence: str) -> OrderStatement | None:
    """Return the order of two amounts in a sentence, `None` if it is no order statement."""
    match = _ORDER.fullmatch(sentence)
    if match is None or not (_is_holder(match["first"]) and _is_holder(match["second"])):
        return None
    verb, compared = match["verb"], match["compared"]
    if compared is not None:
        if verb not in _MEASURING:
            return None
        scales = tuple(Scale(verb, measure) for measure in _MEASURES[compared].split())
        greater = compared in _GREATER
    else:
        things = match["nouns"] or ""
        if verb not in FINITE - _BEING or (verb in _BARE) is bool(things) or not (verb in _BARE or _are_things(things)):
            return None
        scales, greater = (Scale(verb, things),), match["side"] == "more"
    return OrderStatement(_named(match["first"]), _named(match["second"]), scales, greater)


@lru_cache(maxsize=256)
def amounts_of(text: str) -> tuple[Amount, ...]:
    """Return the amounts that sentences of a text say in one of the shapes that are read, in order."""
    return tuple(amount for sentence in sentences_of(text) if not _is_hedged(sentence) for amount in _amounts(sentence))


def order_told(text: str, place: int, scales: Sequence[Scale], holders: frozenset[str]) -> tuple[Amount, ...]:
    """Return what the sentences that end right before a place say of the amounts of two holders; nothing where it may not be so there.

    It is one comparison of the two, or an amount of each in the last sentence or the last two. No other number stands from there to the place,
    and no other sentence says another amount of one of them: an amount may have changed.
    """
    before = [sentence for sentence in sentences_of(text) if sentence.end <= place][-2:]
    known = amounts_of(text)
    for region in (before[-1:], before):
        if not region or place - region[0].start > LONGEST_TOLD:
            return ()
        if any(sentence.asks or _is_hedged(sentence) for sentence in region):
            return ()
        inside = [amount for amount in known if region[0].start <= amount.start and amount.end <= region[-1].end]
        told = _told(inside, scales, holders)
        if told and _is_settled(text, told, region[-1].end, known):
            return told
    return ()


def _told(amounts: Sequence[Amount], scales: Sequence[Scale], holders: frozenset[str]) -> tuple[Amount, ...]:
    own = [amount for amount in amounts if _is_on(amount.scale, scales) and amount.holder in holders]
    compared = [amount for amount in own if amount.other is not None]
    if compared:
        return (compared[0],) if len(own) == 1 and {own[0].holder, own[0].other} == holders else ()
    if len(own) != len(holders) or {amount.holder for amount in own} != holders:
        return ()
    return tuple(own) if len({amount.scale for amount in own}) == 1 else ()


def _is_on(scale: Scale, scales: Sequence[Scale]) -> bool:
    return any(scale == other or (scale.verb == other.verb and scale.verb in _BARE) for other in scales)


def _is_settled(text: str, told: Sequence[Amount], end: int, known: Sequence[Amount]) -> bool:
    """Tell whether no other amount is stated after the first of some amounts, or anywhere about their holders."""
    spans = [amount.number for amount in known if amount.scale == told[0].scale]
    loose = [
        mention
        for mention in mentions(text)
        if told[0].start <= mention.start < end
        and not any(start < mention.end and mention.start < stop for start, stop in spans)
    ]
    if told[0].other is None:
        holders = {amount.holder for amount in told}
        again = [amount for amount in known if amount.holder in holders and amount.scale == told[0].scale]
        if len(again) != len(told):
            return False
    return not loose and (told[0].scale.verb in _LASTING or _is_done_once(text, told[0].scale, known))


def _is_done_once(text: str, scale: Scale, known: Sequence[Amount]) -> bool:
    """Tell whether a text has the verb of a scale in amounts on that scale only, each of them of one holder, and in order statements."""
    amounts = [amount for amount in known if amount.scale == scale]
    spans = [(amount.start, amount.end) for amount in amounts]
    spans += [(sentence.start, sentence.end) for sentence in sentences_of(text) if order_of(sentence.text) is not None]
    holders = [amount.holder for amount in amounts]
    return len(set(holders)) == len(holders) and all(
        any(start <= match.start() < end for start, end in spans)
        for match in re.finditer(rf"\b{re.escape(scale.verb)}\b", text)
    )


def _amounts(sentence: Sentence) -> Iterator[Amount]:
    """Yield the amounts of a sentence; each begins the sentence or a clause, after another amount where `and` may join holders."""
    last = -1
    place = 0
    while place < len(sentence.text):
        found = next(
            (
                (match, amount)
                for pattern in (_TIMES, _MORE, _AMOUNT)
                if (match := pattern.match(sentence.text, place)) is not None
                and (amount := _amount(match, sentence.start)) is not None
            ),
            None,
        )
        if found is not None and _begins(sentence.text, place, last):
            match, amount = found
            yield amount
            last = place = match.end()
        else:
            space = sentence.text.find(" ", place)
            place = len(sentence.text) if space < 0 else space + 1


def _begins(text: str, place: int, last: int) -> bool:
    """Tell whether a clause begins at a place; after `and` it does where an amount ends before it."""
    if place == 0 or _BEGUN.search(text[max(0, place - _LONGEST_REST) : place]) is not None:
        return True
    return last >= 0 and _JOINED.fullmatch(text, last, place) is not None


def _amount(match: re.Match[str], shift: int) -> Amount | None:
    """Return what a match says, `None` where its words are none of a holder, a verb and a number."""
    parts = match.groupdict()
    verb, measured = match["verb"], parts.get("adjective") or parts.get("compared")
    if not _is_holder(match["holder"]):
        return None
    span = match.start("number"), match.end("number")
    text = match.string
    money = text[span[0]] == "$"
    written = text[span[0] + money : span[1]]
    # `three` of `three hundred pens` is no number of pens.
    around = text[span[0] + money : span[1] + _LONGEST_REST]
    number = next((mention for mention in mentions(around)[:1] if mention.start == 0), None)
    if number is None or number.text != written:
        return None
    if measured is not None:
        if verb not in _MEASURING:
            return None
        measures = _MEASURES.get(measured, measured).split()
        if len(measures) != 1:
            return None
        things = measures[0]
    else:
        things = parts["nouns"] or (_MONEY if money else "")
        if (
            verb not in FINITE
            or not things
            or (money and parts["nouns"])
            or (things.split()[0] in {"times", "more", "fewer", "less"})
        ):
            return None
        if verb in {"is", "was", "are", "were"}:
            return None
    other = parts.get("other")
    if other is not None and not _is_holder(other):
        return None
    return Amount(
        _named(match["holder"]),
        Scale(verb, things),
        (span[0] + money + shift, span[1] + shift),
        number.readings,
        match.start() + shift,
        match.end() + shift,
        None if other is None else _named(other),
        times=match.re is _TIMES,
        less=parts.get("side") in {"fewer", "less"} or parts.get("compared") in _LESSER,
    )


def _is_hedged(sentence: Sentence) -> bool:
    return not _HEDGES.isdisjoint(re.findall(r"[a-z]+", sentence.text.lower()))


def _is_holder(words: str) -> bool:
    """Tell whether words are a name, or `the` and a noun."""
    first, _, rest = words.partition(" ")
    return bool(rest) or first.lower() not in _NO_NAMES


def _are_things(words: str) -> bool:
    """Tell whether words are a noun, those before it, and `of` and another one."""
    parts = words.split()
    return bool(parts) and parts[0] != "of" and (FUNCTION_WORDS - {"of"} | _COMPARING).isdisjoint(parts)


def _named(holder: str) -> str:
    """Return a holder as it is named inside a sentence."""
    return f"the {holder[4:]}" if holder.startswith("The ") else holder
