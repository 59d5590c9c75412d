"""The Review page: candidates for one reviewer in one tab, filters, and the progress of the strata."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from harness.errors import HarnessError
from harness.store.run_folder import fingerprint
from reports.app.markup import element, notice, put_styles, show, table
from reports.app.review_page import component
from reports.app.review_page.review_tab import ReviewTab, read_outbox
from reports.app.review_page.tab_sessions import TabSessions
from reports.review.candidate_queue import CandidateQueue, QueueFilters
from reports.review.candidates.candidates import Candidates
from reports.review.state.decisions import ReviewPlan
from reports.review.state.review_state import LONGEST_NAME, ReviewState

if TYPE_CHECKING:
    from pathlib import Path

    from reports.app.app_context import AppContext
    from reports.app.markup import Content
    from reports.review.state.decisions import StratumProgress

TARGET = 20
"""How many accepted candidates of each stratum are wanted where nobody said."""
REFRESH = 10.0
"""Seconds after which the progress of all reviewers is read again."""
DESK = "review-desk"
_STYLE = "<style>.stMainBlockContainer { padding: 3.8rem 2rem 0; max-width: none; } .stMain { scrollbar-gutter: stable; }</style>"


def page(context: AppContext) -> None:
    """Let a reviewer judge candidates; a mistake of theirs or of the files is one message."""
    put_styles()
    st.html(_STYLE)
    reviewer = _reviewer(context)
    if reviewer is None:
        return
    try:
        queue = _opened(context)
        with st.sidebar:
            _progress(queue)
            filters = _filters(queue.candidates)
        _desk(context, queue, reviewer, filters).choose(filters)
    except HarnessError as error:
        notice(str(error), kind="error")
        return
    _review()


@st.fragment
def _review() -> None:
    """Show the candidate, and do what the page said since; only this runs when a key is pressed."""
    desk: ReviewTab | None = st.session_state.get(DESK)
    if desk is None:
        return
    sent = component.outbox()
    # After a restart the outbox is only known once the page is mounted.
    late = component.mount(desk.page(trouble=_take(desk, sent)))
    if late != sent and not _take(desk, late):
        st.rerun()


def _take(desk: ReviewTab, sent: object) -> str:
    """Do what the page sent; return why that failed, or nothing: it sends again what was not done."""
    try:
        outbox = read_outbox(sent)
        if outbox is not None:
            desk.receive(outbox)
    except HarnessError as error:
        return str(error)
    return ""


def _reviewer(context: AppContext) -> str | None:
    """Return who reviews: by the address, the command line, or asked once."""
    name = _name(st.session_state.get("reviewer") or st.query_params.get("reviewer") or context.reviewer or "")
    if not name:
        st.title("Review")
        with st.form("who", border=False):
            asked = st.text_input("Your name, as it stands in the record of your decisions", max_chars=LONGEST_NAME)
            if not st.form_submit_button("Begin", type="primary"):
                return None
        name = _name(asked)
        if not name:
            notice("A name is needed: decisions are kept with it.", kind="warning")
            return None
        st.session_state["reviewer"] = name
        st.query_params["reviewer"] = name
        st.rerun()
    st.session_state["reviewer"] = name
    if st.query_params.get("reviewer") != name:
        st.query_params["reviewer"] = name
    return name


def _name(text: str) -> str:
    """Return a name as the state keeps it: printable, on one line, not too long."""
    return "".join(one for one in " ".join(text.split()) if one.isprintable())[:LONGEST_NAME]


def _desk(context: AppContext, queue: CandidateQueue, reviewer: str, filters: QueueFilters) -> ReviewTab:
    """Return this tab's desk; its token stands in the address, so that a reload finds the same candidate."""
    desk: ReviewTab | None = st.session_state.get(DESK)
    if desk is None or desk.queue is not queue or desk.reviewer != reviewer:
        running = get_script_run_ctx()
        connection = "" if running is None else running.session_id
        token = _visits().claim(desk.session if desk else st.query_params.get("session", ""), connection)
        place = fingerprint([str(context.state.resolve()), reviewer])
        desk = ReviewTab(queue.state, queue, reviewer, token, filters, place)
        st.session_state[DESK] = desk
    if st.query_params.get("session") != desk.session:
        st.query_params["session"] = desk.session
    return desk


def _filters(candidates: Candidates) -> QueueFilters:
    """Ask which candidates are wanted; the choice stands in the address."""
    st.subheader("Which candidates")
    chosen = {
        column: tuple(
            st.multiselect(
                title,
                candidates.values(column),
                format_func=_spaced,
                key=f"only-{column}",
                placeholder="all",
                bind="query-params",
            )
        )
        for column, title in (
            ("tier", "Tier"),
            ("position", "Position"),
            ("error_type", "Type"),
            ("operator", "Operator"),
        )
    }
    edit = st.selectbox(
        "Needs an edit", ["yes", "no"], index=None, key="only-edit", placeholder="all", bind="query-params"
    )
    problem = st.text_input("Problem", key="problem", max_chars=200, placeholder="part of its id", bind="query-params")
    return QueueFilters(
        tiers=chosen["tier"],
        positions=chosen["position"],
        error_types=chosen["error_type"],
        operators=chosen["operator"],
        needs_edit=None if edit is None else edit == "yes",
        problem=problem or "",
    )


@st.fragment(run_every=REFRESH)
def _progress(queue: CandidateQueue) -> None:
    """Show how far all reviewers are, each stratum against its target."""
    try:
        strata = queue.progress()
    except HarnessError as error:
        notice(str(error), kind="error")
        return
    accepted = sum(min(one.accepted, one.target) for one in strata)
    wanted = sum(one.target for one in strata)
    st.subheader("How far all are")
    st.progress(accepted / wanted if wanted else 1.0, text=f"{accepted:,} of {wanted:,} wanted are accepted")
    with st.expander("By tier, position and type"):
        heads = ("stratum", "accepted", "rejected", "open")
        show(table(heads, (_row(one) for one in strata), kind="strata"))


def _row(one: StratumProgress) -> list[Content]:
    judged = one.accepted + one.rejected
    state = [f"{one.disputed:,} disputed"] * bool(one.disputed) + [f"{one.awaiting:,} awaiting"] * bool(one.awaiting)
    place = f"{_tier(one.stratum.tier)}, {one.stratum.position}"
    return [
        [place, element("small", _spaced(one.stratum.error_type))],
        [f"{one.accepted:,} of {one.target:,}", *(element("small", words) for words in state)],
        f"{one.rejected:,}",
        f"{one.total - judged:,}",
    ]


def _tier(tier: str) -> str:
    return "no tier" if tier == "none" else f"tier {tier}"


def _spaced(name: str) -> str:
    return name.replace("_", " ")


@st.cache_resource
def _visits() -> TabSessions:
    return TabSessions(live=lambda connection: Runtime.exists() and Runtime.instance().is_active_session(connection))


def _opened(context: AppContext) -> CandidateQueue:
    """Return the queue that all who use this server draw from."""
    candidates = tuple(path.resolve() for path in context.candidates)
    stamps = tuple((path.stat().st_mtime_ns, path.stat().st_size) for path in candidates if path.is_file())
    return _queue(candidates, stamps, context.state.resolve(), context.target, context.double)


@st.cache_resource(max_entries=4, show_spinner="Reading the candidates, once")
def _queue(
    candidates: tuple[Path, ...],
    stamps: tuple[tuple[int, int], ...],  # noqa: ARG001  # files of another size or time are other candidates
    state: Path,
    target: int | None,
    double: float | None,
) -> CandidateQueue:
    """Open the candidates and the state, and say how much is wanted where somebody does."""
    queue = CandidateQueue(Candidates.open(candidates), ReviewState.open(state))
    said = queue.state.plan
    plan = ReviewPlan(target or said.target or TARGET, said.double if double is None else double)
    if plan != said:
        queue.state.say(plan)
    return queue
