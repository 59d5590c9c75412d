"""Tests of what flaws and variants are made from: the oracle and the members of its clique, never what was refuted."""

import json
from pathlib import Path

import pytest

from harness.json_form import content_digest
from tests.json_lines import write_lines
from tests.properties.session_process import ROOT, Record, SessionOutcome, SessionTerminal

PLANTED = "aardvark"
"""A model whose name comes before all others."""
WRONG = {
    "mini-002": ("books_per_village * villages", "books_per_village * picture_books"),
    "mini-003": ("sticks_per_child * children", "boxes * children"),
}
"""By problem: an operand, and another one of the same value that means something else."""
DERIVED = {"mutation": ("computational", "conceptual"), "variant": ("variants",)}
ALL = "formalization or mutation or variant"


def planted_templates() -> list[Record]:
    """Return templates that give the gold answer and the lines of the solution, and compute something else for other inputs."""
    lines = (ROOT / "corpora" / "mini" / "formalizations.jsonl").read_text(encoding="utf-8").splitlines()
    own = {record["problem_id"]: record["response"] for record in map(json.loads, lines) if record["model"] == "birch"}
    assert all(right in own[problem_id] for problem_id, (right, _) in WRONG.items())
    return [
        {"problem_id": problem_id, "model": PLANTED, "response": own[problem_id].replace(right, wrong)}
        for problem_id, (right, wrong) in WRONG.items()
    ]


def derived(outcome: SessionOutcome) -> list[Record]:
    """Return the flaws and variants of a run."""
    return [record for stage, names in DERIVED.items() for name in names for record in outcome.records(name, stage)]


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """Return the options of a session on three bundled problems, of which two have a wrong template, too."""
    path = write_lines(tmp_path_factory.mktemp("planted") / "planted.jsonl", planted_templates())
    bundled = ROOT / "corpora" / "mini" / "formalizations.jsonl"
    return (
        f"--harness-formalizations={bundled}",
        f"--harness-formalizations={path}",
        "--harness-problems=mini-001,mini-002,mini-003",
        "--harness-gate=none",
    )


@pytest.fixture(scope="module")
def sessions(
    options: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory, embeddings_cache: Path
) -> dict[str, SessionOutcome]:
    """Return undisturbed sessions; tests leave them as they are."""
    terminal = SessionTerminal(tmp_path_factory.mktemp("sessions"), embeddings_cache)
    given = {"at once": ("-m", ALL), "too few": ("-m", ALL, "--harness-min-clique=6")}
    return terminal.run_in_turn({name: (*options, *more, "properties") for name, more in given.items()})


def test_a_refuted_template_is_no_source(sessions: dict[str, SessionOutcome]) -> None:
    """UT-1 confirms the planted templates and UT-3 refutes them: nothing is made from them, and something from others."""
    outcome = sessions["at once"]
    for problem_id in WRONG:
        assert outcome.verdicts("ut1")[problem_id, PLANTED]["status"] == "CONFIRMED"
        assert any(
            verdict["status"] == "REFUTED"
            for key, verdict in outcome.verdicts("ut3").items()
            if key[0] == problem_id and PLANTED in key
        )
    cliques = {record["problem_id"]: record["clique"] for record in outcome.records("consensus")}
    made = derived(outcome)
    assert {record["problem_id"] for record in made} == {"mini-001", *WRONG}
    assert all(record["model"] in cliques[record["problem_id"]] for record in made)
    assert PLANTED not in {record["model"] for record in made}


def test_records_say_what_their_source_rests_on(sessions: dict[str, SessionOutcome]) -> None:
    """The oracle, the size of its clique, its confidence and probability, as the sealed oracles have them."""
    outcome = sessions["at once"]
    oracles = {record["problem_id"]: record for record in outcome.records("oracles", "oracles")}
    for record in derived(outcome):
        oracle = oracles[record["problem_id"]]
        said = {name: oracle[name] for name in ("clique_size", "confidence", "p_right")}
        assert record["provenance"] == {"formalized": True, "oracle": oracle["model"], **said}
        assert 0 < oracle["p_right"] <= 1
        assert record["digest"] == content_digest(record)


def test_what_is_not_enough_is_unfit(sessions: dict[str, SessionOutcome]) -> None:
    """A problem below a threshold gives nothing, with that reason; one that reaches it gives what it always gives."""
    outcome = sessions["too few"]
    consensus = {record["problem_id"]: record for record in outcome.records("consensus")}
    enough = {problem_id for problem_id, record in consensus.items() if record["clique_size"] >= 6}
    for stage in DERIVED:
        reasons = {
            verdict["problem_id"]: verdict["reason"]
            for verdict in outcome.records("verdicts", stage)
            if verdict["method"] == "unfit"
        }
        assert reasons.keys() == consensus.keys() - enough
        assert reasons
        assert all("is below --harness-min-clique 6" in found for found in reasons.values())
    assert derived(outcome) == [record for record in derived(sessions["at once"]) if record["problem_id"] in enough]
