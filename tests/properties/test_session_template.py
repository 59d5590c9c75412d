"""Tests of template sessions: sealed, resumable and deterministic, on any records."""

import json
from pathlib import Path

import pytest

from tests.properties.session_process import InputFiles, Record, SessionOutcome, SessionTerminal, write_inputs

SEALED_FILES = ["manifest.json", "problems.jsonl", "tiers.jsonl", "traces.jsonl", "verdicts.jsonl"]

PROBLEMS: tuple[Record, ...] = (
    {"problem_id": "p-1", "tier": 1, "question": "3 bags of 4 apples?", "answer": "3*4=<<3*4=12>>12\n#### 12"},
    {"problem_id": "p-2", "tier": 2, "question": "Half of 18?", "answer": "18/2=<<18/2=9>>9\n#### 9"},
    {"problem_id": "p-3", "question": "2 and 3?", "answer": "Nobody says."},
    {"problem_id": "p-4", "question": "8 less 1?", "answer": "<<8-1=7>>7 and <<7-0=7>>7\n#### 7"},
)


def template(left: str, sign: str, right: str, wording: str) -> str:
    """Return a template of one line."""
    body = f"def solve():\n    # L1\n    a = {left} # {left}\n    b = {right} # {right}\n    c = a {sign} b\n    # FA\n    answer = c\n    return answer"
    step = {
        "line_number": "L1",
        "question_inputs": ["a", "b"],
        "WK_inputs": [],
        "output_variable": "c",
        "solution_line_template": wording,
    }
    return json.dumps({"function_code": body, "logical_steps": [step]})


RIGHT = template("3", "*", "4", "{a}*{b}=<<{a}*{b}={c}>>{c}")
RESPONSES: tuple[Record, ...] = (
    {"problem_id": "p-1", "model": "birch", "response": RIGHT},
    {
        "problem_id": "p-1",
        "model": "oak",
        "response": "def solve(bags: int = 3, apples: int = 4):\n    return bags * apples",
    },
    {"problem_id": "p-1", "model": "yew", "response": template("3", "*", "5", "{a}*{b}={c}")},
    {"problem_id": "p-2", "model": "birch", "response": template("18", "/", "2", "{a}/{b}=<<{a}/{b}={c}>>{c}")},
)


def ut1(ended: SessionOutcome, model: str) -> dict[str, str | None]:
    """Return the reasons of a model's UT-1 verdicts by problem."""
    return {key[0]: verdict["reason"] for key, verdict in ended.verdicts("ut1").items() if key[1] == model}


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> InputFiles:
    """Return a corpus of four problems with three templates."""
    return write_inputs(tmp_path_factory.mktemp("given"), PROBLEMS, RESPONSES)


@pytest.fixture(scope="module")
def templates(given: InputFiles, tmp_path_factory: pytest.TempPathFactory, embeddings_cache: Path) -> SessionOutcome:
    """Return the undisturbed session on the templates; tests leave it as it is."""
    return SessionTerminal(tmp_path_factory.mktemp("templates"), embeddings_cache).run(given, "-m", "template")


def test_a_template_session_seals_its_stage(templates: SessionOutcome) -> None:
    """With the documented files, and no other stage."""
    assert (sorted(templates.files("template")), (templates.run / "formalization").exists()) == (SEALED_FILES, False)


def test_findings_fail_and_all_else_passes(templates: SessionOutcome) -> None:
    """The wrong template fails three claims; the exit status is that of findings."""
    refuted = {
        (record["left"], record["claim"])
        for record in templates.records("verdicts", "template")
        if record["status"] == "REFUTED"
    }
    assert (templates.status, templates.outcomes, refuted) == (
        1,
        {"failed": 3, "passed": 12},
        {("yew", "answer"), ("yew", "structure"), ("yew", "provenance")},
    )


def test_every_template_that_is_read_leaves_its_trace(templates: SessionOutcome) -> None:
    """Every template that is read has a trace, in the order of problem and model."""
    found = [
        (record["problem_id"], record["model"], record["answer"]) for record in templates.records("traces", "template")
    ]
    assert found == [("p-1", "birch", "12"), ("p-1", "yew", "15"), ("p-2", "birch", "9")]


def test_tiers_stand_beside_what_is_published(templates: SessionOutcome) -> None:
    """For the problems that have templates."""
    assert templates.records("tiers", "template") == [
        {"problem_id": "p-1", "tier": 1, "published": 1},
        {"problem_id": "p-2", "tier": 3, "published": 2},
    ]


@pytest.fixture(scope="module")
def annotated(given: InputFiles, tmp_path_factory: pytest.TempPathFactory, embeddings_cache: Path) -> SessionOutcome:
    """Return a session on what annotations alone say of the four problems."""
    inputs = InputFiles(given.corpus, Path("annotation"))
    terminal = SessionTerminal(tmp_path_factory.mktemp("annotated"), embeddings_cache)
    return terminal.run(inputs, "-m", "formalization or template")


def test_an_annotation_refusal_is_a_finding_with_its_reason(annotated: SessionOutcome) -> None:
    """Named as the formalizer is, without a number."""
    reasons = ut1(annotated, "annotation")
    kinds = {problem_id: (reason or "").partition(":")[0] for problem_id, reason in reasons.items()}
    assert (kinds, annotated.status) == (
        {"p-1": "", "p-2": "", "p-3": "no-annotation", "p-4": "several-annotations"},
        1,
    )
