"""Tests of the Oracles page: it lists every problem, shows the results of a run and escapes foreign text."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest
from streamlit.testing.v1 import AppTest

from harness.domain import Problem
from harness.json_form import json_form
from harness.store.run_folder import run_option
from reports.app.oracles_page.oracle_index import OracleIndex, ProblemFilter, ProblemOrder, ProblemQuery
from reports.app.oracles_page.pair_phrases import oracle_status, verdict_sentence
from reports.views.artefacts import TamperedError
from tests.reports.programs import program
from tests.reports.stage_records import seal_stage

if TYPE_CHECKING:
    from pathlib import Path

STAGE = ("problems", "programs", "verdicts", "consensus")


def _script(run: str | None) -> None:
    from pathlib import Path  # AppTest runs the source of this function alone

    from reports.app.app_context import AppContext
    from reports.app.oracles_page.page import page

    page(AppContext(run=None if run is None else Path(run), candidates=()))


def _page(run: Path | None, **query: str) -> AppTest:
    app = AppTest.from_function(_script, args=(None if run is None else str(run),), default_timeout=60)
    for key, value in query.items():
        app.query_params[key] = value
    app.run()
    if app.exception:
        raise RuntimeError(app.exception[0].message)
    return app


def _html(app: AppTest) -> str:
    return "\n".join(part.value for part in app.main.html)


def _rows(app: AppTest) -> list[dict[str, Any]]:
    """Return what the list in the browser is given, nothing where there is no list."""
    return [row for part in app.main.get("bidi_component") for row in json.loads(part.proto.json)["rows"]]


# The index


def test_index_finds_what_the_stage_holds_of_a_problem(run: Path) -> None:
    """What is read by offset is what a pass over the whole files finds."""
    index = OracleIndex.open(run)
    for listed in index.listed:
        details = index.details(listed.address)
        assert details is not None
        assert list(details.programs) == list(index.stage.programs(listed.problem_id))
        assert list(details.verdicts) == list(index.stage.verdicts(listed.problem_id))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (ProblemQuery(), ["p-1", "p-2"]),
        (ProblemQuery("MUCH"), ["p-1"]),
        (ProblemQuery("how p-2"), ["p-2"]),
        (ProblemQuery("return a * b"), ["p-1"]),
        (ProblemQuery("nowhere"), []),
        (ProblemQuery(order=ProblemOrder.DOUBTFUL), ["p-2", "p-1"]),
        (ProblemQuery(order=ProblemOrder.CONFIDENT), ["p-1", "p-2"]),
        (ProblemQuery(order=ProblemOrder.SURE), ["p-1", "p-2"]),
        (ProblemQuery(order=ProblemOrder.UNSURE), ["p-1", "p-2"]),
        (ProblemQuery(only=frozenset({ProblemFilter.UNSURE})), ["p-1"]),
        (ProblemQuery(only=frozenset({ProblemFilter.GOLD_DOUBT})), []),
        (ProblemQuery(order=ProblemOrder.CLIQUE), ["p-1", "p-2"]),
        (ProblemQuery(order=ProblemOrder.TIER), ["p-1", "p-2"]),
        (ProblemQuery(only=frozenset({ProblemFilter.WITHOUT_ORACLE})), ["p-2"]),
        (ProblemQuery(only=frozenset({ProblemFilter.DISSENT})), ["p-1"]),
        (ProblemQuery(only=frozenset({ProblemFilter.LOW})), ["p-2"]),
        (ProblemQuery(only=frozenset({ProblemFilter.LOW, ProblemFilter.DISSENT})), []),
    ],
)
def test_query_gives_the_problems_that_fit_in_order(run: Path, query: ProblemQuery, expected: list[str]) -> None:
    """Words must all occur in id, question or the oracle's code, filters must all hold, and the order is the one asked for."""
    assert [problem.problem_id for problem in OracleIndex.open(run).matching(query)] == expected


def test_records_of_a_problem_need_not_follow_each_other(tmp_path: Path) -> None:
    """A file whose records of one problem are spread gives all of them, in order."""
    programs = [
        json_form(replace(program("ans = 1"), problem_id=problem, model=model))
        for model in ("ada", "bob", "cyd")
        for problem in ("p-1", "p-2")
    ]
    problems = [json_form(Problem(problem_id, "How many?", "", None)) for problem_id in ("p-1", "p-2")]
    index = OracleIndex.open(
        seal_stage(tmp_path / "run", "formalization", {"problems": problems, "programs": programs})
    )
    details = index.details("p-2")
    assert details is not None
    assert [program.model for program in details.programs] == ["ada", "bob", "cyd"]


@pytest.mark.slow
def test_large_run_answers_at_once(tmp_path: Path, run: Path) -> None:
    """Of 7,500 problems with 30 verdicts each, a search takes milliseconds, opening a problem too; five-fold slack."""
    stage = run / "formalization"
    records = {
        name: [json.loads(line) for line in (stage / f"{name}.jsonl").read_bytes().splitlines()] for name in STAGE
    }
    index = OracleIndex.open(
        seal_stage(
            tmp_path / "large",
            "formalization",
            {
                name: [
                    {**record, "problem_id": f"{record['problem_id']}-{number}"}
                    for number in range(3_750)
                    for record in own * times
                ]
                for name, own, times in ((name, records[name], 5 if name == "verdicts" else 1) for name in STAGE)
            },
        )
    )
    started = time.perf_counter()
    assert len(index.matching(ProblemQuery("how much", ProblemOrder.DOUBTFUL))) == 3_750
    searched = time.perf_counter()
    assert index.details("p-1-3749") is not None
    assert searched - started < 0.2
    assert time.perf_counter() - searched < 0.05


def test_files_changed_behind_the_index_are_named(run: Path) -> None:
    """A file that is replaced while the page is open gives a message, not another problem's record."""
    index = OracleIndex.open(run)
    path = run / "formalization" / "programs.jsonl"
    path.write_bytes(b"x" + path.read_bytes())
    with pytest.raises(TamperedError, match=r"programs\.jsonl: changed since it was read"):
        index.details("p-1")


# What is said


def test_counterexample_names_the_models(run: Path) -> None:
    """A pair told apart is said with the models' names and the inputs that differ from the problem's."""
    details = OracleIndex.open(run).details("p-1")
    assert details is not None
    verdict = details.verdict("ut3", "cyd", "ada")
    assert verdict is not None
    assert (
        verdict_sentence(verdict, details)
        == "with b = 1 and everything else as in the problem: ada gives 7, cyd gives 5"
    )


def test_standing_says_who_dissents_and_why(run: Path) -> None:
    """A contested clique is explained by the counterexample of its dissenter."""
    details = OracleIndex.open(run).details("p-1")
    assert details is not None
    (doubt,) = oracle_status(details).doubts
    assert doubt == "cyd dissents: with b = 1 and everything else as in the problem: ada gives 7, cyd gives 5"


# The page


def test_page_lists_every_problem(run: Path) -> None:
    """The list shows each problem with the probability of its oracle, its confidence, clique and oracle."""
    keys = ("problem", "p_right", "confidence", "clique", "dissent", "oracle")
    assert [[row[key] for key in keys] for row in _rows(_page(run))] == [
        ["p-1", "0.873", 0.8, "2 of 3", 1, "ada"],
        ["p-2", "–", 0.0, "0 of 2", 0, "none"],
    ]


def test_search_leaves_what_fits(run: Path) -> None:
    """Typing words narrows the list."""
    app = _page(run)
    app.text_input(key="oracle-words").set_value("many").run()
    assert [row["problem"] for row in _rows(app)] == ["p-2"]


def test_filter_without_a_problem_says_so(run: Path) -> None:
    """An empty list says what to do."""
    app = _page(run)
    app.text_input(key="oracle-words").set_value("zebra").run()
    assert not _rows(app)
    assert "No problem matches" in _html(app)


def test_long_list_is_paged(tmp_path: Path) -> None:
    """Fifty problems stand on a page, and the next page has those that follow."""
    problems = [json_form(Problem(f"p-{number:03}", "How many?", "", None)) for number in range(120)]
    app = _page(seal_stage(tmp_path / "run", "formalization", {"problems": problems}))
    assert len(_rows(app)) == 50
    app.pagination[0].set_value(3).run()
    assert [row["problem"] for row in _rows(app)] == [f"p-{number:03}" for number in range(100, 120)]


def test_opened_problem_shows_all_there_is(run: Path) -> None:
    """Question, probability, confidence and what they rest on, the oracle's code, verdicts and counterexample stand on the page."""
    app = _page(run, opened="p-1")
    said = _html(app)
    for wanted in (
        "How much?",
        "0.873",
        ">by the known answer, which leaves the logic in doubt",
        "0.80",
        "mean score of the clique",
        "3 * 2 = 6",
        "ada gives 7, cyd gives 5",
        "✓ confirmed",
    ):
        assert wanted in said
    assert app.code[0].value.startswith("def solve(a: int = 3")


def test_graph_is_that_of_the_oracle(run: Path) -> None:
    """The browser is given each variable of the oracle with its value and role, and what it reads."""
    (graph,) = (json.loads(part.proto.json) for part in _page(run, opened="p-1").main.get("bidi_component"))
    roles = [graph["roles"][role][0] for _, _, role, *_ in graph["entries"]]
    variables = [(name, value, reads) for name, value, _, _, _, reads, _ in graph["entries"]]
    assert graph["name"] == "p-1 by ada"
    assert variables == [("a", "3", []), ("b", "2", []), ("answer", "6", [0, 1])]
    assert roles == ["question-input", "world-knowledge-input", "answer"]


def test_neighbours_follow_the_order_of_the_list(run: Path) -> None:
    """Next opens the problem after it."""
    app = _page(run, opened="p-1")
    next(widget for widget in app.button if widget.label == "Next").click().run()
    assert app.query_params["opened"] == "p-2"
    assert "How many?" in _html(app)


def test_problem_without_an_oracle_has_a_page(run: Path) -> None:
    """The page of a problem without an oracle says why there is none."""
    said = _html(_page(run, opened="p-2"))
    assert "no oracle" in said
    assert "could not be read" in said or "syntax-error" in said


def test_unknown_problem_is_a_message(run: Path) -> None:
    """The address of an unknown problem gives a message."""
    assert "expected the id of a problem" in _html(_page(run, opened="p-9"))


def test_run_without_the_stage_says_how_to_make_it(tmp_path: Path) -> None:
    """A run without a formalization stage names the command."""
    (tmp_path / "bare").mkdir()
    said = unescape(_html(_page(tmp_path / "bare")))
    assert f"pytest -n auto -m formalization {run_option(tmp_path / 'bare')}" in said


def test_folder_of_candidates_says_what_is_missing() -> None:
    """Without a run the page says what to start the app on."""
    assert "Start the app with a run" in _html(_page(None))


def test_run_made_anew_is_read_anew(tmp_path: Path) -> None:
    """What was read of a run is not shown once its manifest is another."""
    run = tmp_path / "run"
    seal_stage(run, "formalization", {"problems": [json_form(Problem("p-1", "old", "", None))]})
    assert [row["question"] for row in _rows(_page(run))] == ["old"]
    stage = run / "formalization"
    for path in stage.iterdir():
        path.unlink()
    stage.rmdir()
    seal_stage(run, "formalization", {"problems": [json_form(Problem("p-1", "new", "", None))]})
    assert [row["question"] for row in _rows(_page(run))] == ["new"]


def _strings(app: AppTest) -> list[str]:
    """Return what Streamlit is told to read as Markdown: labels, captions, messages."""
    found: list[str] = []

    def walk(node: Any) -> None:
        proto = getattr(node, "proto", None)
        for name in ("label", "help", "placeholder"):
            value = getattr(proto, name, "")
            found.extend([value] if isinstance(value, str) else [])
        if node.type in {"markdown", "caption", "error", "warning", "info", "success", "title", "header"}:
            found.append(str(node.value))
        for child in getattr(node, "children", {}).values():
            walk(child)

    walk(app.main)
    return found


def test_foreign_text_reaches_no_markdown(hostile_run: Path) -> None:
    """With hostile text in every field, none of it stands in a label, a message or Markdown, and all HTML is escaped."""
    index = OracleIndex.open(hostile_run)
    for listed in index.listed:
        app = _page(hostile_run, opened=listed.address)
        assert "alert" in _html(app)
        assert "<img" not in _html(app)
        assert "</script" not in _html(app)
        assert not any("alert" in text for text in _strings(app))


def test_hostile_list_can_be_sent(hostile_run: Path) -> None:
    """A list with half a surrogate pair in its texts is shown."""
    assert all("<U+D800>" in row["problem"] for row in _rows(_page(hostile_run)))


def test_candidates_are_read_when_asked_for(mutation_run: Path) -> None:
    """The toggle shows a problem's candidates, with the link to the page that reviews them."""
    lines = (mutation_run / "mutation" / "conceptual.jsonl").read_text("utf-8").splitlines()
    flaw = json.loads(lines[0])
    seal_stage(
        mutation_run, "formalization", {"problems": [json_form(Problem(flaw["problem_id"], "How many?", "", None))]}
    )
    app = _page(mutation_run, opened=flaw["problem_id"])
    assert flaw["label"]["error_details"]["explanation"] not in unescape(_html(app))
    app.toggle[0].set_value(True).run()
    said = _html(app)
    assert flaw["label"]["error_details"]["explanation"][:100] in unescape(said)
    assert f'href="./?problem={flaw["problem_id"]}"' in said


def test_run_without_candidates_says_how_to_make_them(run: Path) -> None:
    """Where the mutation stage is missing, the toggle names the command."""
    app = _page(run, opened="p-1")
    app.toggle[0].set_value(True).run()
    assert f"pytest -n auto -m mutation {run_option(run)}" in unescape(_html(app))
