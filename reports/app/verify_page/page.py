"""The Verify page: it judges a pasted solution line by line, or a pasted problem."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

import streamlit as st

from harness.errors import HarnessError
from reports.app.markup import notice, put_styles
from reports.app.verify_page.examples import PROBLEMS, SOLUTIONS
from reports.app.verify_page.judgement_view import show_problem_judgement, show_solution_judgement
from sft.samples.solution_text import read_item
from sft.validator.problem_engine import ProblemEngine
from sft.validator.validation import open_validator
from sft.verifier.engine_registry import judge, open_engine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from reports.app.app_context import AppContext
    from reports.app.verify_page.examples import VerifyExample
    from sft.samples.items import Item
    from sft.samples.problem_judgement import ProblemJudgement
    from sft.samples.solution_judgement import Engine, Judgement
    from sft.validator.validator import Validator

LONGEST_PROBLEM, LONGEST_SOLUTION = 4_000, 20_000
ENGINES = {
    "symbolic": "Instant. It reports only certain errors: a false equation, an unknown solved wrongly, an answer without an origin.",
    "text": "Instant. All evidence of the text together, weighed by a model that was fitted on several sources.",
    "hybrid": "All evidence together with the scores of a small language model. The model is loaded once, which takes a while.",
    "model": "The language model alone, which also writes the explanation. This is the slowest engine.",
}
VALIDATORS = {
    str(ProblemEngine.SYMBOLIC): "Instant. It reads the text alone.",
    str(ProblemEngine.HYBRID): "The text and a language model, if an adapter with a validator is installed.",
}
INSTALL = "Install libraries and weights with `make install-sft`; the symbolic engine needs neither."


Judge = TypeVar("Judge")
Subject = TypeVar("Subject")
Verdict = TypeVar("Verdict")
Name = TypeVar("Name", bound=str)


@dataclass(frozen=True)
class SharedJudge(Generic[Judge]):
    """An engine or a validator that all sessions share; it judges one subject at a time."""

    judge: Judge
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass(frozen=True, slots=True)
class Judged(Generic[Subject, Verdict]):
    """A judged solution or problem, with the name and the time of the engine."""

    subject: Subject
    judgement: Verdict
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
    with left:
        question = _text_area("Problem", "verify-question", height=170, longest=LONGEST_PROBLEM)
    with right:
        title = "Solution, a step a line, `#### 52` last"
        solution = _text_area(title, "verify-solution", height=170, longest=LONGEST_SOLUTION)
    judged = _asked("verify", ENGINES, lambda name: _judged_solution(question, solution, name))
    if isinstance(judged, Judged):
        show_solution_judgement(judged.subject, judged.judgement, judged.engine, judged.seconds)


def _problem() -> None:
    _examples(PROBLEMS, "validate-question", None)
    question = _text_area("Problem", "validate-question", height=130, longest=LONGEST_PROBLEM)
    judged = _asked("validate", VALIDATORS, lambda name: _judged_problem(question, ProblemEngine(name)))
    if isinstance(judged, Judged):
        show_problem_judgement(judged.subject, judged.judgement, judged.engine, judged.seconds)


def _text_area(title: str, key: str, *, height: int, longest: int) -> str:
    text = st.text_area(title, key=key, height=height, max_chars=longest, on_change="ignore", persist_state="session")
    return text or ""


def _asked(
    key: str, engines: Mapping[str, str], judged: Callable[[str], Judged[Subject, Verdict] | str]
) -> Judged[Subject, Verdict] | str | None:
    """Ask for an engine, each with its description, and judge when the button is pressed; return the last judgement."""
    name = st.radio(
        *("Engine", list(engines)),
        key=f"{key}-engine",
        captions=list(engines.values()),
        horizontal=True,
        persist_state="session",
    )
    if st.button("Judge", type="primary", key=f"{key}-judge"):
        st.session_state[f"{key}-judged"] = judged(str(name))
    last: Judged[Subject, Verdict] | str | None = st.session_state.get(f"{key}-judged")
    if isinstance(last, str):
        notice(last, kind="warning")
    return last


def _judged_solution(question: str, solution: str, name: str) -> Judged[Item, Judgement] | str:
    """Return the judgement, or why there is none."""
    if not question.strip() or not solution.strip():
        return "Paste a problem and a solution, or take an example."
    item = read_item(question[:LONGEST_PROBLEM], solution[:LONGEST_SOLUTION])
    return _judged(item, name, _engine, lambda engine: judge(engine, [item]))


def _judged_problem(question: str, name: ProblemEngine) -> Judged[str, ProblemJudgement] | str:
    """Return the judgement, or why there is none."""
    if not question.strip():
        return "Paste a problem, or take an example."
    question = question[:LONGEST_PROBLEM]
    return _judged(question, name, _validator, lambda validator: validator.judge([question]))


def _judged(
    subject: Subject,
    name: Name,
    open_judge: Callable[[Name], SharedJudge[Judge]],
    ask: Callable[[Judge], Iterable[Verdict]],
) -> Judged[Subject, Verdict] | str:
    """Return the judgement of a subject, or why the engine cannot be used."""
    try:
        with st.spinner(f"Opening the {name} engine", show_time=True):
            shared = open_judge(name)
        with st.spinner("Judging", show_time=True), shared.lock:
            started = time.monotonic()
            (judgement,) = ask(shared.judge)
            return Judged(subject, judgement, name, time.monotonic() - started)
    except HarnessError as error:
        return f"The {name} engine cannot be used: {error}. {INSTALL}"


@st.cache_resource(show_spinner=False, max_entries=3)
def _engine(name: str) -> SharedJudge[Engine]:
    return SharedJudge(open_engine(name))


@st.cache_resource(show_spinner=False, max_entries=2)
def _validator(name: ProblemEngine) -> SharedJudge[Validator]:
    return SharedJudge(open_validator(name))


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
