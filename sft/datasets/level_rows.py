"""The dataset row of a sample at each level: prompt, completion and origin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.solution.labels import ErrorClass
from sft.datasets.level_labels import LabelForm, Level
from sft.datasets.prompts import problem_completion, problem_prompt, solution_completion, solution_prompt
from sft.samples.solution_text import read_item

if TYPE_CHECKING:
    from sft.datasets.surface_forms import SurfaceForm
    from sft.samples.items import Item, Sample, Truth
    from sft.samples.problem_sample import ProblemSample

Row = dict[str, Any]
RIGHT = "right"
MARK_OF = {
    ErrorClass.COMPUTATIONAL: "arithmetic",
    ErrorClass.CONCEPTUAL: "reasoning",
    ErrorClass.SKIPPED_STEP: "missing",
}
"""The marks of the level `lines` after a line: right so far, or the class of the first error."""


@dataclass(frozen=True, slots=True)
class RenderedSample:
    """A sample in its surface form: solution, reference (empty without one) and marks.

    `marks` are those of the level `lines`, `None` if class or line of the error is unknown.
    """

    form: str
    solution: str
    reference: str
    marks: list[str] | None


def rendered_sample(sample: Sample, form: SurfaceForm) -> RenderedSample | None:
    """Return a sample in its form, `None` if the form would not be read back as the same lines and answer."""
    solution = _shown(sample.solution, form)
    if solution is None:
        return None
    reference = _shown(sample.reference, form) if sample.reference else ""
    return RenderedSample(form.name, solution, reference or "", marks_of(read_item("", solution), sample.truth))


def _shown(text: str, form: SurfaceForm) -> str | None:
    item = read_item("", text)
    written = form.show(item)
    return written if form.restores(item, written) else None


def row_of(level: Level, sample: Sample, shown: RenderedSample, *, labels: LabelForm = LabelForm.WORDS) -> Row | None:
    """Return the row of a solution at a level, `None` if the label lacks what the level needs."""
    known = {**_origin(sample), **_known(sample), "form": shown.form}
    if level in {Level.WHERE, Level.MAX, Level.LINES} and shown.marks is None:
        return None
    if level is Level.LINES:
        fields = {"question": sample.question, "solution": shown.solution, "truth": sample.truth.record()}
        return {**fields, "marks": shown.marks, **known}
    answer = solution_completion(level, sample.truth, labels=labels)
    if answer is None or (level is Level.PAIR and not shown.reference):
        return None
    prompt = solution_prompt(level, sample.question, shown.solution, shown.reference, labels=labels)
    return {"prompt": prompt, "completion": answer, **known}


def row_of_problem(sample: ProblemSample) -> Row:
    """Return the row of a problem, at the level `validator`."""
    return {
        "prompt": problem_prompt(sample.question),
        "completion": problem_completion(sample),
        **_origin(sample),
        "question": sample.question,
        "class_label": int(sample.problem_class),
        "reason": sample.reason,
        "twin": sample.twin,
    }


def conversation(row: Row) -> Row:
    """Return a row with `prompt` and `completion` as messages, which TRL reads for a loss on the completion alone."""
    return {
        **row,
        "prompt": [_message("user", row["prompt"])],
        "completion": [_message("assistant", row["completion"])],
    }


def messages(row: Row) -> Row:
    """Return a row with `messages` in place of prompt and completion."""
    rest = {key: value for key, value in row.items() if key not in {"prompt", "completion"}}
    return {"messages": [_message("user", row["prompt"]), _message("assistant", row["completion"])], **rest}


def _message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


def marks_of(item: Item, truth: Truth) -> list[str] | None:
    """Return the marks of the level `lines` after the places of an item, up to the first error.

    `None` if the class or line of the error is unknown, or the item has no such line.
    """
    places = item.places()
    if not truth.flawed:
        return [RIGHT] * len(places)
    if truth.error_class is None or truth.line not in places:
        return None
    return [*[RIGHT] * places.index(truth.line), MARK_OF[truth.error_class]]


def _origin(sample: Sample | ProblemSample) -> Row:
    return {
        "sample_id": sample.sample_id,
        "problem_id": sample.problem_id,
        "source": sample.source,
        "licence": sample.licence,
        "operator": sample.operator,
        "tier": sample.tier,
        "oracle": sample.oracle,
        "clique_size": sample.clique_size,
        "confidence": sample.confidence,
        "p_right": sample.p_right,
        "weight": sample.weight,
    }


def _known(sample: Sample) -> Row:
    truth = sample.truth
    return {
        "flawed": truth.flawed,
        "error_class": "" if truth.error_class is None else str(truth.error_class),
        "error_type": truth.error_type,
        "alias": truth.alias,
        "line": truth.line,
        "position": sample.position,
    }
