"""Tests of mutation sessions: the same flawed solutions each time, sealed and resumable, on any records."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from harness.json_form import read_record
from harness.records.mutation import FlawCertificateRecord
from oracle_factory.command import main as recheck
from oracles.certificates.flaw_certificate import FlawCertificate, refutation
from tests.properties.session_process import InputFiles, Record, SessionOutcome, SessionTerminal, write_inputs

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


def template(number: int, *lines: tuple[str, str], model: str = "oak") -> Record:
    """Return a template whose lines are code and wording; the last variable is the answer."""
    code, steps = ["def solve():"], []
    for place, (body, wording) in enumerate(lines, start=1):
        code += [f"    # L{place}", *(f"    {line}" for line in body.split("; "))]
        steps.append(
            {
                "line_number": f"L{place}",
                "question_inputs": [],
                "WK_inputs": [],
                "output_variable": body.split("; ")[-1].split(" = ")[0],
                "solution_line_template": wording,
            }
        )
    code += ["    # FA", f"    answer = {steps[-1]['output_variable']}", "    return answer"]
    response = json.dumps({"function_code": "\n".join(code), "logical_steps": steps})
    return {"problem_id": f"p-{number}", "model": model, "response": response}


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
    template(1, (PENS, FIRST[0]), (GIVEN, SECOND[0])),
    template(
        2,
        ("red = 5 # 5; green = 6 # 6; both = red + green", "{red}+{green} = <<{red}+{green}={both}>>{both}"),
        (
            "times = 3 # three times; all_of_them = both * times",
            "{both}*{times} = <<{both}*{times}={all_of_them}>>{all_of_them}",
        ),
    ),
    template(3, (PENS, FIRST[0])),
    template(4, (PENS, FIRST[0]), (GIVEN, f"{SECOND[0]} = 5 + 5")),
    template(5, (PENS, FIRST[0]), (GIVEN, SECOND[0])),
    template(6, (PENS, FIRST[0]), (GIVEN, SECOND[0])),
    template(7, (PENS, FIRST[0]), ("x = 1 # 1", ""), (GIVEN, SECOND[0])),
    {"problem_id": "p-8", "model": "oak", "response": "def solve(a: int = 62):\n    return a"},
)
UNFIT = {
    "p-3": "one step only",
    "p-4": "the solution itself states a false equation",
    "p-5": "its answer is not the gold answer as written",
    "p-6": "its steps do not give back the solution",
}
BROKEN = {
    "cut": str(RESPONSES[0]["response"])[:200],
    "huge": '{"function_code": "' + "x" * 1_100_000,
    "deep": '{"function_code": "a", "logical_steps": ' + "[" * 50_000,
    "cycle": template(1, ("a = b; b = a", "{a}"), ("c = a", "{c}"))["response"],
    "power": template(1, ("a = 9; b = a ** 9 ** 9", "{b}"), ("c = b", "{c}"))["response"],
    "markup": template(1, ("a = 1 # \u202e\x1b[31m</script>; b = a", "<script>alert(1)</script>{a}"))["response"],
}


def files(ended: SessionOutcome) -> dict[str, bytes]:
    """Return the content of every file of the stage."""
    folder = ended.run / "mutation"
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def records(ended: SessionOutcome, name: str) -> list[dict[str, Any]]:
    """Return the records of a file of the stage."""
    return [json.loads(line) for line in (ended.run / "mutation" / f"{name}.jsonl").read_bytes().splitlines()]


def manifest(ended: SessionOutcome) -> dict[str, Any]:
    """Return what the stage says of itself."""
    return json.loads((ended.run / "mutation" / "manifest.json").read_bytes())


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
    assert (sorted(files(made)), made.status, made.outcomes["error"]) == (SEALED_FILES, 0, 0)


@pytest.mark.parametrize("kind", KINDS)
def test_records_have_the_documented_fields(made: SessionOutcome, kind: str) -> None:
    """Of each kind some, each with a class of its file."""
    found = records(made, kind)
    assert found
    assert all(record.keys() >= FIELDS for record in found)
    classes = {record["label"]["error_details"]["error_class"] for record in found}
    assert classes == {"computational_error"} if kind == "computational" else "computational_error" not in classes


@pytest.mark.parametrize("kind", KINDS)
def test_every_certificate_holds(made: SessionOutcome, kind: str) -> None:
    """By exact evaluation of the record alone."""
    certificates = [
        FlawCertificate.of_record(read_record(FlawCertificateRecord, record["certificate"]))
        for record in records(made, kind)
    ]
    assert [refutation(one) for one in certificates if refutation(one)] == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_solver_confirms_sealed_files(made: SessionOutcome, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`oracle-factory recheck` has no objection."""
    assert recheck(["recheck", str(made.run / "mutation" / f"{kind}.jsonl")]) == 0
    assert "Traceback" not in capsys.readouterr().err


def test_unfit_templates_are_counted_by_class(made: SessionOutcome) -> None:
    """Each with its reason, none of them an error; what is no template is none of the problems."""
    reasons = {one["problem_id"]: one["reason"] for one in records(made, "verdicts") if one["method"] == "unfit"}
    assert {problem_id: reasons[problem_id].partition(":")[0] for problem_id in UNFIT} == UNFIT
    counts = manifest(made)["counts"]
    assert (counts["problems"], counts["sources"], sum(counts["unfit"].values())) == (7, {"none": 5, "oak": 2}, 5)
    assert counts["unfit"].items() >= dict(Counter(UNFIT.values())).items()


def test_counts_are_those_of_the_files(made: SessionOutcome) -> None:
    """By operator, type and stratum."""
    counts = manifest(made)["counts"]
    found = [record for kind in KINDS for record in records(made, kind)]
    assert counts["operators"] == dict(sorted(Counter(record["operator"] for record in found).items()))
    types = Counter(record["label"]["error_details"]["error_type"] for record in found)
    assert (counts["types"], sum(counts["strata"].values())) == (dict(sorted(types.items())), len(found))
    assert sum(counts["discarded"].values()) == len(records(made, "discarded"))


def test_flawed_solutions_are_told_apart(made: SessionOutcome) -> None:
    """No id and no text twice."""
    found = [record for kind in KINDS for record in records(made, kind)]
    assert len({record["flaw_id"] for record in found}) == len(found)
    assert len({(record["problem_id"], record["flawed_solution"]) for record in found}) == len(found)


@pytest.mark.slow
def test_workers_change_no_byte(given: InputFiles, terminal: SessionTerminal, made: SessionOutcome) -> None:
    """Two workers write what one process writes."""
    ended = terminal.run(given, "-m", "mutation", processes=2)
    assert (files(ended), ended.outcomes) == (files(made), made.outcomes)


REVERSE = """
def pytest_collection_modifyitems(items):
    items.reverse()
"""


@pytest.mark.slow
def test_order_changes_no_byte(given: InputFiles, terminal: SessionTerminal, made: SessionOutcome) -> None:
    """Last operator first."""
    assert files(terminal.run(given, "-m", "mutation", plugin=REVERSE)) == files(made)


@pytest.mark.slow
def test_the_order_of_inputs_changes_no_flawed_solution(
    terminal: SessionTerminal, made: SessionOutcome, tmp_path: Path
) -> None:
    """The corpus and the templates the other way round give the same."""
    inputs = write_inputs(tmp_path / "inputs", reversed(PROBLEMS), reversed(RESPONSES))
    ended = terminal.run(inputs, "-m", "mutation")
    assert [files(ended)[f"{kind}.jsonl"] for kind in KINDS] == [files(made)[f"{kind}.jsonl"] for kind in KINDS]


@pytest.mark.slow
def test_another_seed_changes_explanations_only(
    given: InputFiles, terminal: SessionTerminal, made: SessionOutcome
) -> None:
    """What is made is enumerated."""
    ended = terminal.run(given, "-m", "mutation", "--harness-seed=7")
    pairs = [pair for kind in KINDS for pair in zip(records(made, kind), records(ended, kind), strict=True)]
    assert any(one != other for one, other in pairs)
    for one, other in pairs:
        del one["label"]["error_details"]["explanation"], other["label"]["error_details"]["explanation"]
        assert one == other


KILL = """
import os, pathlib, signal

HERE = pathlib.Path(os.environ["ORACLE_FACTORY_TEST_SESSION"])

def pytest_runtest_setup(item):
    if "p-2" in item.name and "wrong_final_answer" in item.name and not (HERE / "killed").exists():
        (HERE / "killed").touch()
        os.killpg(0, signal.SIGKILL)
"""


@pytest.mark.slow
@pytest.mark.parametrize("cut", [0, 500])
def test_a_killed_session_is_continued(
    given: InputFiles, terminal: SessionTerminal, made: SessionOutcome, cut: int
) -> None:
    """After a SIGKILL, even amid a record, the next session of that run seals the same bytes."""
    options = ("--harness-run=mine", "-m", "mutation")
    killed = terminal.run(given, *options, plugin=KILL, processes=2)
    for shard in (killed.run / "mutation").glob("shards/bulk/*.jsonl"):
        if cut:
            shard.write_bytes(shard.read_bytes()[:-cut])
    for shard in (killed.run / "mutation").glob("shards/*.jsonl") if cut else ():
        kept = [line for line in shard.read_bytes().splitlines() if b"p-2" not in line]
        shard.write_bytes(b"".join(line + b"\n" for line in kept[: len(kept) // 2]))
    ended = terminal.run(given, *options)
    assert (killed.status < 0, files(ended) == files(made)) == (True, True)


@pytest.mark.slow
def test_a_part_is_continued(given: InputFiles, terminal: SessionTerminal, made: SessionOutcome) -> None:
    """`-k` makes one operator and seals nothing; the whole session adds the others and seals the same bytes."""
    options = ("--harness-run=mine", "-m", "mutation")
    part = terminal.run(given, *options, "-k", "operator_swap")
    assert ((part.run / "mutation" / "manifest.json").exists(), part.outcomes["error"]) == (False, 0)
    assert files(terminal.run(given, *options)) == files(made)


@pytest.mark.slow
def test_a_tampered_file_is_noticed(given: InputFiles, terminal: SessionTerminal) -> None:
    """A sealed file that was changed since is told by name, not used."""
    options = ("--harness-run=mine", "-m", "mutation")
    ended = terminal.run(given, *options)
    path = ended.run / "mutation" / "verdicts.jsonl"
    path.write_bytes(path.read_bytes().replace(b"CONFIRMED", b"REFUTED", 1))
    again = terminal.run(given, *options)
    assert ("verdicts.jsonl" in again.output, "Traceback" in again.output, again.status != 0) == (True, False, True)


def test_hostile_templates_are_unfit(terminal: SessionTerminal, tmp_path: Path) -> None:
    """Broken, endless, enormous or dressed up: each is counted, none crashes or reaches the terminal raw."""
    problems = [{**PROBLEMS[0], "problem_id": f"h-{name}"} for name in BROKEN]
    responses = [
        {"problem_id": f"h-{name}", "model": "m", "response": text, "dialect": "template"}
        for name, text in BROKEN.items()
    ]
    ended = terminal.run(write_inputs(tmp_path / "inputs", problems, responses), "-m", "mutation", "-rA")
    assert (ended.status, ended.outcomes["error"], ended.outcomes["failed"]) == (0, 0, 0)
    assert sum(manifest(ended)["counts"]["unfit"].values()) == len(BROKEN)
    assert not {"\x1b", "\u202e"}.intersection(ended.output)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [0, 2])
def test_no_template_is_misuse_that_names_the_way_out(
    tiny: InputFiles, terminal: SessionTerminal, processes: int
) -> None:
    """Formalizations without a template end the session with status 4 and one message."""
    ended = terminal.run(tiny, "-m", "mutation", processes=processes)
    assert (ended.status, "--harness-formalizations annotation" in ended.output, "Traceback" in ended.output) == (
        4,
        True,
        False,
    )


@pytest.mark.slow
def test_annotations_alone_give_flawed_solutions(given: InputFiles, terminal: SessionTerminal) -> None:
    """Where no model wrote a template, the compiler's is the source."""
    ended = terminal.run(InputFiles(given.corpus, Path("annotation")), "-m", "mutation")
    assert manifest(ended)["counts"]["sources"]["annotation"] >= 2
    assert {record["model"] for record in records(ended, "conceptual")} == {"annotation"}


@pytest.mark.slow
def test_the_first_fit_template_is_the_source(terminal: SessionTerminal, tmp_path: Path) -> None:
    """By name; an unfit one before it is passed over."""
    unfit = {
        **RESPONSES[4],
        "problem_id": "p-1",
        "model": "ash",
        "response": str(RESPONSES[0]["response"]).replace("12", "13"),
    }
    responses = [RESPONSES[0], {**RESPONSES[0], "model": "yew"}, unfit]
    ended = terminal.run(write_inputs(tmp_path / "inputs", PROBLEMS[:1], responses), "-m", "mutation")
    assert {record["model"] for record in records(ended, "computational")} == {"oak"}
