"""Tests of case tables: every case of a law is checked, and each one that breaks it is shown."""

import pytest

pytest_plugins = ["pytester"]

LAWS = """
import pytest
from tests.cases import cases

@pytest.fixture(scope="module")
def limit():
    return 3

@cases("number", [1, 2, pytest.param(7, id="seven"), 9])
def test_small(number: int, limit: int) -> None:
    assert number <= limit

@pytest.mark.filterwarnings("error")
@cases("left", "ab")
@cases(("right", "whole"), [("c", "ac"), ("d", "bd")])
def test_stacked(left: str, right: str, whole: str) -> None:
    assert left + right == whole
"""


def test_each_case_that_breaks_a_law_is_shown(pytester: pytest.Pytester) -> None:
    """By its values or its id, with its own failure; the cases after it are checked; combinations are cases."""
    pytester.makepyfile(LAWS)
    ended = pytester.runpytest_inprocess("-q")
    lines = [line for line in ended.outlines if line.startswith("SUBFAILED")]
    assert [line.partition("[")[2].partition("]")[0] for line in lines] == [
        "seven",
        "number=9",
        "left='a' right='d', whole='bd'",
        "left='b' right='c', whole='ac'",
    ]
    assert "E       assert 9 <= 3" in ended.outlines


def test_what_is_no_table_of_cases_is_refused(pytester: pytest.Pytester) -> None:
    """A table without a row would pass unseen, and a mark on a row would be lost."""
    for values in ("[]", "[pytest.param(1, marks=pytest.mark.slow)]"):
        path = pytester.makepyfile(
            f"import pytest\nfrom tests.cases import cases\n@cases('x', {values})\ndef test_x(x): pass"
        )
        ended = pytester.runpytest_inprocess(path)
        assert ended.ret == pytest.ExitCode.INTERRUPTED
        assert "ValueError" in ended.stdout.str()
