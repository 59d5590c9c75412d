"""The page `compare.html`: two runs side by side."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from reports.html.page import Page, write_page
from reports.views.record_titles import CLAIM_TITLES

if TYPE_CHECKING:
    from pathlib import Path

    from reports.views.run_comparison import RunComparison, VerdictChange


def write_comparison(run: Path, comparison: RunComparison) -> Path:
    """Write `run/report/compare.html`, one self-contained page about what differs from another run, and return its path."""
    verdicts: defaultdict[str, list[VerdictChange]] = defaultdict(list)
    for change in comparison.verdicts:
        verdicts[change.problem_id].append(change)
    page = Page(
        name="compare.html",
        template="compare.html",
        search="",
        index={"run": run.resolve().name},
        chunks=(),
        scripts=(),
        styles=("compare.css",),
        values={"comparison": comparison, "verdicts": dict(sorted(verdicts.items())), "claims": CLAIM_TITLES},
    )
    return write_page(run, page)
