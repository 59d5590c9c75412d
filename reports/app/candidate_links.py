"""Which candidates does a problem have, and where are they reviewed?"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import streamlit as st

from reports.app.markup import element, link, notice, show, table
from reports.artefacts import MUTATION, ReportError, SealedStage, open_stage
from reports.text import one_line
from reports.wording import spaced

if TYPE_CHECKING:
    from pathlib import Path

    from reports.app.session import Context
    from reports.records import Flaw

MOST_SHOWN = 100
LONGEST_EXPLANATION = 240


def show_candidates(problem_id: str, address: str, context: Context) -> None:
    """Offer a problem's candidates, and the way to the page that reviews them; they are read when they are asked for."""
    if context.run is None:
        return
    if not st.toggle("Candidates of this problem", key=f"oracle-candidates-{address}"):
        return
    try:
        found = _flaws(context.run, _stamp(context.run), problem_id)
    except ReportError as error:
        notice(str(error), kind="warning")
        return
    if not found:
        notice("The mutation stage made no candidate of this problem.")
        return
    classes = sorted({one["label"]["error_details"]["error_class"] for one in found})
    counts = ", ".join(
        f"{sum(one['label']['error_details']['error_class'] == name for one in found):,} {spaced(name)}"
        for name in classes
    )
    show(
        element(
            "p",
            f"{counts}. ",
            link("Review this problem's candidates", f"./?problem={quote(problem_id, errors='replace')}"),
        ),
        table(
            ["line", "type", "plausible", "what is wrong"],
            [
                [
                    one["label"]["error_details"]["erroneous_line_number"],
                    spaced(one["label"]["error_details"]["error_type"]),
                    f"{one['plausibility']['score']:.2f}",
                    one_line(one["label"]["error_details"]["explanation"], limit=LONGEST_EXPLANATION),
                ]
                for one in found[:MOST_SHOWN]
            ],
        ),
        element("p", f"{len(found) - MOST_SHOWN:,} more.", kind="muted") if len(found) > MOST_SHOWN else None,
    )


def _stamp(run: Path) -> tuple[int, int]:
    """Return what changes when the stage is made anew."""
    try:
        stat = (run / MUTATION / "manifest.json").stat()
    except OSError:
        return 0, 0
    return stat.st_mtime_ns, stat.st_size


@st.cache_resource(max_entries=2, show_spinner="Comparing the candidates with their manifest, once")
def _stage(run: Path, stamp: tuple[int, int]) -> SealedStage:  # noqa: ARG001  # a stage made anew is another entry of the cache
    return open_stage(run, MUTATION)


@st.cache_data(max_entries=16, show_spinner="Reading the candidates")
def _flaws(run: Path, stamp: tuple[int, int], problem_id: str) -> list[Flaw]:
    """Return a problem's candidates, the most plausible first."""
    return sorted(_stage(run, stamp).flaws(problem_id), key=lambda one: -one["plausibility"]["score"])
