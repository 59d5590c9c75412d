"""Statements of a problem's intermediate results, each with the place of the question where it can stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from generators.variants.question.allowed_words import stems, strange_names, unknown_words
from generators.variants.question.input_places import LocatedQuestion
from generators.variants.text.insertion import (
    asks,
    can_follow,
    inputs_below,
    is_already_stated,
    mentions_of,
    names_period,
    prices_many,
    spans_time,
)
from generators.variants.text.lower_case import lowered
from generators.variants.text.quantity_statements import QuantityStatement, statements_of
from generators.variants.text.stated_facts import InsertionPoint
from generators.variants.text.summary_statements import summary_of
from generators.variants.variant_proposal import VariantDiscard
from generators.variants.variant_source import VariantSubject
from harness.text.numbers import NumberMention
from harness.text.sentences import Sentence

_BEGUN = re.compile(
    r"(?:If|When|Assuming|Suppose|Given) .+?(?=, (?:then )?(?:how|what|by how|calculate|find|determine)\b)"
)
_ENDED = re.compile(r"(?:How|What|Calculate|Find|Determine)\b[^?,]*? (?:if|when) [^?]+(?=[?.]$)")
_UNIT = re.compile(r"^ [A-Za-z]+")
_DANGLING = re.compile(r"\b(?:more|less|fewer)(?: for [^.]*)?\.$")
"""A comparison with nothing: `He ran 9 miles more.`"""
_LINKED = ", and "


@dataclass(frozen=True, slots=True)
class PlacedStatement:
    """A statement and the place where it can be put in."""

    statement: QuantityStatement
    point: InsertionPoint


@dataclass(frozen=True, slots=True)
class UnplacedStatement:
    """Why a statement of a variable has no place."""

    variable: str
    discard: VariantDiscard
    detail: str = ""


def placed_statements(subject: VariantSubject) -> list[PlacedStatement | UnplacedStatement]:
    """Return statements of the intermediate results, in order: in the words of the solution, else as a summary."""
    told = {statement.variable: statement for statement in statements_of(subject.source)}
    known = stems(subject.question.text)
    placed: list[PlacedStatement | UnplacedStatement] = []
    for entry in subject.source.steps:
        name = entry.variable
        if name == subject.source.final:
            continue
        result = _placed(subject, told[name], known) if name in told else None
        summary = None if isinstance(result, PlacedStatement) else _summed_up(subject, name)
        placed += [part for part in (summary or result,) if part is not None]
    return placed


def _placed(
    subject: VariantSubject, statement: QuantityStatement, known: frozenset[str]
) -> PlacedStatement | UnplacedStatement:
    name = statement.variable
    words = statement.before + statement.after
    unknown = unknown_words(words, known) or strange_names(words, subject.question.text)
    if unknown or _DANGLING.search(statement.after):
        return UnplacedStatement(name, VariantDiscard.GRAMMAR, unknown[0] if unknown else statement.after)
    given = mentions_of(subject, inputs_below(subject, name))
    conditions = _conditions(subject.question)
    told = _completing(subject.question, conditions, given) if given else None
    right = statement.write(statement.value)
    if given is None or told is None or right is None:
        return UnplacedStatement(name, VariantDiscard.UNLOCATED)
    if not can_follow(subject.question, told, right.text, given):
        return UnplacedStatement(name, VariantDiscard.NO_PLACE, right.text)
    vague = spans_time(subject, name) and not names_period(f"{statement.before} {_UNIT.sub('', statement.after)}")
    if vague or is_already_stated(subject.question, right.text) or prices_many(subject, name, right.text):
        return UnplacedStatement(name, VariantDiscard.STALE, right.text)
    if told not in conditions:
        return PlacedStatement(statement, InsertionPoint.behind(told))
    before = lowered(statement.before, subject.question)
    if before is None or not statement.after.endswith("."):
        return UnplacedStatement(name, VariantDiscard.GRAMMAR, right.text)
    clause = replace(statement, before=before, after=statement.after.removesuffix("."))
    return PlacedStatement(clause, InsertionPoint(told.end, _LINKED))


def _conditions(question: LocatedQuestion) -> list[Sentence]:
    """Return the questions up to the end of their conditions."""
    return [condition for sentence in question.sentences if (condition := _condition(sentence)) is not None]


def _completing(
    question: LocatedQuestion, conditions: Sequence[Sentence], given: Sequence[Sequence[NumberMention]]
) -> Sentence | None:
    """Return the sentence that completes what is given, the condition of the question where that does; `None` where neither does."""
    sentences = [sentence for sentence in question.sentences if not asks(sentence)]
    last: list[Sentence] = []
    for mentions in given:
        holding = _holding(sentences, mentions) or _holding(conditions, mentions)
        if not holding:
            return None
        last.append(max(holding, key=_start))
    completing = max(last, key=_start)
    return completing if completing in conditions or completing.text.endswith((".", "!")) else None


def _holding(places: Sequence[Sentence], mentions: Sequence[NumberMention]) -> list[Sentence]:
    """Return the sentences that hold one of some numbers."""
    return [place for place in places if any(place.start <= mention.start < place.end for mention in mentions)]


def _condition(sentence: Sentence) -> Sentence | None:
    """Return a question up to the end of its condition, `If he buys 5 apples` or `How much …  if he buys 5 apples`."""
    match = _BEGUN.match(sentence.text) or _ENDED.match(sentence.text)
    if match is None or not asks(sentence):
        return None
    return Sentence(sentence.start, sentence.start + match.end(), match[0])


def _start(sentence: Sentence) -> int:
    return sentence.start


def _summed_up(subject: VariantSubject, variable: str) -> PlacedStatement | None:
    """Return a summary of a result after the sentence that completes its numbers, `None` where it would be heard otherwise."""
    given = mentions_of(subject, inputs_below(subject, variable))
    told = _completing(subject.question, (), given) if given else None
    if given is None or told is None:
        return None
    summary = summary_of(subject, variable, told, given)
    return None if summary is None else PlacedStatement(summary, InsertionPoint.behind(told))
