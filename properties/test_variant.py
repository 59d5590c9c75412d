"""The suite of problem variants: each one has a certificate; one test per problem and operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from properties.session.claims import require

if TYPE_CHECKING:
    from harness.domain import Verdict

pytestmark = pytest.mark.variant


def test_variant(verdict: Verdict) -> None:
    """Each variant is proved to be of the class its label names."""
    require(verdict)
