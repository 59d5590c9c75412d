"""The dependency graph of a formalization, drawn by the script of the HTML page of traces."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import streamlit as st

from harness.text.characters import replace_surrogates
from reports.html.graph_data import ROLE_ROWS, entry_rows, layout_row
from reports.html.page import asset

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from harness.records.template import TracedVariable

_SCRIPT = """
export default function ({ parentElement, data }) {
  const graph = parentElement.querySelector(".frame");
  graph.replaceChildren(...[picture(graphOf(data.name, data.entries, data.roles, data.drawing))].flat());
  const svg = graph.querySelector(".graph");
  if (svg) fitLabels(svg);
}
"""
_COLOURS = """
:host {
  --ink: var(--st-text-color); --panel: var(--st-background-color); --soft: var(--st-secondary-background-color);
  --muted: color-mix(in srgb, var(--ink) 72%, var(--panel)); --sans: var(--st-font); --mono: var(--st-code-font);
  --accent: var(--st-blue-text-color); --accent-soft: var(--st-blue-background-color);
  --unknown: var(--st-orange-text-color); --unknown-soft: var(--st-orange-background-color);
  --confirmed: var(--st-green-text-color); --confirmed-soft: var(--st-green-background-color);
}
.keys, .muted { color: var(--muted); font: .85rem/1.5 var(--sans); }
.scroller { overflow-x: auto; }
"""


def show_graph(entries: Sequence[TracedVariable], dead: Collection[str], name: str) -> None:
    """Show a dependency graph in the colours of the reader's theme; `dead` variables do not lead to the answer."""
    data = {"name": name, "entries": entry_rows(entries, dead), "roles": ROLE_ROWS, "drawing": layout_row(entries)}
    _component()(key="oracle-graph", data=replace_surrogates(data))


@cache
def _component() -> Callable[..., Any]:
    script = "".join([asset("dom.js"), asset("picture.js"), _SCRIPT])
    return st.components.v2.component(
        "oracle_factory.graph", html="<div class='frame'></div>", css=_COLOURS + asset("graph.css"), js=script
    )
