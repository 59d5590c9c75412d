"""The template stage of a run: the claims about each template, and the sealed traces."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from harness.domain import Verdict
from harness.json_form import json_form
from harness.records.template import TierRecord, TraceRecord
from harness.solution.template import may_be_template
from harness.stages import TEMPLATE
from harness.text.tiers import tier_of
from oracles.template_claims import CLAIMS, TemplateReading, judge_template, read_solution
from properties.engine.stage_run import Key, Record, StageCounts, StageRun


@dataclass(slots=True)
class TemplateRun(StageRun):
    """The claims about the templates of one run."""

    stage = TEMPLATE

    _template_models: frozenset[str] | None = None
    _last: tuple[tuple[str, str], dict[str, Verdict]] | None = field(default=None, init=False)

    def _models(self) -> frozenset[str]:
        """Return the models that write templates."""
        if self._template_models is None:
            responses = (response for own in self.inputs.responses.values() for response in own.values())
            self._template_models = frozenset(response.model for response in responses if may_be_template(response))
        return self._template_models

    def part(self, problem_ids: Sequence[str]) -> Self:
        """Return the stage of some problems, which knows the models that write templates elsewhere."""
        return replace(StageRun.part(self, problem_ids), _template_models=self._models())

    def templates(self, problem_id: str) -> Iterator[str]:
        """Yield the models whose response to a problem is meant as a template, sorted.

        Any response of a model that writes templates counts as a template, even an error message, unless the record
        names another dialect.
        """
        for model, response in sorted(self.inputs.responses.get(problem_id, {}).items()):
            if may_be_template(response) or (response.dialect is None and model in self._models()):
                yield model

    def claims_of(self, problem_id: str, lines: Iterable[Key] = ()) -> Iterator[Key]:  # noqa: ARG002  # as the base class has it
        """Yield the keys of the claims about the templates of a problem."""
        return ((claim, problem_id, model, "") for model in self.templates(problem_id) for claim in CLAIMS)

    @property
    def nothing(self) -> str | None:
        """Return the message to a user whose formalizations hold no template."""
        return "none of the formalizations is a template, JSON with function_code and logical_steps; those of the annotated solutions are added by --harness-formalizations annotation"

    def verdict(self, key: Key) -> Verdict:
        """Judge a claim about a template."""
        claim, problem_id, model, _ = key
        # The five claims of a template run one after the other, so only the last template that was read is kept.
        if self._last is None or self._last[0] != (problem_id, model):
            reading = read_solution(self.inputs.problems[problem_id], self.inputs.responses[problem_id][model])
            self.claims.keep_product(problem_id, model, {"trace": self._trace(problem_id, reading)})
            self._last = ((problem_id, model), judge_template(self.inputs.problems[problem_id], reading))
        return self._last[1][claim]

    def _trace(self, problem_id: str, reading: TemplateReading) -> Record | None:
        """Return the trace of a template, `None` where it has none."""
        if reading.trace is None or reading.text is None:
            return None
        tier = tier_of(self.inputs.problems[problem_id].solution)
        return json_form(TraceRecord.of_trace(problem_id, reading.response.model, tier, reading.trace, reading.text))

    def count(self, verdict: Record, counts: StageCounts) -> None:
        """Count a verdict, the causes of its findings and the steps that it is about."""
        claim = verdict["claim"]
        counts.add("verdicts", f"{claim} {verdict['status']}")
        counts.add("totals", "steps", verdict["checked"] if claim == "structure" else 0)
        for finding in verdict.get("findings", ()):
            counts.add("causes", f"{claim}: {finding['cause']}")

    def files(self, problem_ids: Sequence[str], counts: StageCounts) -> dict[str, Iterable[Record | str]]:
        """Return the problems, the traces and the tiers."""
        return {
            "problems.jsonl": self.problem_records(problem_ids),
            "traces.jsonl": self._traces(problem_ids, counts),
            "tiers.jsonl": self._tiers(problem_ids, counts),
        }

    def _traces(self, problem_ids: Sequence[str], counts: StageCounts) -> Iterator[Record]:
        for problem_id in problem_ids:
            lines = self.claims.lines_of(problem_id)
            for model in self.templates(problem_id):
                trace = self.claims.product(problem_id, model, lines)["trace"]
                counts.add("totals", "traces", trace is not None)
                if trace is not None:
                    yield trace

    def _tiers(self, problem_ids: Sequence[str], counts: StageCounts) -> Iterator[Record]:
        """Yield the computed tier of each problem's solution, and the tier that its corpus or a formalization states."""
        for problem_id in problem_ids:
            problem = self.inputs.problems[problem_id]
            stated = [problem.tier, *(response.tier for response in self.inputs.responses[problem_id].values())]
            published = next((tier for tier in stated if tier is not None), None)
            record = TierRecord(problem_id, tier_of(problem.solution), published)
            counts.add("totals", "problems")
            counts.add("totals", "tiers", published is not None)
            counts.add("totals", "tiers as published", published is not None and published == record.tier)
            yield json_form(record)

    def details(self, claims: int, counts: StageCounts) -> Record:
        """Return the counts of verdicts, templates, traces, steps and tiers."""
        tables = {"causes": {}, **counts.tables()}
        verdicts, totals = tables.pop("verdicts", {}), tables.pop("totals", {})
        return {"counts": {**verdicts, **totals, "templates": claims // len(CLAIMS), **tables}}
