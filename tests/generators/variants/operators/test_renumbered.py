"""Tests of renumbered problems: the values are plausible, fit the text and give the answer of the reworked solution."""

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from generators.variants.operators.renumbered import MOST_VARIANTS, renumbered
from generators.variants.values.redundant_numbers import fixed_inputs
from generators.variants.values.solution_wording import SolutionWording
from generators.variants.variant_operator import VARIANT_OPERATORS, VariantProposal, grounded_proposal
from generators.variants.variant_source import VariantSubject
from harness.answers.gold_answer import match_gold, read_gold
from harness.constraint_system import ProblemClass
from harness.corpora.labelled_solutions import LabelledSolution, read_record
from harness.domain import Problem, Status
from harness.equations.line_reader import read_line
from oracles.labels.audit.label_verdict import audit
from tests.cases import cases
from tests.generators.flaws.example_solutions import example_source
from tests.generators.real_problems import real_sources

EXAMPLES = [
    VariantSubject(example_source(example.code, example.question))
    for example in VARIANT_OPERATORS.require("renumbered").examples
]
STEPS = "\nmore = given * 9\n# L2\nmost = more + 1000"


def proposals(subject: VariantSubject, seed: int = 0) -> list[VariantProposal]:
    """Return the renumbered variants of a problem."""
    made = renumbered.variants(subject, Random(f"{seed}:{subject.problem_id}"))
    return [grounded_proposal(variant) for variant in made if isinstance(variant, VariantProposal)]


def breaches(proposal: VariantProposal) -> list[str]:
    """Return which laws a renumbered problem breaks."""
    system, values = proposal.system, proposal.system.complete()
    found = []
    gold = read_gold(proposal.answer or "")
    if (
        gold is None
        or not (match := match_gold(Fraction(values[system.answer]), gold)).reached
        or match.method == "rounded"
    ):
        found.append("the answer is not what exact evaluation gives")
    for fact in system.facts:
        if fact.span is not None:
            start, end = fact.span
            if proposal.text[start:end] not in fact.words or fact.words not in proposal.text:
                found.append(f"{fact.name} is not quoted")
    if _without(proposal, old=True) != _without(proposal, old=False):
        found.append("more than the numbers changed")
    lines = (proposal.solution or "").split("\n")
    if len(lines) != proposal.subject.source.problem.solution.count("\n") + 1:
        found.append("the solution has other lines")
    if any(read_line(line).false for line in lines):
        found.append("the solution states what is false")
    changed = [fact for fact in system.facts if fact.value != proposal.subject.values[fact.variable]]
    if not changed:
        found.append("nothing changed")
    return found


def _without(proposal: VariantProposal, *, old: bool) -> list[str]:
    """Return the text between the edits, before them or after."""
    parts, end, shift = [], 0, 0
    for edit in proposal.edits:
        text, moved = (proposal.subject.question.text, 0) if old else (proposal.text, shift)
        parts.append(text[end : edit.start + moved])
        shift += len(edit.after) - len(edit.before)
        end = edit.end if old else edit.end + shift
    return [*parts, (proposal.subject.question.text if old else proposal.text)[end:]]


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_renumbered_examples_keep_the_laws(number: int) -> None:
    """The text says the new values, the answer is exact, the solution true, and nothing else changes."""
    for seed in range(40):
        made = proposals(EXAMPLES[number], seed)
        assert 0 < len(made) <= MOST_VARIANTS
        assert len({variant.text for variant in made}) == len(made)
        for variant in made:
            assert breaches(variant) == [], variant.text
            assert variant.problem_class is ProblemClass.SOLVABLE


@cases(
    ("code", "question"),
    [
        ("given = 3 # 3", "Ann has pens. How many?"),
        ("given = 7 # 7 days", "She runs 7 days a week. How many?"),
        ("given = 12 # 12 inches", "There are 12 inches in a foot. How many?"),
        ("given = 2 # 2 pens", "Ann has 2 pens, and sells both. How many?"),
        ("given = 5 # 5 pens", "Ann has 5 pens. The second is red. How many?"),
        ("given = 12 # 12 pens", "Ann has 12 pens and 108 caps. How many?"),
        ("given = 40 # 40 pens", "Ann has 40 pens, 25 red ones and 15 blue ones. How many?"),
        (
            "given = 40 # 40 pens",
            "Ann has 8 boxes of 5 pens. After she got her 40 pens, she left. How many?",
        ),
        ("given = 5 # $5", "Ann has three bills of $5 and a dime. How much?"),
    ],
)
def test_which_inputs_keep_their_value(code: str, question: str) -> None:
    """Those that words, nature or other numbers hold on to."""
    subject = VariantSubject(example_source(f"# L1\n{code}{STEPS}", question))
    assert "given" in fixed_inputs(subject, SolutionWording(subject.source))


def audited(proposal: VariantProposal) -> str | None:
    """Return what the label audit says against a renumbered solution that is said to be correct."""
    problem_id = proposal.subject.problem_id
    solution = f"{proposal.solution}\n#### {proposal.answer}"
    record = {"problem_id": problem_id, "question": proposal.text, "solution": solution, "label": "correct"}
    labelled = read_record(record, "renumbered")
    assert isinstance(labelled, LabelledSolution)
    verdict = audit(labelled, Problem(problem_id, "", "", proposal.answer), problem_id)
    return None if verdict.status is Status.CONFIRMED else verdict.reason


@pytest.mark.parametrize("most", [60, pytest.param(500, marks=pytest.mark.slow)])
def test_real_renumbered_problems_keep_the_laws(shared_data: Path, most: int) -> None:
    """The laws hold of all that the label audit confirms, at least one and a half for each problem; it objects to few."""
    proposed = [
        proposal for source in real_sources(shared_data, most, step=5) for proposal in proposals(VariantSubject(source))
    ]
    made = [variant for variant in proposed if audited(variant) is None]
    assert [(variant.text, found) for variant in made if (found := breaches(variant))] == []
    assert len(proposed) - len(made) <= len(proposed) / 20
    assert len(made) > 1.5 * most
