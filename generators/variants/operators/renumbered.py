"""Solvable variants with other numbers, chosen so that all computed values stay plausible."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from generators.variants.question.input_places import NumberPlace
from generators.variants.question.question_edit import EditedQuestion, QuestionEdit
from generators.variants.text.number_replacement import RewriteError, replacement_edits
from generators.variants.values.movable_inputs import changeable_inputs
from generators.variants.values.reworked_solution import SolutionWording, StaleWordingError
from generators.variants.values.value_draw import ValueSampler
from generators.variants.variant_operator import VariantExample, variant_operator
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantProposal, VariantResult
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ConstraintSystem, ProblemClass
from harness.domain import Exact
from harness.solution.solution_text import UnwritableError
from harness.text.markup import without_annotations

NAME = "renumbered"
MOST_VARIANTS = 4
MOST_DRAWS = 6
MOST_FAILURES = 2
MOST_VARIABLES = 40
"""Drawing takes time in the cube of how many there are; of 3,000 real solutions none has more than 21."""
EXAMPLES = (
    VariantExample(
        """
# L1
crates = 4 # 4 crates
melons_per_crate = 6 # 6 melons each
stocked = crates * melons_per_crate
# L2
sold = 9 # 9 melons are sold
left = stocked - sold
""",
        "A stall has 4 crates of 6 melons each. By noon 9 melons are sold. How many melons are left?",
        ("A stall has 8 crates of 5 melons each. By noon 7 melons are sold. How many melons are left?",),
    ),
    VariantExample(
        """
# L1
price = 80 # $80
share_off = 0.25 # 25% off
saved = price * share_off
# L2
paid = price - saved
# L3
weeks = 5 # five weeks
a_week = paid / weeks
""",
        "Nora buys an $80 lamp at 25% off. She pays it off in five weeks, the same amount each week. How much does she pay a week?",
        (
            "Nora buys a $120 lamp at 50% off. She pays it off in four weeks, the same amount each week. How much does she pay a week?",
        ),
    ),
)


@variant_operator(NAME, problem_class=ProblemClass.SOLVABLE, examples=EXAMPLES)
def renumbered(subject: VariantSubject, random: Random) -> Iterator[VariantResult]:
    """Yield the problem with other values, up to four times, each with its solution and answer."""
    if len(subject.values) > MOST_VARIABLES:
        yield DiscardedVariant(NAME, "all", VariantDiscard.NO_PLACE, f"more than {MOST_VARIABLES} variables")
        return
    wording = SolutionWording(subject.source)
    variables = changeable_inputs(subject, wording).variables
    if not variables:
        yield DiscardedVariant(NAME, "all", VariantDiscard.NO_PLACE)
        return
    sampler = ValueSampler(subject, variables)
    seen, failures = {subject.question.text}, 0
    for _ in range(MOST_DRAWS):
        values = sampler.values(random)
        if values is None:
            detail = "no other values are sensible"
            yield DiscardedVariant(NAME, ", ".join(variables), VariantDiscard.ABSURD, detail)
            return
        variant = renumber(subject, values, wording)
        if isinstance(variant, DiscardedVariant):
            yield variant
            failures += 1
        elif variant.text not in seen:
            seen.add(variant.text)
            yield variant
        if len(seen) > MOST_VARIANTS or failures == MOST_FAILURES:
            return


def renumber(
    subject: VariantSubject, values: Mapping[str, Exact], wording: SolutionWording | None = None
) -> VariantResult:
    """Return the problem with values, one for each variable, or why it cannot be told with them."""
    changed = [entry.variable for entry in subject.source.inputs if values[entry.variable] != entry.value]
    what = ", ".join(changed)
    edits: list[QuestionEdit] = []
    try:
        for name in changed:
            edits += replacement_edits(subject, subject.question.place_of[name], values[name])
        worked = (wording or SolutionWording(subject.source)).anew(values)
    except (RewriteError, UnwritableError) as error:
        return DiscardedVariant(NAME, what, VariantDiscard.UNWRITABLE, str(error))
    except StaleWordingError as error:
        return DiscardedVariant(NAME, what, VariantDiscard.STALE, str(error))
    edited = EditedQuestion(subject.question.text, tuple(sorted(edits)))
    system = restated(subject, edited, worked.solution, values)
    broken = system.violated(values)
    if broken is not None:
        return DiscardedVariant(NAME, what, VariantDiscard.ABSURD, broken.name)
    variant = VariantProposal(subject, NAME, ProblemClass.SOLVABLE, edited.edits, system)
    return replace(variant, solution=worked.solution, answer=worked.answer)


def restated(
    subject: VariantSubject, edited: EditedQuestion, solution: str, values: Mapping[str, Exact]
) -> ConstraintSystem:
    """Return the constraints of a problem whose facts have other values, in the words of its edited text and solution."""
    places = subject.question.place_of
    known: dict[tuple[str, int], str] = {}
    facts = []
    for fact in subject.system.facts:
        place = places.get(fact.variable)
        if place is None or fact.span is None:
            facts.append(fact)
            continue
        words = _edited(fact.words, edited, known, place.start)
        facts.append(replace(fact, value=values[fact.variable], words=words, span=_span(place, edited)))
    lines = _lines(subject.source.problem.solution, solution)
    steps = tuple(replace(step, words=lines.get(step.words, step.words)) for step in subject.system.steps)
    bounds = tuple(
        replace(bound, words=lines.get(bound.words) or _edited(bound.words, edited, known))
        for bound in subject.system.bounds
    )
    return replace(subject.system, facts=tuple(facts), steps=steps, bounds=bounds)


def _span(place: NumberPlace, edited: EditedQuestion) -> tuple[int, int]:
    span = edited.moved(place.start, place.end)
    if span is not None:
        return span
    return edited.inserted_span(
        next(edit for edit in edited.edits if (edit.start, edit.end) == (place.start, place.end))
    )


def _lines(before: str, after: str) -> dict[str, str]:
    """Return the new lines of a solution by the old ones, with their annotations and without."""
    lines = {}
    for old, new in zip(before.split("\n"), after.split("\n"), strict=True):
        lines[old] = new
        lines[without_annotations(old).strip()] = without_annotations(new).strip()
    return lines


def _edited(words: str, edited: EditedQuestion, known: dict[tuple[str, int], str], near: int = 0) -> str:
    """Return how words of a question, those around a place if they are repeated, read after its edits; others stay as they are."""
    start = edited.original.find(words, max(0, near - len(words)))
    if not words or start < 0:
        return words
    if (words, start) not in known:
        end = start + len(words)
        within = (edit for edit in edited.edits if start <= edit.start and edit.end <= end)
        moved = tuple(QuestionEdit(edit.start - start, edit.end - start, edit.before, edit.after) for edit in within)
        known[words, start] = EditedQuestion(words, moved).text if moved else words
    return known[words, start]
