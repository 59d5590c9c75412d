"""Tests of variant sessions: the same variants each time, sealed and resumable, without excluded problems."""

from pathlib import Path

import pytest

from harness.constraint_system import ProblemClass
from oracles.proofs.solvers import SolverName, open_solver
from tests.properties.session_process import (
    InputFiles,
    Record,
    SessionOutcome,
    SessionTerminal,
    template_record,
    write_inputs,
)

SEALED_FILES = ["discarded.jsonl", "manifest.json", "problems.jsonl", "variants.jsonl", "verdicts.jsonl"]
FIELDS = {
    *("variant_id", "problem_id", "model", "tier", "operator", "class_label", "twin_of", "question"),
    *(
        "modified_problem_text",
        "edits",
        "reasoning_trace",
        "system",
        "certificate",
        "core",
        "digest",
        "models",
        "provenance",
        "source",
        "solution",
        "gold",
    ),
}


def problem(problem_id: str, question: str, solution: str, gold: str) -> Record:
    """Return a problem of the corpus."""
    return {"problem_id": problem_id, "question": question, "answer": f"{solution}\n#### {gold}"}


PENS = "Ines packs 12 boxes with 6 pens in each box. Then she gives 10 pens to a school. How many pens does Ines have left?"
JARS = (
    "A cook fills 5 jars with red jam and 9 jars with plum jam. He sells each jar for $4. How much money does he get?"
)
PENS_LINES = (
    (
        "boxes = 12 # 12 boxes; each = 6 # 6 pens in each box; packed = boxes * each",
        "Ines packs {boxes}*{each} = <<{boxes}*{each}={packed}>>{packed} pens.",
    ),
    (
        "given = 10 # gives 10 pens to a school; left = packed - given",
        "She has {packed}-{given} = <<{packed}-{given}={left}>>{left} pens left.",
    ),
)
PENS_SOLUTION = "Ines packs 12*6 = <<12*6=72>>72 pens.\nShe has 72-10 = <<72-10=62>>62 pens left."
JARS_LINES = (
    (
        "red = 5 # 5 jars with red jam; plum = 9 # 9 jars with plum jam; jars = red + plum",
        "He fills {red}+{plum} = <<{red}+{plum}={jars}>>{jars} jars.",
    ),
    ("price = 4 # $4; money = jars * price", "He gets {jars}*{price} = $<<{jars}*{price}={money}>>{money}."),
)
JARS_SOLUTION = "He fills 5+9 = <<5+9=14>>14 jars.\nHe gets 14*4 = $<<14*4=56>>56."
HUGE = tuple((f"a{place} = {place} # {place}; b{place} = a{place} + 1", "") for place in range(150))
PROBLEMS: tuple[Record, ...] = (
    problem("p-1", PENS, PENS_SOLUTION, "62"),
    problem("p-2", JARS, JARS_SOLUTION, "56"),
    problem("p-3", f"Reserved. {PENS}", PENS_SOLUTION, "62"),
    problem("p-4", f"Wrong. {PENS}", PENS_SOLUTION, "61"),
    problem("p-5", f"{PENS} {'<script>alert(1)</script>' * 400}", PENS_SOLUTION, "62"),
    problem("p-6", f"\u202e\x1b[31m</script> {PENS}", PENS_SOLUTION, "62"),
    problem("p-7", PENS.replace("12", "4,000"), PENS_SOLUTION, "62"),
)
RESPONSES: tuple[Record, ...] = (
    template_record("p-1", *PENS_LINES, model="yew"),
    {**template_record("p-1", *PENS_LINES), "model": "elm"},
    template_record("p-2", *JARS_LINES),
    *(template_record(f"p-{number}", *PENS_LINES) for number in (3, 4, 5, 6)),
    template_record("p-7", *HUGE),
)
EXCLUDED = "p-3"


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> InputFiles:
    """Return problems to make variants of, one that is excluded, and some that none are made of."""
    inputs = write_inputs(tmp_path_factory.mktemp("given"), PROBLEMS, RESPONSES)
    (inputs.corpus.parent / "reserved.json").write_text("[2]")
    return inputs


def variants(given: InputFiles, terminal: SessionTerminal, *options: str) -> SessionOutcome:
    """Run the stage on the problems that are not excluded."""
    exclusion = f"--harness-exclude={given.corpus.parent / 'reserved.json'}"
    return terminal.run(given, exclusion, "-m", "variant", *options)


@pytest.fixture(scope="module")
def made(given: InputFiles, tmp_path_factory: pytest.TempPathFactory, embeddings_cache: Path) -> SessionOutcome:
    """Return the undisturbed session; tests leave it as it is."""
    return variants(given, SessionTerminal(tmp_path_factory.mktemp("made"), embeddings_cache), "-rA")


def test_a_variant_session_seals_its_stage(made: SessionOutcome) -> None:
    """With the documented files and fields; no claim fails, and nothing of one process is left."""
    assert (sorted(made.files("variant")), made.status, made.outcomes["failed"]) == (SEALED_FILES, 0, 0), made.output
    assert all(record.keys() == FIELDS for record in made.records("variants", "variant"))


def test_variants_of_every_class_are_made(made: SessionOutcome) -> None:
    """Of each class some, of the first template by name that gives back its solution."""
    assert {record["class_label"] for record in made.records("variants", "variant")} == set(map(int, ProblemClass))
    assert {record["model"] for record in made.records("variants", "variant") if record["problem_id"] == "p-1"} == {
        "elm"
    }


def test_every_certificate_holds(made: SessionOutcome) -> None:
    """A solver that knows the script alone answers what the record expects."""
    solver = open_solver(SolverName.CVC5)
    scripts = [record["certificate"] for record in made.records("variants", "variant")]
    assert [script for script in scripts if solver.decide(script["smtlib"]) != (script["expect"],)] == []


def test_unfit_problems_are_counted_by_class(made: SessionOutcome) -> None:
    """A wrong answer, an endless question and an enormous template give nothing; none of them is an error."""
    reasons = {
        record["problem_id"]: record["reason"]
        for record in made.records("verdicts", "variant")
        if record["method"] == "unfit"
    }
    assert reasons.keys() == {"p-4", "p-5", "p-7"}
    assert reasons["p-5"].startswith("too large")
    assert sum(made.manifest("variant")["counts"]["unfit"].values()) == 3


def test_hostile_questions_reach_no_terminal(made: SessionOutcome) -> None:
    """What a question holds is shown as text."""
    assert any(record["problem_id"] == "p-6" for record in made.records("variants", "variant"))
    assert not {"\x1b", "\u202e"}.intersection(made.output)


def test_an_excluded_problem_is_used_by_nothing(made: SessionOutcome) -> None:
    """No file names it; the manifest names the list, its hash and how many it keeps out."""
    assert [name for name, content in made.files("variant").items() if EXCLUDED.encode() in content] == []
    excluded = made.manifest("variant")["excluded"]
    assert (excluded["file"], excluded["problems"], len(excluded["sha256"])) == ("reserved.json", 1, 64)


def test_an_excluded_problem_cannot_be_asked_for(given: InputFiles, terminal: SessionTerminal) -> None:
    """Naming it by `--harness-problems` ends the session with status 4 and one message, whatever the stage."""
    ended = variants(given, terminal, f"--harness-problems={EXCLUDED}", "-m", "template or variant")
    assert (ended.status, ended.output.count("--harness-exclude removes this problem")) == (4, 1), ended.output
    assert "Traceback" not in ended.output
