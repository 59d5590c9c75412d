"""Tests of responses and of the formats of files: every record is read once, or rejected with a reason, whatever the order and the format."""

import gzip
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from harness.corpora.problems import SelectedProblems, SpooledCorpus, load_corpus, selected_places
from harness.corpora.responses import SpooledResponses
from harness.errors import HarnessError
from tests.cases import cases
from tests.json_lines import write_lines

Records = list[dict[str, Any]]
KNOWN = ("p-1", "p-2")


def record(
    problem_id: object = "p-1", model: object = "ada", response: object = "ans = 1", **more: object
) -> dict[str, Any]:
    """Return a record."""
    return {"problem_id": problem_id, "model": model, "response": response, **more}


def read(folder: Path, *lines: object) -> SpooledResponses:
    """Write records, or lines as they are, and load them."""
    return SpooledResponses([write_lines(folder / "responses.jsonl", lines)], KNOWN)


def _problems(count: int) -> Records:
    return [{"problem_id": f"p-{n}", "question": f"How many? {n}", "answer": f"#### {n}"} for n in range(count)]


def _answers(random: Random, count: int) -> Records:
    """Return answers in a random order: some models answer twice, some name a problem that is not there or give no text."""
    records: Records = []
    for number in range(count + 2):
        for model in random.sample(("ash", "elm", "oak"), random.randint(0, 3)):
            for _ in range(random.choice((1, 1, 1, 2, 3))):
                text = f"def solve(): return {random.randint(0, 2)}"
                records.append({"problem_id": f"p-{number}", "model": model, "response": text})
        if random.random() < 0.2:
            records.append({"problem_id": f"p-{number}", "model": "", "response": "ans = 1"})
    random.shuffle(records)
    return records


def _gzip(path: Path, records: Records) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        stream.writelines(f"{json.dumps(record)}\n" for record in records)


def _parquet(path: Path, records: Records) -> None:
    arrow = pytest.importorskip("pyarrow", reason="Arrow is not installed: it is the extra `scale`")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.Table.from_pylist(records), path, row_group_size=7)


def _arrow_file(path: Path, records: Records) -> None:
    arrow = pytest.importorskip("pyarrow", reason="Arrow is not installed: it is the extra `scale`")
    table = arrow.Table.from_pylist(records)
    with arrow.OSFile(str(path), "wb") as sink, arrow.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=5)


def _dataset(path: Path, records: Records) -> None:
    datasets = pytest.importorskip("datasets", reason="the library `datasets` is not installed: it is the extra `sft`")
    datasets.Dataset.from_list(records).save_to_disk(path, num_shards=2)


def _parts(path: Path, records: Records) -> None:
    """Write a folder of two files of different formats."""
    path.mkdir()
    write_lines(path / "a.jsonl", records[:3])
    _gzip(path / "b.jsonl.gz", records[3:])


FORMATS: dict[str, Callable[[Path, Records], object]] = {
    "x.jsonl": write_lines,
    "x.jsonl.gz": _gzip,
    "x.parquet": _parquet,
    "x.arrow": _arrow_file,
    "saved": _dataset,
    "parts": _parts,
}


@cases("name", FORMATS)
def test_formats_hold_the_same(name: str, tmp_path: Path) -> None:
    """Problems and answers are the same from each format of files, but for the sources of rejected records."""
    folder, random = tmp_path, Random(name)
    problems, answers = _problems(30), _answers(random, 30)
    for kind, records in (("problems", problems), ("answers", answers)):
        (folder / kind).mkdir()
        FORMATS[name](folder / kind / name, records)
        write_lines(folder / f"{kind}.jsonl", records)
    expected = load_corpus(str(folder / "problems.jsonl"))
    assert load_corpus(str(folder / "problems" / name)) == expected
    known = [problem.problem_id for problem in expected]
    plain, found = (SpooledResponses([path], known) for path in (folder / "answers.jsonl", folder / "answers" / name))
    assert dict(found) == dict(plain)
    for problem_id in (*known, "p-30", "p-31"):
        reasons = [[(own.model, own.reason) for own in each.rejections_of(problem_id)] for each in (found, plain)]
        assert reasons[0] == reasons[1]


@cases("seed", range(20))
def test_each_record_is_kept_once(seed: int, tmp_path: Path) -> None:
    """On generated records, the first answer of each model to a known problem is accepted in order, each other record is rejected."""
    records = _answers(Random(seed), 12)
    write_lines(tmp_path / "problems.jsonl", _problems(12))
    write_lines(tmp_path / "answers.jsonl", records)
    corpus, known = SpooledCorpus(str(tmp_path / "problems.jsonl")), load_corpus(str(tmp_path / "problems.jsonl"))
    responses = SpooledResponses([tmp_path / "answers.jsonl"], corpus.places)
    expected: dict[str, dict[str, str]] = {}
    for each in records:
        if each["model"] and each["problem_id"] in corpus.places:
            expected.setdefault(each["problem_id"], {}).setdefault(each["model"], each["response"])
    assert list(corpus) == known
    found = {name: {model: answer.text for model, answer in own.items()} for name, own in responses.items()}
    assert {name: list(own.items()) for name, own in found.items()} == {
        name: list(own.items()) for name, own in expected.items()
    }
    assert {name: responses.models(name) for name in responses} == {name: sorted(own) for name, own in expected.items()}
    rejected = responses.rejected(SelectedProblems(corpus, range(len(corpus))), ())
    assert sum(map(len, rejected.values())) + sum(map(len, found.values())) == len(records)
    assert all(name not in responses.get(problem_id, {}) for own in rejected.values() for problem_id, name in own)
    selected = SelectedProblems(corpus, selected_places(corpus, wanted="3:7,p-9"))
    assert list(selected.values()) == [*known[3:7], known[9]]
    others = corpus.places.keys() - selected.keys()
    assert list(responses.rejected(selected, ())) == [name for name in rejected if name not in others]


def test_the_text_is_kept_as_it_is(tmp_path: Path) -> None:
    """Not a character is changed, and a dialect is kept where one is named."""
    text = "  ```python\r\nx = 1\n``` \ud800 \u2028 é"
    found = read(tmp_path, record(response=text, dialect="pot"), record(model="bob", dialect=5))["p-1"]
    assert (found["ada"].text, found["ada"].dialect, found["bob"].dialect) == (text, "pot", None)


REJECTED = {
    "no JSON": ("{", "malformed-record: no JSON ("),
    "a list": ([1], "malformed-record: expected an object, found a list"),
    "null": ("null", "malformed-record: expected an object, found null"),
    "no model": ({"problem_id": "p-1", "response": "x"}, "malformed-record: expected text in 'model', found 'None'"),
    "an empty model": (record(model=""), "malformed-record: expected text in 'model'"),
    "a long model": (record(model="m" * 201), "malformed-record: expected text in 'model'"),
    "a numbered problem": (record(5), "malformed-record: expected text in 'problem_id', found '5'"),
    "no response": (record(response=None), "malformed-record: expected text in 'response', found 'None'"),
    "an unknown problem": (record("p-9"), "unknown-problem: the corpus has no problem 'p-9'"),
    "the same again": (record(), "duplicate: a second response, the same, of this model; the first is judged"),
    "another of the same model": (
        record(response="ans = 2"),
        "duplicate: a second response of this model; the first is judged",
    ),
}


@cases("case", REJECTED)
def test_a_record_that_cannot_stand_is_rejected_with_its_place_and_reason(tmp_path: Path, case: str) -> None:
    """The first response stays; the other record is listed by file and line."""
    line, reason = REJECTED[case]
    found = read(tmp_path, record(), "", line)
    rejection = found.first_rejection or found.rejections_of("p-1")[0]
    place = f"{tmp_path / 'responses.jsonl'}:3"
    assert (found["p-1"]["ada"].text, rejection.source, rejection.reason.startswith(reason)) == ("ans = 1", place, True)


def test_folders_are_read(tmp_path: Path) -> None:
    """`PROBLEM_ID/MODEL.{py,txt,json}` and JSONL files beside them; other files are left alone."""
    (tmp_path / "p-1").mkdir()
    for name in ("ada.py", "bob.txt", "cyd.json", "notes.md", "dee.py.bak"):
        (tmp_path / "p-1" / name).write_text("ans = 1")
    (tmp_path / "p-1" / "sub.py").mkdir()
    (tmp_path / "more.jsonl").write_text(json.dumps(record("p-2")))
    found = SpooledResponses([tmp_path], KNOWN)
    assert {problem: sorted(models) for problem, models in found.items()} == {
        "p-1": ["ada", "bob", "cyd"],
        "p-2": ["ada"],
    }


def test_the_equations_of_a_corpus_are_formalizations(tmp_path: Path) -> None:
    """A record with an equation and no response is its author's; one with a response is a model's."""
    records = [
        {"problem_id": "p-1", "question": "How many?", "answer": "#### 5", "equation": "( 8.0 - 3.0 )"},
        {"problem_id": "p-1", "model": "oak", "response": "answer = 5", "equation": "( 8.0 - 3.0 )"},
        {"problem_id": "p-1", "question": "How many?", "equation": None},
    ]
    path = write_lines(tmp_path / "problems.jsonl", records)
    responses = SpooledResponses([path], KNOWN)
    accepted = {name: response.text for name, response in responses["p-1"].items()}
    assert accepted == {"equation": "( 8.0 - 3.0 )", "oak": "answer = 5"}
    assert responses.rejections_of("p-1")[0].reason.startswith("malformed-record")


@pytest.mark.slow
def test_many_repeats_take_time_in_proportion(tmp_path: Path) -> None:
    """A model that answers one problem 20,000 times gives 19,999 records with different names, in linear time."""
    write_lines(tmp_path / "problems.jsonl", _problems(1))
    write_lines(tmp_path / "answers.jsonl", [{"problem_id": "p-0", "model": "ash", "response": "ans = 1"}] * 20_000)
    corpus = SpooledCorpus(str(tmp_path / "problems.jsonl"))
    responses = SpooledResponses([tmp_path / "answers.jsonl"], corpus.places)
    (records,) = responses.rejected(SelectedProblems(corpus, [0]), ()).values()
    assert (len(records), ("p-0", "ash#20000") in records) == (19_999, True)


@pytest.mark.slow
def test_answers_hold_little_memory(tmp_path: Path) -> None:
    """Of 3,000 answers of 2 kB each to 1,000 problems, memory holds less than 200 bytes each, one read buffer aside."""
    write_lines(tmp_path / "problems.jsonl", _problems(1_000))
    write_lines(
        tmp_path / "answers.jsonl",
        [
            {"problem_id": f"p-{number % 1_000}", "model": f"m{number // 1_000}", "response": f"ans = {number:02000}"}
            for number in range(3_000)
        ],
    )
    _kept_memory(tmp_path)  # what a first use imports and caches
    assert _kept_memory(tmp_path) < 3_000 * 200


def _kept_memory(folder: Path) -> int:
    tracemalloc.start()
    try:
        corpus = SpooledCorpus(str(folder / "problems.jsonl"))
        responses = SpooledResponses([folder / "answers.jsonl"], corpus.places)
        assert responses["p-1"]["m2"].text.endswith("2001")
        buffers = 3 << 20
        return tracemalloc.get_traced_memory()[0] - buffers
    finally:
        tracemalloc.stop()


@cases("name", ("x.parquet", "x.arrow"))
def test_a_broken_table_is_named(name: str, tmp_path: Path) -> None:
    """A truncated table, or a file that is no table, ends with its path, and no traceback."""
    path = tmp_path / name
    FORMATS[name](path, _problems(40))
    whole = path.read_bytes()
    for content in (b"", b"no table", whole[: len(whole) // 2], b"ARROW1\0\0" + bytes(100)):
        path.write_bytes(content)
        with pytest.raises(HarnessError) as caught:
            load_corpus(str(path))
        assert str(path) in str(caught.value)


def test_a_saved_dataset_is_what_it_names(tmp_path: Path) -> None:
    """What lies beside the files of a saved dataset is not read: caches, locks."""
    _dataset(tmp_path / "saved", _problems(4))
    _arrow_file(tmp_path / "saved" / "cache-1.arrow", _problems(9))
    (tmp_path / "saved" / "x.jsonl.lock").write_text("", encoding="utf-8")
    assert len(load_corpus(str(tmp_path / "saved"))) == 4


def test_a_dataset_of_splits_is_refused(tmp_path: Path) -> None:
    """A saved dataset with several splits is refused with their names, so that one can be chosen."""
    (tmp_path / "train").mkdir()
    (tmp_path / "dataset_dict.json").write_text("{}", encoding="utf-8")
    with pytest.raises(HarnessError, match="several splits; give one of them: train"):
        load_corpus(str(tmp_path))
