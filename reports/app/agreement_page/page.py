"""The Agreement page: agreement of reviewers, their disputes and their time per decision."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING

import streamlit as st

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.records.review import Decision, DecisionLine
from harness.text.characters import one_line, spaced
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
from reports.app.app_context import start
from reports.app.markup import element, notice, put_styles, show, table
from reports.review.agreement import agreement, ratings
from reports.review.candidates.candidates import Candidates
from reports.review.state.review_state import ReviewState

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from reports.app.app_context import AppContext
    from reports.app.markup import Content, Markup
    from reports.review.agreement import Agreement, PairAgreement
    from reports.review.candidates.candidates import Candidate

PAGE = 10
MOST_PAIRS = 30


def page(context: AppContext) -> None:
    """Show the agreement and the pace of the reviewers."""
    put_styles()
    st.title("Agreement")
    try:
        standing = _standing(context.state)
        if not standing:
            judging = f"To measure agreement, let two reviewers judge a share of the candidates independently: {_start(context)}"
            notice(f"There is no decision yet in {context.state}. {context.lacking or judging}")
            return
        find = _finder(context.candidates)
        overall = agreement(ratings(standing))
        _figures(standing, overall, _start(context))
        if overall.n:
            _pairs(overall)
            _types(standing, find)
            _disputes(standing, find)
        _pace(standing)
    except HarnessError as error:
        notice(str(error), kind="error")


def _start(context: AppContext) -> str:
    """Return the command that starts the app again so that two reviewers judge a share of the candidates."""
    source = f"--run {shlex.quote(str(context.run))}" if context.run else "--candidates-dir DIR"
    return start(f"{source} --double 0.2")


def _standing(path: Path) -> list[DecisionLine]:
    """Return the decisions in force; a missing state is not created."""
    if not path.is_file():
        return []
    return _state(path, path.stat().st_ino).standing()


@st.cache_resource(max_entries=2)
def _state(path: Path, inode: int) -> ReviewState:  # noqa: ARG001  # a new file with the same name is another state
    return ReviewState.open(path)


@st.cache_resource(max_entries=2, show_spinner="Reading the candidates, once")
def _candidates(paths: tuple[Path, ...], stamps: tuple[tuple[int, int], ...]) -> Candidates:  # noqa: ARG001  # the key of the cache changes when a file does
    return Candidates.open(paths)


def _finder(paths: tuple[Path, ...]) -> Callable[[str], Candidate | None]:
    """Return a function that finds a candidate by its id, or `None` if the files do not hold it."""
    stamps = tuple((stat.st_mtime_ns, stat.st_size) for stat in (path.stat() for path in paths if path.is_file()))
    known = _candidates(paths, stamps) if paths else None
    read: dict[str, Candidate | None] = {}

    def find(candidate_id: str) -> Candidate | None:
        if candidate_id not in read:
            try:
                read[candidate_id] = None if known is None else known.get(candidate_id)
            except HarnessError:  # the decision was made on other files
                read[candidate_id] = None
        return read[candidate_id]

    return find


def _figures(standing: Sequence[DecisionLine], overall: Agreement, command: str) -> None:
    kinds = Counter(entry.decision for entry in standing)
    decided, doubly, raw, alpha = st.columns(4)
    decided.metric("Decisions", f"{kinds[Decision.ACCEPT] + kinds[Decision.REJECT]:,}")
    doubly.metric("Judged by two or more", f"{overall.n:,}")
    raw.metric("Raw agreement", "–" if overall.raw is None else f"{overall.raw:.0%}")
    alpha.metric("Krippendorff's alpha", "–" if overall.alpha.value is None else f"{overall.alpha.value:.2f}")
    if not overall.n:
        notice(
            "No candidate was judged by two reviewers yet, so there is nothing to compare. Let two people judge a share of "
            f"the candidates independently: {command}"
        )
        return
    show(
        element(
            "p",
            f"Alpha {interval(overall.alpha)}, n = {overall.n:,}. {alpha_sentence(overall.alpha)} ",
            "1 is full agreement, 0 is the agreement of chance. Brackets hold the 95% bootstrap interval over candidates.",
        )
    )


def _pairs(overall: Agreement) -> None:
    st.subheader("Pairs of reviewers")
    pairs = sorted(overall.pairs, key=lambda pair: -pair.n)[:MOST_PAIRS]
    rows: list[list[Content]] = [
        [
            f"{pair.left} and {pair.right}",
            f"{pair.n:,}",
            f"{pair.raw:.0%}",
            interval(pair.kappa),
            kappa_words(pair.kappa),
            _confusion(pair, overall.categories),
        ]
        for pair in pairs
    ]
    show(
        table(["reviewers", "n", "raw", "Cohen's kappa", "interpretation", "decisions"], rows, kind="figures-of-pairs")
    )
    if len(overall.pairs) > MOST_PAIRS:
        show(
            element(
                "p",
                f"{len(overall.pairs) - MOST_PAIRS:,} more pairs: {runnable('oracle-factory review agreement')}",
                kind="muted",
            )
        )


def _confusion(pair: PairAgreement, categories: Sequence[str]) -> Markup:
    """Return the counts of both reviewers' decisions: a row for each decision of the left reviewer, a column for the right."""
    head = [f"{one_line(pair.left, limit=20)} ↓ {one_line(pair.right, limit=20)} →", *categories]
    rows: list[list[Content]] = [
        [
            category,
            *(_count(pair.confusion.get((category, other), 0), differs=category != other) for other in categories),
        ]
        for category in categories
    ]
    return table(head, rows, kind="confusion")


def _count(number: int, *, differs: bool) -> Markup:
    return element("span", f"{number:,}", kind="differs" if differs and number else "")


def _types(standing: Sequence[DecisionLine], find: Callable[[str], Candidate | None]) -> None:
    def type_of(candidate_id: str) -> str:
        candidate = find(candidate_id)
        return "not among these candidates" if candidate is None else candidate.error_type

    st.subheader("By type of error")
    rows: list[list[Content]] = [
        [
            spaced(row.error_type),
            f"{row.agreement.n:,}",
            "–" if row.agreement.raw is None else f"{row.agreement.raw:.0%}",
            interval(row.agreement.alpha),
            f"{len(row.agreement.disputed):,}",
        ]
        for row in by_type(standing, type_of)
    ]
    show(table(["type", "n", "raw", "alpha", "disagreements"], rows))


def _disputes(standing: Sequence[DecisionLine], find: Callable[[str], Candidate | None]) -> None:
    disagreements = disputes(standing)
    st.subheader(f"Disagreements ({len(disagreements):,})")
    if not disagreements:
        st.text("None: reviewers agree on every candidate that two of them judged.")
        return
    pages = -(-len(disagreements) // PAGE)
    number = st.pagination(pages, key="agreement-page") if pages > 1 else 1
    show(
        [
            show_dispute(dispute, find(dispute.candidate_id))
            for dispute in disagreements[(number - 1) * PAGE : number * PAGE]
        ]
    )


def _pace(standing: Sequence[DecisionLine]) -> None:
    st.subheader("Pace")
    rows: list[list[Content]] = [
        [
            figures.reviewer,
            f"{figures.accepted:,}",
            f"{figures.rejected:,}",
            f"{figures.skipped:,}",
            "–" if figures.seconds is None else f"{figures.seconds:,.0f} s",
        ]
        for figures in by_reviewer(standing)
    ]
    show(table(["reviewer", "accepted", "rejected", "skipped", "median time"], rows))
    days = by_day(standing)
    if days:
        st.bar_chart(
            {
                "day": [figures.day for figures in days],
                "decisions": [figures.decisions for figures in days],
                "reviewer": [one_line(figures.reviewer, limit=40) for figures in days],
            },
            x="day",
            y="decisions",
            color="reviewer",
            height=240,
            alt="Decisions by day and reviewer",
        )
