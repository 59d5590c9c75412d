"""The page `constraints.html`: the constraint problems of a run, what states each clause, and what the solvers or the suite said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.html.page import Page, write_page
from reports.views.constraint_runs import constraint_run

if TYPE_CHECKING:
    from pathlib import Path


def write_constraints(run: Path) -> Path:
    """Write `run/report/constraints.html`, one self-contained page, and return its path.

    Raises:
        HarnessError: no program of the run was judged, or an artefact was changed after it was sealed.
    """
    page = Page(
        name="constraints.html",
        template="constraints.html",
        search="",
        index={"run": run.resolve().name},
        chunks=(),
        scripts=(),
        styles=("compare.css", "constraints.css"),
        values={"run": constraint_run(run)},
    )
    return write_page(run, page)
