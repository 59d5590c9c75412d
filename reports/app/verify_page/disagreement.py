"""The disagreement of a person with a judgement, kept in the state of the review as a labelled example."""

import time
import uuid
from collections.abc import Sequence
from contextlib import closing

import streamlit as st

from harness.domain import Evidence
from harness.errors import HarnessError
from harness.records.review import EngineAnswer, ExampleLabel, ExampleLine
from harness.solution.labels import CORRECT, FINAL_ANSWER, FLAWED, ErrorType
from harness.text.characters import one_line, spaced
from harness.text.nouns import counted
from reports.app.app_context import AppContext, known_name, printable_name
from reports.app.markup import element, notice, show
from reports.review.examples import add_example, examples_in_force, finding_forms, refuting, withdraw_example
from reports.review.review_state import LONGEST_NAME, ReviewState, iso_time
from sft.samples.items import Item
from sft.samples.solution_judgement import Judgement
from sft.samples.solution_text import read_item

LONGEST_NOTE = 2_000
LONGEST_PLACE = 60
SENT = "verify-sent"
_RIGHT, _WRONG = "The solution is correct", "It is flawed"


def disagreement(context: AppContext, item: Item, judgement: Judgement, engine: str) -> None:
    """Ask for the correct label instead of a judgement, and send it to the state of the review."""
    with st.expander("I disagree: keep this solution as a labelled example"):
        solution = solution_text(item)
        if isinstance(solution, tuple):
            notice(f"This solution cannot be an example: {solution[0]}.", kind="warning")
            return
        label = _label(item)
        asked = st.text_input(
            "Your name, for the record", value=known_name(context), max_chars=LONGEST_NAME, key="verify-name"
        )
        reviewer = printable_name(asked or "")
        lacking = _missing_input(label, judgement, reviewer)
        findings = () if lacking else refuting(label.of_solution(item.question, solution))
        override = _override(findings)
        if st.button("Send to the review", key="verify-send", disabled=bool(lacking or (findings and not override))):
            st.session_state["reviewer"] = reviewer
            example = ExampleLine(
                uid=uuid.uuid4().hex,
                reviewer=reviewer,
                undoes=None,
                question=item.question,
                solution=solution,
                label=label,
                judged=_engine_answer(judgement, engine),
                findings=tuple(finding_forms(findings)),
                override=override,
                at=iso_time(time.time()),
            )
            _send(context, example)
        if lacking:
            show(element("p", lacking, kind="muted"))
    _show_last_example(context)


def solution_text(item: Item) -> str | tuple[str]:
    """Return a solution as it was read, its lines under the numbers of the judgement, or why it cannot be written so."""
    if item.unread:
        return (item.unread[0].reason,)
    answer = [] if item.answer is None else [f"#### {item.answer}"]
    text = "\n".join([*item.annotated[: item.before], *answer, *item.annotated[item.before :]])
    again = read_item(item.question, text)
    if (again.annotated, again.answer) != (item.annotated, item.answer) or not all(map(str.strip, item.annotated)):
        return ("a line of it has no text, or is read differently on its own; write each step on a line",)
    return text


def _label(item: Item) -> ExampleLabel:
    if st.radio("What is right?", [_RIGHT, _WRONG], index=1, key="verify-verdict", horizontal=True) == _RIGHT:
        return ExampleLabel(verdict=CORRECT)
    texts = dict(zip(item.places(), [*item.lines, item.answer or ""], strict=False))

    def place_words(place: str) -> str:
        name = "the final answer" if place == FINAL_ANSWER else place
        return f"{name}: {one_line(texts.get(place, ''), limit=LONGEST_PLACE)}"

    line = st.selectbox(
        "Where is the first error?",
        list(texts),
        index=None,
        format_func=place_words,
        placeholder="choose a line",
        key="verify-line",
    )
    error_type = st.selectbox(
        "What kind of error?",
        list(map(str, ErrorType)),
        index=None,
        format_func=spaced,
        placeholder="I cannot say",
        key="verify-type",
    )
    why = st.text_area("Why is it wrong?", max_chars=LONGEST_NOTE, height=80, key="verify-why")
    return ExampleLabel(
        verdict=FLAWED,
        error_type=None if error_type is None else ErrorType(error_type),
        line=line or "",
        explanation=(why or "").strip()[:LONGEST_NOTE],
    )


def _missing_input(label: ExampleLabel, judgement: Judgement, reviewer: str) -> str:
    """Return the missing input before an example can be sent, empty if none is missing."""
    if label.verdict == FLAWED and not label.line:
        return "Choose the line of the error."
    if label.verdict == FLAWED and not label.explanation:
        return "Write why it is wrong."
    agrees = (label.verdict == FLAWED) == judgement.flawed
    if label.verdict == FLAWED and judgement.flawed:
        said = {str(judgement.error_type or ""), str(judgement.error_class or "")}
        agrees = label.line == judgement.line and (label.error_type is None or str(label.error_type) in said)
    if agrees and not judgement.error:
        return "The engine says the same: there is nothing to correct."
    return "" if reviewer else "Enter your name: it is stored with the example."


def _override(findings: Sequence[Evidence]) -> str:
    if not findings:
        return ""
    told = [
        f"{finding.line}: {spaced(finding.cause)}: {one_line(finding.found, limit=100)}, expected {one_line(finding.expected, limit=100)}"
        for finding in findings[:5]
    ]
    kept = "What is sent against it is kept, and never trained on."
    notice(f"The audit refutes this label. {' '.join(told)} {kept}", kind="warning")
    answer = st.text_input("Why is your label right all the same?", max_chars=LONGEST_NOTE, key="verify-override")
    return (answer or "").strip()


def _engine_answer(judgement: Judgement, engine: str) -> EngineAnswer:
    if judgement.error:
        return EngineAnswer(engine=engine, verdict=None)
    return EngineAnswer(
        engine=engine,
        verdict=FLAWED if judgement.flawed else CORRECT,
        error_type=str(judgement.error_type or judgement.error_class or "") if judgement.flawed else "",
        line=judgement.line if judgement.flawed else "",
        confidence=min(1.0, max(0.0, judgement.confidence)),
    )


def _send(context: AppContext, example: ExampleLine) -> None:
    def named(line: ExampleLine) -> tuple[object, ...]:
        return line.reviewer, line.question, line.solution, line.label

    try:
        with closing(ReviewState.open(context.state)) as state:
            same = next((known for known in examples_in_force(state) if named(known) == named(example)), None)
            if same is None:
                add_example(state, example)
            st.session_state[SENT] = same or example, "", len(examples_in_force(state))
    except HarnessError as error:
        st.session_state[SENT] = None, str(error), 0


def _show_last_example(context: AppContext) -> None:
    example, error, count = st.session_state.get(SENT) or (None, "", 0)
    if error:
        notice(error, kind="error")
    if example is None:
        return
    kept = f"{counted(count, 'example')} in {context.state}"
    notice(f"Kept as an example of {example.reviewer}: {example.label.verdict} {example.label.line}. {kept}.")
    if st.button("Withdraw it", key="verify-withdraw"):
        try:
            with closing(ReviewState.open(context.state)) as state:
                withdraw_example(state, example)
            st.session_state[SENT] = None
        except HarnessError as failure:
            st.session_state[SENT] = None, str(failure), 0
        st.rerun(scope="fragment")
