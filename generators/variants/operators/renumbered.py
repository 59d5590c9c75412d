"""Solvable variants: the original problem, and the problem with other numbers, chosen so that all computed values stay plausible."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from generators.variants.question_edit import QuestionChange, number_edit
from generators.variants.values.redundant_numbers import fixed_inputs
from generators.variants.values.solution_wording import SolutionWording
from generators.variants.values.value_draw import ValueSampler
from generators.variants.variant_operator import (
    DiscardedVariant,
    VariantDiscard,
    VariantExample,
    VariantProposal,
    VariantResult,
    variant_operator,
)
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from harness.domain import Values
from harness.solution.solution_text import UnwritableError

NAME = "renumbered"
MOST_VARIANTS = 4
MOST_DRAWS = 6
MOST_FAILURES = 2
MOST_VARIABLES = 40
"""Drawing takes time in the cube of how many there are; of 3,000 real solutions none has more than 21."""
_MELONS = VariantExample(
    "# L1\ncrates = 4 # 4 crates\nmelons_per_crate = 6 # 6 melons each\nstocked = crates * melons_per_crate\n"
    "# L2\nsold = 9 # 9 melons are sold\nleft = stocked - sold",
    "A stall has 4 crates of 6 melons each. By noon 9 melons are sold. How many melons are left?",
    ("A stall has 8 crates of 5 melons each. By noon 7 melons are sold. How many melons are left?",),
)
_PAID = "Nora buys a lamp for ${} at {}% off. She pays it off in {} weeks, the same amount each week. How much does she pay a week?"
_LAMP = VariantExample(
    "# L1\nprice = 60 # $60\nshare_off = 0.25 # 25% off\nsaved = price * share_off\n# L2\npaid = price - saved\n"
    "# L3\nweeks = 5 # five weeks\na_week = paid / weeks",
    _PAID.format(60, 25, "five"),
    (_PAID.format(120, 50, "four"),),
)


@variant_operator("original", replace(_MELONS, texts=(_MELONS.question,)), problem_class=ProblemClass.SOLVABLE)
def original(subject: VariantSubject, random: Random) -> Iterator[VariantProposal]:  # noqa: ARG001  # every operator takes both
    """Yield the problem without an edit, with its solution and answer."""
    problem, change = subject.source.problem, QuestionChange(())
    proposal = VariantProposal(subject, "original", ProblemClass.SOLVABLE, change, subject.system)
    yield replace(proposal, solution=problem.solution, answer=(problem.gold or "").strip())


@variant_operator(NAME, _MELONS, _LAMP, problem_class=ProblemClass.SOLVABLE)
def renumbered(subject: VariantSubject, random: Random) -> Iterator[VariantResult]:
    """Yield the problem with other values, up to four times, each with its solution and answer."""
    if len(subject.values) > MOST_VARIABLES:
        yield DiscardedVariant(NAME, "all", VariantDiscard.NO_PLACE, f"more than {MOST_VARIABLES} variables")
        return
    wording = SolutionWording(subject.source)
    fixed = fixed_inputs(subject, wording)
    variables = tuple(entry.variable for entry in subject.source.inputs if entry.variable not in fixed)
    if not variables:
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


def renumber(subject: VariantSubject, values: Values, wording: SolutionWording | None = None) -> VariantResult:
    """Return the problem with values, one for each variable, or why it cannot be told with them."""
    changed = [entry.variable for entry in subject.source.inputs if values[entry.variable] != entry.value]
    what = ", ".join(changed)
    edits = [number_edit(subject.question.text, subject.question.place_of[name], values[name]) for name in changed]
    ready = tuple(sorted(edit for edit in edits if edit is not None))
    if len(ready) < len(edits):
        return DiscardedVariant(NAME, what, VariantDiscard.UNWRITABLE)
    source, wording = subject.source, wording or SolutionWording(subject.source)
    if (stale := wording.stale(values)) is not None:
        return DiscardedVariant(NAME, what, VariantDiscard.STALE, stale)
    answer = source.answer_form.write(values[source.final])
    try:
        solution = source.text.render(values)
    except UnwritableError as error:
        return DiscardedVariant(NAME, what, VariantDiscard.UNWRITABLE, str(error))
    if answer is None:
        return DiscardedVariant(NAME, what, VariantDiscard.UNWRITABLE, f"#### {values[source.final]}")
    variant = VariantProposal.of_change(subject, NAME, ProblemClass.SOLVABLE, QuestionChange(ready, values=values))
    if variant is None or variant.system.violated(values) is not None:
        return DiscardedVariant(NAME, what, VariantDiscard.ABSURD)
    return replace(variant, solution=solution, answer=answer)
