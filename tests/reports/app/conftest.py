"""Fixtures of the review app tests: the server and the browser tabs."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.reports.app.reviewing import Server, Tabs, free_port
from tests.reports.stage_records import mutation_records, seal_stage


@pytest.fixture(autouse=True)
def _own_main() -> Iterator[None]:
    """Put back the main module, which Streamlit's test of a page replaces by its script: spawned processes would run that."""
    own = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = own


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
def flawed_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run with the mutation stage of a few problems."""
    return seal_stage(tmp_path_factory.mktemp("flawed") / "run", "mutation", mutation_records())


@pytest.fixture(scope="module")
def server(serve: Callable[..., Server], flawed_run: Path) -> Server:
    """Return a server on the candidates of a few problems."""
    return serve("--run", str(flawed_run))


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
