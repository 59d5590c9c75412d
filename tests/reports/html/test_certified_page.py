"""Tests of the HTML of flawed solutions and of variants: all counts, and a bounded sample that is held whole."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reports.html import flaws_page, variants_page
from reports.views.certified_stage import CertifiedStage
from reports.views.flaws import FLAWS
from reports.views.record_titles import VARIANT_CLASSES
from reports.views.variants import VARIANTS
from tests.cases import cases
from tests.reports.embedded import blobs, strings
from tests.reports.stage_records import STAGE_RECORDS, Stage, copied_records, seal_stage

both = cases(
    ("kind", "write", "most"),
    [
        (FLAWS, flaws_page.write_flaws, flaws_page.SAMPLED),
        (VARIANTS, variants_page.write_variants, variants_page.SAMPLED),
    ],
)
Write = Callable[[Path], Path]


def records_in(stage: Stage, kind: CertifiedStage[Any]) -> dict[str, dict[str, Any]]:
    """Return the records of a stage by their ids."""
    names = [name.removesuffix(".jsonl") for name in kind.artefacts]
    return {record[f"{kind.noun}_id"]: record for name in names for record in stage[name]}


def listed_items(held: dict[str, Any]) -> list[tuple[list[Any], list[Any]]]:
    """Return the rows of the index with the details of their items."""
    index = held["index"]
    return [
        (row, held[f"chunk-{place // index['chunk']}"][place % index["chunk"]])
        for place, row in enumerate(index["items"])
    ]


def few(stage: Stage, kind: CertifiedStage[Any]) -> Stage:
    """Return a stage of at most three records of each operator, few enough to be listed whole."""
    kept, counts = dict(stage), Counter[str]()
    for name in (name.removesuffix(".jsonl") for name in kind.artefacts):
        kept[name] = []
        for record in stage[name]:
            counts[record["operator"]] += 1
            kept[name] += [record] if counts[record["operator"]] <= 3 else []
    return kept


@both
def test_sample_is_bounded_and_counts_are_whole(
    tmp_path: Path, kind: CertifiedStage[Any], write: Write, most: int
) -> None:
    """Of each operator at most so many are listed, all where it made fewer; every record and discard is counted once."""
    many = copied_records(STAGE_RECORDS[kind.stage](), 10, kind.noun)
    records = records_in(many, kind).values()
    index = blobs(write(seal_stage(tmp_path / "many", kind.stage, many)).read_text("utf-8"))["index"]
    counts = Counter(record["operator"] for record in records)
    listed = Counter(index["operators"][row[2]] for row in index["items"])
    assert listed == {operator: min(count, most) for operator, count in counts.items()}
    assert max(counts.values()) > most
    marked = sum(row[2] for _, rows in index["made"] for row in rows)
    assert index["totals"][:2] == [len(records), marked]
    sizes = re.findall(r"([\d,]+) (?:contradictory|solvable|underspecified)", index["heading"][1])
    assert not sizes or sum(int(size.replace(",", "")) for size in sizes) == len(records)
    assert sum(row[1] + row[2] * kind.marked_apart for _, rows in index["made"] for row in rows) == len(records)
    assert {row[0]: row[5] for _, rows in index["made"] for row in rows if row[5]} == listed
    discards = [sum(row[3] for _, rows in index["made"] for row in rows), sum(count for *_, count in index["reasons"])]
    assert discards == [len(many["discarded"])] * 2
    assert (index["sources"], index["unfit"]) == ([["birch", 4]], [["no template", 1]])
    assert sum(sum(row) for _, _, row in index.get("matrix", [])) in {0, len(records)}


@both
def test_few_records_are_all_listed(tmp_path: Path, kind: CertifiedStage[Any], write: Write, most: int) -> None:
    """Where operators made few, every record is listed, and the page says so."""
    stage = few(STAGE_RECORDS[kind.stage](), kind)
    index = blobs(write(seal_stage(tmp_path / "few", kind.stage, stage)).read_text("utf-8"))["index"]
    assert most > 3
    assert sorted(row[0] for row in index["items"]) == sorted(records_in(stage, kind))
    assert index["listing"] == "All of them are listed below."


@pytest.mark.slow
@pytest.mark.parametrize(
    "most_records",
    [pytest.param(1, marks=pytest.mark.slow), 13, pytest.param(10_000, marks=pytest.mark.slow)],
)
@both
def test_files_beside_the_sample_list_every_record(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: CertifiedStage[Any],
    write: Write,
    most: int,
    most_records: int,
) -> None:
    """Each record is in one of the files, with all that the sample holds of it; each file links the others; none is left over."""
    monkeypatch.setattr("reports.html.certified_page.MOST_RECORDS", most_records)
    stage = copied_records(STAGE_RECORDS[kind.stage](), 1 if most_records == 1 else 4, kind.noun)
    if max(Counter(record["operator"] for record in records_in(stage, kind).values()).values()) <= most:
        stage = copied_records(stage, 8, kind.noun)
    records, run = records_in(stage, kind), seal_stage(tmp_path / "run", kind.stage, stage)
    path = write(run)
    pages = {page.name: page.read_text(encoding="utf-8") for page in path.parent.iterdir()}
    sampled = dict(items_by_id(pages[path.name]))
    parts = [items_by_id(text) for name, text in pages.items() if name != path.name]
    assert len(parts) == -(-len(records) // most_records)
    listed = [item for part in parts for item in part]
    assert Counter(record_id for record_id, _ in listed) == Counter(records.keys())
    assert {record_id: item for record_id, item in listed if record_id in sampled} == sampled
    for name, text in pages.items():
        assert all(text.count(f'href="{other}"') == (other != name) for other in pages)
    monkeypatch.undo()
    few_of_them = seal_stage(tmp_path / "few", kind.stage, few(STAGE_RECORDS[kind.stage](), kind))
    (few_of_them / "report").mkdir()
    for name, text in pages.items():
        (few_of_them / "report" / name).write_text(text, encoding="utf-8")
    assert [page.name for page in write(few_of_them).parent.iterdir()] == [path.name]


def items_by_id(page: str) -> list[tuple[str, Any]]:
    """Return what a page holds of each listed record, without the numbers of its problem and its operator."""
    held = blobs(page)
    index = held["index"]
    return [
        (row[0], [index["problems"][row[1]], index["operators"][row[2]], row[3:], details])
        for row, details in listed_items(held)
    ]


def test_page_holds_flawed_solutions_whole(mutation_run: Path, flawed: Stage) -> None:
    """Every text of a listed flawed solution can be read back, and the lines of both solutions read as in the record."""
    held = blobs(flaws_page.write_flaws(mutation_run).read_text(encoding="utf-8"))
    texts, records = set(strings(held)), records_in(flawed, FLAWS)
    for row, shown in listed_items(held):
        flaw = records[row[0]]
        for side, text in ((2, "solution"), (3, "flawed_solution")):
            lines = ["".join(piece for piece, _ in line[side]) for line in shown[0] if line[side] is not None]
            assert "\n".join(lines) == flaw[text]
        details = {name: text for name, text in flaw["label"]["error_details"].items() if name != "alias"}
        wanted = [flaw["question"], *details.values(), *flaw["mutation"].values()]
        wanted += [*flaw["plausibility"]["reasons"], *flaw["edits"], flaw["model"], flaw["position"]]
        program = flaw["certificate"]["mutant"] or flaw["certificate"]["oracle"]
        wanted += [*strings([program["inputs"], program["steps"]]), *flaw["certificate"]["stated"].values()]
        wanted += [value[key] for value in flaw["values"] for key in ("variable", "before", "after") if value[key]]
        assert [text for text in wanted if text not in texts] == []


def test_page_holds_variants_whole(variant_run: Path, varied: Stage) -> None:
    """Every text of a listed variant can be read back from what the page embeds."""
    records = records_in(varied, VARIANTS)
    for row, details in listed_items(blobs(variants_page.write_variants(variant_run).read_text(encoding="utf-8"))):
        record = records[row[0]]
        assert "".join(text for text, _ in details[0]) == record["question"]
        assert "".join(text for text, _ in details[1]) == record["modified_problem_text"]
        assert (row[7], row[10]) == (VARIANT_CLASSES[record["class_label"]], record["reasoning_trace"])
        wanted = [record["certificate"]["smtlib"], *(value for model in record["models"] for value in model.values())]
        assert [text for text in wanted if text not in strings(details)] == []
        assert len(details[3]) == len(record["core"])


@both
def test_rows_say_what_records_rest_on(tmp_path: Path, kind: CertifiedStage[Any], write: Write, most: int) -> None:
    """The size of the clique, its confidence and probability: 0 and null without a formalization stage, null where nothing is recorded."""
    del most
    stage = STAGE_RECORDS[kind.stage]()
    rule = {"formalized": True, "min_confidence": 0.25, "min_clique": 1}
    held = blobs(write(seal_stage(tmp_path / "run", kind.stage, stage, rule=rule)).read_text("utf-8"))
    records = records_in(stage, kind)
    for row, details in listed_items(held):
        provenance = records[row[0]].get("provenance")
        expected: list[Any] = [None, None, None]
        if provenance is not None:
            expected = [provenance["clique_size"] or 0, provenance["confidence"], provenance["p_right"]]
        assert row[4:7] == expected
        assert ("0.999 that it is right" in details[-1]) is (expected[2] == 0.9997)
        assert {None: "not recorded", 0: "UT-1 alone"}.get(expected[0], f"a clique of {expected[0]}") in details[-1]
    assert "a confidence of at least 0.25" in held["index"]["selection"]
    assert ["the oracle of its clique", 3] in held["index"]["standings"]
