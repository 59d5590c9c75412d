"""The comments of a program's inputs: what its author wrote, with the words of the question where those give the number."""

from __future__ import annotations

from generators.formalizations.annotation.arithmetic import CONVERSIONS
from generators.formalizations.annotation.operand_resolution import first_words
from generators.formalizations.annotation.variable_names import content_words, quote
from harness.domain import Exact
from harness.text.numbers import NumberMention, mentions
from harness.text.sentences import sentences_of


def input_comment(question: str, name: str, value: Exact, comment: str) -> str | None:
    """Return the comment of an input, `None` for world knowledge.

    A comment that does not quote the number gets the quote after it where one number of the question alone has the value, in
    a sentence that shares a word with the input.
    """
    meant = [mention for mention in mentions(question) if value in mention.readings]
    words = content_words(f"{name.replace('_', ' ')} {comment}")
    if not meant or _converts(question, value, words, meant):
        return None
    if len(meant) > 1 or any(value in mention.readings for mention in mentions(comment)):
        return comment
    mention = meant[0]
    sentence = next((each for each in sentences_of(question) if each.start <= mention.start < each.end), None)
    if comment and (sentence is None or words.isdisjoint(content_words(sentence.text))):
        return comment
    quoted = quote(question, mention.start, mention.end)
    return f"{comment}: {quoted}" if comment else quoted


def _converts(question: str, value: Exact, words: frozenset[str], meant: list[NumberMention]) -> bool:
    """Tell whether an input converts units, and no number of the question counts what its words name."""
    if CONVERSIONS.get(value, frozenset()).isdisjoint(words):
        return False
    return all(words.isdisjoint(first_words(question, mention.end)) for mention in meant)
