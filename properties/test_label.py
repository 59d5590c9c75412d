"""The suite of labelled solutions: the label of each record is right; one test per record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from properties.session.claims import require

if TYPE_CHECKING:
    from harness.domain import Verdict

pytestmark = pytest.mark.label


def test_label(verdict: Verdict) -> None:
    """The error is where the label says, and nowhere else; the text after it is consistent, and the answer follows."""
    require(verdict)
