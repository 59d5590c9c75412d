"""Restatements: separate sentences that repeat in other words what a clause of the question says with a number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from generators.variants.question.allowed_words import words_of
from generators.variants.question.input_places import LocatedQuestion, NumberPlace
from generators.variants.text.insertion import asks
from generators.variants.text.lower_case import OPENING_WORDS, is_named, lowered
from generators.variants.text.quantity_statements import QuantityStatement
from harness.text.lexicon import word_lists
from harness.text.nouns import phrase_at
from harness.text.number_forms import PLAIN, NumberForm, NumberKind
from harness.text.numbers import mentions
from harness.text.sentences import FINITE, Sentence

_LISTS = word_lists(__file__)

MOST_WORDS = 18
LARGEST_IN_WORDS = 20
_CLEAR = "To be clear, "
_REMINDERS = (
    "Remember that ",
    "Recall that ",
    "As said before, ",
    "As mentioned, ",
    "Keep in mind that ",
    "Note that ",
)
_BOUNDARY = re.compile(r"(?:; |,? (?:and|but|while|whereas) )(?=(?:he|she|the|his|her|there|each|every) |[A-Z][a-z]+ )")
_LEADING = re.compile(
    r"(?:(?:Also|Then|Now|However|Next|Later|Additionally|Finally|First|Second|Meanwhile),? |But |And |So )+"
)
_STRANGE = re.compile(r"[\"“”()\[\]:;?!/_=+*#]|\.\s|\n|, (?:and|but|or)\b")
_GOES_ON = re.compile(
    r" and (?:an?|one|two|three|\d+/\d+)[ -]?(?:half|third|quarter|fourth|\w+ths?\b)?|[ -](?:hundred|thousand|million|dozen)"
)
_UNCERTAIN = _LISTS.words("uncertain")
_CAREFUL = _LISTS.words("careful")
_LATER = _LISTS.words("later")
_CHANGING = _LISTS.words("changing")
_PLACES = _LISTS.words("places")


@dataclass(frozen=True, slots=True)
class NumberClause:
    """A clause with one number, `before` and `after` being its words around it; it is `whole` if it is all of its sentence."""

    sentence: Sentence
    before: str
    after: str
    whole: bool

    @property
    def words(self) -> list[str]:
        """Return the words, the number left out, in lower case."""
        return words_of(f"{self.before} {self.after}")


@dataclass(frozen=True, slots=True)
class Restatement:
    """A sentence that says again what a clause says, and whether it can stand far from it, before the question."""

    statement: QuantityStatement
    sentence: Sentence


def clause_of(question: LocatedQuestion, place: NumberPlace) -> NumberClause | None:
    """Return the clause of a number if it is short, has no other number, and says something on its own."""
    sentence = question.sentence_at(place.start)
    if sentence is None or asks(sentence) or not sentence.text.endswith("."):
        return None
    start, end = place.start - sentence.start, place.end - sentence.start
    bounds = _boundaries(sentence.text)
    first = max((stop for _, stop in bounds if stop <= start), default=0)
    last = min((begin for begin, _ in bounds if begin >= end), default=len(sentence.text) - 1)
    before, after = sentence.text[first:start], sentence.text[end:last]
    lead = _LEADING.match(before)
    if lead is not None and not first:
        before = before[lead.end() :]
    if bounds and "," in before + after and (mentions(before) or mentions(after)):
        return None
    clause = NumberClause(sentence, before, after, not bounds)
    return clause if _stands_alone(clause, question) else None


def clause_start(sentence: Sentence, start: int) -> int:
    """Return where the clause begins that a place of a question stands in, within its sentence."""
    ends = [stop for _, stop in _boundaries(sentence.text) if stop <= start - sentence.start]
    return sentence.start + max(ends, default=0)


def _boundaries(text: str) -> list[tuple[int, int]]:
    """Return where clauses meet: before an `and` that joins them there is a verb, and after it a subject with another."""
    boundaries: list[tuple[int, int]] = []
    matches = list(_BOUNDARY.finditer(text))
    for number, match in enumerate(matches):
        start = boundaries[-1][1] if boundaries else 0
        end = matches[number + 1].start() if number + 1 < len(matches) else len(text)
        if _says(text[start : match.start()]) and _says(text[match.end() : end]):
            boundaries.append((match.start(), match.end()))
    return boundaries


def _says(words: str) -> bool:
    return not FINITE.isdisjoint(words_of(words))


def _stands_alone(clause: NumberClause, question: LocatedQuestion) -> bool:
    text = f"{clause.before}#{clause.after}"
    words = clause.words
    if len(words) + 1 > MOST_WORDS or len(words) < 3 or _STRANGE.search(text.replace("#", "")):
        return False
    if _GOES_ON.match(clause.after) or len(mentions(clause.before)) + len(mentions(clause.after)) > 1:
        return False
    if clause.after.startswith(("-", "th", "st", "nd")):
        return False
    if re.search(r"\b(?:an?|to|x) \$?$", clause.before) or not _UNCERTAIN.isdisjoint(words):
        return False
    subject = words_of(clause.before)
    verbs = [number for number, word in enumerate(subject) if word in FINITE]
    if not verbs or verbs[0] == 0:
        return False
    named = is_named(subject[0], question)
    if not clause.whole and not (named or subject[0] in OPENING_WORDS):
        return False
    return lowered(clause.before, question) is not None


def restatements(question: LocatedQuestion, place: NumberPlace, variable: str, random: Random) -> Iterator[Restatement]:
    """Yield sentences that say again what a place says, the number in another form where there is one, in random order."""
    clause = clause_of(question, place)
    if clause is None or not place.rewritable or place.form.rounded or place.value == 1:
        return
    wordings = [*_turned(question, clause), *_led(question, clause, random)]
    random.shuffle(wordings)
    for before, after, sentence in wordings:
        form = place.form
        if not mentions(clause.before) and not mentions(clause.after):
            before, form, after = _reformed(before, place, after, random)
        yield Restatement(QuantityStatement(variable, place.value, before, form, after), sentence)


def _turned(question: LocatedQuestion, clause: NumberClause) -> Iterator[tuple[str, str, Sentence]]:
    """Yield the clause with its number last, as in `The number of pens in the box is 5`."""
    words = clause.words
    if mentions(clause.before) or mentions(clause.after):
        return
    if not _CAREFUL.isdisjoint(words) or not _LATER.isdisjoint(words) or "," in clause.before + clause.after:
        return
    before = lowered(clause.before.strip(), question)
    if before is None:
        return
    money = before.endswith("$")
    clause_words = before.removesuffix("$").split()
    if len(clause_words) < 2 or len(clause_words) > 6 or clause_words[-1] not in FINITE or (clause_words[0] in _PLACES):
        return
    who, verb = _definite(" ".join(clause_words[:-1])), clause_words[-1]
    rest = clause.after.strip()
    if money:
        if verb in {"costs", "cost"} and not rest and words_of(who)[0] in {"the", "a", "an"}:
            yield f"The price of {who} is $", ".", clause.sentence
        elif verb in _SPENDING and (not rest or _tail(f" {rest}")) and len(clause_words) <= 3:
            yield f"The amount {who} {verb}{f' {rest}' if rest else ''} is $", ".", clause.sentence
        return
    phrase = phrase_at(clause.after, 0)
    if phrase is None or not phrase.closed or _counted_elsewhere(question, phrase.noun):
        return
    noun, tail = clause.after[: phrase.end].strip(), _definite(clause.after[phrase.end :].strip())
    if tail and not _tail(f" {tail}"):
        return
    if who == "there" and verb in {"are", "were"} and tail:
        yield f"The number of {noun} {tail} is ", ".", clause.sentence
    elif verb not in {"is", "are", "was", "were", "will", "did", "does", "do", "weighs", "takes", "costs"}:
        yield f"The number of {noun} {who} {verb}{f' {tail}' if tail else ''} is ", ".", clause.sentence


def _definite(words: str) -> str:
    """Return words that have been said before: `a school` has become `the school`."""
    return re.sub(
        r"^((?:(?:in|on|at|for|from|with|to) )?)(?:an?) (?!few|lot|day|week|month|year|hour|couple)", r"\1the ", words
    )


_SPENDING = _LISTS.words("spending")
_OF_ONE = _LISTS.words("of_one")
_TAIL = re.compile(r"(?: (?:in|on|at|for|from|with|to|during) [A-Za-z' -]{1,40})?")


def _tail(words: str) -> bool:
    return _TAIL.fullmatch(words) is not None and len(words.split()) <= 6 and FINITE.isdisjoint(words_of(words))


def _counted_elsewhere(question: LocatedQuestion, noun: str) -> bool:
    """Tell whether the things of a clause are counted a second time, so that their number alone would not be clear."""
    phrases = [phrase_at(question.text, mention.end) for mention in question.mentions]
    return sum(phrase is not None and phrase.noun == noun for phrase in phrases) > 1


def _led(question: LocatedQuestion, clause: NumberClause, random: Random) -> Iterator[tuple[str, str, Sentence]]:
    """Yield the clause after words that announce a repetition, after its sentence or as a reminder before the question.

    A whole sentence does not stand right after itself.
    """
    before = lowered(clause.before, question)
    if before is None:
        return
    verb = next((word for word in words_of(before) if word in FINITE), "")
    if verb.endswith("ed") or verb in _OF_ONE:
        before = _definite(before)
    if not clause.whole:
        yield f"{_CLEAR}{before}", f"{clause.after}.", clause.sentence
    reminded = _before_question(question, clause)
    if reminded is not None:
        yield f"{random.choice(_REMINDERS)}{before}", f"{clause.after}.", reminded


def _before_question(question: LocatedQuestion, clause: NumberClause) -> Sentence | None:
    """Return the sentence before the question if a clause still means the same after it."""
    sentences = question.sentences
    words = clause.words
    last = next((number for number, sentence in enumerate(sentences) if asks(sentence)), None)
    if last is None or last == 0 or last != len(sentences) - 1 or sentences[last - 1].start <= clause.sentence.start:
        return None
    subject = words_of(clause.before)
    fixed = (_LATER | _CHANGING | {"he", "she", "his", "her", "him"}).isdisjoint(words)
    return sentences[last - 1] if fixed and is_named(subject[0], question) else None


def _reformed(before: str, place: NumberPlace, after: str, random: Random) -> tuple[str, NumberForm, str]:
    """Return a number in another form, digits for words and words for digits, with what stands around it."""
    form, value = place.form, place.value
    if form.kind is NumberKind.WORDS and not form.after:
        return before, replace(PLAIN, scale=form.scale), after
    if form.kind is not NumberKind.NUMERAL or value.denominator != 1 or form.scale != 1 or form.after or form.places:
        return before, form, after
    money = before.endswith("$") or form.before == "$"
    if before.endswith("$ "):
        return before, form, after
    if money and not re.match(r"[.-]?\w", after) and random.random() < 1 / 2:
        plain = replace(form, before="", money=False)
        return before.removesuffix("$"), plain, f" dollars{after}"
    if not money and 1 < value <= LARGEST_IN_WORDS and not re.match(r" ?[%°]|[\w-]| (?:percent|per cent)", after):
        return before, NumberForm(NumberKind.WORDS), after
    return before, form, after
