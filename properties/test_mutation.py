"""The suite of flawed solutions: each one has a certificate; one test per problem and operator."""

import pytest

from harness.domain import Verdict
from properties.suites import require

pytestmark = pytest.mark.mutation


def test_mutation(verdict: Verdict) -> None:
    """Each flawed solution is proved to have the one error its label names."""
    require(verdict)
