"""Tests of the HTML report of the verifier stage: all figures, a sample of items and no active content."""

import io
import itertools
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from harness.solution.labels import ErrorClass
from harness.store.run_folder import Stage
from reports.html.verifier_page import SAMPLED, write_verifier
from reports.terminal.verifier_stage import print_verifier
from reports.views.artefacts import NotSealedError, TamperedError
from sft.evaluation.dataset_items import EvaluationItem
from sft.evaluation.judgement_run import seal_results
from sft.samples.items import Sample, Truth
from tests.reports.embedded import BLOB, Elements, blobs, strings

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = "</script><img src=x onerror=alert(1)>[bold]\x1b[31m\x00\u202e{{ board }}{% raise %}"
TRUTHS = (
    Truth(flawed=False),
    Truth(flawed=True, error_class=ErrorClass.COMPUTATIONAL, error_type="computational_error", line="L1"),
    Truth(flawed=True, error_class=ErrorClass.CONCEPTUAL, line="L2"),
)


def judged_run(folder: Path, *, label: str = "", count: int = 30, datasets: tuple[str, ...] = ("one", "two")) -> Path:
    """Seal a stage of two engines, one of which is always right; `label` follows every foreign text."""
    items = []
    for dataset, place in itertools.product(datasets, range(count)):
        truth = TRUTHS[place % 3]
        truth = Truth(
            truth.flawed, truth.error_class, truth.error_type, truth.line, f"because{label}" if truth.flawed else ""
        )
        sample = Sample(
            f"s{place}{label}",
            f"p{place}{label}",
            f"How much?{label}",
            f"1 + 1 = 3{label}\n2\n#### 3{label}",
            truth,
            "t",
            "none",
        )
        items.append(EvaluationItem(f"{dataset}{label}", sample))
        if truth.flawed:
            items.append(
                EvaluationItem(
                    f"{dataset}{label}",
                    Sample(f"s{place}~{label}", f"p{place}{label}", "q", "x", TRUTHS[0], "t", "none"),
                    "error-removed",
                    f"s{place}{label}",
                )
            )
    engines = {name: {one.key: answer(one, name, label) for one in items} for name in ("majority", "hybrid")}
    seal_results(Stage(folder / "verifier"), items, engines, rounds=50, seed=1, about={})
    return folder


def answer(one: EvaluationItem, engine: str, label: str) -> dict[str, Any]:
    """Return what an engine says: the truth, or that all is correct."""
    whole = {
        "dataset": one.dataset,
        "sample_id": one.sample.sample_id,
        "text": one.text,
        "signature": "",
        "seconds": 0.004,
    }
    truth = one.sample.truth
    if engine == "majority" or not truth.flawed:
        return {**whole, "verdict": "Correct", "error_details": None, "error_class": None, "confidence": 0.5}
    details = {"error_type": "computational_error", "erroneous_line_number": truth.line, "explanation": f"see{label}"}
    evidence = [{"line": "L1", "kind": f"false{label}", "found": f"3{label}", "expected": f"2{label}"}]
    return {
        **whole,
        "verdict": "Flawed",
        "error_details": details,
        "error_class": str(truth.error_class),
        "confidence": 0.9,
        "evidence": evidence,
    }


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the page of a run of two datasets."""
    return write_verifier(judged_run(tmp_path_factory.mktemp("page"))).read_text(encoding="utf-8")


def test_figures_stand_in_the_overview(written: str) -> None:
    """Each dataset and all together: tables, intervals, McNemar's p, a plot of each kind for each engine."""
    text = BLOB.sub("", written)
    assert text.count('<details class="dataset"') == 3
    assert text.count('<details class="dataset" open') == 1
    for wanted in ("All datasets together", "verdict against majority", "+20 −0, p 1.9e-06", "error-removed", "4.0 ms"):
        assert wanted in text
    plots = Counter(a["id"].split("-")[0] for tag, a in elements(text).tags if tag == "title" and a.get("id"))
    assert plots == {"forest": 9, "confusion": 6, "reliability": 6}


def elements(page: str) -> Elements:
    """Return the elements of a page."""
    parser = Elements()
    parser.feed(page)
    return parser


def test_twenty_items_of_each_dataset_are_held_whole(written: str) -> None:
    """Their lines, truth and what each engine said; relatives are not among them; the same run gives the same ones."""
    held = blobs(written)
    rows = held["index"]["items"]
    assert Counter(row[1] for row in rows) == {"one": SAMPLED, "two": SAMPLED}
    assert not [row for row in rows if "~" in row[0]]
    for place, row in enumerate(rows):
        lines, _, answers = held[f"chunk-{place // held['index']['chunk']}"][place % held["index"]["chunk"]]
        assert lines == [["L1", "1 + 1 = 3"], ["L2", "2"], ["FA", "3"]]
        assert row[7] == [0, row[4]]
        assert [one[0] for one in answers] == ["", row[6]]


def test_hostile_text_is_embedded_and_acts_nowhere(tmp_path: Path) -> None:
    """Names of datasets, ids, texts, answers and evidence: unchanged in the data, escaped or absent outside."""
    page = write_verifier(judged_run(tmp_path, label=HOSTILE, count=6)).read_text(encoding="utf-8")
    assert sum(HOSTILE in text for text in strings(blobs(page))) > 60
    static = BLOB.sub("", page)
    assert not [part for part in ("<img", "\x1b", "\x00", "\u202e", HOSTILE) if part in static]
    assert not [tag for tag, _ in elements(static).tags if tag == "img"]


def test_same_run_gives_same_bytes(tmp_path: Path) -> None:
    """Writing the page twice gives the same file."""
    run = judged_run(tmp_path, count=6)
    assert write_verifier(run).read_bytes() == write_verifier(run).read_bytes()


@pytest.mark.parametrize("label", ["", HOSTILE])
def test_terminal_tells_the_figures(tmp_path: Path, label: str) -> None:
    """Engines, intervals and pairs, in eighty columns; foreign text is shown, not acted on."""
    stream = io.StringIO()
    print_verifier(judged_run(tmp_path, count=6, label=label), Console(file=stream, width=80, force_terminal=False))
    text = stream.getvalue()
    lines = [line for line in text.splitlines() if not line.startswith("in a browser")]
    assert max(map(len, lines)) <= 80
    for wanted in ("majority", "hybrid", "1.000", "error-removed", "McNemar"):
        assert wanted in text
    assert not {"\x1b", "\x00", "\u202e"} & set(text)


def test_stage_that_is_absent_open_or_changed_is_refused(tmp_path: Path) -> None:
    """The message has the command that makes it; a changed answer is found."""
    (tmp_path / "none").mkdir()
    with pytest.raises(
        NotSealedError, match=r"no verifier stage; run it: oracle-factory evaluate .*--out .*none/verifier"
    ):
        write_verifier(tmp_path / "none")
    run = judged_run(tmp_path / "some", count=6)
    path = run / "verifier" / "predictions-hybrid.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("0.9", "0.8"), encoding="utf-8")
    with pytest.raises(TamperedError, match=r"predictions-hybrid\.jsonl: expected sha256"):
        write_verifier(run)
    (run / "verifier" / "manifest.json").unlink()
    with pytest.raises(NotSealedError):
        write_verifier(run)


def test_page_opens_in_a_browser(page: "Page", tmp_path: Path, complaints: list[str]) -> None:
    """The list filters, an item opens with its lines and answers, and hostile text stays text."""
    tab: Any = page
    tab.goto(write_verifier(judged_run(tmp_path, label=HOSTILE, count=6)).resolve().as_uri())
    tab.wait_for_selector("#items tbody tr")
    tab.get_by_role("button", name="flawed").first.click()
    tab.locator("#items tbody a").first.click()
    tab.wait_for_selector("#item h1")
    text = tab.locator("#item").inner_text()
    assert "accused by hybrid" in text
    assert "Correct" in text
    assert (tab.locator("#item img").count(), complaints) == (0, [])
