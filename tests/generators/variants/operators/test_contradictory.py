"""Tests of contradictory variants of real problems and their near-twins: certificates and texts keep their laws."""

import gzip
import json
from itertools import islice
from pathlib import Path

import pytest

from generators.flaws.solution.source_solution import UnfitError, open_source
from generators.flaws.text.solution_rewrite import random_of
from generators.variants.variant_operator import VARIANT_OPERATORS
from generators.variants.variant_proposal import DiscardedVariant, VariantProposal
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Bound, Fact, ProblemClass
from harness.corpora.problems import load_corpus
from harness.domain import Response
from harness.text.number_mentions import mentions

MOST = 150
TEMPLATES = "formalizations/templates.jsonl.gz"
CORPUS = "gsm8k/train.jsonl"
NAMES = ("stated_quantity", "restated_input", "redundant_fact", "broken_bound")


@pytest.fixture(scope="module")
def made(shared_data: Path) -> dict[str, list[VariantProposal]]:
    """Return what the operators propose of the first problems, by operator."""
    for name in (TEMPLATES, CORPUS):
        if not (shared_data / name).is_file():
            pytest.skip(f"no {name} in {shared_data}")
    problems = {problem.problem_id: problem for problem in load_corpus(f"gsm8k-train={shared_data / CORPUS}")}
    found: dict[str, list[VariantProposal]] = {name: [] for name in NAMES}
    seen: set[str] = set()
    with gzip.open(shared_data / TEMPLATES, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, islice(lines, 0, None, 3)):
            response = Response(record["problem_id"], record["model"], record["response"], "template")
            if response.problem_id in seen:
                continue
            try:
                subject = VariantSubject(open_source(problems[response.problem_id], response))
            except UnfitError:
                continue
            seen.add(response.problem_id)
            for name in NAMES:
                proposals = VARIANT_OPERATORS.require(name).variants(subject, random_of(subject.source, name, 0))
                found[name] += [one for one in proposals if not isinstance(one, DiscardedVariant)]
            if len(seen) == MOST:
                break
    return found


@pytest.mark.parametrize("name", NAMES)
def test_labels_of_real_variants_are_true_of_their_constraints(
    made: dict[str, list[VariantProposal]], name: str
) -> None:
    """A variant meets all constraints but those that clash, which it names; its twin meets all."""
    assert made[name]
    for one in made[name]:
        values = one.system.complete()
        broken = one.system.violated(values)
        if one.problem_class is ProblemClass.SOLVABLE:
            assert broken is None
            assert one.answer is not None or values == {**values, **one.subject.values}
        else:
            assert broken is not None
            assert one.clash


@pytest.mark.parametrize("name", NAMES)
def test_facts_of_real_variants_stand_where_they_say(made: dict[str, list[VariantProposal]], name: str) -> None:
    """What the edit changed or added reads as its value, and everything else as before."""
    for one in made[name]:
        numbers = mentions(one.text)
        for fact in one.system.facts:
            if fact.span is None or fact.name not in one.clash:
                continue
            start, end = fact.span
            read = {
                value for number in numbers if number.start < end and start < number.end for value in number.readings
            }
            assert fact.value in read, (fact, one.text[start:end])


@pytest.mark.parametrize("name", NAMES)
def test_a_twin_is_edited_in_the_same_places(made: dict[str, list[VariantProposal]], name: str) -> None:
    """Neither the place nor, but for number words, the size of an edit tells a variant from its twin."""
    for variant, twin in zip(made[name], made[name][1:], strict=False):
        if twin.twin == variant.text:
            assert [(edit.start, edit.end) for edit in variant.edits] == [(edit.start, edit.end) for edit in twin.edits]
            if not any(character.isalpha() for edit in twin.edits for character in edit.after if not edit.before):
                continue
            lengths = [sum(len(edit.after) for edit in one.edits) for one in (variant, twin)]
            assert abs(lengths[0] - lengths[1]) <= 12


def test_every_broken_bound_is_named(made: dict[str, list[VariantProposal]]) -> None:
    """The clash is a fact and a bound, and the bound is what the values break."""
    for one in made["broken_bound"]:
        if one.problem_class is ProblemClass.CONTRADICTORY:
            kinds = {type(one.system.constraints[name]) for name in one.clash}
            assert kinds == {Fact, Bound}
