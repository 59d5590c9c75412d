"""Tests of the layout of the Review page: accessible and readable, wide and narrow, light and dark.

`SCREENSHOTS=RUN pytest -n0 tests/reports/app/test_app_review_looks.py -k picture` writes the picture of the README from a run.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.reports.app.reviewing import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

    from tests.reports.app.reviewing import Server, Tabs

DOCS = Path(__file__).parents[3] / "docs"
SUM = " Then 3 + 4 = 8."
FAINT = (
    """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = color => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data; return [r, g, b, a / 255]; };
  const over = ([r, g, b, a], under) => [r, g, b].map((one, place) => one * a + under[place] * (1 - a));
  const up = one => one.parentElement ?? one.getRootNode().host ?? null;
  const chain = one => { const found = []; for (let at = one; at; at = up(at)) found.unshift(at); return found; };
  const ground = one => chain(one).reduce((under, at) => over(rgba(getComputedStyle(at).backgroundColor), under), [255, 255, 255]);
  const light = rgb => rgb.map(one => one / 255).map(one => one <= .03928 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4)
    .reduce((sum, one, place) => sum + one * [.2126, .7152, .0722][place], 0);
  const root = """
    + ROOT
    + """;
  const faint = [];
  for (const one of root.querySelectorAll(".review *")) {
    if (!one.checkVisibility() || one.closest("button:disabled, .backdrop, .unseen")) continue;
    const text = one.value ?? [...one.childNodes].filter(node => node.nodeType === 3).map(node => node.data).join("").trim();
    if (!text) continue;
    const under = ground(one), ink = rgba(getComputedStyle(one).color);
    const seen = chain(one).reduce((share, at) => share * getComputedStyle(at).opacity, 1);
    const [high, low] = [light(over([...ink.slice(0, 3), ink[3] * seen], under)), light(under)].sort((a, b) => b - a);
    const contrast = (high + .05) / (low + .05);
    if (contrast < 4.5) faint.push(`${one.tagName}.${one.className} ${text.slice(0, 30)} ${contrast.toFixed(2)}`);
  }
  return faint;
}"""
)
NAMELESS = f"""() => [...{ROOT}.querySelectorAll("button, textarea, input")].filter(one => one.checkVisibility()
  && !(one.labels?.length || one.getAttribute("aria-label") || one.textContent.trim())).map(one => one.outerHTML)"""


@pytest.mark.slow
@pytest.mark.parametrize("width", [900, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_is_legible(tabs: "Tabs", server: "Server", scheme: str, width: int) -> None:
    """With findings, panels and a draft: text stands out 4.5 to 1, all controls have names, nothing scrolls sideways."""
    tab = tabs(server, f"ada {scheme} {width}", color_scheme=scheme, viewport={"width": width, "height": 800})
    tab.type(SUM)
    tab.page.wait_for_selector(".field.erroneous .findings li")
    tab.saved()
    for key in ("Control+Enter", "Alt+r", "Escape"):
        assert tab.page.evaluate(FAINT) == []
        assert tab.page.evaluate(NAMELESS) == []
        tab.press(key)
        tab.page.wait_for_timeout(300)  # what fades in is faint until then
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
def test_decision_and_findings_are_announced(tabs: "Tabs", server: "Server") -> None:
    """What changed without the focus is said in a live region: findings, then that the candidate was rejected."""
    tab = tabs(server, "heard", query="&only-edit=no")
    said = tab.page.locator("[aria-live=polite]")
    tab.type(SUM)
    tab.page.wait_for_selector(".field.erroneous .findings li")
    tab.saved()
    assert "3 + 4 is 7" in said.inner_text()
    before = tab.candidate
    tab.press("Alt+r", "1")
    tab.moves_on(before)
    tab.saved()
    assert "Rejected" in said.inner_text()


@pytest.mark.skipif("SCREENSHOTS" not in os.environ, reason="pictures are made on request: SCREENSHOTS=runs/latest")
def test_picture_for_the_readme(browser: "Browser", serve: "Callable[..., Server]") -> None:
    """A candidate whose words still say the old thing, as the README shows it."""
    from tests.reports.app.reviewing import Tab

    server = serve("--run", str(Path(os.environ["SCREENSHOTS"]).resolve()))
    page: Any = browser.new_page(viewport={"width": 1280, "height": 900}, device_scale_factor=1)
    tab: Tab = Tab(page, server).open("Ada", "&only-operator=dropped+term&problem=mini-001")
    before = tab.candidate
    tab.press("Alt+r", "1")
    tab.moves_on(before)
    tab.saved()
    page.wait_for_selector(".findings li")
    page.wait_for_timeout(1_000)  # fonts and the fading in of what is new
    page.screenshot(path=DOCS / "review-app.png")
    page.close()
    assert (DOCS / "review-app.png").stat().st_size > 10_000
