"""The formalizations that flaws and variants of a problem are made from, and the reason for the choice.

Where the run has a formalization stage, they are the members of the problem's clique, the oracle first; elsewhere those that UT-1
confirms.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Self

from harness.command_line.runnable_commands import runnable
from harness.domain import Response, Status
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError, json_form, read_record
from harness.program.lifter import read_candidate
from harness.records.formalization import ConsensusRecord
from harness.records.provenance import SourceProvenance, SourceRule
from harness.solution.template import may_be_template
from harness.stages import FORMALIZATION
from harness.store.run_folder import Stage, run_option, write_atomically
from oracles.consensus.oracle_choice import clique_sources
from oracles.gold_answer_screening import screen
from properties.engine.inputs import SessionInputs
from properties.engine.stage_run import StageRun


@dataclass(frozen=True, slots=True)
class ProblemSources:
    """The formalizations of a problem to make flaws and variants from, in order, and the reason for the choice.

    Where there are none, `unfit` says why, with its class before the colon.
    """

    responses: tuple[Response, ...]
    provenance: SourceProvenance
    unfit: str | None = None


@dataclass(frozen=True, slots=True)
class SourceSelection:
    """Chooses the sources of a problem; `consensus_of` is `None` where the run has no formalization stage.

    `judging` is the formalization stage of this session, if it judges formalizations.
    """

    inputs: SessionInputs
    rule: SourceRule
    consensus_of: Callable[[str], ConsensusRecord | None] | None
    judging: StageRun | None = None

    @classmethod
    def open(cls, inputs: SessionInputs, judging: StageRun | None) -> Self:
        """Return the selection of a session; `judging` is its own formalization stage, if it judges formalizations.

        An unfinished formalization stage, and thresholds that need one which the run lacks, raise a `HarnessError`.
        """
        stage, settings = inputs.run.stage(FORMALIZATION), inputs.settings
        rule = SourceRule(formalized=True, min_confidence=settings.min_confidence, min_clique=settings.min_clique)
        if stage.sealed:
            return cls(inputs, rule, sealed_consensus(stage).get, judging)
        if judging is not None:
            return cls(inputs, rule, judging.consensus_of, judging)
        if any(stage.shard_records()):
            message = f"{stage.folder}: the formalization stage is unfinished, so that the oracles are not known; finish it: {runnable(f'pytest -m formalization {run_option(inputs.run.folder)}')}, or give another --harness-run"
            raise HarnessError(message)
        if settings.min_confidence > 0 or settings.min_clique > 1:
            message = f"{inputs.run.folder}: --harness-min-confidence and --harness-min-clique choose oracles, but the run has no formalization stage; judge the formalizations too: -m 'formalization or mutation or variant'"
            raise HarnessError(message)
        return cls(inputs, replace(rule, formalized=False), None)

    def part(self, inputs: SessionInputs) -> Self:
        """Return the selection of a part of the session's inputs, which holds the consensus on its problems."""
        of = self.consensus_of
        return replace(self, inputs=inputs, consensus_of=of and {name: of(name) for name in inputs.problems}.get)

    def sources(self, problem_id: str) -> ProblemSources:
        """Return the sources of a problem."""
        accepted = self.inputs.responses.get(problem_id, {})
        if self.consensus_of is None:
            return self._screened(problem_id, accepted)
        consensus, rule, prefix = self.consensus_of(problem_id), self.rule, self.inputs.options.prefix
        if consensus is None or consensus.oracle is None:
            provenance, unfit = SourceProvenance(formalized=True), "no clique: no formalization is confirmed by another"
            return ProblemSources((), provenance, unfit)
        size, confidence = consensus.clique_size, consensus.confidence
        provenance = SourceProvenance(
            formalized=True,
            oracle=consensus.oracle,
            clique_size=size,
            confidence=confidence,
            p_right=consensus.p_right,
        )
        low: str | None = None
        if size < rule.min_clique:
            low = f"clique too small: {size} is below {prefix}min-clique {rule.min_clique}"
        elif confidence < rule.min_confidence:
            low = f"confidence too low: {confidence:g} is below {prefix}min-confidence {rule.min_confidence:g}"
        members = [accepted[model] for model in clique_sources(consensus)] if low is None else []
        members.sort(key=lambda member: (member.model != consensus.oracle, member.made))
        return ProblemSources(tuple(members), provenance, low)

    def probabilities(self) -> Mapping[str, float]:
        """Return by problem the probability that its oracle is right, which is known when all formalizations are judged.

        The products of a session that was killed may lack it.
        """
        if self.judging is not None:
            return self.judging.probabilities_of_oracles()
        return oracle_probabilities(self.inputs.run.stage(FORMALIZATION)) if self.rule.formalized else {}

    def _screened(self, problem_id: str, accepted: Mapping[str, Response]) -> ProblemSources:
        """Return the formalizations that UT-1 confirms: templates before programs, models' formalizations before compiled ones."""
        problem = self.inputs.problems[problem_id]
        confirmed, refused = [], ["there is no formalization"] if not accepted else []
        for response in sorted(
            accepted.values(), key=lambda response: (response.made, not may_be_template(response), response.model)
        ):
            verdict = screen(problem, read_candidate(response))
            if verdict.status is Status.CONFIRMED:
                confirmed.append(response)
            else:
                refused.append(f"{response.model}: {verdict.reason}")
        unfit = None if confirmed else f"not confirmed by UT-1: {refused[0]}"
        return ProblemSources(tuple(confirmed), SourceProvenance(formalized=False), unfit)


def oracle_probabilities(stage: Stage) -> dict[str, float]:
    """Return by problem the probability that its sealed oracle is right."""
    consensus = sealed_consensus(stage)
    return {problem_id: record.p_right for problem_id, record in consensus.items() if record.p_right is not None}


def sealed_consensus(stage: Stage) -> dict[str, ConsensusRecord]:
    """Return the consensus of a sealed formalization stage by problem."""
    records = (read_record(ConsensusRecord, form) for form in stage.records("consensus.jsonl"))
    return {record.problem_id: record for record in records}


def bind_rule(stage: Stage, rule: SourceRule, *, named: bool, option: str) -> None:
    """Bind an unfinished stage to the rule of its sources.

    A sealed one of a run that the user named by `option` is bound to its own. Another rule raises a `HarnessError`.
    """
    path = stage.folder / "shards" / "sources.json"
    if path.is_file():
        form = json.loads(path.read_text(encoding="utf-8"))
    else:
        form = stage.manifest().get("sources") if stage.sealed and named else None
    if form is None:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(json_form(rule)) + "\n")
        return
    try:
        bound = read_record(SourceRule, form)
    except MalformedRecordError as error:
        raise HarnessError(f"{stage.folder}: does not say how its sources were chosen ({error}); remove it") from None
    if bound != rule:
        message = f"{stage.folder}: was made {bound}, not {rule}; give the options it was started with, give another {option}, or remove the folder of the stage"
        raise HarnessError(message)
