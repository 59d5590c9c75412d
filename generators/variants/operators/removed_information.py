"""Underspecified variants that lose a number, for nothing, a vague quantity or a limit in its place, or a whole sentence with a needed value."""

from collections.abc import Iterable
from random import Random

from generators.variants.input_places import LocatedQuestion, NumberPlace, states_number
from generators.variants.insertion.placement import COMPARED_BACK
from generators.variants.near_twins import NearTwins
from generators.variants.question_edit import QuestionChange, QuestionEdit
from generators.variants.removal.number_removal import limited_numbers, unsaid_number, vague_numbers
from generators.variants.removal.underspecification import leaves_answer
from generators.variants.values.redundant_numbers import recovery_reason
from generators.variants.variant_operator import (
    DiscardedVariant,
    VariantDiscard,
    VariantExample,
    VariantResult,
    first_variants,
    variant_operator,
)
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from harness.text.lexicon import english
from harness.text.names import capital_words
from harness.text.nouns import FUNCTION_WORDS, is_plural, singular_noun
from harness.text.sentences import Sentence, sentences_of
from harness.text.units import CALENDAR_NAMES
from harness.text.words import hyphenated_words

MOST = 2
LIMITED = 0.6
"""How often a number becomes a limit where it could be a vague word: limits stand in contradictory variants, too."""
_LISTS = english("variants")
_REFERRING = _LISTS.pattern("referring", r"\b", r"\b")
_KNOWN_THING = _LISTS.pattern("known_thing", r"\b", r" ([a-z]+)(?: ([a-z]+))?")
_PERSON = _LISTS.pattern("person", r"\b", r"\b")
_HOW_MANY = _LISTS.pattern("how_many", r"\b", r" (?P<things>(?:[a-z-]+ ?){1,4})")
_NO_NAMES = CALENDAR_NAMES | FUNCTION_WORDS | _LISTS.words("opening")


@variant_operator(
    "removed_number",
    VariantExample(
        "# L1\nboxes = 4  # 4 boxes\nper_box = 6  # 6 mugs in each box\nmugs = boxes * per_box\n"
        "# L2\nbroken = 5  # 5 mugs broke\nleft = mugs - broken",
        "Petra packs 4 boxes. Each box holds 6 mugs of tea. On the way, 5 mugs break. How many mugs are whole?",
        (
            "Petra packs 4 boxes (exactly 4). Each box holds mugs of tea, and on the way, 5 mugs break. How many mugs are whole?",
            "Petra packs boxes (exactly 4). Each box holds 6 mugs of tea, and on the way, 5 mugs break. How many mugs are whole?",
        ),
    ),
    problem_class=ProblemClass.UNDERSPECIFIED,
)
def removed_number(subject: VariantSubject, random: Random) -> Iterable[VariantResult]:
    """Remove a number, `Petra packs boxes`; the near-twin says one after all that goes so, the variant says another one twice."""
    places = [place for place in subject.question.places if place.value != 1]
    random.shuffle(places)
    removals = ((place, unsaid_number(subject, place)) for place in places)
    twins = NearTwins(subject, "removed_number", random)
    attempts = (twins.single_loss(place, [removal] if removal else []) for place, removal in removals)
    yield from first_variants(attempts, MOST)


@variant_operator(
    "vague_quantity",
    VariantExample(
        "# L1\njugs = 4  # 4 jugs\nprice = 6  # $6 each\nearned = jugs * price\n"
        "# L2\nspent = 5  # $5 spent on tea\nleft = earned - spent",
        "Petra sells 4 jugs at $6 each. She spends $5 on tea. How much money is left?",
        (
            "Petra sells 4 jugs (exactly 4) at $6 (exactly $6) each. She spends some money on tea. How much money is left?",
            "Petra sells 4 jugs (exactly 4) at $6 each. She spends some money (exactly $5) on tea. How much money is left?",
        ),
    ),
    problem_class=ProblemClass.UNDERSPECIFIED,
)
def vague_quantity(subject: VariantSubject, random: Random) -> Iterable[VariantResult]:
    """Replace a needed value by vague words where its number cannot be removed by itself; the near-twin says one after all that goes so, the variant says another one twice."""
    places, twins = list(subject.question.places), NearTwins(subject, "vague_quantity", random)
    random.shuffle(places)
    yield from first_variants((twins.single_loss(place, _vague(subject, place, random)) for place in places), MOST)


def _vague(subject: VariantSubject, place: NumberPlace, random: Random) -> list[QuestionChange]:
    limited = limited_numbers(subject, place, random)
    vague = vague_numbers(subject, place) if unsaid_number(subject, place) is None else []
    return limited if not vague or (limited and random.random() < LIMITED) else vague


@variant_operator(
    "removed_sentence",
    VariantExample(
        "# L1\nboxes = 4  # 4 boxes of mugs\nper_box = 6  # each box holds 6 mugs\nmugs = boxes * per_box\n"
        "# L2\nbroken = 5  # 5 mugs broke\nleft = mugs - broken",
        "Petra carries 4 boxes of mugs home. Each box holds 6 mugs. On the way, 5 mugs break. How many mugs are whole?",
        (
            "Each box holds 6 mugs (exactly 6). On the way, 5 mugs break. How many mugs are whole?",
            "Petra carries 4 boxes of mugs home. On the way, 5 mugs break. How many mugs are whole?",
        ),
    ),
    problem_class=ProblemClass.UNDERSPECIFIED,
)
def removed_sentence(subject: VariantSubject, random: Random) -> Iterable[VariantResult]:
    """Remove a sentence that carries a needed value."""
    question = subject.question
    sentences = [part for part in question.sentences if not part.asks and places_in(question, part)]
    random.shuffle(sentences)
    twins = NearTwins(subject, "removed_sentence", random)
    yield from first_variants((_results(twins, sentence) for sentence in sentences), 1)


def _results(twins: NearTwins, sentence: Sentence) -> list[VariantResult]:
    subject = twins.subject

    def discarded(why: VariantDiscard, detail: str) -> list[VariantResult]:
        return [DiscardedVariant(twins.operator, sentence.text, why, detail)]

    fault = removal_fault(subject, sentence)
    if fault:
        return discarded(VariantDiscard.GRAMMAR, fault)
    places = places_in(subject.question, sentence)
    recoveries = {place: recovery_reason(subject, place) for place in places}
    missed = [place for place in places if not recoveries[place] and place.value != 1]
    if not missed:
        why = next((reason for reason in recoveries.values() if reason), "one goes without saying")
        return discarded(VariantDiscard.RECOVERABLE, why)
    if leaves_answer(subject, places):
        return discarded(VariantDiscard.RECOVERABLE, "the rest gives an answer of its own")
    return twins.underspecified(without_sentence(subject.question, sentence), missed)


def places_in(question: LocatedQuestion, sentence: Sentence) -> tuple[NumberPlace, ...]:
    """Return the places of a sentence."""
    return tuple(place for place in question.places if sentence.start <= place.start < sentence.end)


def without_sentence(question: LocatedQuestion, sentence: Sentence) -> QuestionChange:
    """Return the question without a sentence."""
    following = question.text[sentence.end :]
    end = sentence.end + len(following) - len(following.lstrip())
    edit = QuestionEdit(sentence.start, end, question.text[sentence.start : end], "")
    gone = frozenset(name for place in places_in(question, sentence) for name in place.variables)
    return QuestionChange((edit,), gone=gone)


def removal_fault(subject: VariantSubject, sentence: Sentence) -> str:
    """Return why a question is none without a sentence, an empty text where it is one."""
    question = subject.question
    unlocated = {subject.values[name] for name in question.unlocated}
    inside = (mention for mention in question.loose if sentence.start <= mention.start < sentence.end)
    if any(not unlocated.isdisjoint(mention.readings) for mention in inside):
        return "it holds an input that has no place"
    gone = places_in(question, sentence)
    if not any(states_number(question, place) for place in question.places if place not in gone):
        return "nothing is left to reckon with"
    return "the rest may refer to it" if is_referred_to(question.text, sentence) else ""


def is_referred_to(text: str, sentence: Sentence) -> bool:
    """Tell whether the rest of a text may refer to what only a sentence told: a thing, a person, a number, or a comparison."""
    before, after = text[: sentence.start], text[sentence.end :]
    following = sentences_of(after)
    first = following[0].text if following else ""
    if not first or first[0] in "$0123456789" or _REFERRING.search(first) or COMPARED_BACK.search(first):
        return True
    pronoun = _PERSON.search(after)
    if pronoun is not None and not _names_of(after[: pronoun.start()]):
        known = _names_of(before)
        if not known or _names_of(sentence.text) - known:
            return True
    new = _stems(sentence.text) - _stems(before)
    return bool((new - _known_things(sentence.text)) & _known_things(after)) or _is_asked_for(before, sentence, after)


def _is_asked_for(before: str, sentence: Sentence, after: str) -> bool:
    """Tell whether the question asks for a number of things that only the sentence mentions."""
    rest = sentences_of(f"{before} {after}")
    match = _HOW_MANY.search(" ".join(part.text for part in rest if part.asks))
    words = match["things"].lower().split() if match is not None else []
    told = " ".join(part.text.lower() for part in rest if not part.asks)
    nouns = [singular_noun(word) for word in words if is_plural(word)]
    return any(noun in sentence.text.lower() and noun not in told for noun in nouns)


def _known_things(words: str) -> set[str]:
    """Return the stems of the words after `the` and `that`, by which things are meant that are known already."""
    return {singular_noun(word.lower()) for match in _KNOWN_THING.finditer(words) for word in match.groups() if word}


def _names_of(text: str) -> set[str]:
    return {name for name in capital_words(text) if name.lower() not in _NO_NAMES}


def _stems(text: str) -> set[str]:
    words = (word for word in hyphenated_words(text) if word not in FUNCTION_WORDS)
    return {singular_noun(word.removesuffix("'s").removesuffix("’s")) for word in words}
