"""Contradictory variants in which an input gets a value that breaks the bound of a quantity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random

from generators.variants.question.number_replacement import (
    DOLLARS,
    PERCENT,
    RewriteError,
    form_otherwise,
    replacement_edits,
)
from generators.variants.question.question_edit import EditedQuestion, QuestionEdit
from generators.variants.values.bound_violations import BoundViolation, bound_violations
from generators.variants.values.fixed_inputs import FixedReason, changeable_inputs
from generators.variants.values.nearby_values import mentioned_values, neighbors_of
from generators.variants.values.reworked_solution import StaleWordingError, rework_solution
from generators.variants.values.value_draw import ValueSampler
from generators.variants.variant_operator import VariantExample, variant_operator
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantProposal, VariantResult
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ConstraintSystem, ProblemClass, allows
from harness.domain import Exact
from harness.program.refusal import ProgramError, Refusal
from harness.solution.solution_text import UnwritableError
from harness.solution.trace import propagate
from harness.text.number_forms import NumberForm

NAME = "broken_bound"
MOST = 3
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
            "# L1\ndays = 4 # 4 days a week\nweeks = 9 # 9 weeks\nworked = days * weeks\n"
            "# L2\npay = 80 # 80 dollars a day\nearned = worked * pay",
            "Ida paints 4 days a week. After 9 weeks, at $80 a day, what has Ida earned?",
            ("Ida paints 8 days a week. After 9 weeks, at $80 a day, what has Ida earned?",),
        ),
    ),
)
def broken_bound(subject: VariantSubject, random: Random) -> Iterator[VariantResult]:
    """Change an input so that a bound breaks; the twin changes it too and stays within."""
    changed: set[str] = set()
    limits = list(bound_violations(subject))
    fixed = changeable_inputs(subject).fixed if limits else {}
    for limit in limits:
        if limit.variable in changed or len(changed) == MOST:
            continue
        why = fixed.get(limit.variable)
        if why in _UNSOUND and limit.bound.variable != limit.variable:
            yield DiscardedVariant(NAME, limit.variable, VariantDiscard.STALE, str(why))
            continue
        variants = _variants(subject, limit, random, movable=why is None)
        yield from variants
        if isinstance(variants[0], VariantProposal):
            changed.add(limit.variable)
    if not limits:
        yield DiscardedVariant(NAME, subject.source.final, VariantDiscard.NO_PLACE)


@dataclass(frozen=True)
class _Changed:
    """A problem with another value of an input: its edits, the number as written, its constraints and all values.

    Where it stays solvable, its solution and answer are kept if they are others.
    """

    edits: tuple[QuestionEdit, ...]
    written: str
    system: ConstraintSystem
    values: Mapping[str, Exact]
    allowed: bool
    solution: str | None = None
    answer: str | None = None


def _variants(subject: VariantSubject, limit: BoundViolation, random: Random, *, movable: bool) -> list[VariantResult]:
    """Return pairs of a variant and its twin: one with another value if the solution can be told with it, else the same one."""
    form = limit.place.form
    broken = _changes(subject, limit, limit.breaking, form, allowed=False)
    variants: list[VariantProposal] = []
    if movable:
        twins = list(_reworked(subject, limit, _changes(subject, limit, _near(subject, limit), form, allowed=True)))
        pairs = [(wrong, twin) for wrong in broken for twin in twins if len(wrong.written) == len(twin.written)]
        random.shuffle(pairs)
        for wrong, twin in pairs:
            if len(variants) < 2 * MOST_VALUES and all(wrong.edits != variant.edits for variant in variants):
                variants += _pair(subject, limit, wrong, twin)
    variants = variants or _respelled(subject, limit, random)
    detail = f"{len(broken)} values break it"
    return [*variants] or [DiscardedVariant(NAME, limit.variable, VariantDiscard.UNWRITABLE, detail)]


def _near(subject: VariantSubject, limit: BoundViolation) -> list[Exact]:
    """Return other values that the input could have had."""
    old, avoided = limit.place.value, mentioned_values(subject)
    coarse = neighbors_of(old, limit.place.form, subject.units[limit.variable], avoided, same_length=False)
    fine = range(max(2, int(old) - FURTHEST), int(old) + FURTHEST + 1) if old.denominator == 1 else ()
    return [*coarse, *(value for value in fine if value not in avoided and value not in coarse)]


def _respelled(subject: VariantSubject, limit: BoundViolation, random: Random) -> list[VariantProposal]:
    """Return pairs in which the variant has a wrong value in another form, and the twin the right one in that form."""
    form = form_otherwise(subject.question, limit.place)
    if form is None:
        return []
    right = [twin for twin in _changes(subject, limit, [limit.place.value], form, allowed=True) if _is_short(twin)]
    broken = [wrong for wrong in _changes(subject, limit, limit.breaking, form, allowed=False) if _is_short(wrong)]
    if not right:
        return []
    alike = [wrong for wrong in broken if len(wrong.written) == len(right[0].written)] or broken
    chosen = random.sample(alike, min(MOST_VALUES, len(alike)))
    return [variant for wrong in chosen for variant in _pair(subject, limit, wrong, right[0])]


def _is_short(changed: _Changed) -> bool:
    """Tell whether a number is digits or one word: long words would tell that it is large."""
    written = changed.written.removesuffix(DOLLARS).removesuffix(PERCENT)
    return "-" not in written and " " not in written


def _pair(subject: VariantSubject, limit: BoundViolation, wrong: _Changed, right: _Changed) -> list[VariantProposal]:
    clash = (f"fact:{limit.variable}", limit.bound.name)
    variant = VariantProposal(subject, NAME, ProblemClass.CONTRADICTORY, wrong.edits, wrong.system, clash=clash)
    twin = VariantProposal(subject, NAME, ProblemClass.SOLVABLE, right.edits, right.system, twin=variant.text)
    return [variant, replace(twin, solution=right.solution, answer=right.answer)]


def _reworked(subject: VariantSubject, limit: BoundViolation, allowed: list[_Changed]) -> Iterator[_Changed]:
    """Yield those changed problems that stay sensible, with their solutions and answers."""
    sampler = ValueSampler(subject, (limit.variable,))
    for changed in allowed:
        own = {name: changed.values[name] for name in subject.values}
        if sampler.sensible(own) and changed.system.violated(changed.values) is None:
            with suppress(StaleWordingError, UnwritableError):
                worked = rework_solution(subject.source, own)
                yield replace(changed, solution=worked.solution, answer=worked.answer)


def _changes(
    subject: VariantSubject, limit: BoundViolation, values: Iterable[Exact], form: NumberForm, *, allowed: bool
) -> list[_Changed]:
    """Return the problems with other values that the limit allows, or those that it does not."""
    problems = (_changed(subject, limit, value, form) for value in values)
    return [problem for problem in problems if problem is not None and problem.allowed is allowed]


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
    number = next(edit for edit in edits if edit.start <= limit.place.start < edit.end)
    span = edited.inserted_span(number)
    facts = tuple(
        replace(fact, value=value, span=span) if fact.variable == limit.variable else edited.moved_fact(fact)
        for fact in subject.system.facts
    )
    names = {bound.name for bound in subject.system.bounds}
    bounds = (*subject.system.bounds, *(() if limit.bound.name in names else (limit.bound,)))
    system = replace(subject.system, facts=facts, bounds=bounds)
    return _Changed(edits, number.after, system, values, allows(limit.bound, values))


def _rewritten(
    subject: VariantSubject, limit: BoundViolation, value: Exact, form: NumberForm
) -> tuple[QuestionEdit, ...]:
    place, text = limit.place, subject.question.text
    if form == place.form:
        return replacement_edits(text, place, value)
    written = form.write(value)
    if written is None or value == 1 or place.value == 1:
        return ()
    start = place.start - (form.after == DOLLARS)
    end = place.end + (form.after == PERCENT and not place.form.after)
    return (QuestionEdit(start, end, text[start:end], written),)
