"""Tests of the results file: measuring a section replaces its figures and keeps its notes and other sections."""

from pathlib import Path

import pytest


def test_notes_below_the_figures_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often figures are measured again, the notes below them are kept."""
    import benchmarks.__main__ as command  # importing it takes three seconds, which other workers do not need

    results, figures = tmp_path / "RESULTS.md", iter(("one", "two", "three"))
    results.write_text(
        "# Results\n\n<!-- speed -->\n## Speed\n\nnone\n\n### Notes\n\nA note.\n\n<!-- other -->\n## Other\n"
    )
    monkeypatch.setattr(command, "RESULTS", results)
    monkeypatch.setitem(command.SECTIONS, "speed", lambda _: f"## Speed\n\n{next(figures)}\n")
    for figure in ("one", "two"):
        assert command.main(["speed"]) == 0
        written = results.read_text()
        assert f"## Speed\n\n{figure}\n\n### Notes\n\nA note.\n" in written
        assert written.endswith("<!-- other -->\n## Other\n")
        assert written.count("A note.") == 1
