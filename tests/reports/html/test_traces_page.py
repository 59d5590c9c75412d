"""Tests of the HTML of evaluation traces: the whole template stage and no active content."""

import json
from pathlib import Path

import pytest

from reports.html.traces_page import write_traces
from tests.reports.embedded import blobs, strings


@pytest.fixture
def page(template_run: Path) -> str:
    """Return the page of the traces of the bundled corpus."""
    return write_traces(template_run).read_text(encoding="utf-8")


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
