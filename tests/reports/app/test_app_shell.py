"""Tests of the app shell: its arguments, one message for a mistake, the reviewers and the tabs."""

import sys
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from reports.app.app_context import STATE, AppContext, read_arguments
from reports.app.markup import element
from reports.app.review_page.component import SCRIPTS, source
from reports.review.review_state import ReviewPlan, ReviewState
from tests.cases import rows, texts
from tests.reports.app.reviewing import MAIN, SCRIPT
from tests.reports.stage_records import formalization_records, mutation_records, seal_stage

App = Any  # streamlit.testing.v1.AppTest, imported where it is used: it loads pandas


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., App]:
    """Run the app as `streamlit run reports/app/main.py -- ARGUMENTS` does, in an empty folder."""
    testing = pytest.importorskip(
        "streamlit.testing.v1", reason="streamlit is not installed: pip install -e '.[review]'"
    )
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, **query: str) -> App:
        monkeypatch.setattr(sys, "argv", [str(MAIN), *arguments])
        app = testing.AppTest.from_file(str(SCRIPT), default_timeout=60)
        for key, value in query.items():
            app.query_params[key] = value
        return app.run()

    return run


def said(app: App) -> str:
    """Return all the HTML and titles of the page."""
    assert not app.exception
    return "\n".join(str(part.proto.body) for part in app.get("html"))


def test_arguments_name_run_state_and_plan(flawed_run: Path) -> None:
    """Each option arrives; computational candidates only on request; what was not said of the plan stays unsaid."""
    stage = flawed_run / "mutation"
    options = texts(
        """--state | s.sqlite | --double | 0.2 | --target | 7 | --reviewer | Ada | --include | computational"""
    )
    assert read_arguments(["--run", str(flawed_run), *options]) == AppContext(
        run=flawed_run,
        candidates=(stage / "conceptual.jsonl", stage / "computational.jsonl"),
        state=Path("s.sqlite"),
        double=0.2,
        target=7,
        reviewer="Ada",
    )
    plain = read_arguments(["--candidates-dir", str(stage)])
    assert plain == AppContext(run=None, candidates=(stage / "conceptual.jsonl",), state=STATE)


MISTAKES = rows("""--run no-such-run → no-such-run: expected a run | --candidates-dir nowhere → nowhere: expected a folder
--candidates-dir empty → -n auto -m mutation
--run empty → empty: expected a run, a folder with a stage (formalization,
--run foreign → properties -n auto -m formalization --harness-run=
--double half → expected a number such as 0.5, found 'half' | --target 0 → expected a whole number from 1 to 1,000,000
--run a --candidates-dir b → not allowed with | --runs x → unrecognized arguments: --runs x
--include all → invalid choice: 'all'""")


def test_mistake_is_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the user got wrong is named, with what was expected."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "foreign" / "photos").mkdir(parents=True)
    for arguments, words in MISTAKES:
        with pytest.raises(HarnessError) as caught:
            read_arguments(arguments.split())
        assert words in str(caught.value)


PAGES = {"": "mutation", "oracles": "formalization", "agreement": "mutation", "verify": None}
"""The address of each page, and the stage that it needs."""
SEALED = ("formalization", "template", "mutation", "variant", "label")


@pytest.mark.parametrize(
    "stage",
    [
        "mutation",
        *(
            pytest.param(stage, marks=pytest.mark.slow)
            for stage in ("formalization", "template", "variant", "label", "unfinished", "unreadable")
        ),
    ],
)
def test_app_opens_with_any_stage(start: Callable[..., App], tmp_path: Path, stage: str) -> None:
    """Every page opens; one whose stage is missing names the stage and the command that makes it, and only such a page does."""
    from streamlit.util import calc_hash

    records = {"formalization": formalization_records(), "mutation": mutation_records()}.get(stage, {})
    run = seal_stage(tmp_path / "runs" / "some", stage if stage in SEALED else "label", records)
    if stage not in SEALED:
        (run / "mutation" / "shards").mkdir(parents=True)
    if stage == "unreadable":
        (run / "mutation" / "manifest.json").write_text("[", encoding="utf-8")
    for page, wanted in PAGES.items():
        app = start("--run", "some", reviewer="Ada")
        if page:
            app._page_hash = calc_hash(page)  # `switch_page` takes pages that are files
            app.run()
        shown = unescape(said(app))
        commands = [name for name in SEALED if f"{runnable('pytest')} -n auto -m {name} --harness-run=some" in shown]
        assert commands == [wanted] * (wanted not in {stage, None}), shown
        if wanted not in {stage, None}:
            assert str(Path("runs", "some")) in shown
            assert wanted in shown


def test_reviewer_is_asked_once(start: Callable[..., App], tmp_path: Path, flawed_run: Path) -> None:
    """Without a name nothing is leased; the name given goes into the address, trimmed, and is not asked again."""
    app = start("--run", str(flawed_run))
    assert not (tmp_path / STATE).exists()
    app.button[0].click().run()
    assert "Enter your name" in said(app)
    app.text_input[0].set_value("  Ada \u202e Lovelace ")
    app.button[0].click().run()
    assert app.query_params["reviewer"] == "Ada Lovelace"
    assert app.session_state["review-desk"].reviewer == "Ada Lovelace"
    assert not app.button


def test_plan_is_kept_until_somebody_says_another(start: Callable[..., App], tmp_path: Path, flawed_run: Path) -> None:
    """A start without options keeps the target and the share of the last one that named them."""
    plans = []
    for number, options in enumerate([[], ["--target", "5", "--double", "0.25"], []]):
        (flawed_run / "mutation" / "conceptual.jsonl").touch()  # another process would open it anew
        app = start("--run", str(flawed_run), *options, reviewer=f"Ada {number}")
        assert not app.exception
        state = ReviewState.open(tmp_path / STATE)
        plans.append(state.plan)
        state.close()
    assert plans == [ReviewPlan(20, 0.0), ReviewPlan(5, 0.25), ReviewPlan(5, 0.25)]
    assert "a share from 0 to 1" in said(start("--run", str(flawed_run), "--double", "7", reviewer="Ada"))


def test_page_of_the_run_is_made_of_our_files_alone() -> None:
    """The script is one module of the files, which name no address and take no text for markup."""
    script = source()
    assert script.count("export default") == 1
    markup = "http: https: innerHTML outerHTML insertAdjacentHTML eval( Function( document.write"
    assert [word for word in markup.split() if word in script] == []
    assert len(SCRIPTS) == len(set(SCRIPTS))


@given(text=st.text())
def test_text_stays_text_in_markup(text: str) -> None:
    """Whatever a text holds, an element made of it has no other element in it."""
    built = element("p", text, title=text).html
    inner = built[built.index(">") + 1 : -len("</p>")]
    assert "<" not in inner
    assert '"' not in built[len('<p title="') : built.index(">")].rstrip('"')
