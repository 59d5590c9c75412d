"""The run of `oracle-factory run` that tests of the factory look at and leave as it is."""

from pathlib import Path

import pytest

from tests.properties.factory.factory_process import FactoryOutcome, FactoryTerminal
from tests.properties.shared_outcomes import shared_outcome


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, embeddings_cache: Path) -> FactoryOutcome:
    """Return a run that nothing disturbed."""

    def made(folder: Path) -> FactoryOutcome:
        outcome = FactoryTerminal(folder, embeddings_cache).run()
        assert outcome.status == 0, outcome.stderr
        return outcome

    return shared_outcome(tmp_path_factory, "undisturbed", made)
