"""Tests of what sessions seal: the documented files and fields, of labels, templates, flaws and variants alike, on any records."""

from collections import Counter
from pathlib import Path

import pytest

from harness.constraint_system import ProblemClass
from oracle_factory.command import main
from oracles.proofs.solvers import SolverName, open_solver
from tests.cases import rows, texts
from tests.properties import stage_inputs
from tests.properties.session_process import InputFiles, SessionOutcome, SessionTerminal, write_inputs

MADE = ["discarded.jsonl", "manifest.json", "problems.jsonl", "verdicts.jsonl"]
SEALED_FILES = {
    "label": ["flagged.jsonl", "manifest.json", "verdicts.jsonl"],
    "mutation": sorted([*MADE, "computational.jsonl", "conceptual.jsonl"]),
    "template": ["manifest.json", "problems.jsonl", "tiers.jsonl", "traces.jsonl", "verdicts.jsonl"],
    "variant": sorted([*MADE, "variants.jsonl"]),
}
FLAW_FIELDS = {
    *texts("""problem_id | question | solution | flawed_solution | label | certificate | operator | needs_edit""")
}
VARIANT_FIELDS = {
    *("variant_id", "problem_id", "model", "tier", "operator", "class_label", "twin_of", "question"),
    *("modified_problem_text", "edits", "reasoning_trace", "system", "certificate", "core", "digest", "models"),
    *("provenance", "source", "solution", "gold"),
}
UNFIT_FLAWS = {
    "p-3": "one step only",
    "p-4": "the solution itself states a false equation",
    "p-5": "not confirmed by UT-1",
    "p-6": "its steps do not give back the solution",
}
EXCLUDED = "p-3"
Sessions = dict[str, SessionOutcome]


@pytest.fixture(scope="module")
def reserved(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """Return the options of a session on all problems with variants but one, which is excluded."""
    folder = tmp_path_factory.mktemp("reserved")
    inputs = write_inputs(folder, stage_inputs.VARIANT_PROBLEMS, stage_inputs.VARIANT_RESPONSES)
    (folder / "reserved.json").write_text("[2]")
    return *inputs.options, f"--harness-exclude={folder / 'reserved.json'}"


@pytest.fixture(scope="module")
def sessions(reserved: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory, embeddings_cache: Path) -> Sessions:
    """Return undisturbed sessions by stage, one on annotations and one that asks for what is excluded, in one process; tests leave them as they are."""
    folder = tmp_path_factory.mktemp("sessions")
    options = {
        stage: stage_inputs.OPTIONS[stage](tmp_path_factory.mktemp(stage))
        for stage in ("label", "mutation", "template")
    }
    options["variant"] = reserved
    given = {stage: (*own, "-m", stage, "-rA", "properties") for stage, own in options.items()}
    corpus = write_inputs(tmp_path_factory.mktemp("annotated"), stage_inputs.TEMPLATE_PROBLEMS, ()).corpus
    annotated = InputFiles(corpus, Path("annotation"), "formalization or template")
    given["annotation"] = (*annotated.options, "properties")
    given["excluded"] = (*reserved, f"--harness-problems={EXCLUDED}", "-m", "template or variant", "properties")
    return SessionTerminal(folder, embeddings_cache).run_in_turn(given)


def unfit(made: SessionOutcome, stage: str) -> dict[str, str]:
    """Return by problem why nothing was made of it."""
    return {
        record["problem_id"]: record["reason"]
        for record in made.records("verdicts", stage)
        if record["method"] == "unfit"
    }


@pytest.mark.parametrize("stage", SEALED_FILES)
def test_a_session_seals_its_stage(stage: str, sessions: Sessions) -> None:
    """With the documented files and no other stage; nothing of one process is left, and the status is that of findings."""
    made = sessions[stage]
    folders = [path.name for path in made.run.iterdir() if path.is_dir() and path.name != "report"]
    assert (sorted(made.files(stage)), folders) == (SEALED_FILES[stage], [stage])
    assert (made.status, made.outcomes["error"]) == (int(stage in {"label", "template"}), 0), made.output


def test_each_labelled_record_is_judged(sessions: Sessions) -> None:
    """Without a formalization, one test a record; a broken line is a finding; the manifest counts by file and cause."""
    audited = sessions["label"]
    verdicts = audited.records("verdicts", "label")
    assert audited.outcomes == {"passed": 3, "failed": 2, "xfailed": 1}
    assert [(verdict["problem_id"], verdict["left"], verdict["status"]) for verdict in verdicts] == rows("""other → six#5 → CONFIRMED | p-1 → six#0 → CONFIRMED | p-1 → six#1 → REFUTED | p-1 → six#2 → UNKNOWN
p-1 → six#4 → CONFIRMED | six#3 → six#3 → REFUTED""")
    assert audited.manifest("label")["counts"] == {
        "records": 6,
        "rejected": 1,
        "files": {"six": {"CONFIRMED": 3, "REFUTED": 2, "UNKNOWN": 1}},
        "causes": {"six": {"label-on-another-line": 1, "malformed-record": 1, "nothing-checked": 1}},
    }


def test_templates_leave_traces_and_tiers(sessions: Sessions) -> None:
    """A wrong template fails three claims; every template that is read has a trace, every problem with one its tiers."""
    templates = sessions["template"]
    verdicts = templates.records("verdicts", "template")
    refuted = {(record["left"], record["claim"]) for record in verdicts if record["status"] == "REFUTED"}
    assert templates.outcomes == {"failed": 3, "passed": 12}
    assert refuted == {("yew", "answer"), ("yew", "structure"), ("yew", "provenance")}
    traces = templates.records("traces", "template")
    assert [(trace["problem_id"], trace["model"], trace["answer"]) for trace in traces] == [
        ("p-1", "birch", "12"),
        ("p-1", "yew", "15"),
        ("p-2", "birch", "9"),
    ]
    assert templates.records("tiers", "template") == [
        {"problem_id": "p-1", "tier": 1, "published": 1},
        {"problem_id": "p-2", "tier": 3, "published": 2},
    ]


def test_an_annotation_refusal_is_a_finding_with_its_reason(sessions: Sessions) -> None:
    """Named as the formalizer is, without a number."""
    annotated = sessions["annotation"]
    reasons = {
        key[0]: (verdict["reason"] or "").partition(":")[0] for key, verdict in annotated.verdicts("ut1").items()
    }
    expected = {"p-1": "", "p-2": "", "p-3": "no-annotation", "p-4": "several-annotations"}
    assert (reasons, annotated.status) == (expected, 1)


@pytest.mark.parametrize("kind", ["computational", "conceptual"])
def test_flaws_are_of_their_file_and_confirmed(
    kind: str, sessions: Sessions, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of each kind some, with the documented fields and a class of its file; `oracle-factory recheck` has no objection."""
    found = sessions["mutation"].records(kind, "mutation")
    assert found
    assert all(record.keys() >= FLAW_FIELDS for record in found)
    classes = {record["label"]["error_details"]["error_class"] for record in found}
    assert classes == {"computational_error"} if kind == "computational" else "computational_error" not in classes
    assert main(["recheck", str(sessions["mutation"].run / "mutation" / f"{kind}.jsonl")]) == 0
    assert "Traceback" not in capsys.readouterr().err


def test_unfit_problems_are_counted_by_class(sessions: Sessions) -> None:
    """Each with its reason, none of them an error: no flaws of five kinds of templates; no variants of a wrong answer, an endless question, an enormous template."""
    flaws, variants = unfit(sessions["mutation"], "mutation"), unfit(sessions["variant"], "variant")
    assert {problem_id: flaws[problem_id].partition(":")[0] for problem_id in UNFIT_FLAWS} == UNFIT_FLAWS
    counts = sessions["mutation"].manifest("mutation")["counts"]
    assert (counts["problems"], counts["sources"], sum(counts["unfit"].values())) == (8, {"none": 6, "oak": 2}, 6)
    assert counts["unfit"].items() >= dict(Counter(UNFIT_FLAWS.values())).items()
    assert variants.keys() == {"p-4", "p-5", "p-7"}
    assert variants["p-5"].startswith("too large")
    assert sum(sessions["variant"].manifest("variant")["counts"]["unfit"].values()) == 3


def test_variants_of_every_class_are_made_and_proved(sessions: Sessions) -> None:
    """With the documented fields, of the first template by name; a solver that knows the script alone answers what each expects."""
    made = sessions["variant"].records("variants", "variant")
    assert all(record.keys() == VARIANT_FIELDS for record in made)
    assert {record["class_label"] for record in made} == set(map(int, ProblemClass))
    assert {record["model"] for record in made if record["problem_id"] == "p-1"} == {"elm"}
    solver = open_solver(SolverName.CVC5)
    scripts = [record["certificate"] for record in made]
    assert [script for script in scripts if solver.decide(script["smtlib"]) != (script["expect"],)] == []


def test_hostile_questions_reach_no_terminal(sessions: Sessions) -> None:
    """What a question holds is shown as text."""
    assert any(record["problem_id"] == "p-6" for record in sessions["variant"].records("variants", "variant"))
    assert not {"\x1b", "\u202e"}.intersection(sessions["variant"].output)


def test_an_excluded_problem_is_used_by_nothing(sessions: Sessions) -> None:
    """No file names it; the manifest names the list, its hash and how many it keeps out; asking for it is a usage error."""
    made = sessions["variant"]
    assert [name for name, content in made.files("variant").items() if EXCLUDED.encode() in content] == []
    excluded = made.manifest("variant")["excluded"]
    assert (excluded["file"], excluded["problems"], len(excluded["sha256"])) == ("reserved.json", 1, 64)
    ended = sessions["excluded"]
    assert (ended.status, ended.output.count("--harness-exclude removes this problem")) == (4, 1), ended.output
    assert "Traceback" not in ended.output
