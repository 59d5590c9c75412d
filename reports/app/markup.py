"""HTML elements for the app's pages, in which all foreign text is escaped.

Streamlit reads labels, messages and `st.write` as Markdown with its own directives (`:red[…]`, `$…$`). Foreign text is
therefore shown only through this module, `st.code`, `st.dataframe` or the options of a select box.
"""

import html
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Union

import streamlit as st

from harness.text.characters import printable

STYLES = Path(__file__).resolve().parent / "assets" / "pages.css"
"""The styles that each page loads."""
LONGEST = 20_000
"""In characters: longer texts are cut where they are shown."""


@dataclass(frozen=True, slots=True)
class Markup:
    """HTML that `element` built: every text in it is escaped."""

    html: str


Content = Union[Markup, str, None, "list[Content]"]  # a string in the union: it names itself


def element(name: str, *children: Content | Iterable[Content], kind: str = "", title: str = "") -> Markup:
    """Return an element with texts, elements and lists of them in it; `kind` is its class, `None` is left out.

    >>> element("b", "a < b", kind="big").html
    '<b class="big">a &lt; b</b>'
    """
    attributes = "".join(
        f' {key}="{html.escape(visible_text(value))}"' for key, value in (("class", kind), ("title", title)) if value
    )
    return Markup(f"<{name}{attributes}>{''.join(_flat(children))}</{name}>")


def visible_text(text: str) -> str:
    """Return text with invisible characters made visible, cut at `LONGEST` characters."""
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text) - LONGEST:,} more characters)"
    return printable(cut)


def show(*children: Content | Iterable[Content]) -> None:
    """Show elements on the page."""
    st.html(element("div", *children, kind="of").html)


def notice(text: str, *, kind: str = "info") -> None:
    """Show a sentence that may hold foreign text; `kind` is `info`, `warning` or `error`."""
    show(element("p", text, kind=f"notice {kind}"))


def table(heads: Iterable[str], rows: Iterable[Iterable[Content]], *, kind: str = "") -> Markup:
    """Return a table; a cell is a text, an element or a list of them."""
    head = element("tr", [element("th", text) for text in heads])
    body = [element("tr", [element("td", cell) for cell in row]) for row in rows]
    return element("div", element("table", element("thead", head), element("tbody", body)), kind=f"scroller {kind}")


def badge(text: str, *, kind: str = "") -> Markup:
    """Return a short text in a coloured box."""
    return element("span", text, kind=f"badge {kind}".strip())


def _flat(children: Iterable[Content | Iterable[Content]]) -> Iterator[str]:
    """Yield the HTML of elements, and of texts, which are escaped."""
    for child in children:
        if isinstance(child, Markup):
            yield child.html
        elif isinstance(child, str):
            yield html.escape(visible_text(child))
        elif child is not None:
            yield from _flat(child)
