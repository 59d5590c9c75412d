"""The name under which a person decides and labels: from this tab, the address or the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from reports.review.state.review_state import LONGEST_NAME

if TYPE_CHECKING:
    from reports.app.app_context import AppContext


def known_name(context: AppContext) -> str:
    """Return the name that was given, empty where none was."""
    return printable_name(st.session_state.get("reviewer") or st.query_params.get("reviewer") or context.reviewer or "")


def printable_name(text: str) -> str:
    """Return a name in printable characters on one line, cut at `LONGEST_NAME`."""
    return "".join(character for character in " ".join(text.split()) if character.isprintable())[:LONGEST_NAME]
