"""Contradictory variants in which an input gets a value that breaks the bound of a quantity."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from generators.variants.question.question_edit import EditedQuestion, QuestionEdit
from generators.variants.question.redundant_numbers import other_form
from generators.variants.text.number_replacement import RewriteError, replacement_edits
from generators.variants.values.movable_inputs import FixedReason, changeable_inputs
from generators.variants.values.nearby_values import mentioned_values, neighbors_of
from generators.variants.values.reworked_solution import StaleWordingError, rework_solution
from generators.variants.values.value_draw import ValueSampler
from generators.variants.values.value_limits import bound_violations
from generators.variants.variant_operator import (
    DiscardedVariant,
    VariantDiscard,
    VariantExample,
    VariantProposal,
    variant_operator,
)
from harness.constraint_system import ProblemClass, allows
from harness.program.refusal import ProgramError, Refusal
from harness.solution.rendering import UnwritableError
from harness.solution.trace import propagate
from harness.text.number_words import TENS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from random import Random

    from generators.variants.values.value_limits import BoundViolation
    from generators.variants.variant_source import VariantSubject
    from harness.constraint_system import ConstraintSystem
    from harness.domain import Exact
    from harness.text.number_forms import NumberForm

NAME = "broken_bound"
MOST = 2
MOST_VALUES = 2
FURTHEST = 9
_TOLD = "A table has {} rolls. The guests ate {} rolls. 4 children share what is left. How many rolls does each get?"
_UNSOUND = frozenset([FixedReason.HIDDEN, FixedReason.PIECEWISE, FixedReason.SHARED, FixedReason.PLACE])


@variant_operator(
    NAME,
    problem_class=ProblemClass.CONTRADICTORY,
    examples=(
        VariantExample(
            "# L1\nrolls = 48 # 48 rolls\neaten = 20 # ate 20 rolls\nleft = rolls - eaten\n"
            "# L2\nchildren = 4 # 4 children\neach = left / children",
            _TOLD.format(48, 20),
            (_TOLD.format(48, 50), _TOLD.format(48, 16), _TOLD.format(16, 20), _TOLD.format(52, 20)),
        ),
        VariantExample(
            "# L1\nhours = 6 # 6 hours a day\ndays = 9 # 9 days\nworked = hours * days\n"
            "# L2\npay = 20 # 20 dollars an hour\nearned = worked * pay",
            "Ida paints 6 hours a day for 9 days. She gets $20 an hour. What does Ida earn?",
            (),
        ),
        VariantExample(
            "# L1\ndays = 4 # 4 days a week\nweeks = 9 # 9 weeks\nworked = days * weeks\n"
            "# L2\npay = 80 # 80 dollars a day\nearned = worked * pay",
            "Ida paints 4 days a week. After 9 weeks, at $80 a day, what has Ida earned?",
            ("Ida paints 8 days a week. After 9 weeks, at $80 a day, what has Ida earned?",),
        ),
    ),
)
def broken_bound(subject: VariantSubject, random: Random) -> Iterator[VariantProposal | DiscardedVariant]:
    """Change an input so that a bound breaks; the twin changes it too and stays within."""
    made = 0
    seen: set[str] = set()
    limits = list(bound_violations(subject))
    fixed = changeable_inputs(subject).fixed if limits else {}
    for limit in limits:
        if limit.variable in seen or made == MOST:
            continue
        why = fixed.get(limit.variable)
        if why in _UNSOUND and limit.bound.variable != limit.variable:
            yield DiscardedVariant(NAME, limit.variable, VariantDiscard.STALE, str(why))
            continue
        variants = _variants(subject, limit, why, random)
        yield from variants
        if isinstance(variants[0], VariantProposal):
            seen.add(limit.variable)
            made += 1
    if not limits:
        yield DiscardedVariant(NAME, subject.source.final, VariantDiscard.NO_PLACE)


def _variants(
    subject: VariantSubject, limit: BoundViolation, why: FixedReason | None, random: Random
) -> list[VariantProposal | DiscardedVariant]:
    """Return pairs of a variant and its twin: one with another value if the solution can be told with it, else the same one."""
    form = limit.place.form
    broken = _all(subject, limit, limit.breaking, form, allowed=False)
    found: list[VariantProposal | DiscardedVariant] = []
    if why is None or (why is FixedReason.NATURE and not limit.tied):
        near = _near(subject, limit)
        twins = _worked(subject, limit, _all(subject, limit, near, form, allowed=True))
        pairs = [(wrong, twin) for wrong in broken for twin in twins if len(wrong.written) == len(twin.changed.written)]
        random.shuffle(pairs)
        for wrong, twin in pairs:
            if len(found) < 2 * MOST_VALUES and all(
                wrong.edits != one.edits for one in found if isinstance(one, VariantProposal)
            ):
                found += _pair(subject, limit, wrong, twin)
    if not found:
        found += _respelled(subject, limit, random)
    return found or [
        DiscardedVariant(NAME, limit.variable, VariantDiscard.UNWRITABLE, f"{len(broken)} values break it")
    ]


def _near(subject: VariantSubject, limit: BoundViolation) -> list[Exact]:
    """Return other values that the input could have had."""
    old, avoided = limit.place.value, mentioned_values(subject)
    coarse = neighbors_of(old, limit.place.form, subject.units[limit.variable], avoided, same_length=False)
    fine = range(max(2, int(old) - FURTHEST), int(old) + FURTHEST + 1) if old.denominator == 1 else ()
    return [*coarse, *(one for one in fine if one not in avoided and one not in coarse)]


def _respelled(subject: VariantSubject, limit: BoundViolation, random: Random) -> list[VariantProposal]:
    """Return pairs in which the variant has a wrong value in another form, and the twin the right one in that form."""
    place = limit.place
    mention = next((one for one in subject.question.mentions if one.start == place.start), None)
    form = None if mention is None else other_form(subject.question.text, mention)
    if form is None:
        return []
    right = [one for one in _all(subject, limit, [place.value], form, allowed=True) if _short(one.written)]
    broken = [one for one in _all(subject, limit, limit.breaking, form, allowed=False) if _short(one.written)]
    alike = [one for one in broken if right and len(one.written) == len(right[0].written)] or broken
    found: list[VariantProposal] = []
    for one in random.sample(alike, min(MOST_VALUES, len(alike))) if right else ():
        found += _pair(subject, limit, one, _Twin(right[0], None, None))
    return found


def _short(written: str) -> bool:
    """Tell whether a number is digits or one word: long words would tell that it is large."""
    return "-" not in written and " " not in written and (written.isdigit() or written not in TENS)


@dataclass(frozen=True)
class _Twin:
    """A changed problem that is still solvable, with its solution and answer where they are others."""

    changed: _Changed
    solution: str | None
    answer: str | None


def _pair(subject: VariantSubject, limit: BoundViolation, wrong: _Changed, twin: _Twin) -> list[VariantProposal]:
    clash = (f"fact:{limit.variable}", limit.bound.name)
    variant = VariantProposal(subject, NAME, ProblemClass.CONTRADICTORY, wrong.edits, wrong.system, clash=clash)
    right = twin.changed
    solvable = VariantProposal(subject, NAME, ProblemClass.SOLVABLE, right.edits, right.system, twin=variant.text)
    return [variant, replace(solvable, solution=twin.solution, answer=twin.answer)]


def _worked(subject: VariantSubject, limit: BoundViolation, allowed: list[_Changed]) -> list[_Twin]:
    """Return those changed problems that stay sensible, with their solutions."""
    draw, found = ValueSampler(subject, (limit.variable,)), []
    for one in allowed:
        if draw.sensible(one.values) and one.system.violated(one.values) is None:
            try:
                worked = rework_solution(subject.source, one.values)
            except (StaleWordingError, UnwritableError):
                continue
            found.append(_Twin(one, worked.solution, worked.answer))
    return found


def _all(
    subject: VariantSubject, limit: BoundViolation, values: Iterable[Exact], form: NumberForm, *, allowed: bool
) -> list[_Changed]:
    """Return the problems with other values that the limit allows, or those that it does not."""
    changed = (_changed(subject, limit, value, form) for value in values)
    return [one for one in changed if one is not None and one.allowed is allowed]


@dataclass(frozen=True)
class _Changed:
    """A problem with another value of an input: its edits, the number as written, its constraints and all values."""

    edits: tuple[QuestionEdit, ...]
    written: str
    system: ConstraintSystem
    values: Mapping[str, Exact]
    allowed: bool


def _changed(subject: VariantSubject, limit: BoundViolation, value: Exact, form: NumberForm) -> _Changed | None:
    """Return the problem with a value of the limited input in a form, `None` where it cannot be told or worked out."""
    try:
        edits = _rewritten(subject, limit, value, form)
        values = propagate(subject.source.trace, limit.variable, value).values
    except (RewriteError, Refusal, ProgramError):
        return None
    if not edits:
        return None
    edited = EditedQuestion(subject.question.text, edits)
    number = next(one for one in edits if (one.start, one.end) == (limit.place.start, limit.place.end))
    span = edited.inserted(number, 0, len(number.after))
    facts = tuple(
        replace(fact, value=value, span=span)
        if fact.variable == limit.variable
        else fact
        if fact.span is None
        else replace(fact, span=edited.moved(*fact.span))
        for fact in subject.system.facts
    )
    names = {bound.name for bound in subject.system.bounds}
    bounds = (*subject.system.bounds, *(() if limit.bound.name in names else (limit.bound,)))
    system = replace(subject.system, facts=facts, bounds=bounds)
    return _Changed(edits, number.after, system, values, allows(limit.bound, values))


def _rewritten(
    subject: VariantSubject, limit: BoundViolation, value: Exact, form: NumberForm
) -> tuple[QuestionEdit, ...]:
    place = limit.place
    if form == place.form:
        return replacement_edits(subject, place, value)
    written = form.write(value)
    if written is None or value == 1 or place.value == 1:
        return ()
    return (QuestionEdit(place.start, place.end, subject.question.text[place.start : place.end], written),)
