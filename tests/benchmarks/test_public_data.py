"""The page about public data shows what the audit finds in them."""

from pathlib import Path

import pytest

from benchmarks.public_data import lists

PAGE = Path(__file__).resolve().parents[2] / "docs" / "public-data.md"


@pytest.mark.slow
def test_the_page_lists_what_the_audit_finds(shared_data: Path) -> None:
    """Each list of the page is the one that the audit gives today."""
    page = PAGE.read_text(encoding="utf-8")
    found = dict(lists(shared_data))
    assert len(found) == 6
    assert [name for name, listed in found.items() if f"## {name}\n" not in page or listed not in page] == []
