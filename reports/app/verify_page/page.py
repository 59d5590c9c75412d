"""The Verify page: it judges a pasted solution line by line, or a pasted problem."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import streamlit as st

from harness.errors import HarnessError
from reports.app.markup import notice, put_styles
from reports.app.verify_page.examples import PROBLEMS, SOLUTIONS
from reports.app.verify_page.judgement_view import show_problem_judgement, show_solution_judgement
from sft.samples.solution_text import read_item
from sft.validator.problem_engine import ProblemEngine
from sft.validator.validation import open_validator
from sft.verifier.engine import judge, open_engine

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reports.app.app_context import AppContext
    from reports.app.verify_page.examples import VerifyExample
    from sft.samples.items import Item
    from sft.samples.problem_judgement import ProblemJudgement
    from sft.samples.solution_judgement import Engine, Judgement
    from sft.validator.validator import Validator

LONGEST_PROBLEM, LONGEST_SOLUTION = 4_000, 20_000
ENGINES = {
    "symbolic": "Instant. It reports only certain errors: a false equation, an unknown solved wrongly, an answer without an origin.",
    "hybrid": "All evidence together with the scores of a small language model. The model is loaded once, which takes a while.",
    "model": "The language model alone, which also writes the explanation. This is the slowest engine.",
}
VALIDATORS = {
    str(ProblemEngine.SYMBOLIC): "Instant. It reads the text alone.",
    str(ProblemEngine.HYBRID): "The text and a language model, if an adapter with a validator is installed.",
}
INSTALL = "Install libraries and weights with `make install-sft`; the symbolic engine needs neither."


@dataclass(frozen=True)
class OpenedEngine:
    """An engine that all sessions share; it judges one item at a time."""

    engine: Engine
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass(frozen=True)
class OpenedValidator:
    """A validator that all sessions share; it judges one problem at a time."""

    validator: Validator
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass(frozen=True, slots=True)
class JudgedSolution:
    """A judged solution, with the name and the time of the engine."""

    item: Item
    judgement: Judgement
    engine: str
    seconds: float


@dataclass(frozen=True, slots=True)
class JudgedProblem:
    """A judged problem, with the name and the time of the engine."""

    question: str
    judgement: ProblemJudgement
    engine: str
    seconds: float


def page(context: AppContext) -> None:  # noqa: ARG001  # every page takes the context; this one needs nothing of the run
    """Judge a pasted solution line by line, or a pasted problem."""
    put_styles()
    st.title("Verify")
    solution, problem = st.tabs(["A solution", "A problem"])
    with solution:
        _solution()
    with problem:
        _problem()


def _solution() -> None:
    _examples(SOLUTIONS, "verify-question", "verify-solution")
    left, right = st.columns(2)
    question = left.text_area(
        "Problem",
        key="verify-question",
        height=170,
        max_chars=LONGEST_PROBLEM,
        on_change="ignore",
        persist_state="session",
    )
    solution = right.text_area(
        "Solution, a step a line, `#### 52` last",
        key="verify-solution",
        height=170,
        max_chars=LONGEST_SOLUTION,
        on_change="ignore",
        persist_state="session",
    )
    name = _engine_choice(ENGINES, "verify-engine")
    asked = st.button("Judge", type="primary", key="verify-judge")
    if asked:
        st.session_state["verify-judged"] = _judged_solution(question or "", solution or "", name)
    judged = st.session_state.get("verify-judged")
    if isinstance(judged, JudgedSolution):
        show_solution_judgement(judged.item, judged.judgement, judged.engine, judged.seconds)
    elif judged:
        notice(judged, kind="warning")


def _engine_choice(engines: Mapping[str, str], key: str) -> str:
    """Ask for an engine; each has its description below its name."""
    chosen = st.radio(
        "Engine", list(engines), key=key, captions=list(engines.values()), horizontal=True, persist_state="session"
    )
    return str(chosen)


def _judged_solution(question: str, solution: str, name: str) -> JudgedSolution | str:
    """Return the judgement, or why there is none."""
    if not question.strip() or not solution.strip():
        return "Paste a problem and a solution, or take an example."
    try:
        with st.spinner(f"Opening the {name} engine", show_time=True):
            opened = _engine(name)
        item = read_item(question[:LONGEST_PROBLEM], solution[:LONGEST_SOLUTION])
        with st.spinner("Judging", show_time=True), opened.lock:
            started = time.monotonic()
            (judgement,) = judge(opened.engine, [item])
            return JudgedSolution(item, judgement, name, time.monotonic() - started)
    except HarnessError as error:
        return f"The {name} engine cannot be used: {error}. {INSTALL}"


@st.cache_resource(show_spinner=False, max_entries=3)
def _engine(name: str) -> OpenedEngine:
    return OpenedEngine(open_engine(name))


def _problem() -> None:
    _examples(PROBLEMS, "validate-question", None)
    question = st.text_area(
        "Problem",
        key="validate-question",
        height=130,
        max_chars=LONGEST_PROBLEM,
        on_change="ignore",
        persist_state="session",
    )
    name = _engine_choice(VALIDATORS, "validate-engine")
    asked = st.button("Judge", type="primary", key="validate-judge")
    if asked:
        st.session_state["validate-judged"] = _judged_problem(question or "", ProblemEngine(name))
    judged = st.session_state.get("validate-judged")
    if isinstance(judged, JudgedProblem):
        show_problem_judgement(judged.question, judged.judgement, judged.engine, judged.seconds)
    elif judged:
        notice(judged, kind="warning")


def _judged_problem(question: str, name: ProblemEngine) -> JudgedProblem | str:
    """Return the judgement, or why there is none."""
    if not question.strip():
        return "Paste a problem, or take an example."
    try:
        with st.spinner(f"Opening the {name} engine", show_time=True):
            opened = _validator(name)
        with st.spinner("Judging", show_time=True), opened.lock:
            started = time.monotonic()
            (judgement,) = opened.validator.judge([question[:LONGEST_PROBLEM]])
            return JudgedProblem(question[:LONGEST_PROBLEM], judgement, name, time.monotonic() - started)
    except HarnessError as error:
        return f"The {name} engine cannot be used: {error}. {INSTALL}"


@st.cache_resource(show_spinner=False, max_entries=2)
def _validator(name: ProblemEngine) -> OpenedValidator:
    return OpenedValidator(open_validator(name))


def _examples(examples: Sequence[VerifyExample], question: str, solution: str | None) -> None:
    """Show buttons that fill the fields with an example."""

    def fill(example: VerifyExample) -> None:
        st.session_state[question] = example.question
        if solution is not None:
            st.session_state[solution] = example.solution

    with st.container(horizontal=True, vertical_alignment="center"):
        st.text("Try")
        for number, example in enumerate(examples):
            st.button(example.name, key=f"{question}-example-{number}", on_click=fill, args=(example,))
