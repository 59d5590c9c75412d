"""Tests of LLM responses as input: every response is read or rejected with a reason."""

import gzip
import json
from pathlib import Path

import pytest

from harness.corpora.responses import Responses, load_responses
from harness.errors import HarnessError
from tests.cases import cases

KNOWN = frozenset({"p-1", "p-2"})


def record(
    problem_id: object = "p-1", model: object = "ada", response: object = "ans = 1", **more: object
) -> dict[str, object]:
    """Return a record."""
    return {"problem_id": problem_id, "model": model, "response": response, **more}


def read(folder: Path, *lines: object, name: str = "responses.jsonl") -> Responses:
    """Write records, or lines as they are, and load them."""
    path = folder / name
    text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return load_responses([path], KNOWN)


@pytest.mark.parametrize("name", ["responses.jsonl", "responses.jsonl.gz"])
def test_records_are_kept_by_problem_and_model(tmp_path: Path, name: str) -> None:
    """Plain and compressed files give the same records."""
    found = read(tmp_path, record(), record(model="bob"), record("p-2"), name=name)
    assert ({problem: list(models) for problem, models in found.accepted.items()}, found.rejected) == (
        {"p-1": ["ada", "bob"], "p-2": ["ada"]},
        (),
    )


def test_the_text_is_kept_as_it_is(tmp_path: Path) -> None:
    """Not a character is changed, and a dialect is kept where one is named."""
    text = "  ```python\r\nx = 1\n``` \ud800 \u2028 é"
    found = read(tmp_path, record(response=text, dialect="pot"), record(model="bob", dialect=5)).accepted["p-1"]
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
    (rejection,) = found.rejected
    place = f"{tmp_path / 'responses.jsonl'}:3"
    assert (found.accepted["p-1"]["ada"].text, rejection.source, rejection.reason.startswith(reason)) == (
        "ans = 1",
        place,
        True,
    )


def test_folders_are_read(tmp_path: Path) -> None:
    """`PROBLEM_ID/MODEL.{py,txt,json}` and JSONL files beside them; other files are left alone."""
    (tmp_path / "p-1").mkdir()
    for name in ("ada.py", "bob.txt", "cyd.json", "notes.md", "dee.py.bak"):
        (tmp_path / "p-1" / name).write_text("ans = 1")
    (tmp_path / "p-1" / "sub.py").mkdir()
    (tmp_path / "more.jsonl").write_text(json.dumps(record("p-2")))
    found = load_responses([tmp_path], KNOWN)
    assert {problem: sorted(models) for problem, models in found.accepted.items()} == {
        "p-1": ["ada", "bob", "cyd"],
        "p-2": ["ada"],
    }


def test_several_sources_are_read_in_order(tmp_path: Path) -> None:
    """Of two responses of one model to a problem, the one from the first source is judged."""
    paths = [tmp_path / name for name in ("b.jsonl", "a.jsonl")]
    for path in paths:
        path.write_text(json.dumps(record(response=path.name)))
    found = load_responses(paths, KNOWN)
    assert (found.accepted["p-1"]["ada"].text, len(found.rejected)) == ("b.jsonl", 1)


@pytest.mark.parametrize("name", ["empty.jsonl", "folder"])
def test_sources_without_a_record_are_a_mistake(tmp_path: Path, name: str) -> None:
    """A folder without responses is an error that lists the forms that are read."""
    path = tmp_path / name
    path.mkdir() if name == "folder" else path.write_text("\n")
    with pytest.raises(HarnessError, match=r"no formalizations in .*; expected JSONL records"):
        load_responses([path], KNOWN)


def test_a_source_that_is_not_there_is_a_mistake(tmp_path: Path) -> None:
    """The message names the path."""
    with pytest.raises(HarnessError, match=r"nowhere.jsonl': no such file or folder"):
        load_responses([tmp_path / "nowhere.jsonl"], KNOWN)


def test_real_formalizations_are_all_accepted(shared_data: Path) -> None:
    """Every record of the real data is a response to a problem of GSM8K."""
    known = frozenset(f"gsm8k-train-{number}" for number in range(7473))
    found = load_responses([shared_data / "formalizations" / "parametric.jsonl"], known)
    assert (sum(len(models) for models in found.accepted.values()) > 100, found.rejected) == (True, ())


def test_the_equations_of_a_corpus_are_formalizations(tmp_path: Path) -> None:
    """A record with an equation and no response is its author's; one with a response is a model's."""
    path = tmp_path / "problems.jsonl"
    records = [
        {"problem_id": "p-1", "question": "How many?", "answer": "#### 5", "equation": "( 8.0 - 3.0 )"},
        {"problem_id": "p-1", "model": "oak", "response": "answer = 5", "equation": "( 8.0 - 3.0 )"},
        {"problem_id": "p-1", "question": "How many?", "equation": None},
    ]
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    responses = load_responses([path], frozenset({"p-1"}))
    accepted = responses.accepted["p-1"]
    assert [(accepted[name].model, accepted[name].text) for name in sorted(accepted)] == [
        ("equation", "( 8.0 - 3.0 )"),
        ("oak", "answer = 5"),
    ]
    assert [rejected.reason.partition(":")[0] for rejected in responses.rejected] == ["malformed-record"]
