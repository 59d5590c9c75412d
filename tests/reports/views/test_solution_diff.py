"""Tests of the solution diff: lines are compared without losing a word, and only differences are marked."""

import time

import pytest
from hypothesis import given, strategies as st

from reports.views.solution_diff import MOST_LINE_PAIRS, ComparedLine, Pieces, compare

LINES = st.lists(st.text("ab 12.,<>=#\u202e日", max_size=12), max_size=6).map("\n".join)


def shown(pieces: Pieces | None) -> str | None:
    """Return a line with what is marked in brackets."""
    if pieces is None:
        return None
    return "".join(f"[{piece.text}]" if piece.changed else piece.text for piece in pieces)


def rows(solution: str, flawed: str) -> list[tuple[str | None, str | None, str | None, str | None]]:
    """Return labels and marked texts of the compared lines."""
    return [
        (line.before_label, line.after_label, shown(line.before), shown(line.after))
        for line in compare(solution, flawed)
    ]


def plain(lines: list[ComparedLine]) -> tuple[str, str]:
    """Return both texts as they read in the comparison."""
    before = ["".join(piece.text for piece in line.before) for line in lines if line.before is not None]
    after = ["".join(piece.text for piece in line.after) for line in lines if line.after is not None]
    return "\n".join(before), "\n".join(after)


@given(LINES, LINES)
def test_no_character_is_lost(solution: str, flawed: str) -> None:
    """Both texts can be read back, line by line, in order and under their labels; without what is marked, the sides of a line read the same."""
    compared = compare(solution, flawed)
    assert plain(compared) == (solution, flawed)
    for line in compared:
        if line.before is not None and line.after is not None:
            sides = ["".join(piece.text for piece in side if not piece.changed) for side in (line.before, line.after)]
            assert sides[0] == sides[1]
    for text, side in ((solution, "before_label"), (flawed, "after_label")):
        expected = [f"L{number}" for number in range(1, len(text.split("\n")) + 1)]
        if text.split("\n")[-1].startswith("####"):
            expected[-1] = "FA"
        assert [label for line in compared if (label := getattr(line, side)) is not None] == expected


def test_changed_numbers_are_marked() -> None:
    """A number is marked as a whole, decimals included, and its neighbours are not."""
    assert rows(
        "It costs 2*1.25 = $<<2*1.25=2.5>>2.5.\n#### 2.5", "It costs 2*1.25 = $<<2*1.25=0.25>>0.25.\n#### 0.25"
    ) == [
        ("L1", "L1", "It costs 2*1.25 = $<<2*1.25=[2.5]>>[2.5].", "It costs 2*1.25 = $<<2*1.25=[0.25]>>[0.25]."),
        ("FA", "FA", "#### [2.5]", "#### [0.25]"),
    ]


def test_deleted_line_stands_alone() -> None:
    """Where a step is missing, the lines after it are still compared with their own."""
    solution = "Each lends 14+6 = 20 books.\nIn a week it lends 20*6 = 120 books.\nSo 120-23 = 97 are out.\n#### 97"
    flawed = "In a week it lends 6*6 = 36 books.\nSo 36-23 = 13 are out.\n#### 13"
    compared = rows(solution, flawed)
    assert [row[:2] for row in compared] == [("L1", None), ("L2", "L1"), ("L3", "L2"), ("FA", "FA")]
    assert compared[0][2:] == ("[Each lends 14+6 = 20 books.]", None)


@pytest.mark.parametrize(
    ("solution", "flawed"),
    [
        ("1\n" * 20_000, "2\n" * 20_000),
        ("1 " * 50_000, "2 " * 50_000),
        ("ab " * 20_000, "ba " * 20_000),
        ("a b\n" * (MOST_LINE_PAIRS // 50), "b a\n" * 50),
        ("".join(f"{'+-' * 40}{number % 2}\n" for number in range(5_000)), f"{'-+' * 40}-\n" * 5_000),
    ],
    ids=["lines", "numbers", "words", "pairs", "signs"],
)
def test_hostile_length_takes_no_time(solution: str, flawed: str) -> None:
    """However long the texts, the comparison is a matter of seconds: quadratic work would take hours."""
    start = time.process_time()
    lines = compare(solution, flawed)
    assert time.process_time() - start < 10
    assert plain(lines) == (solution, flawed)
