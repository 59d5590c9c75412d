"""The rows of a dataset: samples in a surface form that is independent of their label, with prompt and completion of a level, steps, or an error label."""

import enum
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from harness.equations.equation import operations
from harness.equations.line_reader import read_line
from harness.solution.labels import FINAL_ANSWER, ErrorClass, TypeNames, named_error_type
from sft.datasets.levels import VALIDATION, Level, LevelForm, problem_completion
from sft.samples.items import Item, ProblemSample, Sample
from sft.samples.solution_text import read_item

Row = dict[str, Any]
_OPERATIONS = {"+": "addition", "-": "subtraction", "*": "multiplication", "/": "division"}
ORIGIN = {
    **dict.fromkeys(("sample_id", "problem_id", "source", "licence", "operator"), "string"),
    "tier": "int64",
    "oracle": "string",
    "clique_size": "int64",
    **dict.fromkeys(("confidence", "p_right", "weight"), "float64"),
}
"""The columns of every row that say where its sample comes from and what it rests on, with their types."""
OF_SOLUTION = {"flawed": "bool"} | dict.fromkeys(
    ("error_class", "error_type", "alias", "line", "position", "form", "strength", "certificate"), "string"
)
OF_PROBLEM = {"question": "string", "class_label": "int64", "reason": "string", "twin": "string"}
"""The further columns of a row, of a solution and of a problem."""


class AnswerEnding(enum.StrEnum):
    """The form of the final answer."""

    HASHES = "#### {}"
    FINAL_ANSWER = "FINAL ANSWER: {}"
    NONE = ""


class LineNumbering(enum.StrEnum):
    """The text before a line."""

    PLAIN = "{line}"
    NUMBER = "{number}. {line}"
    STEP = "Step {number}: {line}"
    LABEL = "L{number}: {line}"
    MARKDOWN = "**Step {number}:** {line}"
    BULLET = "- {line}"


@dataclass(frozen=True, slots=True)
class SurfaceForm:
    """A surface form; the plain one is GSM8K's own, with annotations and `#### 5`."""

    annotated: bool = True
    ending: AnswerEnding = AnswerEnding.HASHES
    numbering: LineNumbering = LineNumbering.PLAIN
    lower: bool = False

    @property
    def name(self) -> str:
        """Return a short name, such as `annotated-hashes-plain` or `bare-none-step-lower`."""
        words = ["annotated" if self.annotated else "bare", self.ending.name, self.numbering.name]
        return "-".join([*words, *(["lower"] if self.lower else [])]).lower()

    def show(self, item: Item) -> str:
        """Return a solution as text in this form."""
        given = map(str.strip, item.annotated) if self.annotated else item.lines
        lines = [self.numbering.format(number=number, line=line) for number, line in enumerate(given, start=1)]
        if item.answer is not None and self.ending is not AnswerEnding.NONE:
            answer = self.ending.format(item.answer)
            bold = self.numbering is LineNumbering.MARKDOWN and self.ending is AnswerEnding.FINAL_ANSWER
            lines.append(f"**{answer}**" if bold else answer)
        text = "\n".join(lines)
        return text.lower() if self.lower else text

    def restores(self, item: Item, text: str) -> bool:
        """Tell whether a text in this form is read back as the same lines and answer, lower case aside."""
        read = read_item("", text)
        answer = None if self.ending is AnswerEnding.NONE else item.answer
        sides = ((*read.lines, read.answer), (*item.lines, answer))
        restored, given = ([part and part.lower() if self.lower else part for part in side] for side in sides)
        return restored == given


LEVEL_FORM = SurfaceForm(annotated=False, ending=AnswerEnding.HASHES)
"""The form in which a model that is asked or trained by level sees a solution: its bare lines, and `#### 5`."""


def form_of(seed: int, twins: str) -> SurfaceForm:
    """Draw the form of a twin group: a correct solution and all flawed ones that were made from it.

    Only the seed and the group's name decide, so that the form is independent of the error. Half of the forms have no
    annotations; of six endings three are `####`, two `FINAL ANSWER:`, one is empty; half have plain lines; one in eight is
    lower case.
    """
    draws = hashlib.blake2b(f"{seed}:form:{twins}".encode("utf-8", "surrogatepass"), digest_size=4).digest()
    endings = (AnswerEnding.HASHES,) * 3 + (AnswerEnding.FINAL_ANSWER,) * 2 + (AnswerEnding.NONE,)
    numbered = tuple(numbering for numbering in LineNumbering if numbering is not LineNumbering.PLAIN)
    numberings = (LineNumbering.PLAIN,) * len(numbered) + numbered
    return SurfaceForm(
        draws[0] % 2 == 0, endings[draws[1] % len(endings)], numberings[draws[2] % len(numberings)], draws[3] % 8 == 0
    )


@dataclass(frozen=True, slots=True)
class RenderedSample:
    """A sample in its surface form: solution and reference, empty without one; `placed` tells that class and line of its error are known."""

    form: SurfaceForm
    solution: str
    reference: str
    placed: bool


def rendered_sample(sample: Sample, form: SurfaceForm) -> RenderedSample | None:
    """Return a sample in its form, `None` if the form would not be read back as the same lines and answer."""
    solution = _restorable(sample.solution, form)
    if solution is None:
        return None
    reference = _restorable(sample.reference, form) if sample.reference else ""
    truth, places = sample.truth, read_item("", solution).places()
    placed = not truth.flawed or (truth.error_class is not None and truth.line in places)
    return RenderedSample(form, solution, reference or "", placed)


def _restorable(text: str, form: SurfaceForm) -> str | None:
    item = read_item("", text)
    written = form.show(item)
    return written if form.restores(item, written) else None


def row_of(asked: LevelForm, sample: Sample, shown: RenderedSample) -> Row | None:
    """Return the row of a solution at a level, `None` if the label lacks what the level needs."""
    truth = sample.truth
    answer = asked.completion(truth)
    unplaced = asked.level in {Level.WHERE, Level.MAX} and not shown.placed
    if answer is None or unplaced or (asked.level is Level.PAIR and not shown.reference):
        return None
    return {
        "prompt": asked.prompt(sample.question, shown.solution, shown.reference),
        "completion": answer,
        **_origin(sample),
        "flawed": truth.flawed,
        "error_class": str(truth.error_class or ""),
        "error_type": asked.names.of(known) if (known := named_error_type(truth.error_type)) else truth.error_type,
        "alias": truth.alias,
        "line": truth.line,
        "position": sample.position,
        "form": shown.form.name,
        "strength": sample.strength,
        "certificate": sample.certificate,
    }


def stepwise_row(sample: Sample) -> Row | None:
    """Return the row of a solution as TRL's `PRMTrainer` reads it: its steps up to the first wrong one, and whether each is right; `None` without a known line.

    Nothing is known of the steps behind a wrong one, which are left out.
    """
    item = read_item(sample.question, sample.solution)
    steps, places = _solution_steps(item), item.places()
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
        "prompt": VALIDATION.prompt(sample.question),
        "completion": problem_completion(sample),
        **_origin(sample),
        "question": sample.question,
        "class_label": int(sample.problem_class),
        "reason": sample.reason,
        "twin": sample.twin,
    }


def _origin(sample: Sample | ProblemSample) -> Row:
    return {name: getattr(sample, name) for name in ORIGIN}


def _solution_steps(item: Item) -> list[str]:
    return [*item.lines, *([] if item.answer is None else [f"#### {item.answer}"])]


def error_label_row(sample: Sample, names: TypeNames) -> Row | None:
    """Return the row of a flawed solution, `None` of a correct one or where type, line or correction is not known.

    `error_label_json` is a text in JSON; its `line_number` counts the lines of the trace from 1, the final answer last.
    """
    truth = sample.truth
    error_type = named_error_type(truth.error_type)
    item = read_item(sample.question, sample.solution)
    if error_type is None or truth.line not in item.places() or not truth.correction.strip():
        return None
    place = item.places().index(truth.line)
    correction = _instruction((*item.annotated, "")[place], sample)
    label = {"error_type": names.of(error_type), "line_number": place + 1, "correction": correction}
    return {
        "correct_problem_text": sample.question,
        "flawed_solution_trace": "\n".join(_solution_steps(item)),
        "error_label_json": json.dumps(label, ensure_ascii=False),
        "sample_id": sample.sample_id,
        "problem_id": sample.problem_id,
        "licence": sample.licence,
    }


def _instruction(line: str, sample: Sample) -> str:
    """Return what to do: use another operation where the line, with its annotations, differs by one, else write the correct line, or add it."""
    used, due = Counter(_operators(line)), Counter(_operators(sample.truth.correction))
    (wrong, right) = (used - due, due - used)
    if wrong.total() == right.total() == 1 and {*wrong, *right} <= _OPERATIONS.keys():
        (one,), (other,) = wrong, right
        return f"{_OPERATIONS[other].capitalize()} should be used here, not {_OPERATIONS[one]}."
    correction = "\n".join(read_item("", sample.truth.correction).lines) or sample.truth.correction
    if sample.truth.error_class is ErrorClass.SKIPPED_STEP:
        return f"Add the missing step: {correction}"
    return f"{'The final answer' if sample.truth.line == FINAL_ANSWER else 'This line'} should be: {correction}"


def _operators(line: str) -> Iterator[str]:
    """Yield the operators on the left sides of the equations of a line; of `6*7 = <<6*7=42>>42` once."""
    readings = read_line(line).equations
    for equation in [own for own in readings if own.annotation] or readings:
        yield from (operation.operator for operation in operations(equation.left))
