"""Tests of the HTML report of a run: one self-contained file with the whole run and no active content."""

import json
from pathlib import Path

import pytest

from reports.html.formalization_page import write_report
from reports.terminal.formalization_stage import outcome_sentence
from tests.reports.embedded import blobs, strings


@pytest.fixture
def page(run: Path) -> str:
    """Return the page of the small run."""
    return write_report(run).read_text(encoding="utf-8")


def test_page_holds_every_record(page: str, run: Path) -> None:
    """Each text of each artefact can be read back from what the page embeds."""
    held = set(strings(blobs(page)))
    names = ("problems", "programs", "verdicts", "consensus")
    lines = [line for name in names for line in (run / "formalization" / f"{name}.jsonl").read_text().splitlines()]
    values = {text for line in lines for record in [json.loads(line)] for text in strings(list(record.values()))}
    schema = {"ut1", "ut2", "ut3", "CONFIRMED", "REFUTED", "UNKNOWN", "name", "value", "type", "provenance", "comment"}
    schema |= {"left", "right", "similarity", "aligned", "unaligned_left", "unaligned_right", "runner_up", "score"}
    schema |= {"model", "against", "reason", "counterexample", "inputs", "gold_answer", "5", "7"}
    assert values - schema <= held


def test_page_opens_with_what_came_of_the_run(page: str, run: Path) -> None:
    """The first paragraph is the sentence that the terminal ends with."""
    body = page[page.index("<main") :]
    first = body[body.index("<p") : body.index("</p>")]
    assert first.partition(">")[2] == outcome_sentence(run)


def test_page_says_how_programs_differ(page: str) -> None:
    """The counterexample is in the page in words."""
    assert "with b = 1 and everything else as in the problem: left 7, right 5" in strings(blobs(page))


def test_plots_have_accessible_titles(page: str) -> None:
    """Each plot is an image with a title, and each heat cell says its pair."""
    assert page.count('<svg viewBox="') == page.count('role="img" aria-labelledby="plot-') == 7
    assert "<title>ada and bob: 100.0% of 1 decided pairs confirmed</title>" in page


def test_many_problems_are_divided(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More problems than a file may hold are in further files: each in one of them with all it has, each file linked from all."""
    whole = set(strings(blobs(write_report(run).read_text(encoding="utf-8"))))
    monkeypatch.setattr("reports.html.formalization_page.MOST_PROBLEMS", 1)
    index = write_report(run)
    ids = sorted(
        json.loads(line)["problem_id"] for line in (run / "formalization" / "problems.jsonl").read_text().splitlines()
    )
    names = ["index.html", *(f"index-{number}.html" for number in range(2, len(ids) + 1))]
    assert sorted(path.name for path in index.parent.glob("index*")) == sorted(names)
    assert len(ids) > 1
    texts = [(index.parent / name).read_text(encoding="utf-8") for name in names]
    assert all(
        text.count(f'href="{name}"') == (name != own) for own, text in zip(names, texts, strict=True) for name in names
    )
    embedded = [set(strings(blobs(text))) for text in texts]
    assert sorted(name for own in embedded for name in ids if name in own) == ids
    assert set().union(*embedded) == whole
    monkeypatch.undo()
    write_report(run)
    assert [path.name for path in index.parent.glob("index*")] == ["index.html"]
