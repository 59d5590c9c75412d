"""The sentence encoder of a run: all-MiniLM-L6-v2 unless another model of sentence-transformers is chosen."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import importlib.util
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.paths import cache_folder
from oracles.alignment.minilm import MiniLM, batches, filled_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

ENCODER = "all-MiniLM-L6-v2"
"""The encoder that needs neither torch nor a network."""
BATCH = 16
"""Rows of every batch of another encoder: with more or fewer, some processors add in another order."""
LIBRARY = "sentence_transformers"
MODEL_FILES = ("modules.json", "config.json")
"""The folder of a model has one of these at least."""
HUB_OWNER = "sentence-transformers"
"""The owner on the hub of models that are named without one."""


class SentenceEncoder(Protocol):
    """A function from texts to vectors of length one."""

    def encode(self, texts: Sequence[str], *, all_cores: bool = True) -> NDArray[np.float32]:
        """Embed texts; shape (texts, width)."""


def open_encoder(name: str = ENCODER) -> SentenceEncoder:
    """Load an encoder by its name, or from its folder.

    Raises:
        HarnessError: it, or the library that it needs, is not there.
    """
    return MiniLM() if name == ENCODER else LibraryEncoder(name)


def embeddings_folder(name: str = ENCODER) -> Path:
    """Return the folder of the cache that holds the embeddings of an encoder."""
    return cache_folder() / "embeddings" / encoder_identity(name)


@functools.cache
def encoder_identity(name: str = ENCODER) -> str:
    """Return the identity of embeddings besides their text: the encoder, its precision and, for a folder, the content of its files.

    Raises:
        HarnessError: the encoder, or the library that it needs, is not there.
    """
    if name == ENCODER:
        return f"{ENCODER}-float32"
    problem = encoder_problem(name)
    if problem is not None:
        raise HarnessError(f"encoder {name!r}: {problem}")
    folder = Path(name)
    own = f"{folder.resolve().name}-{_content(folder)}" if folder.is_dir() else name.replace("/", "--")
    return f"{own}-{LIBRARY}-{importlib.metadata.version('sentence-transformers')}"


def encoder_problem(name: str) -> str | None:
    """Return why an encoder cannot be used, as far as that is known without loading it."""
    if name == ENCODER:
        return None
    no_name = Path(name).is_absolute() or name.startswith(".") or name.count("/") > 1 or not name.strip()
    if not name.strip() or (no_name and not _is_folder(name)):
        return f"no such folder; give the folder of a model, a name such as all-mpnet-base-v2, or {ENCODER}"
    if importlib.util.find_spec(LIBRARY) is None:
        return f"needs sentence-transformers; install it by: {runnable('make install-encoders')}"
    if _folder(name) is not None:
        return None
    if _is_folder(name):
        return f"the folder holds no model of {LIBRARY}: it has none of {', '.join(MODEL_FILES)}"
    fetched = name if "/" in name else f"{HUB_OWNER}/{name}"
    return (
        "no such folder, and no such model on this machine: a run fetches nothing; fetch it once by "
        f"{runnable(f'hf download {shlex.quote(fetched)}')}"
    )


def _folder(name: str) -> Path | None:
    """Return the folder of a model: its own, or that in the cache of the Hugging Face hub; `None` if it is in neither."""
    if _is_folder(name):
        return Path(name) if any((Path(name) / file).is_file() for file in MODEL_FILES) else None
    from huggingface_hub import try_to_load_from_cache  # comes with sentence-transformers

    for owned in [name] if "/" in name else [f"{HUB_OWNER}/{name}", name]:
        for file in MODEL_FILES:
            try:
                path = try_to_load_from_cache(owned, file)
            except ValueError:  # no name that the hub may have
                continue
            if isinstance(path, str):
                return Path(path).parent
    return None


def _is_folder(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except OSError:  # such as a name that is too long
        return False


def _content(folder: Path) -> str:
    digest = hashlib.blake2b(digest_size=6)
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{file.relative_to(folder)}\0{file.stat().st_size}\0".encode("utf-8", "surrogateescape"))
        with file.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "blake2b").digest())
    return digest.hexdigest()


class LibraryEncoder:
    """A model of sentence-transformers, from a folder or from the cache of the Hugging Face hub by its name.

    Raises:
        HarnessError: the library cannot load it.
    """

    def __init__(self, name: str) -> None:
        """Load it."""
        problem = encoder_problem(name)
        if problem is not None:
            raise HarnessError(f"encoder {name!r}: {problem}")
        import torch  # it takes seconds to import
        from sentence_transformers import SentenceTransformer  # as above

        self._torch = torch
        try:
            self._model = SentenceTransformer(str(_folder(name)), device="cpu", local_files_only=True)
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise HarnessError(f"encoder {name!r}: sentence-transformers cannot load it: {error}") from None

    def encode(self, texts: Sequence[str], *, all_cores: bool = True) -> NDArray[np.float32]:
        """Embed texts, as `MiniLM.encode` does: batches of texts of equally many tokens, each with as many rows."""
        self._torch.set_num_threads((os.cpu_count() or 1) if all_cores else 1)
        vectors = np.zeros((len(texts), self._model.get_embedding_dimension() or 0), dtype=np.float32)
        lengths = [len(self._model.tokenizer(text, truncation=True)["input_ids"]) for text in texts]
        for places in batches(lengths, BATCH):
            rows = [texts[place] for place in filled_up(places, BATCH)]
            encoded = self._model.encode(
                rows, batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
            )
            vectors[places] = encoded[: len(places)]
        return vectors
