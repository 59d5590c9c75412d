"""The suite of flawed solutions: each one has a certificate; one test per problem and operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from properties.session.claims import require

if TYPE_CHECKING:
    from harness.domain import Verdict

pytestmark = pytest.mark.mutation


def test_mutation(verdict: Verdict) -> None:
    """Each flawed solution is proved to have the one error its label names."""
    require(verdict)
