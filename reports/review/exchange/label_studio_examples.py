"""Labelled examples as a Label Studio project of its own beside that of the candidates, and reading them from its tasks."""

import xml.etree.ElementTree as ET  # only written: no foreign text is parsed as XML
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from harness.records.review import ExampleLine
from harness.solution.labels import FLAWED
from harness.text.characters import printable
from reports.review.exchange.annotation_answers import StrictRecord, read_strictly
from reports.review.exchange.example_answers import (
    CHOICES,
    FIELDS,
    GUIDELINES,
    ExampleFacts,
    Question,
    answers_of_engine,
    answers_of_example,
    facts_of_example,
    fields_of_example,
    offered_example,
)
from reports.review.exchange.export_selection import write_files, write_json_list
from reports.review.exchange.judgement_merge import OfferedRecord, Refusal
from reports.review.exchange.label_studio_forms import (
    CONFIG,
    TASKS,
    Annotations,
    answers_of_annotation,
    results_of,
    reviewer_of,
    text_area,
)
from reports.review.state.examples import examples_in_force
from reports.review.state.review_state import LONGEST_TEXT, ReviewState


def export_label_studio_examples(state: ReviewState, folder: Path, *, title: str = "Labelled examples") -> int:
    """Write tasks for all examples in force, each with its reviewer's label and what the engine said as a prediction.

    Returns:
        The number of tasks.

    Raises:
        HarnessError: the folder cannot be written.
    """
    write_files(folder, {CONFIG: example_config(title)})
    return write_json_list(folder / TASKS, map(_task, examples_in_force(state)))


def example_config(title: str) -> str:
    """Return the labeling configuration: the shown texts and the questions, those about an error only where there is one."""
    view = ET.Element("View")
    ET.SubElement(view, "Header", value=printable(title))
    ET.SubElement(view, "Header", value=GUIDELINES, size="5")
    for name, heading in FIELDS.items():
        ET.SubElement(view, "Header", value=heading, size="5")
        ET.SubElement(view, "Text", name=name, value=f"${name}")
    for question in Question:
        shown = (
            {"visibleWhen": "choice-selected", "whenTagName": str(Question.VERDICT), "whenChoiceValue": FLAWED}
            if question in {Question.ERROR_TYPE, Question.LINE, Question.EXPLANATION}
            else {}
        )
        if question in CHOICES:
            ET.SubElement(view, "Header", value=question.words, size="5")
            required = {"required": "true"} if question is Question.VERDICT else {}
            named = {"name": str(question), "toName": "question", "choice": "single"}
            choices = ET.SubElement(view, "Choices", {**named, **required, **shown})
            for value, words in CHOICES[question].items():
                ET.SubElement(choices, "Choice", value=value, hint=words)
        else:
            text_area(view, str(question), placeholder=question.words, **shown)
    ET.indent(view)
    return ET.tostring(view, encoding="unicode") + "\n"


def labels_of_task(task: Any, where: str, now: float) -> Iterator[OfferedRecord | Refusal]:
    """Yield the example of each annotation of a task; a cancelled one labels nothing, a draft is refused."""
    read = read_strictly(_Task, task, where)
    if isinstance(read, Refusal):
        yield read
        return
    for annotation in (*read.annotations, *read.drafts):
        if not annotation.was_cancelled:
            yield offered_example(
                read.data,
                {"question": read.data.question, "solution": read.data.solution},
                answers_of_annotation(annotation),
                reviewer=reviewer_of(annotation),
                where=where,
                now=now,
                is_draft=annotation in read.drafts,
            )


def _task(example: ExampleLine) -> dict[str, Any]:
    said = answers_of_engine(example)
    answers = answers_of_example(example)
    return {
        "data": {**facts_of_example(example), **fields_of_example(example)},
        "predictions": [
            {
                "model_version": example.judged.engine,
                "score": example.judged.confidence,
                "result": results_of(said, example.uid, {}, chosen=CHOICES),
            }
        ]
        if said
        else [],
        "annotations": [
            {
                "result": results_of(
                    answers, f"{example.uid}\n{example.reviewer}", {"reviewer": example.reviewer}, chosen=CHOICES
                ),
                "was_cancelled": False,
                "ground_truth": False,
            }
        ],
        "drafts": [],
    }


class _Data(ExampleFacts):
    question: Annotated[str, Field(max_length=LONGEST_TEXT)]
    solution: Annotated[str, Field(max_length=LONGEST_TEXT)]


class _Task(StrictRecord):
    data: _Data
    annotations: Annotations = Field(default_factory=list)
    drafts: Annotations = Field(default_factory=list)
