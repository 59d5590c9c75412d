"""The run of `oracle-factory run` that tests of the factory look at and leave as it is."""

from pathlib import Path

import pytest

from tests.properties.factory.factory_process import FactoryOutcome, FactoryTerminal


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, embeddings_cache: Path) -> FactoryOutcome:
    """Return a run that nothing disturbed."""
    outcome = FactoryTerminal(tmp_path_factory.mktemp("undisturbed"), embeddings_cache).run()
    assert outcome.status == 0, outcome.stderr
    return outcome
