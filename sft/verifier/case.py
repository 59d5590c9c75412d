"""The case that every kind of evidence on a solution reads, and the registry of these kinds."""

from dataclasses import dataclass
from functools import cached_property

from harness.corpora.labelled_solutions import WorkedSolution
from oracles.labels.audit.solution_lines import AuditedSolution, read_worked
from sft.samples.evidence_registry import EvidenceRegistry
from sft.samples.items import Item
from sft.samples.solution_judgement import Hint


@dataclass(frozen=True)
class Case:
    """An item to be judged."""

    item: Item

    @cached_property
    def solution(self) -> AuditedSolution:
        """Return the lines with their equations, as the label audit reads them, annotations included."""
        return read_worked(WorkedSolution(self.item.annotated, self.item.answer, self.item.before), self.item.question)


EVIDENCE: EvidenceRegistry[Case, Hint] = EvidenceRegistry("sft.verifier.evidence")
evidence = EVIDENCE.register
"""Registers a function from a `Case` as a kind of evidence: `@evidence(name)`."""
