"""Sentences and conditions that state a number of a question on their own, where they can be inserted in it.

The near-twin of an underspecified variant states the number that the variant lacks in this way, and the variant another number
of the problem, which it states twice. The two insertions are of one kind, so that they do not tell the two apart.

The file has 400 lines because each way to state a number shares the reading of what stands before and after it.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from generators.variants.question.allowed_words import words_of
from generators.variants.question.clauses import clauses_around, is_only_kind
from generators.variants.question.input_places import LocatedQuestion, NumberPlace
from generators.variants.question.vague_context import NumberContext, dollar_sign
from generators.variants.removal.dispensable_statements import TITLES
from generators.variants.text.lower_case import lowered
from generators.variants.text.restatements import clause_start
from harness.solution.phrases.missing_quantities import clause_statement
from harness.text.lexicon import word_lists
from harness.text.nouns import NounPhrase, phrase_at, singular_of
from harness.text.numbers import mentions
from harness.text.sentences import FINITE, Sentence, sentences_of
from harness.text.units import MEASURES, TIMES

_LISTS = word_lists(__file__)

LEADS = ("To be clear, ", "Note that ", "Keep in mind that ")
GIVEN = ((", given ", ""), (", assuming ", ""), (" (given ", ")"), (" (assume ", ")"))
FEWEST_WORDS = 2
GIVEN_LEADS = frozenset(lead for lead, _ in GIVEN)
MOST_WORDS, MOST_SUBJECT_WORDS, MOST_MIDDLE_WORDS, MOST_TAIL_WORDS, FEWER = 16, 6, 3, 6, 3
_RATE = re.compile(
    r" (?:each|apiece|(?:per|an?|every|for each|for every|in each|on each|in every) [a-z]+(?<!s)(?: of [a-z]+)?)(?=[.,;]| (?:and|for|in|at|to|on|if)\b)|"
    r" (?:daily|weekly|monthly|annually)(?=[.,;]| )"
)
_OF = re.compile(
    r" of (?:(?:the|his|her|their|its|an?) )?[a-z-]+(?: [a-z-]+)?(?=[.,;]| (?:and|in|for|to|at|on|from|with|that|which)\b)"
)
_COMPARED = re.compile(
    rf"(?: [a-z]+){{0,3}}? (?:{_LISTS.either('comparatives')})(?: [a-z-]+){{0,3}} than (?:(?:the|his|her|their) )?[A-Za-z'’-]+(?: [a-z-]+)?(?=[.,;]| (?:and|but|while)\b)"
)
_CHANGED = re.compile(rf"\b(?:{_LISTS.either('changed')})\b", re.IGNORECASE)
_LIST_BEFORE = re.compile(r" ?(?:\$?#(?: [a-z][a-z-]*){0,6}(?:,? and |, ))+(?:and )?$")
_LIST_BEHIND = re.compile(
    r"(?:,? (?:and )?\$?#(?: [a-z][a-z-]*){1,3}?)*(?=[.,;]| (?:in|on|at|from|for|to|every|each|per|a|an)\b|$)"
)
_NEXT_CLAUSE = re.compile(
    r",? (?:and|but|while|whereas|so|then) (?=(?:then )?(?:he|she|they|the|it|his|her|their|each|every|also)\b|[A-Z])|[.;,]"
)
_TAIL = re.compile(r" (?:in|on|at|from|for|to|into|with) (?:[a-z]+(?:['’]s)? ){0,3}[A-Za-z-]+(?=$)")
_LEADING = re.compile(
    r"(?:(?:Also|Then|Now|However|Next|Later|Additionally|Finally|First|Second|Meanwhile|Today),? |But |And |So |(?:On|In|At|Last|This|One|During) [^,#]{2,30}, )+"
)
_NO_SUBJECT = _LISTS.words("no_subject")
_NOT_AGAIN = re.compile(rf"\b(?:{_LISTS.either('not_again')})\b", re.IGNORECASE)
_CONTINUES = re.compile(rf"\b(?:{_LISTS.either('continues')})\b", re.IGNORECASE)
_STATES = re.compile(rf"\b(?:{_LISTS.either('states')})\b")
_MISLED = re.compile(rf"\b(?:{_LISTS.either('misled')})\b", re.IGNORECASE)
_BY_TIME = re.compile(
    r" (?:an?|per|every|each) (?:second|minute|hour|day|night|week|month|year)\b|\bdaily\b|\bweekly\b"
)
_EACH = re.compile(r"\b(?:each|every|per|apiece)\b", re.IGNORECASE)
_HAVING = re.compile(rf"\b(?:{_LISTS.either('having')})(?: \w+)? $", re.IGNORECASE)
_NO_THINGS = frozenset(["dollar", "cent", "time", "percent", "part", "half", "third", "way"])
_IN_A_PHRASE = re.compile(r"\b(?:in|into|among|between|to|for|with|from|on|of|at) (?:the |his |her |their )?$")


class StatementPlace(enum.Enum):
    """Where a statement of a number stands."""

    BEHIND = "in a sentence behind that of the number"
    LAST = "in a sentence before the question"
    AHEAD = "in a sentence before the question, which has the number in a condition"
    CONDITION = "in a condition of the question"
    GIVEN = "in a phrase behind the question"


@dataclass(frozen=True, slots=True)
class NumberStatement:
    """Words to insert at a position of a question, with the number of a place from `start` to `end` of them; they begin with a lead.

    It is `as_is` if it says hardly less than the sentence of the number.
    """

    kind: StatementPlace
    lead: str
    place: NumberPlace
    position: int
    words: str
    start: int
    end: int
    as_is: bool = False


def number_statements(question: LocatedQuestion, place: NumberPlace) -> Iterator[NumberStatement]:
    """Yield statements of the number of a place; all of one kind differ only in their first words."""
    yield from _in_sentences(question, place)
    yield from _before_its_condition(question, place)
    last, echo = question.sentences[-1], _echo(question, place)
    if echo is None or not last.asks or not last.text.endswith(("?", ".")) or last.end - 1 < place.end:
        return
    if last.start <= place.start or sum(sentence.asks for sentence in question.sentences) > 1:
        return
    number, after = echo
    if (len(after.split()) < FEWEST_WORDS and not number.startswith("$")) or not _EACH.search(after):
        return
    for lead, end in GIVEN:
        yield _statement(StatementPlace.GIVEN, lead, place, last.end - 1, (lead, number, f"{after}{end}"))


def _in_sentences(question: LocatedQuestion, place: NumberPlace) -> Iterator[NumberStatement]:
    sentence = question.sentence_at(place.start)
    if sentence is None or sentence.asks:
        return
    told = (
        _clause_alone(question, place, sentence)
        or _price_or_content(question, place)
        or _existence(question, place)
        or _clause_as_sentence(question, place)
    )
    if told is None:
        return
    first = told.before.split()[0]
    within = lowered(told.before, question)
    if within is None:
        return
    before = re.sub(r"^an? ", "the ", within)
    if sentence.text.endswith(".") and not _misled(question.text[sentence.end :]):
        for lead in LEADS:
            words = f" {lead}{before}", told.number, f"{told.after}."
            said = _statement(StatementPlace.BEHIND, lead, place, sentence.end, words)
            yield replace(said, as_is=len(said.words.split()) - len(lead.split()) > len(sentence.text.split()) - FEWER)
    asked = _asked(question)
    named = within[0].isupper() or first in {"Each", "The", "There"}
    if asked is None or asked.start < sentence.end or not named or not told.whole:
        return
    if first != "There" and _CHANGED.search(before + told.after):
        return
    if question.sentences[-2].end != sentence.end:
        for lead in LEADS:
            words = f"{lead}{before}", told.number, f"{told.after}. "
            yield _statement(StatementPlace.LAST, lead, place, asked.start, words)
    if _STATES.search(before) and not re.search(r"[,;:]|\b(?:if|when)\b", asked.text, re.IGNORECASE):
        words = f" if {before}", told.number, told.after
        yield _statement(StatementPlace.CONDITION, " if ", place, asked.end - 1, words)


def _before_its_condition(question: LocatedQuestion, place: NumberPlace) -> Iterator[NumberStatement]:
    """Yield statements of a number of the sentence that asks, before it: `Note that Ann read 18 books. If Ann read books, how many …`."""
    asked, told = _asked(question), _clause_as_sentence(question, place)
    if asked is None or told is None or not asked.start <= place.start < asked.end:
        return
    for lead in LEADS:
        words = f"{lead}{told.before}", told.number, f"{told.after}. "
        yield _statement(StatementPlace.AHEAD, lead, place, asked.start, words)


def _clause_as_sentence(question: LocatedQuestion, place: NumberPlace) -> _Told | None:
    """Return the clause of a number as a sentence."""
    spot, clause = NumberContext(question.text, place), clause_statement(question.text, place.start, place.end)
    if clause is None or _CONTINUES.search(f"{clause.before}{clause.after}"):
        return None
    if len(f"{clause.before}{clause.after}".split()) >= MOST_WORDS:
        return None
    return _Told(clause.before, spot.written, clause.after, whole=clause.whole)


def _misled(after: str) -> bool:
    """Tell whether the next sentence may refer to something that a statement before it does not mention."""
    following = sentences_of(after)
    return bool(following) and _MISLED.search(following[0].text) is not None


@dataclass(frozen=True, slots=True)
class _Told:
    """A statement without its full stop; it is `whole` if it says all that its sentence says of the number."""

    before: str
    number: str
    after: str
    whole: bool


def _statement(
    kind: StatementPlace, lead: str, place: NumberPlace, position: int, words: tuple[str, str, str]
) -> NumberStatement:
    before, number, after = words
    start = len(before) + len(number) - len(number.lstrip("$ "))
    return NumberStatement(kind, lead, place, position, f"{before}{number}{after}", start, len(before) + len(number))


def _asked(question: LocatedQuestion) -> Sentence | None:
    """Return the sentence that asks, `None` unless it is the last one and the only one."""
    last = question.sentences[-1]
    alone = sum(sentence.asks for sentence in question.sentences) == 1
    return last if alone and last.asks and last.text.endswith("?") and len(question.sentences) > 1 else None


def _price_or_content(question: LocatedQuestion, place: NumberPlace) -> _Told | None:
    """Return a clause with the number as a sentence, `The price per pen is $3`."""
    spot = NumberContext(question.text, place)
    again = next((clause.again for clause in clauses_around(spot) if clause.again), "")
    before, _, after = again.removesuffix(".").partition("{}")
    return _Told(before, spot.written, after, whole=True) if again and is_only_kind(question, place, before) else None


def _existence(question: LocatedQuestion, place: NumberPlace) -> _Told | None:
    """Return `There are 9 bags` for a number of bags that are there or had."""
    spot, counted = NumberContext(question.text, place), _counted(question, place)
    if counted is None or not (_IN_A_PHRASE.search(spot.before) or _HAVING.search(spot.before)):
        return None
    return _Told("There are ", *counted, whole=True)


def _counted(question: LocatedQuestion, place: NumberPlace) -> tuple[str, str] | None:
    """Return a number and what it counts, `9 bags`, where nothing else is counted or asked for in the same words."""
    text = question.text
    spot, phrase = NumberContext(text, place), phrase_at(text, place.end)
    if phrase is None or phrase.noun in TIMES | MEASURES | _NO_THINGS or spot.firm or spot.joined or spot.is_share:
        return None
    if re.match(r" (?:more|less|fewer|times|other|additional|extra)\b", spot.behind) or spot.is_money:
        return None
    of = _OF.match(text, phrase.end)
    if not phrase.closed and of is None:
        return None
    words = text[place.end : phrase.end if of is None else of.end()]
    each = re.compile(r" (?:in|on|inside) each [a-z]+(?=[.,;])").match(text, phrase.end)
    if each is None and (_EACH.search(question.words_at(place.start, place.end)) or _BY_TIME.search(text, phrase.end)):
        return None
    if not _alone(question, place, phrase):
        return None
    asked = " ".join(sentence.text for sentence in question.sentences if sentence.asks)
    if re.search(rf"\b(?:many|number of|much)(?: [a-z-]+){{0,3}} {re.escape(phrase.noun)}", asked, re.IGNORECASE):
        return None
    return spot.written.lower() if spot.begins else spot.written, words + ("" if each is None else each.group())


def _echo(question: LocatedQuestion, place: NumberPlace) -> tuple[str, str] | None:
    """Return a number and the words after it that tell what it is, `15 minutes to find each worm`; `None` where those are unclear."""
    text = question.text
    spot, sentence = NumberContext(text, place), question.sentence_at(place.start)
    if sentence is None or spot.joined or spot.is_share or spot.firm or spot.definite:
        return None
    phrase = None if spot.is_money else phrase_at(text, place.end)
    if (phrase is None and not spot.is_money) or re.match(r" (?:times|as|other|additional|extra)\b", spot.behind):
        return None
    end = place.end if phrase is None else phrase.end
    stop = _NEXT_CLAUSE.search(text, end)
    rest = text[end : sentence.end - 1 if stop is None else min(stop.start(), sentence.end - 1)]
    listed = re.search(r",? (?:and|but|while) ", rest)
    rest = rest if listed is None else rest[: listed.start()]
    whole = (
        len(rest.split()) <= MOST_TAIL_WORDS
        and not mentions(rest)
        and FINITE.isdisjoint(words_of(rest))
        and not _MISLED.search(rest)
    )
    if not whole:
        of = None if phrase is None else _OF.match(text, phrase.end)
        if phrase is None or not (phrase.closed or of):
            return None
        rest = "" if of is None else of.group()
    if re.search(r"\b(?:together|altogether|total|all)\b", rest):
        return None
    if phrase is not None and not _EACH.search(rest):
        of = _OF.match(text, phrase.end)
        rest = "" if of is None else of.group()
    owner = _owner(question, spot, sentence) if not rest else ""
    if spot.is_money or _EACH.search(sentence.text):
        rest = rest or (f" per {owner}" if owner else "")
        if "$" in rest or not _EACH.search(rest) or re.fullmatch(r" (?:each|apiece|every)", rest):
            return None
    if not _alone(question, place, phrase):
        return None
    asked = question.sentences[-1].text
    if phrase is not None and re.search(
        rf"\b(?:many|number of|much)(?: [a-z-]+){{0,3}} {re.escape(phrase.noun)}", asked, re.IGNORECASE
    ):
        return None
    return spot.written.lower() if spot.begins else spot.written, text[place.end : end] + rest


def _owner(question: LocatedQuestion, spot: NumberContext, sentence: Sentence) -> str:
    """Return the noun of which each has the number of a clause, `box` of `Each box holds 6 mugs`, an empty text where that is unclear."""
    clause = question.text[clause_start(sentence, spot.start) : spot.start]
    subject, _, middle = _parts(clause)
    each = re.fullmatch(r"(?:Each|Every|One|each|every|one|A|An) ((?:[a-z-]+ ){0,2}[a-z-]+) ", subject)
    if each is not None and not middle.strip(" $"):
        return each[1]
    listed = re.search(r"(?:^|, |, and | and )([A-Za-z][a-z]+s) (?:cost|costs|weigh|sell for) \$?$", clause)
    return singular_of(listed[1].lower()) if listed is not None else ""


def _alone(question: LocatedQuestion, place: NumberPlace, phrase: NounPhrase | None) -> bool:
    """Tell whether no other number counts what a number counts, in the same words, or no other is of dollars."""
    text = question.text
    for mention in question.mentions:
        if place.start <= mention.start < place.end:
            continue
        if phrase is None:
            if dollar_sign(text, mention.start) or re.match(r" (?:dollar|cent)", text[mention.end :]):
                return False
            continue
        other = phrase_at(text, mention.end)
        if other is not None and other.noun == phrase.noun:
            same = text[mention.end : other.end] == text[place.end : phrase.end]
            if other.plain or phrase.plain or same:
                return False
    return True


def _clause_alone(question: LocatedQuestion, place: NumberPlace, sentence: Sentence) -> _Told | None:
    """Return the parts of a number's clause: subject, verb, counted things, place or frequency.

    `None` where the clause is not plain, or says with further words what the number is of.
    """
    spot = NumberContext(question.text, place)
    before = question.text[clause_start(sentence, spot.start) : spot.start]
    lead = _LEADING.match(before)
    before = before if lead is None else before[lead.end() :]
    subject, verb, middle = _parts(before)
    words = subject.split()
    if not words or len(words) > MOST_SUBJECT_WORDS or words[0].lower() in _NO_SUBJECT or not subject[0].isupper():
        return None
    listed = _without_list(middle)
    if listed is None or len(listed.split()) > MOST_MIDDLE_WORDS or spot.joined:
        return None
    told = f"{subject}{verb}{listed}"
    end, whole = _end_of_told(spot)
    if not end or _NOT_AGAIN.search(told) or re.search(r"[,;:()\"“]", told):
        return None
    after = question.text[place.end : end] + ("" if whole is None else whole)
    if len(told.split()) + len(after.split()) > MOST_WORDS:
        return None
    return _Told(told, spot.written, after, whole=whole is not None and lead is None)


def _parts(before: str) -> tuple[str, str, str]:
    """Return the subject, the verb and what follows it of the words before a number, empty texts where there is no verb."""
    for match in re.finditer(r"[A-Za-z'’]+", before):
        if match.start() and match.group().lower() in FINITE:
            return before[: match.start()], match.group(), before[match.end() :]
    return "", "", ""


def _without_list(middle: str) -> str | None:
    """Return the words between verb and number without the items that a list has before it, `None` where they are no such list."""
    masked = _masked(middle)
    if "#" in masked:
        return " " if _LIST_BEFORE.fullmatch(masked) and not re.search(r"\b(?:of|that|which|who)\b", masked) else None
    plain = not any(word in FINITE for word in words_of(middle))
    return middle if plain and not re.search(r"\b(?:and|or|but|that|which|who|to)\b", middle) else None


def _masked(text: str) -> str:
    masked, end = "", 0
    for number in mentions(text):
        masked += text[end : number.start] + "#"
        end = number.end
    return masked + text[end:]


def _end_of_told(spot: NumberContext) -> tuple[int, str | None]:
    """Return the end of the words for what a number counts, 0 if it is not clear, and the further words of its clause.

    The further words are `None` where they are too many to be said again.
    """
    text, end = spot.text, spot.place.end
    compared = _COMPARED.match(text, end)
    if compared is not None:
        return compared.end(), ""
    if not spot.is_money:
        phrase = phrase_at(text, end)
        if phrase is None or spot.is_share or re.match(r" (?:more|less|fewer|times)\b", spot.behind):
            return 0, None
        of = _OF.match(text, phrase.end)
        if not phrase.closed and of is None:
            return 0, None
        end = phrase.end if of is None else of.end()
    rate = _RATE.match(text, end)
    end = end if rate is None else rate.end()
    next_clause = _NEXT_CLAUSE.search(text, end)
    rest = _masked(text[end : next_clause.start() if next_clause is not None else len(text)])
    listed = _LIST_BEHIND.match(rest)
    rest = rest if listed is None else rest[listed.end() :]
    if not rest:
        return end, ""
    behind = _RATE.match(f"{rest}.")
    if behind is not None and behind.end() == len(rest) and rate is None:
        return end, rest
    if (
        _NEEDED_BEHIND.search(rest)
        or re.search(r"\band \$?#", rest)
        or re.match(rf" (?!{_LISTS.either('dropped')})", rest)
    ):
        return 0, None
    tail = None if rest.split()[-1] in TITLES else _TAIL.fullmatch(rest)
    plain = tail is not None and FINITE.isdisjoint(words_of(rest)) and len(rest.split()) <= MOST_TAIL_WORDS
    return end, rest if plain else None


_NEEDED_BEHIND = re.compile(rf"\b(?:{_LISTS.either('needed_behind')})\b")
