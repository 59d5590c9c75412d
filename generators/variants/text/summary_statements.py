"""Short statements of the total of a sentence's numbers, such as `That makes 48 pens`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.variants.question.input_places import LocatedQuestion
from generators.variants.question.vague_context import dollar_sign
from generators.variants.text.quantity_statements import QuantityStatement
from generators.variants.variant_source import VariantSubject
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.text.lexicon import word_lists
from harness.text.nouns import is_plural, phrase_at, singular_noun
from harness.text.number_forms import PLAIN, NumberForm
from harness.text.numbers import NumberMention
from harness.text.sentences import Sentence

_LISTS = word_lists(__file__)

_COMPARING = re.compile(rf"%|\b(?:{_LISTS.either('comparing')})\b", re.IGNORECASE)
_RECURRING = re.compile(rf"\b(?:{_LISTS.either('recurring')})\b", re.IGNORECASE)
_UNSURE = re.compile(rf"\b(?:{_LISTS.either('unsure')})\b", re.IGNORECASE)
_EACH = re.compile(r"\b(?:[Ee]ach|apiece)\b")
_MORE = re.compile(r" (?:[a-z]+ ){0,2}?more (?:[a-z]+ ){0,5}?than\b")
_LESS = re.compile(r" (?:[a-z]+ ){0,2}?(?:fewer|less) (?:[a-z]+ ){0,5}?than\b")
_TIMES = re.compile(r" times (?:as|the)\b")
_SHARE = re.compile(_LISTS.either("share"))
_OF = re.compile(r" (?:of|as)\b")
_MULTIPLES = _LISTS.words("multiples")
_WORD = re.compile(r"[a-z]+")
_SEPARATED = re.compile(r"\d,\d{3}\b")
_TOTALS: tuple[tuple[str, str], ...] = (("That makes ", "."), ("That makes a total of ", "."))
_PARTIAL: tuple[tuple[str, str], ...] = (("That makes ", "."),)
_RESULTS: tuple[tuple[str, str], ...] = (("That is ", "."),)


def summary_of(
    subject: VariantSubject, variable: str, completing: Sentence, given: Sequence[Sequence[NumberMention]]
) -> QuantityStatement | None:
    """Return the statement of a variable after the sentence that completes its numbers; `None` where it could mean another.

    It is the total of plain numbers, none of which compares or recurs, where nothing else is counted with them; or the
    result of a sentence with one number, which compares what it tells with what was told before.
    """
    entry, unit = subject.source.trace.by_name[variable], subject.units[variable]
    value, question = entry.value, subject.question
    named = _named(question, completing, unit)
    unclear = _UNSURE.search(completing.text) or _RECURRING.search(completing.text)
    if named is None or value <= 1 or entry.expression is None or unclear:
        return None
    own = [mention for meant in given for mention in meant if mention.start < completing.end]
    if any(len(meant) > 1 for meant in given):
        return None
    if _is_result(subject, variable, completing):
        wordings = _RESULTS
    elif _is_total(subject, variable, completing, own):
        others = [mention for mention in question.mentions if mention.start < completing.end and mention not in own]
        # `She washes 3 cars for $10 each. She mows 2 lawns for $13 each. That makes $56`, not $26.
        if any(_is_of_unit(question, mention, unit) for mention in others):
            return None
        wordings = _PARTIAL if others else _TOTALS
    else:
        return None
    before, after = wordings[len(entry.code) % len(wordings)]
    return QuantityStatement(variable, value, f"{before}{named[0]}", _form(question, unit), f"{named[1]}{after}")


def _named(question: LocatedQuestion, completing: Sentence, unit: Unit) -> tuple[str, str] | None:
    """Return the text before and after the number of a unit, `$` or ` pens`; `None` where the text has no word for it."""
    if unit == Unit(Quantity.MONEY, "dollar"):
        return ("$", "") if "$" in question.text[: completing.end] else None
    if unit.quantity not in {Quantity.COUNT, Quantity.TIME, Quantity.MEASURE} or unit.noun == "year":
        return None
    words = _WORD.findall(question.text[: completing.end])
    noun = next((word for word in words if is_plural(word) and singular_noun(word) == unit.noun), None)
    rate = noun is not None and re.search(rf"\b{noun} (?:per|an?|each|every)\b", question.text) is not None
    return None if noun is None or rate else ("", f" {noun}")


def _is_of_unit(question: LocatedQuestion, mention: NumberMention, unit: Unit) -> bool:
    """Tell whether a number is one of a unit: of money, or of things of its noun."""
    if unit.quantity is Quantity.MONEY:
        return dollar_sign(question.text, mention.start) > 0
    phrase = phrase_at(question.text, mention.end)
    return phrase is not None and phrase.noun == unit.noun


def _form(question: LocatedQuestion, unit: Unit) -> NumberForm:
    return replace(
        PLAIN, money=unit.quantity is Quantity.MONEY, separators=_SEPARATED.search(question.text) is not None
    )


def _is_result(subject: VariantSubject, variable: str, completing: Sentence) -> bool:
    """Tell whether the one number of a sentence tells the variable by what was told before: `Tom has twice as many pens`."""
    question = subject.question
    inside = [mention for mention in question.mentions if completing.start <= mention.start < completing.end]
    if len(inside) != 1:
        return False
    (mention,) = inside
    behind = question.text[mention.end : completing.end]
    match subject.source.expression(variable):
        case ir.Binary(operator, ir.Name(left), ir.Name(right)) if left != right:
            told = [
                name
                for name in (left, right)
                if (place := question.place_of.get(name)) is not None
                and place.start < mention.end
                and mention.start < place.end
            ]
            # `Each next row has 2 fewer. That is 5 blocks`: of which row?
            once = all(sum(name in step.reads for step in subject.source.steps) == 1 for name in told)
            return bool(told) and once and _compares(operator, mention.text.lower(), behind)
    return False


def _compares(operator: str, number: str, behind: str) -> bool:
    """Tell whether a number and the words after it say a result of an operator: `twice`, `half of`, `20 more pens than`."""
    match operator:
        case "+":
            return _MORE.match(behind) is not None
        case "-":
            return _LESS.match(behind) is not None
        case "*" | "/":
            parts = _SHARE.search(number) is not None and _OF.match(behind) is not None
            return parts or number in _MULTIPLES or _TIMES.match(behind) is not None
    return False


def _is_total(subject: VariantSubject, variable: str, completing: Sentence, own: Sequence[NumberMention]) -> bool:
    """Tell whether a variable adds up or multiplies plain numbers, with nothing else counted where they stand.

    3 birds and 4 storks are not 7 birds: a sum of several kinds is not called by one of them.
    """
    question, expression = subject.question, subject.source.expression(variable)
    sentences = [
        sentence
        for sentence in question.sentences
        if any(sentence.start <= mention.start < sentence.end for mention in own)
    ]
    if any(pattern.search(sentence.text) for sentence in sentences for pattern in (_COMPARING, _RECURRING, _UNSURE)):
        return False
    first = completing.start if sentences == [completing] else 0
    starts = {mention.start for mention in own}
    if any(first <= mention.start < completing.end and mention.start not in starts for mention in question.mentions):
        return False
    names = list(ir.names_in_order(expression))
    if len(starts) < 2 or len(set(names)) < len(names):
        return False
    if not _only_gathers(subject, variable):
        return False
    unit = subject.units[variable]
    counted = {phrase.noun for mention in own if (phrase := phrase_at(question.text, mention.end)) is not None}
    if _adds(subject, expression, unit) and unit.noun in counted and len(counted) > 1:
        return False
    once = not any(_EACH.search(sentence.text) for sentence in sentences)
    return (once and _adds(subject, expression, unit)) or _multiplies(subject, expression, unit)


def _only_gathers(subject: VariantSubject, variable: str) -> bool:
    """Tell whether a variable is worked out by adding and multiplying alone, and multiplies given numbers only."""
    by_name = subject.source.trace.by_name
    waiting = [variable]
    while waiting:
        expression = subject.source.expression(waiting.pop())
        names = list(ir.names_in_order(expression))
        derived = [name for name in names if by_name[name].expression is not None]
        operators = {node.operator for _, node in nodes(expression) if isinstance(node, ir.Binary)}
        if not operators <= {"+", "*"} or (derived and "*" in operators):
            return False
        waiting += derived
    return True


def _adds(subject: VariantSubject, expression: ir.Expr, unit: Unit) -> bool:
    """Tell whether an expression adds quantities of one unit."""
    match expression:
        case ir.Binary("+", left, right):
            return all(_adds(subject, part, unit) for part in (left, right))
        case ir.Name(name):
            return subject.units[name] == unit
    return False


def _multiplies(subject: VariantSubject, expression: ir.Expr, unit: Unit) -> bool:
    """Tell whether an expression multiplies two quantities, of which one is of its unit and the other of another."""
    match expression:
        case ir.Binary("*", ir.Name(left), ir.Name(right)):
            units = [subject.units[name] for name in (left, right)]
            whole = all(Fraction(subject.values[name]).denominator == 1 for name in (left, right))
            counts = [other for other in units if other != unit]
            return (
                unit.quantity is not Quantity.MEASURE
                and units.count(unit) == 1
                and (whole or unit.quantity is Quantity.MONEY)
                and bool(counts[0].noun)
            )
    return False
