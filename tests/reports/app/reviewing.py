"""Test helpers that operate the review app in a browser as a reviewer does."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from playwright.sync_api import Browser, Locator, Page

from harness.records.review import DecisionLine
from reports.review.review_state import ReviewState

MAIN = Path(__file__).parents[3] / "reports" / "app" / "main.py"
SCRIPT = MAIN.with_name("app_pages.py")
STARTING = 60.0
PATIENCE = 60_000


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(slots=True)
class Server:
    """The app in a process of its own, in a folder of its own; `log` is what it printed."""

    folder: Path
    arguments: tuple[str, ...]
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Return where the app is."""
        return f"http://localhost:{self.port}"

    @property
    def state(self) -> Path:
        """Return the file of decisions."""
        return self.folder / "reviews" / "review.sqlite"

    @property
    def log(self) -> str:
        """Return what the server printed so far."""
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")

    def start(self) -> Self:
        """Start the server and wait until it answers."""
        options = ["--server.port", str(self.port), "--server.headless", "true"]
        command = [sys.executable, "-m", "streamlit", "run", str(MAIN), *options, "--", *self.arguments]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, start_new_session=True)
        deadline = time.monotonic() + STARTING
        while True:
            try:
                socket.create_connection(("localhost", self.port), timeout=1).close()
            except OSError:
                assert self.process.poll() is None, self.log
                assert time.monotonic() < deadline, self.log
                time.sleep(0.05)
            else:
                return self

    def kill(self) -> None:
        """End the server as `kill -9` does."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


class Tab:
    """One tab of a reviewer."""

    def __init__(self, page: Page, server: Server) -> None:
        """Take an empty tab."""
        self.page, self.server = page, server
        page.set_default_timeout(PATIENCE)

    def open(self, reviewer: str, query: str = "") -> Self:
        """Open the Review page."""
        self.page.goto(f"{self.server.url}/?reviewer={quote(reviewer)}{query}")
        return self.ready()

    def ready(self) -> Self:
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

    def entries(self) -> list[DecisionLine]:
        """Return the log of decisions."""
        state = ReviewState.open(self.server.state)
        try:
            return state.entries()
        finally:
            state.close()


@dataclass(slots=True)
class Tabs:
    """Opens tabs, each in a browser profile of its own unless `beside` says otherwise, and collects what they complain of, or ask of the network."""

    browser: Browser
    complaints: list[str] = field(default_factory=list)
    contexts: list[Any] = field(default_factory=list)

    def __call__(
        self, server: Server, reviewer: str, *, query: str = "", beside: Tab | None = None, **view: Any
    ) -> Tab:
        """Open the app for a reviewer and wait for a candidate."""
        if beside is None:
            self.contexts.append(self.browser.new_context(**{"viewport": {"width": 1280, "height": 860}, **view}))
        context = self.contexts[-1] if beside is None else beside.page.context
        page = context.new_page()
        page.on("request", lambda request: self._local(request.url, server))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append(f"dialog {dialog.message}"), dialog.dismiss()))
        return Tab(page, server).open(reviewer, query)

    def _local(self, address: str, server: Server) -> None:
        """Complain of a request that leaves this machine."""
        if not address.startswith((server.url, server.url.replace("http", "ws"), "data:", "blob:")):
            self.complaints.append(f"asked for {address}")


ROOT = "[...document.querySelectorAll('*')].find(one => one.shadowRoot?.querySelector('.review'))?.shadowRoot"
SHOWN_NOT = (
    f"before => {{ const id = {ROOT}?.querySelector('#columns')?.dataset.candidate; return id && id !== before; }}"
)
SAID = f"([part, words]) => {ROOT}?.querySelector(part)?.textContent === words"
SENT = "() => !Object.keys(localStorage).some(key => key.includes('\\noutbox\\n'))"
