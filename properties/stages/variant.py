"""The variant stage of a run: certified problem variants, and the reasons why other edits gave no variant."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from generators.variants.variant_operator import VARIANT_OPERATORS
from harness.domain import Problem
from harness.records.variant import DiscardedEdit
from harness.stages import VARIANT
from oracles.proofs.solvers import SolverName, open_solver
from properties.engine.inputs import SessionInputs
from properties.engine.operator_run import OperatorOutput, OperatorRun
from properties.engine.problem_sources import ProblemSources
from properties.engine.stage_run import Record, StageClaims, StageCounts
from properties.stages.certified_variants import make

SOLVER = open_solver(SolverName.Z3)
"""It is opened by the first question of a process."""


@dataclass(slots=True)
class VariantRun(OperatorRun):
    """The variants of one run."""

    claim = VARIANT
    product = "variants of problems"
    discard = DiscardedEdit
    operators = tuple(sorted(operator.name for operator in VARIANT_OPERATORS))

    def make(self, problem: Problem, sources: ProblemSources) -> OperatorOutput:
        """Make and certify the variants of a problem."""
        seed = self.inputs.settings.seed
        return make(problem, sources.responses, seed=seed, solver=SOLVER, provenance=sources.provenance)

    def products(self, problem_ids: Sequence[str], counts: StageCounts) -> dict[str, Iterable[Record | str]]:
        """Return the variants."""
        return {"variants.jsonl": self._variant_records(problem_ids, counts)}

    def _variant_records(self, problem_ids: Sequence[str], counts: StageCounts) -> Iterator[Record]:
        for made in self.made_records(problem_ids):
            for variant in made["records"]:
                counts.add("classes", str(variant["class_label"]))
                counts.add("operators" if variant["twin_of"] is None else "twins", variant["operator"])
                yield variant


def open_run(inputs: SessionInputs) -> VariantRun:
    """Open the variant stage of a session's run."""
    return VariantRun(inputs, StageClaims.open(inputs, VARIANT))
