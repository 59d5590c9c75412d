"""Fixtures of the report tests: sealed runs that are small, hostile, or made from the bundled corpus."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.reports.hostile import RUN_NAME, hostile_run as sealed_hostile_run
from tests.reports.stage_records import (
    formalization_records,
    mutation_records,
    seal_stage,
    template_records,
    variant_records,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return a run with a small formalization stage."""
    return seal_stage(tmp_path / "runs" / "small", "formalization", formalization_records())


@pytest.fixture
def template_run(tmp_path: Path) -> Path:
    """Return a run with the template stage of the bundled corpus."""
    return seal_stage(tmp_path / "runs" / "mini", "template", template_records())


@pytest.fixture
def mutation_run(tmp_path: Path) -> Path:
    """Return a run with the mutation stage of a few problems."""
    return seal_stage(tmp_path / "runs" / "flawed", "mutation", mutation_records())


@pytest.fixture
def variant_run(tmp_path: Path) -> Path:
    """Return a run with the variant stage of a few problems."""
    return seal_stage(tmp_path / "runs" / "varied", "variant", variant_records())


@pytest.fixture
def hostile_run(tmp_path: Path) -> Path:
    """Return a run with hostile text in every field of its formalization and mutation stages, and in its name."""
    run = sealed_hostile_run(tmp_path / "runs" / RUN_NAME, "formalization")
    return sealed_hostile_run(run, "mutation")


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """Return a headless Chromium, or skip."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install playwright"
    )
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def complaints() -> list[str]:
    """Collect errors, refusals and dialogs that opened pages gave rise to."""
    return []


@pytest.fixture
def page(browser: "Browser", complaints: list[str]) -> "Iterator[Page]":
    """Return an empty tab that records whatever a quiet page would not do."""
    tab = browser.new_page()

    def dismiss(dialog: Any) -> None:
        complaints.append(f"dialog {dialog.message}")
        dialog.dismiss()

    tab.on("dialog", dismiss)
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    yield tab
    tab.close()
