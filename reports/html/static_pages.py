"""The pages without a list of items: `funnel.html` and `constraints.html`."""

from pathlib import Path
from typing import Any

from reports.html.page import Page, write_page
from reports.views.constraint_runs import constraint_run
from reports.views.stage_sections import funnel_sections


def write_funnel(run: Path) -> Path:
    """Write `run/report/funnel.html`: how many problems of a run of the whole factory reached each step, and why the others did not.

    Errors as of `open_stage`.
    """
    return _write(run, "funnel.html", drawn=funnel_sections(run))


def write_constraints(run: Path) -> Path:
    """Write `run/report/constraints.html`: the constraint problems of a run, what states each clause, and what was judged.

    Raises a HarnessError if no program of the run was judged, or an artefact was changed after it was sealed.
    """
    return _write(run, "constraints.html", "cards.css", "constraints.css", found=constraint_run(run))


def _write(run: Path, name: str, *styles: str, **values: Any) -> Path:
    page = Page(name=name, template=name, index={"run": run.resolve().name}, styles=styles, values=values)
    return write_page(run, page)
