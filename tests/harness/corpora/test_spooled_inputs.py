"""Problems and answers in temporary files: the same as in memory, whatever the order and the format of the files."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from harness.corpora.problems import load_corpus, selected_places
from harness.corpora.responses import Rejection, load_responses
from harness.corpora.spooled_inputs import SelectedProblems, SpooledCorpus, SpooledResponses
from harness.errors import HarnessError
from tests.cases import cases

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

Records = list[dict[str, Any]]


def _problems(count: int) -> Records:
    return [
        {"problem_id": f"p-{number}", "question": f"How many? {number}", "answer": f"#### {number}"}
        for number in range(count)
    ]


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


def _lines(path: Path, records: Records) -> None:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")


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
    _lines(path / "a.jsonl", records[:3])
    _gzip(path / "b.jsonl.gz", records[3:])


FORMATS: dict[str, Callable[[Path, Records], None]] = {
    "x.jsonl": _lines,
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
        _lines(folder / f"{kind}.jsonl", records)
    expected = load_corpus(str(folder / "problems.jsonl"))
    assert load_corpus(str(folder / "problems" / name)) == expected
    known = frozenset(problem.problem_id for problem in expected)
    plain, read = (load_responses([path], known) for path in (folder / "answers.jsonl", folder / "answers" / name))
    assert read.accepted == plain.accepted
    assert [(own.problem_id, own.model, own.reason) for own in read.rejected] == [
        (own.problem_id, own.model, own.reason) for own in plain.rejected
    ]


@cases("seed", range(20))
def test_files_and_memory_hold_the_same(seed: int, tmp_path: Path) -> None:
    """On generated records, the accepted answers of each problem, in their order, and all rejected ones are those that are read into memory."""
    folder, random = tmp_path, Random(seed)
    _lines(folder / "problems.jsonl", _problems(12))
    _lines(folder / "answers.jsonl", _answers(random, 12))
    corpus, known = SpooledCorpus(str(folder / "problems.jsonl")), load_corpus(str(folder / "problems.jsonl"))
    expected = load_responses([folder / "answers.jsonl"], frozenset(problem.problem_id for problem in known))
    responses = SpooledResponses([folder / "answers.jsonl"], corpus)
    assert list(corpus) == known
    assert {name: list(own.items()) for name, own in responses.items()} == {
        name: list(own.items()) for name, own in expected.accepted.items()
    }
    assert {name: responses.models(name) for name in responses} == {
        name: sorted(own) for name, own in expected.accepted.items()
    }
    whole = SelectedProblems(corpus, range(len(corpus)))
    records = responses.rejected(whole, ())
    assert _ordered([rejection for own in records.values() for rejection in own.values()]) == _ordered(
        expected.rejected
    )
    assert all(name not in responses.get(problem_id, {}) for own in records.values() for problem_id, name in own)
    selected = SelectedProblems(corpus, selected_places(corpus, wanted="3:7,p-9"))
    assert list(selected.values()) == [*known[3:7], known[9]]
    others = {problem.problem_id for problem in known} - selected.keys()
    assert list(responses.rejected(selected, ())) == [name for name in records if name not in others]


def _ordered(rejections: Sequence[Rejection]) -> list[Rejection]:
    return sorted(rejections, key=lambda own: (own.source, own.reason))


@pytest.mark.slow
def test_many_repeats_take_time_in_proportion(tmp_path: Path) -> None:
    """A model that answers one problem 20,000 times gives 19,999 records with different names, in linear time."""
    _lines(tmp_path / "problems.jsonl", _problems(1))
    _lines(tmp_path / "answers.jsonl", [{"problem_id": "p-0", "model": "ash", "response": "ans = 1"}] * 20_000)
    corpus = SpooledCorpus(str(tmp_path / "problems.jsonl"))
    responses = SpooledResponses([tmp_path / "answers.jsonl"], corpus)
    (records,) = responses.rejected(SelectedProblems(corpus, [0]), ()).values()
    assert (len(records), ("p-0", "ash#20000") in records) == (19_999, True)


@pytest.mark.slow
def test_answers_hold_little_memory(tmp_path: Path) -> None:
    """Of 3,000 answers of 2 kB each to 1,000 problems, memory holds less than 200 bytes each, one read buffer aside."""
    _lines(tmp_path / "problems.jsonl", _problems(1_000))
    _lines(
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
        responses = SpooledResponses([folder / "answers.jsonl"], corpus)
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
    """What lies beside the files of a saved dataset is not read: caches, locks; and no file outside its folder."""
    _dataset(tmp_path / "saved", _problems(4))
    _arrow_file(tmp_path / "saved" / "cache-1.arrow", _problems(9))
    (tmp_path / "saved" / "x.jsonl.lock").write_text("", encoding="utf-8")
    assert len(load_corpus(str(tmp_path / "saved"))) == 4
    state = tmp_path / "saved" / "state.json"
    for content in ("{", "[]", '{"_data_files": [{"filename": "../x.arrow"}]}', '{"_data_files": [1]}'):
        state.write_text(content, encoding="utf-8")
        with pytest.raises(HarnessError, match=r"state\.json"):
            load_corpus(str(tmp_path / "saved"))


def test_a_dataset_of_splits_is_refused(tmp_path: Path) -> None:
    """A saved dataset with several splits is refused with their names, so that one can be chosen."""
    (tmp_path / "train").mkdir()
    (tmp_path / "dataset_dict.json").write_text("{}", encoding="utf-8")
    with pytest.raises(HarnessError, match="several splits; give one of them: train"):
        load_corpus(str(tmp_path))
