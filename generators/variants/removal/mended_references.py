"""References to a removed statement: pronouns of the rest that become the name they mean."""

from __future__ import annotations

import re

from generators.variants.question.question_edit import QuestionEdit
from generators.variants.question.references import EXPLETIVE
from generators.variants.question.vague_context import dollar_sign
from generators.variants.removal.dispensable_statements import (
    TITLES,
    QuestionStatement,
    compares_back,
    names_of,
)
from harness.text.lexicon import word_lists
from harness.text.nouns import FUNCTION_WORDS, is_plural, phrase_at
from harness.text.numbers import mentions
from harness.text.sentences import FINITE, sentences_of

_PERSON = re.compile(r"\b(?P<word>he|she|his|her|him|hers|they|them|their)\b", re.IGNORECASE)
_SEVERAL = re.compile(r"\b(?:they|them|their|theirs)\b", re.IGNORECASE)
_POINTING = re.compile(
    r"\b(?:these|those|such|that (?:many|much|amount|number)|the same|former|latter|above|mentioned)\b"
)
_TOGETHER = re.compile(r"\b(?:altogether|together|in total|in all|combined|total)\b")
_ONE = frozenset({"he", "she", "his", "her", "him", "hers"})
_GENDERS = (frozenset({"he", "his", "him"}), frozenset({"she", "her", "hers"}))
_HEADLESS = re.compile(
    r"(?:\d|[$]|(?:Half|Two|Three|Some|Of|Most|Many|None|Another|The other|The rest|The remaining)\b)"
)
_THINGS = re.compile(rf"\b(?:{word_lists(__file__).either('things')})\b", re.IGNORECASE)


def mending(text: str, start: int, end: int) -> tuple[QuestionEdit, ...] | None:
    """Return the edits that a question needs once the words from `start` to `end` are gone, `None` where it cannot be mended.

    A pronoun that meant the only person whom the words named becomes the name.
    """
    statement = QuestionStatement(text[:start], text[start:end], text[end:])
    if statement.leaves_whole:
        return ()
    following = sentences_of(statement.behind)
    if not following or _HEADLESS.match(following[0].text) or _is_bare(following[0].text):
        return None
    if _THINGS.search(EXPLETIVE.sub("", following[0].text)) or _POINTING.search(statement.behind):
        return None
    if compares_back(following[0].text) or not _has_its_plural(statement):
        return None
    new = (names_of(statement.words) - names_of(statement.before)) - TITLES
    pronoun = _PERSON.search(statement.behind)
    if pronoun is None:
        return () if len(new) <= 1 or new <= names_of(statement.behind) else None
    if new and new <= names_of(statement.behind[: pronoun.start()]):
        return ()
    if statement.keeps_its_things and _is_answered_elsewhere(statement, pronoun, new):
        return ()
    if names_of(statement.before) or len(new) != 1:
        return None
    name = new.pop()
    if names_of(statement.behind[: pronoun.start()]):
        return None
    return _named(statement, pronoun, name, end)


def _is_answered_elsewhere(
    statement: QuestionStatement, pronoun: re.Match[str], new: frozenset[str] | set[str]
) -> bool:
    """Tell whether the first pronoun after a statement means what the rest names: the last person named before it, or all that are counted together."""
    since = statement.behind[: pronoun.start()]
    if pronoun["word"].lower() in _ONE:
        nearest = sentences_of(since)[-2:]
        return bool(names_of(statement.before)) and any(names_of(sentence.text) - new for sentence in nearest)
    asked = next((part for part in sentences_of(statement.behind) if part.start <= pronoun.start() < part.end), None)
    return not new and asked is not None and asked.asks and _TOGETHER.search(asked.text) is not None


def _has_its_plural(statement: QuestionStatement) -> bool:
    """Tell whether several things or persons are mentioned before the first plural pronoun after a statement, if there is one."""
    pronoun = _SEVERAL.search(statement.behind)
    if pronoun is None:
        return True
    told = f"{statement.before} {statement.behind[: pronoun.start()]}"
    named = {name for name in names_of(told) if name not in TITLES}
    return len(named) > 1 or any(
        is_plural(word) and word not in FINITE and word not in FUNCTION_WORDS
        for word in re.findall(r"\b[a-z]+\b", told)
    )


def _named(
    statement: QuestionStatement, pronoun: re.Match[str], name: str, end: int
) -> tuple[QuestionEdit, ...] | None:
    """Return the edit that writes a name for a pronoun, `None` where it may mean somebody else."""
    word, behind = pronoun["word"], statement.behind[pronoun.end() :]
    gender = next((words for words in _GENDERS if word.lower() in words), None)
    told = {match["word"].lower() for match in _PERSON.finditer(statement.words)}
    match = re.match(rf"(?:(?:Mr|Mrs|Ms|Dr)\. )?{name}\b(?! and )", statement.words)
    if gender is None or match is None or not told <= gender:
        return None
    name = match.group()
    owner = word.lower() == "his" or (word.lower() == "her" and _owns(behind))
    start = end + pronoun.start()
    return (QuestionEdit(start, start + len(word), word, f"{name}'s" if owner else name),)


def _owns(behind: str) -> bool:
    """Tell whether a noun follows."""
    match = re.match(r" ([a-z][\w-]*)", behind)
    return match is not None and match[1] not in FUNCTION_WORDS


def _is_bare(words: str) -> bool:
    """Tell whether a number of a sentence has no noun of its own: `She gave 5 to Tom`."""
    for number in mentions(words):
        money = dollar_sign(words, number.start) or number.text.endswith("%")
        phrase = phrase_at(words, number.end)
        if (
            not money
            and phrase is None
            and number.readings[0] >= 1
            and not re.match(r" (?:times|percent|of)\b|-", words[number.end :])
        ):
            return True
    return False
