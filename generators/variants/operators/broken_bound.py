"""Contradictory variants in which an input gets a value that breaks the bound of a quantity."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from random import Random

from generators.variants.near_twins import NearTwins
from generators.variants.question.question_edit import DOLLARS, PERCENT, QuestionChange, form_otherwise, number_edit
from generators.variants.values.bound_violations import BoundViolation, bound_violations
from generators.variants.values.fixed_inputs import FixedReason, fixed_inputs
from generators.variants.values.nearby_values import mentioned_values, values_like
from generators.variants.values.solution_wording import SolutionWording, StaleWordingError
from generators.variants.values.value_draw import ValueSampler
from generators.variants.variant_operator import (
    DiscardedVariant,
    VariantDiscard,
    VariantExample,
    VariantProposal,
    VariantResult,
    proposal_of,
    variant_operator,
)
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass, allows
from harness.domain import Exact
from harness.program.refusal import ProgramError, Refusal
from harness.solution.solution_text import UnwritableError
from harness.solution.trace import propagate
from harness.text.number_forms import NumberForm

NAME = "broken_bound"
MOST = 3
MOST_VALUES = 2
FURTHEST = 9
_EDITED = "A table has {}. The guests ate {}. How many rolls that are left does each of 4 children get?"
_UNSOUND = frozenset([FixedReason.HIDDEN, FixedReason.PIECEWISE, FixedReason.SHARED, FixedReason.PLACE])


@variant_operator(
    NAME,
    problem_class=ProblemClass.CONTRADICTORY,
    examples=(
        VariantExample(
            "# L1\nrolls = 48 # 48 rolls\neaten = 20 # ate 20 rolls\nleft = rolls - eaten\n"
            "# L2\nchildren = 4 # 4 children\neach = left / children",
            "A table has 48 rolls. The guests ate 20 rolls. How many rolls that are left does each of 4 children get?",
            (
                _EDITED.format("some rolls (exactly 48)", "51 rolls"),
                _EDITED.format("some rolls (exactly 48)", "12 rolls"),
                _EDITED.format("18 rolls", "rolls (exactly 20)"),
            ),
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
    violations, wording = list(bound_violations(subject)), SolutionWording(subject.source)
    twins = NearTwins(subject, NAME, random)
    fixed = fixed_inputs(subject, wording) if violations else {}
    for violation in violations:
        name = violation.variable
        if name in changed or len(changed) == MOST:
            continue
        if fixed.get(name) in _UNSOUND and violation.bound.variable != name:
            yield DiscardedVariant(NAME, name, VariantDiscard.STALE, str(fixed[name]))
            continue
        variants = [] if name in fixed else _value_pairs(subject, violation, wording, random)
        variants = variants or _form_pairs(subject, violation, random)
        for variant, twin in variants:
            yield from twins.accompanied_pair(variant, twin)
        if variants:
            changed.add(name)
        else:
            yield DiscardedVariant(NAME, name, VariantDiscard.UNWRITABLE)
    if not violations:
        yield DiscardedVariant(NAME, subject.source.final, VariantDiscard.NO_PLACE)


def _value_pairs(
    subject: VariantSubject, violation: BoundViolation, wording: SolutionWording, random: Random
) -> list[tuple[VariantProposal, VariantProposal]]:
    """Return pairs of a variant and its twin, which has another value, too, and a solution that tells it."""
    place, avoided = violation.place, mentioned_values(subject)
    likely = values_like(place.value, place.form, subject.units[violation.variable])
    fine = range(max(2, int(place.value) - FURTHEST), int(place.value) + FURTHEST + 1)
    near = [value for value in dict.fromkeys((*likely, *fine)) if value not in avoided]
    sampler, twins = ValueSampler(subject, (violation.variable,)), []
    for twin in _proposals(subject, violation, near, place.form, ProblemClass.SOLVABLE):
        values = {name: value for name, value in twin.system.complete().items() if name in subject.values}
        if sampler.sensible(values):
            with suppress(StaleWordingError, UnwritableError):
                worked = wording.anew(values)
                twins.append(replace(twin, solution=worked.solution, answer=worked.answer))
    broken = _proposals(subject, violation, violation.breaking, place.form, ProblemClass.CONTRADICTORY)
    pairs = [(wrong, twin) for wrong in broken for twin in twins if len(wrong.text) == len(twin.text)]
    random.shuffle(pairs)
    return list({wrong.text: (wrong, twin) for wrong, twin in pairs}.values())[:MOST_VALUES]


def _form_pairs(
    subject: VariantSubject, violation: BoundViolation, random: Random
) -> list[tuple[VariantProposal, VariantProposal]]:
    """Return pairs in which the variant has a wrong value in another form, and the twin the right one in that form."""
    form, value = form_otherwise(subject.question, violation.place), violation.place.value
    if form is None:
        return []
    right = list(filter(_is_short, _proposals(subject, violation, [value], form, ProblemClass.SOLVABLE)))
    broken = _proposals(subject, violation, violation.breaking, form, ProblemClass.CONTRADICTORY)
    broken = [wrong for wrong in broken if right and _is_short(wrong)]
    alike = [wrong for wrong in broken if len(wrong.text) == len(right[0].text)] or broken
    return [(wrong, right[0]) for wrong in random.sample(alike, min(MOST_VALUES, len(alike)))]


def _is_short(proposal: VariantProposal) -> bool:
    """Tell whether a number is digits or one word: long words would tell that it is large."""
    written = proposal.edits[0].after.removesuffix(DOLLARS).removesuffix(PERCENT)
    return "-" not in written and " " not in written


def _proposals(
    subject: VariantSubject, violation: BoundViolation, values: Iterable[Exact], form: NumberForm, wanted: ProblemClass
) -> list[VariantProposal]:
    """Return the problem with each value of the input in a form, as far as it is then of the class wanted."""
    name, bound, proposals = violation.variable, violation.bound, []
    for value in values:
        edit = number_edit(subject.question.text, violation.place, value, form)
        try:
            worked = propagate(subject.source.trace, name, value).values
        except (Refusal, ProgramError):
            continue
        if edit is None:
            continue
        change = QuestionChange((edit,), values={name: value}, bounds=(bound,))
        solvable, proposal = wanted is ProblemClass.SOLVABLE, proposal_of(subject, NAME, wanted, change)
        if proposal is None or not (
            proposal.system.violated(worked) is None if solvable else not allows(bound, worked)
        ):
            continue
        proposals.append(replace(proposal, clash=() if solvable else (f"fact:{name}", bound.name)))
    return proposals
