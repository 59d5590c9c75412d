"""The funnel of `oracle-factory run`: its figures agree with each other and with what the stages sealed."""

import html
from pathlib import Path
from typing import Any

from tests.json_lines import read_lines
from tests.properties.factory.factory_process import FactoryOutcome


def steps(run: Path) -> dict[str, dict[str, Any]]:
    """Return the steps of a run by name."""
    return {record["step"]: record for record in read_lines(run / "funnel/steps.jsonl")}


def assert_whole(run: Path) -> None:
    """Check that every step accounts for all that came to it, with the most frequent reason first."""
    by_name = steps(run)
    for step in by_name.values():
        if step["of"]:
            assert step["of"] - step["count"] == sum(step["lost"].values()), step
        assert list(step["lost"].values()) == sorted(step["lost"].values(), reverse=True)
    chain = ["problems", "with a formalization", "not refuted by UT-1", "in a clique", "with an oracle"]
    for before, after in zip(chain, [*chain[1:], "with flaws"], strict=True):
        assert by_name[after]["of"] == by_name[before]["count"]
    assert by_name["with variants"]["of"] == by_name["with an oracle"]["count"]
    problems = read_lines(run / "funnel/problems.jsonl")
    assert len(problems) == by_name["problems"]["count"]
    for name in (*chain[1:], "with flaws", "with variants"):
        assert sum(name in problem["left"] for problem in problems) == sum(by_name[name]["lost"].values())
    for problem in problems:
        if not problem["left"].keys() & set(chain):
            made = {"with flaws": problem["flaws"], "with variants": problem["variants"]}
            assert {name for name, count in made.items() if not count} == problem["left"].keys(), problem


def test_figures_are_those_of_the_stages(undisturbed: FactoryOutcome) -> None:
    """Flaws, variants, clean flaws and rows are as many as the sealed files hold."""
    run = undisturbed.run
    assert_whole(run)
    by_name = steps(run)
    flaws = [*read_lines(run / "mutation/computational.jsonl"), *read_lines(run / "mutation/conceptual.jsonl")]
    variants = read_lines(run / "variant/variants.jsonl")
    assert sum(by_name["with flaws"]["parts"].values()) == len(flaws) > 50
    assert sum(by_name["with variants"]["parts"].values()) == len(variants) > 10
    assert by_name["with flaws"]["count"] == len({flaw["problem_id"] for flaw in flaws})
    audit = by_name["flaws with a clean audit"]
    clean = [record for record in read_lines(run / "label/verdicts.jsonl") if record["status"] == "CONFIRMED"]
    assert (audit["of"], audit["count"]) == (len(flaws), len(clean))
    for level, rows in by_name["samples in the datasets"]["parts"].items():
        folder = run / "datasets" / level.replace("level ", "level-")
        assert rows == sum(len(path.read_text().splitlines()) for path in folder.iterdir())
    for problem in read_lines(run / "funnel/problems.jsonl"):
        own = [flaw for flaw in flaws if flaw["problem_id"] == problem["problem_id"]]
        assert problem["flaws"] == len(own)
        assert problem["variants"] == sum(variant["problem_id"] == problem["problem_id"] for variant in variants)


def test_page_and_terminal_show_every_step(undisturbed: FactoryOutcome) -> None:
    """Terminal and page name each step with its count, the page the reasons; the last line names the page."""
    page = (undisturbed.run / "report" / "funnel.html").read_text(encoding="utf-8")
    for name, step in steps(undisturbed.run).items():
        assert name in undisturbed.stdout
        assert f"{step['count']:,}" in undisturbed.stdout
        for shown in (name, f"{step['count']:,}", *step["lost"]):
            assert html.escape(shown) in page
    assert undisturbed.stdout.splitlines()[-1] == str(undisturbed.run / "report" / "funnel.html")
    assert "src=" not in page
    assert "<script" not in page
