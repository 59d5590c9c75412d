"""Moves of a statement to another position in the question that keep the meaning of the question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generators.variants.question.clauses import QuestionCondition, RemovableClause
from generators.variants.question.input_places import LocatedQuestion, NumberPlace
from generators.variants.question.question_edit import EditedQuestion, QuestionEdit
from generators.variants.removal.dispensable_statements import owner_of, refers
from generators.variants.removal.irrelevant_text import removal
from generators.variants.removal.underspecification import system_without
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ConstraintSystem
from harness.text.lexicon import word_lists
from harness.text.sentences import Sentence

_LISTS = word_lists(__file__)

MOST_WORDS = 16
_LONG = re.compile(r"[,;:]|\b(?:if|when)\b", re.IGNORECASE)
_IN_ORDER = re.compile(rf"\b(?:{_LISTS.either('in_order')})\b", re.IGNORECASE)
_BEGINS = re.compile(rf"(?:{_LISTS.either('begins')})\b")


@dataclass(frozen=True)
class StatementMove:
    """A statement that stood from `start` to `end` of a question stands elsewhere after the edits."""

    edited: EditedQuestion
    start: int
    end: int
    inserted: QuestionEdit
    offset: int

    def moved(self, start: int, end: int) -> tuple[int, int] | None:
        """Return where a span of the question stands now, `None` where an edit touched it."""
        if self.start <= start and end <= self.end:
            shift = self.offset - self.start
            return self.edited.inserted(self.inserted, start + shift, end + shift)
        return self.edited.moved(start, end)

    def system(self, subject: VariantSubject) -> ConstraintSystem | None:
        """Return the constraints of the moved question: all of them, where they stand now."""
        spans = {fact.variable: self.moved(*fact.span) for fact in subject.system.facts if fact.span is not None}
        restated = {name: span for name, span in spans.items() if span is not None}
        return system_without(subject, self.edited, frozenset(), restated)


def moves(question: LocatedQuestion, sentence: Sentence) -> Iterator[StatementMove]:
    """Yield ways to say a sentence later: as a condition of what is asked, or right before it."""
    asking = [candidate for candidate in question.sentences if candidate.asks]
    words = sentence.text
    if len(asking) != 1 or asking[0].start < sentence.start:
        return
    if not words.endswith(".") or len(words.split()) > MOST_WORDS or _IN_ORDER.search(words):
        return
    asked, gone = asking[0], removal(question.text, sentence).edit(question.text)
    plain = words.removesuffix(".")
    owner = owner_of(plain)
    short = not _LONG.search(asked.text) and not _LONG.search(plain)
    if owner and owner not in asked.text and asked.text.endswith("?") and short:
        condition = plain[0].lower() + plain[1:] if _BEGINS.match(plain) else plain
        inserted = QuestionEdit(asked.end - 1, asked.end - 1, "", f" if {condition}")
        edited = EditedQuestion(question.text, (gone, inserted))
        yield StatementMove(edited, sentence.start, sentence.end, inserted, len(" if "))
    if gone.end < asked.start:
        inserted = QuestionEdit(asked.start, asked.start, "", f"{words} ")
        yield StatementMove(EditedQuestion(question.text, (gone, inserted)), sentence.start, sentence.end, inserted, 0)


def clause_as_sentence(question: LocatedQuestion, clause: RemovableClause, place: NumberPlace) -> StatementMove | None:
    """Return the question with a clause as a sentence of its own right behind, `None` where that might mislead a pronoun."""
    text, sentence = question.text, question.sentence_at(place.start)
    if not clause.again or sentence is None or sentence.asks or not sentence.text.endswith("."):
        return None
    if refers(text[sentence.end :]):
        return None
    start = place.start - (text[place.start - 1 : place.start] == "$")
    before, _, after = clause.again.partition("{}")
    inserted = QuestionEdit(sentence.end, sentence.end, "", f" {before}{text[start : place.end]}{after}")
    edited = EditedQuestion(text, (clause.edit(text), inserted))
    return StatementMove(edited, start, place.end, inserted, len(before) + 1)


def condition_as_sentence(question: LocatedQuestion, sentence: Sentence, condition: QuestionCondition) -> StatementMove:
    """Return the question with its condition as a sentence of its own."""
    text = question.text
    words = text[condition.first : condition.last]
    if condition.leads:
        (start, first), (last, end) = (condition.start, condition.first + 1), (condition.last, condition.end + 1)
        statement = QuestionEdit(start, first, text[start:first], words[0].upper())
        asked = QuestionEdit(last, end, text[last:end], f". {text[end - 1 : end].upper()}")
        return StatementMove(EditedQuestion(text, (statement, asked)), 0, 0, statement, 0)
    inserted = QuestionEdit(sentence.start, sentence.start, "", f"{words[0].upper()}{words[1:]}. ")
    gone = QuestionEdit(condition.start, condition.end, text[condition.start : condition.end], "")
    return StatementMove(EditedQuestion(text, (inserted, gone)), condition.first, condition.last, inserted, 0)
