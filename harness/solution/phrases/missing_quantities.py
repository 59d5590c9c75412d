"""The phrases by which reasoning traces name what an edited problem no longer says: `how many pounds John weighs`.

A phrase is an indirect question, made of the words of the clause that gave the number. Generators write it, and the re-check derives it
from the same question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from harness.text.lexicon import word_lists
from harness.text.nouns import phrase_at, singular_noun
from harness.text.numbers import mentions, write_cardinal
from harness.text.sentences import FINITE, sentences_of
from harness.text.units import MEASURES, TIMES

if TYPE_CHECKING:
    from harness.text.numbers import NumberMention

_LISTS = word_lists(__file__)
ONE_OF_NUMBERS = "one of the numbers of"
"""What begins the phrase for a number of things of which the question gives further numbers."""
MOST_BEFORE, MOST_SUBJECT, MOST_TAIL, MOST_FRONTED, LONGEST = 10, 7, 7, 4, 140
"""The most words before a number, of a subject, after what is counted and of `On Monday`, and the most characters of a phrase."""
_VERBS = FINITE | _LISTS.words("modals")
_NO_VERBS = _LISTS.words("no_verbs")
_NO_SUBJECT = _LISTS.words("no_subject")
_LOWER = _LISTS.words("lower")
_FRONTED = _LISTS.words("fronted")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_BOUNDARY = re.compile(rf"[,;:](?=\s)|(?:^|(?<=\s))(?P<joint>{_LISTS.either('joints')})(?=\s)", re.IGNORECASE)
_PREPOSITIONS = _LISTS.words("prepositions")
_SHARING = _LISTS.words("sharing")
_CLOSED_BY = _LISTS.words("closed_by")
_STOP = re.compile(rf"[,;:.?!()\"“”]|\s(?:{_LISTS.either('phrase_ends')})\b|$")
_STARTS = re.compile(rf"\s(?:{_LISTS.either('phrase_starts')})\b")
_LEAD = re.compile(rf"\s*(?:(?:{_LISTS.either('leads')}) )+", re.IGNORECASE)
_TIME = re.compile(
    r"(?i:for (?:every|each) [a-z]+|(?:each|every|last|this|that|one) [a-z]+|(?:on|in|at|during|for) (?:the |his |her )?(?:[a-z]+ )?[A-Za-z]+) "
    r"(?=(?:he|she|they|it|we|I|you|the|his|her|their|[A-Z][a-z]+)\b)"
)
_ITEMS = re.compile(r" ?(?:\$?#(?: [a-z][a-z-]*){0,6}(?:,? and |, ))+(?:and )?\$?$")
_OF = re.compile(
    rf" of (?:(?:the|his|her|their|its|an?|all) )?(?:[a-z-]+ ){{0,2}}?[a-z-]+(?=[,;:.?!()]|$|\s(?:{_LISTS.either('phrase_starts')}|{_LISTS.either('phrase_ends')})\b)"
)
_COMPARED = re.compile(
    r" (?:times )?(?:more|fewer|less|as many|as much)(?: [a-z-]+){0,4}? (?:than|as) (?!(?:he|she|they|we|I|it|you|the number|the amount)\b)(?:(?:the|his|her|their) )?[A-Za-z'’-]+(?: (?!does\b|was\b|is\b|has\b)[a-z-]+s)?\b"
)
_DIMENSION = re.compile(
    rf" (?:{_LISTS.either('dimensions')})\b(?: than (?:(?:the|his|her|their) )?[A-Za-z'’-]+(?: [a-z]+)?(?=[,;:.?!]| and\b|$))?"
)
_UNIT = re.compile(rf" (?:[a-z]+ )?(?:{_LISTS.either('units')})\b")
_NO_VERB_BEHIND = re.compile(r"\b(?:to|the|a|an|her|his) $", re.IGNORECASE)
_LIMIT = re.compile(rf" (?:{_LISTS.either('limits')})$")
_PERFECT = re.compile(r"(?:has|have|had)$")
_PARTICIPLE = re.compile(rf" [a-z]+(?: (?:{_LISTS.either('particles')}))? ")
_PERCENT = re.compile(r" ?%| percent\b")
_DOLLAR_BEFORE = re.compile(r"\$ ?$")
_DOLLARS = re.compile(r" (?:dollar|cent)s?\b")
_PRONOUNS = frozenset({"he", "she", "they", "we", "it", "i"})
_FACTORS = frozenset({"twice", "thrice", "double"})


def unnamed_quantities(count: int, *, further: bool) -> str:
    """Return the phrase for several quantities in a row without words; `further` where others had it before."""
    if further:
        return "another one" if count == 1 else f"{write_cardinal(count)} others"
    return f"{write_cardinal(count)} of the numbers it takes"


@lru_cache(maxsize=8_192)
def missing_phrase(question: str, start: int, end: int) -> str | None:
    """Return the indirect question that a number from `start` to `end` of a question answers; `None` where its clause is not plain."""
    number = next((mention for mention in mentions(question) if mention.start <= start and end <= mention.end), None)
    if number is None or question.startswith("-", number.end):
        return None
    clause = _clause(question, number)
    asked = None if clause is None else _asked(question, number, _LIMIT.sub("", clause.before))
    phrase = None if asked is None or clause is None else f"{asked.phrase}{clause.time}"
    phrase = phrase or _as_subject(question, number) or _counted(question, number)
    if phrase is None or len(phrase) > LONGEST or '"' in phrase or mentions(phrase.replace("one of", "")):
        return None
    return phrase


@dataclass(frozen=True, slots=True)
class ClauseStatement:
    """A clause as a sentence of its own: its words `before` its number and `after` it; it is `whole` if the clause ends there."""

    before: str
    after: str
    whole: bool


def clause_statement(question: str, start: int, end: int) -> ClauseStatement | None:
    """Return what the clause of a number from `start` to `end` of a question says; `None` where it is not plain, or a phrase such as `On Monday,` begins it."""
    number = next((mention for mention in mentions(question) if (mention.start, mention.end) == (start, end)), None)
    clause = None if number is None or question.startswith("-", end) else _clause(question, number)
    if number is None or clause is None or clause.fronted:
        return None
    asked = _asked(question, number, clause.before)
    if asked is None:
        return None
    return ClauseStatement(f"{clause.before} ", question[end : asked.end], _ends(question, asked.end))


@dataclass(frozen=True, slots=True)
class _Asked:
    """The question that a number answers, and where in the text its last words end."""

    phrase: str
    end: int


@dataclass(frozen=True, slots=True)
class _Clause:
    """The subject of a clause with all words `before` its number, a list's other items left out, and what is `fronted`, such as `On Monday`."""

    before: str
    fronted: str

    @property
    def time(self) -> str:
        """Return what is fronted as it reads at the end, where it is short and says when or where."""
        words = self.fronted.split()
        short = 1 < len(words) <= MOST_FRONTED and words[0].lower() in _FRONTED and not mentions(self.fronted)
        return f" {words[0].lower()} {' '.join(words[1:])}" if short else ""


def _clause(question: str, number: NumberMention) -> _Clause | None:
    sentence = next((part for part in sentences_of(question) if part.start <= number.start < part.end), None)
    if sentence is None:
        return None
    text = _DOLLAR_BEFORE.sub("", question[sentence.start : number.start])
    bounds = [(0, ""), *[(match.end(), (match["joint"] or ",").lower()) for match in _BOUNDARY.finditer(text)]]
    for at in range(len(bounds) - 1, -1, -1):
        start, joint = bounds[at]
        piece = text[start:]
        fronted = text[bounds[at - 1][0] : start - 1].strip() if joint == "," else ""
        fronted = "" if _verb(fronted) is not None or _LEAD.fullmatch(f"{fronted} ") else fronted
        if lead := _LEAD.match(piece.lstrip()):
            piece = piece.lstrip()[lead.end() :]
        if time := _TIME.match(piece.lstrip()):
            fronted, piece = time[0].strip(), piece.lstrip()[time.end() :]
        piece = piece.lstrip()
        verb = _verb(piece)
        if verb is None:
            continue
        subject, middle = piece[: verb.start()].strip(), piece[verb.end() :]
        if not subject and joint in _SHARING:
            subject = _shared_subject(text[: start - len(joint)], bounds[:at])
            piece = f"{subject} {piece}"
        if not _is_subject(subject):
            return None
        perfect = _PERFECT.match(verb[0].lower()) and _PARTICIPLE.fullmatch(middle)
        kept = middle.rstrip() if perfect else _middle(middle)
        if kept is None:
            return None
        before = f"{subject} {piece[len(subject) :].lstrip()[: len(piece[len(subject) :].lstrip()) - len(middle)].strip()}{kept}".rstrip()
        if (
            len(before.split()) > MOST_BEFORE
            or before.split()[-1].lower() in _CLOSED_BY
            or re.search(r"[()\"“”:;]|--", before)
        ):
            return None
        return _Clause(_lowered(before, question), fronted)
    return None


def _verb(text: str) -> re.Match[str] | None:
    """Return the first verb of a clause that stands with its subject."""
    for word in _WORD.finditer(text):
        lower = word[0].lower()
        past = len(lower) > 3 and lower.endswith("ed") and lower not in _NO_VERBS
        if (lower in _VERBS or past) and _NO_VERB_BEHIND.search(text, 0, word.start()) is None:
            return word
    return None


def _shared_subject(text: str, bounds: list[tuple[int, str]]) -> str:
    """Return the subject of the clause that a text ends with."""
    for start, _ in reversed(bounds):
        piece = text[start:].lstrip()
        verb = _verb(piece)
        if verb is not None and verb.start():
            return piece[: verb.start()].strip()
    return ""


def _is_subject(words: str) -> bool:
    parts = words.split()
    if not 0 < len(parts) <= MOST_SUBJECT or parts[0].lower() in _NO_SUBJECT or mentions(words):
        return False
    if not _PRONOUNS.isdisjoint(part.lower() for part in parts[1:]):
        return False
    return all(_WORD.fullmatch(part) or part in {"Mr.", "Mrs.", "Ms.", "Dr.", "&"} for part in parts)


def _middle(words: str) -> str | None:
    """Return what stands between a verb and its number, without the items of a list before it; `None` where that is another clause."""
    masked = words
    for mention in reversed(mentions(words)):
        masked = masked[: mention.start] + "#" + masked[mention.end :]
    if "#" in masked:
        return "" if _ITEMS.fullmatch(masked) else None
    if any(_BOUNDARY.finditer(words)) or re.search(r"\b(?:who|which|that|at|than|or|of)\b", words):
        return None
    inner = _verb(words)
    return (
        None
        if inner is not None and not re.fullmatch(r"(?: been| a total| about| around| exactly)+ ", words)
        else words.rstrip()
    )


def _lowered(text: str, question: str) -> str:
    """Return words as they read within a sentence: a first word that is no name begins small."""
    first = _WORD.match(text)
    if first is None or first[0].islower() or first[0] == "I":
        return text
    word = first[0].lower()
    following = re.match(r" ([a-z]+)", text[first.end() :])
    common = following is not None and following[1] not in {"and", "has", "is"} and _verb(f"x {following[1]}") is None
    common = common and "'" not in word and "’" not in word
    if word in _LOWER or common or re.search(rf"\b{re.escape(word)}s?\b", question):
        return f"{word}{text[first.end() :]}"
    return text


def _asked(question: str, number: NumberMention, before: str) -> _Asked | None:
    money = _is_money(question, number)
    at = number.end
    if money or _DOLLARS.match(question, at):
        dollars = _DOLLARS.match(question, at)
        at = at if dollars is None else dollars.end()
        return None if re.match(r" (?:more|less)\b", question[at:]) else _with_tail(f"how much {before}", question, at)
    if percent := _PERCENT.match(question, at) or number.text.endswith("%"):
        at = percent.end() if isinstance(percent, re.Match) else at
        return _of_share("what percentage", question, at, before)
    if _is_share(number):
        return _of_share("what part", question, at, before)
    if compared := _COMPARED.match(question, at):
        times = " times" if number.text.lower() in _FACTORS else ""
        return _Asked(f"how many{times}{compared[0]} {before}", compared.end())
    words = _things(question, at)
    if words is None or re.match(r" (?:times|more|fewer|less)\b", question[at:]):
        return None
    at += len(words)
    dimension = _DIMENSION.match(question, at)
    if dimension is not None:
        old = words.strip() == "years" and dimension[0] == " old"
        return _Asked(f"how old {before}" if old else f"how many{words}{dimension[0]} {before}", dimension.end())
    of = _OF.match(question, at)
    at = at if of is None else of.end()
    if not _ends(question, at) and _STARTS.match(question, at) is None:
        return None
    return _with_tail(f"how many{words}{'' if of is None else of[0]} {before}", question, at)


def _with_tail(phrase: str, question: str, at: int) -> _Asked:
    tail = _tail(question, at)
    return _Asked(f"{phrase}{tail}", at + len(tail))


def _things(question: str, at: int) -> str | None:
    """Return the words for what a number counts, ` red apples`; `None` where it counts nothing."""
    unit = _UNIT.match(question, at)
    noun = phrase_at(question, at)
    if noun is not None and (unit is None or noun.end <= unit.end()):
        return question[at : noun.end]
    return None if unit is None else unit[0]


def _as_subject(question: str, number: NumberMention) -> str | None:
    """Return `how many people decided to have a snack` for a number that begins the subject of its clause."""
    sentence = next((part for part in sentences_of(question) if part.start <= number.start < part.end), None)
    start = 0 if sentence is None else sentence.start
    before = question[start : number.start]
    bounds = [0, *(match.end() for match in _BOUNDARY.finditer(before))]
    lead = before[bounds[-1] :].strip().lower()
    if lead not in {"", "also", "then", "only", "about", "another"} or _is_money(question, number):
        return None
    at = number.end
    if percent := _PERCENT.match(question, at) or number.text.endswith("%"):
        at = percent.end() if isinstance(percent, re.Match) else at
        what = "what percentage"
    elif _is_share(number):
        what = "what part"
    else:
        things = _things(question, at)
        if things is None:
            return None
        what, at = f"how many{things}", at + len(things)
    if what.startswith("what"):
        of = re.compile(r" of (?:(?:the|his|her|their|its|all|those|these) )?(?:[a-z-]+ ){0,2}?[a-z-]+(?= )").match(
            question, at
        )
        if of is None:
            return None
        for word in _WORD.finditer(question, at + 4):
            if _verb(f"x {word[0]}") is not None:
                what, at = what + question[at : word.start()].rstrip(), word.start() - 1
                break
        else:
            return None
    rest = _STOP.search(question, at)
    words = question[at : len(question) if rest is None else rest.start()].rstrip()
    first = _WORD.match(words.lstrip())
    if (
        first is None
        or _verb(f"x {first[0]}") is None
        or mentions(words)
        or len(words.split()) > MOST_TAIL + 2
        or "," in what
    ):
        return None
    return f"{what}{words}"


def _of_share(what: str, question: str, at: int, before: str) -> _Asked | None:
    if re.match(r" (?:as|more|less|times|heavier|than)\b|-", question[at:]):
        return None
    of = _OF.match(question, at)
    if of is not None:
        return _with_tail(f"{what}{of[0]} {before}", question, of.end())
    if not _ends(question, at) and _STARTS.match(question, at) is None:
        return None
    return _with_tail(f"{what} {before}", question, at)


def _ends(text: str, at: int) -> bool:
    return _STOP.match(text, at) is not None


def _is_money(question: str, number: NumberMention) -> bool:
    return number.text.startswith("$") or _DOLLAR_BEFORE.search(question[: number.start]) is not None


def _is_share(number: NumberMention) -> bool:
    return 0 < number.readings[0] < 1 and not number.text.startswith(".")


def _tail(question: str, at: int) -> str:
    """Return the words after what is counted up to the end of the clause, empty where they are many or hold a number."""
    stop = _STOP.search(question, at)
    words = question[at : len(question) if stop is None else stop.start()].rstrip()
    if len(words.split()) > MOST_TAIL or mentions(words) or _verb(words) is not None:
        return ""
    # Of `in that time` the phrase would keep `in` alone.
    cut = stop is not None and stop[0].strip()[:1].isalpha()
    return _without_loose_end(words) if cut else words


def _without_loose_end(words: str) -> str:
    """Return words without the prepositions that they end with."""
    while (parts := words.rpartition(" "))[1] and parts[2] in _PREPOSITIONS:
        words = parts[0]
    return words


def _counted(question: str, number: NumberMention) -> str | None:
    """Return `how many NOUNS there are` for what a number counts where its clause says nothing plain of it, `one of the numbers of NOUNS` where another number counts them, too."""
    if _is_money(question, number) or _is_share(number) or _PERCENT.match(question, number.end):
        return None
    noun = phrase_at(question, number.end)
    if noun is None or not (noun.closed or _ends(question, noun.end)) or noun.noun in TIMES | MEASURES | _NO_THINGS:
        return None
    words = question[number.end : noun.end]
    of = _OF.match(question, noun.end)
    things = f"{words}{'' if of is None else of[0]}"
    if any(other != number and _counts_too(question, other, noun.noun) for other in mentions(question)):
        return None if words.split()[0] in {"more", "fewer", "less"} else f"{ONE_OF_NUMBERS}{things}"
    at = noun.end if of is None else of.end()
    place = re.compile(r"(?: (?:in|on|per|for) (?:the|each|every|a|an|one) [a-z-]+| per [a-z]+)\b").match(question, at)
    return f"how many{things} there are{'' if place is None else place[0]}"


def _counts_too(question: str, other: NumberMention, noun: str) -> bool:
    phrase = phrase_at(question, other.end)
    return phrase is not None and singular_noun(phrase.noun) == singular_noun(noun)


_NO_THINGS = frozenset({"time", "percent", "dollar", "cent", "way"})
