"""Solutions of models as samples: their label is the diagnosis by the oracle of their problem, which the sample holds, so that it can be made again."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from harness.corpora.field_roles import FieldNames, RecordFields, Role, TakenFields
from harness.json_form import json_form, read_record
from harness.program.evaluation.evaluator import format_exact
from harness.program.lifter import read_candidate
from harness.records.provenance import SourceProvenance
from harness.solution.labels import FINAL_ANSWER
from harness.store.run_folder import sha256_of
from harness.text.characters import quoted
from sft.datasets.rows import SurfaceForm
from sft.datasets.trust import ConfidencePlan
from sft.diagnosis.decision import diagnose
from sft.diagnosis.diagnosis import Diagnosis, DiagnosisStatus
from sft.diagnosis.oracle import Oracle
from sft.diagnosis.oracle_sources import OracleFacts, OracleSource, oracle_of_facts, question_key
from sft.samples.items import Item, Sample, Trust, Truth
from sft.samples.record_lines import item_of, open_input
from sft.samples.solution_text import concluded, read_item

STRENGTHS = {
    DiagnosisStatus.RIGHT_PROVED: "proved",
    DiagnosisStatus.WRONG_PROVED: "proved",
    DiagnosisStatus.RIGHT_BY_VALUE: "by value",
    DiagnosisStatus.WRONG_LOCATED: "located",
    DiagnosisStatus.WRONG_UNLOCATED: "verdict",
}
"""What a label rests on besides the oracle; the card says what each means."""
SUPPORT = ("clique_size", "confidence", "p_right")
UNKNOWN = "nothing is known of it: "


def _explanation(diagnosis: Diagnosis, item: Item) -> str:
    """Return what is wrong, as one says it who has no oracle at hand; empty where no line or nothing wrong in it is known.

    The equation that shows an error may stand behind its line.
    """
    line, found = diagnosis.line, diagnosis.found
    if not (line and found):
        return ""
    due = f"should be {diagnosis.expected}" if diagnosis.expected else "is wrong"
    if line == FINAL_ANSWER:
        return f"The final answer states {found}, which {due}."
    stated = "".join(found.split()) in "".join(item.lines[int(line[1:]) - 1].split())
    return f"{line} states {found}, which {due}." if stated else f"The error of {line} shows in {found}, which {due}."


def labelled(sample: Sample, facts: OracleFacts, oracle: Oracle | None) -> Sample | str:
    """Return a sample with the label that the oracle gives its solution, or why it gives none; the rest of it is kept."""
    item = read_item(sample.question, sample.solution)
    diagnosis = diagnose(item, oracle)
    if diagnosis.status is DiagnosisStatus.UNKNOWN:
        return f"{UNKNOWN}{diagnosis.reason.partition(' with a probability')[0]}"
    kind = diagnosis.error_type
    error_class = None if kind is None else kind.error_class
    texts = {"explanation": _explanation(diagnosis, item), "correction": diagnosis.correction, "line": diagnosis.line}
    truth = Truth(flawed=diagnosis.status.is_wrong, error_class=error_class, error_type=str(kind or ""), **texts)
    reference = facts.solution if truth.flawed else ""
    model = facts.programs[0].model if facts.programs else ""
    support: dict[str, Any] = {name: getattr(facts, name) for name in SUPPORT}
    stated = {"strength": STRENGTHS[diagnosis.status], "oracle": json_form(facts), **diagnosis.record()}
    return replace(sample, truth=truth, reference=reference, oracle=model, diagnosis=stated, **support)


@dataclass(frozen=True, slots=True)
class SolutionSource:
    """A file of solutions of models with its licence, and the oracles of their problems; `named` are the fields that the user names."""

    path: Path
    licence: str
    oracles: OracleSource
    named: FieldNames = field(default_factory=FieldNames)
    confidence: ConfidencePlan = field(default_factory=ConfidencePlan)
    taken: TakenFields = field(default_factory=TakenFields)

    def hashes(self) -> dict[str, str]:
        """Return the SHA-256 of the file."""
        return {self.path.name: sha256_of(self.path)}

    def read(self) -> Iterator[Sample | str]:
        """Yield the samples of the file in order, or why a record gives none; a right solution is the reference of the wrong ones to its question.

        Raises:
            HarnessError: the file cannot be read.
        """
        samples = list(self._samples())
        solutions = [sample for sample in samples if isinstance(sample, Sample)]
        right = {question_key(own.question): own.solution for own in reversed(solutions) if not own.truth.flawed}
        for sample in samples:
            if isinstance(sample, Sample) and sample.truth.flawed and not sample.reference:
                yield replace(sample, reference=right.get(question_key(sample.question), ""))
            else:
                yield sample

    def _samples(self) -> Iterator[Sample | str]:
        problems: dict[str, str] = {}
        with open_input(str(self.path), self.named) as given:
            for number, fields in enumerate(given.records(Role.QUESTION, Role.SOLUTION), start=1):
                if isinstance(fields, str):
                    yield f"{self.path.name}: {fields}"
                    continue
                self.taken.add(fields.taken)
                name = f"{self.path.name.partition('.')[0]}-{number}"
                problem_id = problems.setdefault(question_key(fields.question), fields.identifier or name)
                yield self._sample(fields, name, problem_id)

    def _sample(self, fields: RecordFields, name: str, problem_id: str) -> Sample | str:
        item, form = replace(item_of(fields), gold=""), SurfaceForm()  # an answer alone tells nothing of a line
        text, model = form.show(concluded(item)), fields.given.get("model")
        if item.empty or not form.restores(concluded(item), text) or any(line.beyond for line in item.unread):
            return "its lines are not read whole"
        if lacking := self.oracles.lacking(item):
            return f"{UNKNOWN}{lacking}"
        facts = self.oracles.facts_of(item) or OracleFacts()
        sample = Sample(
            *(name, problem_id, item.question, text, Truth(flawed=False), self.path.name, self.licence),
            operator=model if isinstance(model, str) else "",
            trust=Trust.DIAGNOSED,
        )
        if facts.programs:
            support = {name: getattr(facts, name) for name in SUPPORT}
            provenance = SourceProvenance(formalized=True, oracle=facts.programs[0].model, **support)
            if refusal := self.confidence.refusal(provenance):
                return refusal
            sample = self.confidence.supported(sample, provenance)
        return labelled(sample, facts, self.oracles.oracle_of(item))


def stated_facts(sample: Sample) -> OracleFacts:
    """Return the oracle that a diagnosed sample holds; raises `MalformedRecordError` where it does not fit its class."""
    return read_record(OracleFacts, (sample.diagnosis or {}).get("oracle"))


@lru_cache(maxsize=64)
def _disagreement(facts: OracleFacts) -> str:
    """Return the model of a program that does not give the answer of the oracle, empty where all do."""
    for program in facts.responses:
        outcome = read_candidate(program).outcome
        if outcome is None or outcome.value is None or format_exact(outcome.value) != facts.answer:
            return program.model or "?"
    return ""


def checked_label(sample: Sample) -> str | None:
    """Return the first field of a diagnosed sample that differs from what its oracle makes again; `None` if none does.

    Raises:
        MalformedRecordError: the oracle does not fit its class.
    """
    facts = stated_facts(sample)
    if model := _disagreement(facts):
        return f"diagnosis.oracle.programs: that of {quoted(model)} does not give the answer of the oracle"
    oracle = oracle_of_facts(sample.question, facts)
    made = labelled(sample, facts, oracle)
    if isinstance(made, str):
        return f"diagnosis: {made}"
    shown = read_item("", sample.reference)
    if sample.truth.flawed and sample.reference and not diagnose(shown, oracle).status.is_right:
        return "reference: expected a right solution by the oracle"
    return differing_field(sample.record(), replace(made, reference=sample.reference).record())


def differing_field(given: Mapping[str, Any], made: Mapping[str, Any]) -> str | None:
    """Return the first field in which a record differs from the one that is made again, in words; `None` if none does."""
    names = (name for name in dict.fromkeys((*made, *given)) if given.get(name) != made.get(name))
    return next((f"{name}: is not what its oracle gives" for name in names), None)
