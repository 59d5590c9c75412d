"""Tests of the Review page in a real browser: a reviewer judges candidates by mouse and keyboard without losses."""

from typing import TYPE_CHECKING

import pytest

from harness.records.review import Decision

if TYPE_CHECKING:
    from tests.reports.app.reviewing import Server, Tab, Tabs

SUM = " Then 3 + 4 = 8."


@pytest.fixture(scope="module")
def own_tab(tabs: "Tabs", server: "Server") -> "Tab":
    """Return a tab on candidates that nothing speaks against."""
    return tabs(server, "ada", query="&only-edit=no")


@pytest.fixture
def tab(own_tab: "Tab") -> "Tab":
    """Return that tab with a fresh candidate in it, all sent."""
    before = own_tab.candidate
    own_tab.press("Escape", "Escape", "Alt+s")
    own_tab.moves_on(before)
    own_tab.saved()
    own_tab.audited("nothing found")
    return own_tab


def only(operator: str, problem: str = "") -> str:
    """Return the part of an address that filters by operator and problem."""
    return f"&only-operator={operator.replace('_', '+')}&problem={problem}"


def test_accepting_shows_the_next_and_keeps_the_texts(tab: "Tab") -> None:
    """Accept takes the candidate as it stands: an entry with its own texts, and another candidate with its line focused."""
    first = tab.candidate
    tab.page.get_by_role("button", name="Accept").click()
    tab.moves_on(first)
    tab.saved()
    entry = tab.entries()[-1]
    assert (entry.candidate_id, entry.reviewer, entry.decision) == (first, "ada", Decision.ACCEPT)
    assert entry.texts == entry.original
    assert tab.erroneous.evaluate("one => one.getRootNode().activeElement === one")


def test_accepting_against_a_finding_needs_words(tab: "Tab") -> None:
    """Accept asks why; empty words do nothing; with words the entry holds them, the findings and the text."""
    first = tab.candidate
    tab.type(SUM)
    tab.page.wait_for_selector(".field.erroneous .findings li")
    tab.press("Control+Enter")
    tab.page.wait_for_selector("#override textarea")
    tab.press("Control+Enter")
    assert tab.candidate == first
    tab.type("It is a joke")
    tab.press("Control+Enter")
    tab.moves_on(first)
    tab.saved()
    ruling = tab.entries()[-1]
    assert (ruling.decision, ruling.override) == (Decision.ACCEPT, "It is a joke")
    assert any("7" in finding["message"] for finding in ruling.findings), ruling.findings
    assert any(line.endswith(SUM) for line in ruling.texts.lines)


@pytest.mark.slow
def test_what_the_state_cannot_hold_is_said_and_can_be_shortened(tab: "Tab") -> None:
    """A text beyond the limit is not taken and stays in its field; shortened, all is as before."""
    first = tab.candidate
    tab.field("Why").focus()
    tab.page.keyboard.insert_text("x" * 100_001)
    tab.press("Control+Enter")
    tab.page.wait_for_selector("#offline:not([hidden])")
    assert tab.page.locator("#offline").inner_text()
    assert tab.candidate == first
    tab.field("Why").fill("Short again.")
    tab.saved()
    tab.press("Alt+r", "1")
    tab.moves_on(first)
    tab.saved()
    assert not tab.page.locator("#offline").is_visible()
    assert tab.entries()[-1].texts.explanation == "Short again."


@pytest.mark.slow
def test_keyboard_alone_goes_from_first_to_last(tabs: "Tabs", server: "Server") -> None:
    """Skip, edit by Tab, accept, reject: the skipped one comes back last, and then the page says that nothing is left."""
    tab = tabs(server, "gus", query=only("wrong_final_answer", "mini-001"))
    skipped = tab.candidate
    tab.press("Alt+s")
    second = tab.moves_on(skipped)
    tab.press("Enter", "Tab")
    tab.press("Alt+r", "3")
    third = tab.moves_on(second)
    tab.press("Alt+r", "3")
    assert len({skipped, second, third}) == 3
    assert tab.moves_on(third) == skipped
    tab.press("Alt+r", "4")
    tab.page.wait_for_selector("#nothing:not([hidden])")
    tab.saved()
    kinds = [entry.decision for entry in tab.entries() if entry.reviewer == "gus"]
    assert kinds == [Decision.SKIP, Decision.REJECT, Decision.REJECT, Decision.REJECT]
    tab.press("Alt+z")
    tab.ready()
    assert tab.candidate == skipped


@pytest.mark.slow
def test_lines_before_the_error_can_be_opened_and_edited(tabs: "Tabs", server: "Server") -> None:
    """They are folded; opened, their words can be changed, which is no finding, and go into the decision."""
    tab = tabs(server, "eve", query=only("skipped_final_step"))
    first = tab.candidate
    assert not tab.field("L1").is_visible()
    tab.press("Alt+f")
    own = tab.field("L1").input_value()
    tab.field("L1").fill(f"First, {own}")
    tab.saved()
    tab.audited("nothing found")
    tab.press("Control+Enter")
    tab.moves_on(first)
    tab.saved()
    entry = next(entry for entry in reversed(tab.entries()) if entry.reviewer == "eve")
    assert entry.texts.lines[0] == f"First, {own}"


@pytest.mark.slow
def test_question_mark_in_a_field_shows_the_keys(tab: "Tab") -> None:
    """Once more, it is written in the field."""
    before = tab.erroneous.input_value()
    tab.press("?")
    assert tab.page.locator("#legend").is_visible()
    assert tab.erroneous.input_value() == before
    tab.press("?")
    assert not tab.page.locator("#legend").is_visible()
    assert tab.erroneous.input_value() == f"{before}?"
