"""Sentence embeddings, cached on disk by the content of their text, and their cosine similarities."""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_SUFFIX = ".embeddings.npz"


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
                rows = {key.tobytes(): vector for key, vector in zip(keys, vectors, strict=True)}
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
