"""The records that are kept for training: never more wrong ones than are said to be expected."""

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from oracle_factory.command import main
from sft.verifier.record_selection import JudgedRecord, keep
from tests.json_lines import read_lines
from tests.properties.recheck.test_diagnosed_solutions import QUESTION, SOLUTIONS, WORKED

RECORDS = st.lists(
    st.builds(JudgedRecord, st.none() | st.floats(0, 1), st.sampled_from(["", "wrong, located"])), max_size=40
)
PRECISIONS = st.sampled_from([0.5, 0.9, 0.99, 0.999])


@given(RECORDS, PRECISIONS)
def test_no_more_wrong_ones_are_expected_than_asked(records: list[JudgedRecord], precision: float) -> None:
    """Only right ones with an oracle are kept, and of these no more oracles are expected to be wrong than the precision allows."""
    kept = keep(records, precision)
    chosen = [records[place] for place in kept.places]
    assert all(own.p_right is not None and not own.objection and own.p_right >= kept.least for own in chosen)
    if chosen:
        assert sum(1 - (own.p_right or 0) for own in chosen) / len(chosen) <= kept.expected + 1e-9
        assert kept.expected <= 1 - precision + 1e-9


@given(RECORDS, PRECISIONS)
def test_a_lower_precision_keeps_no_fewer(records: list[JudgedRecord], precision: float) -> None:
    """Who asks less gets at least as many."""
    assert len(keep(records, precision - 0.1).places) >= len(keep(records, precision).places)


@pytest.mark.parametrize("p_right", [0.9, 0.99, 0.998])
def test_of_wrong_solutions_none_is_kept(p_right: float) -> None:
    """Where all are wrong, those that agree are no more than wrong oracles explain: none is safe, however sure each oracle seems."""
    agreeing = max(1, round((1 - p_right) * 0.2 * 2_000))
    records = [JudgedRecord(p_right, "" if place < agreeing else "wrong, located") for place in range(2_000)]
    assert not keep(records, 0.95).places


def test_of_right_solutions_as_many_are_kept_as_their_oracles_allow() -> None:
    """Where all agree, the expected share is that of the oracles themselves."""
    kept = keep([JudgedRecord(p_right, "") for p_right in (0.999, 0.995, 0.99, 0.9)], 0.99)
    assert (len(kept.places), kept.least) == (3, 0.99)
    assert kept.expected == pytest.approx((0.001 + 0.005 + 0.01) / 3)


def _file(folder: Path, **columns: str) -> Path:
    path = folder / "solutions.jsonl"
    rows = [{"question": QUESTION, "model": name, "solution": text, **columns} for name, text in SOLUTIONS.items()]
    path.write_text("\n".join([*map(json.dumps, rows), "", "no JSON"]) + "\n", encoding="utf-8")
    return path


def test_what_is_kept_stands_as_it_was_and_the_rest_has_reasons(tmp_path: Path) -> None:
    """Each record of the file is in one of the two files, those of which nothing is known too; by value is kept where it is asked for."""
    given = _file(tmp_path, reference=WORKED)
    options = ["--engine", "oracle", "-o", str(tmp_path / "out"), "--keep", str(tmp_path / "kept.jsonl")]
    for more, expected in (([], ["right"]), (["--by-value"], ["right", "answer alone"])):
        assert main(["verify", str(given), *options, *more]) == 1
        kept = read_lines(tmp_path / "kept.jsonl")
        rest = read_lines(tmp_path / "kept.rest.jsonl")
        assert [record["model"] for record in kept] == expected
        assert all(record["reference"] == WORKED for record in kept)
        assert len(kept) + len(rest) == len(SOLUTIONS) + 2
        assert all(row["reason"] for row in rest)
        about = json.loads((tmp_path / "kept.about.json").read_text(encoding="utf-8"))
        assert (about["kept"], about["records"]) == (len(kept), len(SOLUTIONS) + 2)
        assert sum(about["left"].values()) == len(rest)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--engine", "text"], "no record was judged by an oracle"),
        (["--engine", "oracle", "--precision", "1"], "--precision: expected a share"),
        (["--engine", "oracle", "--precision", "nan"], "--precision: expected a share"),
        (["--engine", "oracle"], "no record was judged by an oracle"),
    ],
)
def test_what_cannot_be_kept_is_refused(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without an oracle nothing is called safe, and a precision is a share below one."""
    kept = tmp_path / "kept.jsonl"
    assert main(["verify", str(_file(tmp_path)), "-o", str(tmp_path / "out"), "--keep", str(kept), *options]) == 2
    assert message in capsys.readouterr().err
    assert not kept.exists()


@pytest.mark.parametrize(
    ("output", "kept"), [("out", "solutions.jsonl"), ("solutions.jsonl", "kept"), ("k.rest.jsonl", "k")]
)
def test_no_file_is_overwritten_by_another(
    output: str, kept: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Input, output, the kept records and what stands beside them are different files, and the input stays."""
    given = _file(tmp_path, reference=WORKED)
    before = given.read_bytes()
    assert (
        main(["verify", str(given), "--engine", "oracle", "-o", str(tmp_path / output), "--keep", str(tmp_path / kept)])
        == 2
    )
    assert "would be overwritten" in capsys.readouterr().err
    assert given.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["solutions.jsonl"]
