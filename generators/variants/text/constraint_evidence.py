"""Grounding of a variant's constraints in the words of its edited text and its rewritten solution."""

from __future__ import annotations

from dataclasses import replace

from generators.variants.variant_proposal import VariantProposal
from harness.constraint_system import ConstraintStep, Fact
from harness.text.sentences import sentences_of


def grounded_proposal(proposal: VariantProposal) -> VariantProposal:
    """Return a proposal whose facts have the words of the edited text, and whose steps have those of a rewritten solution."""
    text = proposal.text
    facts = tuple(_fact(fact, text) for fact in proposal.system.facts)
    steps = proposal.system.steps
    if proposal.solution is not None:
        lines = proposal.solution.split("\n")
        steps = tuple(_step(step, proposal, lines) for step in steps)
    return replace(proposal, system=replace(proposal.system, facts=facts, steps=steps))


def _fact(fact: Fact, text: str) -> Fact:
    """Return a fact with the sentence that it stands in, where its words are not of the text."""
    if fact.span is None or fact.words in text:
        return fact
    start, end = fact.span
    words = next(
        (sentence.text for sentence in sentences_of(text) if sentence.start <= start < sentence.end), text[start:end]
    )
    return replace(fact, words=words)


def _step(step: ConstraintStep, proposal: VariantProposal, lines: list[str]) -> ConstraintStep:
    source = proposal.subject.source
    if step.variable not in source.trace.by_name:
        return step
    number = source.line_number(step.variable)
    return replace(step, words=lines[number - 1]) if 1 <= number <= len(lines) else step
