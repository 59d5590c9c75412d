"""The pages of the review app: the script that Streamlit runs for each visitor; it reads the arguments and lists the pages."""

import sys
from functools import partial
from importlib import import_module

import streamlit as st

from harness.errors import HarnessError
from reports.app.app_context import AppContext, read_arguments, start
from reports.app.markup import STYLES, notice


def main() -> None:
    """Show the page that is asked for, or why the app cannot start."""
    st.set_page_config(page_title="Review", layout="wide", initial_sidebar_state="auto")
    try:
        context = read_arguments(sys.argv[1:])
    except HarnessError as error:
        st.html(STYLES)
        st.title("Review")
        notice(str(error), kind="error")
        return
    pages = {
        "Review": partial(_page, "review_page.page", context),
        "Oracles": partial(_oracles, context),
        "Verify": partial(_page, "verify_page.page", context),
        "Agreement": partial(_page, "agreement_page", context),
    }
    st.navigation(
        [st.Page(show, title=title, url_path=title.lower(), default=title == "Review") for title, show in pages.items()]
    ).run()


def _page(module: str, context: AppContext) -> None:
    """Show a page, whose module is imported when it is opened: the verifier's takes seconds."""
    import_module(f"reports.app.{module}").page(context)


def _oracles(context: AppContext) -> None:
    from reports.app.server_responses import current_report

    st.html(STYLES)
    st.title("Oracles")
    if context.run is None:
        command = start("--run RUN")
        notice(
            f"A folder of candidates has no oracles. Start the app with a run that has a formalization stage: {command}"
        )
        return
    try:
        with st.spinner("Writing the page of the run's oracles"):
            path = current_report(context.run)
    except HarnessError as error:
        notice(str(error), kind="warning")
        return
    notice(f"All problems of the run with their oracles and verdicts, in one page: {path}")
    st.link_button("Open the page", "./report/index.html", icon=":material/open_in_new:")


main()
