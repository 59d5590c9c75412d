"""Tests of the registered variant operators: their examples hold, and their edits and facts fit the text."""

from __future__ import annotations

import importlib
from functools import cache

from generators.flaws.solution.example_solutions import example_source
from generators.flaws.text.solution_rewrite import random_of
from generators.variants.variant_operator import VARIANT_OPERATORS
from generators.variants.variant_proposal import DiscardedVariant, VariantProposal
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import FactSource, ProblemClass
from harness.text.number_mentions import mentions
from tests.cases import cases

NAMES = sorted(operator.name for operator in VARIANT_OPERATORS)
EXAMPLES = [(operator.name, number) for operator in VARIANT_OPERATORS for number in range(len(operator.examples))]
SEEDS = range(30)


def subject_of(name: str, number: int) -> VariantSubject:
    """Return the problem of an example, read anew."""
    example = VARIANT_OPERATORS.require(name).examples[number]
    return VariantSubject(example_source(example.code, example.question))


def made_of(name: str, subject: VariantSubject, seed: int) -> list[VariantProposal | DiscardedVariant]:
    """Return what an operator makes of a problem with a seed."""
    return list(VARIANT_OPERATORS.require(name).variants(subject, random_of(subject.source, name, seed)))


@cache
def proposals_of(name: str, number: int) -> list[VariantProposal]:
    """Return what an operator proposes of an example over all seeds."""
    subject = subject_of(name, number)
    return [one for seed in SEEDS for one in made_of(name, subject, seed) if isinstance(one, VariantProposal)]


@cases("name", NAMES)
def test_a_variant_operator_is_named_after_its_file(name: str) -> None:
    """Who reads a name in a record finds the code."""
    operator = VARIANT_OPERATORS.require(name)
    module = importlib.import_module(f"generators.variants.operators.{name}")
    assert module.__doc__
    assert operator.variants.__module__ == module.__name__
    assert operator.examples


@cases(("name", "number"), EXAMPLES)
def test_texts_of_an_example_are_made(name: str, number: int) -> None:
    """Each text that an example lists is made with some seed."""
    wanted = set(VARIANT_OPERATORS.require(name).examples[number].texts)
    assert wanted <= {one.text for one in proposals_of(name, number)}


@cases(("name", "number"), EXAMPLES)
def test_variants_are_deterministic(name: str, number: int) -> None:
    """The same problem and seed give the same variants in the same order."""

    def texts() -> list[object]:
        made = made_of(name, subject_of(name, number), 0)
        return [(one.text, one.system, one.answer) if isinstance(one, VariantProposal) else one for one in made]

    assert texts() == texts()


@cases(("name", "number"), EXAMPLES)
def test_facts_say_what_stands_in_the_edited_text(name: str, number: int) -> None:
    """Each fact with a span has there a number that can mean its value."""
    for proposal in proposals_of(name, number):
        read = mentions(proposal.text)
        for fact in proposal.system.facts:
            if fact.span is None:
                continue
            start, end = fact.span
            values = {value for one in read if one.start < end and start < one.end for value in one.readings}
            assert fact.value in values, (fact, proposal.text[start:end])
            assert fact.source is FactSource.TEXT


@cases(("name", "number"), EXAMPLES)
def test_labels_agree_with_exact_evaluation(name: str, number: int) -> None:
    """What is solvable meets all of its constraints, what is contradictory does not, and names what clashes."""
    for proposal in proposals_of(name, number):
        system = proposal.system
        assert set(proposal.clash) <= system.constraints.keys()
        if proposal.problem_class is ProblemClass.UNDERSPECIFIED:
            for witness in proposal.witnesses:
                assert system.violated(system.complete(witness)) is None
            assert len({system.complete(witness)[system.answer] for witness in proposal.witnesses}) > 1
        else:
            violated = system.violated(system.complete())
            assert (violated is None) == (proposal.problem_class is ProblemClass.SOLVABLE), violated
        assert bool(proposal.clash) == (proposal.problem_class is ProblemClass.CONTRADICTORY)


@cases(("name", "number"), EXAMPLES)
def test_a_twin_follows_its_variant(name: str, number: int) -> None:
    """A twin is solvable, has another text, and stands behind its variant; each contradictory variant has one right behind."""
    made = proposals_of(name, number)
    for place, proposal in enumerate(made):
        if proposal.problem_class is ProblemClass.CONTRADICTORY:
            assert made[place + 1].twin == proposal.text
        if proposal.twin is None:
            continue
        assert proposal.problem_class is ProblemClass.SOLVABLE
        assert proposal.text != proposal.twin
        assert any(one.text == proposal.twin and one.problem_class is not ProblemClass.SOLVABLE for one in made[:place])
        assert proposal.operator == name
