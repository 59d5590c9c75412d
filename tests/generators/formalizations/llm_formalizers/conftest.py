"""The server that the tests of `oracle-factory formalize` ask."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.generators.formalizations.llm_formalizers.formalizing_server import FormalizingServer


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FormalizingServer]:
    """Return a server that answers as the author alder did; the working folder is empty."""
    pytest.importorskip("openai", reason="asking models is optional")
    monkeypatch.chdir(tmp_path)
    with FormalizingServer() as found:
        for name, value in found.variables.items():
            monkeypatch.setenv(name, value)
        yield found
