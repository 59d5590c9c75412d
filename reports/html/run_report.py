"""The page `index.html`: all problems of a formalization run in one file that needs no network."""

from pathlib import Path

from reports.html.page import Page, fill, write_page
from reports.html.page_data import pack
from reports.html.run_plots import agreement_plot, clique_plot, confidence_plot
from reports.views.artefacts import open_stage

# Twelve models of 44 px fill the width; a larger matrix would hide the list below it.
MATRIX_MODELS = 12


def write_report(run: Path) -> Path:
    """Write `run/report/index.html`, one self-contained page, and return its path.

    The page is replaced atomically: a reader finds the old one or the new one, whole.

    Raises:
        ReportError: `run` is missing, not sealed, or was changed after it was sealed.
    """
    packed = pack(open_stage(run))
    fillings = {
        "PLOTS": confidence_plot(packed.tally) + clique_plot(packed.tally),
        "HEATMAP": agreement_plot(packed.tally),
        "OPEN": " open" if len(packed.tally.models()) <= MATRIX_MODELS else "",
    }
    page = Page(
        name="index.html",
        noun="problem",
        search="Search id or question",
        overview=fill("report.html", fillings),
        index=packed.index,
        chunks=packed.chunks,
        scripts=("problem.js", "report.js"),
    )
    return write_page(run, page)
