"""The template stage of a run: the claims about each template, and the sealed traces."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from harness.json_form import json_form
from harness.records.template import TierRecord, TraceRecord
from harness.solution.template import may_be_template
from harness.solution.tiers import tier_of
from harness.stages import TEMPLATE
from oracles.templates.claims import CLAIMS, TemplateReading, judge_template, read_solution
from properties.engine.stage_run import Key, StageClaims, WholeStageRun

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from harness.domain import Problem, Verdict
    from properties.engine.inputs import SessionInputs


@dataclass(slots=True)
class TemplateRun(WholeStageRun):
    """The claims about the templates of one run."""

    _template_models: frozenset[str] | None = None
    _last: tuple[tuple[str, str], dict[str, Verdict]] | None = None

    def templates(self) -> Iterator[tuple[str, str]]:
        """Yield (problem, model) of every response that is meant as a template, sorted.

        Any response of a model that writes templates counts as a template, even an error message, unless the record
        names another dialect.
        """
        responses, template_models = self.inputs.responses, self._models()
        for problem_id in sorted(self.inputs.problems):
            for model, response in sorted(responses.get(problem_id, {}).items()):
                if may_be_template(response) or (response.dialect is None and model in template_models):
                    yield problem_id, model

    def _models(self) -> frozenset[str]:
        """Return the models that write templates."""
        if self._template_models is None:
            said = (response for own in self.inputs.responses.values() for response in own.values())
            self._template_models = frozenset(response.model for response in said if may_be_template(response))
        return self._template_models

    def part(self, problem_ids: Sequence[str]) -> TemplateRun:
        """Return the stage of some problems, which knows the models that write templates elsewhere."""
        inputs, claims = self.inputs.part(problem_ids), self.claims.part()
        return replace(self, inputs=inputs, claims=claims, _template_models=self._models(), _last=None)

    def expected(self) -> Iterator[Key]:
        """Yield the keys of all claims."""
        for problem_id, model in self.templates():
            for claim in CLAIMS:
                yield (claim, problem_id, model, "")

    @property
    def nothing(self) -> str | None:
        """Return the message to a user whose formalizations hold no template."""
        return "none of the formalizations is a template, JSON with function_code and logical_steps; those of the annotated solutions are added by --harness-formalizations annotation"

    def verdict(self, key: Key) -> Verdict:
        """Judge a claim about a template."""
        claim, problem_id, model, _ = key
        # The five claims of a template run one after the other, so only the last template that was read is kept.
        if self._last is None or self._last[0] != (problem_id, model):
            problem, reading = self._read(problem_id, model)
            # Before the first verdict: a process that has the verdicts of a template also has its trace.
            self.claims.shard.append(_trace_line(problem, reading))
            self._last = ((problem_id, model), judge_template(problem, reading))
        return self._last[1][claim]

    def _read(self, problem_id: str, model: str) -> tuple[Problem, TemplateReading]:
        problem = self.inputs.problems[problem_id]
        return problem, read_solution(problem, self.inputs.responses[problem_id][model])

    def seal(self, expected: list[Key], lines: dict[Key, str]) -> None:
        """Seal the verdicts, the traces and the tiers, with the counts of all of them."""
        counts: Counter[str] = Counter()
        causes: Counter[str] = Counter()
        for key in expected:
            record = json.loads(lines[key])
            counts[f"{record['claim']} {record['status']}"] += 1
            causes.update(f"{record['claim']}: {finding['cause']}" for finding in record.get("findings", ()))
        problems = sorted({key[1] for key in expected})
        tiers = [self._tier(problem_id) for problem_id in problems]
        traces = [trace for key in self.templates() if (trace := self._trace(key, lines)) is not None]
        manifest = {
            **self.inputs.manifest(),
            "counts": {
                **dict(sorted(counts.items())),
                "problems": len(problems),
                "templates": len(expected) // len(CLAIMS),
                "traces": len(traces),
                "steps": sum(json.loads(lines[key])["checked"] for key in expected if key[0] == "structure"),
                "tiers": sum(record.published is not None for record in tiers),
                "tiers as published": sum(record.published == record.tier for record in tiers),
                "causes": dict(sorted(causes.items())),
            },
        }
        files: dict[str, Iterable[dict[str, Any] | str]] = {
            "problems.jsonl": (self.inputs.problem_record(problem_id) for problem_id in problems),
            "verdicts.jsonl": (lines[key] for key in expected),
            "traces.jsonl": traces,
            "tiers.jsonl": map(json_form, tiers),
        }
        self.claims.stage.seal(files, manifest)

    def _trace(self, template: tuple[str, str], lines: dict[Key, str]) -> dict[str, Any] | None:
        """Return the trace of a template, `None` where it has none."""
        line = lines.get((TRACE, *template, ""))
        found = _trace_line(*self._read(*template)) if line is None else json.loads(line)
        trace: dict[str, Any] | None = found["trace"]
        return trace

    def _tier(self, problem_id: str) -> TierRecord:
        """Return the computed tier of a problem's solution, and the tier that its corpus or a formalization states."""
        problem = self.inputs.problems[problem_id]
        stated = [problem.tier, *(response.tier for response in self.inputs.responses[problem_id].values())]
        published = next((tier for tier in stated if tier is not None), None)
        return TierRecord(problem_id, tier_of(problem.solution), published)


TRACE = "trace"


def _trace_line(problem: Problem, reading: TemplateReading) -> dict[str, Any]:
    """Return a trace as a shard keeps it among the verdicts."""
    model = reading.response.model
    trace = None
    if reading.trace is not None and reading.text is not None:
        trace = json_form(
            TraceRecord.of_trace(problem.problem_id, model, tier_of(problem.solution), reading.trace, reading.text)
        )
    return {"claim": TRACE, "problem_id": problem.problem_id, "left": model, "right": None, "trace": trace}


def open_run(inputs: SessionInputs) -> TemplateRun:
    """Open the template stage of a session's run."""
    return TemplateRun(inputs, StageClaims.open(inputs, TEMPLATE))
