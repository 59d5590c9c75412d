"""Contradictory variants in which one of several numbers that state the same fact, or form a whole, is changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.variants.question.input_places import NumberPlace
from generators.variants.question.part_whole import PartWholeSplit, other_shares, share_otherwise, splits_of
from generators.variants.question.question_edit import EditedQuestion, QuestionEdit
from generators.variants.question.redundant_numbers import Redundancy, other_form, redundancies_of
from generators.variants.values.nearby_values import mentioned_values, neighbors_of
from generators.variants.variant_operator import VariantExample, variant_operator
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantProposal, VariantResult
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ConstraintStep, Fact, FactSource, ProblemClass
from harness.domain import Exact
from harness.program import ir
from harness.text.number_forms import NumberForm
from harness.text.numbers import NumberMention, whole_as_int
from harness.text.sentences import sentences_of

NAME = "redundant_fact"
MOST = 6
MOST_VALUES = 3
MOST_OF_A_PLACE = 3
SMALL = 10


@variant_operator(
    NAME,
    problem_class=ProblemClass.CONTRADICTORY,
    examples=(
        VariantExample(
            "# L1\nsongs = 3 # 3 songs\nhours_per_song = 8 # 8 hours\nhours = songs * hours_per_song\n"
            "# L2\npay = 20 # 20 dollars\nearned = hours * pay",
            "Mia writes 3 songs. Each takes her 8 hours, at $20 an hour. What does she earn with the 3 songs?",
            (
                "Mia writes 3 songs. Each takes her 8 hours, at $20 an hour. What does she earn with the four songs?",
                "Mia writes 3 songs. Each takes her 8 hours, at $20 an hour. What does she earn with the three songs?",
                "Mia writes two songs. Each takes her 8 hours, at $20 an hour. What does she earn with the 3 songs?",
            ),
        ),
        VariantExample(
            "# L1\npens = 12 # 12 pens\nred = 7 # 7 red pens\nblue = pens - red\n# L2\nprice = 2 # 2 dollars\ncost = blue * price",
            "Ann has 12 pens. 7 of them are red and the other 5 are blue. A pen costs $2. What did the blue pens cost?",
            (
                "Ann has 12 pens. 7 of them are red and the other six are blue. A pen costs $2. What did the blue pens cost?",
                "Ann has 12 pens. 7 of them are red and the other five are blue. A pen costs $2. What did the blue pens cost?",
                "Ann has thirteen pens. 7 of them are red and the other 5 are blue. A pen costs $2. What did the blue pens cost?",
            ),
        ),
        VariantExample(
            "# L1\npens = 20 # 20 pens\nshare = 0.4 # 40%\nred = pens * share\n# L2\nprice = 2 # 2 dollars\ncost = red * price",
            "Ann has 20 pens. 40% of them are red and the other 60% are blue. A pen costs $2. What did the red pens cost?",
            (
                "Ann has 20 pens. 40% of them are red and the other 50 percent are blue. A pen costs $2. What did the red pens cost?",
                "Ann has 20 pens. 40% of them are red and the other 60 percent are blue. A pen costs $2. What did the red pens cost?",
            ),
        ),
        VariantExample(
            "# L1\npens = 20 # 20 pens\nparts = 2 # half\nred = pens / parts\n# L2\nprice = 3 # 3 dollars\ncost = red * price",
            "Ann has 20 pens. Half of them are red and the other half are blue. A pen costs $3. What did the red pens cost?",
            (
                "Ann has 20 pens. Half of them are red and the other 40% are blue. A pen costs $3. What did the red pens cost?",
                "Ann has 20 pens. 60% of them are red and the other half are blue. A pen costs $3. What did the red pens cost?",
                "Ann has 20 pens. 50% of them are red and the other half are blue. A pen costs $3. What did the red pens cost?",
            ),
        ),
    ),
)
def redundant_fact(subject: VariantSubject, random: Random) -> Iterator[VariantResult]:
    """Change one of several numbers that say the same or make a whole; the twin writes the right value as the variant writes the wrong one."""
    redundancies, splits = redundancies_of(subject.question), splits_of(subject.question)
    count = 0
    for results in _attempts(subject, redundancies, splits, random):
        yield from results[: 2 * (MOST - count)]
        count += sum(isinstance(result, VariantProposal) for result in results[: 2 * (MOST - count)]) // 2
        if count >= MOST:
            return
    if not redundancies and not splits:
        yield DiscardedVariant(NAME, subject.source.final, VariantDiscard.NO_PLACE)


def _attempts(
    subject: VariantSubject, redundancies: Sequence[Redundancy], splits: Sequence[PartWholeSplit], random: Random
) -> Iterator[list[VariantResult]]:
    for redundancy in redundancies:
        for place in (redundancy.again, redundancy.first):
            if place is not None:
                yield _variants(subject, redundancy, place, random)
    for split in splits:
        for place in reversed(split.mentions):
            yield _of_split(subject, split, place, random)


def _variants(
    subject: VariantSubject, redundancy: Redundancy, place: NumberMention, random: Random
) -> list[VariantResult]:
    value, form = place.readings[0], other_form(subject.question.text, place)
    variable = _variable(subject, redundancy)
    if variable is None:
        return [DiscardedVariant(NAME, redundancy.noun, VariantDiscard.UNLOCATED, place.text)]
    variants: list[VariantResult] = []
    if form is not None:
        others = neighbors_of(value, form, Unit(Quantity.COUNT, redundancy.noun), _near(subject, value))
        for wrong in random.sample(others, min(MOST_VALUES, len(others))):
            if wrong != 1 and not _is_part(redundancy, place, wrong):
                variant = _proposal(subject, variable, redundancy, place, (form, wrong))
                twin = _proposal(subject, variable, redundancy, place, (form, value))
                variants += [variant, replace(twin, twin=variant.text)]
    return variants or [DiscardedVariant(NAME, variable, VariantDiscard.UNWRITABLE, place.text)]


def _is_part(redundancy: Redundancy, place: NumberMention, wrong: Exact) -> bool:
    """Tell whether the second number would be the less: of 4 stores, `the two stores` may be two."""
    if redundancy.again is None:
        return False
    first, again = (
        wrong if mention == place else mention.readings[0] for mention in (redundancy.first, redundancy.again)
    )
    return again < first


def _near(subject: VariantSubject, value: Exact) -> frozenset[Exact]:
    """Return the values that a wrong one must not be; small numbers may be those of other things."""
    return frozenset({value}) if value <= SMALL else mentioned_values(subject)


def _place_of(subject: VariantSubject, mention: NumberMention) -> NumberPlace | None:
    return next(
        (place for place in subject.question.places if place.start < mention.end and mention.start < place.end), None
    )


def _variable(subject: VariantSubject, redundancy: Redundancy) -> str | None:
    """Return the variable that both places give: an input of the solution, or one of its own where the solution needs none.

    There is none where the two places give two inputs, or an input of another value.
    """
    both = [mention for mention in (redundancy.first, redundancy.again) if mention is not None]
    places = [place for mention in both if (place := _place_of(subject, mention)) is not None]
    if not places:
        name = f"number_of_{redundancy.noun}"
        return None if name in subject.values else name
    usable = len(places) == 1 and places[0].rewritable and len(places[0].variables) == 1
    return places[0].variables[0] if usable and places[0].value == redundancy.first.readings[0] else None


def _proposal(
    subject: VariantSubject,
    variable: str,
    redundancy: Redundancy,
    place: NumberMention,
    written: tuple[NumberForm, Exact],
) -> VariantProposal:
    """Return the problem in which one place says a value in a form."""
    (form, value), right = written, redundancy.first.readings[0]
    edited = EditedQuestion(
        subject.question.text, (QuestionEdit(place.start, place.end, place.text, form.write(value) or ""),)
    )
    facts = [edited.moved_fact(fact) for fact in subject.system.facts if fact.variable != variable]
    stated = []
    for name, mention in (("fact", redundancy.first), ("again", redundancy.again)):
        if mention is not None:
            span = edited.moved(mention.start, mention.end) or edited.inserted_span(edited.edits[0])
            words = subject.question.words_at(mention.start, mention.end)
            number = value if mention == place else right
            stated.append(Fact(f"{name}:{variable}", variable, number, FactSource.TEXT, words, span))
    if redundancy.again is None:
        stated.append(Fact(f"again:{variable}", variable, right, FactSource.TEXT, redundancy.names))
    system = replace(subject.system, facts=(*stated, *facts))
    changed = stated[1].name if place == redundancy.again else stated[0].name
    contradictory = value != right
    return VariantProposal(
        subject,
        NAME,
        ProblemClass.CONTRADICTORY if contradictory else ProblemClass.SOLVABLE,
        edited.edits,
        system,
        clash=(changed,) if contradictory else (),
        redundant=f"again:{variable}" if variable in subject.values else None,
    )


def _of_split(
    subject: VariantSubject, split: PartWholeSplit, place: NumberMention, random: Random
) -> list[VariantResult]:
    """Return variants in which one of the numbers that make a whole says another value, with their twins."""
    names = _names(subject, split)
    if names is None or _rereadings(subject, place, names[place][0]) is None:
        return [DiscardedVariant(NAME, split.noun, VariantDiscard.UNLOCATED, place.text)]
    value = place.readings[0]
    if split.whole is None:
        written = {share: share_otherwise(subject.question, place, share) for share in (value, *other_shares(place))}
    else:
        form, unit = other_form(subject.question.text, place), Unit(Quantity.COUNT, split.noun)
        others = [] if form is None or value == 1 else neighbors_of(value, form, unit, _near(subject, value))
        written = {other: None if form is None or other == 1 else form.write(other) for other in (value, *others)}
    right = written.pop(value)
    wrong = [(other, text) for other, text in written.items() if text is not None]
    if right is None or not wrong:
        return [DiscardedVariant(NAME, split.noun, VariantDiscard.UNWRITABLE, place.text)]
    variants: list[VariantResult] = []
    for other, text in random.sample(wrong, min(MOST_OF_A_PLACE, len(wrong))):
        variant = _split_anew(subject, split, names, place, (text, other))
        twin = _split_anew(subject, split, names, place, (right, value))
        variants += [variant, replace(twin, twin=variant.text)]
    return variants


def _rereadings(subject: VariantSubject, mention: NumberMention, told: str) -> tuple[ConstraintStep, ...] | None:
    """Return how inputs come from a number that is no input itself: the divisor 2 and the share 1/2 from `half`.

    There are none where a place gives one input; `None` where an input is something else.
    """
    place, value = _place_of(subject, mention), Fraction(mention.readings[0])
    if place is None or (place.rewritable and len(place.variables) == 1):
        return ()
    steps = []
    for name in place.variables:
        read: ir.Expr = ir.Name(told)
        if subject.values[name] * value == 1:
            read = ir.Binary("/", ir.Const(1), read)
        elif subject.values[name] != value:
            return None
        steps.append(ConstraintStep(f"reads:{name}", name, read, mention.text))
    return tuple(steps)


def _names(subject: VariantSubject, split: PartWholeSplit) -> dict[NumberMention, tuple[str, Exact]] | None:
    """Return the variable and the value of each number, its own where it gives no input; `None` where inputs give other values.

    Shares are all parts of one, or all hundredths.
    """
    names: dict[NumberMention, tuple[str, Exact]] = {}
    given = {}
    for mention in split.mentions:
        place = _place_of(subject, mention)
        if place is not None and place.rewritable and len(place.variables) == 1:
            given[mention] = place
    scales = {Fraction(place.value) / mention.readings[0] for mention, place in given.items()} or {Fraction(1)}
    if len(scales) > 1 or not scales <= ({1, 100} if split.whole is None else {1}):
        return None
    (scale,) = scales
    for number, mention in enumerate(split.mentions, start=1):
        name = given[mention].variables[0] if mention in given else f"told_{number}"
        if mention not in given and name in subject.values:
            return None
        names[mention] = name, whole_as_int(mention.readings[0] * scale)
    return names if len({name for name, _ in names.values()}) == len(names) else None


def _split_anew(
    subject: VariantSubject,
    split: PartWholeSplit,
    names: Mapping[NumberMention, tuple[str, Exact]],
    place: NumberMention,
    written: tuple[str, Exact],
) -> VariantProposal:
    """Return the problem in which one of the numbers that make a whole is rewritten, the others stay."""
    question, (text, says) = subject.question, written
    edited = EditedQuestion(question.text, (QuestionEdit(place.start, place.end, place.text, text),))
    variable, right = names[place]
    scale = right / Fraction(place.readings[0])
    stated = []
    for mention, (name, value) in names.items():
        words = question.words_at(mention.start, mention.end)
        changed = mention == place
        span = edited.inserted_span(edited.edits[0]) if changed else edited.moved(mention.start, mention.end)
        number = whole_as_int(says * scale) if changed else value
        stated.append(Fact(f"{'again' if changed else 'fact'}:{name}", name, number, FactSource.TEXT, words, span))
    reads = _rereadings(subject, place, variable) or ()
    own = {name for name, _ in names.values()} | {step.variable for step in reads}
    facts = (*stated, *(edited.moved_fact(fact) for fact in subject.system.facts if fact.variable not in own))
    rest = edited.moved(split.rest.start, split.rest.end) or edited.inserted_span(edited.edits[0])
    sentences = sentences_of(edited.text)
    words = next((sentence.text for sentence in sentences if sentence.start <= rest[0] < sentence.end), "")
    step = ConstraintStep(f"split:{variable}", variable, _combined(split, names, place, scale), words)
    contradictory = says != place.readings[0]
    return VariantProposal(
        subject,
        NAME,
        ProblemClass.CONTRADICTORY if contradictory else ProblemClass.SOLVABLE,
        edited.edits,
        replace(subject.system, facts=facts, steps=(step, *reads, *subject.system.steps)),
        clash=(f"again:{variable}",) if contradictory else (),
        redundant=f"again:{variable}" if variable in subject.values else None,
    )


def _combined(
    split: PartWholeSplit, names: Mapping[NumberMention, tuple[str, Exact]], place: NumberMention, scale: Fraction
) -> ir.Expr:
    """Return the value of one number by the others: the whole less the parts, or the sum of the parts."""
    others = [mention for mention in (*split.parts, split.rest) if mention != place]
    whole: ir.Expr = ir.Const(int(scale)) if split.whole is None else ir.Name(names[split.whole][0])
    terms: list[ir.Expr] = [ir.Name(names[other][0]) for other in others]
    if place == split.whole:
        whole, *terms = terms
    for term in terms:
        whole = ir.Binary("+" if place == split.whole else "-", whole, term)
    return whole
