"""What the pages of a run embed: every record that they list, whole, and no more of them than a browser opens at once."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from harness.errors import HarnessError
from harness.text.characters import spaced
from reports.html.certified_page import FLAWS_PAGE, VARIANTS_PAGE
from reports.html.verifier_page import SAMPLED
from reports.views.artefacts import open_stage
from reports.views.certified_records import FLAWS, VARIANTS, CertifiedStage
from reports.views.phrases import VARIANT_CLASSES
from reports.views.run_summary import RunSummary
from tests.cases import cases
from tests.reports.embedded import blobs, strings
from tests.reports.html.labelled import flagged
from tests.reports.html.report_pages import LABELS, PAGES, ReportPage
from tests.reports.judged import judged_run
from tests.reports.stage_records import STAGE_RECORDS, Stage, copied_records, seal_stage

Write = Callable[[Path], Path]

both = cases(("kind", "write"), [(FLAWS, FLAWS_PAGE.write), (VARIANTS, VARIANTS_PAGE.write)])
NAMES = """ut1 ut2 ut3 CONFIRMED REFUTED UNKNOWN name value type provenance comment left right similarity aligned unaligned_left
unaligned_right runner_up score model against reason counterexample inputs gold_answer 5 7 variable role line code reads parts
literals candidates given text cause found expected question_input world_knowledge_input input said error_type explanation"""
"""Names of fields and of values that pages hold as numbers, and outputs that they hold in sentences."""


def items(page: str, name: str) -> list[tuple[list[Any], Any]]:
    """Return the rows of the index with the details of their items."""
    held = blobs(page)
    chunk = held["index"]["chunk"]
    return [(row, held[f"chunk-{place // chunk}"][place % chunk]) for place, row in enumerate(held["index"][name])]


def records_in(stage: Stage, kind: CertifiedStage[Any]) -> dict[str, dict[str, Any]]:
    """Return the records of a stage by their ids."""
    names = [name.removesuffix(".jsonl") for name in kind.artefacts]
    return {record[f"{kind.noun}_id"]: record for name in names for record in stage[name]}


@cases("stage", ["formalization", "template", "label"])
def test_page_holds_every_record(tmp_path: Path, stage: str) -> None:
    """Each text of each artefact can be read back from what the page embeds."""
    report = {"formalization": PAGES[0], "template": PAGES[1], "label": LABELS}[stage]
    records = {"flagged": list(map(flagged, range(40)))} if stage == "label" else STAGE_RECORDS[stage]()
    held = set(strings(blobs(report.text(seal_stage(tmp_path, stage, records)))))
    files = {name: listed for name, listed in records.items() if name != "tiers"}
    texts = {text for listed in files.values() for record in listed for text in strings(list(record.values()))}
    if stage == "template":  # the lines of a trace are its problem's solution
        texts -= {problem["solution"] for problem in records["problems"]}
    assert texts - held - set(NAMES.split()) == set()


def test_page_opens_with_what_came_of_the_run(run: Path) -> None:
    """The first paragraph is the sentence that the terminal opens with, its problems are links; a counterexample is in words."""
    page = PAGES[0].text(run)
    body = page[page.index("<main") :]
    opening = body[body.index("<p") : body.index("</p>")]
    assert re.sub("<[^>]*>", "", opening) == RunSummary.of(open_stage(run)).outcome
    assert re.findall('href="([^"]*)"', opening) == ["#/problem/p-1", "#/problem/p-2"]
    assert "with b = 1, ada gives 7, cyd 5" in strings(blobs(page))


def test_many_problems_are_divided(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More problems than a file may hold are in further files: each in one of them with all it has, each file linked from all."""
    whole = set(strings(blobs(PAGES[0].text(run))))
    monkeypatch.setattr("reports.html.formalization_page.MOST_PROBLEMS", 1)
    index, names = PAGES[0].write(run), ["index.html", "index-2.html"]
    assert sorted(path.name for path in index.parent.glob("index*")) == sorted(names)
    texts = [(index.parent / name).read_text(encoding="utf-8") for name in names]
    for own, text in zip(names, texts, strict=True):
        assert all(text.count(f'href="{name}"') == (name != own) for name in names)
    embedded = [set(strings(blobs(text))) for text in texts]
    assert [[name for name in ("p-1", "p-2") if name in own] for own in embedded] in (
        [["p-1"], ["p-2"]],
        [["p-2"], ["p-1"]],
    )
    assert set().union(*embedded) == whole
    monkeypatch.undo()
    PAGES[0].write(run)
    assert [path.name for path in index.parent.glob("index*")] == ["index.html"]


@cases(
    ("report", "most", "list_name"),
    [
        (PAGES[2], "certified_page.MOST_RECORDS", "items"),
        (PAGES[3], "certified_page.MOST_RECORDS", "items"),
        (LABELS, "labels_page.MOST_LISTED", "labels"),
    ],
)
def test_long_list_is_divided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, report: ReportPage, most: str, list_name: str
) -> None:
    """Each record is in one of the files, with all that one file would hold; each file links the others and the operators it lists; a shorter list leaves none."""
    labels = {"flagged": list(map(flagged, range(9)))}
    run = seal_stage(
        tmp_path / "run",
        report.stage,
        labels if report is LABELS else copied_records(STAGE_RECORDS[report.stage](), 2, report.noun),
    )
    whole = {row[0]: [row, details] for row, details in items(report.text(run), list_name)}
    monkeypatch.setattr(f"reports.html.{most}", size := -(-len(whole) // 3))
    path = report.write(run)
    pages = {page.name: page.read_text(encoding="utf-8") for page in path.parent.iterdir()}
    parts = [{row[0]: [row, details] for row, details in items(text, list_name)} for text in pages.values()]
    assert sorted(pages) == sorted([path.name, *(f"{path.stem}-{number}.html" for number in (2, 3))])
    assert all(0 < len(part) <= size for part in parts)
    assert {name: item for part in parts for name, item in part.items()} == whole
    assert sum(map(len, parts)) == len(whole)
    assert all(text.count(f'href="{other}"') == (other != name) for name, text in pages.items() for other in pages)
    for text, part in zip(pages.values(), parts, strict=True):
        operators = {str(row[2]) for row, _ in part.values()} if report is not LABELS else set()
        assert set(re.findall(r'"#/\?operator=([^"]*)"', text)) == {quote(spaced(name)) for name in operators}
    monkeypatch.undo()
    assert [page.name for page in report.write(run).parent.iterdir()] == [path.name]


def test_label_of_another_form_is_refused(tmp_path: Path) -> None:
    """A record of another form is refused with its place."""
    odd = seal_stage(tmp_path / "odd", "label", {"flagged": [{**flagged(0), "lines": 7}]})
    with pytest.raises(HarnessError, match=r"flagged\.jsonl:1: lines"):
        LABELS.write(odd)


@both
def test_page_holds_records_whole(tmp_path: Path, kind: CertifiedStage[Any], write: Write) -> None:
    """Every text of a listed record can be read back, both sides read as in the record, and each says what it rests on."""
    stage = STAGE_RECORDS[kind.stage]()
    page = write(seal_stage(tmp_path / "run", kind.stage, stage)).read_text("utf-8")
    texts, records = set(strings(blobs(page))), records_in(stage, kind)
    for row, shown in items(page, "items"):
        record = records[row[0]]
        certificate, provenance = record["certificate"], record.get("provenance")
        if kind.noun == "flaw":
            sides = [
                "\n".join(
                    "".join(piece["text"] for piece in line[side]) for line in shown["lines"] if line[side] is not None
                )
                for side in ("before", "after")
            ]
            assert sides == [record["solution"], record["flawed_solution"]]
            program, details = certificate["mutant"] or certificate["oracle"], record["label"]["error_details"]
            wanted = [text for name, text in details.items() if name != "alias"]
            change = dict(record["mutation"])
            wanted += [
                *change.pop("changed").values(),
                *change.values(),
                *record["plausibility"]["reasons"],
                *record["edits"],
            ]
            wanted += [*strings([program["inputs"], program["steps"]]), *certificate["stated"].values()]
        else:
            sides = ["".join(piece["text"] for piece in pieces) for pieces in shown["texts"]]
            assert sides == [record["question"], record["modified_problem_text"]]
            assert (row[7], len(shown["core"])) == (VARIANT_CLASSES[record["class_label"]], len(record["core"]))
            wanted = [certificate["smtlib"], record["reasoning_trace"]]
            wanted += [value for model in record["models"] for value in model.values()]
        assert [text for text in [*wanted, record["question"], record["model"]] if text not in texts] == []
        support = (
            [None] * 3
            if provenance is None
            else [provenance["clique_size"] or 0, provenance["confidence"], provenance["p_right"]]
        )
        assert row[4:7] == support
        assert {None: "not recorded", 0: "UT-1 alone"}.get(support[0], f"a clique of {support[0]}") in shown["rests_on"]


def test_twenty_items_of_each_dataset_are_held_whole(tmp_path: Path) -> None:
    """Their lines, truth and what each engine said; relatives are not among them; the same run gives the same ones."""
    page = PAGES[4].text(judged_run(tmp_path))
    listed = items(page, "items")
    assert Counter(row[1] for row, _ in listed) == {"one": SAMPLED, "two": SAMPLED}
    assert not [row for row, _ in listed if "~" in row[0]]
    for row, (lines, _, answers) in listed:
        assert lines == [["L1", "1 + 1 = 3"], ["L2", "2"], ["FA", "3"]]
        assert row[7] == [0, row[4]]
        assert [answer[0] for answer in answers] == ["", row[6]]
    assert page.count('<details class="dataset"') == 3
