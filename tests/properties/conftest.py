"""Fixtures of the suite tests: real sessions on a corpus of six problems."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from oracles.alignment.embeddings import embeddings_folder
from tests.properties.session_process import (
    TINY_PROBLEMS,
    TINY_RESPONSES,
    InputFiles,
    SessionOutcome,
    SessionTerminal,
    write_inputs,
)
from tests.properties.shared_outcomes import shared_folder, shared_outcome


@pytest.fixture(scope="session")
def embeddings_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of embeddings that all sessions share, so that texts are encoded once.

    It begins with what the project's own runs have encoded, such as the bundled corpus in `make test`.
    """
    folder = shared_folder(tmp_path_factory, "embeddings-cache")
    known = embeddings_folder()
    for path in known.glob("*.npz"):
        target = folder / known.parent.name / known.name / path.name
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            # Sessions beside this one read the folder: a file must appear whole.
            shutil.copyfile(path, tmp_path_factory.mktemp("embeddings") / path.name).rename(target)
    return folder


@pytest.fixture
def terminal(tmp_path: Path, embeddings_cache: Path) -> SessionTerminal:
    """Return where a test starts its sessions."""
    return SessionTerminal(tmp_path, embeddings_cache)


@pytest.fixture
def cold_terminal(tmp_path: Path) -> SessionTerminal:
    """Return a terminal whose sessions have to encode every text themselves."""
    return SessionTerminal(tmp_path, tmp_path / "cold-cache")


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> InputFiles:
    """Return the corpus of six problems and its formalizations, for sessions of the formalization stage."""

    def made(folder: Path) -> InputFiles:
        return replace(write_inputs(folder, TINY_PROBLEMS, TINY_RESPONSES), marker="formalization")

    return shared_outcome(tmp_path_factory, "tiny", made)


@pytest.fixture(scope="session")
def judged(tmp_path_factory: pytest.TempPathFactory, embeddings_cache: Path, tiny: InputFiles) -> SessionOutcome:
    """Return the undisturbed session on the six problems that others are compared with; tests leave it as it is."""

    def made(folder: Path) -> SessionOutcome:
        return SessionTerminal(folder, embeddings_cache).run(tiny, "-rA")

    return shared_outcome(tmp_path_factory, "judged", made)
