"""The Review page: candidates for one reviewer in one tab, filters, and the progress of the strata."""

import secrets

import streamlit as st

from harness.errors import HarnessError
from harness.records.provenance import ConfidenceThresholds
from harness.store.run_folder import fingerprint
from harness.text.characters import spaced
from reports.app.app_context import AppContext, known_name, open_candidates, open_state, printable_name
from reports.app.markup import STYLES, Content, element, notice, show, table
from reports.app.review_page import component
from reports.app.review_page.review_tab import ReviewTab, read_outbox
from reports.review.candidate_queue import CandidateQueue, QueueFilters, ReviewProgress, StratumProgress
from reports.review.candidates import COLUMNS, Candidates
from reports.review.review_state import LONGEST_NAME, ReviewPlan

REFRESH = 3.0
"""Seconds between two updates of the progress."""
DESK = "review-desk"
SUPPORT = {
    "clique": ("Formalizations that agree", (2, 3, 4, 5), 1),
    "confidence": ("Confidence of the oracle", (0.25, 0.5, 0.75, 1, 1.25), 0),
    "p_right": ("Probability that the oracle is right", (0.5, 0.8, 0.9, 0.95, 0.99), 0),
}
"""The thresholds on the oracle of a candidate: title, choices, and the value without a limit."""
LONGEST_TOKEN = 40
_STYLE = "<style>.stMainBlockContainer { padding: 3.8rem 2rem 0; max-width: none; } .stMain { scrollbar-gutter: stable; }</style>"


def page(context: AppContext) -> None:
    """Show candidates to a reviewer; an error of the input or of a file is one message."""
    st.html(STYLES)
    st.html(_STYLE)
    if context.lacking:
        st.title("Review")
        notice(context.lacking)
        return
    reviewer = _reviewer(context)
    if reviewer is None:
        return
    try:
        queue = _queue_of(context)
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
    """Handle the messages of the page and show the candidate; only this fragment runs when a key is pressed."""
    desk: ReviewTab | None = st.session_state.get(DESK)
    if desk is None:
        return
    sent = component.outbox()
    # After a restart the outbox is known only when the page is mounted.
    late = component.mount(desk.page(trouble=_handle_messages(desk, sent)))
    if late != sent and not _handle_messages(desk, late):
        st.rerun()


def _handle_messages(desk: ReviewTab, sent: object) -> str:
    """Handle the messages of the page; return why that failed, or an empty text. The page repeats unhandled messages."""
    try:
        outbox = read_outbox(sent)
        if outbox is not None:
            desk.receive(outbox)
    except HarnessError as error:
        return str(error)
    return ""


def _reviewer(context: AppContext) -> str | None:
    """Return the reviewer's name from the address, the command line or a form, or `None` while the form is open."""
    name = known_name(context)
    if not name:
        st.title("Review")
        with st.form("who", border=False):
            asked = st.text_input("Your name, for the record of your decisions", max_chars=LONGEST_NAME)
            if not st.form_submit_button("Begin", type="primary"):
                return None
        name = printable_name(asked)
        if not name:
            notice("Enter your name: it is stored with your decisions.", kind="warning")
            return None
        st.session_state["reviewer"] = name
        st.rerun()
    st.session_state["reviewer"] = name
    if st.query_params.get("reviewer") != name:
        st.query_params["reviewer"] = name
    return name


def _desk(context: AppContext, queue: CandidateQueue, reviewer: str, filters: QueueFilters) -> ReviewTab:
    """Return the state of this tab; its token is in the address, so that a reload, or a tab with a copied address, finds the same candidate."""
    desk: ReviewTab | None = st.session_state.get(DESK)
    if desk is None or desk.queue != queue or desk.reviewer != reviewer:
        token = desk.session if desk else st.query_params.get("session", "")
        if not _is_token(token):
            token = secrets.token_urlsafe(9)
        place = fingerprint([str(context.state.resolve()), reviewer])
        desk = ReviewTab(queue.state, queue, reviewer, token, filters, place)
        st.session_state[DESK] = desk
    if st.query_params.get("session") != desk.session:
        st.query_params["session"] = desk.session
    return desk


def _filters(candidates: Candidates) -> QueueFilters:
    """Show the filters; the choice is kept in the address."""
    st.subheader("Which candidates")
    chosen = [
        tuple(
            st.multiselect(
                title,
                sorted({getattr(candidate, column) for candidate in candidates.by_id.values()}),
                format_func=spaced,
                key=f"only-{column}",
                placeholder="all",
                bind="query-params",
            )
        )
        for column, title in zip(COLUMNS, ("Tier", "Position", "Type", "Operator"), strict=True)
    ]
    edit = st.selectbox(
        "Needs an edit", ["yes", "no"], index=None, key="only-edit", placeholder="all", bind="query-params"
    )
    support = {name: _threshold(name, *choice) for name, choice in SUPPORT.items()}
    problem = st.text_input("Problem", key="problem", max_chars=200, placeholder="part of its id", bind="query-params")
    tiers, positions, error_types, operators = chosen
    return QueueFilters(
        *(tiers, positions, error_types, operators),
        needs_edit=None if edit is None else edit == "yes",
        problem=problem or "",
        support=ConfidenceThresholds(support["confidence"], int(support["clique"]), support["p_right"]),
    )


def _threshold(name: str, title: str, choices: tuple[float, ...], least: float) -> float:
    """Show the filter of a threshold; without a valid choice there is no limit."""
    chosen = st.selectbox(
        title,
        [f"{choice:g}" for choice in choices],
        index=None,
        format_func=lambda choice: f"{choice} and more",
        key=f"least-{name}",
        placeholder="any",
        bind="query-params",
    )
    return least if chosen is None else float(chosen)


@st.fragment(run_every=REFRESH)
def _progress(queue: CandidateQueue) -> None:
    try:
        strata = queue.progress()
        progress = ReviewProgress.of(strata, queue.state.plan)
    except HarnessError as error:
        notice(str(error), kind="error")
        return
    st.subheader("Progress of all reviewers")
    st.progress(progress.counted / progress.wanted if progress.wanted else 1.0, text=progress.sentence)
    with st.expander("By tier, position and type"):
        heads = ("stratum", "accepted", "rejected", "open")
        show(table(heads, (_stratum_cells(stratum) for stratum in strata), kind="strata"))


def _stratum_cells(progress: StratumProgress) -> list[Content]:
    state = [f"{progress[name]:,} {name}" for name in ("disputed", "awaiting") if progress[name]]
    tier = "no tier" if progress.stratum.tier == "none" else f"tier {progress.stratum.tier}"
    return [
        [f"{tier}, {progress.stratum.position}", element("small", spaced(progress.stratum.error_type))],
        [f"{progress['accepted']:,} of {progress.target:,}", *(element("small", words) for words in state)],
        f"{progress['rejected']:,}",
        f"{progress.total - progress['accepted'] - progress['rejected']:,}",
    ]


def _is_token(text: str) -> bool:
    return 0 < len(text) <= LONGEST_TOKEN and text.isascii() and text.replace("-", "").replace("_", "").isalnum()


def _queue_of(context: AppContext) -> CandidateQueue:
    """Return the queue of the candidates and the state, and store the plan if the command line changes it."""
    candidates, state = open_candidates(context.candidates), open_state(context.state)
    current = state.plan
    double = current.double if context.double is None else context.double
    plan = ReviewPlan(context.target or current.target, double)
    if plan != current:
        state.say(plan)
    return CandidateQueue(candidates, state)
