"""Does a label come back from its record, and does every type have a coarse class?"""

import pytest
from hypothesis import given, strategies as st

from harness.solution.labels import ErrorClass, ErrorType, Label

LABELS = st.builds(Label, st.sampled_from(ErrorType), st.text(), st.text(), st.text())


@given(LABELS)
def test_a_label_comes_back_from_its_record(label: Label) -> None:
    """Whatever its words."""
    assert Label.of_record(label.record()) == label


@pytest.mark.parametrize("error_type", ErrorType)
def test_every_type_has_a_class(error_type: ErrorType) -> None:
    """Slips are computational, steps left out are skipped, all else is conceptual."""
    classes = {ErrorType.COMPUTATIONAL: ErrorClass.COMPUTATIONAL, ErrorType.SKIPPED_STEP: ErrorClass.SKIPPED_STEP}
    assert error_type.error_class is classes.get(error_type, ErrorClass.CONCEPTUAL)


def test_the_taxonomy_has_thirteen_conceptual_types() -> None:
    """And the slips of computation, and world knowledge as a kind of input."""
    assert len(ErrorType) == 15


@given(LABELS)
def test_a_record_is_the_published_form(label: Label) -> None:
    """A verdict and the details of the error."""
    record = label.record()
    assert record.keys() == {"verdict", "error_details"}
    assert record["verdict"] == "Flawed"
    assert record["error_details"].keys() == {
        "error_type",
        "error_class",
        "erroneous_line_number",
        "explanation",
        "correction",
    }
