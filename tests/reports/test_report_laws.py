"""Laws that every page and every printout keeps: hostile text is text, pages are one file, and no broken stage is shown."""

import base64
import hashlib
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError, StorageError
from reports.html import page as writing
from reports.terminal.certified_record import FLAW_PRINTER, VARIANT_PRINTER
from reports.terminal.problem import print_problem, print_trace
from reports.terminal.stages import print_findings, print_stage
from tests.cases import cases
from tests.reports.embedded import BLOB, Elements, blobs, strings
from tests.reports.hostile import ACTING, HOSTILE, RUN_NAME, SHORT_FIRST, SHOWN, holds
from tests.reports.html.report_pages import LABELS, PAGES, ReportPage, sealed_stage, stage_records
from tests.reports.stage_records import STAGE_RECORDS, seal_stage
from tests.reports.terminal.printing import printed

ROOT = Path(__file__).parents[2]
EVERY = (*PAGES, LABELS)
every_page = cases("report", EVERY)
COMMANDS = ("oracle-factory report", "oracle-factory recheck", "ID of a problem: ")


def conceptual(records: dict[str, list[dict[str, str]]]) -> str:
    """Return the beginning of the id of a flaw, which is enough to name it."""
    return records["conceptual"][0]["flaw_id"].partition("</script>")[0]


def varied(records: dict[str, list[dict[str, str]]]) -> str:
    """Return the beginning of the id of a variant."""
    return records["variants"][0]["variant_id"].partition("</script>")[0]


def asked(records: dict[str, list[dict[str, str]]]) -> str:
    """Return the id of the first problem."""
    return records["problems"][0]["problem_id"]


DETAILS = {
    "formalization": (print_problem, asked, "--problem"),
    "template": (print_trace, asked, "--trace"),
    "mutation": (FLAW_PRINTER.print, conceptual, "--flaw"),
    "variant": (VARIANT_PRINTER.print, varied, "--variant"),
}
JUDGED = ("formalization", "template", "mutation", "variant", "label", "verifier")
PRINTOUTS = [
    ("formalization", "findings"),
    *((stage, "summary") for stage in JUDGED),
    *((stage, "item") for stage in DETAILS),
]


def printer(stage: str, what: str, text: str = "") -> Callable[[Path, Console], None]:
    """Return what prints the findings, the summary or an item of a stage whose records end in `text`."""
    if what == "findings":
        return print_findings
    if what == "summary":
        return partial(_summary, stage)
    print_item, item, _ = DETAILS[stage]
    return partial(_item, print_item, item(stage_records(stage, text)))


def _summary(stage: str, run: Path, console: Console) -> None:
    print_stage(run, stage, console, verbose=True)


def _item(print_item: Callable[[Path, str, Console], None], name: str, run: Path, console: Console) -> None:
    print_item(run, name, console)


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """Return a run with a stage, sealed once for each text that its records end in."""
    folders: defaultdict[str, Path] = defaultdict(lambda: tmp_path_factory.mktemp("sealed"))

    def run(stage: str, text: str) -> Path:
        path = folders[text] / (RUN_NAME if text else "run")
        return path if (path / stage).exists() else sealed_stage(path, stage, text)

    return run


def elements(page: str) -> Elements:
    """Return the elements of a page."""
    parser = Elements()
    parser.feed(page)
    return parser


@pytest.mark.parametrize("text", SHORT_FIRST, ids=["short", "long"])
@cases(("stage", "what"), PRINTOUTS)
def test_foreign_text_is_printed_and_not_acted_on(
    sealed: Callable[[str, str], Path], stage: str, what: str, text: str
) -> None:
    """Markup stays as written, and no control character of the data reaches the terminal."""
    run = sealed(stage, text)
    for color in (False, True):
        shown = printed(partial(printer(stage, what, text), run), width=8_000, color=color)
        assert SHOWN[:50] in shown
        assert not (ACTING - {"\x1b"} if color else ACTING) & set(shown)
        assert "alert(1)>␛" not in shown, "markup was read as markup"


@pytest.mark.parametrize("text", SHORT_FIRST, ids=["short", "long"])
@every_page
def test_hostile_text_is_data_of_a_page(tmp_path: Path, report: ReportPage, text: str) -> None:
    """In every field it is embedded as it is; outside the base64 it is escaped, and adds no element."""
    page = report.text(report.seal(tmp_path / RUN_NAME, text))
    static = BLOB.sub("", page)
    assert sum(holds(held, text) for held in strings(blobs(page))) > (3 if report is LABELS else 30)
    assert "<img" not in static
    assert not ACTING & set(static)
    shapes = [
        [(tag, sorted(attributes)) for tag, attributes in elements(each).tags]
        for each in (page, report.text(report.seal(tmp_path / "harmless", "W" * len(text))))
    ]
    assert shapes[0] == shapes[1]


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", *SHORT_FIRST], ids=["none", "short", "long"])
@cases(("stage", "what"), PRINTOUTS[1:])
def test_lines_fit_the_console(sealed: Callable[[str, str], Path], stage: str, what: str, text: str) -> None:
    """No line is wider than the console, but commands to copy and lists of one line an item."""
    run = sealed(stage, text)
    for width in (40, 60, 80, 200):
        shown = printed(partial(printer(stage, what, text), run), width=width)
        lines = [line.rstrip() for line in shown.splitlines() if not any(command in line for command in COMMANDS)]
        assert max(map(len, lines)) <= width


@every_page
def test_page_is_one_file_that_trusts_only_itself(tmp_path: Path, report: ReportPage) -> None:
    """Nothing is left beside it, the same run gives the same bytes, its addresses are places in it, and its policy names no origin."""
    run = report.seal(tmp_path / "run")
    path = report.write(run)
    before = path.read_bytes()
    assert (path, list(path.parent.iterdir())) == (run / "report" / report.file, [path])
    parsed = elements(report.text(run))
    assert path.read_bytes() == before
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
        with pytest.raises(StorageError, match="No space left"):
            report.write(run)
    assert (path.read_bytes(), list(path.parent.iterdir())) == (before, [path])


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
        links = [a["href"] for _, a in elements(text).tags if a.get("class") == "beside"]
        assert links == [other for other in names if other != name]


@cases("report", PAGES[:-1])
def test_empty_stage_is_shown(tmp_path: Path, report: ReportPage) -> None:
    """A stage without a record gives a page without items and a printout."""
    run = seal_stage(tmp_path / "run", report.stage, {})
    assert list(blobs(report.text(run))) == ["index"]
    assert printed(partial(_summary, report.stage, run))


@every_page
def test_broken_stage_is_not_shown(tmp_path: Path, report: ReportPage) -> None:
    """A stage that is missing, not sealed or changed is refused by page and printout, with the command that makes it."""
    stage, quiet = report.stage, Console(quiet=True)
    shows: list[Callable[[Path], object]] = [report.write, lambda run: print_stage(run, stage, quiet, verbose=True)]
    if stage in DETAILS:
        shows.append(lambda run: printer(stage, "item")(run, quiet))
    (tmp_path / "bare").mkdir()
    command = "oracle-factory evaluate" if stage == "verifier" else f"pytest -n auto -m {stage}"
    again = re.escape(runnable(command))
    for number, show in enumerate(shows):
        with pytest.raises(HarnessError, match=f"no {stage} stage; run it: {again}"):
            show(tmp_path / "bare")
        run = report.seal(tmp_path / f"run-{number}")
        path = run / stage / report.artefact
        path.write_bytes(path.read_bytes() + b"\n")
        with pytest.raises(HarnessError, match=rf"{report.artefact}: was changed after"):
            show(run)
        (run / stage / "manifest.json").unlink()
        with pytest.raises(HarnessError, match=f"unfinished, not sealed.*{again}"):
            show(run)
        assert not (run / "report").exists()


@cases("report", PAGES[:-1])
def test_unknown_problem_is_refused(tmp_path: Path, report: ReportPage) -> None:
    """A record of a problem that the stage does not hold is an error, not a gap."""
    records = STAGE_RECORDS[report.stage]()
    run = seal_stage(tmp_path / "gap", report.stage, {**records, "problems": records["problems"][1:]})
    unknown = records["problems"][0]["problem_id"]
    with pytest.raises(HarnessError, match=rf"{unknown}, which problems\.jsonl lacks.*-m {report.stage}"):
        report.write(run)


@cases("stage", DETAILS)
def test_unknown_id_is_answered_with_the_closest(tmp_path: Path, stage: str) -> None:
    """A mistyped id is answered with the ids that were meant and the command that shows the first."""
    run, (print_item, _, option) = sealed_stage(tmp_path, stage), DETAILS[stage]
    known = asked(stage_records(stage))
    with pytest.raises(HarnessError, match=rf"did you mean {known[:-2]}.*\? .*{option} {known[:-2]}"):
        print_item(run, f"{known[:-1]}8", Console(quiet=True))
    with pytest.raises(HarnessError, match="oracle-factory report"):
        print_item(run, "xyzzy", Console(quiet=True))


@cases("arguments", [["formalization"], ["mutation", "--flaw", "mini-001"]])
def test_terminal_without_unicode_is_served(tmp_path: Path, arguments: list[str]) -> None:
    """On an ASCII terminal, characters that it lacks are shown as escapes."""
    stage, *options = arguments
    run = str(sealed_stage(tmp_path / "run", stage, HOSTILE))
    done = subprocess.run(
        [sys.executable, "-m", "oracle_factory", "report", run, *options],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr, done.stdout.isascii()) == (0, b"", True)
