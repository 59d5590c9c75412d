"""A solution and the right way side by side: each line and each step once, tied where the line works out the step."""

from dataclasses import replace

from hypothesis import given, strategies as st

from sft.diagnosis.oracle import oracle_of_solution
from sft.diagnosis.step_comparison import side_by_side
from sft.samples.solution_text import read_item

QUESTION = "A bakery bakes 120 rolls in the morning and half as many in the afternoon. It sells 150. How many are left?"
WORKED = "120/2 = 60 in the afternoon.\n120+60 = 180 in all.\n180-150 = 30 are left.\n#### 30"
ORACLE = oracle_of_solution(QUESTION, WORKED)
STEPS = ["L1: 120/2 = 60 in the afternoon.", "L2: 120+60 = 180 in all.", "L3: 180-150 = 30 are left.", "30"]


def _rows(solution: str, wrong: str = "", *, worked: str = WORKED) -> list[tuple[str, str, tuple[str, ...]]]:
    assert ORACLE is not None
    item = replace(read_item(QUESTION, solution), reference=worked)
    return [(row.place, row.mark, tuple(step[:2] for step in row.steps)) for row in side_by_side(item, ORACLE, wrong)]


def test_lines_are_tied_to_the_steps_that_they_work_out() -> None:
    """A line is tied by what it computes; an omitted step stands alone before; from the first wrong line on, what waits stands beside."""
    assert _rows(WORKED) == [("L1", "same", ("L1",)), ("L2", "same", ("L2",)), ("L3", "same", ("L3",)), ("FA", "same", ("30",))]  # fmt: skip
    assert _rows("120+120/2 = 180\n180-150 = 30\n#### 30") == [
        ("", "", ("L1",)),
        ("L1", "same", ("L2",)),
        ("L2", "same", ("L3",)),
        ("FA", "same", ("30",)),
    ]
    assert _rows("120*2 = 240\n120+240 = 360\n360-150 = 210\n#### 210", "L1") == [
        ("L1", "differs", ("L1",)),
        ("L2", "", ("L2",)),
        ("L3", "", ("L3",)),
        ("FA", "", ("30",)),
    ]
    assert [place for place, *_ in _rows("180-150 = 30", worked="")] == ["", "", "L1", "FA"]


@given(st.lists(st.sampled_from([*WORKED.split("\n"), "120*2 = 240", "60+120 = 180", "No.", "<b>", "1/0 = 3", "180-150 = 31"]), max_size=9), st.sampled_from(["", "L1", "L2", "FA"]))  # fmt: skip
def test_each_line_and_step_stands_once(lines: list[str], wrong: str) -> None:
    """Whatever the lines are, each stands once and in order, each step at most once and one that no line works out once, and at most one line differs."""
    assert ORACLE is not None
    item = replace(read_item(QUESTION, "\n".join(lines)), reference=WORKED)
    rows = side_by_side(item, ORACLE, wrong)
    assert [row.line for row in rows if row.place][:-1] == list(item.lines)
    assert rows[-1].place == "FA"
    assert sorted(step for row in rows for step in row.steps) == sorted(STEPS)
    assert sum(row.mark == "differs" for row in rows) <= 1
