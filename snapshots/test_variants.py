"""The suite of variant snapshots: one item is one operator with a sample of its problem variants."""

import pytest

from properties.suites import Finding

pytestmark = pytest.mark.variant


def names() -> list[str]:
    """Return the registered variant operators."""
    from generators.variants.variant_operator import VARIANT_OPERATORS

    return sorted(operator.name for operator in VARIANT_OPERATORS)


@pytest.fixture
def text(name: str) -> str:
    """Return the variants of an operator as text."""
    from snapshots.texts import variants_text  # makes the stages: other sessions only collect this module

    return variants_text(name)


def test_variants(mismatch: str | None) -> None:
    """The operator's variants, their classes, reasons and proofs are those of its snapshot."""
    if mismatch is not None:
        raise Finding(mismatch)
