"""Contradictory variants that reverse an order which the problem states: `So Tom is older than Ann`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from generators.variants.quantity_bounds import describing_words
from generators.variants.question.allowed_words import FINITE
from generators.variants.question.input_places import NumberPlace
from generators.variants.removal.dispensable_statements import refers, stem
from generators.variants.text.stated_facts import InsertionPoint, ordered_variants
from generators.variants.variant_operator import VariantExample, variant_operator
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantResult, first_variants
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from harness.program import ir
from harness.text.lexicon import word_lists
from harness.text.sentences import Sentence, sentences_of

_LISTS = word_lists(__file__)

NAME = "reversed_order"
MOST = 2
_NO_OWNERS = _LISTS.words("no_owners")
_COMPARATIVES = _LISTS.mapping("comparatives")
_TOLD = "Ann has 12 pens. Tom has 5 more pens than Ann. {} Each pen costs $3. What do the pens of Tom cost?"
_OWNER = re.compile(
    r"(?:^|, (?:and |while |but )?| and | while | but )(?P<owner>[A-Z][a-z]+|[Tt]he (?:[a-z]+ )?[a-z]+) (?P<verb>[a-z]+) \$?$"
)
_OTHER = r"(?P<other>[A-Z][a-z]+|the (?:[a-z]+ )?[a-z]+)(?=[.;]|,? (?:and|but|while) [A-Z]|$)"
_THINGS = r"(?P<things>(?: [a-z]+){0,3}?)"
_DIFFERENCE = re.compile(
    rf"(?P<unit>(?: [a-z]+){{0,2}}?) (?P<sign>more|less|fewer|{_LISTS.either('signs')}){_THINGS} than {_OTHER}"
)
_MULTIPLE = re.compile(rf"(?: times)? as (?P<sign>many|much|{_LISTS.either('degrees')}){_THINGS} as {_OTHER}")
_FOLLOWS = re.compile(r"(?:He|She|It|They|His|Her|Its|Their|If (?:he|she|it|they)|Both|Each of)\b")


@variant_operator(
    NAME,
    problem_class=ProblemClass.CONTRADICTORY,
    examples=(
        VariantExample(
            "# L1\nann = 12 # Ann has 12 pens\nextra = 5 # 5 more pens\ntom = ann + extra\n"
            "# L2\nprice = 3 # $3\ncost = tom * price",
            "Ann has 12 pens. Tom has 5 more pens than Ann. Each pen costs $3. What do the pens of Tom cost?",
            (_TOLD.format("So Ann has more pens than Tom."), _TOLD.format("So Tom has more pens than Ann.")),
        ),
        VariantExample(
            "# L1\nann = 12 # Ann is 12 years old\nyears = 5 # 5 years younger\ntom = ann - years\n"
            "# L2\nfactor = 3 # 3 times\nida = tom * factor",
            "Ann is 12 years old. Tom is 5 years younger than Ann. Ida is 3 times as old as Tom. How old is Ida?",
            (
                "Ann is 12 years old. Tom is 5 years younger than Ann. So Ann is younger than Tom. Ida is 3 times as old as Tom. How old is Ida?",
                "Ann is 12 years old. Tom is 5 years younger than Ann. Ida is 3 times as old as Tom. So Tom is older than Ida. How old is Ida?",
            ),
        ),
    ),
)
def reversed_order(subject: VariantSubject, random: Random) -> Iterator[VariantResult]:
    """Say who of two has more, once the wrong way round."""
    found = [order for place in subject.question.places if (order := _order_at(subject, place)) is not None]
    random.shuffle(found)
    yield from first_variants((_variants(subject, order) for order in found), MOST)
    if not found:
        yield DiscardedVariant(NAME, subject.source.final, VariantDiscard.NO_PLACE)


@dataclass(frozen=True, slots=True)
class _Order:
    """What a clause says of two owners: how the first compares with the second; variables of the greater and the lesser value."""

    owner: str
    verb: str
    comparison: str
    other: str
    sentence: Sentence
    greater: str
    less: str


def _order_at(subject: VariantSubject, place: NumberPlace) -> _Order | None:
    """Return the order that the clause of a number states, `None` where it states none or it cannot be told again."""
    question = subject.question
    sentence = question.sentence_at(place.start)
    if sentence is None or sentence.asks or not sentence.text.endswith("."):
        return None
    behind = sentences_of(question.text[sentence.end :])
    if not behind or _FOLLOWS.match(behind[0].text) or refers(question.text[sentence.end :]):
        return None
    owner = _OWNER.search(question.text[sentence.start : place.start])
    rest = question.text[place.end : sentence.end]
    difference, multiple = _DIFFERENCE.match(rest), _MULTIPLE.match(rest)
    compared = difference or multiple
    if owner is None or compared is None or owner["verb"] not in FINITE or place.value in {0, 1}:
        return None
    names = owner["owner"].split()[0], compared["other"].split()[0]
    if any(name.lower() in _NO_OWNERS for name in names) or owner["owner"].lower() == compared["other"].lower():
        return None
    variables = _compared(subject, place)
    if variables is None:
        return None
    sign, things = compared["sign"], compared["things"]
    if multiple is not None:
        sign = _COMPARATIVES[sign][0 if place.value > 1 else 1]
    more = sign in _LISTS.words("increasing")
    greater, less = sorted(variables, key=subject.values.__getitem__, reverse=True)
    if subject.values[greater] == subject.values[less] or subject.values[less] <= 0:
        return None
    if things.split()[:1] == ["than"] or not _fits(subject, place, greater, less, multiple=multiple is not None):
        return None
    first, second = (greater, less) if more else (less, greater)
    if not (_is_of(subject, first, owner["owner"]) and _is_of(subject, second, compared["other"])):
        return None
    return _Order(
        owner["owner"], owner["verb"], f"{sign}{things}", compared["other"], sentence, greater=greater, less=less
    )


def _is_of(subject: VariantSubject, variable: str, owner: str) -> bool:
    """Tell whether the name of a variable, or what is said of it, names its owner."""
    entry = subject.source.trace.by_name[variable]
    told = f"{variable.replace('_', ' ')} {entry.comment} {describing_words(subject, entry)}".lower()
    return stem(owner.rsplit(maxsplit=1)[-1]) in {stem(word) for word in re.findall(r"[a-z'’]+", told)}


def _fits(subject: VariantSubject, place: NumberPlace, greater: str, less: str, *, multiple: bool) -> bool:
    """Tell whether two values differ, or are to each other, as the number says."""
    more, few = subject.values[greater], subject.values[less]
    if not multiple:
        return more - few == place.value
    return more == few * place.value or few == more * place.value


def _compared(subject: VariantSubject, place: NumberPlace) -> tuple[str, str] | None:
    """Return the two variables that the only step with a number sets in relation, `None` where that is not plain."""
    reading = [
        step for step in subject.system.steps if not {*place.variables}.isdisjoint(ir.names_in_order(step.expression))
    ]
    if len(reading) != 1 or len(place.variables) != 1:
        return None
    match reading[0].expression:
        case ir.Binary("+" | "-" | "*" | "/", ir.Name(left), ir.Name(right)) if left != right:
            other = right if left == place.variables[0] else left
            return reading[0].variable, other
    return None


def _variants(subject: VariantSubject, order: _Order) -> tuple[VariantResult, ...]:
    point = InsertionPoint.behind(order.sentence)
    right = _sentence(order.owner, order, order.other)
    wrong = _sentence(order.other, order, order.owner)
    return ordered_variants(subject, NAME, point, (order.greater, order.less), wrong=wrong, right=right)


def _sentence(one: str, order: _Order, other: str) -> str:
    low = [f"{name[0].lower()}{name[1:]}" if name.lower().startswith("the ") else name for name in (one, other)]
    return f"So {low[0]} {order.verb} {order.comparison} than {low[1]}."
