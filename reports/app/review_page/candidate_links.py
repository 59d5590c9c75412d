"""Links from a problem on the Oracles page to its candidates on the Review page."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import quote

import streamlit as st

from harness.stages import MUTATION
from harness.text.characters import one_line, spaced
from reports.app.markup import element, link, notice, show, table
from reports.views.artefacts import ReportError, SealedStage, open_stage
from reports.views.flaws import FLAWS

if TYPE_CHECKING:
    from pathlib import Path

    from harness.records.mutation import FlawRecord
    from reports.app.app_context import AppContext

COMPUTATIONAL = "computational_error"
MOST_SHOWN = 100
LONGEST_EXPLANATION = 240


def show_candidates(problem_id: str, address: str, context: AppContext) -> None:
    """Show a toggle for a problem's candidates, and a link to the page that reviews them."""
    if context.run is None:
        return
    if not st.toggle("Candidates of this problem", key=f"oracle-candidates-{address}"):
        return
    try:
        flaws = _flaws(context.run, _stamp(context.run), problem_id)
    except ReportError as error:
        notice(str(error), kind="warning")
        return
    candidates = [flaw for flaw in flaws if context.computational or _class_of(flaw) != COMPUTATIONAL]
    if not candidates:
        notice("The mutation stage made no candidate from this problem.")
        return
    classes = sorted(map(_class_of, candidates))
    counts = ", ".join(f"{number:,} {spaced(name)}" for name, number in Counter(classes).items())
    show(
        element(
            "p",
            f"{counts}. ",
            link("Review this problem's candidates", _review(problem_id)),
        ),
        table(
            ["line", "type", "plausible", "what is wrong"],
            [
                [
                    flaw.label.error_details.erroneous_line_number,
                    spaced(flaw.label.error_details.error_type),
                    f"{flaw.plausibility.score:.2f}",
                    one_line(flaw.label.error_details.explanation, limit=LONGEST_EXPLANATION),
                ]
                for flaw in candidates[:MOST_SHOWN]
            ],
        ),
        element("p", f"{len(candidates) - MOST_SHOWN:,} more.", kind="muted") if len(candidates) > MOST_SHOWN else None,
    )


def _class_of(flaw: FlawRecord) -> str:
    return flaw.label.error_details.error_class


def _review(problem_id: str) -> str:
    """Return the address of the Review page for a problem, with the reviewer's name if it is known."""
    reviewer = st.session_state.get("reviewer")
    who = f"&reviewer={quote(reviewer, errors='replace')}" if isinstance(reviewer, str) else ""
    return f"./?problem={quote(problem_id, errors='replace')}{who}"


def _stamp(run: Path) -> tuple[int, int]:
    """Return a value that changes when the stage is made again."""
    try:
        stat = (run / MUTATION / "manifest.json").stat()
    except OSError:
        return 0, 0
    return stat.st_mtime_ns, stat.st_size


@st.cache_resource(max_entries=2, show_spinner="Comparing the candidates with their manifest, once")
def _stage(run: Path, stamp: tuple[int, int]) -> SealedStage:  # noqa: ARG001  # a new stage is another entry of the cache
    return open_stage(run, MUTATION)


@st.cache_data(max_entries=16, show_spinner="Reading the candidates")
def _flaws(run: Path, stamp: tuple[int, int], problem_id: str) -> list[FlawRecord]:
    """Return a problem's candidates, the most plausible first."""
    return sorted(FLAWS.records(_stage(run, stamp), problem_id), key=lambda flaw: -flaw.plausibility.score)
