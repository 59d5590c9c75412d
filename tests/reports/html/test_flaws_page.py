"""Tests of the HTML of flawed solutions: all counts, a complete sample and no active content."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from reports.html.flaws_page import SAMPLED, write_flaws
from reports.html.run_report import write_report
from reports.html.traces_page import write_traces
from reports.views.artefacts import NotSealedError, ReportError, TamperedError
from tests.reports.embedded import BLOB, Elements, blobs, strings
from tests.reports.flawed import seal_mutation

Stage = dict[str, list[dict[str, Any]]]


@pytest.fixture
def page(mutation_run: Path) -> str:
    """Return the page of a few problems."""
    return write_flaws(mutation_run).read_text(encoding="utf-8")


def elements(page: str) -> Elements:
    """Return the elements of a page."""
    parser = Elements()
    parser.feed(page)
    return parser


def few(flawed: Stage) -> Stage:
    """Return a stage of at most three flawed solutions of each operator, few enough to be held whole."""
    kept: Stage = {**flawed, "computational": [], "conceptual": []}
    for name in ("computational", "conceptual"):
        counts: Counter[str] = Counter()
        for flaw in flawed[name]:
            counts[flaw["operator"]] += 1
            kept[name] += [flaw] if counts[flaw["operator"]] <= 3 else []
    return kept


def test_page_is_written_into_the_run(mutation_run: Path) -> None:
    """The page is `report/flaws.html` of its run, and nothing else is left beside it."""
    path = write_flaws(mutation_run)
    assert (path, list(path.parent.iterdir())) == (mutation_run / "report" / "flaws.html", [path])


def test_same_run_gives_same_bytes(mutation_run: Path) -> None:
    """Writing the page twice gives the same file."""
    assert write_flaws(mutation_run).read_bytes() == write_flaws(mutation_run).read_bytes()


def test_page_holds_what_it_lists_whole(tmp_path: Path, flawed: Stage) -> None:
    """Where operators made few, every text of every flawed solution can be read back from what the page embeds."""
    stage = few(flawed)
    held = blobs(write_flaws(seal_mutation(tmp_path / "few", stage)).read_text(encoding="utf-8"))
    texts = set(strings(held))
    flaws = [*stage["computational"], *stage["conceptual"]]
    assert sorted(row[0] for row in held["index"]["items"]) == sorted(flaw["flaw_id"] for flaw in flaws)
    for flaw in flaws:
        wanted = [flaw["question"], *flaw["label"]["error_details"].values(), *flaw["mutation"].values()]
        wanted += [*flaw["plausibility"]["reasons"], *flaw["edits"], flaw["model"], flaw["position"]]
        told = flaw["certificate"]["mutant"] or flaw["certificate"]["oracle"]
        wanted += [*strings([told["inputs"], told["steps"]]), *flaw["certificate"]["stated"].values()]
        wanted += [value[key] for value in flaw["values"] for key in ("variable", "before", "after") if value[key]]
        assert [text for text in wanted if text not in texts] == []


def test_page_holds_both_texts(page: str, flawed: Stage) -> None:
    """The lines of a listed flawed solution and of its solution read as they do in the record."""
    held, records = blobs(page), {flaw["flaw_id"]: flaw for flaw in (*flawed["computational"], *flawed["conceptual"])}
    for place, row in enumerate(held["index"]["items"]):
        lines = held[f"chunk-{place // held['index']['chunk']}"][place % held["index"]["chunk"]][0]
        for side, text in ((2, "solution"), (3, "flawed_solution")):
            told = ["".join(piece for piece, _ in line[side]) for line in lines if line[side] is not None]
            assert "\n".join(told) == records[row[0]][text]


def test_sample_is_bounded_and_says_so(page: str, flawed: Stage) -> None:
    """Of each operator at most `SAMPLED` are listed, all where it made fewer; the totals count every one."""
    index = blobs(page)["index"]
    flaws = [*flawed["computational"], *flawed["conceptual"]]
    made = Counter(flaw["operator"] for flaw in flaws)
    listed = Counter(index["operators"][row[2]] for row in index["items"])
    assert listed == {operator: min(count, SAMPLED) for operator, count in made.items()}
    assert max(made.values()) > SAMPLED
    assert index["totals"] == [len(flaws), sum(flaw["needs_edit"] for flaw in flaws), 4, 4]
    counted = {
        name: (count, sampled) for _, rows in index["made"] for name, count, _, _, _, sampled, _ in rows if count
    }
    assert counted == {operator: (count, listed[operator]) for operator, count in made.items()}


def test_counts_add_up(page: str, flawed: Stage) -> None:
    """Matrix, reasons and operators each count every record once."""
    index = blobs(page)["index"]
    assert sum(sum(counts) for _, _, counts in index["matrix"]) == index["totals"][0]
    assert sum(count for *_, count in index["reasons"]) == len(flawed["discarded"])
    assert sum(row[3] for _, rows in index["made"] for row in rows) == len(flawed["discarded"])
    assert (index["sources"], index["unfit"]) == ([["birch", 4]], [["no template", 1]])


def test_policy_allows_only_this_script_and_style(page: str) -> None:
    """The Content-Security-Policy names one script and one style by hash, and trusts no type."""
    policy = next(a["content"] for tag, a in elements(page).tags if tag == "meta" and "http-equiv" in a)
    assert policy is not None
    assert policy.startswith("default-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for")
    assert (policy.count("sha256-"), "unsafe" in policy, "http" in policy) == (2, False, False)


def test_hostile_text_stays_in_the_blob(hostile_mutation_run: Path, hostile_prose: str) -> None:
    """Hostile text of every field is embedded unchanged, and appears nowhere outside the base64."""
    page = write_flaws(hostile_mutation_run).read_text(encoding="utf-8")
    static = BLOB.sub("", page)
    assert sum(hostile_prose in text for text in strings(blobs(page))) > 100
    assert not [part for part in ("<img", "\x1b", "\x00", "\u202e", hostile_prose) if part in static]


def test_empty_stage_has_a_page(tmp_path: Path, flawed: Stage) -> None:
    """A stage that made nothing gives a page without flaws."""
    held = blobs(write_flaws(seal_mutation(tmp_path / "empty", {name: [] for name in flawed})).read_text("utf-8"))
    assert (list(held), held["index"]["items"], held["index"]["totals"]) == (["index"], [], [0, 0, 0, 0])


def test_run_without_the_stage_is_told_how_to_make_it(run: Path) -> None:
    """Where there are formalizations only, the message has the command that makes the stage."""
    with pytest.raises(NotSealedError, match="no mutation stage; run it: pytest -n auto -m mutation"):
        write_flaws(run)


def test_unsealed_stage_is_refused(mutation_run: Path) -> None:
    """No page is made of a stage that has not finished."""
    (mutation_run / "mutation" / "manifest.json").unlink()
    with pytest.raises(NotSealedError, match=r"no manifest.*pytest -n auto -m mutation"):
        write_flaws(mutation_run)


def test_tampered_stage_is_refused(mutation_run: Path) -> None:
    """No page is made of flawed solutions that changed after they were sealed."""
    path = mutation_run / "mutation" / "conceptual.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("L1", "L2"), encoding="utf-8")
    with pytest.raises(TamperedError, match=r"conceptual\.jsonl: expected sha256"):
        write_flaws(mutation_run)


def test_unknown_problem_is_refused(tmp_path: Path, flawed: Stage) -> None:
    """A flawed solution of a problem that the stage does not hold is an error, not a gap."""
    run = seal_mutation(tmp_path / "gap", {**flawed, "problems": flawed["problems"][1:]})
    with pytest.raises(ReportError, match=r"mini-001, which problems\.jsonl lacks.*-m mutation"):
        write_flaws(run)


@pytest.mark.parametrize("place", range(3))
def test_pages_of_a_run_link_each_other(
    run: Path, templates: Any, flawed: Stage, seal_templates: Callable[..., Path], place: int
) -> None:
    """In whatever order the three pages are written, each leads to the others."""
    seal_templates(run, templates)
    seal_mutation(run, flawed)
    writers: Sequence[Callable[[Path], Path]] = [write_report, write_traces, write_flaws]
    for write in [*writers[place:], *writers[:place]]:
        write(run)
    names = ["index.html", "traces.html", "flaws.html"]
    for name in names:
        text = (run / "report" / name).read_text(encoding="utf-8")
        links = [a["href"] for tag, a in elements(text).tags if a.get("class") == "beside"]
        assert links == [other for other in names if other != name]
        assert blobs(text)["index"]["run"] == "small"


def test_many_flaws_give_a_small_page(tmp_path: Path, flawed: Stage) -> None:
    """Ten thousand flawed solutions are read in seconds, and the page is no larger than that of a few hundred."""
    copies = range(40)
    many = {
        name: [
            {**one, "problem_id": f"{one['problem_id']}-{copy}", "flaw_id": f"{copy}{one.get('flaw_id')}"}
            for copy in copies
            for one in records
        ]
        for name, records in flawed.items()
        if name != "verdicts"
    }
    run = seal_mutation(tmp_path / "many", {**many, "verdicts": []})
    start = time.process_time()
    path = write_flaws(run)
    assert time.process_time() - start < 5
    assert path.stat().st_size < 400_000
    assert blobs(path.read_text(encoding="utf-8"))["index"]["totals"][0] > 5_000
