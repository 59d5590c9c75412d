"""Tests of reasoning traces: they quote the problem, work in true equations, and say no number of their own."""

import re
from functools import cache
from pathlib import Path
from random import Random

import pytest

from generators.variants.explanation import BLANK, quote_of, reasoning_trace
from generators.variants.insertion.stated_facts import LIMIT_PREFIX
from generators.variants.variant_operator import VARIANT_OPERATORS, VariantProposal
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from harness.equations.line_reader import read_line
from harness.text.numbers import mentions
from oracles.proofs.solvers import SolverName, open_solver
from oracles.proofs.validity_certificate import certify
from tests.cases import cases
from tests.generators.flaws.example_solutions import example_source
from tests.generators.real_problems import real_sources

NAMES = sorted(operator.name for operator in VARIANT_OPERATORS)
_QUOTED = re.compile(r'"([^"]+)"')


def explained(proposal: VariantProposal) -> str:
    """Return the reasoning trace of a proposal, from its certificate."""
    certificate = certify(
        proposal.problem_class,
        proposal.system,
        clash=proposal.clash,
        witnesses=proposal.witnesses,
        original=proposal.subject.values,
        solver=open_solver(SolverName.Z3),
    )
    return reasoning_trace(proposal, certificate.core, certificate.models)


def proposals(subject: VariantSubject, name: str) -> list[VariantProposal]:
    """Return what an operator makes of a problem."""
    made = VARIANT_OPERATORS.require(name).variants(subject, Random(name))
    return [variant for variant in made if isinstance(variant, VariantProposal)]


@cache
def examples(name: str) -> list[VariantProposal]:
    """Return what an operator makes of its examples."""
    subjects = [
        VariantSubject(example_source(example.code, example.question))
        for example in VARIANT_OPERATORS.require(name).examples
    ]
    return [proposal for subject in subjects for proposal in proposals(subject, name)]


def faults(proposal: VariantProposal, trace: str) -> list[str]:
    """Return which laws of reasoning a trace breaks."""
    text = f"{' '.join(proposal.text.split())} {' '.join(proposal.subject.question.text.split())}"
    quotes = _QUOTED.findall(trace)
    found = [f"{quote!r} is not quoted" for quote in quotes if any(part not in text for part in quote.split(BLANK))]
    if any(line.false for line in map(read_line, trace.split(". "))):
        found.append("an equation is false")
    constants = {
        reading for step in proposal.system.steps for mention in mentions(step.words) for reading in mention.readings
    }
    known = {*proposal.subject.values.values(), *(fact.value for fact in proposal.system.facts), *constants}
    if proposal.problem_class is ProblemClass.SOLVABLE and proposal.answer is None:
        told = [mention for mention in mentions(_QUOTED.sub("", trace)) if mention.text[0].isdigit()]
        found += [f"{mention.text} is of nothing" for mention in told if known.isdisjoint(mention.readings)]
    limits = {
        fact.variable.removeprefix(LIMIT_PREFIX): fact.value
        for fact in proposal.system.facts
        if fact.variable.startswith(LIMIT_PREFIX)
    }
    for values in map(proposal.system.complete, proposal.witnesses):
        found += [f"{name} is at its limit" for name, limit in limits.items() if values[name] == limit]
    if not re.fullmatch(r"[A-Z\d].*\.", trace, re.DOTALL) or re.search(r"\{|\}|  |\.\.|None", trace):
        found.append("it is not written in sentences")
    return found


@cases(
    ("text", "quote"),
    [
        ("Together, Ann and Tom have 5 pens.", "Ann and Tom have 5 pens"),
        ("Juvy planted 5 rows with parsley and rosemary.", "Juvy planted 5 rows with parsley and rosemary"),
        ("Ann has 5 pens and Tom has 7.", "Ann has 5 pens"),
    ],
)
def test_a_quote_keeps_what_its_number_is_of(text: str, quote: str) -> None:
    """A conjunction parts two clauses only where both have a number."""
    start = text.index("5")
    assert quote_of(text, start, start + 1) == quote


@cases("name", NAMES)
def test_traces_of_examples_keep_the_laws(name: str) -> None:
    """Quotes are of the problem, equations true, and a solvable problem's numbers its own."""
    assert examples(name)
    for proposal in examples(name):
        assert faults(proposal, explained(proposal)) == []


@pytest.mark.parametrize("most", [12, pytest.param(120, marks=pytest.mark.slow)])
def test_traces_of_real_problems_keep_the_laws(shared_data: Path, most: int) -> None:
    """The same for real problems."""
    for source in real_sources(shared_data, most, step=7):
        subject = VariantSubject(source)
        for name in NAMES:
            for proposal in proposals(subject, name)[:2]:
                trace = explained(proposal)
                assert [fault for fault in faults(proposal, trace) if "of nothing" not in fault] == [], trace
