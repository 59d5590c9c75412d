"""Tests of corpus reading: complete in every layout, with stable ids and fair slices, and errors that name the file and the line."""

import gzip
import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from harness.corpora.problems import Exclusion, load_corpus, read_exclusion, read_records, selected_places
from harness.domain import Problem
from harness.errors import HarnessError
from harness.json_form import json_form
from tests.cases import cases
from tests.json_lines import write_lines

RECORD = {"question": "How many?", "answer": "2+2=<<2+2=4>>4\n#### 4"}
PROBLEMS = [Problem(f"p-{number}", "How many?", "", "4") for number in range(23)]


def corpus(folder: Path, *lines: object, name: str = "train.jsonl") -> str:
    """Write a corpus of records, or of lines as they are, and return its path."""
    return str(write_lines(folder / name, lines))


def failure(name: str) -> str:
    """Return the error message of loading a corpus."""
    with pytest.raises(HarnessError) as caught:
        load_corpus(name)
    return str(caught.value)


def test_a_solution_and_its_gold_answer_are_parted(tmp_path: Path) -> None:
    """The gold answer is the text after the last ####."""
    (problem,) = load_corpus(corpus(tmp_path, {"question": "Q", "answer": "#### no\n1+1=2\n####  2 "}))
    assert (problem.solution, problem.gold) == ("#### no\n1+1=2", "2")


@cases(
    ("answer", "gold"),
    [
        ("4 apples", "4 apples"),
        ("He has 4 left.", None),
        ("", None),
        (None, None),
        ("#### ", None),
        (4, "4"),
        (2.5, "2.5"),
    ],
)
def test_an_answer_without_a_mark_has_no_gold(tmp_path: Path, answer: object, gold: str | None) -> None:
    """Without #### there is no gold answer, but where the `answer` is a number, or a text that is read whole as one."""
    (problem,) = load_corpus(corpus(tmp_path, {"question": "Q", "answer": answer}))
    assert problem.gold == gold


@cases("kept", [b"no gzip", b"", "truncated", "corrupt"])
def test_a_broken_archive_is_named(tmp_path: Path, kept: bytes | str) -> None:
    """Truncated, corrupt, or no archive at all: the message names the file."""
    path = tmp_path / "train.jsonl.gz"
    data = gzip.compress(json.dumps({**RECORD, "answer": Random(1).randbytes(20_000).hex()}).encode())
    broken = data[:-12] if kept == "truncated" else data[:9000] + b"\xff" * 200 + data[9200:]
    path.write_bytes(kept if isinstance(kept, bytes) else broken)
    assert failure(str(path)).startswith(f"{path}: ")


@cases(
    ("line", "found"),
    [
        ("{", "Expecting property name"),
        ("[]", "a list"),
        ("5", "a number"),
        ('{"answer": "x"}', "no question in the fields 'answer'; name its field by --question-field"),
        ('{"question": 5}', "expected text as question in 'question', found a number"),
        ("[" * 100_000, "maximum recursion depth"),
    ],
)
def test_a_broken_record_is_told_by_file_and_line(tmp_path: Path, line: str, found: str) -> None:
    """The message holds the path, the line number counted from one, and the text found there."""
    name = corpus(tmp_path, RECORD, "", line)
    message = failure(name)
    assert (message.startswith(f"{name}:3: "), found in message) == (True, True)


@cases("name", ["nowhere.jsonl", "p=nowhere.jsonl", "", "."])
def test_a_corpus_that_is_not_there_is_named(name: str) -> None:
    """The message says what a corpus may be."""
    found = "a folder without files of records" if name == "." else "no such file"
    expected = f"corpus {name!r}: {found}; give a file of JSON lines, Parquet or Arrow, a folder of such files, mini, gsm8k:train or gsm8k:test"
    assert failure(name) == expected


def test_a_repeated_id_is_a_mistake(tmp_path: Path) -> None:
    """Two problems with one id are an error."""
    assert "the problem id 'x' occurs twice" in failure(corpus(tmp_path, {**RECORD, "id": "x"}, {**RECORD, "id": "x"}))


@given(st.integers(1, 30))
def test_slices_partition_the_corpus_evenly(parts: int) -> None:
    """The N slices K/N are disjoint, together give the corpus, and differ in size by one problem at most."""
    slices = [list(selected_places(PROBLEMS, part=f"{number}/{parts}")) for number in range(1, parts + 1)]
    assert sorted(problem for part in slices for problem in part) == list(range(23))
    assert max(map(len, slices)) - min(map(len, slices)) <= 1


@cases(
    ("wanted", "expected"),
    [
        ("0:3", [0, 1, 2]),
        ("20:", [20, 21, 22]),
        (":2", [0, 1]),
        ("p-5", [5]),
        ("p-5,0:2, p-1", [0, 1, 5]),
        ("5:7,6:8", [5, 6, 7]),
        ("0:1000", list(range(23))),
    ],
)
def test_problems_are_chosen_by_id_and_range(wanted: str, expected: list[int]) -> None:
    """Chosen problems come in the order of the corpus, each once."""
    assert list(selected_places(PROBLEMS, wanted=wanted)) == expected


def test_the_examples_of_a_tier_are_chosen_without_the_excluded_ones(tmp_path: Path) -> None:
    """A list takes its problems of GSM8K train, by id, in the order of the corpus, and leaves out the excluded ones."""
    train = [Problem(f"gsm8k-train-{place}", "How many?", "1", "1") for place in range(4000)]
    listed = tmp_path / "reserved.json"
    listed.write_text("[964]")
    reserved = read_exclusion(listed, train)
    assert list(selected_places(train, wanted="tier3_final")) == [5, 964, 2422, 3822]
    assert list(selected_places(train, wanted="tier3_final,0:1", exclusion=reserved)) == [0, 5, 2422, 3822]
    with pytest.raises(HarnessError, match=r"tier4_final.*the corpus has no 'gsm8k-train-4847'"):
        selected_places(train, wanted="tier4_final")


@cases("wanted", ["nothing", "5:3", "23:", "p-5,nothing", "1-3", ",", " , ", "tier3_final"])
def test_a_choice_of_nothing_is_a_mistake(wanted: str) -> None:
    """The message names the unknown id or the empty range."""
    with pytest.raises(HarnessError, match="--harness-problems"):
        selected_places(PROBLEMS, wanted=wanted)


@cases("part", ["0/3", "4/3", "1", "a/b", "1/0", "-1/3", "1/3/5"])
def test_a_slice_outside_its_range_is_a_mistake(part: str) -> None:
    """A slice K/N is accepted only if 1 <= K <= N."""
    with pytest.raises(HarnessError, match="expected K/N with 1 <= K <= N"):
        selected_places(PROBLEMS, part=part)


def excluding(folder: Path, listed: object) -> Exclusion:
    """Return the exclusion of a list."""
    path = folder / "reserved.json"
    path.write_text(listed if isinstance(listed, str) else json.dumps(listed), encoding="utf-8")
    return read_exclusion(path, PROBLEMS)


@given(st.sets(st.integers(0, 22), max_size=22), st.integers(0, 22))
def test_what_is_excluded_is_never_selected(
    tmp_path_factory: pytest.TempPathFactory, places: set[int], end: int
) -> None:
    """Whether it is named by line or by id, a range that holds it gives the others."""
    exclusion = excluding(tmp_path_factory.mktemp("list"), [*sorted(places), *(f"p-{place}" for place in places)])
    assert list(exclusion.problems) == [f"p-{place}" for place in sorted(places)]
    left = [place for place in range(end, 23) if place not in places]
    if left:
        assert list(selected_places(PROBLEMS, wanted=f"{end}:", exclusion=exclusion)) == left
    else:
        with pytest.raises(HarnessError, match="--harness-exclude removes all of them"):
            selected_places(PROBLEMS, wanted=f"{end}:", exclusion=exclusion)


def test_an_excluded_problem_cannot_be_asked_for(tmp_path: Path) -> None:
    """Choosing an excluded problem by id is an error that names the exclusion list."""
    with pytest.raises(HarnessError, match="'p-4': --harness-exclude removes this problem from every stage"):
        selected_places(PROBLEMS, wanted="p-3,p-4", exclusion=excluding(tmp_path, [4]))


@cases(
    ("listed", "told"),
    [
        ("[1,", "cannot be read as JSON"),
        ("[" * 100_000, "cannot be read as JSON"),
        ({"reserved": [1]}, "expected a JSON list"),
        ([1, True], "expected a JSON list"),
        ([1.0], "expected a JSON list"),
        ([None], "expected a JSON list"),
        ([23], "the corpus has no '23'"),
        ([-1], "the corpus has no '-1'"),
        (["nobody"], "the corpus has no 'nobody'"),
    ],
)
def test_a_file_that_is_no_exclusion_is_a_mistake(tmp_path: Path, listed: object, told: str) -> None:
    """One message names the file and what is wrong with it."""
    with pytest.raises(HarnessError, match=r"--harness-exclude .*reserved\.json") as error:
        excluding(tmp_path, listed)
    assert told in str(error.value)


def test_problems_of_a_stage_are_a_corpus(tmp_path: Path) -> None:
    """`problems.jsonl` of a run gives the problems that the stage read, whatever their answers and tiers."""
    problems = [
        *load_corpus("mini"),
        Problem("odd-1", "How many?", "", None),
        Problem("odd-2", "#### 3?", "a\n#### b", "7"),
    ]
    assert load_corpus(str(write_lines(tmp_path / "problems.jsonl", map(json_form, problems)))) == problems


RECORDS = [{"question": "12-5?", "answer": "7"}, {"question": 'a,\n"b"?', "answer": "8"}]
CELLS = 'question,answer\n12-5?,7\n"a,\n""b""?",8\n'
LAYOUTS = {
    "lines.jsonl": "".join(json.dumps(record) + "\n" for record in RECORDS),
    "array.json": json.dumps(RECORDS),
    "indented.json": json.dumps(RECORDS, indent=2),
    "array.jsonl": "[\n" + ",\n".join(map(json.dumps, RECORDS)) + "\n]\n",
    "glued.jsonl": "[" + ",\n".join(map(json.dumps, RECORDS)) + "]\n",
    "columns.json": json.dumps({name: [record[name] for record in RECORDS] for name in RECORDS[0]}),
    "wrapped.json": json.dumps({"data": RECORDS}, indent=1),
    "table.csv": CELLS,
    "spaced.csv": CELLS.replace("question,", "question , "),
    "table.tsv": 'question\tanswer\n12-5?\t7\n"a,\n""b""?"\t8\n',
}


@cases("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@cases("packed", [False, True])
@cases("name", LAYOUTS)
def test_every_layout_gives_the_same_records(tmp_path: Path, name: str, packed: bool, encoding: str) -> None:
    """A layout, an encoding and a packing change no record."""
    data = LAYOUTS[name].encode(encoding)
    path = tmp_path / (name + ".gz" * packed)
    path.write_bytes(gzip.compress(data) if packed else data)
    assert [record for _, record in read_records(path)] == RECORDS


@pytest.mark.parametrize("text", ['[{"a": 1},\n{"a": 2}\n', '{\n"a": [1, 2],\n"b": [1]}'])
def test_what_is_not_whole_is_refused(tmp_path: Path, text: str) -> None:
    """A document that breaks off gives no record, and says how to convert it."""
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(HarnessError, match="convert it to JSON lines"):
        list(read_records(path))
