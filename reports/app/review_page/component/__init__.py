"""The Streamlit component of the Review page: its HTML, CSS and JavaScript, and the messages that it returns."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent
SCRIPTS = ("dom.js", "draft_storage.js", "fields.js", "candidate_view.js", "panels.js", "page.js")
KEY = "review"


def source() -> str:
    """Return the JavaScript, one module of the files in their order."""
    return "\n".join((_HERE / name).read_text(encoding="utf-8") for name in SCRIPTS)


@cache
def _component() -> Callable[..., Any]:
    html, css = ((_HERE / name).read_text(encoding="utf-8") for name in ("review.html", "review.css"))
    return st.components.v2.component("oracle_factory.review", html=html, css=css, js=source())


def mount(data: Mapping[str, Any]) -> object:
    """Show the page and return its latest outbox, `None` before the browser sends one."""
    # Streamlit provides the value before the first message only if there is a callback.
    return _component()(key=KEY, data=data, on_outbox_change=lambda: None).outbox


def outbox() -> object:
    """Return the outbox before the page is mounted, so that the page shows the result of its messages."""
    value = st.session_state.get(KEY)
    return value.get("outbox") if isinstance(value, Mapping) else None
