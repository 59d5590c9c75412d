"""The suite of labelled solutions: the label of each record is right; one test per record."""

import pytest

from harness.domain import Verdict
from properties.session.claims import require

pytestmark = pytest.mark.label


def test_label(verdict: Verdict) -> None:
    """The error is where the label says, and nowhere else; the text after it is consistent, and the answer follows."""
    require(verdict)
