"""Laws of the glossary: one place for the manual and for the tooltips of the pages."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reports.views.glossary import glossary, glossary_table, tooltips
from tests.cases import cases
from tests.reports.html.opened_page import open_page
from tests.reports.html.report_pages import LABELS, PAGES, ReportPage

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[3]


def test_manual_has_the_table() -> None:
    """The table of docs/concepts.md is the glossary, word for word."""
    assert glossary_table() in (ROOT / "docs" / "concepts.md").read_text(encoding="utf-8")


def test_each_form_is_explained_once() -> None:
    """No form belongs to two terms, and no meaning is empty."""
    forms = [form.lower() for entry in glossary() for form in (entry.term, *entry.also)]
    assert sorted(forms) == sorted(tooltips())
    assert all(tooltips().values())


@pytest.mark.slow
@cases("report", [*PAGES, LABELS])
def test_heads_that_are_terms_have_tooltips(page: "Page", tmp_path: Path, report: ReportPage) -> None:
    """Each head of a list that is a term says what it means; no other text is given a tooltip of the glossary."""
    open_page(page, report, report.seal(tmp_path / "run"))
    heads = page.evaluate(
        "[...document.querySelectorAll('table.problems thead th')].map((th) => [th.textContent, th.title])"
    )
    assert heads
    for text, title in heads:
        assert title == tooltips().get(text.strip().lower(), "")
    assert any(title for _, title in heads)
