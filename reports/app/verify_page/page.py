"""The Verify page: it judges a solution line by line, or a problem, while it is typed, and stores disagreement."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from reports.app.app_context import AppContext
from reports.app.markup import STYLES, element, notice, show
from reports.app.verify_page.disagreement import disagreement
from reports.app.verify_page.judgement_view import Judged, show_problem_judgement, show_solution_judgement
from sft.diagnosis.oracle_sources import OracleSource, question_key
from sft.diagnosis.step_comparison import side_by_side
from sft.samples.solution_judgement import Engine
from sft.samples.solution_text import read_item
from sft.validator.validator import text_validator
from sft.verifier.engine_registry import judge, open_engine
from sft.verifier.engines.oracle import OracleEngine

LONGEST_PROBLEM, LONGEST_SOLUTION = 4_000, 20_000
ENGINES = {
    "symbolic": "Instant. It reports only certain errors: a false equation, an unknown solved wrongly, an answer without an origin.",
    "text": "Instant. All evidence of the text together, weighed by a model that was fitted on several sources.",
    "model": "A small language model, which also writes the explanation. It is loaded once, and is the slowest engine.",
}
LIVE = ("symbolic", "text", "oracle")
"""The engines that judge while one types; in place of the others the symbolic one does, until they are asked."""
_FIELDS = (
    "Problem",
    "Solution, a step a line, `#### 52` last",
    "Problem to validate",
    "Worked solution, if you have one: it judges instead of the engine",
)
ORACLE = "oracle"


@dataclass(frozen=True, slots=True)
class VerifyExample:
    """A problem and, on the tab of solutions, a solution; `name` describes its error."""

    name: str
    question: str
    solution: str = ""
    worked: str = ""


_PENS = "Mia buys 4 boxes of 6 pens at $2 a pen and pays with a $100 note. How much change does she get?"
_BAKERY = (
    "A bakery bakes 120 rolls in the morning and half as many in the afternoon. It sells 150 of them and packs the rest "
    "into bags of 5. How many bags are there?"
)
_STEPS = "In the afternoon it bakes 120/2 = 60 rolls.\nThat makes 120+60 = 180 rolls.\n180 - 150 = 30 rolls are left.\n"
_WRONG_IDEA = (
    "In the afternoon it bakes 120*2 = 240 rolls.\nThat makes 120+240 = 360 rolls.\n"
    "360 - 150 = 210 rolls are left.\nThey fill 210/5 = 42 bags.\n#### 42"
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
    VerifyExample("a number from nowhere", _BAKERY, f"{_STEPS}They fill 30/15 = 2 bags.\n#### 2"),
    VerifyExample("an earlier result as the answer", _BAKERY, f"{_STEPS}They fill 30/5 = 6 bags.\n#### 30"),
    VerifyExample("a wrong idea", _BAKERY, _WRONG_IDEA),
    VerifyExample(
        "a wrong idea beside the worked solution",
        _BAKERY,
        _WRONG_IDEA,
        f"{_STEPS}They fill 30/5 = 6 bags.\n#### 6",
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


@dataclass(frozen=True)
class SharedEngine:
    """An engine that all sessions share; it judges one solution at a time."""

    engine: Engine
    lock: threading.Lock = field(default_factory=threading.Lock)


def page(context: AppContext) -> None:
    """Judge a solution line by line, or a problem."""
    st.html(STYLES)
    st.title("Verify")
    # The fields of this page are sent while the reader types.
    _live_fields()(key="live-fields", data={"labels": list(_FIELDS)}, height=1)
    solution, problem = st.tabs(["A solution", "A problem"])
    with solution:
        _solution_tab(context)
    with problem:
        _problem_tab()


@st.fragment
def _solution_tab(context: AppContext) -> None:
    _example_buttons(SOLUTIONS, "verify-question", "verify-solution")
    left, right = st.columns([5, 6], gap="large")
    with left:
        question = _text_area(_FIELDS[0], "verify-question", height=130, longest=LONGEST_PROBLEM)
        solution = _text_area(_FIELDS[1], "verify-solution", height=230, longest=LONGEST_SOLUTION)
        worked = _text_area(_FIELDS[3], "verify-worked", height=110, longest=LONGEST_SOLUTION)
        name = str(st.radio("Engine", list(ENGINES), key="verify-engine", horizontal=True, persist_state="session"))
        show(element("p", ENGINES[name], kind="muted"))
        asked = st.button("Judge", type="primary", key="verify-judge")
    with right:
        source = _programs(context.run) if context.run is not None and not worked.strip() else OracleSource()
        oracle = bool(worked.strip()) or question_key(question) in source.judged
        judged = _shown_judgement((question, solution, ORACLE if oracle else name, worked), source, asked=asked)
        if judged is not None:
            show_solution_judgement(judged)
            disagreement(context, judged.item, judged.judgement, judged.engine)


@st.fragment
def _problem_tab() -> None:
    _example_buttons(PROBLEMS, "validate-question", None)
    left, right = st.columns([5, 6], gap="large")
    with left:
        question = _text_area(_FIELDS[2], "validate-question", height=130, longest=LONGEST_PROBLEM)
    with right:
        if question.strip():
            started = time.monotonic()
            try:
                (judgement,) = text_validator().judge([question])
            except HarnessError as error:
                notice(str(error), kind="warning")
            else:
                show_problem_judgement(question, judgement, time.monotonic() - started)


def _text_area(title: str, key: str, *, height: int, longest: int) -> str:
    text = st.text_area(title, key=key, height=height, max_chars=longest, persist_state="session")
    return (text or "")[:longest]


@st.cache_resource(show_spinner="Reading the programs of the run, once", max_entries=2)
def _programs(run: Path) -> OracleSource:
    """Return the judged programs of a run, none where it has no sealed formalization stage."""
    try:
        return OracleSource.of_run(run)
    except HarnessError:
        return OracleSource()


def _shown_judgement(about: tuple[str, str, str, str], source: OracleSource, *, asked: bool) -> Judged | None:
    """Return the judgement on problem and solution by the chosen engine and worked solution, `about`, and show why there is none.

    The judgement of an engine stays until one of them changes.
    """
    question, solution, name, worked = about
    last: tuple[tuple[str, str, str, str], Judged | str] | None = st.session_state.get("verify-judged")
    if asked or (question.strip() and solution.strip() and (last is None or last[0] != about)):
        engine = name if asked or name in LIVE else LIVE[0]
        st.session_state["verify-judged"] = last = about, _new_judgement(question, solution, worked, engine, source)
    if last is None or last[0] != about:
        return None
    if isinstance(last[1], str):
        notice(last[1], kind="warning")
        return None
    if last[1].engine != name:
        notice(f"Judged by the {last[1].engine} engine while you type. Press Judge for the {name} engine.")
    return last[1]


def _new_judgement(question: str, solution: str, worked: str, name: str, source: OracleSource) -> Judged | str:
    """Return the judgement of a solution by an engine, beside the oracle where that judges, or why there is none."""
    if not question.strip() or not solution.strip():
        return "Paste a problem and a solution, or take an example."
    item = replace(read_item(question, solution), reference=worked.strip())
    oracle = source.oracle_of(item) if name == ORACLE else None
    if worked.strip() and oracle is None:
        return "No answer of the worked solution is read: end it with a line #### 52."
    try:
        with st.spinner(f"Opening the {name} engine", show_time=True):
            shared = SharedEngine(OracleEngine(source)) if name == ORACLE else _engine(name)
        with st.spinner("Judging", show_time=True), shared.lock:
            started = time.monotonic()
            (judgement,) = judge(shared.engine, [item])
        rows = () if oracle is None or item.empty else side_by_side(item, oracle, judgement.line)
        return Judged(item, judgement, name, time.monotonic() - started, rows)
    except HarnessError as error:
        return f"The {name} engine cannot be used: {error}. Install libraries and weights: `{runnable('make install-sft')}`; the symbolic engine needs neither."


@st.cache_resource(show_spinner=False, max_entries=3)
def _engine(name: str) -> SharedEngine:
    return SharedEngine(open_engine(name))


def _example_buttons(examples: Sequence[VerifyExample], question: str, solution: str | None) -> None:

    def fill(example: VerifyExample) -> None:
        st.session_state[question] = example.question
        if solution is not None:
            st.session_state[solution] = example.solution
            st.session_state["verify-worked"] = example.worked

    with st.container(horizontal=True, vertical_alignment="center"):
        st.text("Try")
        for number, example in enumerate(examples):
            st.button(example.name, key=f"{question}-example-{number}", on_click=fill, args=(example,))


@cache
def _live_fields() -> Callable[..., Any]:
    script = (Path(__file__).parent / "live_fields.js").read_text(encoding="utf-8")
    return st.components.v2.component("oracle_factory.live_fields", js=script)
