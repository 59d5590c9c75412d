"""The variant stage of a run: certified problem variants, and the reasons why other edits gave no variant."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from generators.variants.variant_operator import VARIANT_OPERATORS
from harness.records.variant import DiscardedEdit
from harness.stages import VARIANT
from oracles.proofs.solvers import SolverName, open_solver
from properties.engine.operator_run import OperatorRun
from properties.engine.stage_run import StageClaims
from properties.stages.certified_variants import make

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from harness.domain import Problem
    from oracles.proofs.solvers import Solver
    from properties.engine.inputs import SessionInputs
    from properties.engine.operator_run import OperatorCounts, OperatorOutput, Record
    from properties.engine.problem_sources import ProblemSources

VARIANTS = "variants.jsonl"


@cache
def operator_names() -> tuple[str, ...]:
    """Return the variant operators, sorted."""
    return tuple(sorted(operator.name for operator in VARIANT_OPERATORS))


@cache
def _solver_of_process() -> Solver:
    return open_solver(SolverName.Z3)


@dataclass(slots=True)
class VariantRun(OperatorRun):
    """The variants of one run."""

    claim = VARIANT
    product = "variants of problems"
    discard = DiscardedEdit
    operators = operator_names

    _solver: Solver | None = None

    def load(self) -> None:
        """Attach the solver of this process."""
        self._solver = _solver_of_process()

    def make(self, problem: Problem, sources: ProblemSources) -> OperatorOutput:
        """Make and certify the variants of a problem."""
        if self._solver is None:
            self.load()
        assert self._solver is not None
        return make(
            problem,
            sources.responses,
            seed=self.inputs.settings.seed,
            solver=self._solver,
            provenance=sources.provenance,
        )

    def files(self, problems: Sequence[str], counts: OperatorCounts) -> dict[str, Iterable[Record | str]]:
        """Return the variants."""
        return {VARIANTS: _variants(self.made_records(problems), counts)}


def _variants(records: Iterable[tuple[str, Record]], counts: OperatorCounts) -> Iterator[Record]:
    for _, made in records:
        counts.source(made)
        for variant in made["records"]:
            counts.add("classes", str(variant["class_label"]))
            counts.add("operators" if variant["twin_of"] is None else "twins", variant["operator"])
            yield variant


def open_run(inputs: SessionInputs) -> VariantRun:
    """Open the variant stage of a session's run."""
    claims = StageClaims.open(inputs, VARIANT)
    return VariantRun(inputs, claims, claims.stage.shard(inputs.worker, "bulk"))
