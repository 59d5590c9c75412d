"""Tests of the HTML report of a run: one self-contained file with the whole run and no active content."""

import base64
import hashlib
import json
from pathlib import Path

import pytest

from reports.html import page as writing
from reports.html.run_report import write_report
from tests.reports.embedded import BLOB, Elements, blobs, strings


@pytest.fixture
def page(run: Path) -> str:
    """Return the page of the small run."""
    return write_report(run).read_text(encoding="utf-8")


def test_report_is_written_into_the_run(run: Path) -> None:
    """The page is `report/index.html` of its run, and nothing else is left beside it."""
    path = write_report(run)
    assert (path, list(path.parent.iterdir())) == (run / "report" / "index.html", [path])


def test_same_run_gives_same_bytes(run: Path) -> None:
    """Writing the page twice gives the same file."""
    assert write_report(run).read_bytes() == write_report(run).read_bytes()


def test_page_holds_every_record(page: str, run: Path) -> None:
    """Each text of each artefact can be read back from what the page embeds."""
    held = set(strings(blobs(page)))
    names = ("problems", "programs", "verdicts", "consensus")
    lines = [line for name in names for line in (run / "formalization" / f"{name}.jsonl").read_text().splitlines()]
    values = {text for line in lines for record in [json.loads(line)] for text in strings(list(record.values()))}
    schema = {"ut1", "ut2", "ut3", "CONFIRMED", "REFUTED", "UNKNOWN", "name", "value", "type", "provenance", "comment"}
    schema |= {"left", "right", "similarity", "aligned", "unaligned_left", "unaligned_right", "runner_up", "score"}
    schema |= {"model", "against", "reason", "counterexample", "inputs", "5", "7"}
    assert values - schema <= held


def test_page_says_how_programs_differ(page: str) -> None:
    """The counterexample is in the page in words."""
    assert "with b = 1 and everything else as in the problem: left 7, right 5" in strings(blobs(page))


def test_page_refers_to_nothing_outside(page: str) -> None:
    """No element of the page has an address other than a place in the page."""
    elements = Elements()
    elements.feed(page)
    addresses = [
        value for _, attributes in elements.tags for name in ("src", "href") if (value := attributes.get(name))
    ]
    assert all(address.startswith("#") for address in addresses)


def test_policy_allows_only_this_script_and_style(page: str) -> None:
    """The Content-Security-Policy names the hashes of the one script and the one style, and no origin."""
    elements = Elements()
    elements.feed(page)
    policy = next(a["content"] for tag, a in elements.tags if tag == "meta" and "http-equiv" in a)
    hashes = [
        base64.b64encode(hashlib.sha256(elements.inline[tag].encode()).digest()).decode() for tag in ("style", "script")
    ]
    assert policy == (
        "default-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
        f"trusted-types 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'"
    )


def test_hostile_text_stays_in_the_blob(hostile_run: Path, hostile: str) -> None:
    """Hostile text of every field is embedded unchanged, and appears nowhere outside the base64."""
    page = write_report(hostile_run).read_text(encoding="utf-8")
    static = BLOB.sub("", page)
    assert sum(hostile in text for text in strings(blobs(page))) > 60
    assert not [part for part in ("<img", "\x1b", "\x00", "\u202e", hostile) if part in static]


def test_hostile_text_adds_no_element(hostile_run: Path, run: Path) -> None:
    """The page of a hostile run has the elements of the page of a harmless one."""
    tags = []
    for each in (hostile_run, run):
        elements = Elements()
        elements.feed(write_report(each).read_text(encoding="utf-8"))
        tags.append([(tag, sorted(attributes)) for tag, attributes in elements.tags])
    assert tags[0] == tags[1]


def test_plots_have_accessible_titles(page: str) -> None:
    """Each plot is an image with a title, and each heat cell says its pair."""
    assert page.count('<svg viewBox="') == page.count('role="img" aria-labelledby="plot-') == 3
    assert "<title>ada and bob: 100.0% of 1 decided pairs confirmed</title>" in page


def test_empty_run_has_a_page(empty_run: Path) -> None:
    """A run without problems gives a page without problems."""
    index = blobs(write_report(empty_run).read_text(encoding="utf-8"))
    assert (list(index), index["index"]["problems"]) == (["index"], [])


def test_interrupted_write_keeps_the_old_page(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that fails halfway leaves the page as it was, and no fragment."""
    path = write_report(run)
    before = path.read_bytes()

    def fail(*_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing, "_compressed", fail)
    with pytest.raises(OSError, match="No space left"):
        write_report(run)
    assert (path.read_bytes(), list(path.parent.iterdir())) == (before, [path])
