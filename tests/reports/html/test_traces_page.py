"""Tests of the HTML of evaluation traces: the whole template stage and no active content."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from reports.html import page as writing
from reports.html.run_report import write_report
from reports.html.traces_page import write_traces
from reports.views.artefacts import NotSealedError, ReportError, TamperedError
from tests.reports.embedded import BLOB, Elements, blobs, strings

Seal = Callable[[Path, Mapping[str, Sequence[Any]]], Path]


@pytest.fixture
def page(template_run: Path) -> str:
    """Return the page of the traces of the bundled corpus."""
    return write_traces(template_run).read_text(encoding="utf-8")


def elements(page: str) -> Elements:
    """Return the elements of a page."""
    parser = Elements()
    parser.feed(page)
    return parser


def test_page_is_written_into_the_run(template_run: Path) -> None:
    """The page is `report/traces.html` of its run, and nothing else is left beside it."""
    path = write_traces(template_run)
    assert (path, list(path.parent.iterdir())) == (template_run / "report" / "traces.html", [path])


def test_same_run_gives_same_bytes(template_run: Path) -> None:
    """Writing the page twice gives the same file."""
    assert write_traces(template_run).read_bytes() == write_traces(template_run).read_bytes()


def test_page_holds_every_record(page: str, template_run: Path) -> None:
    """Each text of each trace, verdict and problem can be read back from what the page embeds."""
    held = set(strings(blobs(page)))
    missing: set[str] = set()
    for name in ("problems", "traces", "verdicts"):
        for line in (template_run / "template" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            if name == "problems":
                del record["solution"]  # the lines of the trace are its lines
            missing |= set(strings(list(record.values()))) - held
    keys = {"variable", "value", "role", "line", "code", "comment", "reads", "parts", "literals", "candidates", "given"}
    keys |= {"text", "cause", "found", "expected"}
    roles = {"question_input", "world_knowledge_input", "input"}
    assert missing - keys - roles - {"CONFIRMED", "REFUTED", "UNKNOWN"} == set()


def test_template_without_a_trace_is_listed(page: str) -> None:
    """What could not be read has its verdicts and the problem's solution, and no trace."""
    held = blobs(page)
    index = held["index"]
    place = next(at for at, row in enumerate(index["traces"]) if index["problems"][row[0]][0] == "mini-048")
    verdicts, solution, *rest = held[f"chunk-{place // index['chunk']}"][place % index["chunk"]]
    assert (index["traces"][place][3], [row[0] for row in verdicts], rest) == (None, [1, 0, 1, 1, 1], [])
    assert solution.startswith("Let a be the number of adult tickets")


def test_every_trace_has_its_picture(page: str) -> None:
    """Each graph is laid out: a box for each variable."""
    held = blobs(page)
    details = [row for name, chunk in held.items() if name != "index" for row in chunk]
    assert all(len(row[2]) == len(row[6][2]) for row in details if len(row) > 2)


def test_page_counts_what_it_holds(page: str) -> None:
    """The overview counts templates, traces, lines that differ and causes of findings."""
    index = blobs(page)["index"]
    funnel = {title: (count, of) for title, count, of, _ in index["funnel"]}
    assert (funnel["problems"], funnel["with a trace"]) == ((50, 50), (51, 52))
    assert (funnel["that differ"][0] > 4, funnel["dead"][0]) == (True, 3)
    assert index["causes"] == [["provenance: no such value", 1, 1, 0]]
    assert ["structure", "REFUTED", 1] in index["ladder"]


def test_policy_allows_only_this_script_and_style(page: str) -> None:
    """The Content-Security-Policy names one script and one style by hash, and trusts no type."""
    policy = next(a["content"] for tag, a in elements(page).tags if tag == "meta" and "http-equiv" in a)
    assert policy is not None
    assert policy.startswith("default-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for")
    assert (policy.count("sha256-"), "unsafe" in policy, "http" in policy) == (2, False, False)


def test_hostile_text_stays_in_the_blob(hostile_template_run: Path, hostile: str) -> None:
    """Hostile text of every field is embedded unchanged, and appears nowhere outside the base64."""
    page = write_traces(hostile_template_run).read_text(encoding="utf-8")
    static = BLOB.sub("", page)
    assert sum(hostile in text for text in strings(blobs(page))) > 100
    assert not [part for part in ("<img", "\x1b", "\x00", "\u202e", hostile) if part in static]


def test_hostile_text_adds_no_element(hostile_template_run: Path, templates: Any, seal_templates: Seal) -> None:
    """The page of a hostile run has the elements of the page of a harmless one."""
    wanted = {"mini-001", "mini-009", "mini-048"}
    some = {name: [one for one in records if one["problem_id"] in wanted] for name, records in templates.items()}
    harmless = seal_templates(hostile_template_run.parent / "harmless", some)
    pages = [write_traces(run).read_text(encoding="utf-8") for run in (hostile_template_run, harmless)]
    tags = [[(tag, sorted(attributes)) for tag, attributes in elements(page).tags] for page in pages]
    assert tags[0] == tags[1]


def test_empty_stage_has_a_page(tmp_path: Path, seal_templates: Seal) -> None:
    """A stage without a template gives a page without traces."""
    run = seal_templates(tmp_path / "empty", {"problems": [], "traces": [], "verdicts": []})
    held = blobs(write_traces(run).read_text(encoding="utf-8"))
    assert (list(held), held["index"]["traces"]) == (["index"], [])


def test_run_without_the_stage_is_told_how_to_make_it(run: Path) -> None:
    """Where there are formalizations only, the message has the command that makes the stage."""
    with pytest.raises(
        NotSealedError, match="no template stage; run it: pytest -n auto -m template --harness-run small"
    ):
        write_traces(run)


def test_unsealed_stage_is_refused(template_run: Path) -> None:
    """No page is made of a stage that has not finished."""
    (template_run / "template" / "manifest.json").unlink()
    with pytest.raises(NotSealedError, match=r"no manifest.*pytest -n auto -m template"):
        write_traces(template_run)


def test_tampered_stage_is_refused(template_run: Path) -> None:
    """No page is made of traces that changed after they were sealed."""
    path = template_run / "template" / "traces.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("output", "answer"), encoding="utf-8")
    with pytest.raises(TamperedError, match=r"traces\.jsonl: expected sha256"):
        write_traces(template_run)


def test_unknown_problem_is_refused(tmp_path: Path, templates: Any, seal_templates: Seal) -> None:
    """A trace of a problem that the stage does not hold is an error, not a gap."""
    run = seal_templates(tmp_path / "gap", {**templates, "problems": templates["problems"][1:]})
    with pytest.raises(ReportError, match=r"mini-001, which problems\.jsonl lacks.*-m template"):
        write_traces(run)


@pytest.mark.parametrize("order", [(write_report, write_traces), (write_traces, write_report)], ids=["after", "before"])
def test_pages_of_a_run_link_each_other(
    run: Path, templates: Any, seal_templates: Seal, order: Sequence[Callable[[Path], Path]]
) -> None:
    """Whichever page is written first, each leads to the other, and stays whole."""
    seal_templates(run, templates)
    for write in order:
        write(run)
    links = {}
    for name in ("index.html", "traces.html"):
        text = (run / "report" / name).read_text(encoding="utf-8")
        assert blobs(text)["index"]["run"] == "small"
        links[name] = [a["href"] for tag, a in elements(text).tags if a.get("class") == "beside"]
    assert links == {"index.html": ["traces.html"], "traces.html": ["index.html"]}
    assert {path.name for path in (run / "report").iterdir()} == set(links)


def test_page_alone_links_nothing(page: str) -> None:
    """No link leads to a page that is not there."""
    assert [a for tag, a in elements(page).tags if a.get("id") == "beside"] == [{"id": "beside", "hidden": None}]


def test_interrupted_write_keeps_the_old_page(template_run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that fails halfway leaves the page as it was, and no fragment."""
    path = write_traces(template_run)
    before = path.read_bytes()

    def fail(*_: object) -> bytes:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing, "_compressed", fail)
    with pytest.raises(OSError, match="No space left"):
        write_traces(template_run)
    assert (path.read_bytes(), list(path.parent.iterdir())) == (before, [path])


def test_a_thousand_traces_take_a_second(tmp_path: Path, templates: Any, seal_templates: Seal) -> None:
    """A page of a thousand traces is written in far less than the ten seconds that 7,800 may take."""
    copies = range(20)
    many = {
        name: [{**one, "problem_id": f"{one['problem_id']}-{copy}"} for copy in copies for one in records]
        for name, records in templates.items()
    }
    run = seal_templates(tmp_path / "many", many)
    start = time.process_time()
    path = write_traces(run)
    assert time.process_time() - start < 3
    assert path.stat().st_size < 1_500_000
