"""Example problems and solutions that a reader can load on the Verify page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VerifyExample:
    """A problem and, on the tab of solutions, a solution; `name` describes its error."""

    name: str
    question: str
    solution: str = ""


_PENS = "Mia buys 4 boxes of 6 pens at $2 a pen and pays with a $100 note. How much change does she get?"
_BAKERY = (
    "A bakery bakes 120 rolls in the morning and half as many in the afternoon. It sells 150 of them and packs the rest "
    "into bags of 5. How many bags are there?"
)

SOLUTIONS = (
    VerifyExample(
        "a correct one",
        _PENS,
        "There are 4*6 = 24 pens.\nThey cost 24*2 = 48 dollars.\nThe change is 100 - 48 = 52 dollars.\n#### 52",
    ),
    VerifyExample(
        "a slip in arithmetic",
        _PENS,
        "There are 4*6 = 24 pens.\nThey cost 24*2 = 46 dollars.\nThe change is 100 - 46 = 54 dollars.\n#### 54",
    ),
    VerifyExample(
        "a number from nowhere",
        _BAKERY,
        "In the afternoon it bakes 120/2 = 60 rolls.\nThat makes 120+60 = 180 rolls.\n"
        "180 - 150 = 30 rolls are left.\nThey fill 30/15 = 2 bags.\n#### 2",
    ),
    VerifyExample(
        "an earlier result as the answer",
        _BAKERY,
        "In the afternoon it bakes 120/2 = 60 rolls.\nThat makes 120+60 = 180 rolls.\n"
        "180 - 150 = 30 rolls are left.\nThey fill 30/5 = 6 bags.\n#### 30",
    ),
    VerifyExample(
        "a wrong idea",
        _BAKERY,
        "In the afternoon it bakes 120*2 = 240 rolls.\nThat makes 120+240 = 360 rolls.\n"
        "360 - 150 = 210 rolls are left.\nThey fill 210/5 = 42 bags.\n#### 42",
    ),
)

PROBLEMS = (
    VerifyExample("a solvable one", _BAKERY),
    VerifyExample(
        "numbers that disagree",
        "The school has 12 classrooms with 24 chairs in each. A delivery brings 40 more chairs. The school has 15 classrooms. "
        "How many chairs does the school have now?",
    ),
    VerifyExample(
        "something missing",
        "Nadia reads the same number of pages every day. After some days she has read 96 pages. How many pages does she read a day?",
    ),
)
