"""The suite of trace snapshots: one item is one bundled problem with the traces of its worked solutions."""

import pytest

from properties.suites import Finding

pytestmark = pytest.mark.trace


def names() -> list[str]:
    """Return the bundled problems."""
    from snapshots.texts import bundled_problems

    return list(bundled_problems())


@pytest.fixture
def text(name: str) -> str:
    """Return the traces of a problem as text."""
    from snapshots.texts import trace_text  # makes the stages: other sessions only collect this module

    return trace_text(name)


def test_trace(mismatch: str | None) -> None:
    """The problem's traces, values, edges and rendered lines are those of its snapshot."""
    if mismatch is not None:
        raise Finding(mismatch)
