"""The plausibility of a flaw: the reasons why a person makes an error, and the values with which nobody would continue."""

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from generators.flaws.flawed_solution import FlawDiscardError, FlawDiscardReason
from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.flaws.solution.source_solution import FlawSource
from harness.domain import Exact
from harness.records.mutation import Plausibility
from harness.solution.trace import Trace
from harness.text.lexicon import english
from harness.text.nouns import singular_noun
from harness.text.number_forms import format_value

Reason = tuple[str, float]
"""Why a person makes an error, and how likely that makes it: from -1.0 to 1.0, unlikely below zero."""
OTHER_SIZE: Reason = ("another size", -0.3)
LARGEST_RATIO = 10_000
_LISTS = english("quantities")
_FILLERS = _LISTS.words("fillers")
_FACTOR, _SIGNED, _AVERAGED = (_LISTS.pattern(name, r"\b", r"\b") for name in ("factor", "signed", "averaged"))
_FINEST = {Quantity.MONEY: 100, Quantity.TIME: 100, Quantity.MEASURE: 1_000}
"""The smallest part of a unit that a result of whole units can still have, as a denominator."""
_BASE = 0.5
_FAR = 20


@lru_cache(maxsize=8192)
def telling_words(text: str) -> frozenset[str]:
    """Return the words of a name or a sentence that tell it from others, in the singular."""
    words = text.lower().replace("_", " ").split()
    return frozenset(singular_noun(word.strip(".,;:?!()$'\"0123456789")) for word in words) - _FILLERS - {""}


def names_factor(words: str) -> bool:
    """Tell whether words name a factor: `twice as many` or `20 percent`."""
    return _FACTOR.search(words) is not None


def is_bare_factor(source: FlawSource, variable: str) -> bool:
    """Tell whether a variable is a bare factor, `twice as many` or `20 percent`, and no quantity of its own."""
    return source.units[variable].quantity is Quantity.SHARE or names_factor(variable.replace("_", " "))


def variables_clash(source: FlawSource, left: str, right: str) -> bool:
    """Tell whether two variables are plainly of different kinds; a bare number clashes with nothing."""
    return len({source.units[left].quantity, source.units[right].quantity} - {Quantity.NUMBER}) == 2


def confusion_reasons(source: FlawSource, reader: str, was: str, now: str) -> list[Reason]:
    """Return the reasons for and against that a person who works out `reader` takes `now` for `was`."""
    reasons: list[Reason] = []
    old, new = source.units[was], source.units[now]
    if old.clashes(new):
        reasons.append(("another unit", -0.4))
    elif old.noun and old.noun == new.noun:
        reasons.append(("same unit", 0.3))
    shared = telling_words(was) & telling_words(now)
    if shared:
        reasons.append(("named alike", 0.1 * min(3, len(shared))))
    lines = source.line_number(reader), source.line_number(now)
    if 0 not in lines and abs(lines[0] - lines[1]) <= 1:
        reasons.append(("nearby line", 0.1))
    return [*reasons, *size_reasons(source.values[was], source.values[now])]


def size_reasons(before: Exact, after: Exact) -> list[Reason]:
    """Return the reason that a value is, or is not, of the size of the right one; none in between and for zero."""
    ratio = abs(Fraction(after) / before) if before else 0
    if 1 <= 10 * ratio <= 100:
        return [("similar size", 0.1)]
    return [OTHER_SIZE] if ratio and not 1 <= 100 * ratio <= 10_000 else []


def value_reasons(before: Exact, after: Exact) -> list[Reason]:
    """Return the reasons that the size, the sign and the form of a wrong value give."""
    reasons = size_reasons(before, after)
    if after < 0 <= before:
        reasons.append(("negative", -0.5))
    if before.denominator == 1 != after.denominator:
        reasons.append(("no longer whole", -0.2))
    return reasons


def weight_of(reasons: Iterable[Reason]) -> float:
    """Return the sum of the weights, rounded so that their order does not matter."""
    return round(sum(weight for _, weight in reasons), 6)


def plausibility_of(source: FlawSource, trace: Trace, reasons: Iterable[Reason], edits: Iterable[str]) -> Plausibility:
    """Weigh an operator's own reasons, the size and form of the answer, and what a person would still have to edit."""
    weighed = list(reasons)
    before, after = source.trace.answer.value, trace.answer.value
    ratio = abs(float(after) / float(before)) if before else 0
    if ratio and (ratio > _FAR or ratio * _FAR < 1):
        weighed.append(("the answer is of another size", -1.0))
    elif 1 <= 2 * ratio <= 4:
        weighed.append(("the answer is of the same size", 0.2))
    if after < 0 <= before:
        weighed.append(("the answer is negative", -0.6))
    if before.denominator == 1 != after.denominator:
        counted = source.units[source.final].quantity in {Quantity.COUNT, Quantity.NUMBER}
        weighed.append(("the answer is not a whole number", -0.7 if counted else -0.3))
    weighed += [(edit, -0.2) for edit in edits]
    score = _BASE + sum(weight for _, weight in weighed) / 2
    return Plausibility(round(min(max(score, 0.0), 1.0), 3), tuple(reason for reason, _ in weighed))


def refuse_absurd_values(source: FlawSource, trace: Trace, gone: str = "", *, fractions: bool = False) -> None:
    """Raise a `FlawDiscardError` for the first value that leaves the range of its quantity; `gone` is a variable that is not worked out.

    Where the error itself is a division by another quantity, `fractions` of things are no reason.
    """
    kept = [(entry.variable, entry.value) for entry in trace.entries if entry.variable != gone]
    changed = [(variable, value) for variable, value in kept if value != source.values[variable]]
    if trace.result != source.final:
        changed.append((source.final, trace.answer.value))
    for variable, after in changed:
        # Nobody writes `1x`.
        if variable in source.coefficients and after == 1:
            raise FlawDiscardError(FlawDiscardReason.UNWRITABLE, f"{variable} = 1")
        reason = absurdity(source.units[variable], source.values[variable], after, source.described[variable])
        if reason is not None and not (fractions and reason is FlawDiscardReason.NOT_WHOLE):
            raise FlawDiscardError(reason, f"{variable} = {format_value(after)}: {reason}")


def absurdity(unit: Unit, before: Exact, after: Exact, words: str = "") -> FlawDiscardReason | None:
    """Return why a value cannot replace another one of a quantity; `None` where it can.

    `words` describe the quantity in lower case, such as its name. An amount, a count, a length or a time is not negative, unless
    the words are of a debt, a temperature, a change or the like. Nobody continues with a result of zero things. What is
    counted stays whole unless it is an average; money is whole cents, a measure whole thousandths. A share stays at most the
    whole, and any value within `LARGEST_RATIO` times the right one.
    """
    if after < 0 <= before:
        # The change of a sum of money is what is given back.
        signed = words.replace("change", "") if unit.quantity is Quantity.MONEY else words
        return None if _SIGNED.search(signed) else FlawDiscardReason.NEGATIVE
    if after == 0 != before:
        return FlawDiscardReason.ZERO
    if before.denominator == 1 != after.denominator:
        finest = _FINEST.get(unit.quantity, 100 if _AVERAGED.search(words) else 1)
        if finest % after.denominator:
            return FlawDiscardReason.NOT_WHOLE
    far = before and abs(Fraction(after) / before) > LARGEST_RATIO
    return FlawDiscardReason.OUT_OF_RANGE if far or (unit.quantity is Quantity.SHARE and before <= 1 < after) else None
