"""Tests of the formalization stage on the bundled corpus: every verdict equals the one that its authors expect.

A pool judges it, which seals what a session seals (`factory/test_engines.py`) and takes no item for each claim.
"""

import itertools
import json
from dataclasses import dataclass
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
SLICE = 16
"""So many problems are judged by `make test`, which judges the whole corpus once more in its first line."""

BUNDLED = ROOT / "corpora" / "mini" / "formalizations.jsonl"


@dataclass(frozen=True, slots=True)
class BundledRun:
    """What is sealed of problems of the bundled corpus, and what their authors expect of each."""

    outcome: SessionOutcome
    expected: list[Record]


@pytest.fixture(scope="module")
def mini(tmp_path_factory: pytest.TempPathFactory, embeddings_cache: Path) -> SessionOutcome:
    """Return what is sealed of the bundled corpus and the formalizations that come with it."""
    return _judged(tmp_path_factory.mktemp("runs"), embeddings_cache, None)


@pytest.fixture(scope="module", params=["slice", pytest.param("mini", marks=pytest.mark.slow)])
def bundled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, embeddings_cache: Path
) -> BundledRun:
    """Return the same with what is expected of it: of the first problems, and of all of them."""
    if request.param == "mini":
        return BundledRun(request.getfixturevalue("mini"), EXPECTED)
    return BundledRun(_judged(tmp_path_factory.mktemp("slice"), embeddings_cache, SLICE), EXPECTED[:SLICE])


def _judged(runs: Path, embeddings_cache: Path, count: int | None) -> SessionOutcome:
    """Judge the bundled formalizations of so many problems, of all if `None`."""
    problems = None if count is None else f"0:{count}"
    options = FactoryOptions(corpus="mini", answers=[str(BUNDLED)], out=runs / "mini", problems=problems)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ORACLE_FACTORY_CACHE", str(embeddings_cache))
        judge_and_seal(FORMALIZATION, opened_inputs(options), LocalPool(1), quiet=True)
    return SessionOutcome(0, "", runs)


def test_cliques_are_the_right_formalizations(bundled: BundledRun) -> None:
    """Every problem's clique is exactly the set of right formalizations."""
    found = {record["problem_id"]: record["clique"] for record in bundled.outcome.records("consensus")}
    assert found == {record["problem_id"]: record["right"] for record in bundled.expected}


def test_oracles_are_right(bundled: BundledRun) -> None:
    """Every problem has an oracle, and it is a right formalization."""
    found = {record["problem_id"]: record["model"] for record in bundled.outcome.records("oracles")}
    assert [
        record["problem_id"] for record in bundled.expected if found.get(record["problem_id"]) not in record["right"]
    ] == []


def test_screening_is_as_stated(bundled: BundledRun) -> None:
    """UT-1 confirms every right formalization, and of the wrong ones those whose number happens to be right."""
    expected = {
        **{(record["problem_id"], model): "CONFIRMED" for record in bundled.expected for model in record["right"]},
        **{
            (record["problem_id"], wrong["model"]): wrong["ut1"]
            for record in bundled.expected
            for wrong in record["wrong"]
        },
    }
    assert {key: verdict["status"] for key, verdict in bundled.outcome.verdicts("ut1").items()} == expected


def test_right_pairs_are_confirmed(bundled: BundledRun) -> None:
    """UT-3 confirms every pair of right formalizations."""
    verdicts = bundled.outcome.verdicts("ut3")
    pairs = [
        (record["problem_id"], *pair)
        for record in bundled.expected
        for pair in itertools.combinations(record["right"], 2)
    ]
    assert [pair for pair in pairs if verdicts[pair]["status"] != "CONFIRMED"] == []


def test_wrong_is_never_confirmed_with_right(bundled: BundledRun) -> None:
    """UT-3 confirms no pair of a right and a wrong formalization."""
    right = {record["problem_id"]: set(record["right"]) for record in bundled.expected}
    confirmed = [key for key, verdict in bundled.outcome.verdicts("ut3").items() if verdict["status"] == "CONFIRMED"]
    assert [key for key in confirmed if len({key[1], key[2]} & right[key[0]]) == 1] == []
