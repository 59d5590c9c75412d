"""Tests of the template reader: templates are read as written, repairs are reported, other text is refused."""

import json
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from harness.domain import Provenance, Response
from harness.program.dialects.template import EXAMPLE
from harness.program.refusal import Refusal, RefusalReason
from harness.solution.template import MOST_SOLUTION_STEPS, Template, read_template
from tests.cases import cases

GOOD: dict[str, Any] = json.loads(EXAMPLE)
STEP: dict[str, Any] = GOOD["logical_steps"][0]


def read(text: str) -> Template:
    """Read a response."""
    return read_template(Response("p", "m", text, "template"))


def with_step(**fields: object) -> str:
    """Return the good template, its step changed."""
    return json.dumps({**GOOD, "logical_steps": [{**STEP, **fields}]})


def test_a_template_is_a_program_and_the_wording_of_its_lines() -> None:
    """The steps mark the inputs of the program, and nothing is repaired."""
    template = read(EXAMPLE)
    step = template.steps[0]
    assert (
        [(parameter.name, parameter.value, parameter.provenance) for parameter in template.program.parameters],
        (step.line, step.question_inputs, step.WK_inputs, step.output_variable, step.solution_line_template),
        template.repairs,
    ) == (
        [("boxes", 6, Provenance.QUESTION), ("pens_per_box", 12, Provenance.QUESTION)],
        (1, ("boxes", "pens_per_box"), (), "pens", "{boxes}*{pens_per_box} = {pens} pens"),
        (),
    )


@cases(
    ("given", "mended"),
    [
        ("{<<{a}*{b}={c}>>}{c}", "<<{a}*{b}={c}>>{c}"),
        ("${<<{a}*{b}={c}>>{c}} each", "$<<{a}*{b}={c}>>{c} each"),
        ("{a} {<<{a}=1>>}, {<<{b}=2>>}", "{a} <<{a}=1>>, <<{b}=2>>"),
        ("{<<{a}=1", None),
        ("{a}{b}", None),
        ("{<<5<6>>}", None),
    ],
)
def test_braces_around_annotations_are_dropped(given: str, mended: str | None) -> None:
    """Only those around a whole annotation; the repair names the line."""
    template = read(with_step(solution_line_template=given))
    repairs = () if mended is None else ("dropped the braces around the annotation of L1",)
    assert (template.steps[0].solution_line_template, template.repairs) == (mended or given, repairs)


REFUSED = {
    "no text": ("", RefusalReason.EMPTY),
    "prose": ("I cannot do that.", RefusalReason.NO_CODE),
    "a bare program": ("def solve():\n    a = 5\n    return a", RefusalReason.NO_STEPS),
    "an empty list of steps": (json.dumps({**GOOD, "logical_steps": []}), RefusalReason.NO_STEPS),
    "JSON broken within the steps": (EXAMPLE[:-20], RefusalReason.NO_STEPS),
    "JSON broken within the code": (EXAMPLE[:40], RefusalReason.BROKEN_JSON),
    "no code": (json.dumps({"logical_steps": [STEP]}), RefusalReason.BROKEN_JSON),
    "no function": (json.dumps({**GOOD, "function_code": "a = 5"}), RefusalReason.NO_FUNCTION),
    "broken code": (json.dumps({**GOOD, "function_code": "def solve(:"}), RefusalReason.SYNTAX),
    "forbidden code": (
        json.dumps({**GOOD, "function_code": "def solve():\n    return eval('1')"}),
        RefusalReason.FORBIDDEN,
    ),
    "no line": (with_step(line_number=None), RefusalReason.BROKEN_STEPS),
    "line zero": (with_step(line_number="L0"), RefusalReason.BROKEN_STEPS),
    "inputs that are no list": (with_step(question_inputs="boxes"), RefusalReason.BROKEN_STEPS),
    "inputs that are no names": (with_step(WK_inputs=[5]), RefusalReason.BROKEN_STEPS),
    "an endless name": (with_step(output_variable="x" * 201), RefusalReason.BROKEN_STEPS),
    "a template that is no text": (with_step(solution_line_template=5), RefusalReason.BROKEN_STEPS),
    "half a character": (with_step(solution_line_template="\ud800"), RefusalReason.BROKEN_STEPS),
    "too many steps": (
        json.dumps({**GOOD, "logical_steps": [STEP] * (MOST_SOLUTION_STEPS + 1)}),
        RefusalReason.BROKEN_STEPS,
    ),
    "deep nesting": ('{"function_code": ' + "[" * 100_000, RefusalReason.TOO_DEEP),
    "a control character": (EXAMPLE + "\0", RefusalReason.CONTROL_CHARACTER),
    "too much": (EXAMPLE + " " * 1_000_000, RefusalReason.TOO_LARGE),
}


@cases("case", REFUSED)
def test_what_is_no_template_is_refused_with_its_reason(case: str) -> None:
    """The kind of the refusal says what is wrong."""
    text, reason = REFUSED[case]
    with pytest.raises(Refusal) as caught:
        read(text)
    assert caught.value.reason == reason


PIECES = ["", '"', "{", "}", "]", ",", "\\", "\\ud800", "\\u0000", "\n", "\x0c", "null", "1e999", "9" * 5000, "<<"]
MUTATION = st.tuples(st.integers(0, len(EXAMPLE)), st.integers(0, 12), st.sampled_from(PIECES) | st.text(max_size=5))


@given(st.lists(MUTATION, min_size=1, max_size=4))
@example([(0, 0, "```json\n")])
def test_any_damage_is_read_or_refused(mutations: list[tuple[int, int, str]]) -> None:
    """A template cut and pasted at random is a template or a typed refusal, never another exception."""
    text = EXAMPLE
    for start, length, piece in mutations:
        text = text[:start] + piece + text[start + length :]
    try:
        found: object = read(text)
    except Refusal as refusal:
        found = refusal.reason
    assert isinstance(found, Template | RefusalReason)
