"""The suite of mutation snapshots: one item is one slip or operator with a sample of its flawed solutions."""

import pytest

from properties.suites import Finding

pytestmark = pytest.mark.mutation


def names() -> list[str]:
    """Return the registered slips and mutation operators."""
    from generators.flaws.mutation_operator import OPERATORS
    from generators.flaws.slip import SLIPS

    return sorted([*(entry.name for entry in SLIPS), *(entry.name for entry in OPERATORS)])


@pytest.fixture
def text(name: str) -> str:
    """Return the flawed solutions of an operator as text."""
    from snapshots.texts import flaws_text  # makes the stages: other sessions only collect this module

    return flaws_text(name)


def test_mutations(mismatch: str | None) -> None:
    """The operator's flawed solutions, their labels, values and certificates are those of its snapshot."""
    if mismatch is not None:
        raise Finding(mismatch)
