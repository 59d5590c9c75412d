"""Contradictory variants that state parts which do not fit their whole: more than there are, or more or less than all of it together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

from generators.variants.question.question_edit import EditedQuestion
from generators.variants.text.part_statements import PERCENT, CountedWhole, counted_wholes, part_of, percentage_of
from generators.variants.text.quantity_statements import WrittenSentence
from generators.variants.values.nearby_values import mentioned_values
from generators.variants.variant_operator import VariantExample, variant_operator
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantProposal, VariantResult
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Bound, BoundKind, ConstraintStep, Fact, FactSource, ProblemClass
from harness.domain import Exact
from harness.program import ir
from harness.text.numbers import whole_as_int
from harness.text.sentences import sentences_of

NAME = "stated_part"
FURTHEST = 5
"""By how many of its least steps a wrong number is away, at most."""
_TOLD = "Ida has 40 pens. {} She buys 3 boxes of 8 pens for her desk. How many pens are there?"


@variant_operator(
    NAME,
    problem_class=ProblemClass.CONTRADICTORY,
    examples=(
        VariantExample(
            "# L1\npens = 40 # 40 pens\nboxes = 3 # 3 boxes\nper_box = 8 # 8 pens\nbought = boxes * per_box\n"
            "# L2\ntotal = pens + bought",
            _TOLD.format("").replace("  ", " "),
            (
                _TOLD.format("45 of the pens are small."),
                _TOLD.format("30% of the pens are small, and the other 80% are large."),
                _TOLD.format("75% of the pens are small, and the other 25% are large."),
            ),
        ),
    ),
)
def stated_part(subject: VariantSubject, random: Random) -> Iterator[VariantResult]:
    """State some of the things that the problem counts, once too many of them and once as many as can be."""
    wholes = list(counted_wholes(subject.question))
    random.shuffle(wholes)
    for whole in wholes:
        variants = _variants(subject, whole, random)
        if variants:
            yield from variants
            return
    yield DiscardedVariant(NAME, subject.source.final, VariantDiscard.NO_PLACE)


def _variants(subject: VariantSubject, whole: CountedWhole, random: Random) -> list[VariantProposal]:
    """Return a variant and its twin, in one of the ways in which parts can be stated."""
    name = whole.place.variables[0]
    if {f"some_of_{name}", f"others_of_{name}"} & set(subject.values):
        return []
    ways = [_too_many, _split, _percentages]
    random.shuffle(ways)
    return next((variants for way in ways if (variants := way(subject, whole, random))), [])


def _pair(variant: VariantProposal, twin: VariantProposal) -> list[VariantProposal]:
    return [variant, replace(twin, twin=variant.text)]


def _too_many(subject: VariantSubject, whole: CountedWhole, random: Random) -> list[VariantProposal]:
    """Return `45 of the pens are small` where there are 40, and the twin with a number that can be."""
    avoided = mentioned_values(subject)
    right = part_of(whole, random, frozenset(avoided))
    grain = _grain(whole.count)
    above = [whole.count + grain * step for step in range(1, FURTHEST + 1)]
    wrong = [value for value in above if value not in avoided and right and len(str(value)) == len(str(right))]
    if right is None or not wrong:
        return []
    name = whole.place.variables[0]
    some, others = f"some_of_{name}", f"others_of_{name}"

    def proposal(problem_class: ProblemClass, value: int) -> VariantProposal:
        written = whole.some(value)
        stated = {some: (value, (written.start, written.end))}
        step = ConstraintStep(f"split:{others}", others, ir.Binary("-", ir.Name(name), ir.Name(some)), written.text)
        bound = Bound(
            f"not-negative:{others}", others, BoundKind.NOT_NEGATIVE, f"there are no fewer {whole.things} than none"
        )
        return _proposal(subject, whole, problem_class, written, stated, steps=(step,), bounds=(bound,))

    clash = (f"stated:{some}", f"split:{others}", f"not-negative:{others}")
    variant = replace(proposal(ProblemClass.CONTRADICTORY, random.choice(wrong)), clash=clash)
    return _pair(variant, proposal(ProblemClass.SOLVABLE, right))


def _split(subject: VariantSubject, whole: CountedWhole, random: Random) -> list[VariantProposal]:
    """Return `12 of the pens are small, and the other 30 are large` where there are 40, and the twin whose parts make the whole."""
    avoided = mentioned_values(subject)
    part = part_of(whole, random, frozenset(avoided))
    if part is None:
        return []
    return _parted(subject, whole, part, whole.count, random, unit="")


def _percentages(subject: VariantSubject, whole: CountedWhole, random: Random) -> list[VariantProposal]:
    """Return `30% of the pens are small, and the other 75% are large`, and the twin whose shares make the whole."""
    part = percentage_of(whole, random, frozenset(mentioned_values(subject)))
    if part is None:
        return []
    return _parted(subject, whole, part, PERCENT, random, unit="%")


def _parted(
    subject: VariantSubject, whole: CountedWhole, part: int, everything: int, random: Random, *, unit: str
) -> list[VariantProposal]:
    """Return a variant whose two parts are not everything, and its twin."""
    name, avoided, rest = whole.place.variables[0], mentioned_values(subject), everything - part
    grain = 5 if unit else _grain(rest)
    wrong = [
        value
        for step in range(1, FURTHEST + 1)
        for value in (rest + grain * step, rest - grain * step)
        if value > 1 and value not in avoided and value not in {part, everything} and len(str(value)) == len(str(rest))
    ]
    if not wrong:
        return []
    some, others = f"some_of_{name}", f"others_of_{name}"
    all_of_it: ir.Expr = ir.Const(1) if unit else ir.Name(name)
    scale = PERCENT if unit else 1

    def proposal(problem_class: ProblemClass, value: int) -> VariantProposal:
        written, first = whole.split(part, value, unit)
        parts = zip((some, others), (part, value), (first, (written.start, written.end)), strict=True)
        stated = {
            part_name: (whole_as_int(Fraction(count, scale)), (start, end + len(unit)))
            for part_name, count, (start, end) in parts
        }
        step = ConstraintStep(f"split:{others}", others, ir.Binary("-", all_of_it, ir.Name(some)), written.text)
        return _proposal(subject, whole, problem_class, written, stated, steps=(step,))

    variant = replace(proposal(ProblemClass.CONTRADICTORY, random.choice(wrong)), clash=(f"stated:{others}",))
    return _pair(variant, proposal(ProblemClass.SOLVABLE, rest))


def _grain(value: int) -> int:
    """Return the size of a person's error in a round number."""
    size = 1
    while value > size * 10 and value % (size * 10) == 0:
        size *= 10
    return max(1, size // 2) if size > 1 else 1


def _proposal(
    subject: VariantSubject,
    whole: CountedWhole,
    problem_class: ProblemClass,
    written: WrittenSentence,
    stated: Mapping[str, tuple[Exact, tuple[int, int]]],
    *,
    steps: Sequence[ConstraintStep] = (),
    bounds: Sequence[Bound] = (),
) -> VariantProposal:
    """Return the problem with a statement; `stated` are the values that it gives to variables, and where in it they stand."""
    edit, shift = whole.point.edit(written), len(whole.point.joint)
    edited = EditedQuestion(subject.question.text, (edit,))
    facts = [edited.moved_fact(fact) for fact in subject.system.facts]
    for name, (value, (start, end)) in stated.items():
        span = edited.inserted(edit, start + shift, end + shift)
        words = next(
            sentence.text for sentence in sentences_of(edited.text) if sentence.start <= span[0] < sentence.end
        )
        facts.append(Fact(f"stated:{name}", name, value, FactSource.TEXT, words, span))
    system = replace(
        subject.system,
        facts=tuple(facts),
        steps=(*subject.system.steps, *steps),
        bounds=(*subject.system.bounds, *bounds),
    )
    return VariantProposal(subject, NAME, problem_class, (edit,), system)
