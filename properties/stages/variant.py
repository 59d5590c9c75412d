"""The variant stage of a run: the certified variants of each problem, and the reasons why other edits gave no variant."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from generators.flaws.solution.source_solution import FlawSource, UnfitReason
from generators.variants.explanation import reasoning_trace
from generators.variants.variant_operator import VARIANT_OPERATORS, DiscardedVariant, VariantProposal, grounded_proposal
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from harness.corpora.labelled_solutions import read_record
from harness.domain import Evidence, Problem, Response, Status, Verdict
from harness.json_form import json_form, with_digest
from harness.records.provenance import SourceProvenance
from harness.records.variant import DiscardedEdit, ScriptCertificate, VariantEdit, VariantRecord
from harness.stages import VARIANT
from oracles.labels.audit.label_verdict import audit
from oracles.proofs import validity_certificate
from oracles.proofs.flaw_text import ANSWER_MARK
from oracles.proofs.record_check import check_record
from oracles.proofs.solvers import Solver, SolverName, open_solver
from properties.engine.operator_run import OperatorOutput, OperatorRun, output_of_first_fit, record_source
from properties.engine.problem_sources import ProblemSources
from properties.engine.stage_run import Record, StageCounts

VAGUE, SENTENCE = "vague_quantity", "removed_sentence"
"""Names of operators, whose modules only the registry imports: in sorted order, on which the records depend."""
MOST_BESIDE = 2
"""With so many others, no text that lost a sentence is kept: it is shorter than all others."""
LONGEST_SHOWN = 200
FEWEST_RECORDS = 2
"""The problem itself is one of its records."""
MOST_QUANTITIES, MOST_SENTENCES = 100, 50
LONGEST_QUESTION = 2_000
"""Limits of a word problem; beyond them, time and memory for its many variants would grow without bound."""
SOLVER = open_solver(SolverName.Z3)
"""It is opened by the first question of a process."""


def make(
    problem: Problem, responses: Iterable[Response], *, seed: int, provenance: SourceProvenance | None = None
) -> OperatorOutput:
    """Make and certify the variants of a problem from the first of its formalizations that is fit and gives any.

    A variant is one of the question: where no formalization is fit for the problem's own solution, a plain one takes its place.
    """

    def variants_of(source: FlawSource) -> OperatorOutput:
        return make_from(VariantSubject(source), seed=seed)

    sources = tuple(responses)
    made = output_of_first_fit(problem, sources, variants_of, provenance, fewest=FEWEST_RECORDS)
    if made.unfit is None or not problem.solution.strip():
        return made
    plain = output_of_first_fit(replace(problem, solution=""), sources, variants_of, provenance, fewest=FEWEST_RECORDS)
    return made if plain.unfit is not None else plain


def make_from(subject: VariantSubject, *, seed: int, solver: Solver = SOLVER) -> OperatorOutput:
    """Make and certify the variants of one problem.

    No two have the same text: a text that several operators make belongs to the first, unless they disagree on its
    class. A near-twin is kept only if its variant is kept.
    """
    source, sentences = subject.source, len(subject.question.sentences)
    entries, length = len(source.trace.entries), len(source.problem.question)
    if entries > MOST_QUANTITIES or length > LONGEST_QUESTION:
        return OperatorOutput(model=source.model, unfit=f"too large: {entries:,} quantities, {length:,} characters")
    if sentences > MOST_SENTENCES:
        return OperatorOutput(model=source.model, unfit=f"too large: {sentences:,} sentences")
    verdict = _audited(source.problem.problem_id, source.solution, source.problem.gold or "")
    if verdict.status is Status.REFUTED:
        return OperatorOutput(model=source.model, unfit=f"{UnfitReason.FALSE}: {verdict.reason}")
    maker = _Maker(subject, seed, solver, OperatorOutput(model=source.model))
    proposals = [grounded_proposal(proposal) for proposal in maker.proposals()]
    classes: dict[str, set[ProblemClass]] = defaultdict(set)
    for proposal in proposals:
        classes[proposal.text].add(proposal.problem_class)
    wanted = _wanted(proposals)
    for proposal in proposals:
        refusal = maker.refusal(proposal)
        if len(classes[proposal.text]) > 1:
            refusal = "disputed", "operators disagree on its class"
        elif proposal.problem_class is ProblemClass.UNDERSPECIFIED and proposal.text not in wanted:
            refusal = "unpaired", "another one of its problem has a near-twin, or comes before it"
        if refusal is not None:
            maker.discard(proposal, *refusal)
        elif (certificate := maker.certificate(proposal)) is not None:
            maker.add(proposal, certificate)
    return maker.made


def _wanted(proposals: Sequence[VariantProposal]) -> frozenset[str]:
    """Return the texts of the underspecified proposals to keep: those with a near-twin, beside at most one of them those that lost a sentence, or the first where there are none.

    Vague words are kept only with a near-twin: without one, they give the class away.
    """
    twinned = {proposal.twin for proposal in proposals if proposal.twin is not None}
    lacking = [own for own in proposals if own.problem_class is ProblemClass.UNDERSPECIFIED]
    kept = [own.text for own in lacking if own.text in twinned]
    kept += [own.text for own in lacking if own.operator == SENTENCE] if len(kept) < MOST_BESIDE else []
    return frozenset(kept or [own.text for own in lacking if own.operator != VAGUE][:1])


@dataclass(slots=True)
class _Maker:
    """Certifies the proposals of one problem, one after the other."""

    subject: VariantSubject
    seed: int
    solver: Solver
    made: OperatorOutput
    ids: dict[str, str] = field(default_factory=dict)

    def proposals(self) -> Iterable[VariantProposal]:
        """Yield the proposals of the operators, and note their discards."""
        for operator in VARIANT_OPERATORS:
            random = Random(f"{self.seed}:{self.subject.problem_id}:{operator.name}".encode("utf-8", "surrogatepass"))
            for variant in operator.variants(self.subject, random):
                if isinstance(variant, DiscardedVariant):
                    self._note(variant.operator, variant.what, variant.discard.name.lower(), variant.detail)
                else:
                    yield variant

    def discard(self, proposal: VariantProposal, why: str, detail: str = "") -> None:
        """Note why a proposal gives no record."""
        self._note(proposal.operator, _change(proposal), why, detail)

    def _note(self, operator: str, what: str, why: str, detail: str) -> None:
        record = {"operator": operator, "what": what[:LONGEST_SHOWN], "why": why, "detail": detail[:LONGEST_SHOWN]}
        self.made.discarded.append(record)

    def refusal(self, proposal: VariantProposal) -> tuple[str, str] | None:
        """Return why a proposal is not certified beside what is kept, with details; `None` where it is."""
        if proposal.edits and proposal.text == self.subject.question.text:
            return "unchanged", ""
        if proposal.text in self.ids:
            return "duplicate", ""
        own = f"{self.subject.problem_id}:{proposal.operator}:"
        if proposal.twin is not None and not self.ids.get(proposal.twin, "").startswith(own):
            return "twinless", ""
        return None

    def certificate(self, proposal: VariantProposal) -> validity_certificate.ValidityCertificate | None:
        """Return the certificate of a proposal; where it has none, note whether its claim is false."""
        try:
            return validity_certificate.certify(
                proposal.problem_class,
                proposal.system,
                clash=proposal.clash,
                witnesses=proposal.witnesses,
                original=self.subject.values,
                solver=self.solver,
            )
        except validity_certificate.SolverUndecided as undecided:
            self.discard(proposal, "undecided", str(undecided))
        except validity_certificate.VariantNotCertified as refusal:
            if refusal.why is validity_certificate.UncertifiedReason.UNTRANSLATABLE:
                self.discard(proposal, "untranslatable", refusal.detail)
            else:
                claim = proposal.problem_class.name.lower()
                evidence = Evidence(_change(proposal), "no certificate", claim, str(refusal))
                self.made.refused.setdefault(proposal.operator, []).append(evidence)
        return None

    def add(self, proposal: VariantProposal, certificate: validity_certificate.ValidityCertificate) -> None:
        """Keep the record of a certified proposal, unless the re-check or the audit objects to it when it is read again."""
        record = self._record(proposal, certificate)
        found = check_record(record, self.solver)
        doubt = None if found.status is Status.CONFIRMED else found.reason or "the re-check does not confirm it"
        if doubt is None and record["solution"] not in {None, self.subject.source.solution}:
            # A rewritten solution must be readable to the last line.
            verdict = _audited(record["problem_id"], record["solution"], record["gold"])
            doubt = None if verdict.status is Status.CONFIRMED else verdict.reason
        if doubt is not None:
            self.discard(proposal, "doubted", doubt)
            return
        self.ids[proposal.text] = record["variant_id"]
        self.made.records.append(record)

    def _record(self, proposal: VariantProposal, certificate: validity_certificate.ValidityCertificate) -> Record:
        subject, source = self.subject, self.subject.source
        digest = hashlib.sha256(proposal.text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        solution = gold = None
        if proposal.problem_class is ProblemClass.SOLVABLE:
            gold = (source.problem.gold or "").strip() if proposal.answer is None else proposal.answer
            lines = source.problem.solution if proposal.solution is None else proposal.solution
            solution = f"{lines}\n{ANSWER_MARK} {gold}"
        variant = VariantRecord(
            variant_id=f"{subject.problem_id}:{proposal.operator}:{digest}",
            problem_id=subject.problem_id,
            model=source.model,
            tier=source.tier,
            operator=proposal.operator,
            class_label=int(proposal.problem_class),
            twin_of=None if proposal.twin is None else self.ids[proposal.twin],
            question=subject.question.text,
            modified_problem_text=proposal.text,
            edits=tuple(VariantEdit((edit.start, edit.end), edit.before, edit.after) for edit in proposal.edits),
            reasoning_trace=reasoning_trace(proposal, certificate.core, certificate.models),
            system=proposal.system,
            certificate=ScriptCertificate(certificate.smtlib, certificate.expect),
            core=certificate.core,
            models=certificate.models,
            solution=solution,
            gold=gold,
            provenance=source.provenance,
            source=record_source(source, seed=self.seed, solution=source.solution),
        )
        return with_digest(json_form(variant))


def _change(proposal: VariantProposal) -> str:
    """Return the change of a proposal in one line."""
    return "; ".join(f"{edit.before} → {edit.after}" for edit in proposal.edits) or "nothing"


def _audited(problem_id: str, solution: str, gold: str) -> Verdict:
    """Return the findings of the audit about a solution that is labelled correct."""
    labelled = read_record({"problem_id": problem_id, "solution": solution, "label": "correct"}, "variant")
    return audit(labelled, Problem(problem_id, "", "", gold), problem_id)


@dataclass(slots=True)
class VariantRun(OperatorRun):
    """The variants of one run."""

    stage = VARIANT
    product = "variants of problems"
    discard = DiscardedEdit
    operators = tuple(sorted(operator.name for operator in VARIANT_OPERATORS))

    def make(self, problem: Problem, sources: ProblemSources) -> OperatorOutput:
        """Make and certify the variants of a problem."""
        return make(problem, sources.responses, seed=self.inputs.settings.seed, provenance=sources.provenance)

    def products(self, problem_ids: Sequence[str], counts: StageCounts) -> dict[str, Iterable[Record | str]]:
        """Return the variants."""
        return {"variants.jsonl": self._variant_records(problem_ids, counts)}

    def _variant_records(self, problem_ids: Sequence[str], counts: StageCounts) -> Iterator[Record]:
        for made in self.made_records(problem_ids):
            for variant in made["records"]:
                counts.add("classes", str(variant["class_label"]))
                counts.add("operators" if variant["twin_of"] is None else "twins", variant["operator"])
                yield variant
