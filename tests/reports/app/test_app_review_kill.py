"""Tests of the Review page after the server was killed: nothing is lost and nothing is stored twice."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.reports.app.reviewing import Server, Tabs

WORDS = " nobody loses a word, r and c and / included"


@pytest.mark.slow
def test_typing_goes_on_while_the_server_is_dead(
    tabs: "Tabs", serve: "Callable[..., Server]", flawed_run: "Path"
) -> None:
    """Killed amid a word, seconds without a server, started again: field, draft and candidate are as if nothing had been."""
    server = serve("--run", str(flawed_run))
    tab = tabs(server, "ada")
    first, text = tab.candidate, tab.erroneous.input_value()
    tab.type(WORDS[:9], delay=30)
    server.kill()
    tab.type(WORDS[9:], delay=120)
    tab.page.wait_for_selector("#offline:not([hidden])")
    assert "kept in this browser" in tab.page.locator("#offline").inner_text()
    assert tab.erroneous.evaluate("one => one.getRootNode().activeElement === one")
    server.start()
    tab.type(".", delay=120)
    tab.saved()
    assert (tab.candidate, tab.erroneous.input_value()) == (first, f"{text}{WORDS}.")
    assert not tab.page.locator("#offline").is_visible()
    tab.page.reload()
    assert (tab.ready().candidate, tab.erroneous.input_value()) == (first, f"{text}{WORDS}.")
    assert "Traceback" not in server.log


@pytest.mark.slow
def test_killed_at_random_moments_nothing_is_lost_or_doubled(
    tabs: "Tabs", serve: "Callable[..., Server]", flawed_run: "Path"
) -> None:
    """Six decisions, the server killed at another moment after each: six entries, in order."""
    server = serve("--run", str(flawed_run))
    tab = tabs(server, "ada")
    decided = []
    for pause in (0.0, 0.01, 0.03, 0.06, 0.1, 0.2):
        before = tab.candidate
        decided.append(before)
        tab.press("Alt+r", "1")
        time.sleep(pause)
        server.kill()
        server.start()
        tab.moves_on(before)
        tab.saved()
    assert [entry.candidate_id for entry in tab.entries()] == decided
