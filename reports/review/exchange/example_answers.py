"""The texts, facts and answers of a labelled example that annotation programs exchange, and its reading from them."""

import enum
import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from harness.errors import HarnessError
from harness.json_form import MalformedRecordError, json_form, read_record
from harness.records.review import ExampleLine
from harness.solution.labels import CORRECT, FLAWED, ErrorType
from harness.store.run_folder import dump
from harness.text.characters import spaced
from reports.review.candidates.record_version import version_of
from reports.review.exchange.annotation_answers import StrictRecord
from reports.review.exchange.judgement_merge import UID_DIGITS, OfferedRecord, Refusal, RefusalReason, latest_time, utc
from reports.review.labelled_examples import finding_forms, refuting
from reports.review.state.examples import check_example
from reports.review.state.review_state import LONGEST_NAME

FIELDS = {"question": "Problem", "solution": "Solution", "engine_answer": "What the engine said"}
"""The texts that a reviewer reads, with their headings."""
GUIDELINES = (
    "Read the problem and the solution. Say whether the solution is correct. If it is flawed, name the line of the first error "
    "(L1 is the first line, FA the final answer), its kind if you can, and why it is wrong."
)


class Question(enum.StrEnum):
    """The questions about an example."""

    VERDICT = "verdict"
    ERROR_TYPE = "error_type"
    LINE = "line"
    EXPLANATION = "explanation"
    OVERRIDE = "override"

    @property
    def words(self) -> str:
        """Return the question in words."""
        return _WORDS[self]


_WORDS = {
    Question.VERDICT: "Is the solution correct?",
    Question.ERROR_TYPE: "What kind of error is it?",
    Question.LINE: "Which line has the first error? L1, L2 …, or FA for the final answer",
    Question.EXPLANATION: "Why is it wrong?",
    Question.OVERRIDE: "Why is your label right, if the audit refutes it?",
}
CHOICES = {
    Question.VERDICT: {CORRECT: "correct", FLAWED: "flawed"},
    Question.ERROR_TYPE: {str(kind): spaced(kind) for kind in ErrorType},
}
"""The questions that are answered by a choice, with the words of each value; the others are answered by a text."""


class ExampleFacts(StrictRecord):
    """The identity of an example beside its texts, and the engine's judgement of it."""

    example_id: Annotated[str, Field(min_length=1, max_length=64)]
    version: Annotated[str, Field(max_length=LONGEST_NAME)]
    """A digest of the reviewer, the texts and the label: another digest is another label."""
    labelled_at: Annotated[str, Field(max_length=LONGEST_NAME)]
    engine: Annotated[str, Field(max_length=LONGEST_NAME)]
    engine_verdict: Literal["Correct", "Flawed", ""] = ""
    engine_error_type: Annotated[str, Field(max_length=LONGEST_NAME)] = ""
    engine_line: Annotated[str, Field(max_length=LONGEST_NAME)] = ""
    engine_confidence: float


def is_example(facts: Any) -> bool:
    """Tell whether the facts of a record of another program are those of an example."""
    return isinstance(facts, dict) and "example_id" in facts


def fields_of_example(example: ExampleLine) -> dict[str, str]:
    """Return the texts of an example, by the names of `FIELDS`."""
    said = example.judged
    parts = (said.verdict or "no verdict", said.line, spaced(said.error_type), f"confidence {said.confidence:.2f}")
    return {
        "question": example.question,
        "solution": example.solution,
        "engine_answer": f"{said.engine}: {', '.join(filter(None, parts))}",
    }


def facts_of_example(example: ExampleLine) -> dict[str, Any]:
    """Return the facts of an example, by the names of `ExampleFacts`."""
    said = example.judged
    return {
        "example_id": example.uid,
        "version": _version(example),
        "labelled_at": example.at,
        "engine": said.engine,
        "engine_verdict": said.verdict or "",
        "engine_error_type": said.error_type,
        "engine_line": said.line,
        "engine_confidence": float(said.confidence),
    }


def answers_of_example(example: ExampleLine) -> dict[Question, str]:
    """Return the answers of an example's reviewer; questions without an answer are left out."""
    label = example.label
    answers = (label.verdict, str(label.error_type or ""), label.line, label.explanation, example.override)
    return {question: answer for question, answer in zip(Question, answers, strict=True) if answer}


def answers_of_engine(example: ExampleLine) -> dict[Question, str]:
    """Return the engine's judgement as answers, as far as the questions know them; none without a verdict."""
    said = example.judged
    if said.verdict is None:
        return {}
    answers = {Question.VERDICT: str(said.verdict), Question.ERROR_TYPE: said.error_type, Question.LINE: said.line}
    known = CHOICES[Question.ERROR_TYPE]
    return {
        question: answer
        for question, answer in answers.items()
        if answer and (question is not Question.ERROR_TYPE or answer in known)
    }


def offered_example(
    facts: ExampleFacts,
    texts: Mapping[str, str],
    answers: Mapping[str, str],
    *,
    reviewer: str,
    where: str,
    now: float,
    is_draft: bool = False,
) -> OfferedRecord | Refusal:
    """Return the example of a reviewer's answers, audited as on the Verify page, or why it is refused.

    An unchanged example keeps its identifier and its time; other answers are another example, made at `now` (seconds since 1970).
    """
    if is_draft or not answers.get(Question.VERDICT):
        return Refusal(RefusalReason.UNLABELLED, where, facts.example_id)
    form: dict[str, Any] = {
        "kind": "example",
        "uid": facts.example_id,
        "reviewer": reviewer,
        "undoes": None,
        "question": texts["question"],
        "solution": texts["solution"],
        "label": {
            "verdict": answers[Question.VERDICT],
            "error_type": answers.get(Question.ERROR_TYPE) or None,
            "line": answers.get(Question.LINE, "").strip(),
            "explanation": answers.get(Question.EXPLANATION, ""),
        },
        "judged": {
            "engine": facts.engine,
            "verdict": facts.engine_verdict or None,
            "error_type": facts.engine_error_type,
            "line": facts.engine_line,
            "confidence": facts.engine_confidence,
        },
        "findings": [],
        "override": answers.get(Question.OVERRIDE, ""),
        "at": facts.labelled_at,
    }
    try:
        form["at"] = utc(facts.labelled_at).isoformat(timespec="microseconds")
        if _version(read_record(ExampleLine, form)) != facts.version:
            said = dump([form["reviewer"], form["question"], form["solution"], form["label"], form["override"]])
            form["uid"] = hashlib.sha256(said.encode("utf-8", "backslashreplace")).hexdigest()[:UID_DIGITS]
            form["at"] = datetime.fromtimestamp(now, UTC).isoformat(timespec="microseconds")
        elif utc(facts.labelled_at) > latest_time(now):
            return Refusal(RefusalReason.FUTURE, where, facts.labelled_at)
        form["findings"] = finding_forms(refuting(read_record(ExampleLine, form).record()))
        if form["findings"] and not form["override"].strip():
            return Refusal(RefusalReason.OVERRIDE_MISSING, where, str(form["findings"][0]["message"]))
        example = read_record(ExampleLine, form)
        check_example(example)
    except MalformedRecordError as error:
        return Refusal(RefusalReason.MALFORMED, where, f"{error.field}: {error.expected}")
    except (ValueError, OverflowError, HarnessError) as error:
        return Refusal(RefusalReason.MALFORMED, where, str(error)[:200])
    return OfferedRecord(where, example, known=False)


def _version(example: ExampleLine) -> str:
    said = [example.reviewer, example.question, example.solution, json_form(example.label), example.override]
    return version_of(said)
