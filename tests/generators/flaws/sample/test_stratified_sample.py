"""Tests of stratified samples: they depend on the seed, not on the order, and misuse is reported in one line."""

import gzip
import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from generators.flaws.sample.stratified_sample import sample, stratum_of
from oracle_factory.command import main
from tests.cases import cases

Record = dict[str, Any]


def record(
    number: int, *, tier: int = 1, position: str = "early", kind: str = "operator_swap", problem: int = 0
) -> Record:
    """Return a flawed solution as far as sampling looks at it."""
    label = {"error_details": {"error_type": kind}}
    return {"flaw_id": f"f{number}", "problem_id": f"p{problem}", "tier": tier, "position": position, "label": label}


@st.composite
def made(draw: st.DrawFn) -> list[Record]:
    """Draw flawed solutions with different ids."""
    return [
        record(
            number,
            tier=draw(st.integers(1, 2)),
            position=draw(st.sampled_from(["early", "late"])),
            kind=draw(st.sampled_from(["operator_swap", "skipped_step"])),
            problem=draw(st.integers(0, 3)),
        )
        for number in range(draw(st.integers(0, 40)))
    ]


@settings(max_examples=60)
@given(made(), st.integers(1, 5), st.integers(0, 3))
def test_each_stratum_gives_what_it_has_up_to_the_limit(records: list[Record], most: int, seed: int) -> None:
    """Each stratum gives existing records, each once, up to the limit."""
    drawn = sample(records, per_stratum=most, seed=seed)
    there = Counter(map(stratum_of, records))
    assert Counter(map(stratum_of, drawn)) == {stratum: min(count, most) for stratum, count in there.items()}
    assert len({record["flaw_id"] for record in drawn}) == len(drawn)
    assert all(record in records for record in drawn)


@settings(max_examples=60)
@given(made(), st.integers(1, 5), st.randoms(use_true_random=False))
def test_order_does_not_matter(records: list[Record], most: int, random: Random) -> None:
    """The same records in another order give the same sample in the same order."""
    shuffled = list(records)
    random.shuffle(shuffled)
    for limit in (None, 2):
        assert sample(records, per_stratum=most, per_problem=limit) == sample(
            shuffled, per_stratum=most, per_problem=limit
        )


@settings(max_examples=60)
@given(made(), st.integers(1, 5), st.integers(1, 3))
def test_problems_are_limited_within_a_stratum(records: list[Record], most: int, limit: int) -> None:
    """At most the given number of one problem is drawn, and no fewer than that allows."""
    drawn = sample(records, per_stratum=most, per_problem=limit)
    counts = Counter((stratum_of(record), record["problem_id"]) for record in drawn)
    there = Counter((stratum_of(record), record["problem_id"]) for record in records)
    left: Counter[tuple[str, str, str]] = Counter()
    for (stratum, _), count in there.items():
        left[stratum] += min(count, limit)
    assert all(count <= limit for count in counts.values())
    assert Counter(map(stratum_of, drawn)) == {stratum: min(count, most) for stratum, count in left.items()}


@settings(max_examples=60)
@given(made(), st.integers(1, 5))
def test_a_stratum_is_drawn_by_itself(records: list[Record], most: int) -> None:
    """More records elsewhere change nothing, and a larger sample holds the smaller one."""
    early = [record for record in records if record["position"] == "early"]
    drawn = sample(records, per_stratum=most)
    assert [record for record in drawn if record["position"] == "early"] == sample(early, per_stratum=most)
    assert all(record in sample(records, per_stratum=most + 1) for record in drawn)


def test_seeds_draw_differently() -> None:
    """Of a hundred records ten are drawn, and each is drawn about as often as any other."""
    records = [record(number) for number in range(100)]
    samples = [sample(records, per_stratum=10, seed=seed) for seed in range(60)]
    assert len({tuple(record["flaw_id"] for record in drawn) for drawn in samples}) == 60
    often = Counter(record["flaw_id"] for drawn in samples for record in drawn)
    assert len(often) == 100
    assert max(often.values()) < 20


def written(folder: Path, name: str, records: list[Record]) -> Path:
    """Write records, compressed where the name says so."""
    path = folder / name
    lines = "".join(f"{json.dumps(record)}\n" for record in records).encode()
    path.write_bytes(gzip.compress(lines) if name.endswith(".gz") else lines)
    return path


@pytest.mark.parametrize("name", ["flaws.jsonl", "flaws.jsonl.gz"])
def test_a_file_is_sampled(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """To standard output, or to a file with a count."""
    records = [record(number, tier=number % 2 + 1) for number in range(10)]
    path, target = written(tmp_path, name, records), tmp_path / "sample.jsonl"
    assert main(["sample", str(path), "--per-stratum", "3", "--seed", "4"]) == 0
    printed = capsys.readouterr().out
    assert main(["sample", str(path), "--per-stratum", "3", "--seed", "4", "-o", str(target)]) == 0
    assert target.read_text() == printed
    assert [json.loads(line) for line in printed.splitlines()] == sample(records, per_stratum=3, seed=4)
    assert (
        "6 flawed solutions of 2 strata (tier, position, type of error), at most 3 of each" in capsys.readouterr().err
    )


BROKEN_ARCHIVE = gzip.compress(json.dumps(record(1)).encode())[:-20]


@cases(
    ("content", "said"),
    [
        (b'{"flaw_id": "a"}\n', ":1: expected a flawed solution"),
        (b"[]\n", ":1: expected a flawed solution"),
        (b"null\n", ":1: expected a flawed solution"),
        (b"\x1b[31mred\n", ":1: expected a flawed solution"),
        (b"\xff\xfe\n", ":1: expected a flawed solution"),
        (b"[" * 100_000 + b"\n", ":1: expected a flawed solution"),
        (b'{"flaw_id": ["x"], "problem_id": {}, "tier": 1, "position": 2, "label": {"error_details": []}}\n', ":1:"),
        (
            b'{"flaw_id": "a", "problem_id": [], "tier": 1, "position": "x", "label": {"error_details": {"error_type": "y"}}}\n',
            "",
        ),
        (
            b'{"flaw_id": 1, "problem_id": "p", "tier": 1, "position": "x", "label": {"error_details": {"error_type": "y"}}}\n',
            "",
        ),
        (b"9" * 5_000 + b"\n", ":1: expected a flawed solution"),
        (BROKEN_ARCHIVE, "flaws.jsonl.gz"),
    ],
)
def test_bad_input_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, said: str
) -> None:
    """A bad record is one message with its line, and status 2; no raw text reaches the terminal."""
    path = tmp_path / ("flaws.jsonl.gz" if content == BROKEN_ARCHIVE else "flaws.jsonl")
    path.write_bytes(content)
    assert main(["sample", str(path), "--per-problem", "2"]) == 2
    message = capsys.readouterr().err
    assert said in message
    assert message.startswith("oracle-factory sample: ")
    assert message.count("\n") == 1
    assert "\x1b" not in message
    assert len(message) < 1_000
