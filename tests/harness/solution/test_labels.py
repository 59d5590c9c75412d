"""Tests of labels: a label is read back from its record, and every error type has a coarse class."""

from hypothesis import given, strategies as st

from harness.json_form import json_form, read_record
from harness.solution.labels import ErrorClass, ErrorType, Label
from tests.cases import cases

LABELS = st.builds(
    Label.of_error,
    st.sampled_from(ErrorType),
    st.from_regex(r"L[1-9][0-9]{0,4}|FA", fullmatch=True),
    st.text(),
    st.text(),
)


@given(LABELS)
def test_a_label_comes_back_from_its_record(label: Label) -> None:
    """A label is read back from its record, a verdict and the details of the error, with the published name where it is another."""
    record = json_form(label)
    assert read_record(Label, record) == label
    assert record["error_details"].get("alias") == label.error_type.alias
    assert record.keys() == {"verdict", "error_details"}


@cases("error_type", ErrorType)
def test_every_type_has_a_class(error_type: ErrorType) -> None:
    """Slips are computational, steps left out are skipped, all else is conceptual."""
    classes = {ErrorType.COMPUTATIONAL: ErrorClass.COMPUTATIONAL, ErrorType.SKIPPED_STEP: ErrorClass.SKIPPED_STEP}
    assert error_type.error_class is classes.get(error_type, ErrorClass.CONCEPTUAL)
