"""Tests of the datasets: they hold the records of sealed stages and nothing of a protected problem."""

import json
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.json_form import json_form, read_record
from harness.store.run_folder import RunFolder
from oracle_factory.command import main
from sft.datasets.leakage import SPLITS, Fence, ProtectedProblem
from sft.datasets.output import DatasetFolder
from sft.datasets.selection import DatasetPlan, choose
from sft.datasets.sources import RunSource
from sft.samples.items import ProblemSample, Sample
from tests.json_lines import write_lines
from tests.sft.datasets.sealed_runs import Record, flaws_of, question_of, rows_of, sealed_run, solution_of

NAMES = [f"p-{number}" for number in range(40)]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run of forty problems with a sealed mutation and variant stage."""
    return sealed_run(tmp_path_factory.mktemp("runs") / "forty", NAMES)


@pytest.fixture(scope="module")
def made(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the datasets of the run, all levels."""
    out = tmp_path_factory.mktemp("datasets") / "out"
    options = ["--splits", "0.6,0.2,0.2", "--formats", "jsonl,chat"]
    assert main(["datasets", "--run", str(run), "--out", str(out), *options]) == 0
    return out


def test_no_problem_is_in_two_splits(made: Path) -> None:
    """Neither with its solutions nor with its variants, at any level."""
    where: dict[str, set[str]] = {}
    for split in SPLITS:
        rows = [*rows_of(made, f"*-{split}.jsonl"), *rows_of(made, f"*/{split}.jsonl")]
        assert rows
        for row in rows:
            where.setdefault(row["problem_id"], set()).add(split)
    assert len(where) == len(NAMES)
    assert all(len(splits) == 1 for splits in where.values())


def test_classes_are_balanced_as_configured(made: Path) -> None:
    """By default 2 : 1 : 2 : 1, and the rest is told in the card."""
    counts = Counter(row["error_class"] for row in rows_of(made, "samples-*.jsonl"))
    assert abs(counts[None] - 2 * counts["computational_error"]) <= 2
    assert abs(counts["conceptual_error"] - counts[None]) <= 2
    assert abs(counts["skipped_step"] - counts["computational_error"]) <= 2
    assert "thinned out for the balance of classes" in (made / "README.md").read_text(encoding="utf-8")


def test_every_record_is_read_back_and_says_its_source(made: Path) -> None:
    """A written sample is the sample; each row of each file can be traced, whatever it is mixed with."""
    solutions, problems = rows_of(made, "samples-*"), rows_of(made, "problems-*")
    assert all(Sample.of_record(row).record() == row for row in solutions)
    assert all(json_form(read_record(ProblemSample, row)) == row for row in problems)
    rows = [*solutions, *problems, *rows_of(made, "level-*/*.jsonl"), *rows_of(made, "chat/*/*.jsonl")]
    assert len(rows) > 1_000
    assert {row["licence"] for row in rows} == {"MIT"}
    assert {row["source"].partition("/")[0] for row in rows} == {"forty"}


def test_same_options_give_the_same_bytes(run: Path, tmp_path: Path) -> None:
    """Also of the saved datasets; another seed draws others."""
    options = ["--run", str(run), "--levels", "5,validator", "--formats", "datasets"]
    for name, seed in (("a", "0"), ("b", "0"), ("c", "1")):
        assert main(["datasets", *options, "--out", str(tmp_path / name), "--seed", seed]) == 0
    files = sorted(path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*") if path.is_file())
    assert len(files) > 12
    assert all((tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes() for name in files)
    drawn = [(tmp_path / name / "samples-train.jsonl").read_bytes() for name in "ac"]
    assert drawn[0] != drawn[1]


def test_datasets_are_loaded_by_their_library(run: Path, tmp_path: Path) -> None:
    """From disk as conversations, and by the card's head as the hub would."""
    datasets = pytest.importorskip("datasets", reason="the sft extra is not installed")
    out = tmp_path / "out"
    assert main(["datasets", "--run", str(run), "--out", str(out), "--levels", "max", "--formats", "datasets"]) == 0
    saved = datasets.load_from_disk(str(out / "datasets" / "level-max"))
    row = saved["train"][0]
    assert [turn["role"] for turn in (*row["prompt"], *row["completion"])] == ["user", "assistant"]
    assert set(row) == set(rows_of(out, "level-max/train.jsonl")[0])
    assert set(saved) <= set(SPLITS)
    head = (out / "README.md").read_text(encoding="utf-8").split("---")[1]
    loaded = datasets.load_dataset(str(out), "level-max", cache_dir=str(tmp_path / "cache"))
    assert loaded["train"].num_rows == saved["train"].num_rows == len(rows_of(out, "level-max/train.jsonl"))
    assert "- mit" in head


def _planted(folder: Path) -> tuple[Path, dict[str, str]]:
    """Return a run that holds a protected problem four times: by id, as a variant of it, word for word, and renumbered."""
    secret = question_of("secret")
    texts = {
        "secret": "Words that nobody protects, one two three?",
        "secret:renumbered:1": "Other words that nobody protects?",
        "copied": secret,
        "near": secret.replace("12", "77").replace("3?", "9?"),
    }
    names = ["harmless-1", "harmless-2", *texts]
    run = sealed_run(folder, names)
    for stage in ("mutation", "variant"):
        files: dict[str, list[Record]] = {}
        for name in RunFolder(run).stage(stage).manifest()["files"]:
            files[name] = RunFolder(run).stage(stage).records(name)
            for record in files[name]:
                text = texts.get(record["problem_id"])
                if text is not None:
                    record["question"] = text
                    if stage == "variant":
                        record["modified_problem_text"] = text
        RunFolder(run).stage(stage).seal(dict(files.items()), {})
    return run, texts


def test_nothing_of_a_protected_problem_gets_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By id, as a variant, word for word or renumbered: not in any file of any level or format, and it is counted."""
    run, texts = _planted(tmp_path / "planted")
    evaluation = tmp_path / "evaluation.jsonl"
    evaluation.write_text(
        json.dumps({"problem_id": "secret", "question": question_of("secret")}) + "\n", encoding="utf-8"
    )
    out = tmp_path / "out"
    options = ["--run", str(run), "--out", str(out), "--evaluation", str(evaluation), "--balance", "as-is"]
    assert main(["datasets", *options, "--formats", "jsonl,chat,datasets"]) == 0
    written = b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file() and path.name != "README.md")
    assert question_of("harmless-1").encode() in written
    for name, text in texts.items():
        assert text.encode() not in written
        assert json.dumps(name).encode() not in written
    assert {row["problem_id"] for row in rows_of(out, "samples-*")} == {"harmless-1", "harmless-2"}
    card = (out / "README.md").read_text(encoding="utf-8")
    for why in ("same id", "13-gram of the question", "nearly the same question"):
        assert f"| planted/mutation/conceptual.jsonl | {why} |" in card
    assert "samples" in capsys.readouterr().out


def test_excluded_lines_of_a_corpus_are_kept_out(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A list of line numbers names problems of the first corpus, and needs it."""
    corpus, excluded, out = tmp_path / "c.jsonl", tmp_path / "reserved.json", tmp_path / "out"
    problems = ({"problem_id": name, "question": question_of(name), "answer": "#### 1"} for name in NAMES)
    write_lines(corpus, problems)
    excluded.write_text("[0, 3, 7]", encoding="utf-8")
    options = ["--run", str(run), "--exclude", str(excluded), "--levels", "none", "--out", str(out)]
    assert main(["datasets", *options]) == 2
    assert "--corpus" in capsys.readouterr().err
    assert main(["datasets", *options, "--corpus", str(corpus)]) == 0
    names = {row["problem_id"] for row in rows_of(out, "*-*.jsonl")}
    assert names == set(NAMES) - {"p-0", "p-3", "p-7"}


def test_writer_refuses_what_reading_let_through(run: Path, tmp_path: Path) -> None:
    """The fence stands before every file: a sample that was let through when it was read is refused."""
    fence, plan = Fence([ProtectedProblem("p-1", "")]), DatasetPlan()
    chosen = choose([RunSource.of(run, (), "MIT")], Fence(), plan)
    with pytest.raises(HarnessError, match="refused, a protected problem"):
        DatasetFolder(tmp_path / "out").write(chosen, fence, plan, levels=())


def _unseal(run: Path) -> None:
    (run / "mutation" / "manifest.json").unlink()


def _tamper(run: Path) -> None:
    path = run / "mutation" / "conceptual.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("operator_swap", "operand_swap", 1), encoding="utf-8")


def _garble(run: Path) -> None:
    RunFolder(run).stage("mutation").seal({"computational.jsonl": [{"flaw_id": "x"}], "conceptual.jsonl": []}, {})


@pytest.mark.parametrize(
    ("spoil", "says"),
    [(_unseal, "not sealed"), (_tamper, "changed after the stage was sealed"), (_garble, "computational.jsonl:1")],
)
def test_only_sealed_stages_are_trusted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], spoil: Callable[[Path], None], says: str
) -> None:
    """An unfinished, changed or foreign stage ends the command with one message, and no manifest is written."""
    run = sealed_run(tmp_path / "run", NAMES[:4])
    spoil(run)
    assert main(["datasets", "--run", str(run), "--out", str(tmp_path / "out")]) == 2
    assert says in capsys.readouterr().err
    assert not (tmp_path / "out" / "manifest.json").exists()


def test_external_files_bring_their_licence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each has one of its own; what is known of the answer alone stays a class of its own."""
    path, out = tmp_path / "theirs.jsonl", tmp_path / "out"
    right, label = solution_of(), {"error_type": "conceptual", "erroneous_line_number": "FA"}
    records = [
        {"question": question_of("x-1"), "solution": right, "flawed_solution": solution_of(answer="36"), **label},
        {"question": question_of("x-2"), "solution": right, "is_correct": True},
        {"question": question_of("x-3"), "solution": solution_of(answer="41"), "is_correct": False},
        {"solution": right, "is_correct": True},
        {"question": "?", "solution": right, "label": "maybe"},
    ]
    records = [{"problem_id": f"x-{number}", **record} for number, record in enumerate(records, start=1)]
    write_lines(path, records)
    assert main(["datasets", "--external", str(path), "--out", str(out)]) == 2
    assert "--licence" in capsys.readouterr().err
    options = ["--licence", "CC BY 4.0", "--balance", "as-is", "--seed", "3"]
    assert main(["datasets", "--external", str(path), "--out", str(out), *options]) == 0
    rows = rows_of(out, "samples-*")
    assert {row["licence"] for row in rows} == {"CC BY 4.0"}
    assert {row["sample_id"].split("#")[1] for row in rows} <= {"0", "0:reference", "1", "2"}
    assert any(row["flawed"] and row["error_class"] is None for row in rows)
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "- cc-by-4.0" in card
    assert "theirs.jsonl: no question" in card
    assert "theirs.jsonl: unknown-verdict" in card


def test_folder_of_something_else_is_left_alone(
    run: Path, made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files that datasets did not write are never removed; those of an earlier call are replaced."""
    (tmp_path / "thesis.tex").write_text("x", encoding="utf-8")
    assert main(["datasets", "--run", str(run), "--out", str(tmp_path)]) == 2
    assert "holds files that are no part of datasets" in capsys.readouterr().err
    assert main(["datasets", "--run", str(run), "--out", str(tmp_path / "a")]) == 0
    assert main(["datasets", "--run", str(run), "--out", str(tmp_path / "a"), "--levels", "none"]) == 0
    assert not list((tmp_path / "a").glob("level-*/*"))
    assert list(made.glob("level-*/*"))


def test_pushing_without_a_token_says_how_to_get_one(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a token, pushing fails before anything is made and says how to get one."""
    hub = pytest.importorskip("huggingface_hub", reason="the sft extra is not installed")
    monkeypatch.setattr(hub, "get_token", lambda: None)
    assert main(["datasets", "--run", str(run), "--out", str(tmp_path / "out"), "--push-to-hub", "me/mine"]) == 2
    assert "HF_TOKEN" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_large_stage_is_read_in_bounded_memory(tmp_path: Path) -> None:
    """Of eighteen megabytes of records less than a quarter is in memory: what is kept of a record does not grow with its size."""

    def flaws() -> Iterator[Record]:
        for number in range(70):
            for flaw in flaws_of(f"p-{number}", 1):
                yield {**flaw, "function_code": "x" * 15_000}

    run = RunFolder(tmp_path / "run")
    run.stage("mutation").seal({"computational.jsonl": [], "conceptual.jsonl": flaws()}, {})
    assert (tmp_path / "run" / "mutation" / "conceptual.jsonl").stat().st_size > 18_000_000
    plan, fence = DatasetPlan(), Fence()
    pytest.importorskip("scipy.cluster.hierarchy", reason="its import is not measured")
    tracemalloc.start()
    try:
        chosen = choose([RunSource.of(tmp_path / "run", (), "MIT")], fence, plan)
        folder = DatasetFolder(tmp_path / "out")
        folder.clear()
        folder.write(chosen, fence, plan, levels=())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert chosen.count > 200
    assert peak < 5_000_000


def test_a_candidate_that_people_decided_on_is_taken_as_they_left_it(tmp_path: Path) -> None:
    """Of what people edited there is the edited text alone, of what they rejected, overrode or dispute nothing."""
    folder = sealed_run(tmp_path / "run", NAMES[:3], stages=("mutation",))
    run = RunFolder(folder)
    edited, *gone = [
        {**record, "flawed_solution": record["flawed_solution"].replace("She has", "There are")}
        for record in run.stage("mutation").records("conceptual.jsonl")[:4]
    ]
    files = dict(
        zip(("overridden.jsonl", "rejected.jsonl", "disputed.jsonl"), ([sample] for sample in gone), strict=True)
    )
    run.stage("review").seal({"accepted.jsonl": [edited], **files}, {})
    read = RunSource.of(folder, (), "MIT").read()
    found = [sample for sample in read if isinstance(sample, Sample) and sample.truth.flawed]
    by_name = Counter(sample.sample_id for sample in found)
    assert max(by_name.values()) == 1
    assert [sample.solution for sample in found if sample.sample_id == edited["flaw_id"]] == [edited["flawed_solution"]]
    assert not by_name.keys() & {sample["flaw_id"] for sample in gone}
    assert len(found) == 3 * 18 - 3
