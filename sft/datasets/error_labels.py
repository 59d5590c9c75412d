"""Rows of a flawed solution with the label `error_label_json`: the type, the number of the line, and the correction as an instruction."""

import json
from collections import Counter
from collections.abc import Iterator

from harness.equations.equation import Expression, Number, Operation
from harness.equations.line_reader import read_line
from harness.solution.labels import FINAL_ANSWER, ErrorClass, TypeNames, named_error_type
from sft.datasets.rows import Row
from sft.samples.items import Sample
from sft.samples.solution_text import read_item

_NAMES = {"+": "addition", "-": "subtraction", "*": "multiplication", "/": "division"}


def error_label_row(sample: Sample, names: TypeNames) -> Row | None:
    """Return the row of a flawed solution, `None` of a correct one or where type, line or correction is not known.

    `error_label_json` is a text in JSON; its `line_number` counts the lines of the trace from 1, the final answer last.
    """
    truth = sample.truth
    error_type = named_error_type(truth.error_type)
    item = read_item(sample.question, sample.solution)
    if error_type is None or truth.line not in item.places():
        return None
    place = item.places().index(truth.line)
    lines = (*item.lines, *([] if item.answer is None else [f"#### {item.answer}"]))
    if not truth.correction.strip():
        return None
    label = {
        "error_type": names.of(error_type),
        "line_number": place + 1,
        "correction": _instruction((*item.annotated, "")[place], sample),
    }
    return {
        "correct_problem_text": sample.question,
        "flawed_solution_trace": "\n".join(lines),
        "error_label_json": json.dumps(label, ensure_ascii=False),
        "sample_id": sample.sample_id,
        "problem_id": sample.problem_id,
        "licence": sample.licence,
    }


def _instruction(line: str, sample: Sample) -> str:
    """Return what to do: use another operation where the line, with its annotations, differs by one, else write the correct line, or add it."""
    used, due = Counter(_operators(line)), Counter(_operators(sample.truth.correction))
    (wrong, right) = (used - due, due - used)
    if wrong.total() == right.total() == 1 and {*wrong, *right} <= _NAMES.keys():
        (one,), (other,) = wrong, right
        return f"{_NAMES[other].capitalize()} should be used here, not {_NAMES[one]}."
    correction = "\n".join(read_item("", sample.truth.correction).lines) or sample.truth.correction
    if sample.truth.error_class is ErrorClass.SKIPPED_STEP:
        return f"Add the missing step: {correction}"
    return f"{'The final answer' if sample.truth.line == FINAL_ANSWER else 'This line'} should be: {correction}"


def _operators(line: str) -> Iterator[str]:
    """Yield the operators on the left sides of the equations of a line; of `6*7 = <<6*7=42>>42` once."""
    readings = read_line(line).equations
    for equation in [own for own in readings if own.annotation] or readings:
        yield from _signs(equation.left)


def _signs(expression: Expression) -> Iterator[str]:
    if isinstance(expression, Operation):
        yield from (expression.operator, *_signs(expression.left), *_signs(expression.right))
    elif not isinstance(expression, Number):
        yield from _signs(expression.inner)
