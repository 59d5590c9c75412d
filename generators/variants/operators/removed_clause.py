"""Underspecified variants that lose a clause with a needed value; the rest is still a complete sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from generators.variants.question.clauses import RemovableClause, clauses_around, condition_of
from generators.variants.question.input_places import NumberPlace
from generators.variants.question.question_edit import EditedQuestion, QuestionEdit
from generators.variants.question.vague_context import NumberContext
from generators.variants.removal.dispensable_statements import QuestionStatement, compares_back
from generators.variants.removal.joined_clauses import JoinedClause, joined_clauses, joined_conditions
from generators.variants.removal.near_twins import NumberLoss, variant_and_twin
from generators.variants.removal.recoverability import recovery_reason
from generators.variants.removal.relocated_numbers import led, sentence_stated, stated, words_stated
from generators.variants.removal.underspecification import is_factor, is_missed
from generators.variants.variant_operator import VariantExample, variant_operator
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantResult, twinned_first
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from harness.text.nouns import phrase_at
from harness.text.sentences import Sentence
from harness.text.units import TIMES

NAME = "removed_clause"
MOST = 2
FEWEST_WORDS = 4
"""The fewest words of a sentence without its clause: `Terry drives.` and `He tears cards.` say nothing."""
EXAMPLES = (
    VariantExample(
        "# L1\nboxes = 4  # 4 boxes\nper_box = 6  # with 6 mugs in each box\nmugs = boxes * per_box\n"
        "# L2\nbroken = 5  # 5 mugs broke\nleft = mugs - broken",
        "Petra buys 4 boxes with 6 mugs in each box at the market. On the way, 5 mugs break. How many mugs are whole?",
        (
            "Petra buys 4 boxes at the market. Note that on the way, 5 mugs break. How many mugs are whole?",
            "Petra buys 4 boxes at the market. Note that each box has 6 mugs. On the way, 5 mugs break. How many mugs are whole?",
        ),
    ),
)
_JOINT = re.compile(r"^(?:, )?(?:and |but |while )?")
_RATIO = re.compile(r"\b(?:respectively|ratio)\b")
_RATES = re.compile(
    r"\b(?:per|each|every|daily|weekly|monthly|yearly|hourly|(?:an?|one) (?:hour|day|week|month|year|minute|night))\b",
    re.IGNORECASE,
)


@variant_operator(NAME, problem_class=ProblemClass.UNDERSPECIFIED, examples=EXAMPLES)
def removed_clause(subject: VariantSubject, random: Random) -> Iterable[VariantResult]:
    """Remove a clause that carries a needed value; the near-twin states it elsewhere, the variant another one."""
    removals = [*_conditions(subject), *_joined(subject), *_carrying(subject)]
    random.shuffle(removals)
    first = {removal.place: removal for removal in reversed(removals)}
    yield from twinned_first((_results(subject, removal, random) for removal in first.values()), MOST)


@dataclass(frozen=True, slots=True)
class _Removal:
    """The edits that take a clause with a number out of a question; `noun` is what the number counts.

    `condition` is what a condition of the question says, an empty text for other clauses.
    """

    place: NumberPlace
    edits: tuple[QuestionEdit, ...]
    noun: str
    condition: tuple[int, int] | None = None

    @property
    def what(self) -> str:
        return " … ".join(edit.before for edit in self.edits)


def _carrying(subject: VariantSubject) -> Iterator[_Removal]:
    question = subject.question
    for place in question.places:
        sentence = question.sentence_at(place.start)
        if sentence is not None and "respectively" not in sentence.text:
            for clause in clauses_around(NumberContext(question.text, place)):
                rest = f"{question.text[sentence.start : clause.start]}{question.text[clause.end : sentence.end]}"
                if clause.alone or len(rest.split()) < FEWEST_WORDS:
                    continue
                if clause.start >= sentence.start and not (sentence.asks and clause.noun in TIMES):
                    yield _Removal(place, (clause.edit(question.text),), clause.noun)


def _joined(subject: VariantSubject) -> Iterator[_Removal]:
    """Yield the clauses that `and` or commas join, `…, and each box holds 6 mugs`, also those of a condition."""
    question, text = subject.question, subject.question.text
    for sentence in question.sentences:
        for clause in (joined_conditions if sentence.asks else joined_clauses)(text, sentence):
            inside = [place for place in question.places if clause.start <= place.start < clause.end]
            if len(inside) != 1 or _RATIO.search(text[clause.start : clause.end]):
                continue
            statement, rest = _without(text, sentence, clause)
            if statement.leaves_whole and not _reads_on(rest) and is_missed(subject, inside[0], statement, inside):
                phrase = phrase_at(text, inside[0].end)
                yield _Removal(inside[0], clause.edits, "" if phrase is None else phrase.noun)


def _without(text: str, sentence: Sentence, clause: JoinedClause) -> tuple[QuestionStatement, str]:
    """Return a clause as a statement, and the rest of its sentence, or of a condition and its question."""
    words = text[clause.start].upper() + text[clause.start + 1 : clause.end]
    if sentence.asks:
        rest = _JOINT.sub("", text[clause.end :], count=1)
        return QuestionStatement(text[: clause.start], words, rest), rest[:1].upper() + rest[1:]
    left = EditedQuestion(text, clause.edits)
    before, behind = left.text[: clause.edits[0].start], text[sentence.end :]
    rest = left.text[len(before) : len(left.text) - len(behind)]
    return QuestionStatement(f"{before}{rest} ", words, behind), rest


def _reads_on(rest: str) -> bool:
    """Tell whether the rest of a sentence begins with a pronoun whose noun may be removed, or compares with something removed."""
    return re.match(r"(?:He|She|It|They|His|Her|Their|Its)\b", rest) is not None or compares_back(rest)


def _conditions(subject: VariantSubject) -> Iterator[_Removal]:
    """Yield the conditions of what is asked, `If each box holds 6 mugs, …` and `… if each box holds 6 mugs?`."""
    question = subject.question
    for sentence in question.sentences:
        condition = condition_of(sentence) if sentence.asks else None
        if condition is None:
            continue
        inside = [place for place in question.places if condition.start <= place.start < condition.end]
        if len(inside) != 1:
            continue
        before, words = question.text[: sentence.start], question.text[condition.first : condition.last]
        statement = QuestionStatement(before, words, condition.asked)
        whole = statement.leaves_whole if condition.leads else bool(before.strip())
        if whole and is_missed(subject, inside[0], statement, inside):
            phrase = phrase_at(question.text, inside[0].end)
            noun, left = "" if phrase is None else phrase.noun, condition.asked[0] if condition.leads else ""
            clause = RemovableClause(condition.start, condition.end + condition.leads, left, noun)
            edits = (clause.edit(question.text),)
            yield _Removal(inside[0], edits, noun, (condition.first, condition.last))


def _results(subject: VariantSubject, removal: _Removal, random: Random) -> list[VariantResult]:
    question, place, what = subject.question, removal.place, removal.what
    if place.value == 1:
        return [DiscardedVariant(NAME, what, VariantDiscard.RECOVERABLE, "one is what goes without saying")]
    touched = [
        mention
        for mention in question.mentions
        if any(edit.start < mention.end and mention.start < edit.end for edit in removal.edits)
    ]
    if len(touched) != 1:
        return [DiscardedVariant(NAME, what, VariantDiscard.UNLOCATED, "it holds another number, too")]
    recovery = recovery_reason(subject, place, removal.noun if removal.noun != "dollar" else "")
    if recovery:
        return [DiscardedVariant(NAME, what, VariantDiscard.RECOVERABLE, recovery)]
    asked = " ".join(sentence.text for sentence in question.sentences if sentence.asks)
    if removal.noun in TIMES and (not is_factor(subject, place, [place]) or _RATES.search(asked.replace(what, ""))):
        return [DiscardedVariant(NAME, what, VariantDiscard.RECOVERABLE, "nobody would miss it")]
    own = [*stated(question, place, removal.edits), *sentence_stated(question, place, removal.edits)]
    if removal.condition is not None:
        own += words_stated(question, (place,), removal.edits, *removal.condition)
    loss = NumberLoss(NAME, (place,), removal.edits)
    return variant_and_twin(subject, loss, own, random, spare=[*led(question, place)])
