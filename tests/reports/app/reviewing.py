"""How does a test review in a browser as a person does?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from reports.review.state import Entry, ReviewState

if TYPE_CHECKING:
    from conftest import Server
    from playwright.sync_api import Locator, Page

PATIENCE = 20_000


class Tab:
    """One tab of a reviewer."""

    def __init__(self, page: Page, server: Server) -> None:
        """Take an empty tab."""
        self.page, self.server = page, server
        page.set_default_timeout(PATIENCE)

    def open(self, reviewer: str, query: str = "") -> Tab:
        """Open the Review page."""
        self.page.goto(f"{self.server.url}/?reviewer={quote(reviewer)}{query}")
        return self.ready()

    def ready(self) -> Tab:
        """Wait until a candidate lies there and the page has its address."""
        self.page.wait_for_selector("#columns[data-candidate] .field.erroneous")
        self.page.wait_for_url(re.compile("session="))
        return self

    @property
    def candidate(self) -> str:
        """Return the id of the candidate that is shown."""
        return self.page.locator("#columns").get_attribute("data-candidate") or ""

    def field(self, label: str) -> Locator:
        """Return the field of a line, or of the explanation: `Why`."""
        return self.page.get_by_label(re.compile(f"^{label}(,|$)"), exact=True)

    @property
    def erroneous(self) -> Locator:
        """Return the field of the erroneous line."""
        return self.page.locator(".field.erroneous textarea")

    def press(self, *keys: str) -> None:
        """Press keys."""
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str, **options: Any) -> None:
        """Type where the caret is."""
        self.page.keyboard.type(text, **options)

    def moves_on(self, before: str) -> str:
        """Wait until another candidate than `before` is shown; return it."""
        self.page.wait_for_function(SHOWN_NOT, arg=before)
        return self.candidate

    def audited(self, words: str) -> None:
        """Wait until the audit of what stands there has been shown: `nothing found`, `2 findings`."""
        self.page.wait_for_function(SAID, arg=[".state", words])

    def saved(self) -> None:
        """Wait until the server has everything that was typed and decided."""
        self.page.wait_for_function(SENT)

    def entries(self) -> list[Entry]:
        """Return the log of decisions."""
        state = ReviewState.open(self.server.state)
        try:
            return state.entries()
        finally:
            state.close()


ROOT = "[...document.querySelectorAll('*')].find(one => one.shadowRoot?.querySelector('.review'))?.shadowRoot"
SHOWN_NOT = (
    f"before => {{ const id = {ROOT}?.querySelector('#columns')?.dataset.candidate; return id && id !== before; }}"
)
SAID = f"([part, words]) => {ROOT}?.querySelector(part)?.textContent === words"
SENT = "() => !Object.keys(localStorage).some(key => key.includes('\\noutbox\\n'))"
