"""Tests of stratified samples: they depend on the seed, not on the order, and misuse is reported in one line."""

import gzip
import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from generators.flaws.stratified_sample import drawn_records, stratum_of
from oracle_factory.command import main
from tests.cases import cases

Record = dict[str, Any]


def record(number: int, *, tier: int = 1, kind: str = "operator_swap", problem: int = 0) -> Record:
    """Return a flawed solution as far as sampling looks at it."""
    label = {"error_details": {"error_type": kind}}
    return {"flaw_id": f"f{number}", "problem_id": f"p{problem}", "tier": tier, "position": "early", "label": label}


@st.composite
def made(draw: st.DrawFn) -> list[Record]:
    """Draw flawed solutions with different ids."""
    facts = st.tuples(st.integers(1, 2), st.sampled_from(["operator_swap", "skipped_step"]), st.integers(0, 3))
    drawn = draw(st.lists(facts, max_size=40))
    return [record(number, tier=tier, kind=kind, problem=which) for number, (tier, kind, which) in enumerate(drawn)]


@settings(max_examples=60)
@given(made(), st.integers(1, 5), st.none() | st.integers(1, 3), st.randoms(use_true_random=False))
def test_each_stratum_gives_what_it_has_up_to_the_limits(
    records: list[Record], most: int, limit: int | None, random: Random
) -> None:
    """Existing records, each once, at most so many of a stratum and of one problem in it, and no fewer; in any order."""
    drawn = drawn_records(records, per_stratum=most, per_problem=limit)
    there = Counter((stratum_of(record), record["problem_id"]) for record in records)
    left: Counter[tuple[str, str, str]] = Counter()
    for (stratum, _), count in there.items():
        left[stratum] += min(count, limit or count)
    assert Counter(map(stratum_of, drawn)) == {stratum: min(count, most) for stratum, count in left.items()}
    counts = Counter((stratum_of(record), record["problem_id"]) for record in drawn)
    assert limit is None or all(count <= limit for count in counts.values())
    assert len({record["flaw_id"] for record in drawn}) == len(drawn)
    assert all(record in records for record in drawn)
    shuffled = random.sample(records, len(records))
    assert drawn_records(shuffled, per_stratum=most, per_problem=limit) == drawn


@pytest.mark.parametrize("name", ["flaws.jsonl", "flaws.jsonl.gz"])
def test_a_file_is_sampled(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """To standard output, or to a file with a count."""
    records = [record(number, tier=number % 2 + 1) for number in range(10)]
    path, target = tmp_path / name, tmp_path / "sample.jsonl"
    text = "".join(f"{json.dumps(record)}\n" for record in records).encode()
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    assert main(["sample", str(path), "--per-stratum", "3", "--seed", "4"]) == 0
    printed = capsys.readouterr().out
    assert main(["sample", str(path), "--per-stratum", "3", "--seed", "4", "-o", str(target)]) == 0
    assert target.read_text() == printed
    assert [json.loads(line) for line in printed.splitlines()] == drawn_records(records, per_stratum=3, seed=4)
    told = "6 flawed solutions of 2 strata (tier, position, type of error), at most 3 of each"
    assert told in capsys.readouterr().err


BROKEN_ARCHIVE = gzip.compress(json.dumps(record(1)).encode())[:-20]
ODD_IDS = {"flaw_id": 1, "problem_id": "p", "tier": 1, "position": "x", "label": {"error_details": {"error_type": "y"}}}


@cases(
    "content",
    [
        b'{"flaw_id": "a"}\n',
        b"[]\n",
        b"null\n",
        b"\x1b[31mred\n",
        b"\xff\xfe\n",
        b"[" * 100_000 + b"\n",
        b"9" * 5_000 + b"\n",
        json.dumps({**ODD_IDS, "flaw_id": ["x"], "label": {"error_details": []}}).encode(),
        json.dumps({**ODD_IDS, "flaw_id": "a", "problem_id": []}).encode(),
        json.dumps(ODD_IDS).encode(),
        BROKEN_ARCHIVE,
    ],
)
def test_bad_input_is_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    """A bad record is one message with its line, and status 2; no raw text reaches the terminal."""
    path = tmp_path / ("flaws.jsonl.gz" if content == BROKEN_ARCHIVE else "flaws.jsonl")
    path.write_bytes(content)
    assert main(["sample", str(path), "--per-problem", "2"]) == 2
    message = capsys.readouterr().err
    assert content == BROKEN_ARCHIVE or ":1: expected a flawed solution" in message
    assert message.startswith(f"oracle-factory sample: {path}")
    assert message.count("\n") == 1
    assert "\x1b" not in message
    assert len(message) < 1_000
