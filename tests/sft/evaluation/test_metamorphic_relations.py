"""Tests of metamorphic relations: related samples keep or change their label as the relation says."""

import random
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from harness.errors import HarnessError
from harness.store.run_folder import RunFolder
from sft.evaluation.dataset_items import read_items
from sft.evaluation.metamorphic_relations import (
    MEN,
    WOMEN,
    exchangeable_places,
    other_names,
    other_order,
    people,
    related_items,
    renamed,
    renaming,
    stage_pairs,
)
from sft.samples.items import Sample
from tests.cases import cases
from tests.reports.stage_records import mutation_records, seal_stage, variant_records
from tests.sft.judged_files import FLAWED, RECORDS, write


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    """Return a flawed sample whose correct original is known."""
    return read_items([write(tmp_path / "x.jsonl", RECORDS["human"])])[1].sample


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run with sealed mutation and variant stages of two problems of the bundled corpus."""
    folder = tmp_path_factory.mktemp("run")
    problems = ("mini-001", "mini-002")
    seal_stage(folder, "mutation", mutation_records(problems))
    return seal_stage(folder, "variant", variant_records(problems))


@given(
    st.lists(st.sampled_from(["Maria", "Tom", "Anna", "pays", "5", "Maria's", "tom", "Mark", "April"]), max_size=12),
    st.integers(0, 99),
)
@settings(max_examples=50)
def test_renaming_keeps_who_is_who(words: list[str], seed: int) -> None:
    """As many people as before, each of the same sex, nobody called like another, and back again it is the same text."""
    text = " ".join(words)
    names = renaming(text, random.Random(seed))
    other = renamed(text, names)
    assert set(names) == set(people(text)) == {word.removesuffix("'s") for word in words} & (WOMEN | MEN)
    assert len(set(names.values())) == len(names)
    assert all((name in WOMEN) == (new in WOMEN) for name, new in names.items())
    assert renamed(other, {new: name for name, new in names.items()}) == text


def test_names_change_in_question_and_solution_alike(sample: Sample) -> None:
    """The other texts hold none of the old names, the same numbers, and the same label."""
    other = other_names(sample, random.Random(1))
    assert other is not None
    for name in ("question", "solution", "reference"):
        before, after = getattr(sample, name), getattr(other, name)
        assert before != after
        assert not re.search("Maria|Tom", after)
        assert re.findall(r"\d+", before) == re.findall(r"\d+", after)
    assert (other.truth.line, other.problem_id) == (sample.truth.line, sample.problem_id)


def test_independent_lines_change_places_and_the_label_goes_along(sample: Sample) -> None:
    """Only the first two lines need not stand in this order; the wrong one is now the first."""
    other = other_order(sample, random.Random(1))
    assert other is not None
    first, second, *rest = FLAWED.split("\n")
    assert other.solution.split("\n") == [second, first, *rest]
    assert (other.truth.line, other.position) == ("L1", "first")


@cases(
    "lines",
    [
        ["3*4 = 12", "12+1 = 13"],
        ["Maria pays 3*4 = 12 dollars.", "Tom pays 5*2 = 10 dollars.", "That is 10-9 = 1 more."],
        ["Maria pays a lot.", "Tom pays 5*2 = 10 dollars."],
        ["Maria pays 3*4 = 12 dollars.", "Tom pays 12*2 = 24 dollars."],
    ],
)
def test_lines_that_hang_together_stay(lines: list[str]) -> None:
    """A number of the other, a line that takes what one of them gives, or a line without an equation keeps the order."""
    assert exchangeable_places(lines)[:1] != [0]


def test_relatives_name_what_they_were_made_of(tmp_path: Path) -> None:
    """Each has an id of its own, a relation and an original; the same seed gives the same ones."""
    items = read_items([write(tmp_path / "x.jsonl", RECORDS["human"])])
    made = related_items(items, 0)
    assert [item.relation for item in made] == ["renamed", "reordered", "renamed", "reordered", "error-removed"]
    assert {item.of for item in made} == {item.sample.sample_id for item in items}
    assert len({item.key for item in [*items, *made]}) == len(items) + len(made)
    assert made == related_items(items, 0)


def test_pairs_of_sealed_stages(run: Path) -> None:
    """Flaws and variants of a run come with relatives whose truth is the originals' or the opposite, as the relation says."""
    pairs = stage_pairs(run, 0, 0)
    originals = {item.key: item for item in pairs if not item.relation}
    found = {item.relation for item in pairs} - {""}
    assert {"error-removed", "renumbered", "reordered"} <= found
    for item in pairs:
        if item.relation:
            before = originals[item.dataset, item.of]
            assert (before.sample.truth.flawed != item.sample.truth.flawed) == (item.relation == "error-removed")
            assert before.sample.problem_id == item.sample.problem_id
        if item.relation == "renumbered":
            assert item.sample.question != originals[item.dataset, item.of].sample.question


def test_changed_stage_is_refused(run: Path, tmp_path: Path) -> None:
    """What was changed after it was sealed is not evaluated on."""
    changed = tmp_path / "changed"
    shutil.copytree(run, changed)
    path = RunFolder(changed).stage("mutation").folder / "conceptual.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("L1", "L2"), encoding="utf-8")
    with pytest.raises(HarnessError, match="was changed after the stage was sealed"):
        stage_pairs(changed, 0, 0)
