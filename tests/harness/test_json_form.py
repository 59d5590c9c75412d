"""The writing and strict reading of record classes."""

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from pydantic import Field

from harness.constraint_system import Bound, ConstraintStep, Fact
from harness.json_form import Boolean, Integer, MalformedRecordError, Name, Number, json_form, read_record
from harness.solution.labels import ErrorClass
from tests.cases import cases


@dataclass(frozen=True, slots=True)
class Part:
    """A record within another."""

    name: Name
    before: Annotated[str, Field(alias="from")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A record with a field of each kind."""

    count: Integer
    score: Number
    sure: Boolean
    kind: ErrorClass
    parts: tuple[Part, ...]
    note: str | None = None


RECORD = Whole(count=2, score=0.5, sure=True, kind=ErrorClass.CONCEPTUAL, parts=(Part("a", "\ud800 é"),))
FORM = {
    "count": 2,
    "score": 0.5,
    "sure": True,
    "kind": "conceptual_error",
    "parts": [{"name": "a", "from": "\ud800 é"}],
    "note": None,
}


def test_a_record_is_written_in_the_order_of_its_fields_and_comes_back() -> None:
    """Tuples as lists, enums as their values, names that are no Python as JSON has them, odd characters as they are."""
    assert list(json_form(RECORD).items()) == list(FORM.items())
    assert read_record(Whole, FORM) == RECORD
    assert read_record(Whole, {**FORM, "more": 1}) == RECORD


@cases(
    ("field", "value"),
    [
        *(("count", value) for value in ("2", True, 2.5)),
        *(("score", "0.5"), ("sure", 1), ("sure", "yes"), ("kind", 1), ("kind", "odd"), ("note", 3)),
        *(("parts", value) for value in ("a", {}, [{"name": "a"}])),
        *(("parts", [{"name": name, "from": ""}]) for name in (1, "a" * 201)),
    ],
)
def test_nothing_is_converted(field: str, value: Any) -> None:
    """What is no JSON of the field's type is refused, and the field is named."""
    with pytest.raises(MalformedRecordError) as caught:
        read_record(Whole, {**FORM, field: value})
    assert caught.value.field.startswith(field)


@pytest.mark.parametrize("form", [None, [], "text", {}, ValueError("line 1")])
def test_what_is_no_record_is_refused(form: Any) -> None:
    """A line that is no record is refused, whatever JSON it holds."""
    with pytest.raises(MalformedRecordError):
        read_record(Whole, form)


@cases(
    ("record_class", "field", "text"),
    [
        *((Fact, "value", text) for text in ("", "x", "1/0", "7.5", "9" * 401)),
        *((ConstraintStep, "expression", text) for text in ("", "a +", "a = 1", "lambda: 1", "a" * 5_000)),
        *((Bound, "limit", text) for text in ("", "a b", "1/0", "-")),
    ],
)
def test_texts_that_are_no_number_and_no_expression_are_malformed(
    record_class: type[Any], field: str, text: str
) -> None:
    """A field of an exact number or an expression is refused like any other, with its place and in our words."""
    form = {"name": "fact:a", "variable": "a", "source": "text", "kind": "at_most", "words": "", field: text}
    with pytest.raises(MalformedRecordError) as error:
        read_record(record_class, form)
    assert error.value.field == field
    assert "Value error" not in str(error.value)
