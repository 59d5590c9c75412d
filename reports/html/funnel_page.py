"""The page `funnel.html`: how many problems of a run of the whole factory reached each step, and why the others did not."""

from pathlib import Path

from markupsafe import Markup

from reports.html.page import Page, write_page
from reports.html.plots.flow_plot import flow_plot
from reports.views.funnel import funnel_flows, funnel_steps


def write_funnel(run: Path) -> Path:
    """Write `run/report/funnel.html`, one self-contained page, and return its path.

    Raises:
        ReportError: the funnel of `run` is missing, not sealed, or was changed after it was sealed.
    """
    plots = [flow_plot(f"plot-flow-{number}", flow) for number, flow in enumerate(funnel_flows(run))]
    page = Page(
        name="funnel.html",
        template="funnel.html",
        search="",
        index={"run": run.resolve().name},
        chunks=(),
        scripts=(),
        styles=("funnel.css",),
        values={"steps": funnel_steps(run), "plots": Markup().join(plots)},
    )
    return write_page(run, page)
