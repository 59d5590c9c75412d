"""Which server and browser do the tests of the review app use?"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from reviewing import Tab

MAIN = Path(__file__).parents[3] / "reports" / "app" / "main.py"
PATIENCE = 60.0


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

    def start(self) -> "Server":
        """Start the server and wait until it answers."""
        options = ["--server.port", str(self.port), "--server.headless", "true"]
        command = [sys.executable, "-m", "streamlit", "run", str(MAIN), *options, "--", *self.arguments]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, start_new_session=True)
        deadline = time.monotonic() + PATIENCE
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


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Server]]:
    """Start servers with the arguments that follow `--`, and end them with the module."""
    pytest.importorskip("streamlit", reason="streamlit is not installed: pip install -e '.[review]'")
    servers: list[Server] = []

    def start(*arguments: str) -> Server:
        servers.append(Server(tmp_path_factory.mktemp("served"), arguments, free_port()))
        return servers[-1].start()

    yield start
    for server in servers:
        server.kill()


@pytest.fixture(scope="module")
def flawed_run(tmp_path_factory: pytest.TempPathFactory, flawed: dict[str, list[dict[str, Any]]]) -> Path:
    """Return a run with the mutation stage of a few problems."""
    from flawed import seal_mutation  # loads every operator, which most tests need not

    return seal_mutation(tmp_path_factory.mktemp("flawed") / "run", flawed)


@pytest.fixture(scope="module")
def server(serve: Callable[..., Server], flawed_run: Path) -> Server:
    """Return a server on the candidates of a few problems."""
    return serve("--run", str(flawed_run))


@dataclass(slots=True)
class Tabs:
    """Opens tabs, each in a browser profile of its own unless `beside` says otherwise, and collects what they complain of."""

    browser: "Browser"
    complaints: list[str] = field(default_factory=list)
    contexts: list[Any] = field(default_factory=list)

    def __call__(
        self, server: Server, reviewer: str, *, query: str = "", beside: "Tab | None" = None, **view: Any
    ) -> "Tab":
        """Open the app for a reviewer and wait for a candidate."""
        from reviewing import Tab  # needs playwright, which may be missing

        if beside is None:
            self.contexts.append(self.browser.new_context(**{"viewport": {"width": 1280, "height": 860}, **view}))
        context = self.contexts[-1] if beside is None else beside.page.context
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append(f"dialog {dialog.message}"), dialog.dismiss()))
        return Tab(page, server).open(reviewer, query)


@pytest.fixture(scope="module")
def tabs(browser: "Browser") -> Iterator[Tabs]:
    """Open tabs that are closed with the module."""
    opened = Tabs(browser)
    yield opened
    for context in opened.contexts:
        context.close()


@pytest.fixture(autouse=True)
def quiet(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test in which a script of a page threw, or a dialog opened."""
    yield
    if "tabs" in request.fixturenames:
        complaints = request.getfixturevalue("tabs").complaints
        said, complaints[:] = list(complaints), []
        assert said == []
