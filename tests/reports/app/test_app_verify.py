"""Tests of the Verify page: it shows the result of each engine line by line and escapes foreign text."""

import re
from datetime import datetime
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from streamlit.testing.v1 import AppTest

from harness.corpora.labelled_solutions import split_solution
from harness.text.characters import replace_surrogates
from reports.app.verify_page.disagreement import solution_text
from reports.app.verify_page.judgement_view import line_elements
from reports.app.verify_page.page import SOLUTIONS, VerifyExample
from reports.review.examples import examples_in_force
from reports.review.review_state import ReviewState
from sft.samples.solution_text import read_item
from sft.verifier.command import verify
from sft.verifier.engine_registry import NOTHING
from sft.verifier.engines import symbolic
from tests.reports.app.reviewing import Server, Tabs
from tests.reports.hostile import HOSTILE

QUESTION = "Mia buys 4 boxes of 6 pens at $2 a pen and pays with a $100 note. How much change does she get?"
SLIP = "There are 4*6 = 24 pens.\nThey cost 24*2 = 46 dollars.\nThe change is 100 - 46 = 54 dollars.\n#### 54"


def _script() -> None:
    from pathlib import Path  # AppTest runs the source of this function alone

    from reports.app.app_context import AppContext
    from reports.app.verify_page.page import page

    page(AppContext(run=None, candidates=(), state=Path("review.sqlite")))


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AppTest:
    """Return the page as it opens, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return AppTest.from_function(_script, default_timeout=60).run()


def _html(app: AppTest) -> str:
    return "\n".join(part.value for part in app.main.html)


def _lines(question: str, solution: str) -> list[tuple[str, str, str]]:
    """Return mark, place and words of the lines as they are shown."""
    item = read_item(question, solution)
    judgement = symbolic.judgement(item) if any(item.lines) or item.answer else NOTHING
    shown = [line.html for line in line_elements(item, judgement)]
    found = (
        re.fullmatch(r'<div class="judged-line (\w+)"><span.*?</span><b>(\w+)</b>(.*)</div>', html) for html in shown
    )
    return [(line[1], line[2], unescape(re.sub("<[^>]*>", " ", line[3]))) for line in found if line is not None]


def _judge(app: AppTest) -> AppTest:
    return app.button(key="verify-judge").click().run()


# The lines


@given(solution=st.text(alphabet=st.sampled_from("0123456789+-*/= ().\n#$%<>xa"), max_size=200))
def test_lines_are_those_of_the_solution(solution: str) -> None:
    """Whatever is pasted, each line stands once, in order, and no more than one place is accused."""
    item = read_item(QUESTION, solution)
    lines = _lines(QUESTION, solution)
    assert [place for _, place, _ in lines if place != "FA"] == [f"L{number + 1}" for number in range(len(item.lines))]
    for (_, _, words), text in zip(lines, item.annotated, strict=False):
        assert "".join(text.split()) in "".join(words.split())
    assert sum(mark == "accused" for mark, _, _ in lines) <= 1


# The page


@pytest.mark.parametrize("example", SOLUTIONS, ids=lambda example: example.name)
def test_example_fills_the_fields_and_is_judged(app: AppTest, example: VerifyExample) -> None:
    """One click fills both fields, and the verdict on the page is the engine's."""
    next(widget for widget in app.button if widget.label == example.name).click().run()
    assert app.text_area(key="verify-solution").value == example.solution
    said = unescape(re.sub("<[^>]*>", "", _html(_judge(app))))
    engine = "oracle" if example.worked else "symbolic"
    judged = verify(example.question, example.solution, engine=engine, reference=example.worked)
    assert ("✗ Flawed" if judged.flawed else "✓ Correct") in said
    assert judged.explanation in said


def test_missing_weights_are_a_sentence_with_the_command(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the model's weights are not there, the page says so and how to get them, and judges on by symbols."""
    monkeypatch.setenv("SFT_GGUF", "/nowhere/model.gguf")
    monkeypatch.setenv("ORACLE_FACTORY_CACHE", "/nowhere")
    next(widget for widget in app.button if widget.label == SOLUTIONS[1].name).click().run()
    app.radio(key="verify-engine").set_value("model").run()
    said = unescape(_html(_judge(app)))
    assert "The model engine cannot be used" in said
    assert "install-sft" in said
    app.radio(key="verify-engine").set_value("symbolic").run()
    assert "✗ Flawed" in _html(_judge(app))


def test_hostile_text_is_escaped(app: AppTest) -> None:
    """Hostile text in problem and solution is shown as text, escaped ones too, whose entities are read; no other element comes of it."""
    app.text_area(key="verify-question").set_value(f"{HOSTILE[:20]} 5 apples :red[x] $x$")
    app.text_area(key="verify-solution").set_value(
        "&lt;img src=x onerror=alert(1)&gt;<svg onload=alert(1)> 2+2 = 5 :red[x] $y$\n#### <b>5</b>"
    )
    said = _html(_judge(app))
    assert "<img" not in said
    assert "<svg onload" not in said
    assert "&lt;img src=x onerror=alert(1)&gt;&lt;svg onload=alert(1)&gt;" in said
    assert not any("alert" in str(part.value) for part in (*app.markdown, *app.caption, *app.error))


def test_worked_solution_judges_and_stands_beside(app: AppTest) -> None:
    """A worked solution judges in place of the engine: both sides, tied lines, the first that differs, and the proof; hostile text is escaped."""
    worked = "4*6 = 24 pens.\n24*2 = 48 dollars.\n100-48 = 52 <svg onload=alert(1)>\n#### 52"
    app.text_area(key="verify-worked").set_value(worked)
    html = _html(_typed(app, QUESTION, "There are 4*6 = 24 pens.\n24+2 = 26 &lt;img src=x&gt;\n100-26 = 74\n#### 74"))
    assert html.count('class="side same"') == 1
    assert html.count('class="side differs"') == 1
    assert "<b>L2</b> 24+2 = 26" in html
    assert "24 * 2 = 48" in html
    assert "<details><summary>Proved" in html
    assert "<summary>Witness" in html
    assert "<svg onload" not in html
    assert "<img" not in html
    app.text_area(key="verify-worked").set_value("By hand.").run()
    assert "No answer of the worked solution is read" in unescape(_html(app))


# The disagreement


def _typed(app: AppTest, question: str, solution: str) -> AppTest:
    app.text_area(key="verify-question").set_value(question)
    return app.text_area(key="verify-solution").set_value(solution).run()


def _sending(app: AppTest) -> Any:
    return app.button(key="verify-send")


def test_what_is_typed_is_judged_without_the_button(app: AppTest) -> None:
    """The symbolic engine judges what stands in the fields, and what it said is gone when the text changes."""
    assert "judged-line accused" in _html(_typed(app, QUESTION, SLIP))
    right = SLIP.replace("46", "48").replace("54", "52")
    assert "✓ Correct" in unescape(_html(_typed(app, QUESTION, right)))


@given(solution=st.text(alphabet=st.sampled_from("0123456789+-*/= ().\n#$%<>xaL:"), max_size=120))
def test_example_counts_the_lines_that_the_person_saw(solution: str) -> None:
    """The text of an example is read again, by verifier and by audit, into the very lines of the judgement, or it is refused."""
    item = read_item(QUESTION, solution)
    text = solution_text(item)
    if isinstance(text, tuple):
        return
    assert read_item(QUESTION, text).annotated == item.annotated
    worked = split_solution(text)
    assert (worked.lines, worked.answer) == (item.annotated, item.answer)


def test_disagreement_is_kept_as_a_labelled_example(app: AppTest, tmp_path: Path) -> None:
    """Who, when, the text, the label and what the engine said stand in the state of the review; a withdrawal takes it back."""
    right = SLIP.replace("46", "48").replace("54", "52")
    _typed(app, QUESTION, right)
    assert _sending(app).disabled
    app.selectbox(key="verify-line").set_value("L3")
    app.selectbox(key="verify-type").set_value("wrong_reference_group")
    app.text_area(key="verify-why").set_value("It is <b>another</b> note.")
    app.text_input(key="verify-name").set_value(f"Ann {replace_surrogates(HOSTILE)}").run()
    assert not _sending(app).disabled
    _sending(app).click().run()
    assert "Kept as an example of Ann &lt;/script&gt;" in _html(app)
    state = ReviewState.open(tmp_path / "review.sqlite")
    (kept,) = examples_in_force(state)
    told = (kept.question, kept.solution, kept.label.line, kept.label.explanation)
    assert told == (QUESTION, right, "L3", "It is <b>another</b> note.")
    assert (kept.judged.engine, kept.judged.verdict) == ("symbolic", "Correct")
    assert kept.reviewer.startswith("Ann </script>")
    assert datetime.fromisoformat(kept.at).tzinfo is not None
    _sending(app).click().run()
    assert len(examples_in_force(state)) == 1
    app.button(key="verify-withdraw").click().run()
    assert examples_in_force(state) == []
    state.close()


def test_label_that_the_audit_refutes_needs_a_reason(app: AppTest, tmp_path: Path) -> None:
    """Calling a false equation correct is told what is false, and is kept only with a reason."""
    _typed(app, QUESTION, SLIP)
    app.radio(key="verify-verdict").set_value("The solution is correct")
    app.text_input(key="verify-name").set_value("Ann").run()
    assert "24*2 = 46" in unescape(re.sub("<[^>]*>", "", _html(app)))
    assert _sending(app).disabled
    app.text_input(key="verify-override").set_value("46 is meant.").run()
    _sending(app).click().run()
    state = ReviewState.open(tmp_path / "review.sqlite")
    (kept,) = examples_in_force(state)
    state.close()
    assert (kept.override, len(kept.findings)) == ("46 is meant.", 1)


# In the browser


@pytest.mark.slow
@pytest.mark.parametrize(
    "view",
    [
        pytest.param({"viewport": {"width": 420, "height": 860}, "color_scheme": "dark"}, id="phone"),
        pytest.param({}, id="desk"),
    ],
)
def test_page_judges_while_one_types_and_keeps_every_letter(server: Server, tabs: Tabs, view: dict[str, Any]) -> None:
    """Without leaving the field the false line is marked; nothing that was typed meanwhile is lost; hostile text stays text."""
    page = tabs(server, "ann", **view).page
    failed: list[str] = []
    page.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)
    page.goto(f"{server.url}/verify?reviewer=ann")
    page.get_by_label("Problem", exact=True).fill(QUESTION)
    page.get_by_label(re.compile("^Solution")).click()
    hostile = "<img src=x onerror=alert(1)> ? r c :red[x] $y$\n"
    page.keyboard.type(f"{hostile}{SLIP}", delay=20)
    accused = page.locator(".judged-line.accused")
    accused.get_by_text("They cost").wait_for()
    assert page.get_by_label(re.compile("^Solution")).input_value() == f"{hostile}{SLIP}"
    assert page.evaluate("document.activeElement.tagName") == "TEXTAREA"
    assert page.locator(".judged img").count() == 0
    page.keyboard.type("\nThen 100 - 46 = 55.")
    page.locator(".judged-line.false").get_by_text("Then 100").wait_for()
    assert failed == []
