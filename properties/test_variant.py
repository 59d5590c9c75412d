"""The suite of problem variants: each one has a certificate; one test per problem and operator."""

import pytest

from harness.domain import Verdict
from properties.suites import require

pytestmark = pytest.mark.variant


def test_variant(verdict: Verdict) -> None:
    """Each variant is proved to be of the class its label names."""
    require(verdict)
