"""The dataset row of a sample at each level: prompt, completion and origin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sft.datasets.level_labels import LabelForm, Level
from sft.datasets.prompts import problem_completion, problem_prompt, solution_completion, solution_prompt
from sft.samples.solution_text import read_item

if TYPE_CHECKING:
    from sft.datasets.surface_forms import SurfaceForm
    from sft.samples.items import Sample
    from sft.samples.problem_sample import ProblemSample

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RenderedSample:
    """A sample in its surface form: solution and reference, empty without one; `placed` tells that class and line of its error are known."""

    form: str
    solution: str
    reference: str
    placed: bool


def rendered_sample(sample: Sample, form: SurfaceForm) -> RenderedSample | None:
    """Return a sample in its form, `None` if the form would not be read back as the same lines and answer."""
    solution = _shown(sample.solution, form)
    if solution is None:
        return None
    reference = _shown(sample.reference, form) if sample.reference else ""
    truth, places = sample.truth, read_item("", solution).places()
    placed = not truth.flawed or (truth.error_class is not None and truth.line in places)
    return RenderedSample(form.name, solution, reference or "", placed)


def _shown(text: str, form: SurfaceForm) -> str | None:
    item = read_item("", text)
    written = form.show(item)
    return written if form.restores(item, written) else None


def row_of(level: Level, sample: Sample, shown: RenderedSample, *, labels: LabelForm = LabelForm.WORDS) -> Row | None:
    """Return the row of a solution at a level, `None` if the label lacks what the level needs."""
    known = {**_origin(sample), **_known(sample), "form": shown.form}
    if level in {Level.WHERE, Level.MAX} and not shown.placed:
        return None
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
