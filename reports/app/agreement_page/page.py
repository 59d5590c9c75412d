"""The Agreement page: agreement of reviewers, their disputes and their time per decision."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import streamlit as st

from harness.errors import HarnessError
from reports.app.agreement_page.dispute import show_dispute
from reports.app.agreement_page.figures import (
    alpha_sentence,
    by_day,
    by_reviewer,
    by_type,
    disputes,
    interval,
    kappa_words,
)
from reports.app.markup import element, notice, put_styles, show, table
from reports.review.agreement import agreement, ratings
from reports.review.candidates.candidates import Candidates
from reports.review.state.decisions import Decision
from reports.review.state.review_state import ReviewState
from reports.views.printable_text import one_line, spaced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from reports.app.app_context import AppContext
    from reports.app.markup import Content, Markup
    from reports.review.agreement import Agreement, PairAgreement
    from reports.review.candidates.candidates import Candidate
    from reports.review.state.decisions import LogEntry

PAGE = 10
MOST_PAIRS = 30
START = "streamlit run reports/app/main.py -- --run RUN --double 0.2"


def page(context: AppContext) -> None:
    """Show what the state says of reviewers' agreement and pace."""
    put_styles()
    st.title("Agreement")
    try:
        standing = _standing(context.state)
        if not standing:
            notice(
                f"Nobody has decided anything yet ({context.state}). To measure agreement, let two reviewers judge a share of the "
                f"candidates, each on their own: {START}"
            )
            return
        find = _finder(context.candidates)
        found = agreement(ratings(standing))
        _figures(standing, found)
        if found.n:
            _pairs(found)
            _types(standing, find)
            _disputes(standing, find)
        _pace(standing)
    except HarnessError as error:
        notice(str(error), kind="error")


def _standing(path: Path) -> list[LogEntry]:
    """Return the decisions in force; a state that nobody has begun is not made by looking."""
    if not path.is_file():
        return []
    return _state(path, path.stat().st_ino).standing()


@st.cache_resource(max_entries=2)
def _state(path: Path, inode: int) -> ReviewState:  # noqa: ARG001  # another file of that name is another state
    return ReviewState.open(path)


@st.cache_resource(max_entries=2, show_spinner="Reading the candidates, once")
def _candidates(paths: tuple[Path, ...], stamps: tuple[tuple[int, int], ...]) -> Candidates:  # noqa: ARG001  # what a change of a file changes
    return Candidates.open(paths)


def _finder(paths: tuple[Path, ...]) -> Callable[[str], Candidate | None]:
    """Return what finds a candidate by its id, `None` where these files do not hold it."""
    stamps = tuple((stat.st_mtime_ns, stat.st_size) for stat in (path.stat() for path in paths if path.is_file()))
    known = _candidates(paths, stamps) if paths else None
    read: dict[str, Candidate | None] = {}

    def find(candidate_id: str) -> Candidate | None:
        if candidate_id not in read:
            try:
                read[candidate_id] = None if known is None else known.get(candidate_id)
            except HarnessError:  # decided on other files than these
                read[candidate_id] = None
        return read[candidate_id]

    return find


def _figures(standing: Sequence[LogEntry], found: Agreement) -> None:
    kinds = Counter(one.ruling.decision for one in standing)
    decided, doubly, raw, alpha = st.columns(4)
    decided.metric("Decisions", f"{kinds[Decision.ACCEPT] + kinds[Decision.REJECT]:,}")
    doubly.metric("Judged by two or more", f"{found.n:,}")
    raw.metric("Raw agreement", "–" if found.raw is None else f"{found.raw:.0%}")
    alpha.metric("Krippendorff's alpha", "–" if found.alpha.value is None else f"{found.alpha.value:.2f}")
    if not found.n:
        notice(
            "No candidate was judged by two reviewers yet, so there is nothing to compare. Let a share of them be judged twice, by "
            f"different people who do not see each other's decision: {START}"
        )
        return
    show(
        element(
            "p",
            f"Alpha {interval(found.alpha)}, n = {found.n:,}. {alpha_sentence(found.alpha)} ",
            "1 is full agreement, 0 what chance would give. In brackets: where 95% of resamples of the candidates fall.",
        )
    )


def _pairs(found: Agreement) -> None:
    st.subheader("Each two reviewers")
    pairs = sorted(found.pairs, key=lambda one: -one.n)[:MOST_PAIRS]
    rows: list[list[Content]] = [
        [
            f"{one.left} and {one.right}",
            f"{one.n:,}",
            f"{one.raw:.0%}",
            interval(one.kappa),
            kappa_words(one.kappa),
            _confusion(one, found.categories),
        ]
        for one in pairs
    ]
    show(
        table(["reviewers", "n", "raw", "Cohen's kappa", "read as", "who decided what"], rows, kind="figures-of-pairs")
    )
    if len(found.pairs) > MOST_PAIRS:
        show(
            element("p", f"{len(found.pairs) - MOST_PAIRS:,} more pairs: oracle-factory review agreement", kind="muted")
        )


def _confusion(pair: PairAgreement, categories: Sequence[str]) -> Markup:
    """Return the table of what both decided: rows are the left reviewer's decisions, columns the right one's."""
    head = [f"{one_line(pair.left, limit=20)} ↓ {one_line(pair.right, limit=20)} →", *categories]
    rows: list[list[Content]] = [
        [one, *(_count(pair.confusion.get((one, other), 0), differs=one != other) for other in categories)]
        for one in categories
    ]
    return table(head, rows, kind="confusion")


def _count(number: int, *, differs: bool) -> Markup:
    return element("span", f"{number:,}", kind="differs" if differs and number else "")


def _types(standing: Sequence[LogEntry], find: Callable[[str], Candidate | None]) -> None:
    def type_of(candidate_id: str) -> str:
        candidate = find(candidate_id)
        return "not among these candidates" if candidate is None else candidate.error_type

    st.subheader("By type of error")
    rows: list[list[Content]] = [
        [
            spaced(one.error_type),
            f"{one.found.n:,}",
            "–" if one.found.raw is None else f"{one.found.raw:.0%}",
            interval(one.found.alpha),
            f"{len(one.found.disputed):,}",
        ]
        for one in by_type(standing, type_of)
    ]
    show(table(["type", "n", "raw", "alpha", "disagreements"], rows))


def _disputes(standing: Sequence[LogEntry], find: Callable[[str], Candidate | None]) -> None:
    found = disputes(standing)
    st.subheader(f"Disagreements ({len(found):,})")
    if not found:
        st.text("None: whatever two reviewers judged, they judged alike.")
        return
    pages = -(-len(found) // PAGE)
    number = st.pagination(pages, key="agreement-page") if pages > 1 else 1
    show([show_dispute(one, find(one.candidate_id)) for one in found[(number - 1) * PAGE : number * PAGE]])


def _pace(standing: Sequence[LogEntry]) -> None:
    st.subheader("Pace")
    rows: list[list[Content]] = [
        [
            one.reviewer,
            f"{one.accepted:,}",
            f"{one.rejected:,}",
            f"{one.skipped:,}",
            "–" if one.seconds is None else f"{one.seconds:,.0f} s",
        ]
        for one in by_reviewer(standing)
    ]
    show(table(["reviewer", "accepted", "rejected", "skipped", "median time"], rows))
    days = by_day(standing)
    if days:
        st.bar_chart(
            {
                "day": [one.day for one in days],
                "decisions": [one.decisions for one in days],
                "reviewer": [one_line(one.reviewer, limit=40) for one in days],
            },
            x="day",
            y="decisions",
            color="reviewer",
            height=240,
            alt="Decisions by day and reviewer",
        )
