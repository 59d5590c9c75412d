"""Tests of the HTML elements of the app: text in them is escaped, and links stay in the app."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from reports.app.markup import element, link


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
