"""Laws that every page of a run keeps: one self-contained file, hostile text as data, no page of a broken stage."""

import base64
import hashlib
import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from harness.command_line.runnable_commands import runnable
from reports.html import page as writing
from reports.html.flaws_page import write_flaws
from reports.html.traces_page import write_traces
from reports.html.variants_page import write_variants
from reports.views.artefacts import NotSealedError, ReportError, TamperedError
from tests.cases import cases
from tests.reports.embedded import BLOB, Elements, blobs, strings
from tests.reports.hostile import ACTING, HOSTILE, RUN_NAME, SHORT_FIRST, holds
from tests.reports.html.report_pages import PAGES, ReportPage
from tests.reports.stage_records import STAGE_RECORDS, copied_records, seal_stage

every_page = cases("report", PAGES)


def elements(page: str) -> Elements:
    """Return the elements of a page."""
    parser = Elements()
    parser.feed(page)
    return parser


def shape(page: str) -> list[tuple[str, list[str]]]:
    """Return the tags of a page with the names of their attributes."""
    return [(tag, sorted(attributes)) for tag, attributes in elements(page).tags]


@every_page
def test_page_is_one_file_of_its_run(tmp_path: Path, report: ReportPage) -> None:
    """The page is written into `report/`, nothing is left beside it, and the same run gives the same bytes."""
    run = report.seal(tmp_path / "run")
    path = report.write(run)
    before = path.read_bytes()
    assert (path, list(path.parent.iterdir())) == (run / "report" / report.file, [path])
    assert report.write(run).read_bytes() == before


@every_page
def test_page_refers_to_nothing_and_trusts_only_itself(tmp_path: Path, report: ReportPage) -> None:
    """Addresses are places in the page; the policy names the hashes of its one script and its one style, and no origin."""
    parsed = elements(report.text(report.seal(tmp_path / "run")))
    addresses = [value for _, attributes in parsed.tags for key in ("src", "href") if (value := attributes.get(key))]
    assert all(address.startswith("#") for address in addresses)
    policy = next(a["content"] for tag, a in parsed.tags if tag == "meta" and "http-equiv" in a)
    hashes = [
        base64.b64encode(hashlib.sha256(parsed.inline[tag].encode()).digest()).decode() for tag in ("style", "script")
    ]
    assert policy == (
        "default-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
        f"trusted-types 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'"
    )


@pytest.mark.parametrize("text", SHORT_FIRST, ids=["short", "long"])
@every_page
def test_hostile_text_is_data(tmp_path: Path, report: ReportPage, text: str) -> None:
    """In every field it is embedded as it is, appears nowhere outside the base64, and adds no element."""
    page = report.text(report.seal(tmp_path / RUN_NAME, text))
    static = BLOB.sub("", page)
    assert sum(holds(held, text) for held in strings(blobs(page))) > 40
    assert "<img" not in static
    assert not ACTING & set(static)
    assert shape(page) == shape(report.text(report.seal(tmp_path / "harmless", "W" * len(text))))
    assert not [tag for tag, _ in elements(static).tags if tag == "img"]


@cases("report", PAGES[:-1])
def test_empty_stage_has_a_page(tmp_path: Path, report: ReportPage) -> None:
    """A stage without a record gives a page without items."""
    held = blobs(report.text(seal_stage(tmp_path / "run", report.stage, {})))
    items = {"index.html": "problems", "traces.html": "traces"}.get(report.file, "items")
    assert (list(held), held["index"][items]) == (["index"], [])


@every_page
def test_broken_stage_has_no_page(tmp_path: Path, report: ReportPage) -> None:
    """A stage that is missing, not sealed or changed is refused, with the command that makes it."""
    (tmp_path / "bare").mkdir()
    command = "oracle-factory evaluate" if report.stage == "verifier" else f"pytest -n auto -m {report.stage}"
    again = re.escape(runnable(command))
    with pytest.raises(NotSealedError, match=f"no {report.stage} stage; run it: {again}"):
        report.write(tmp_path / "bare")
    run = report.seal(tmp_path / "run")
    path = run / report.stage / report.artefact
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(TamperedError, match=rf"{report.artefact}: expected sha256"):
        report.write(run)
    (run / report.stage / "manifest.json").unlink()
    with pytest.raises(NotSealedError, match=f"no manifest.*{again}"):
        report.write(run)
    assert not (run / "report").exists()


@cases("report", PAGES[:-1])
def test_unknown_problem_is_refused(tmp_path: Path, report: ReportPage) -> None:
    """A record of a problem that the stage does not hold is an error, not a gap."""
    records = STAGE_RECORDS[report.stage]()
    run = seal_stage(tmp_path / "gap", report.stage, {**records, "problems": records["problems"][1:]})
    unknown = records["problems"][0]["problem_id"]
    with pytest.raises(ReportError, match=rf"{unknown}, which problems\.jsonl lacks.*-m {report.stage}"):
        report.write(run)


@cases("first", range(len(PAGES)))
def test_pages_of_a_run_link_each_other(tmp_path: Path, first: int) -> None:
    """In whatever order they are written, each page leads to the others; the first links nothing before."""
    run = tmp_path / "run"
    for report in PAGES:
        report.seal(run)
    order = [*PAGES[first:], *PAGES[:first]]
    alone = elements(order[0].text(run))
    assert [a for _, a in alone.tags if a.get("id") == "beside"] == [{"id": "beside", "hidden": None}]
    for report in order:
        report.write(run)
    names = [report.file for report in PAGES]
    for name in names:
        text = (run / "report" / name).read_text(encoding="utf-8")
        assert [a["href"] for _, a in elements(text).tags if a.get("class") == "beside"] == [
            other for other in names if other != name
        ]
        assert blobs(text)["index"]["run"] == "run"
    assert {path.name for path in (run / "report").iterdir()} == set(names)


@every_page
def test_interrupted_write_keeps_the_old_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, report: ReportPage
) -> None:
    """A write that fails halfway leaves the page as it was, and no fragment."""
    run = report.seal(tmp_path / "run")
    path = report.write(run)
    before = path.read_bytes()

    def fail(*_: object) -> str:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(writing, "_compressed", fail)
        with pytest.raises(OSError, match="No space left"):
            report.write(run)
    assert (path.read_bytes(), list(path.parent.iterdir())) == (before, [path])


@pytest.mark.slow
@cases(
    ("place", "write", "copies", "seconds", "largest"),
    [
        (1, write_traces, 20, 3, 1_500_000),
        (2, partial(write_flaws, whole=False), 40, 5, 400_000),
        (2, write_flaws, 15, 5, 400_000),
        (3, partial(write_variants, whole=False), 30, 5, 600_000),
    ],
)
def test_many_records_give_a_small_page_in_seconds(
    tmp_path: Path, place: int, write: Callable[[Path], Path], copies: int, seconds: float, largest: int
) -> None:
    """A thousand traces, ten thousand flawed solutions, thousands of variants: read in seconds of processor time.

    Listing all flawed solutions in the files beside their page takes longer: three thousand in these seconds.
    """
    report = PAGES[place]
    copied = copied_records(STAGE_RECORDS[report.stage](), copies, report.noun)
    start = time.process_time()
    path = write(seal_stage(tmp_path / "many", report.stage, copied))
    assert time.process_time() - start < seconds
    assert path.stat().st_size < largest


def test_one_string_is_hostile_in_every_way() -> None:
    """The hostile text has markup, template code, terminal controls, format characters and a lone surrogate."""
    assert set(HOSTILE) >= ACTING
    assert all(part in HOSTILE for part in ("</script>", "onerror=", "[bold]", "{{", "\x1b[31m"))
