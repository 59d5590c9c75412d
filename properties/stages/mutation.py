"""The mutation stage of a run: the certified flawed solutions of each problem, and the reasons why others were not made."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from generators.flaws.enumeration import flaws_of
from generators.flaws.flawed_solution import DiscardedFlaw, Flaw, FlawDiscardReason
from generators.flaws.mutation_operator import OPERATORS
from generators.flaws.slip import SLIPS
from generators.flaws.solution.source_solution import FlawSource
from harness.corpora.field_roles import RecordFields
from harness.corpora.labelled_solutions import read_record
from harness.domain import Evidence, Exact, Problem, Response, Status
from harness.equations.derivation import solved_lines
from harness.json_form import content_text, json_form, with_digest
from harness.records.mutation import DiscardedChange, FlawRecord
from harness.records.provenance import SourceProvenance
from harness.solution.labels import ErrorClass
from harness.stages import MUTATION
from oracles.equivalence.equivalent_mutants import judge_mutant
from oracles.labels.audit.label_verdict import audit
from oracles.proofs.flaw_certificate import FlawCertifier, FlawNotCertified
from oracles.proofs.flaw_check import objection
from oracles.proofs.flaw_text import line_place, lines_of
from oracles.proofs.record_content import character_problem
from properties.engine.operator_run import OperatorOutput, OperatorRun, output_of_first_fit, record_source
from properties.engine.problem_sources import ProblemSources
from properties.engine.stage_run import Record, StageCounts


def make(
    problem: Problem, responses: Iterable[Response], *, seed: int, provenance: SourceProvenance | None = None
) -> OperatorOutput:
    """Make and certify the flawed solutions of a problem from the first of its formalizations that is fit."""
    return output_of_first_fit(problem, responses, lambda source: make_from(source, seed=seed), provenance)


def make_from(source: FlawSource, *, seed: int) -> OperatorOutput:
    """Make and certify the flawed solutions of one solution; errors as in `flaws_of`."""
    made = OperatorOutput(model=source.model)
    facts = record_source(source, seed=seed)
    try:
        certifier = FlawCertifier.of_trace(source.trace)
    except FlawNotCertified as refusal:
        return OperatorOutput(model=source.model, unfit=f"no certificate can say its steps: {refusal}")
    for flaw in flaws_of(source):
        if not isinstance(flaw, Flaw):
            made.discarded.append(_discarded(source, flaw, seed))
            continue
        try:
            slip = flaw.label.error_type.error_class is ErrorClass.COMPUTATIONAL
            certificate = certifier.certified(flaw.trace, flaw.change.variable if slip else "")
        except FlawNotCertified as refusal:
            evidence = Evidence(flaw.label.line, "no certificate", flaw.change.after, str(refusal))
            made.refused.setdefault(flaw.operator, []).append(evidence)
            continue
        flaw_record = replace(flaw.record(certificate), source=facts)
        form = json_form(flaw_record)
        text = content_text(form)
        record = with_digest(form, text)
        doubt = _doubt(record, text, flaw_record, certifier.values)
        if doubt is not None:
            doubted = DiscardedFlaw(flaw.operator, flaw.label.line, flaw.change.after, FlawDiscardReason.DOUBTED, doubt)
            made.discarded.append(_discarded(source, doubted, seed))
            continue
        made.records.append(record)
    return made


def _doubt(record: Record, text: str, read: FlawRecord, values: Mapping[str, Exact]) -> str | None:
    """Return the objections of the re-check and of the audit to a record that was just certified; `text` is its `content_text`."""
    judgement = objection(read, values)
    reason = character_problem(record, text) if judgement is None else judgement.reason
    if reason is not None:
        return reason
    audited = {**{name: record[name] for name in _AUDITED}, **_without_unknowns(read)}
    labelled = read_record(audited, record["operator"], named=RecordFields(audited, audited))
    verdict = audit(labelled, None, record["problem_id"])
    return None if verdict.status is Status.CONFIRMED else verdict.reason


def _without_unknowns(read: FlawRecord) -> Record:
    """Return both solutions of a record with the values found in the place of unknowns, which the audit does not read."""
    solution, flawed = lines_of(read.solution), lines_of(read.flawed_solution)
    place = line_place(read.label.line, flawed) or 0
    solved = solved_lines(solution)
    lines = [*solved[:place], *solved_lines(flawed[place:])] if solved != list(solution) else flawed
    return {"solution": "\n".join(solved), "flawed_solution": "\n".join(lines)}


def _discarded(source: FlawSource, discarded: DiscardedFlaw, seed: int) -> Record:
    """Return why a change gave no flawed solution; whether it is equivalent is proved, not guessed."""
    why, detail = discarded.discard.name.lower(), discarded.detail
    if discarded.discard is FlawDiscardReason.SAME_ANSWER and discarded.trace is not None:
        verdict = judge_mutant(source.problem.problem_id, source.trace, discarded.trace, seed=seed)
        why = _SAME_ANSWER[verdict.status]
        detail = verdict.method if verdict.reason is None else verdict.reason[:200]
    return {
        "operator": discarded.operator,
        "line": discarded.line,
        "change": discarded.change[:200],
        "why": why,
        "detail": detail[:200],
    }


_AUDITED = ("flaw_id", "problem_id", "operator", "question", "label")
"""The fields that the audit reads beside both solutions."""
_SAME_ANSWER = {
    Status.CONFIRMED: "equivalent",
    Status.REFUTED: "same_answer_here",
    Status.UNKNOWN: "perhaps_equivalent",
}


@dataclass(slots=True)
class MutationRun(OperatorRun):
    """The flawed solutions of one run."""

    stage = MUTATION
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
