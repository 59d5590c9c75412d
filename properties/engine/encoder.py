"""The embeddings of texts: missing ones are made in the process that asks for them, and kept on disk."""

import functools
import os
from collections.abc import Iterable
from pathlib import Path

from harness.errors import HarnessError
from oracles.alignment.embeddings import Embeddings
from oracles.alignment.minilm import MiniLM, embeddings_folder


@functools.cache
def _embeddings_of_process(folder: Path) -> Embeddings:
    embeddings = Embeddings(folder)
    embeddings.refresh()
    return embeddings


@functools.cache
def _encoder_of_process() -> MiniLM:
    # Threads of OpenMP that wait for each other awake take 30 times as long where other processes share the cores.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    return MiniLM()


def embed(texts: Iterable[str], *, alone: bool = False) -> Embeddings:
    """Return embeddings among which are those of the texts; a process that works `alone` makes missing ones on all cores.

    The encoder computes batches of texts of one length: many texts at once take a fraction of the time.

    Raises:
        HarnessError: the encoder cannot be used, or embeddings cannot be kept.
    """
    embeddings = _embeddings_of_process(embeddings_folder())
    wanted = set(texts)
    if embeddings.missing(wanted):
        embeddings.refresh()
    missing = embeddings.missing(wanted)
    if missing:
        try:
            # An embedding that cannot be stored is not worth its seconds.
            embeddings.folder.mkdir(parents=True, exist_ok=True)
            embeddings.add(missing, _encoder_of_process().encode(missing, all_cores=alone))
        except OSError as error:
            message = f"{embeddings.folder}: the embeddings of texts cannot be kept ({error.strerror or error})"
            raise HarnessError(message) from None
    return embeddings
