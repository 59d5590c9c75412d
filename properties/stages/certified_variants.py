"""The certified variants of one problem from the variant operators, with refusals and discards."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING

from generators.flaws.solution.source_solution import UnfitReason
from generators.variants.explanation import reasoning_trace
from generators.variants.operators.removed_sentence import NAME as SENTENCE
from generators.variants.operators.vague_quantity import NAME as VAGUE
from generators.variants.variant_operator import VARIANT_OPERATORS
from generators.variants.variant_proposal import DiscardedVariant, VariantProposal, grounded_proposal
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from harness.corpora.labelled_solutions import RejectedRecord, read_record
from harness.domain import Evidence, Problem, Status, Verdict
from harness.json_form import json_form
from harness.program.evaluation.evaluator import format_exact
from harness.records.content_digest import with_digest
from harness.records.variant import ScriptCertificate, VariantEdit, VariantRecord
from oracles.labels.audit.label_verdict import audit, refuse
from oracles.proofs.record_check import check_record
from oracles.proofs.validity_certificate import SolverUndecided, UncertifiedReason, VariantNotCertified, certify
from properties.engine.operator_run import OperatorOutput, output_of_first_fit
from properties.stages.record_source import record_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from generators.flaws.solution.source_solution import FlawSource
    from harness.domain import Exact, Response
    from harness.records.provenance import SourceProvenance
    from oracles.proofs.solvers import Solver
    from oracles.proofs.validity_certificate import ValidityCertificate
    from properties.engine.stage_run import Record

LONGEST_SHOWN = 200
FEWEST_RECORDS = 2
"""The problem itself is one of its records."""
MOST_QUANTITIES, MOST_SENTENCES = 100, 50
LONGEST_QUESTION = 2_000
"""Limits of a word problem; beyond them, time and memory for its many variants would grow without bound."""


def make(
    problem: Problem,
    responses: Iterable[Response],
    *,
    seed: int,
    solver: Solver,
    provenance: SourceProvenance | None = None,
) -> OperatorOutput:
    """Make and certify the variants of a problem from the first of its formalizations that is fit and gives any.

    A variant is one of the question: where no formalization is fit for the problem's own solution, a plain one takes its place.
    """

    def variants_of(source: FlawSource) -> OperatorOutput:
        return make_from(VariantSubject(source), seed=seed, solver=solver)

    sources = tuple(responses)
    made = output_of_first_fit(problem, sources, variants_of, provenance, fewest=FEWEST_RECORDS)
    if made.unfit is None or not problem.solution.strip():
        return made
    plain = output_of_first_fit(replace(problem, solution=""), sources, variants_of, provenance, fewest=FEWEST_RECORDS)
    return made if plain.unfit is not None else plain


def make_from(subject: VariantSubject, *, seed: int, solver: Solver) -> OperatorOutput:
    """Make and certify the variants of one problem.

    No two have the same text: a text that several operators make belongs to the first, unless they disagree on its
    class. A near-twin is kept only if its variant is kept.
    """
    entries, length = len(subject.source.trace.entries), len(subject.source.problem.question)
    if entries > MOST_QUANTITIES or length > LONGEST_QUESTION:
        return OperatorOutput(
            model=subject.source.model, unfit=f"too large: {entries:,} quantities, {length:,} characters"
        )
    if len(subject.question.sentences) > MOST_SENTENCES:
        return OperatorOutput(
            model=subject.source.model, unfit=f"too large: {len(subject.question.sentences):,} sentences"
        )
    problem = subject.source.problem
    verdict = _audited(problem.problem_id, subject.source.solution, problem.gold or "")
    if verdict.status is Status.REFUTED:
        return OperatorOutput(model=subject.source.model, unfit=f"{UnfitReason.FALSE}: {verdict.reason}")
    maker = _Maker(subject, seed, _Once(solver), OperatorOutput(model=subject.source.model))
    proposals = [grounded_proposal(proposal) for proposal in maker.proposals()]
    classes: dict[str, set[ProblemClass]] = defaultdict(set)
    for proposal in proposals:
        classes[proposal.text].add(proposal.problem_class)
    wanted = _wanted(proposals)
    for proposal in proposals:
        if len(classes[proposal.text]) > 1:
            maker.discard(proposal, "disputed", "operators disagree on its class")
        elif proposal.problem_class is ProblemClass.UNDERSPECIFIED and proposal.text not in wanted:
            maker.discard(proposal, "unpaired", "another one of its problem has a near-twin, or comes before it")
        else:
            maker.add(proposal)
    return maker.made


def _wanted(proposals: Iterable[VariantProposal]) -> frozenset[str]:
    """Return the texts of the underspecified proposals to keep: those with a near-twin, and one that loses a sentence where none of those does.

    Where a problem gives none of these, one that loses a number is kept. Vague words are kept only with a near-twin:
    without one, they give the class away.
    """
    texts = {
        proposal.text: proposal.operator
        for proposal in proposals
        if proposal.problem_class is ProblemClass.UNDERSPECIFIED
    }
    twinned = {proposal.twin for proposal in proposals if proposal.twin is not None}
    kept = [text for text in texts if text in twinned]
    for operators in (frozenset({SENTENCE}), frozenset(texts.values()) - {VAGUE}):
        if operators.isdisjoint(texts[text] for text in kept):
            kept += [text for text, operator in texts.items() if operator in operators][:1]
    return frozenset(kept)


@dataclass(slots=True)
class _Once:
    """A solver that keeps its answers, because certifying and checking again ask the same questions."""

    solver: Solver
    known: dict[tuple[str, int], tuple[str, ...]] = field(default_factory=dict)

    def decide(self, text: str, questions: int = 1) -> tuple[str, ...]:
        if (text, questions) not in self.known:
            self.known[text, questions] = self.solver.decide(text, questions)
        return self.known[text, questions]


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

    def add(self, proposal: VariantProposal) -> None:
        """Certify a proposal and read its record again; note why it gives none."""
        if proposal.edits and proposal.text == self.subject.question.text:
            return self.discard(proposal, "unchanged")
        if proposal.text in self.ids:
            return self.discard(proposal, "duplicate")
        own = f"{self.subject.problem_id}:{proposal.operator}:"
        if proposal.twin is not None and not self.ids.get(proposal.twin, "").startswith(own):
            return self.discard(proposal, "twinless")
        certificate = self._certified(proposal)
        if certificate is None:
            return None
        record = self._record(proposal, certificate)
        doubt = self._doubt(record)
        if doubt is not None:
            return self.discard(proposal, "doubted", doubt)
        self.ids[proposal.text] = record["variant_id"]
        self.made.records.append(record)
        return None

    def _certified(self, proposal: VariantProposal) -> ValidityCertificate | None:
        """Return the certificate of a proposal; where it has none, note whether its claim is false."""
        try:
            return certify(
                proposal.problem_class,
                proposal.system,
                clash=proposal.clash,
                witnesses=proposal.witnesses,
                original=self.subject.values,
                solver=self.solver,
            )
        except SolverUndecided as undecided:
            self.discard(proposal, "undecided", str(undecided))
        except VariantNotCertified as refusal:
            if refusal.why is UncertifiedReason.UNTRANSLATABLE:
                self.discard(proposal, "untranslatable", refusal.detail)
            else:
                claim = proposal.problem_class.name.lower()
                evidence = Evidence(_change(proposal), "no certificate", claim, str(refusal))
                self.made.refused.setdefault(proposal.operator, []).append(evidence)
        return None

    def _record(self, proposal: VariantProposal, certificate: ValidityCertificate) -> Record:
        subject, source = self.subject, self.subject.source
        digest = hashlib.sha256(proposal.text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        variant_id = f"{subject.problem_id}:{proposal.operator}:{digest}"
        solvable = proposal.problem_class is ProblemClass.SOLVABLE
        solution, gold = _solution(proposal) if solvable else (None, None)
        variant = VariantRecord(
            variant_id=variant_id,
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
            models=tuple(_model(values) for values in certificate.models),
            solution=solution,
            gold=gold,
            provenance=source.provenance,
            source=record_source(source, seed=self.seed, solution=source.solution),
        )
        return with_digest(json_form(variant))

    def _doubt(self, record: Record) -> str | None:
        """Return the objections of the re-check and of the audit to a certified record that is read again."""
        found = check_record(record, self.solver)
        if found.status is not Status.CONFIRMED:
            return found.reason or "the re-check does not confirm it"
        if record["solution"] in {None, self.subject.source.solution}:
            return None
        # A rewritten solution must be readable to the last line.
        verdict = _audited(record["problem_id"], record["solution"], record["gold"])
        return None if verdict.status is Status.CONFIRMED else verdict.reason

    def _note(self, operator: str, what: str, why: str, detail: str) -> None:
        record = {"operator": operator, "what": what[:LONGEST_SHOWN], "why": why, "detail": detail[:LONGEST_SHOWN]}
        self.made.discarded.append(record)


def _change(proposal: VariantProposal) -> str:
    """Return the change of a proposal in one line."""
    return "; ".join(f"{edit.before} → {edit.after}" for edit in proposal.edits) or "nothing"


def _model(values: Mapping[str, Exact]) -> dict[str, str]:
    return {name: format_exact(value) for name, value in values.items()}


def _solution(proposal: VariantProposal) -> tuple[str, str]:
    """Return the solution of a solvable variant, its last line `#### 72`, and the answer."""
    problem = proposal.subject.source.problem
    lines = problem.solution if proposal.solution is None else proposal.solution
    gold = (problem.gold or "").strip() if proposal.answer is None else proposal.answer
    return f"{lines}\n#### {gold}", gold


def _audited(problem_id: str, solution: str, gold: str) -> Verdict:
    """Return the findings of the audit about a solution that is labelled correct."""
    labelled = read_record({"problem_id": problem_id, "solution": solution, "label": "correct"}, "variant")
    if isinstance(labelled, RejectedRecord):
        return refuse(labelled, problem_id)
    return audit(labelled, Problem(problem_id, "", "", gold), problem_id)
