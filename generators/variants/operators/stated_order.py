"""Contradictory variants that state which of two amounts is the greater, `Ben has more cards than Ann`, the wrong way round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from generators.variants.question.question_edit import EditedQuestion
from generators.variants.question.references import refers
from generators.variants.text.insertion import asks
from generators.variants.text.quantity_statements import WrittenSentence
from generators.variants.text.stated_facts import InsertionPoint
from generators.variants.variant_operator import VariantExample, variant_operator
from generators.variants.variant_proposal import (
    DiscardedVariant,
    VariantDiscard,
    VariantProposal,
    VariantResult,
    first_variants,
)
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Bound, BoundKind, ProblemClass
from harness.program import ir
from harness.text.order_statements import ORDER, Amount, amounts_of, order_told
from harness.text.sentences import Sentence, sentences_of

NAME = "stated_order"
MOST = 2
_TOLD = "Ben has 12 cards. Ann has twice as many cards as Ben. {} Each card costs $3. What do all the cards cost?"


@dataclass(frozen=True, slots=True)
class _Order:
    """The amounts of two holders that are complete after a sentence, and their variables."""

    sentence: Sentence
    told: Sequence[Amount]
    variables: dict[str, str]


@variant_operator(
    NAME,
    problem_class=ProblemClass.CONTRADICTORY,
    examples=(
        VariantExample(
            "# L1\nben = 12 # Ben has 12 cards\ntimes = 2 # twice as many\nann = ben * times\n"
            "# L2\nall_cards = ben + ann\n# L3\nprice = 3 # 3 dollars a card\ncost = all_cards * price",
            _TOLD.format("").replace("  ", " "),
            (_TOLD.format("Ben has more cards than Ann."), _TOLD.format("Ann has fewer cards than Ben.")),
        ),
    ),
)
def stated_order(subject: VariantSubject, random: Random) -> Iterator[VariantResult]:
    """State the order of two amounts of one kind, once the wrong way round and once as it is."""
    orders = list(_orders(subject))
    yield from first_variants((_variants(subject, order, random) for order in orders), MOST)
    if not orders:
        yield DiscardedVariant(NAME, subject.source.final, VariantDiscard.NO_PLACE)


def _orders(subject: VariantSubject) -> Iterator[_Order]:
    """Yield the amounts of two holders in sentences; both are variables with different values."""
    amounts = amounts_of(subject.question.text)
    for sentence in subject.question.sentences:
        following = next((other.text for other in subject.question.sentences if other.start >= sentence.end), "")
        if asks(sentence) or not sentence.text.endswith(".") or refers(following):
            continue
        own = [amount for amount in amounts if sentence.start <= amount.start < sentence.end]
        before = [amount for amount in amounts if amount.start < sentence.end]
        pairs = [frozenset({amount.holder, other}) for amount in own if (other := amount.other) is not None]
        pairs += [
            frozenset({amount.holder, first.holder})
            for amount in own
            for first in before
            if first.start < amount.start and first.scale == amount.scale and first.holder != amount.holder
        ]
        for holders in dict.fromkeys(pairs):
            scales = [amount.scale for amount in own if amount.holder in holders]
            told = order_told(subject.question.text, sentence.end, scales[:1], holders)
            variables = _variables(subject, told)
            if len(variables) == len(holders):
                yield _Order(sentence, told, variables)


def _variables(subject: VariantSubject, told: Sequence[Amount]) -> dict[str, str]:
    """Return the variables of the amounts of two holders, whose values differ; none where they cannot be told."""
    places: dict[str, Sequence[str]] = {}
    for amount in told:
        start, end = amount.number
        place = next((place for place in subject.question.places if place.start < end and start < place.end), None)
        places[amount.holder] = () if place is None else place.variables
    if not told or not all(places.values()):
        return {}
    if told[0].other is None:
        variables = {holder: names[0] for holder, names in places.items()}
    else:
        compared = _compared(subject, told[0], places[told[0].holder])
        variables = {} if compared is None else {told[0].holder: compared[0], told[0].other: compared[1]}
    values = {subject.values[name] for name in variables.values()}
    return variables if len(values) == len(variables) else {}


def _compared(subject: VariantSubject, amount: Amount, names: Sequence[str]) -> tuple[str, str] | None:
    """Return the variables of an amount and of the one that it is compared with, by what is worked out with the number."""
    values = subject.values
    for entry in subject.source.steps:
        match subject.source.expression(entry.variable):
            case ir.Binary(_, ir.Name(left), ir.Name(right)) if (left in names) is not (right in names):
                first, second = entry.variable, right if left in names else left
            case _:
                continue
        for holder, other in ((first, second), (second, first)):
            if amount.times:
                fits = any(values[holder] == values[other] * reading for reading in amount.readings[:1])
            else:
                difference = values[other] - values[holder] if amount.less else values[holder] - values[other]
                fits = difference in amount.readings
            if fits:
                return holder, other
    return None


def _variants(subject: VariantSubject, order: _Order, random: Random) -> list[VariantProposal]:
    """Return the problem that states an order the wrong way round, and the near-twin that names the two as they are."""
    scale = order.told[0].scale
    more, less = sorted(order.variables, key=lambda holder: subject.values[order.variables[holder]], reverse=True)
    greater = random.choice((True, False))
    comparative = scale.comparative(greater=greater)

    def proposal(problem_class: ProblemClass, first: str, second: str) -> VariantProposal:
        text = f"{first[0].upper()}{first[1:]} {comparative} {second}."
        edit = InsertionPoint.behind(order.sentence).edit(WrittenSentence(text, 0, 0))
        edited = EditedQuestion(subject.question.text, (edit,))
        start, _ = edited.inserted(edit, 1, 1)
        words = next(sentence.text for sentence in sentences_of(edited.text) if sentence.start <= start < sentence.end)
        lesser, most = (second, first) if greater else (first, second)
        bound = Bound(
            f"{ORDER}:{order.variables[lesser]}",
            order.variables[lesser],
            BoundKind.AT_MOST,
            words,
            order.variables[most],
        )
        system = replace(
            subject.system,
            facts=tuple(map(edited.moved_fact, subject.system.facts)),
            bounds=(*subject.system.bounds, bound),
        )
        clash = (bound.name,) if problem_class is ProblemClass.CONTRADICTORY else ()
        return VariantProposal(subject, NAME, problem_class, (edit,), system, clash=clash)

    right, wrong = ((more, less), (less, more)) if greater else ((less, more), (more, less))
    variant = proposal(ProblemClass.CONTRADICTORY, *wrong)
    return [variant, replace(proposal(ProblemClass.SOLVABLE, *right), twin=variant.text)]
