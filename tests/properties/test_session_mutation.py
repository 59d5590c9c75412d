"""Tests of mutation sessions: the same flawed solutions each time, sealed and resumable, on any records."""

from collections import Counter
from pathlib import Path

import pytest

from oracle_factory.command import main as recheck
from tests.properties.session_process import (
    InputFiles,
    Record,
    SessionOutcome,
    SessionTerminal,
    template_record,
    write_inputs,
)

SEALED_FILES = [
    "computational.jsonl",
    "conceptual.jsonl",
    "discarded.jsonl",
    "manifest.json",
    "problems.jsonl",
    "verdicts.jsonl",
]
FIELDS = {"problem_id", "question", "solution", "flawed_solution", "label", "certificate", "operator", "needs_edit"}
KINDS = ("computational", "conceptual")


def problem(number: int, solution: str, gold: str, question: str = "12 boxes of 6 pens; 10 are given away?") -> Record:
    """Return a problem of the corpus."""
    return {"problem_id": f"p-{number}", "question": question, "answer": f"{solution}\n#### {gold}"}


PENS = "boxes = 12 # 12 boxes; pens = 6 # 6 pens; total = boxes * pens"
GIVEN = "given = 10 # 10; left = total - given"
FIRST = ("{boxes}*{pens} = <<{boxes}*{pens}={total}>>{total} pens", "12*6 = <<12*6=72>>72 pens")
SECOND = ("So {total}-{given} = <<{total}-{given}={left}>>{left} left", "So 72-10 = <<72-10=62>>62 left")
GOOD = f"{FIRST[1]}\n{SECOND[1]}"
PROBLEMS: tuple[Record, ...] = (
    problem(1, GOOD, "62"),
    problem(2, "5+6 = <<5+6=11>>11\n11*3 = <<11*3=33>>33", "33", "5 red and 6 green, three times?"),
    problem(3, FIRST[1], "72"),
    problem(4, f"{GOOD} = 5 + 5", "62"),
    problem(5, GOOD, "61"),
    problem(6, "Other words\nfor it", "62"),
    problem(7, f"{FIRST[1]}\n\n{SECOND[1]}", "62"),
    problem(8, "Nobody says", "62"),
)
RESPONSES: tuple[Record, ...] = (
    template_record("p-1", (PENS, FIRST[0]), (GIVEN, SECOND[0])),
    template_record(
        "p-2",
        ("red = 5 # 5; green = 6 # 6; both = red + green", "{red}+{green} = <<{red}+{green}={both}>>{both}"),
        (
            "times = 3 # three times; all_of_them = both * times",
            "{both}*{times} = <<{both}*{times}={all_of_them}>>{all_of_them}",
        ),
    ),
    template_record("p-3", (PENS, FIRST[0])),
    template_record("p-4", (PENS, FIRST[0]), (GIVEN, f"{SECOND[0]} = 5 + 5")),
    template_record("p-5", (PENS, FIRST[0]), (GIVEN, SECOND[0])),
    template_record("p-6", (PENS, FIRST[0]), (GIVEN, SECOND[0])),
    template_record("p-7", (PENS, FIRST[0]), ("x = 1 # 1", ""), (GIVEN, SECOND[0])),
    {"problem_id": "p-8", "model": "oak", "response": "def solve(a: int = 62):\n    return a"},
)
UNFIT = {
    "p-3": "one step only",
    "p-4": "the solution itself states a false equation",
    "p-5": "not confirmed by UT-1",
    "p-6": "its steps do not give back the solution",
}


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> InputFiles:
    """Return two problems to make flaws of, and one of each kind that none are made of."""
    return write_inputs(tmp_path_factory.mktemp("given"), PROBLEMS, RESPONSES)


@pytest.fixture(scope="module")
def made(given: InputFiles, tmp_path_factory: pytest.TempPathFactory, embeddings_cache: Path) -> SessionOutcome:
    """Return the undisturbed session; tests leave it as it is."""
    return SessionTerminal(tmp_path_factory.mktemp("made"), embeddings_cache).run(given, "-m", "mutation")


def test_a_mutation_session_seals_its_stage(made: SessionOutcome) -> None:
    """With the documented files; nothing of one process is left, and the exit status is that of findings: none."""
    assert (sorted(made.files("mutation")), made.status, made.outcomes["error"]) == (SEALED_FILES, 0, 0)


@pytest.mark.parametrize("kind", KINDS)
def test_records_have_the_documented_fields(made: SessionOutcome, kind: str) -> None:
    """Of each kind some, each with a class of its file."""
    found = made.records(kind, "mutation")
    assert found
    assert all(record.keys() >= FIELDS for record in found)
    classes = {record["label"]["error_details"]["error_class"] for record in found}
    assert classes == {"computational_error"} if kind == "computational" else "computational_error" not in classes


@pytest.mark.parametrize("kind", KINDS)
def test_a_solver_confirms_sealed_files(made: SessionOutcome, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`oracle-factory recheck` has no objection."""
    assert recheck(["recheck", str(made.run / "mutation" / f"{kind}.jsonl")]) == 0
    assert "Traceback" not in capsys.readouterr().err


def test_unfit_templates_are_counted_by_class(made: SessionOutcome) -> None:
    """Unfit templates are counted by class, each with its reason, none of them an error."""
    reasons = {
        record["problem_id"]: record["reason"]
        for record in made.records("verdicts", "mutation")
        if record["method"] == "unfit"
    }
    assert {problem_id: reasons[problem_id].partition(":")[0] for problem_id in UNFIT} == UNFIT
    counts = made.manifest("mutation")["counts"]
    assert (counts["problems"], counts["sources"], sum(counts["unfit"].values())) == (8, {"none": 6, "oak": 2}, 6)
    assert counts["unfit"].items() >= dict(Counter(UNFIT.values())).items()
