"""Tests of the glossary: the manual and the tooltips of the pages have the same terms."""

from harness.paths import ROOT
from reports.html.page import glossary, tooltips


def test_manual_has_the_table() -> None:
    """The table of docs/concepts.md is the glossary, word for word."""
    rows = "".join(f"| {entry['term']} | {entry['meaning']} |\n" for entry in glossary())
    assert f"| term | meaning |\n|---|---|\n{rows}" in (ROOT / "docs" / "concepts.md").read_text(encoding="utf-8")


def test_each_form_is_explained_once() -> None:
    """No form belongs to two terms, and no meaning is empty."""
    forms = [form.lower() for entry in glossary() for form in (entry["term"], *entry.get("also", ()))]
    assert sorted(forms) == sorted(tooltips())
    assert all(tooltips().values())
