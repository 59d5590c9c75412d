"""Statements of a question, whether the rest still reads well without one, and whether a reader would miss it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from generators.variants.question.references import refers
from harness.text.lexicon import word_lists
from harness.text.nouns import FUNCTION_WORDS, singular_noun
from harness.text.sentences import sentences_of
from harness.text.units import CALENDAR_NAMES, MEASURES, TIMES

_LISTS = word_lists(__file__)

_HEADLESS = re.compile(rf"(?:\d|[$]|(?:{_LISTS.either('headless')})\b)")
_DEFINITE = re.compile(r"(?:The|His|Her|Their|It|He|She|They)\b")
_KNOWN_THING = re.compile(r"\b(?:the|that|of his|of her) ([a-z]+)(?: ([a-z]+))?", re.IGNORECASE)
_POINTING = re.compile(
    r"\b(?:these|those|such|that (?:many|much|amount|number)|the same|former|latter|above|mentioned)\b", re.IGNORECASE
)
_PERSON = re.compile(r"\b(?:he|she|his|her|him|hers|they|them|their)\b", re.IGNORECASE)
TITLES = frozenset({"Mr", "Mrs", "Ms", "Dr", "Miss"})
_COMPARISON = re.compile(
    rf"\b(?:(?P<as>(?:twice|thrice|half|times|third|quarter|fourth|fifth) as (?:much|many|[a-z]+))|(?:\d|\b(?:{_LISTS.either('amounts')}))(?: [a-z]+)? (?:{_LISTS.either('comparatives')}))\b"
)
_NUMBER = re.compile(rf"\d|\b(?:{_LISTS.either('numbers')})\b", re.IGNORECASE)
_CLOSED = re.compile(r"\s*(?:$|[,;]| and\b| but\b)")
_NAME = re.compile(r"\b[A-Z][a-z]+\b")
_NO_NAMES = CALENDAR_NAMES | _LISTS.words("no_names")
_STATE = f"(?:{_LISTS.either('state')})"
_STATEMENT = re.compile(
    rf"(?:(?P<determiner>[Ee]ach|[Ee]very|[Oo]ne|[Aa]n?|[Tt]he|[Hh]is|[Hh]er|[Tt]heir) "
    rf"(?P<words>(?:[a-z][\w'’-]* ){{0,4}}?[a-z][\w'’-]*)|(?P<bare>[A-Za-z][a-z]+s)|(?P<name>(?:(?:Mr|Mrs|Ms|Dr)\. )?[A-Z][a-z]+(?: [A-Z][a-z]+)?)) (?P<verb>{_STATE})\b"
)
_RATE = re.compile(
    r"(?P<who>(?:(?:Mr|Mrs|Ms|Dr)\. )?[A-Z][a-z]+|[Hh]e|[Ss]he|[Tt]hey|[Ii]t)(?: (?:can|will|only|usually|always|normally|then))* "
    r"(?P<verb>[a-z]+)\b|There (?:are|is|were|was)\b"
)
_RATES = re.compile(
    rf"\b(?:each|every|per|apiece|(?:an?|one) (?:{_LISTS.either('rates')})|daily|weekly|monthly|yearly|hourly|annually)\b|^(?:An?|One|Each|Every|[Ee]ach|[Ee]very|a|an|one) ",
)
_PRICED = re.compile(r"(?:costs?|sells? for|sold for|weighs?|weighed)$")
_PREDICATE_WORDS = 3
_SHARE = re.compile(
    r"\d+(?:%| percent\b|/\d+)|(?:[Aa] |One[ -])?(?:[Hh]alf|[Tt]hird|[Qq]uarter|[Ff]ourth|[Ff]ifth)s?\b"
)
_WORTH = re.compile(r"\b(?:worth|value|price)\b")
_SPENDING = re.compile(r"\b(?:spent|spends|spend|paid|pays|invested|invests|costs?)\b[^.?!]*\$|\$[^.?!]*\bcosts?\b")
_COSTING = re.compile(r"\b(?:spen[dt]s?|pa(?:id|ys?)|invest(?:s|ed)?|costs?|bought|buys?|expenses?)\b")
_CHANGES = f"(?:{_LISTS.either('changes')})"
_STATES = re.compile(r"(?:costs?|weighs?|weighed|is|was|has|had|have|are|were)$")


@dataclass(frozen=True)
class QuestionStatement:
    """A statement of a question, a sentence or a condition's clause, and the text before and after it."""

    before: str
    words: str
    behind: str

    @cached_property
    def rest(self) -> str:
        """Return the question without the statement."""
        return f"{self.before} {self.behind}"

    @cached_property
    def leaves_whole(self) -> bool:
        """Tell whether nothing in the rest seems to refer to what only the statement told."""
        following = sentences_of(self.behind)
        if not following or refers(self.behind) or _POINTING.search(self.behind) or compares_back(following[0].text):
            return False
        if _HEADLESS.match(following[0].text) or (not self.before.strip() and _DEFINITE.match(following[0].text)):
            return False
        new_names = names_of(self.words) - names_of(self.before)
        if _PERSON.search(self.behind) and (new_names or not names_of(self.before)):
            return False
        return self.keeps_its_things

    @cached_property
    def keeps_its_things(self) -> bool:
        """Tell whether the rest speaks of no thing with `the` that only the statement introduced."""
        new = {stem(word) for word in _words(self.words)} - {stem(word) for word in _words(self.before)}
        return not (new - _definite(self.words)) & _definite(self.behind)

    @cached_property
    def rate(self) -> bool:
        """Tell whether it says how much there is of one thing for each of another."""
        return _RATES.search(self.words) is not None

    def missed(self, *, factor: bool) -> bool:
        """Tell whether a reader of the rest must ask for the statement's value; `factor` if it multiplies another.

        A rate is missed where the text still mentions its things. A state is missed where its owner is still compared
        with, or asked about, and nothing else is said of it.
        """
        if self._spends_of_profit() or self._worth_of_change() or self._share_of_asked():
            return True
        rest = {stem(word) for word in _words(self.rest)}
        own = {stem(word) for word in _words(self.words)}
        match, rate = _STATEMENT.match(self.words), _RATE.match(self.words)
        if match is not None and match["name"] is None:
            head = stem(match["bare"] or match["words"].split()[-1])
            if head not in rest or (head in MEASURES | TIMES and "$" not in self.words):
                return False
            state = _STATES.match(match["verb"]) is not None
            priced = _PRICED.match(match["verb"]) is not None
            if priced and factor and (match["bare"] is not None or self.rate):
                return True
            return (
                (self.rate and factor)
                or (state and self._asked(rf"(?:{re.escape(head)}\w*)"))
                or (state and " " in (match["words"] or "") and self._asked(re.escape(match["words"])))
                or (priced and self._bought(head))
            )
        if rate is not None and self.rate and factor:
            named = rate["who"] is None or not rate["who"][0].isupper() or rate["who"] in self.rest
            return len(own & rest) >= 2 and (named or rate["who"] in {"He", "She", "They", "It"})
        if match is None and self.rate and factor and not self.words.startswith("("):
            return len(own & rest) >= 2
        if match is None or _STATES.match(match["verb"]) is None:
            who = _NAME.match(self.words)
            return who is not None and who.group() in names_of(self.words) and self._compared(who.group())
        return self._asked(re.escape(match["name"]))

    def _spends_of_profit(self) -> bool:
        """Tell whether it is the only one to say what was spent, where a profit is asked for."""
        asking = " ".join(sentence.text for sentence in sentences_of(self.behind) if sentence.asks)
        spent = _SPENDING.search(self.words) is not None and self.words.count("$") == 1
        return spent and "profit" in asking.lower() and _COSTING.search(self.rest) is None

    def _worth_of_change(self) -> bool:
        """Tell whether it is the only one to give a price, of which the rest says by how many per cent it changes."""
        asking = " ".join(sentence.text for sentence in sentences_of(self.behind) if sentence.asks)
        priced = _SPENDING.search(self.words) is not None and self.words.count("$") == 1
        return priced and "$" not in self.rest and "%" in self.rest and _WORTH.search(asking) is not None

    def _share_of_asked(self) -> bool:
        """Tell whether it says which share of something does what the question alone asks about, in the same words."""
        if _SHARE.match(self.words) is None:
            return False
        asking = " ".join(sentence.text for sentence in sentences_of(self.behind) if sentence.asks).lower()
        predicate = " ".join(self.words.lower().rstrip(". ").split()[-_PREDICATE_WORDS:])
        return predicate in asking and self.rest.lower().count(predicate) == 1

    def _bought(self, head: str) -> bool:
        """Tell whether the rest says that somebody buys the thing whose price the statement gives."""
        return re.search(rf"\b(?:{_LISTS.either('buying')})\b[^.?!]*\b{re.escape(head)}", self.rest) is not None

    def _asked(self, owner: str) -> bool:
        """Tell whether the owner of a state is compared with or asked about, and begins no other statement."""
        begins = re.compile(rf"(?:The |His |Her |A |An |If )?(?:[a-z]+ )?{owner}\b")
        if any(begins.match(sentence.text) for sentence in sentences_of(self.rest)):
            return False
        if re.search(rf"\b{owner} (?:then |also |later |already )?{_CHANGES}\b", self.rest):
            return False
        if self._compared(owner):
            return True
        asking = (sentence.text for sentence in sentences_of(self.behind) if sentence.asks)
        return any(re.search(rf"\b{owner}\b", text) for text in asking)

    def _compared(self, owner: str) -> bool:
        """Tell whether something is compared with an owner of whom no other statement is made."""
        begins = re.compile(rf"(?:The |His |Her |A |An |If )?(?:[a-z]+ )?{owner}\b")
        return not any(begins.match(sentence.text) for sentence in sentences_of(self.rest)) and bool(
            re.search(rf"\b(?:than|as|of)(?: the| a| an| his| her| their| what)?(?: [a-z]+)? {owner}\b", self.rest)
        )


def _definite(words: str) -> set[str]:
    """Return the stems of the words after `the` and `that`, by which things are meant that are known already."""
    return {stem(word) for match in _KNOWN_THING.finditer(words) for word in match.groups() if word}


def compares_back(words: str) -> bool:
    """Tell whether words compare with something that they do not name: `costs $2 less`, `takes twice as much jade and …`."""
    for match in _COMPARISON.finditer(words):
        if _NUMBER.search(words[: match.start()]):
            continue
        rest = re.split(r"[.?!;]", words[match.end() :])[0]
        joint = " as " if match["as"] else " than "
        if joint not in f" {rest} " and (match["as"] or _CLOSED.match(rest)):
            return True
    return False


def owner_of(words: str) -> str:
    """Return the subject whose state a statement gives, an empty text where it tells an event."""
    match = _STATEMENT.match(words)
    return "" if match is None else match["name"] or stem(match["bare"] or match["words"].split()[-1])


def names_of(text: str) -> set[str]:
    """Return the words that look like proper names."""
    return {match.group() for match in _NAME.finditer(text) if match.group().lower() not in _NO_NAMES}


def stem(word: str) -> str:
    """Return a lower-case word without the endings of plural and possession."""
    return singular_noun(re.sub(r"['’]s?$", "", word.lower()))


def _words(text: str) -> set[str]:
    words = re.findall(r"[A-Za-z][\w'’-]+", text)
    return {word for word in words if word.lower() not in FUNCTION_WORDS and len(word) > 2}
