"""Hypothesis strategies for random solutions, for the property tests of mutation operators."""

from hypothesis import reject, strategies as st

from generators.flaws.solution.source_solution import FlawSource, UnfitError
from harness.program.refusal import ProgramError, Refusal
from harness.solution.solution_text import UnwritableError
from tests.generators.flaws.example_solutions import example_source

_INPUTS = (
    ("red_apples", "apples"),
    ("green_apples", "apples"),
    ("price_per_apple", "dollars"),
    ("num_friends", "friends"),
    ("times_as_many", ""),
    ("hours_worked", "hours"),
    ("hours_rested", "hours"),
    ("share", ""),
)
_KNOWN = (("minutes_per_hour", 60), ("days_in_week", 7), ("eggs_per_dozen", 12), ("legs_per_dog", 4), ("pi", "3.14"))
_SHAPES = (
    "{0} + {1}", "{0} - {1}", "{0} * {1}", "{0} / {1}", "{0} + {1} + {2}", "{0} - ({1} + {2})", "({0} + {1}) / {2}",
    "{0} * {1} - {2}", "{0} / ({1} * {2})", "{0} / {1} * {2}", "({0} - {1}) * {2}", "{0} * 2", "({0} + {1}) / 2",
    "ceil({0} / {1})", "{0} * (1 + {1})", "-{0} + {1}",
)  # fmt: skip


@st.composite
def solutions(draw: st.DrawFn) -> FlawSource:
    """Draw a straight-line solution of two to six steps over questions' inputs and common knowledge."""
    question: list[str] = []
    lines: list[str] = []
    scope: list[str] = []
    for number in range(1, draw(st.integers(2, 6)) + 1):
        lines.append(f"# L{number}")
        for _ in range(draw(st.integers(2 if number == 1 else 0, 2))):
            name, text = draw(_input(len(scope)))
            question.append(text)
            lines.append(f"{name} = {text}")
            scope.append(name)
        names = draw(st.lists(st.sampled_from(scope), min_size=3, max_size=3))
        variable = f"{draw(st.sampled_from(['total', 'rest', 'apples', 'cost', 'minutes']))}_{number}"
        lines.append(f"{variable} = {draw(st.sampled_from(_SHAPES)).format(*names)}")
        scope.append(variable)
    asked = ", ".join(text.split(" #")[0] for text in question)
    return _opened("\n".join(lines), f"Given {asked}, and 7 more: how many?")


@st.composite
def _input(draw: st.DrawFn, place: int) -> tuple[str, str]:
    if draw(st.integers(0, 4)) == 0:
        name, value = draw(st.sampled_from(_KNOWN))
        return f"{name}_{place}" if place else name, f"{value} # WK"
    name, noun = draw(st.sampled_from(_INPUTS))
    number = draw(st.sampled_from(["0.25", "0.5"]) if name == "share" else st.integers(1, 120).map(str))
    return f"{name}_{place}", f"{number} # {number} {noun}"


def _opened(code: str, question: str) -> FlawSource:
    try:
        return example_source(code, question)
    except (Refusal, ProgramError, UnfitError, UnwritableError):
        reject()
