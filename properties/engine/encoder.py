"""The similarities of texts: missing embeddings are made in the process that compares them, and kept on disk."""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING

from harness.errors import HarnessError
from oracles.alignment.embeddings import Embeddings, Similarities
from oracles.alignment.encoder import SentenceEncoder, embeddings_folder, open_encoder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@functools.cache
def _embeddings_of_process(folder: Path) -> Embeddings:
    embeddings = Embeddings(folder)
    embeddings.refresh()
    return embeddings


@functools.cache
def _encoder_of_process(name: str) -> SentenceEncoder:
    # Threads of OpenMP that wait for each other awake take 30 times as long where other processes share the cores.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    return open_encoder(name)


def similarities(texts: Sequence[str], encoder: str) -> Similarities:
    """Return the similarities of texts by the encoder of that name.

    Raises:
        HarnessError: the encoder cannot be used, or embeddings cannot be kept.
    """
    embeddings = _embeddings_of_process(embeddings_folder(encoder))
    if embeddings.missing(texts):
        embeddings.refresh()
    missing = embeddings.missing(texts)
    if missing:
        try:
            # On one core: the other processes of the stage use the others.
            embeddings.add(missing, _encoder_of_process(encoder).encode(missing, waited_for=lambda: False))
        except OSError as error:
            message = f"{embeddings.folder}: the embeddings of texts cannot be kept ({error.strerror or error})"
            raise HarnessError(message) from None
    return embeddings.similarities(texts)
