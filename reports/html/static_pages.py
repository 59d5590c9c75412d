"""The pages without a list of items: `funnel.html`, `constraints.html` and `compare.html`."""

from collections import defaultdict
from pathlib import Path
from typing import Any

from reports.html.page import Page, write_page
from reports.views.constraint_runs import constraint_run
from reports.views.phrases import CLAIM_TITLES
from reports.views.run_comparison import RunComparison, VerdictChange
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
    return _write(run, "constraints.html", "compare.css", "constraints.css", found=constraint_run(run))


def write_comparison(run: Path, comparison: RunComparison) -> Path:
    """Write `run/report/compare.html`: what differs from another run."""
    verdicts: defaultdict[str, list[VerdictChange]] = defaultdict(list)
    for change in comparison.verdicts:
        verdicts[change.after.problem_id].append(change)
    values = {"comparison": comparison, "verdicts": dict(sorted(verdicts.items())), "claims": CLAIM_TITLES}
    return _write(run, "compare.html", "compare.css", **values)


def _write(run: Path, name: str, *styles: str, **values: Any) -> Path:
    page = Page(name=name, template=name, index={"run": run.resolve().name}, styles=styles, values=values)
    return write_page(run, page)
