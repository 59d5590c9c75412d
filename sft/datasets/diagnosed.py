"""Solutions of models as samples: their label is the diagnosis by the oracle of their problem, which the sample holds, so that it can be made again."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from harness.corpora.field_roles import FieldNames, Role, TakenFields
from harness.json_form import json_form, read_record
from harness.records.provenance import SourceProvenance
from harness.solution.labels import FINAL_ANSWER
from harness.text.characters import quoted
from sft.datasets.sources import sha256_of
from sft.datasets.trust import ConfidencePlan
from sft.diagnosis.decision import diagnose
from sft.diagnosis.diagnosis import DiagnosisStatus
from sft.diagnosis.oracle_sources import OracleFacts, OracleSource, question_key
from sft.samples.items import Sample, Trust, Truth, position_of
from sft.samples.record_lines import item_of, open_input
from sft.samples.solution_text import concluded, read_item

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sft.diagnosis.diagnosis import Diagnosis
    from sft.diagnosis.oracle import Oracle
    from sft.samples.items import Item


class LabelStrength(enum.StrEnum):
    """What a label rests on besides the oracle, the strongest first."""

    PROVED = "proved"
    """A program that is proved equal to the oracle for all inputs: the solution, or the solution with one change of the labelled line."""
    BY_VALUE = "by value"
    """The final answer, and that nothing which was read is false."""
    LOCATED = "located"
    """The line has the first result that no right way has."""
    VERDICT = "verdict"
    """The final answer is not the oracle's; no line is named."""


_STRENGTHS = {
    DiagnosisStatus.RIGHT_PROVED: LabelStrength.PROVED,
    DiagnosisStatus.WRONG_PROVED: LabelStrength.PROVED,
    DiagnosisStatus.RIGHT_BY_VALUE: LabelStrength.BY_VALUE,
    DiagnosisStatus.WRONG_LOCATED: LabelStrength.LOCATED,
    DiagnosisStatus.WRONG_UNLOCATED: LabelStrength.VERDICT,
}
UNKNOWN = "nothing is known of it: "


def readable_text(item: Item) -> str | None:
    """Return a solution as text, its last line `#### 5`; `None` where the text would not be read as the same lines and answer."""
    whole = concluded(item)
    text = "\n".join([*whole.annotated, *([] if whole.answer is None else [f"#### {whole.answer}"])])
    again = read_item(item.question, text)
    return text if (again.lines, again.answer) == (whole.lines, whole.answer) else None


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
    truth = Truth(
        flawed=diagnosis.status.is_wrong,
        error_class=None if kind is None else kind.error_class,
        error_type=str(kind or ""),
        line=diagnosis.line,
        explanation=_explanation(diagnosis, item),
        correction=diagnosis.correction,
    )
    return replace(
        sample,
        truth=truth,
        position=position_of(truth.line, len(item.lines), "unknown" if truth.flawed else "none"),
        reference=facts.solution if truth.flawed else "",
        oracle=facts.programs[0].model if facts.programs else "",
        clique_size=facts.clique_size,
        confidence=facts.confidence,
        p_right=facts.p_right,
        diagnosis={"strength": str(_STRENGTHS[diagnosis.status]), "oracle": json_form(facts), **diagnosis.record()},
    )


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
        right: dict[str, str] = {}
        for sample in samples:
            if isinstance(sample, Sample) and not sample.truth.flawed:
                right.setdefault(question_key(sample.question), sample.solution)
        for sample in samples:
            if isinstance(sample, Sample) and sample.truth.flawed and not sample.reference:
                yield replace(sample, reference=right.get(question_key(sample.question), ""))
            else:
                yield sample

    def _samples(self) -> Iterator[Sample | str]:
        """Yield the samples by themselves."""
        problems: dict[str, str] = {}
        with open_input(str(self.path), self.named) as given:
            for number, fields in enumerate(given.records(Role.QUESTION, Role.SOLUTION), start=1):
                if isinstance(fields, str):
                    yield f"{self.path.name}: {fields}"
                    continue
                self.taken.add(fields.taken)
                name = f"{self.path.name.partition('.')[0]}-{number}"
                problem_id = problems.setdefault(question_key(fields.question), fields.identifier or name)
                model = fields.given.get("model")
                # An answer alone tells nothing of a line.
                yield self._sample(
                    replace(item_of(fields), gold=""), name, problem_id, model if isinstance(model, str) else ""
                )

    def _sample(self, item: Item, name: str, problem_id: str, model: str) -> Sample | str:
        text = readable_text(item)
        if item.empty or text is None or any(line.beyond for line in item.unread):
            return "its lines are not read whole"
        if lacking := self.oracles.lacking(item):
            return f"{UNKNOWN}{lacking}"
        facts = self.oracles.facts_of(item)
        sample = Sample(
            *(name, problem_id, item.question, text, Truth(flawed=False), self.path.name, self.licence, model),
            trust=Trust.DIAGNOSED,
        )
        if facts is None or facts.solution:
            return labelled(sample, facts or OracleFacts(), self.oracles.oracle_of(item))
        provenance = SourceProvenance(
            formalized=True,
            oracle=facts.programs[0].model,
            clique_size=facts.clique_size,
            confidence=facts.confidence,
            p_right=facts.p_right,
        )
        if refusal := self.confidence.refusal(provenance):
            return refusal
        return labelled(self.confidence.supported(sample, provenance), facts, self.oracles.oracle_of(item))


def stated_facts(sample: Sample) -> OracleFacts:
    """Return the oracle that a diagnosed sample holds.

    Raises:
        MalformedRecordError: it does not fit its class.
    """
    return read_record(OracleFacts, (sample.diagnosis or {}).get("oracle"))


@lru_cache(maxsize=64)
def oracle_of_facts(question: str, facts: OracleFacts) -> Oracle | None:
    """Return the oracle of a question; that of the last ones is kept."""
    return facts.oracle(question)


@lru_cache(maxsize=64)
def _disagreement(facts: OracleFacts) -> str:
    return facts.disagreement


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
    if (
        sample.truth.flawed
        and sample.reference
        and not diagnose(read_item("", sample.reference), oracle).status.is_right
    ):
        return "reference: expected a right solution by the oracle"
    given, expected = sample.record(), replace(made, reference=sample.reference).record()
    return next((f"{name}: is not what its oracle gives" for name in expected if given[name] != expected[name]), None)
