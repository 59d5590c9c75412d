"""Pages of a run opened from disk in a browser."""

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.reports.html.report_pages import ReportPage

OVERFLOWING = """
[...document.querySelectorAll('.graph .node')].filter((node) => {
  const shape = node.querySelector('.shape').getBBox();
  return [...node.querySelectorAll('text')].some((text) => {
    const box = text.getBBox();
    return box.width > shape.width - 12 || box.x < shape.x || box.y < shape.y || !text.textContent;
  });
}).length
"""
"""The number of nodes of graphs whose labels do not fit."""


def open_page(tab: "Page", report: "ReportPage", run: "Path", item: str | None = None) -> list[str]:
    """Write a page and open it, or one of its items, from disk; return the list of the addresses asked for since."""
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    address = "" if item is None else f"#/{report.noun}/{quote(item)}"
    tab.goto(report.write(run).resolve().as_uri() + address)
    tab.wait_for_selector(f"#{report.noun}s tbody tr" if item is None else f"#{report.noun} h1")
    return asked


def open_item(tab: "Page", report: "ReportPage", number: int) -> None:
    """Return to the list and open the item of a row."""
    tab.evaluate("location.hash = '#/'")
    tab.wait_for_selector("#overview:not([hidden])")
    tab.locator(f"#{report.noun}s tbody a").nth(number).click()
    tab.wait_for_selector(f"#{report.noun} h1")


def listed(tab: "Page") -> int:
    """Return how many items pass the filters."""
    return int(tab.locator("#shown").inner_text().split()[0].replace(",", ""))
