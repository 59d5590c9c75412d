"""The removal of a sentence of a question: whether the rest still reads well, and whether it refers to what is gone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from generators.variants.question.question_edit import QuestionEdit
from harness.text.lexicon import english
from harness.text.nouns import FUNCTION_WORDS, is_plural, singular_noun
from harness.text.sentences import Sentence, sentences_of
from harness.text.units import CALENDAR_NAMES

_LISTS = english("variants")
_REFERRING = re.compile(rf"\b(?:{_LISTS.either('referring')})\b", re.IGNORECASE)
_POINTING = re.compile(rf"\b(?:{_LISTS.either('pointing')})\b", re.IGNORECASE)
_EXPLETIVE = re.compile(
    r"\bit (?:takes?|took|costs?|will|would)\b|\b(?:does|did|will|would) it (?:take|cost)\b", re.IGNORECASE
)
_COMPARED = re.compile(r"\b(?:more|less|fewer|as (?:much|many)|[a-z]{3,}er)\b(?P<rest>[^.?!;,]*)")
_KNOWN_THING = re.compile(r"\b(?:the|that|this) ([a-z]+)(?: ([a-z]+))?", re.IGNORECASE)
_PERSON = re.compile(r"\b(?:he|she|his|her|him|hers|they|them|their)\b", re.IGNORECASE)
_HEADLESS = re.compile(r"(?:\d|[$]|(?:[Hh]alf|Two|Three|Four|Five|Some|Of|Most|Many|None|Another)\b)")
_NAME = re.compile(r"\b[A-Z][a-z]+\b")
_WORD = re.compile(r"[A-Za-z][\w'’-]+")
_NO_NAMES = CALENDAR_NAMES | FUNCTION_WORDS | _LISTS.words("opening")
_HOW_MANY = re.compile(r"\b(?:how many|number of) (?P<things>(?:[a-z-]+ ?){1,4})", re.IGNORECASE)


@dataclass(frozen=True)
class SentenceRemoval:
    """A question without one of its sentences."""

    text: str
    sentence: Sentence

    @property
    def edit(self) -> QuestionEdit:
        """Return the edit that takes the sentence out, with the white space after it."""
        start, end = self.sentence.start, self.sentence.end
        end += len(self.text[end:]) - len(self.text[end:].lstrip())
        return QuestionEdit(start, end, self.text[start:end], "")

    @cached_property
    def before(self) -> str:
        """Return the text before the sentence."""
        return self.text[: self.sentence.start]

    @cached_property
    def after(self) -> str:
        """Return the text after the sentence."""
        return self.text[self.sentence.end :]

    @cached_property
    def rest(self) -> str:
        """Return the text without the sentence."""
        return f"{self.before} {self.after}"

    @cached_property
    def is_referred_to(self) -> bool:
        """Tell whether the rest may refer to what only the sentence told: a thing, a person, a number, or a comparison."""
        following = sentences_of(self.after)
        if not following or _POINTING.search(self.after) or _REFERRING.search(_EXPLETIVE.sub("", following[0].text)):
            return True
        if _HEADLESS.match(following[0].text) or _compares_back(following[0].text):
            return True
        pronoun = _PERSON.search(self.after)
        if pronoun is not None:
            nearer = names_of(self.after[: pronoun.start()])
            known = nearer or names_of(self.before)
            several = pronoun[0].lower() in {"they", "them", "their"} and not nearer
            if not known or (not nearer and names_of(self.sentence.text) - names_of(self.before)):
                return True
            if several and not any(is_plural(word) for word in _WORD.findall(self.before)):
                return True
        new = _stems(self.sentence.text) - _stems(self.before)
        return bool((new - _definite(self.sentence.text)) & _definite(self.after))

    @cached_property
    def is_asked_for(self) -> bool:
        """Tell whether the question asks for a number of things that only the sentence mentions."""
        rest = sentences_of(self.rest)
        match = _HOW_MANY.search(" ".join(sentence.text for sentence in rest if sentence.asks))
        if match is None:
            return False
        nouns = [singular_noun(word) for word in match["things"].lower().split() if is_plural(word.lower())]
        told = " ".join(sentence.text.lower() for sentence in rest if not sentence.asks)
        return any(noun in self.sentence.text.lower() and noun not in told for noun in nouns)


def _compares_back(words: str) -> bool:
    """Tell whether words compare with something that they do not name: `costs $2 less`."""
    return any(
        not re.search(r"\b(?:than|as)\b", match["rest"])
        and re.search(r"\d|\b(?:as|more|less|fewer)\b", words[: match.start() + 4])
        for match in _COMPARED.finditer(words)
        if match[0].split()[0] in {"more", "less", "fewer", "as"}
    )


def _definite(words: str) -> set[str]:
    """Return the stems of the words after `the` and `that`, by which things are meant that are known already."""
    return {_stem(word) for match in _KNOWN_THING.finditer(words) for word in match.groups() if word}


def names_of(text: str) -> set[str]:
    """Return the words that look like proper names."""
    return {name for name in _NAME.findall(text) if name.lower() not in _NO_NAMES}


def _stems(text: str) -> set[str]:
    return {_stem(word) for word in _WORD.findall(text) if word.lower() not in FUNCTION_WORDS}


def _stem(word: str) -> str:
    return singular_noun(re.sub(r"['’]s?$", "", word.lower()))
