"""Tests of the registered variant operators: their examples hold, and their edits and facts fit the text."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random

import pytest

from generators.variants.variant_operator import VARIANT_OPERATORS, DiscardedVariant, VariantProposal
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Bound, Fact, FactSource, ProblemClass
from harness.text.numbers import mentions
from tests.cases import cases
from tests.generators.flaws.example_solutions import example_source
from tests.generators.real_problems import real_sources

NAMES = sorted(operator.name for operator in VARIANT_OPERATORS)
EXAMPLES = [(operator.name, number) for operator in VARIANT_OPERATORS for number in range(len(operator.examples))]
SEEDS = range(30)


def subject_of(name: str, number: int) -> VariantSubject:
    """Return the problem of an example, read anew."""
    example = VARIANT_OPERATORS.require(name).examples[number]
    return VariantSubject(example_source(example.code, example.question))


def made_of(name: str, subject: VariantSubject, seed: int) -> list[VariantProposal | DiscardedVariant]:
    """Return what an operator makes of a problem with a seed."""
    return list(
        VARIANT_OPERATORS.require(name).variants(subject, Random(f"{seed}:{subject.source.problem.problem_id}:{name}"))
    )


@cache
def proposals_of(name: str, number: int) -> list[list[VariantProposal]]:
    """Return what an operator proposes of an example with each seed."""
    subject = subject_of(name, number)
    made = (made_of(name, subject, seed) for seed in SEEDS)
    return [[variant for variant in variants if isinstance(variant, VariantProposal)] for variants in made]


@cases(("name", "number"), EXAMPLES)
def test_texts_of_an_example_are_made_again_and_again(name: str, number: int) -> None:
    """Each text that an example lists is made with some seed; the same problem, read anew, and seed give the same variants in the same order."""
    made = proposals_of(name, number)
    wanted = set(VARIANT_OPERATORS.require(name).examples[number].texts)
    assert wanted <= {proposal.text for proposals in made for proposal in proposals}
    again = made_of(name, subject_of(name, number), 0)
    told = [
        [(variant.text, variant.system, variant.answer) for variant in variants if isinstance(variant, VariantProposal)]
        for variants in (made[0], again)
    ]
    assert told[0] == told[1]


def stands_at_its_place(fact: Fact, proposal: VariantProposal) -> bool:
    """Tell whether a number that can mean a fact's value stands where the fact says, percents as parts of one or not."""
    if fact.span is None:
        return True
    start, end = fact.span
    said = {
        value
        for number in mentions(proposal.text)
        if number.start < end and start < number.end
        for value in number.readings
    }
    return fact.source is FactSource.TEXT and not said.isdisjoint(
        {fact.value, fact.value * 100, Fraction(fact.value) / 100}
    )


def breaches(proposal: VariantProposal) -> Iterator[str]:
    """Yield the laws that a proposal breaks by itself."""
    system, problem_class = proposal.system, proposal.problem_class
    yield from (fact.name for fact in system.facts if not stands_at_its_place(fact, proposal))
    if not set(proposal.clash) <= system.constraints.keys():
        yield "what clashes is no constraint"
    if bool(proposal.clash) != (problem_class is ProblemClass.CONTRADICTORY):
        yield "a clash is of contradictory problems alone"
    clashing = {type(system.constraints[name]) for name in proposal.clash}
    if proposal.operator == "broken_bound" and clashing not in (set(), {Fact, Bound}):
        yield "what clashes is no bound and a fact"
    changed = {f"fact:{name}" for name in proposal.change.values}
    if changed and {name for name in proposal.clash if isinstance(system.constraints[name], Fact)} - changed:
        yield "a statement that is true at the original values clashes"
    completed = [system.complete(free) for free in proposal.witnesses or (proposal.subject.values,)]
    if any((system.violated(values) is None) is (problem_class is ProblemClass.CONTRADICTORY) for values in completed):
        yield "the class is not what exact evaluation gives"
    answers = {values[system.answer] for values in completed}
    if (len(answers) > 1) is not (problem_class is ProblemClass.UNDERSPECIFIED):
        yield "only an underspecified problem has two answers"
    own = all(values.items() >= proposal.subject.values.items() for values in completed)
    if problem_class is ProblemClass.SOLVABLE and proposal.answer is None and not own:
        yield "another solution than the problem's own, and no answer"


def twin_breaches(made: Sequence[VariantProposal]) -> Iterator[str]:
    """Yield the laws that variants and near-twins break in the order in which they are made."""
    for place, proposal in enumerate(made):
        if proposal.problem_class is ProblemClass.CONTRADICTORY:
            twin = made[place + 1]
            if twin.twin != proposal.text:
                yield "no twin right behind a contradictory variant"
            if not edited_alike(proposal, twin):
                yield "the place of an edit tells a variant from its twin"
        if proposal.twin is not None:
            before = {variant.text for variant in made[:place] if variant.problem_class is not ProblemClass.SOLVABLE}
            if proposal.problem_class is not ProblemClass.SOLVABLE or proposal.text == proposal.twin:
                yield "a twin is no other, solvable problem"
            if proposal.twin not in before:
                yield "a twin of nothing before it"


def edited_alike(variant: VariantProposal, twin: VariantProposal) -> bool:
    """Tell whether a twin is edited where its variant is; beside that, the variant may have another number or lack one."""
    places = [{(edit.start, edit.end) for edit in version.edits} for version in (variant, twin)]
    return not places[0].isdisjoint(places[1])


def all_breaches(made: Sequence[VariantProposal]) -> list[tuple[str, str]]:
    """Return what breaks a law, with the text."""
    return [(proposal.text, breach) for proposal in made for breach in breaches(proposal)] + [
        ("", proposal) for proposal in twin_breaches(made)
    ]


@cases(("name", "number"), EXAMPLES)
def test_variants_of_examples_keep_the_laws(name: str, number: int) -> None:
    """Facts stand where they say, labels agree with exact evaluation, and a twin follows its variant, edited alike."""
    for made in proposals_of(name, number):
        assert all_breaches(made) == []
        assert {variant.operator for variant in made} <= {name}


@pytest.mark.parametrize("most", [30, pytest.param(150, marks=pytest.mark.slow)])
def test_variants_of_real_problems_keep_the_laws(shared_data: Path, most: int) -> None:
    """The same, of every operator some."""
    names = set[str]()
    for source in real_sources(shared_data, most, step=3):
        subject = VariantSubject(source)
        for name in NAMES:
            made = [variant for variant in made_of(name, subject, 0) if isinstance(variant, VariantProposal)]
            assert all_breaches(made) == []
            names.update(variant.operator for variant in made)
    assert names >= {"stated_quantity", "restated_input", "broken_bound", "vague_quantity"}
