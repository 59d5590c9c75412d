"""Underspecified variants that lose a clause with a needed value; the rest is still a complete sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from random import Random

from generators.variants.question.clauses import RemovableClause, clauses_around, condition_of
from generators.variants.question.input_places import NumberPlace
from generators.variants.question.question_edit import EditedQuestion
from generators.variants.question.vague_context import NumberContext
from generators.variants.removal.dispensable_statements import QuestionStatement
from generators.variants.removal.irrelevant_text import padding_clauses, padding_sentences, removal
from generators.variants.removal.recoverability import recovery_reason
from generators.variants.removal.statement_moves import StatementMove, clause_as_sentence, condition_as_sentence
from generators.variants.removal.underspecification import is_factor, is_repetition_count, system_without, witnesses
from generators.variants.variant_operator import VariantExample, variant_operator
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantProposal, VariantResult
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from harness.text.noun_phrases import phrase_at
from harness.text.units import TIMES

NAME = "removed_clause"
MOST = 2
MOVED = 0.8
EXAMPLES = (
    VariantExample(
        "# L1\nboxes = 4  # 4 boxes\nper_box = 6  # with 6 mugs in each box\nmugs = boxes * per_box\n"
        "# L2\nbroken = 5  # 5 mugs broke\nleft = mugs - broken",
        "Petra buys 4 boxes with 6 mugs in each box at the market. On the way, 5 mugs break. How many mugs are whole?",
        (
            "Petra buys 4 boxes at the market. On the way, 5 mugs break. How many mugs are whole?",
            "Petra buys 4 boxes with 6 mugs in each box. On the way, 5 mugs break. How many mugs are whole?",
        ),
    ),
)
_RATES = re.compile(
    r"\b(?:per|each|every|daily|weekly|monthly|yearly|hourly|(?:an?|one) (?:hour|day|week|month|year|minute|night))\b",
    re.IGNORECASE,
)


@variant_operator(NAME, problem_class=ProblemClass.UNDERSPECIFIED, examples=EXAMPLES)
def removed_clause(subject: VariantSubject, random: Random) -> Iterable[VariantResult]:
    """Remove a clause that carries a needed value; the near-twin says it elsewhere, or loses one that carries nothing."""
    removals = [*_conditions(subject), *_carrying(subject)]
    random.shuffle(removals)
    changed: set[NumberPlace] = set()
    for clause, place, move in removals:
        if place in changed or len(changed) == MOST:
            continue
        variant = _variant(subject, clause, place)
        yield variant
        if isinstance(variant, VariantProposal):
            yield from _twin(variant, clause, move or clause_as_sentence(subject.question, clause, place), random)
            changed.add(place)


def _carrying(subject: VariantSubject) -> Iterator[tuple[RemovableClause, NumberPlace, StatementMove | None]]:
    question = subject.question
    for place in question.places:
        sentence = question.sentence_at(place.start)
        if sentence is not None and "respectively" not in sentence.text:
            for clause in clauses_around(NumberContext(question.text, place)):
                if clause.start >= sentence.start and not (sentence.asks and clause.noun in TIMES):
                    yield clause, place, None


def _conditions(subject: VariantSubject) -> Iterator[tuple[RemovableClause, NumberPlace, StatementMove | None]]:
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
        factor = is_factor(subject, inside[0], inside) and not is_repetition_count(subject, inside[0])
        if whole and statement.missed(factor=factor):
            phrase = phrase_at(question.text, inside[0].end)
            noun, left = "" if phrase is None else phrase.noun, condition.asked[0] if condition.leads else ""
            clause = RemovableClause(condition.start, condition.end + condition.leads, left, noun)
            yield clause, inside[0], condition_as_sentence(question, sentence, condition)


def _variant(subject: VariantSubject, clause: RemovableClause, place: NumberPlace) -> VariantResult:
    question = subject.question
    what = question.text[clause.start : clause.end]
    if place.value == 1:
        return DiscardedVariant(NAME, what, VariantDiscard.RECOVERABLE, "one is what goes without saying")
    if sum(clause.start < mention.end and mention.start < clause.end for mention in question.mentions) != 1:
        return DiscardedVariant(NAME, what, VariantDiscard.UNLOCATED, "it holds another number, too")
    recovery = recovery_reason(subject, place, clause.noun if clause.noun != "dollar" else "")
    if recovery:
        return DiscardedVariant(NAME, what, VariantDiscard.RECOVERABLE, recovery)
    asked = " ".join(sentence.text for sentence in question.sentences if sentence.asks)
    if clause.noun in TIMES and (not is_factor(subject, place, [place]) or _RATES.search(asked.replace(what, ""))):
        return DiscardedVariant(NAME, what, VariantDiscard.RECOVERABLE, "nobody would miss it")
    edits = (clause.edit(question.text),)
    system = system_without(subject, EditedQuestion(question.text, edits), frozenset(place.variables))
    values = witnesses(subject, system, [place]) if system is not None else ()
    if system is None or not values:
        return DiscardedVariant(NAME, what, VariantDiscard.SAME_ANSWER)
    return VariantProposal(subject, NAME, ProblemClass.UNDERSPECIFIED, edits, system, witnesses=values)


def _twin(
    variant: VariantProposal, clause: RemovableClause, move: StatementMove | None, random: Random
) -> Iterator[VariantProposal]:
    subject, question = variant.subject, variant.subject.question
    idle = list(padding_clauses(question)) or [
        removal(question.text, sentence) for sentence in padding_sentences(question)
    ]
    if move is not None and (not idle or random.random() < MOVED):
        edited, system = move.edited, move.system(subject)
    elif idle:
        random.shuffle(idle)
        length = clause.end - clause.start
        chosen = min(idle, key=lambda removed: abs(removed.end - removed.start - length))
        edited = EditedQuestion(question.text, (chosen.edit(question.text),))
        system = system_without(subject, edited, frozenset())
    else:
        return
    if system is not None:
        yield VariantProposal(subject, NAME, ProblemClass.SOLVABLE, edited.edits, system, twin=variant.text)
