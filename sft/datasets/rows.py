"""The rows of a dataset: samples in one form, with prompt and completion of a level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.solution.labels import TypeNames, named_error_type
from sft.datasets.levels import (
    LabelForm,
    Level,
    problem_completion,
    problem_prompt,
    solution_completion,
    solution_prompt,
)
from sft.samples.solution_text import read_item

if TYPE_CHECKING:
    from sft.samples.items import Item, ProblemSample, Sample

Row = dict[str, Any]
ORIGIN = (
    *("sample_id", "problem_id", "source", "licence", "operator"),
    *("tier", "oracle", "clique_size", "confidence", "p_right"),
)
"""The columns of every row that say where its sample comes from and what it rests on."""


@dataclass(frozen=True, slots=True)
class RenderedSample:
    """A sample as models see it: solution and reference, empty without one; `placed` tells that class and line of its error are known."""

    solution: str
    reference: str
    placed: bool


def shown_solution(item: Item, *, annotated: bool = False) -> str:
    """Return a solution as a model that is asked or trained sees it: its bare lines, and `#### 5`; or with its annotations."""
    lines = [line.strip() for line in item.annotated] if annotated else item.lines
    return "\n".join([*lines, *([] if item.answer is None else [f"#### {item.answer}"])])


def is_restored(item: Item, text: str) -> bool:
    """Tell whether a text is read as the lines and the answer of an item."""
    read = read_item("", text)
    return list(filter(None, (*read.lines, read.answer))) == list(filter(None, (*item.lines, item.answer)))


def rendered_sample(sample: Sample) -> RenderedSample | None:
    """Return a sample as models see it, `None` if it would not be read back as the same lines and answer."""
    solution = _restorable(sample.solution)
    if solution is None:
        return None
    reference = _restorable(sample.reference) if sample.reference else ""
    truth, places = sample.truth, read_item("", solution).places()
    placed = not truth.flawed or (truth.error_class is not None and truth.line in places)
    return RenderedSample(solution, reference or "", placed)


def _restorable(text: str) -> str | None:
    item = read_item("", text)
    shown = shown_solution(item)
    return shown if is_restored(item, shown) else None


def row_of(
    level: Level,
    sample: Sample,
    shown: RenderedSample,
    *,
    labels: LabelForm = LabelForm.WORDS,
    names: TypeNames = TypeNames.OWN,
) -> Row | None:
    """Return the row of a solution at a level, `None` if the label lacks what the level needs."""
    truth = sample.truth
    answer = solution_completion(level, truth, labels=labels, names=names)
    lacking = not shown.placed if level in {Level.WHERE, Level.MAX} else level is Level.PAIR and not shown.reference
    if answer is None or lacking:
        return None
    return {
        "prompt": solution_prompt(level, sample.question, shown.solution, shown.reference, labels=labels, names=names),
        "completion": answer,
        **_origin(sample),
        "flawed": truth.flawed,
        "error_class": str(truth.error_class or ""),
        "error_type": names.of(error_type) if (error_type := named_error_type(truth.error_type)) else truth.error_type,
        "alias": truth.alias,
        "line": truth.line,
        "position": sample.position,
        "strength": sample.strength,
        "certificate": sample.certificate,
    }


def stepwise_row(sample: Sample) -> Row | None:
    """Return the row of a solution as TRL's `PRMTrainer` reads it: its steps up to the first wrong one, and whether each is right; `None` without a known line.

    Nothing is known of the steps behind a wrong one, which are left out.
    """
    item = read_item(sample.question, sample.solution)
    steps = [*item.lines, *([] if item.answer is None else [f"#### {item.answer}"])]
    places = item.places()
    if sample.truth.flawed:
        if sample.truth.line not in places:
            return None
        steps = steps[: places.index(sample.truth.line) + 1]
    labels = [True] * (len(steps) - sample.truth.flawed) + [False] * sample.truth.flawed
    told = [(step, label) for step, label in zip(steps, labels, strict=True) if step or not label]
    return {
        "prompt": sample.question,
        "completions": [step for step, _ in told],
        "labels": [label for _, label in told],
        **_origin(sample),
        "strength": sample.strength,
        "certificate": sample.certificate,
    }


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


def _origin(sample: Sample | ProblemSample) -> Row:
    return {name: getattr(sample, name) for name in ORIGIN}
