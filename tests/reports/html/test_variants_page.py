"""Tests of the variant reports, terminal and HTML: the counts, the reasons and no active content."""

import io
import re
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from generators.variants.variant_proposal import VariantDiscard
from harness.domain import Evidence
from harness.json_form import json_form, read_record
from harness.records.variant import VariantRecord
from oracle_factory.command import main
from reports.html.variants_page import SAMPLED, write_variants
from reports.terminal.derived_record import UnknownRecordError
from reports.terminal.derived_stage import print_variants
from reports.terminal.variant import print_variant
from reports.views.artefacts import NotSealedError, ReportError, TamperedError
from reports.views.records import VARIANT_CLASSES
from reports.views.variants import REASONS, VARIANTS, class_of, text_pieces
from tests.reports.embedded import BLOB, blobs, strings
from tests.reports.varied import seal_variants

Stage = dict[str, list[dict[str, Any]]]


def printed(write: Callable[[Console], None], *, width: int = 80) -> str:
    """Return what is printed on a console."""
    console = Console(file=io.StringIO(), width=width, highlight=False)
    write(console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def summary(run: Path, *, width: int = 80) -> str:
    """Return the summary of a run."""
    return printed(lambda console: print_variants(run, console), width=width)


def one(run: Path, name: str, *, width: int = 120) -> str:
    """Return what is printed of a variant or a problem."""
    return printed(lambda console: print_variant(run, name, console), width=width)


def first(varied: Stage, label: int) -> dict[str, Any]:
    """Return a variant of a class that is no near-twin, with an edit."""
    return next(
        record
        for record in varied["variants"]
        if record["class_label"] == label and record["twin_of"] is None and record["edits"]
    )


def test_every_operator_has_its_counts(variant_run: Path, varied: Stage) -> None:
    """Each operator that made a variant stands with how many it made, near-twins apart."""
    twins = Counter(one["operator"] for one in varied["variants"] if one["twin_of"] is not None)
    made = Counter(one["operator"] for one in varied["variants"])
    shown = [line.split() for line in summary(variant_run).splitlines()]
    for operator, count in made.items():
        row = [*operator.split("_"), str(count - twins[operator] or "·"), str(twins[operator] or "·")]
        assert any(line[: len(row)] == row for line in shown), row


def test_the_heading_counts_the_classes(variant_run: Path, varied: Stage) -> None:
    """All variants by class, and the near-twins among them."""
    text = " ".join(summary(variant_run).split())
    counts = Counter(one["class_label"] for one in varied["variants"])
    assert f"{len(varied['variants']):,} variants of" in text
    assert all(f"{counts[label]:,} {name}" in text for label, name in enumerate(VARIANT_CLASSES))


def test_discards_are_said_in_words(variant_run: Path, varied: Stage) -> None:
    """Each reason stands with its count and what it means."""
    text = " ".join(summary(variant_run, width=200).split())
    for why, count in Counter(change["why"] for change in varied["discarded"]).items():
        assert f"{count:,} {REASONS[why].brief} {REASONS[why].sentence}" in text


def test_every_reason_has_words() -> None:
    """Whatever an operator may give as a reason, a stranger can read it; another name is shown as it is."""
    assert {one.name.lower() for one in VariantDiscard} <= set(REASONS)
    assert len({reason.brief for reason in REASONS.values()}) == len(REASONS)
    assert VARIANTS.reason("too_new").brief == "too new"


def test_refused_certificates_stand_out(tmp_path: Path, varied: Stage) -> None:
    """What was given no certificate is counted in the heading and beside its operator."""
    findings = [json_form(Evidence(edit, "no certificate", "solvable", "undecided")) for edit in ("5 → 6", "5 → 7")]
    refused = {**varied["verdicts"][0], "status": "REFUTED", "findings": findings}
    run = seal_variants(tmp_path / "refused", {**varied, "verdicts": [refused, *varied["verdicts"][1:]]})
    text = summary(run)
    assert "2 were refused a certificate" in " ".join(text.split())
    assert "2 refused a certificate" in text


@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_summary_fits_the_console(variant_run: Path, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    """No line is wider than the console, and the commands to look further end it."""
    monkeypatch.chdir(variant_run.parent.parent)
    lines = summary(Path("runs/varied"), width=width).splitlines()
    assert max(map(len, lines)) <= width
    assert lines[-1] == "in a browser:  oracle-factory report varied --variants"


@pytest.mark.parametrize("label", range(3))
def test_a_variant_is_printed_in_full(variant_run: Path, varied: Stage, label: int) -> None:
    """Both texts, the label, the reasoning, and the clashing words or the solutions are all there."""
    variant = first(varied, label)
    text = " ".join(one(variant_run, variant["variant_id"], width=2000).split())
    wanted = [variant["question"], variant["modified_problem_text"], variant["reasoning_trace"]]
    wanted += [f"label {label}, {VARIANT_CLASSES[label]}", "oracle-factory recheck"]
    wanted += ["conflicting constraints"] if variant["core"] else ["quantity"]
    wanted += [value for model in variant["models"] for value in model.values()]
    assert [words for words in wanted if " ".join(words.split()) not in text] == []


def test_the_beginning_of_an_id_is_enough(variant_run: Path, varied: Stage) -> None:
    """An id may be cut short as long as one variant only begins so; a problem's id lists its variants."""
    variant_id = first(varied, 0)["variant_id"]
    assert one(variant_run, variant_id[:-4]) == one(variant_run, variant_id)
    listed = one(variant_run, "mini-001")
    ids = [one["variant_id"] for one in varied["variants"] if one["problem_id"] == "mini-001"]
    assert [variant_id for variant_id in ids if variant_id not in listed] == []


def test_an_unknown_name_is_answered_with_the_closest(variant_run: Path) -> None:
    """A mistyped id is answered with the command that was meant."""
    with pytest.raises(UnknownRecordError, match=r"did you mean mini-001:.*--variant mini-001:"):
        one(variant_run, "mini-001:renumberd:")


def test_sides_differ_where_the_edits_are(varied: Stage) -> None:
    """The pieces make up both texts; what is marked is what the edits took and brought."""
    for record in varied["variants"]:
        before, after = text_pieces(read_record(VariantRecord, record))
        assert "".join(piece.text for piece in before) == record["question"]
        assert "".join(piece.text for piece in after) == record["modified_problem_text"]
        brought = [edit["after"] for edit in record["edits"] if edit["after"]]
        assert [piece.text for piece in after if piece.changed] == brought


def test_the_page_holds_what_it_lists_whole(variant_run: Path, varied: Stage) -> None:
    """Every text of a listed variant can be read back from what the page embeds; the same run gives the same bytes."""
    path = write_variants(variant_run)
    held = blobs(path.read_text(encoding="utf-8"))
    assert path.read_bytes() == write_variants(variant_run).read_bytes()
    records = {one["variant_id"]: one for one in varied["variants"]}
    for place, row in enumerate(held["index"]["items"]):
        record = records[row[0]]
        details = held[f"chunk-{place // held['index']['chunk']}"][place % held["index"]["chunk"]]
        assert "".join(text for text, _ in details[0]) == record["question"]
        assert "".join(text for text, _ in details[1]) == record["modified_problem_text"]
        assert (row[4], row[7]) == (VARIANT_CLASSES[record["class_label"]], record["reasoning_trace"])
        wanted = [record["certificate"]["smtlib"], *(value for model in record["models"] for value in model.values())]
        assert [text for text in wanted if text not in strings(details)] == []
        assert len(details[3]) == len(record["core"])


def test_the_sample_is_bounded_and_the_counts_whole(tmp_path: Path, varied: Stage) -> None:
    """Thousands of variants are read in seconds; the page lists at most `SAMPLED` an operator and counts every one."""
    copies = range(30)
    many = {
        name: [
            {**one, "problem_id": f"{one['problem_id']}-{copy}", "variant_id": f"{copy}{one.get('variant_id')}"}
            for copy in copies
            for one in records
        ]
        for name, records in varied.items()
        if name != "verdicts"
    }
    run = seal_variants(tmp_path / "many", {**many, "verdicts": []})
    start = time.process_time()
    path = write_variants(run)
    assert time.process_time() - start < 5
    assert path.stat().st_size < 600_000
    index = blobs(path.read_text(encoding="utf-8"))["index"]
    listed = Counter(index["operators"][row[2]] for row in index["items"])
    assert max(listed.values()) == SAMPLED
    assert index["totals"][0] == len(many["variants"])
    sizes = re.findall(r"([\d,]+) (?:contradictory|solvable|underspecified)", index["heading"][1])
    assert sum(int(size.replace(",", "")) for size in sizes) == len(many["variants"])
    assert sum(row[1] + row[2] for _, rows in index["made"] for row in rows) == len(many["variants"])
    assert sum(count for *_, count in index["reasons"]) == len(many["discarded"])


def test_hostile_text_is_text(hostile_variant_run: Path, varied: Stage, hostile_prose: str) -> None:
    """It is embedded unchanged, appears nowhere outside the base64, and reaches no terminal raw."""
    page = write_variants(hostile_variant_run).read_text(encoding="utf-8")
    assert sum(hostile_prose in text for text in strings(blobs(page))) > 50
    assert not [part for part in ("<img", "\x1b", "\x00", "\u202e", hostile_prose) if part in BLOB.sub("", page)]
    variant_id = next(one["variant_id"] for one in varied["variants"] if one["problem_id"] == "mini-001")
    for text in (
        summary(hostile_variant_run, width=4000),
        one(hostile_variant_run, variant_id + hostile_prose, width=4000),
    ):
        assert "</script><img src=x onerror=alert(1)>[bold]␛[31m␀" in text
        assert not {"\x1b", "\x00", "\u202e", "\ud800"} & set(text)


def test_an_empty_stage_has_a_summary_and_a_page(tmp_path: Path, varied: Stage) -> None:
    """A stage that made nothing says so."""
    run = seal_variants(tmp_path / "empty", {name: [] for name in varied})
    assert "0 variants of 0 of 0 problems" in summary(run)
    held = blobs(write_variants(run).read_text(encoding="utf-8"))
    assert (list(held), held["index"]["totals"]) == (["index"], [0, 0, 0, 0])


def test_what_is_not_sealed_or_not_whole_is_refused(
    run: Path, variant_run: Path, tmp_path: Path, varied: Stage
) -> None:
    """No stage, a changed file and an unknown problem are each an error that says what to do."""
    with pytest.raises(NotSealedError, match="no variant stage; run it: pytest -n auto -m variant"):
        write_variants(run)
    path = variant_run / "variant" / "variants.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("solvable", "soluble"), encoding="utf-8")
    with pytest.raises(TamperedError, match=r"discarded\.jsonl|variants\.jsonl: expected sha256"):
        write_variants(variant_run)
    with pytest.raises(ReportError, match=r"mini-001, which problems\.jsonl lacks.*-m variant"):
        write_variants(seal_variants(tmp_path / "gap", {**varied, "problems": varied["problems"][1:]}))


def test_the_command_reads_the_stage(variant_run: Path, varied: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    """`RUN`, `--variant ID` and `--variants` print the summary, one variant, and where the page is; a mistake one line."""
    assert main(["report", str(variant_run)]) == 0
    assert "Operators by class" in capsys.readouterr().out
    assert main(["report", str(variant_run), "--variant", first(varied, 2)["variant_id"]]) == 0
    assert "underspecified" in capsys.readouterr().out
    assert main(["report", str(variant_run), "--variants"]) == 0
    assert str(variant_run / "report" / "variants.html") in capsys.readouterr().out.replace("\n", "")
    assert main(["report", str(variant_run), "--variant", "mini-09\x1b[31m"]) == 2
    said = capsys.readouterr()
    assert (said.out, len(said.err.splitlines()), "\x1b" in said.err) == ("", 1, False)


def test_classes_are_named_by_their_labels(varied: Stage) -> None:
    """0, 1 and 2, as a problem validator says them."""
    named = {one["class_label"]: class_of(read_record(VariantRecord, one)) for one in varied["variants"]}
    assert named == dict(enumerate(VARIANT_CLASSES))
