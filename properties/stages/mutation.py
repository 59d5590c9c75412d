"""The mutation stage of a run: certified flawed solutions, and the reasons why others were not made."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from generators.flaws.mutation_operator import OPERATORS
from generators.flaws.slip import SLIPS
from harness.domain import Problem
from harness.records.mutation import DiscardedChange
from harness.solution.labels import ErrorClass
from harness.stages import MUTATION
from properties.engine.inputs import SessionInputs
from properties.engine.operator_run import OperatorOutput, OperatorRun
from properties.engine.problem_sources import ProblemSources
from properties.engine.stage_run import Record, StageClaims, StageCounts
from properties.stages.certified_flaws import make


@dataclass(slots=True)
class MutationRun(OperatorRun):
    """The flawed solutions of one run."""

    claim = MUTATION
    product = "flawed solutions"
    discard = DiscardedChange
    operators = tuple(sorted([*(slip.name for slip in SLIPS), *(operator.name for operator in OPERATORS)]))

    def make(self, problem: Problem, sources: ProblemSources) -> OperatorOutput:
        """Make and certify the flawed solutions of a problem."""
        return make(problem, sources.responses, seed=self.inputs.settings.seed, provenance=sources.provenance)

    def products(self, problem_ids: Sequence[str], counts: StageCounts) -> dict[str, Iterable[Record | str]]:
        """Return the flawed solutions by their class of error."""
        return {
            "computational.jsonl": self._flaws(problem_ids, counts, computational=True),
            "conceptual.jsonl": self._flaws(problem_ids, counts, computational=False),
        }

    def _flaws(self, problem_ids: Sequence[str], counts: StageCounts, *, computational: bool) -> Iterator[Record]:
        for made in self.made_records(problem_ids):
            for flaw in sorted(made["records"], key=itemgetter("operator")):
                details = flaw["label"]["error_details"]
                if (details["error_class"] == ErrorClass.COMPUTATIONAL) is computational:
                    counts.add("operators", flaw["operator"])
                    counts.add("types", details["error_type"])
                    counts.add("strata", f"tier {flaw['tier']} {flaw['position']}")
                    if flaw["needs_edit"]:
                        counts.add("needs_edit", flaw["operator"])
                    yield flaw


def open_run(inputs: SessionInputs) -> MutationRun:
    """Open the mutation stage of a session's run."""
    return MutationRun(inputs, StageClaims.open(inputs, MUTATION))
