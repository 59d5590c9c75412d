"""Tests of the Agreement page: it shows the figures of the review state and explains how to read them."""

import json
import re
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from streamlit.testing.v1 import AppTest

from harness.records.review import CandidateTexts, Decision, DecisionLine
from reports.app.agreement_page import disputes, reviewer_rows, type_rows
from reports.review.agreement import agreement, ratings
from reports.review.candidates import version_of
from reports.review.review_state import ReviewState, append_entry
from tests.json_lines import read_lines
from tests.reports.review.made_candidates import made_entry

DECISIONS = st.lists(
    st.tuples(
        st.integers(0, 5), st.sampled_from(["ada", "bob", "cyd"]), st.sampled_from(list(Decision)), st.floats(0, 600)
    ),
    max_size=20,
    unique_by=lambda decision: decision[:2],
)


def _entry(candidate: int, reviewer: str, decision: Decision, seconds: float = 10.0) -> DecisionLine:
    at = f"2027-01-{candidate % 28 + 1:02}T12:00:00+00:00"
    return made_entry(f"c-{candidate}", "v1", reviewer, decision, seconds=seconds, at=at)


# The figures


@given(decided=DECISIONS)
def test_tables_add_up_to_what_stands(decided: list[tuple[int, str, Decision, float]]) -> None:
    """Each decision is counted for one reviewer, the disagreements are those that the coefficient counts, and so are those of the types."""
    entries = [_entry(*decision) for decision in decided]
    rows = reviewer_rows(entries)
    assert sum(int(cell) for row in rows for cell in row[1:4]) == len(entries)
    assert [row[0] for row in rows] == sorted({entry.reviewer for entry in entries})
    assert all((row[4] == "–") == (row[1:3] == ["0", "0"]) for row in rows)
    agreed = agreement(ratings(entries))
    listed = {f"{group[0].candidate_id}@{group[0].version}" for group in disputes(entries, agreed)}
    assert listed == set(agreed.disputed)
    types = type_rows(entries, lambda _: None)
    assert sum(int(row[1]) for row in types) == agreed.n
    assert sum(int(row[4]) for row in types) == len(listed)


# The page


@dataclass
class Desk:
    """A run of candidates, and a state file in which reviewers decided."""

    run: Path
    state: Path

    @property
    def candidates(self) -> Path:
        """Return the file of candidates."""
        return self.run / "mutation" / "conceptual.jsonl"

    def decide(self, *decisions: tuple[int, str, Decision], **changed: Any) -> None:
        """Take decisions on the candidates of these numbers."""
        records = read_lines(self.candidates)
        state = ReviewState.open(self.state)
        with state.changing() as sql:
            for number, reviewer, decision in decisions:
                own = CandidateTexts.of_record(records[number])
                texts = {"texts": own, "original": own, "note": "it reads oddly", **changed}
                key = (records[number]["flaw_id"], version_of(records[number]), reviewer)
                append_entry(
                    sql,
                    made_entry(*key, decision, uid=f"{number}-{len(reviewer)}-{reviewer[-1].encode().hex()}", **texts),
                )
        state.close()

    def page(self) -> AppTest:
        """Return the Agreement page on this state."""
        app = AppTest.from_function(
            _script, args=(str(self.run), str(self.candidates), str(self.state)), default_timeout=60
        )
        app.run()
        if app.exception:
            raise RuntimeError(app.exception[0].message)
        return app


def _script(run: str, candidates: str, state: str) -> None:
    from pathlib import Path  # AppTest runs the source of this function alone

    from reports.app.agreement_page import page
    from reports.app.app_context import AppContext

    page(AppContext(run=Path(run), candidates=(Path(candidates),), state=Path(state)))


@pytest.fixture
def desk(tmp_path: Path, mutation_run: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Return a run of candidates and a state file that is not there yet."""
    monkeypatch.chdir(tmp_path)
    return Desk(mutation_run, tmp_path / "reviews" / "review.sqlite")


def _html(app: AppTest) -> str:
    return "\n".join(part.value for part in app.main.html)


def _text(app: AppTest) -> str:
    return unescape(re.sub("<[^>]*>", " ", _html(app)))


ACCEPT, REJECT = Decision.ACCEPT, Decision.REJECT
FIVE = (
    *((0, "ada", ACCEPT), (0, "bob", ACCEPT), (1, "ada", REJECT), (1, "bob", REJECT), (2, "ada", ACCEPT)),
    *((2, "bob", REJECT), (3, "ada", ACCEPT), (3, "bob", ACCEPT), (4, "ada", ACCEPT)),
)
"""Four candidates judged twice, three of them alike, and one judged once."""


def test_page_without_a_state_says_how_to_begin(desk: Desk) -> None:
    """Before anybody decided, the page names the option for double review, and makes no file."""
    assert "--double 0.2" in _text(desk.page())
    assert not desk.state.exists()


def test_page_shows_what_the_coefficients_are(desk: Desk) -> None:
    """Counts, raw agreement, kappa and alpha are those of the decisions in the state."""
    desk.decide(*FIVE)
    app = desk.page()
    metrics = {metric.label: metric.value for metric in app.metric}
    state = ReviewState.open(desk.state)
    agreed = agreement(ratings(state.standing()))
    state.close()
    assert agreed.n == 4
    assert agreed.alpha.value is not None
    assert metrics == {
        "Decisions": "9",
        "Judged by two or more": "4",
        "Raw agreement": "75.0%",
        "Krippendorff's alpha": f"{agreed.alpha.value:.2f}",
    }
    # Observed agreement 3/4; by chance 3/4 * 1/2 + 1/4 * 1/2 = 1/2: kappa is 1/2.
    assert agreed.pairs[0].kappa.value == pytest.approx(0.5)
    assert re.search(r"ada and bob\s+4\s+75\.0%\s+0\.50", _text(app))


def test_disagreement_shows_both_sides(desk: Desk) -> None:
    """A candidate judged differently stands with both reviewers' decisions, texts and reasons."""
    desk.decide(*FIVE)
    app = desk.page()
    assert "Disagreements (1)" in [heading.value for heading in app.subheader]
    said = _text(app)
    for wanted in (
        "ada ✓ accepted",
        "bob ✗ rejected",
        "because nobody would write this",
        "“it reads oddly”",
        "as it came",
    ):
        assert wanted in said
    record = json.loads(desk.candidates.read_text("utf-8").splitlines()[2])
    assert record["question"] in unescape(_html(app))
    assert record["label"]["error_details"]["error_type"].replace("_", " ") in said
    assert record["label"]["error_details"]["explanation"] in unescape(_html(app))


def test_words_of_reviewers_stay_text(desk: Desk) -> None:
    """Hostile names, notes and edited texts are escaped, and reach no Markdown."""
    name = "<img src=x onerror=alert(1)> :red[x] $y$"
    edited = CandidateTexts(("<i>alert(3)</i>", "#### 7"), "<i>alert(3)</i>")
    desk.decide((0, "ada", ACCEPT), (0, name, REJECT), note="<b>alert(2)</b> $z$", texts=edited)
    app = desk.page()
    said = _html(app)
    assert "<img" not in said
    for number in (1, 2, 3):
        assert f"alert({number})" in said
    assert "<b>alert" not in said
    assert "<i>alert" not in said
    markdown = [
        part.value for part in (*app.markdown, *app.caption, *app.title, *app.subheader, *app.error, *app.warning)
    ]
    assert not any("alert" in text for text in markdown)


def test_damaged_state_is_a_message(desk: Desk) -> None:
    """A file that is no state is named, without a traceback."""
    desk.state.parent.mkdir()
    desk.state.write_text("this is a letter, not a database, and quite long enough to be read as one" * 20)
    assert str(desk.state) in _text(desk.page())
