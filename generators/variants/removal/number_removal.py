"""The removal of one number of a question after a verb: nothing, a vague quantity, or a limit, in its place."""

import enum
from dataclasses import replace
from random import Random

from generators.flaws.solution.quantity_units import Quantity
from generators.variants.input_places import NumberPlace, asks
from generators.variants.insertion.stated_facts import LIMIT_PREFIX, limit_bound, limit_words
from generators.variants.question_edit import QuestionChange, QuestionEdit, StatedNumber
from generators.variants.values.nearby_values import mentioned_values, neighbors_of
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Fact, FactSource
from harness.text.lexicon import english
from harness.text.nouns import ends_phrase, phrase_at
from harness.text.numbers import LimitSide, mentions
from harness.text.sentences import FINITE
from harness.text.words import hyphenated_words, plain_words

_LISTS = english("variants")
SEVERAL = range(3, 41)
_BEFORE_NUMBERS = _LISTS.pattern("before_numbers", r"\b", r" (\$ ?)?$")
_PRICED = _LISTS.pattern("priced", r"\b", r" (\$ ?)?$")
_DETERMINED = _LISTS.pattern("determined", r"\b", r"\s$")
_HAVING, _EACH = _LISTS.words("having"), _LISTS.words("each")
_BINDING = _EACH | _LISTS.words("binding")
"""What follows things of which one cannot tell without their number: `4 boxes each`, `4 feet tall`."""
_ASKED_BOUND = _LISTS.words("asked_bound")
_COMPARED = _LISTS.pattern("comparative", r"(?: [a-z]+s| feet)? (?P<word>", r")\b(?: [a-z-]+){0,3}? than ")


class LossForm(enum.StrEnum):
    """What stands in the place of a number that is gone."""

    UNSAID = "nothing"
    VAGUE = "a vague quantity"
    LIMITED = "a limit"


def loss_form(removal: QuestionChange) -> LossForm:
    """Return what stands in the place of the number that a change takes out."""
    given = LossForm.VAGUE if removal.edits[0].after else LossForm.UNSAID
    return LossForm.LIMITED if removal.bounds else given


def unsaid_number(subject: VariantSubject, place: NumberPlace) -> QuestionChange | None:
    """Return the removal of a number without a trace, `4 ` of `packs 4 boxes` or `5 ` of `5 more pens than`.

    There is none where what is left may not be a sentence, or says nothing, as in `each book has pages`.
    """
    text, sentence = subject.question.text, subject.question.sentence_at(place.start)
    if sentence is None or place.value.denominator != 1 or place.value < 2 or not _follows_verb(text, place):
        return None
    compared = _COMPARED.match(text, place.end)
    if compared is not None:
        return _removal(text, place, "", compared.start("word"))
    phrase = phrase_at(text, place.end)
    if phrase is None or not _counts_things(subject, place):
        return None
    before = text[sentence.start : place.start].lower().split()
    says_nothing = before[-1] in _HAVING and not _EACH.isdisjoint(before[-5:-1])
    if says_nothing or {_word_after(text, place.end), _word_after(text, phrase.end)} & _BINDING:
        return None
    phrases = [phrase_at(sentence.text, mention.end) for mention in mentions(sentence.text)]
    if sum(other is not None and other.noun == phrase.noun for other in phrases) > 1:
        return None
    return _removal(text, place, "", place.end + 1)


def vague_numbers(subject: VariantSubject, place: NumberPlace) -> list[QuestionChange]:
    """Return vague quantities in the place of a number: `some boxes`, `several hours`, `a certain amount of money`."""
    text, phrase = subject.question.text, phrase_at(subject.question.text, place.end)
    if _is_money(text, place):
        rate = _word_after(text, place.end) in _EACH
        words = ["a certain price"] if _PRICED.search(text, 0, place.start) else []
        if not words and _follows_verb(text, place):
            words = ["a certain amount of money"] if rate else ["a certain amount of money", "some money"]
        return [_removal(text, place, vague, place.end) for vague in words if phrase_end(text, place) is not None]
    whole = place.value.denominator == 1 and place.value > 1 and not place.form.after.strip()
    if phrase is None or not whole or not _follows_verb(text, place):
        return []
    if {_word_after(text, place.end), _word_after(text, phrase.end)} & (_BINDING - _EACH):
        return []
    words = ["a certain number of"]
    words += ["some"] if _counts_things(subject, place) else []
    words += ["several"] if place.value in SEVERAL else []
    return [_removal(text, place, vague, place.end) for vague in words]


def phrase_end(text: str, place: NumberPlace) -> int | None:
    """Return where what a number counts certainly ends, be it an amount of money; `None` where one cannot tell."""
    if _is_money(text, place):
        return place.end if _word_after(text, place.end) in _EACH or ends_phrase(text, place.end) else None
    phrase = phrase_at(text, place.end)
    return phrase.end if phrase is not None and phrase.closed else None


def _follows_verb(text: str, place: NumberPlace) -> bool:
    """Tell whether a verb, or a word that goes with a plural alone, stands right before a number."""
    before = text[: place.start].rstrip("$ ")
    last = plain_words(before)[-1:] if before[-1:].isalpha() and text[len(before)] == " " else []
    return not FINITE.isdisjoint(last) or _BEFORE_NUMBERS.search(text, 0, place.start) is not None


def _word_after(text: str, end: int) -> str:
    return (text[end : end + 30].split(maxsplit=1) or [""])[0].rstrip(".,;?!")


def _is_money(text: str, place: NumberPlace) -> bool:
    return text[: place.start].rstrip().endswith("$")


def _counts_things(subject: VariantSubject, place: NumberPlace) -> bool:
    quantity = subject.units[place.variables[0]].quantity
    plain = not place.form.after.strip() and not _is_money(subject.question.text, place)
    return plain and quantity in {Quantity.COUNT, Quantity.NUMBER}


def limited_numbers(subject: VariantSubject, place: NumberPlace, random: Random) -> list[QuestionChange]:
    """Return limits that a number keeps in its place: `at least 3 boxes` for `4 boxes`, `at most $9 each`.

    There are none where a bound is asked for, which a limit may give: `how many pens can she buy`.
    """
    text, name, phrase = subject.question.text, place.variables[0], phrase_at(subject.question.text, place.end)
    money, limit, removals = _is_money(text, place), f"{LIMIT_PREFIX}{name}", list[QuestionChange]()
    own = place.is_own and limit not in subject.values
    priced = money and _PRICED.search(text, 0, place.start) is not None
    determined = _DETERMINED.search(text, 0, place.start) is not None
    asked = " ".join(sentence.text for sentence in subject.question.sentences if asks(sentence))
    counts = (priced or _follows_verb(text, place)) and (money or phrase is not None)
    if not own or determined or not counts or not _ASKED_BOUND.isdisjoint(hyphenated_words(asked)):
        return []
    near = neighbors_of(place.value, place.form, subject.units[name], mentioned_values(subject))
    for side in LimitSide:
        values = [value for value in near if value != 1 and (value < place.value) is (side is LimitSide.LEAST)]
        value = random.choice(values) if values else place.value
        written = f"{'$' * (money and not place.form.before)}{place.form.write(value)}"
        words = limit_words(subject, name, text[place.end :], side, random)
        removal = _removal(text, place, f"{words} {written}", place.end)
        fact = Fact(f"limit:{name}", limit, value, FactSource.TEXT, "")
        edit = removal.edits[0]
        stated = StatedNumber(fact, edit, len(words) + 1, len(edit.after))
        limited = replace(removal, stated=(stated,), bounds=(limit_bound(name, side),))
        repeated = text[: edit.start].split()[-1:] == words.split()[:1]
        removals += [limited] if values and not repeated else []
    return removals


def removals_of(subject: VariantSubject, place: NumberPlace, random: Random) -> list[QuestionChange]:
    """Return the removals of a number: without a trace, or else for vague words, and for a limit."""
    removal, vague = unsaid_number(subject, place), vague_numbers(subject, place)
    others = random.sample(vague, min(1, len(vague))) if removal is None else [removal]
    return [*others, *limited_numbers(subject, place, random)]


def _removal(text: str, place: NumberPlace, words: str, end: int) -> QuestionChange:
    start = amount_start(text, place)
    edit = QuestionEdit(start, end, text[start:end], words)
    return QuestionChange((edit,), gone=frozenset(place.variables))


def amount_start(text: str, place: NumberPlace) -> int:
    """Return where a number begins, with the dollar sign before it."""
    return len(text[: place.start].rstrip("$ ")) + 1
