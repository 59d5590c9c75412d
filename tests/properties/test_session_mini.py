"""Tests of the formalization stage on the bundled corpus: every verdict equals the one that its authors expect.

A pool judges it, which seals what a session seals (`factory/test_engines.py`) and takes no item for each claim.
"""

import itertools
import json
from pathlib import Path

import pytest

from harness.stages import FORMALIZATION
from properties.engine.engines import LocalPool
from properties.factory.factory_run import judge_and_seal, opened_inputs
from properties.factory.options import FactoryOptions
from tests.properties.session_process import ROOT, Record, SessionOutcome

EXPECTED: list[Record] = [
    json.loads(line) for line in (ROOT / "tests" / "expected" / "mini.jsonl").read_bytes().splitlines()
]
BUNDLED = ROOT / "corpora" / "mini" / "formalizations.jsonl"
SMALLER = {
    "mini-027": ["birch", "cedar", "dogwood"],
    "mini-036": ["birch", "cedar", "dogwood"],
    "mini-034": ["alder", "cedar"],
    "mini-040": ["birch", "cedar"],
}
"""Cliques without a right one: it takes other facts as given (an input of 3 and one of 2 for two thirds, 100 for a percentage), or digits of floats decide."""
SLICE = 8
"""So many problems are judged by `make test`, which judges the whole corpus once more in its first line."""


@pytest.mark.parametrize("count", [SLICE, pytest.param(len(EXPECTED), marks=pytest.mark.slow)])
def test_the_bundled_corpus_is_judged_as_expected(
    count: int, tmp_path: Path, embeddings_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every clique is exactly the right formalizations, but for the `SMALLER` ones, and the oracle one of them.

    UT-1 confirms the right ones, and of the wrong ones those whose number happens to be right; UT-3 confirms every pair of a clique,
    refutes none of right ones, and confirms none of a right and a wrong one.
    """
    monkeypatch.setenv("ORACLE_FACTORY_CACHE", str(embeddings_cache))
    options = FactoryOptions(corpus="mini", answers=[str(BUNDLED)], out=tmp_path / "mini", problems=f"0:{count}")
    judge_and_seal(FORMALIZATION, opened_inputs(options), LocalPool(1), quiet=True)
    sealed, expected = SessionOutcome(0, "", tmp_path), {record["problem_id"]: record for record in EXPECTED[:count]}
    right = {problem_id: record["right"] for problem_id, record in expected.items()}
    cliques = right | {problem_id: SMALLER[problem_id] for problem_id in right.keys() & SMALLER}
    assert {record["problem_id"]: record["clique"] for record in sealed.records("consensus")} == cliques
    oracles = {record["problem_id"]: record["model"] for record in sealed.records("oracles")}
    assert [problem_id for problem_id, own in cliques.items() if oracles.get(problem_id) not in own] == []
    screened = {(problem_id, model): "CONFIRMED" for problem_id, own in right.items() for model in own}
    screened |= {
        (problem_id, wrong["model"]): wrong["ut1"]
        for problem_id, record in expected.items()
        for wrong in record["wrong"]
    }
    assert {key: verdict["status"] for key, verdict in sealed.verdicts("ut1").items()} == screened
    compared = {key: verdict["status"] for key, verdict in sealed.verdicts("ut3").items()}
    confirmed = {key for key, status in compared.items() if status == "CONFIRMED"}
    within, alike = (
        {(name, *pair) for name, own in sides.items() for pair in itertools.combinations(own, 2)}
        for sides in (cliques, right)
    )
    assert within <= confirmed
    assert [key for key in alike if compared[key] == "REFUTED"] == []
    assert [key for key in confirmed if len({key[1], key[2]} & set(right[key[0]])) == 1] == []
