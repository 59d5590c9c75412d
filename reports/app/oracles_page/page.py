"""The Oracles page: the problems of a run with their oracles, with search, filters and one problem in full."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import streamlit as st

from harness.stages import FORMALIZATION
from harness.text.characters import one_line
from reports.app.app_context import start
from reports.app.markup import notice, put_styles
from reports.app.oracles_page.oracle_index import OracleIndex, ProblemFilter, ProblemOrder, ProblemQuery
from reports.app.oracles_page.problem import show_problem
from reports.app.oracles_page.problem_list import show_list
from reports.views.artefacts import ReportError

if TYPE_CHECKING:
    from pathlib import Path

    from reports.app.app_context import AppContext

PAGE = 50
OPENED = "opened"
"""The query parameter with the address of the opened problem."""


def page(context: AppContext) -> None:
    """Show the problems of the context's run with their oracles, or the one that is opened."""
    put_styles()
    if context.run is None:
        st.title("Oracles")
        notice(
            "A folder of candidates has no oracles. Start the app with a run that has a formalization stage: "
            + start("--run RUN")
        )
        return
    try:
        index = _open(context.run, _fingerprint(context.run))
        opened = st.query_params.get(OPENED)
        if opened is None:
            _list(index)
            return
        details = index.details(opened)
        _neighbours(index, opened)
        if details is None:
            notice(
                f"{one_line(opened, limit=80)}: expected the id of a problem of {context.run}, found none.",
                kind="error",
            )
        else:
            show_problem(details, context)
    except ReportError as error:
        st.title("Oracles")
        notice(str(error), kind="warning")


def _fingerprint(run: Path) -> str:
    """Return a digest of the stage's manifest, which holds the digest of every file of the stage."""
    try:
        return hashlib.sha256((run / FORMALIZATION / "manifest.json").read_bytes()).hexdigest()
    except OSError:
        return ""


@st.cache_resource(max_entries=2, show_spinner="Reading the run's oracles, once")
def _open(run: Path, digest: str) -> OracleIndex:  # noqa: ARG001  # a new stage is another entry of the cache
    return OracleIndex.open(run)


def _list(index: OracleIndex) -> None:
    st.title("Oracles")
    left, right = st.columns([2, 1])
    left.text_input(
        "Search",
        key="oracle-words",
        max_chars=200,
        placeholder="words of the question, an id, a name in the oracle's code",
        persist_state="page",
    )
    right.selectbox("Order", list(ProblemOrder), key="oracle-order", persist_state="page")
    st.pills("Only with", list(ProblemFilter), selection_mode="multi", key="oracle-only", persist_state="page")
    problems = index.matching(_query())
    pages = max(1, -(-len(problems) // PAGE))
    count, pager = st.columns([1, 2], vertical_alignment="center")
    count.text(f"{len(problems):,} of {len(index.listed):,} problems")
    with pager.container(horizontal=True, horizontal_alignment="right"):
        number = st.pagination(pages, key="oracle-page", persist_state="page") if pages > 1 else 1
    shown = problems[(number - 1) * PAGE : number * PAGE]
    if not shown:
        notice("No problem matches. Remove a word or a filter.")
        return
    show_list(shown, _go)


def _query() -> ProblemQuery:
    """Return the query of the list, from its fields."""
    state = st.session_state
    order, only = state.get("oracle-order") or ProblemOrder.CORPUS, state.get("oracle-only") or ()
    return ProblemQuery(state.get("oracle-words") or "", ProblemOrder(order), frozenset(map(ProblemFilter, only)))


def _go(address: str | None) -> None:
    """Open a problem by the page's address, or the list if `address` is `None`."""
    if address is not None:
        st.query_params[OPENED] = address
    elif OPENED in st.query_params:
        del st.query_params[OPENED]


def _neighbours(index: OracleIndex, opened: str) -> None:
    """Show links to the list and to the previous and next problem of its order."""
    problems = index.matching(_query())
    ids = [problem.address for problem in problems]
    place = ids.index(opened) if opened in ids else None

    before = ids[place - 1] if place else None
    after = ids[place + 1] if place is not None and place + 1 < len(ids) else None
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("All problems", icon=":material/list:", on_click=_go, args=(None,))
        st.button("Previous", icon=":material/arrow_back:", disabled=before is None, on_click=_go, args=(before,))
        st.button("Next", icon=":material/arrow_forward:", disabled=after is None, on_click=_go, args=(after,))
        if place is not None:
            st.text(f"{place + 1:,} of {len(ids):,}")
