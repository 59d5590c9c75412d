"""The list of problems on the Oracles page: its rows for the browser, and the problem that a reader opens."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from harness.text.characters import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reports.app.oracles_page.oracle_index import ListedProblem

KEY = "oracle-list"
LONGEST_QUESTION, LONGEST_CELL = 300, 80
HIGHEST = 1.3
"""The confidence of a clique of five whose pairs all score 1."""
_ASSETS = Path(__file__).resolve().parents[1] / "assets"
_HEADS = (
    *(
        ("problem", "Problem"),
        ("question", "Question"),
        ("tier", "Tier"),
        ("gold", "Gold"),
        ("p_right", "p_right"),
        ("confidence", "Confidence"),
    ),
    *(("clique", "Clique"), ("dissent", "Dissent"), ("oracle", "Oracle")),
)
_HTML = f"""<table><thead><tr>{"".join(f'<th class="{name}">{title}</th>' for name, title in _HEADS)}</tr></thead><tbody></tbody></table>"""


def row_of(listed: ListedProblem) -> dict[str, Any]:
    """Return a problem's row for the browser, with invisible characters made visible: lone surrogates cannot be sent."""
    return {
        "address": listed.address,
        "problem": one_line(listed.problem_id, limit=LONGEST_CELL),
        "question": one_line(listed.problem.question, limit=LONGEST_QUESTION),
        "tier": listed.problem.tier,
        "gold": one_line(listed.problem.gold or "–", limit=LONGEST_CELL),
        "p_right": "–" if listed.p_right is None else f"{listed.p_right:.3f}",
        "confidence": round(listed.confidence, 4),
        "highest": HIGHEST,
        "clique": f"{listed.clique_size} of {listed.answers}",
        "dissent": listed.dissenters,
        "oracle": one_line(listed.oracle or "none", limit=LONGEST_CELL),
    }


def show_list(listed: Sequence[ListedProblem], opened: Callable[[str], None]) -> None:
    """Show problems, and call `opened` with the address of the problem that the reader opens, before the page runs again."""

    def choose() -> None:
        state = st.session_state.get(KEY)
        address = state.get("opened") if isinstance(state, Mapping) else None
        if isinstance(address, str):
            opened(address)

    _component()(key=KEY, data={"rows": [row_of(problem) for problem in listed]}, on_opened_change=choose)


@cache
def _component() -> Callable[..., Any]:
    script, styles = ((_ASSETS / name).read_text(encoding="utf-8") for name in ("problem_list.js", "problem_list.css"))
    return st.components.v2.component("oracle_factory.problems", html=_HTML, css=styles, js=script)
