"""The sentences of a problem text, which of them asks the question, and the lists in them."""

import re
from dataclasses import dataclass

from harness.text.lexicon import english

_LISTS = english("sentences")

FINITE = _LISTS.words("finite")
"""Verbs as they stand with a subject; words that may be participles alone count where nothing else is there."""

ASKING = _LISTS.pattern("asking", r"\b", r"\b")
"""A word with which a question or a request begins, anywhere in a text."""
HOW_MANY = re.compile(r"\bhow\s+many\b", re.IGNORECASE)
_REQUEST = re.compile(rf"^(?:{_LISTS.either('request')})\b")
_REQUEST_BEHIND = re.compile(r", (?:then )?(?:calculate|find|determine|compute|estimate) (?:the|how|what)\b")
_ASKED = re.compile(r"\?[\"'”’)]*$")
_TITLE = re.compile(rf"\b(?:{_LISTS.either('title')})\.$")
_INITIAL = re.compile(r"(?:^|\b[A-Z]\.\s?|\b(?P<name>[A-Z][a-z]+)\s)[A-Z]\.$")
_OPENING = re.compile(rf"(?:{_LISTS.either('opening')})\b")
_END = re.compile(r"(?:(?<=[.?!])[\"'”’)]*+\s++|(?<=[?!])(?=[A-Z])|(?<!\s)(?=[^\S\n]*+\n)\s++)(?=\S)")
_BEGINNING = re.compile(r"[\"'“‘(]*[A-Z0-9$]")
_LONGEST_NAME = 24
_JOINED = re.compile(r"(?<=[a-z0-9)%])(?:\.{2,3}|[.?!])\s*(?=[A-Z][a-z])")
_ITEM = r"\$?\w[\w’'-]{0,40}(?: [\w’'-]{1,40}){0,4}?"
_LIST = re.compile(
    rf"(?<![\w’'$-])(?:(?:{_ITEM}, ){{1,8}}(?:(?:and|or) )?{_ITEM}(?: (?:and|or) {_ITEM})?\b"
    r"|[A-Z][\w’'-]{0,40} and [A-Z][\w’'-]{0,40}|an? [\w’'-]{1,40} and an? [\w’'-]{1,40})"
)
_LIST_JOINT = re.compile(r", (?:and |or )?| and | or ")
_QUOTE_END = re.compile(r"[.?!;](?=\s|$)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the question, without the white space around it."""

    start: int
    end: int
    text: str

    @property
    def asks(self) -> bool:
        """Tell whether it is a question or a request for the answer."""
        return any(pattern.search(self.text) is not None for pattern in (_ASKED, _REQUEST, _REQUEST_BEHIND))


def sentences_of(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a text in order; they cover the whole text except white space.

    A full stop in an abbreviation, a decimal or an initial ends no sentence; `a.m.` ends one before a capital letter.
    """
    sentences, start = [], 0
    ends = [match.end() for match in _END.finditer(text) if _is_end(text, match)]
    for end in [*ends, len(text)]:
        words = text[start:end]
        if words.strip():
            lead = len(words) - len(words.lstrip())
            sentences.append(Sentence(start + lead, start + lead + len(words.strip()), words.strip()))
        start = end
    return tuple(sentences)


def _is_end(text: str, match: re.Match[str]) -> bool:
    if "\n" in match.group():
        return True
    if _BEGINNING.match(text, match.end()) is None:
        return False
    before = text[max(0, match.start() - _LONGEST_NAME) : match.start()]
    if _TITLE.search(before):
        return False
    initial = _INITIAL.search(before)
    if initial is None or _OPENING.match(text, match.end()):
        return True
    return initial["name"] is not None and text.startswith(initial["name"], match.end())


def separated(text: str) -> str:
    """Return a text with a space between sentences that are joined: `18 friends.How many` reads `18 friends. How many`."""
    return _JOINED.sub(_separated, text)


def _separated(match: re.Match[str]) -> str:
    """Return the end of a sentence with a space after it; white space that was there is kept."""
    end = match.group().rstrip()
    return f"{end[-1]}{match.group()[len(end) :] or ' '}"


def list_lengths(text: str) -> frozenset[int]:
    """Return how many things the lists of a text have: 3 for `Ann, Bo and Cy`."""
    return frozenset(len(_LIST_JOINT.split(match[0])) for match in _LIST.finditer(text))


def quote(text: str, start: int, end: int) -> str:
    """Return the words around a number, within its sentence: what a comment quotes."""
    left = max(0, start - 120)
    left = max((match.end() for match in _QUOTE_END.finditer(text, left, start)), default=left)
    stop = _QUOTE_END.search(text, end, end + 120)
    after = text[end : stop.start() if stop else end + 120].split()[:5]
    return " ".join([*text[left:start].split()[-3:], text[start:end].strip(), *after])
