"""Tests of the drawings of the app: dependency graphs are readable with any names, and markup in text is escaped."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, strategies as st

from harness.records.template import TracedVariable
from harness.solution.trace import VariableRole
from reports.app.markup import element, link, table
from reports.app.oracles_page.graph_svg import DARK, draw
from reports.app.oracles_page.problem import entries_of
from tests.reports.programs import program

TEXT = st.text(max_size=40)
CODE = "def solve(rows: int = 4, each: int = 7, lost: int = 3):\n    made = rows * each\n    left = made - lost\n    return left"


@st.composite
def _entries(draw: st.DrawFn) -> list[TracedVariable]:
    names = draw(st.lists(TEXT, min_size=1, max_size=8, unique=True))
    return [
        TracedVariable(
            variable=name,
            value=draw(TEXT),
            role=draw(st.sampled_from(VariableRole)),
            line=draw(st.none() | TEXT),
            code=draw(TEXT),
            comment=draw(TEXT),
            reads=tuple(draw(st.lists(st.sampled_from(names), max_size=3))),
        )
        for name in names
    ]


@given(entries=_entries())
def test_picture_is_well_formed_whatever_the_names(entries: list[TracedVariable]) -> None:
    """Any names and values give a picture that an XML parser reads, with shapes and text alone in it."""
    drawn = draw(entries, dead=[entries[0].variable], palette=DARK)
    assert drawn is not None
    tags = {one.tag.rpartition("}")[2] for one in ET.fromstring(drawn).iter()}  # noqa: S314  # our own text
    assert tags <= {"svg", "title", "rect", "path", "g", "text"}


def test_picture_holds_each_variable() -> None:
    """Every variable of the trace and its value stand in the picture."""
    entries = entries_of(program(CODE))
    drawn = draw(entries)
    assert drawn is not None
    said = {one.text for one in ET.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")}  # noqa: S314  # our own text
    assert {"rows", "each", "lost", "made", "left", "28", "25"} <= said


@given(text=st.text())
def test_text_stays_text_in_markup(text: str) -> None:
    """Whatever a text holds, an element made of it has no other element in it."""
    built = element("p", text, title=text).html
    inner = built[built.index(">") + 1 : -len("</p>")]
    assert "<" not in inner
    assert '"' not in built[len('<p title="') : built.index(">")].rstrip('"')


@pytest.mark.parametrize("address", ["https://example.org", "javascript:alert(1)", "//example.org", "/x"])
def test_link_never_leaves_the_app(address: str) -> None:
    """An address that is not one of the app's own is refused."""
    with pytest.raises(ValueError, match="expected an address of this app"):
        link("here", address)


def test_table_has_a_cell_for_each_text() -> None:
    """Rows and heads come out in order, escaped."""
    built = table(["a", "b"], [["<i>", element("b", "x")]]).html
    assert "<tr><td>&lt;i&gt;</td><td><b>x</b></td></tr>" in built
