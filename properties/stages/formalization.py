"""The formalization stage of a run: its claims of UT-1, UT-2 and UT-3, its consensus and its sealed records."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.domain import ParameterAlignment, Status, Verdict
from harness.json_form import json_form, read_record
from harness.program.candidate import Candidate, read_candidate, read_program
from harness.records.formalization import ConsensusRecord, ProgramRecord
from harness.stages import FORMALIZATION
from oracles.alignment.parameter_matching import Alignments, align, alignment_verdict, texts_to_compare
from oracles.consensus.equivalence_classes import CLAIM as CLASSES, aligned_inputs, divide
from oracles.consensus.probability.oracle_probability import probabilities
from oracles.equivalence.ladder import EquivalenceJudge
from oracles.equivalence.refutation_causes.refutation_cause import CauseFinder
from oracles.gold_answer_screening import screen
from properties.engine.encoder import embed
from properties.engine.problem_sources import oracle_probabilities
from properties.engine.stage_run import PROGRAM, Key, StageClaims, StageRun
from properties.stages.formalization_seal import FormalizationSeal
from properties.stages.program_records import program_record
from properties.stages.run_consensus import RunConsensus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from oracles.alignment.embeddings import Similarities
    from properties.engine.inputs import SessionInputs


ALL = "all"
"""What the claim about the classes of a problem is about."""
SHOWN_SIZES = 8
KEPT_CANDIDATES = 500
"""The number of read formalizations that are kept in memory while a stage is sealed."""


@dataclass(slots=True)
class FormalizationRun(StageRun):
    """The claims of one run and everything needed to judge them."""

    _candidates: dict[tuple[str, str], Candidate] = field(default_factory=dict)
    _similarities: tuple[str, Similarities] | None = None
    _causes: CauseFinder | None = None
    _agreement: RunConsensus | None = None
    _programs: tuple[str, dict[str, ProgramRecord]] | None = None

    def problem_ids(self) -> list[str]:
        """Return the ids of all problems that claims may be about, sorted; rejected records may name others than the corpus."""
        return sorted({*self.inputs.problems, *self.inputs.rejected})

    def part(self, problem_ids: Sequence[str]) -> FormalizationRun:
        """Return the stage of some problems and their answers."""
        return FormalizationRun(self.inputs.part(problem_ids), self.claims.part())

    def screenings(self) -> Iterator[tuple[str, str]]:
        """Yield (problem, model) of every UT-1 claim, rejected records included, sorted."""
        return ((problem_id, model) for problem_id in self.problem_ids() for model in self.inputs.screened(problem_id))

    def is_crowded(self, problem_id: str) -> bool:
        """Tell whether a problem has more pairs of formalizations than are compared one by one."""
        return math.comb(len(self.inputs.models(problem_id)), 2) > self.inputs.settings.max_pairs

    def crowds(self) -> Iterator[str]:
        """Yield the problems whose formalizations are compared by classes, sorted."""
        return (problem_id for problem_id in sorted(self.inputs.problems) if self.is_crowded(problem_id))

    def note(self) -> str | None:
        """Return a message about the problems that have one item instead of one for each pair."""
        crowds = list(self.crowds())
        if not crowds:
            return None
        answers = max(len(self.inputs.models(problem_id)) for problem_id in crowds)
        problems = "1 problem has" if len(crowds) == 1 else f"{len(crowds):,} problems have"
        return f"{problems} more than {self.inputs.settings.max_pairs:,} pairs (up to {answers:,} formalizations): classes are compared, one item a problem in place of an item a pair; --harness-max-pairs N"

    def pairs(self) -> Iterator[tuple[str, str, str]]:
        """Yield (problem, left, right) of every pair of formalizations that is compared by itself."""
        for problem_id in sorted(self.inputs.problems):
            if self.is_crowded(problem_id):
                continue
            for left, right in itertools.combinations(self.inputs.models(problem_id), 2):
                yield problem_id, left, right

    def expected(self) -> Iterator[Key]:
        """Yield the keys of all claims."""
        for problem_id, model in self.screenings():
            yield ("ut1", problem_id, model, "")
        for problem_id in self.crowds():
            yield (CLASSES, problem_id, ALL, "")
        for claim in ("ut2", "ut3"):
            for problem_id, left, right in self.pairs():
                yield (claim, problem_id, left, right)

    @property
    def _consensus(self) -> RunConsensus:
        if self._agreement is None:
            self._agreement = RunConsensus(self.inputs, self.candidate, self.is_crowded, self.programs)
        return self._agreement

    def candidate(self, problem_id: str, model: str) -> Candidate:
        """Return a formalization, read and evaluated once."""
        key = (problem_id, model)
        if key not in self._candidates:
            self._candidates[key] = read_candidate(self.inputs.responses[problem_id][model])
        return self._candidates[key]

    def verdict(self, key: Key) -> Verdict:
        """Judge the claim of a key; with the classes of a problem, the verdicts on the pairs that are compared are kept, too."""
        claim, problem_id, left, right = key
        if claim == "ut1":
            return self._screen(problem_id, left)
        if claim == CLASSES:
            return self._classes(problem_id)
        return (self._align if claim == "ut2" else self._prove)(problem_id, left, right)

    def _classes(self, problem_id: str) -> Verdict:
        judged = [self.decide(("ut1", problem_id, model, "")) for model in self.inputs.models(problem_id)]
        answers = self._consensus.answered(problem_id, judged)

        def equal(left: str, right: str) -> bool:
            self.decide(("ut2", problem_id, left, right))
            return self.decide(("ut3", problem_id, left, right)).status is Status.CONFIRMED

        division = divide(
            answers, equal, lambda left, right: aligned_inputs(self.decide(("ut2", problem_id, left, right)))
        )
        sizes, pairs = division.sizes, len(division.pairs)
        said = f"{len(answers):,} formalizations are {len(sizes):,} classes by {pairs:,} comparisons"
        status = Status.UNKNOWN if len(answers) < 2 else Status.CONFIRMED if len(sizes) == 1 else Status.REFUTED
        return Verdict(
            CLASSES,
            problem_id,
            ALL,
            None,
            status,
            "classes",
            checked=pairs,
            unsupported=len(judged) - len(answers),
            reason=None
            if status is Status.CONFIRMED
            else f"{said}: {', '.join(map(str, sizes[:SHOWN_SIZES]))}{', …' if len(sizes) > SHOWN_SIZES else ''}",
        )

    def _screen(self, problem_id: str, model: str) -> Verdict:
        rejection = self.inputs.rejected_of(problem_id).get((problem_id, model))
        if rejection is not None:
            return Verdict(
                "ut1", problem_id, model, None, Status.REFUTED, "input", unsupported=1, reason=rejection.reason
            )
        problem, candidate = self.inputs.problems[problem_id], self.candidate(problem_id, model)
        about = {"claim": PROGRAM, "problem_id": problem_id, "left": model, "right": None}
        self.claims.shard.append({**about, "record": json_form(program_record(problem, model, candidate))})
        return screen(problem, candidate)

    def _align(self, problem_id: str, left: str, right: str) -> Verdict:
        first, second = self.candidate(problem_id, left), self.candidate(problem_id, right)
        if first.program is None or second.program is None:
            side, candidate = ("left", first) if first.program is None else ("right", second)
            return Verdict(
                "ut2",
                problem_id,
                left,
                right,
                Status.UNKNOWN,
                "none",
                unsupported=1,
                reason=f"{side}: {candidate.reason}",
                alignment=ParameterAlignment(),
            )
        alignments = self._alignments(problem_id, first, second, scored=True)
        return alignment_verdict(
            problem_id, (left, right), first.program.parameters, second.program.parameters, alignments
        )

    def _prove(self, problem_id: str, left: str, right: str) -> Verdict:
        if self._causes is None or self._causes.judge.problem_id != problem_id:
            judge = EquivalenceJudge(problem_id, self.inputs.settings.seed)
            self._causes = CauseFinder(judge, self.inputs.problems[problem_id].question)
        first, second = self.candidate(problem_id, left), self.candidate(problem_id, right)
        alignments = self._alignments(problem_id, first, second, scored=False)
        return self._causes.with_cause(self._causes.judge.judge(first, second, alignments), first, second, alignments)

    def _alignments(self, problem_id: str, left: Candidate, right: Candidate, *, scored: bool) -> Alignments:
        parameters = [() if candidate.program is None else candidate.program.parameters for candidate in (left, right)]
        return align(parameters[0], parameters[1], self._similarity(problem_id), scored=scored)

    def prepare(self) -> None:
        """Embed the texts of all problems, if a claim is left to judge."""
        if all(key in self.claims.known for key in self.expected()):
            return
        problems = (self.inputs.responses.get(problem_id, {}) for problem_id in self.inputs.problems)
        programs = ([read_program(response) for response in own.values()] for own in problems if len(own) > 1)
        embed((text for own in programs for text in texts_to_compare(own)), self.inputs.settings.encoder, alone=True)

    def _similarity(self, problem_id: str) -> Similarities:
        """Return the similarities of a problem's texts."""
        if self._similarities is None or self._similarities[0] != problem_id:
            programs = [self.candidate(problem_id, model).program for model in self.inputs.models(problem_id)]
            texts = texts_to_compare(programs)
            self._similarities = problem_id, embed(texts, self.inputs.settings.encoder).similarities(texts)
        return self._similarities[1]

    def claims_of(self, problem_id: str, lines: Iterable[Key]) -> Iterator[Key]:
        """Yield the keys of a problem's claims; where classes are compared, the pairs are those that its `lines` are about."""
        for model in self.inputs.screened(problem_id):
            yield ("ut1", problem_id, model, "")
        if problem_id not in self.inputs.problems:
            return
        if self.is_crowded(problem_id):
            yield (CLASSES, problem_id, ALL, "")
            yield from (key for key in lines if key[0] in {"ut2", "ut3"})
            return
        for left, right in itertools.combinations(self.inputs.models(problem_id), 2):
            yield ("ut2", problem_id, left, right)
            yield ("ut3", problem_id, left, right)

    def finish(self) -> int:
        """Seal the stage if nothing is missing, problem by problem, else leave it to be continued; return the number of open claims."""
        self.claims.shard.close()
        missing, unknown = 0, 0
        problem_ids = self.problem_ids()
        for problem_id in problem_ids:
            lines = self.claims.lines_of(problem_id)
            keys = list(self.claims_of(problem_id, lines))
            missing += sum(key not in lines for key in keys)
            unknown += sum(key not in self.claims.known for key in keys)
        if self.claims.stage.sealed and (missing or not unknown):
            self.claims.stage.tidy()
            return 0
        if not missing:
            seal = FormalizationSeal(self.inputs, self.claims, self._consensus, self.claims_of, self._release)
            seal.seal(problem_ids)
        return missing

    def close(self) -> None:
        """Drop the objects that refer back to this run, so that its temporary files are removed with it; they are made again when needed."""
        self._agreement = None

    def _release(self) -> None:
        if len(self._candidates) > KEPT_CANDIDATES:
            self._candidates.clear()

    def programs(self, problem_id: str) -> dict[str, ProgramRecord]:
        """Return the records of a problem's formalizations by model, as they were noted when they were screened, or of the programs read here."""
        if self._programs is None or self._programs[0] != problem_id:
            models = self.inputs.models(problem_id)
            noted = self.claims.lines_of(problem_id) if models else {}
            self._programs = (
                problem_id,
                {
                    model: self._program(problem_id, model, noted.get((PROGRAM, problem_id, model, "")))
                    for model in models
                },
            )
        return self._programs[1]

    def _program(self, problem_id: str, model: str, noted: str | None) -> ProgramRecord:
        if noted is not None:
            return read_record(ProgramRecord, json.loads(noted)["record"])
        self._release()
        return program_record(self.inputs.problems[problem_id], model, self.candidate(problem_id, model))

    def consensus_of(self, problem_id: str) -> ConsensusRecord | None:
        """Return the consensus on a problem before the stage is sealed.

        A claim that no process of this session or an earlier one has judged is judged here, and kept.
        """
        return (
            self._consensus.record(problem_id, self._verdicts_of(problem_id))
            if self.inputs.models(problem_id)
            else None
        )

    def probabilities_of_oracles(self) -> Mapping[str, float]:
        """Return the probabilities that the sealed oracles have or will have; errors and claims as in `consensus_of`."""
        if self.claims.stage.sealed:
            return oracle_probabilities(self.claims.stage)
        formalized = [problem_id for problem_id in sorted(self.inputs.problems) if self.inputs.models(problem_id)]
        assessed = {name: self._consensus.assessment(name, self._verdicts_of(name)) for name in formalized}
        known = {name: assessment for name, assessment in assessed.items() if assessment is not None}
        return {name: judged.p_right for name, judged in probabilities(known.items()).items()}

    def _verdicts_of(self, problem_id: str) -> list[Verdict]:
        """Return all verdicts on a problem, those of earlier sessions and of other processes, and those judged now."""
        models = self.inputs.models(problem_id)
        lines = self.claims.lines_of(problem_id)
        known = {key: read_record(Verdict, json.loads(line)) for key, line in lines.items() if key[0] != PROGRAM}
        if self.is_crowded(problem_id):
            self.decide((CLASSES, problem_id, ALL, ""))
            lines = self.claims.lines_of(problem_id)
            return [read_record(Verdict, json.loads(lines[key])) for key in sorted(self.claims_of(problem_id, lines))]
        pairs = list(itertools.combinations(models, 2))
        keys = [("ut1", problem_id, name, "") for name in models]
        keys += [(claim, problem_id, *pair) for claim in ("ut3", "ut2") for pair in pairs]
        return [known.get(key) or self.decide(key) for key in keys]


def open_run(inputs: SessionInputs) -> FormalizationRun:
    """Open the formalization stage of a session's run."""
    return FormalizationRun(inputs, StageClaims.open(inputs, FORMALIZATION))
