"""Tests of what flaws and variants are made from: the oracle and the members of its clique, never what was refuted."""

import json
from pathlib import Path

import pytest

from harness.records.content_digest import content_digest
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
LATER = "mutation or variant"


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
    path = tmp_path_factory.mktemp("planted") / "planted.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in planted_templates()))
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


@pytest.fixture(scope="module")
def further(
    options: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory, embeddings_cache: Path
) -> dict[str, SessionOutcome]:
    """Return sessions of the later stages alone, on an earlier run, and with other thresholds; tests leave them as they are."""
    folder = tmp_path_factory.mktemp("further")
    terminal = SessionTerminal(folder, embeddings_cache)
    earlier, alone = f"--harness-run={folder / 'earlier'}", f"--harness-run={folder / 'alone'}"
    given = {
        "alone": ("-m", LATER, alone),
        "judged": ("-m", "formalization", earlier),
        "later": ("-m", LATER, earlier),
        "too unsure": ("-m", ALL, "--harness-min-confidence=1.25"),
        "nothing to choose": ("-m", LATER, "--harness-min-confidence=0.5"),
    }
    return terminal.run_in_turn({name: (*options, *more, "properties") for name, more in given.items()})


@pytest.fixture(scope="module")
def misused(
    options: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory, embeddings_cache: Path
) -> dict[str, SessionOutcome]:
    """Return sessions on runs that were made by another rule or are judged in part."""
    folder = tmp_path_factory.mktemp("misused")
    terminal = SessionTerminal(folder, embeddings_cache)
    earlier, begun = f"--harness-run={folder / 'earlier'}", f"--harness-run={folder / 'begun'}"
    alone = f"--harness-run={folder / 'alone'}"
    given = {
        "alone": ("-m", LATER, alone),
        "judged": ("-m", "formalization", earlier),
        "later": ("-m", LATER, earlier),
        "other thresholds": ("-m", LATER, earlier, "--harness-min-clique=2"),
        "judged in part": ("-m", "ut1", begun),
        "on a part": ("-m", LATER, begun),
        "judged after": ("-m", "formalization", alone),
        "made again": ("-m", LATER, alone),
    }
    return terminal.run_in_turn({name: (*options, *more, "properties") for name, more in given.items()})


def run_of(outcome: SessionOutcome, name: str) -> SessionOutcome:
    """Return a session's outcome with the run folder that several sessions share."""
    return SessionOutcome(outcome.status, outcome.output, outcome.runs.parent.parent / name)


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
        assert record["provenance"] == {
            "formalized": True,
            "oracle": oracle["model"],
            "clique_size": oracle["clique_size"],
            "confidence": oracle["confidence"],
            "p_right": oracle["p_right"],
        }
        assert 0 < oracle["p_right"] <= 1
        assert record["digest"] == content_digest(record)


@pytest.mark.slow
def test_without_verdicts_the_stage_says_so(
    sessions: dict[str, SessionOutcome], further: dict[str, SessionOutcome]
) -> None:
    """UT-1 alone takes the planted templates, which come first; records, manifest and terminal tell it."""
    outcome = run_of(further["alone"], "alone")
    made = [json.loads(line) for line in (outcome.runs / "mutation" / "conceptual.jsonl").read_bytes().splitlines()]
    assert {record["model"] for record in made if record["problem_id"] in WRONG} == {PLANTED}
    nothing = {"formalized": False, "oracle": None, "clique_size": None, "confidence": None, "p_right": None}
    assert all(record["provenance"] == nothing for record in made)
    manifest = json.loads((outcome.runs / "mutation" / "manifest.json").read_bytes())
    assert manifest["sources"] == {"formalized": False, "min_confidence": 0.0, "min_clique": 1}
    assert manifest["counts"]["standings"] == {"confirmed by UT-1": 3}
    assert "The run had no formalization stage" in outcome.output
    assert "The run had no formalization stage" not in sessions["at once"].output


@pytest.mark.slow
def test_a_later_session_makes_the_same(
    sessions: dict[str, SessionOutcome], further: dict[str, SessionOutcome]
) -> None:
    """On the sealed verdicts of an earlier one, byte for byte."""
    at_once, folder = sessions["at once"], run_of(further["later"], "earlier").runs
    for stage in DERIVED:
        files = at_once.files(stage)
        assert {name: (folder / stage / name).read_bytes() for name in files} == files


@pytest.mark.parametrize(
    ("session", "reason"),
    [
        ("too few", "is below --harness-min-clique 6"),
        pytest.param("too unsure", "is below --harness-min-confidence 1.25", marks=pytest.mark.slow),
    ],
)
def test_what_is_not_enough_is_unfit(
    sessions: dict[str, SessionOutcome], request: pytest.FixtureRequest, session: str, reason: str
) -> None:
    """A problem below a threshold gives nothing, with that reason; one that reaches it gives what it always gives."""
    outcome = (sessions if session in sessions else request.getfixturevalue("further"))[session]
    consensus = {record["problem_id"]: record for record in outcome.records("consensus")}
    enough = {
        problem_id
        for problem_id, record in consensus.items()
        if (record["clique_size"] >= 6 if session == "too few" else record["confidence"] >= 1.25)
    }
    for stage in DERIVED:
        reasons = {
            verdict["problem_id"]: verdict["reason"]
            for verdict in outcome.records("verdicts", stage)
            if verdict["method"] == "unfit"
        }
        assert reasons.keys() == consensus.keys() - enough
        assert reasons
        assert all(reason in found for found in reasons.values())
    assert derived(outcome) == [record for record in derived(sessions["at once"]) if record["problem_id"] in enough]


@pytest.mark.parametrize(
    ("session", "words"),
    [
        (
            "other thresholds",
            "was made from cliques of 1 and more, with a confidence of 0 and more, not from cliques of 2",
        ),
        ("on a part", "the formalization stage is unfinished"),
        ("made again", "was made without a formalization stage, not from cliques of 1"),
    ],
)
@pytest.mark.slow
def test_misuse_is_told_in_a_line(misused: dict[str, SessionOutcome], session: str, words: str) -> None:
    """Verdicts in part, and a stage made by another rule, end the session with status 4."""
    outcome = misused[session]
    assert (outcome.status, words in outcome.output, "Traceback" in outcome.output) == (4, True, False)


@pytest.mark.slow
def test_thresholds_without_verdicts_are_told_in_a_line(further: dict[str, SessionOutcome]) -> None:
    """Thresholds without verdicts end the session with status 4 and one line."""
    outcome = further["nothing to choose"]
    said = "the run has no formalization stage" in outcome.output
    assert (outcome.status, said, "Traceback" in outcome.output) == (4, True, False)


KILL = """
import os, pathlib, signal

HERE = pathlib.Path(os.environ["ORACLE_FACTORY_TEST_SESSION"])

def pytest_runtest_setup(item):
    if "mini-002" in item.name and "test_mutation" in item.nodeid and not (HERE / "killed").exists():
        (HERE / "killed").touch()
        os.killpg(0, signal.SIGKILL) if WHOLE else os._exit(9)
"""
LOSE = """
import pathlib

def pytest_runtest_setup(item):
    # What another process judged and has not written yet.
    if "test_mutation" in item.nodeid:
        for shard in pathlib.Path(RUN).glob("formalization/shards/*.jsonl"):
            kept = [line for line in shard.read_bytes().splitlines(keepends=True) if b'"ut3"' not in line]
            shard.write_bytes(b"".join(kept))
"""


REFUSE = """
from oracles.proofs.flaw_certificate import FlawCertifier, FlawNotCertified

def refuse(self, *_):
    raise FlawNotCertified("a test refuses it")

FlawCertifier.slip = refuse
"""


@pytest.mark.slow
def test_a_finding_on_an_earlier_run_is_reproduced(options: tuple[str, ...], terminal: SessionTerminal) -> None:
    """The shown command names the run, whose oracles decide what is made; it judges the claim again, not from the store."""
    run = terminal.folder / "a run"
    terminal.run(None, *options, f"--harness-run={run}", "-m", "formalization")
    (terminal.folder / "session_plugin.py").write_text(REFUSE)
    refusing = {"PYTEST_PLUGINS": "session_plugin"}
    given = (*options, f"--harness-run={run}", "-m", "mutation")
    found = terminal.run(None, *given, environment=refusing).output.splitlines()
    (shown,) = (line.removeprefix("reproduce one: ") for line in found if line.startswith("reproduce one: "))
    assert f"'--harness-run={run}'" in shown
    finding = next(line for line in found if line.startswith("test_mutation["))
    assert "a test refuses it" in finding
    sealed = {path: path.read_bytes() for path in sorted(run.rglob("*")) if path.is_file()}
    again = terminal.execute(["bash", "-c", shown], environment=refusing)
    assert (again.status, again.outcomes, finding in again.output) == (1, {"failed": 1}, True)
    mended = terminal.execute(["bash", "-c", shown])
    assert (mended.status, mended.outcomes) == (0, {"passed": 1})
    assert {path: path.read_bytes() for path in sorted(run.rglob("*")) if path.is_file()} == sealed


@pytest.mark.slow
def test_workers_make_the_same(
    options: tuple[str, ...], terminal: SessionTerminal, sessions: dict[str, SessionOutcome]
) -> None:
    """Two workers, each of which may need verdicts that the other has or nobody has yet."""
    outcome = terminal.run(None, *options, "-m", ALL, processes=2)
    for stage in ("formalization", "oracles", *DERIVED):
        assert outcome.files(stage) == sessions["at once"].files(stage)


@pytest.mark.slow
@pytest.mark.parametrize("whole", [True, False])
def test_a_killed_session_is_continued(
    options: tuple[str, ...],
    terminal: SessionTerminal,
    sessions: dict[str, SessionOutcome],
    whole: bool,  # a parameter
) -> None:
    """After a SIGKILL of the session or of one worker amid the flaws, with a verdict cut short, the same bytes are sealed."""
    killed = terminal.run(
        None, *options, "--harness-run=mine", "-m", ALL, processes=2, plugin=f"WHOLE = {whole}\n{KILL}"
    )
    for shard in (killed.run / "formalization").glob("shards/*.jsonl"):
        shard.write_bytes(shard.read_bytes()[:-40])
    outcome = terminal.run(None, *options, "--harness-run=mine", "-m", ALL)
    for stage in ("formalization", "oracles", *DERIVED):
        assert outcome.files(stage) == sessions["at once"].files(stage)


@pytest.mark.slow
def test_a_missing_verdict_is_judged_where_it_is_needed(
    options: tuple[str, ...], terminal: SessionTerminal, sessions: dict[str, SessionOutcome]
) -> None:
    """Verdicts that are not there yet when flaws are made are judged by the flaws' item, and kept: the same bytes."""
    run = terminal.folder / "lost"
    terminal.run(
        None, *options, f"--harness-run={run}", "-m", "formalization or mutation", plugin=f"RUN = {str(run)!r}\n{LOSE}"
    )
    undisturbed = sessions["at once"].files("mutation")
    assert {name: (run / "mutation" / name).read_bytes() for name in undisturbed} == undisturbed


@pytest.mark.slow
def test_misuse_is_told_by_workers_too(options: tuple[str, ...], terminal: SessionTerminal) -> None:
    """Thresholds without verdicts end a session with workers as they end one without: status 4, a line, no traceback."""
    outcome = terminal.run(None, *options, "-m", LATER, "--harness-min-clique=3", processes=2)
    told = outcome.output.count("the run has no formalization stage")
    assert (outcome.status, told > 0, "Traceback" in outcome.output) == (4, True, False)
