"""Tests of the snapshot of a variant operator: all that a reviewer needs, and a stable choice of variants."""

from functools import partial
from typing import Any

import pytest
from hypothesis import given, strategies as st

from generators.variants.variant_operator import VARIANT_OPERATORS
from harness.domain import Problem
from snapshots.texts.operator_sample import MOST_VARIANTS, sample_variants
from snapshots.texts.operator_text import operator_text
from snapshots.texts.subjects import VARIANTS, subjects
from snapshots.texts.variants import variant_text

Record = dict[str, Any]
_operator_text = partial(operator_text, text_of=variant_text, noun="variant")
QUESTION = "A cook bakes 4 trays of 9 buns. How many buns does he bake?"
PROBLEM = Problem("tray-1", QUESTION, "He bakes 4*9 = <<4*9=36>>36 buns.", "36", 1)
TRAYS = {
    "name": "fact:trays",
    "variable": "trays",
    "value": "4",
    "source": "text",
    "words": "A cook bakes 4 trays of 9 buns.",
    "span": [13, 14],
}
EACH = {**TRAYS, "name": "fact:each", "variable": "each", "value": "9", "span": [24, 25]}
STATED = {**TRAYS, "name": "stated", "variable": "buns", "value": "35", "words": "That is 35 buns.", "span": [40, 42]}
STEP = {"name": "step:buns", "variable": "buns", "expression": "trays * each", "words": "He bakes 4*9 buns."}


def variant(text: str, label: int, edits: list[Record], **fields: Any) -> Record:
    """Return the record of a variant."""
    return {
        "variant_id": "tray-1:some:1",
        "problem_id": "tray-1",
        "operator": "some",
        "class_label": label,
        "twin_of": None,
        "question": QUESTION,
        "modified_problem_text": text,
        "edits": edits,
        "reasoning_trace": "It says so.",
        "system": {"facts": [TRAYS, EACH], "steps": [STEP], "bounds": [], "answer": "buns"},
        "certificate": {"smtlib": "(check-sat)", "expect": "sat" if label == 2 else "unsat"},
        "core": [],
        "models": [],
        "solution": None,
        "gold": None,
        **fields,
    }


CLASHING = variant(
    QUESTION.replace("How", "That is 35 buns. How"),
    0,
    [{"span": [32, 32], "before": "", "after": "That is 35 buns. "}],
    system={"facts": [TRAYS, EACH, STATED], "steps": [STEP], "bounds": [], "answer": "buns"},
    core=["fact:trays", "fact:each", "stated", "step:buns"],
)
CLASHING_TEXT = """\
──── contradictory: — → That is 35 buns.

    A cook bakes 4 trays of 9 buns. That is 35 buns. How many buns does he bake?

    reasoning    It says so.
    clash        trays = 4   “A cook bakes 4 trays of 9 buns.”
                 each = 9   “A cook bakes 4 trays of 9 buns.”
                 buns = 35   “That is 35 buns.”
                 buns = trays * each   “He bakes 4*9 buns.”
    proved       a solver answers unsat
"""
VAGUE = variant(
    QUESTION.replace("4", "some"),
    2,
    [{"span": [13, 14], "before": "4", "after": "some"}],
    models=[{"trays": "4", "each": "9", "buns": "36"}, {"trays": "1/2", "each": "9", "buns": "9/2"}],
)
VAGUE_TEXT = """\
──── underspecified: 4 → some

    A cook bakes some trays of 9 buns. How many buns does he bake?

    reasoning    It says so.
    solutions    trays: 4 or 1/2 = 0.5
                 buns (asked): 36 or 9/2 = 4.5
    proved       a solver answers sat
"""
RENUMBERED = variant(
    QUESTION.replace("4", "5"),
    1,
    [{"span": [13, 14], "before": "4", "after": "5"}],
    models=[{"trays": "5", "each": "9", "buns": "45"}],
    solution="He bakes 5*9 = <<5*9=45>>45 buns.\n#### 45",
    gold="45",
)
RENUMBERED_TEXT = """\
──── solvable: 4 → 5

    A cook bakes 5 trays of 9 buns. How many buns does he bake?

    reasoning    It says so.
    solution     buns (asked): 45
    written      He bakes 5*9 = <<5*9=45>>45 buns.
                 #### 45
    proved       a solver answers unsat
"""


@pytest.mark.parametrize(
    ("record", "text"), [(CLASHING, CLASHING_TEXT), (VAGUE, VAGUE_TEXT), (RENUMBERED, RENUMBERED_TEXT)]
)
def test_a_variant_reads_as_a_problem_to_judge(record: Record, text: str) -> None:
    """Its edit, its text, why it is of its class, and what was proved stand one below the other."""
    assert variant_text(record) == text


def test_the_problem_stands_above_its_variants() -> None:
    """Once, whatever was made of it; a near-twin says that it is one."""
    shown = _operator_text("some", [CLASHING, {**RENUMBERED, "twin_of": "tray-1:some:1"}], {"tray-1": PROBLEM})
    assert shown.startswith(
        f"some\n\n════ tray-1, tier 1\n\n    {QUESTION}\n\n{CLASHING_TEXT}\n──── solvable, near-twin: "
    )
    assert _operator_text("some", [], {}) == "some\n\n    makes no variant of the bundled problems\n"


def test_what_is_unseen_or_acts_is_shown_escaped() -> None:
    """Whatever a record's words hold, every row is printable, and no text makes a row of its own."""
    hostile = "a\u202eb\x1b[31mc\u200bd\u2028e\x00f\ud800g\nx"
    edit = {"span": [0, 1], "before": hostile, "after": hostile}
    facts = [{**TRAYS, "variable": hostile, "words": hostile}]
    record = variant(
        hostile,
        0,
        [edit],
        reasoning_trace=hostile,
        system={"facts": facts, "steps": [], "bounds": [], "answer": hostile},
        core=["fact:trays", hostile],
        models=[{hostile: "1"}],
        solution=hostile,
    )
    shown = _operator_text(hostile, [record], {"tray-1": PROBLEM})
    assert all(row.isprintable() for row in shown.split("\n"))
    assert not any(row.startswith("x") for row in shown.split("\n"))


def _variant(problem: int, place: int, word: str) -> Record:
    name = f"p-{problem:03}:some:{place}{word}"
    edit = {"span": [place, place + 1], "before": "7", "after": word}
    return variant(f"{name} text", 0, [edit], variant_id=name, problem_id=f"p-{problem:03}")


def _variants(first: int, last: int) -> st.SearchStrategy[list[Record]]:
    return st.lists(
        st.builds(_variant, st.integers(first, last), st.integers(0, 4), st.sampled_from("abc")),
        max_size=40,
        unique_by=lambda variant: variant["variant_id"],
    )


def ids(variants: list[Record]) -> list[str]:
    """Return the ids."""
    return [variant["variant_id"] for variant in variants]


@given(variants=_variants(0, 12), random=st.randoms(use_true_random=False))
def test_a_sample_is_of_what_there_is_in_whatever_order(variants: list[Record], random: Any) -> None:
    """Ten variants or all there are, each with its near-twin right behind it, whatever the order they come in."""
    twins = [
        {**variant, "variant_id": f"{variant['variant_id']}-twin", "twin_of": variant["variant_id"]}
        for variant in variants
    ]
    chosen = ids(sample_variants([*variants, *twins]))
    assert chosen == ids(sample_variants(random.sample([*twins, *variants], 2 * len(variants))))
    assert len(set(chosen)) == len(chosen) == 2 * min(MOST_VARIANTS, len(variants))
    assert all(f"{name}-twin" == twin for name, twin in zip(chosen[::2], chosen[1::2], strict=True))
    assert chosen[::2] == sorted(chosen[::2])


@given(variants=_variants(0, 12), others=_variants(13, 25))
def test_further_problems_bring_in_only_their_own(variants: list[Record], others: list[Record]) -> None:
    """What was not shown before further problems were added is not shown after."""
    before = ids(sample_variants(variants))
    assert set(ids(sample_variants([*variants, *others]))) <= {*before, *ids(others)}


def test_each_registered_operator_has_a_snapshot() -> None:
    """The subjects are the variant operators, each once, sorted."""
    assert [subject.name for subject in subjects([VARIANTS])] == sorted(operator.name for operator in VARIANT_OPERATORS)
