"""Twins: a line with one thing changed, all of it true, the repair of a planted error among them."""

from __future__ import annotations

import time

from harness.equations.line_reader import read_line
from sft.samples.solution_text import read_item
from sft.verifier.twins.line_twins import MOST_OF_ITEM, MOST_OF_LINE, twins_of
from tests.cases import cases

QUESTION = (
    "A cook has 8 trays of 15 rolls. He sells 70% of the rolls for $2 each, 6 of them twice over, and pays $30 for flour."
    " How much does he earn in 3 weeks?"
)
USED = "\n8 * 14 = 112\n2 + 6 = 8\n31 + 1 = 32\n#### 5"
PLANTED = [
    ("He has 8 + 15 = 23 rolls, so 23 in all.", "He has 8 * 15 = 120 rolls, so 120 in all.", "operator"),
    ("There are 14 rolls because 6 + 8 = 14.", "There are 48 rolls because 6 * 8 = 48.", "operator"),
    ("He has 8 x 6 = 48 rolls.", "He has 8 x 15 = 120 rolls.", "operand"),
    ("He pays $20 + $2 = $22.", "He pays $30 + $2 = $32.", "operand"),
    ("He sells 120 * 20% = 24 rolls.", "He sells 120 * 80% = 96 rolls.", "share"),
    ("He earns 30 - 168 * 1 = 138.", "He earns 30 * 168 * 1 = 5040.", "operator"),
    ("He is left with 30 - 8 - 2 = 20.", "He is left with 30 - 8 = 22.", "dropped"),
    ("A tray is 8 / 120 = 0.06667 of it.", "A tray is 120 / 8 = 15 of it.", "turned"),
    ("He earns 2 * 15 = 30 in 7 days.", "He earns 2 * 15 * 3 = 90 in 7 days.", "added"),
    ("He gets 8 * 15 = 110 rolls.", "He gets 8 * 15 = 120 rolls.", "result"),
    ("He sells 2 * 3 = 6 and 6 + 8 = 14.", "He sells 2 / 3 = 6", ""),
]


@cases(("line", "repaired", "kind"), [pair for pair in PLANTED if pair[2]])
def test_the_repair_of_a_planted_error_is_among_the_twins(line: str, repaired: str, kind: str) -> None:
    """A line made wrong by one change has the right one among its twins, written as the line is."""
    twins = twins_of(read_item(QUESTION, line + USED))
    assert (repaired, kind) in {(twin.text, twin.kind) for twin in twins if twin.place == "L1"}


@cases("line", [line for line, _, _ in PLANTED])
def test_twins_are_true_other_and_few(line: str) -> None:
    """No equation of a twin is false, none is the line itself, none is there twice, and there are at most eight."""
    twins = [twin for twin in twins_of(read_item(QUESTION, line + USED)) if twin.place == "L1"]
    texts = [twin.text for twin in twins]
    assert 0 < len(texts) <= MOST_OF_LINE
    assert len(set(texts)) == len(texts)
    assert line not in texts
    assert not any(read_line(text).false for text in texts)


def test_what_follows_in_the_line_follows_the_change() -> None:
    """A result that the same line works on is changed there too, and so is what comes of it."""
    twins = twins_of(read_item(QUESTION, "He sells 2 + 6 = 8 and 8 + 30 = 38.\n#### 38"))
    assert "He sells 2 * 6 = 12 and 12 + 30 = 42." in {twin.text for twin in twins}


def test_the_answer_may_be_any_other_result() -> None:
    """The twins of the final answer are the results it is not, in its form."""
    item = read_item(QUESTION, "He has 8 * 15 = 120.\nHe gets 120 * 2 = 240.\nFINAL ANSWER: $240")
    assert [twin.text for twin in twins_of(item) if twin.place == "FA"] == ["$120"]


def test_a_later_line_may_use_what_an_earlier_one_found() -> None:
    """An operand can be an earlier result, and never a later one."""
    item = read_item(
        QUESTION,
        "He has 8 * 15 = 120 rolls.\nHe gets 8 * 2 = 16.\nHe gives 30 of 15 + 6 + 3 = 24.\nHe keeps 999 + 1 = 1000.\n#### 16",
    )
    texts = {
        twin.place: {other_twin.text for other_twin in twins_of(item) if other_twin.place == twin.place}
        for twin in twins_of(item)
    }
    assert "He gets 120 * 2 = 240." in texts["L2"]
    assert not any("1000" in text for text in texts["L2"])


@cases(
    "solution",
    [
        "",
        "????",
        "0 / 0 = 0\n1 / 0 = 2",
        "1 + 1 = 2 " * 2_000,
        "\n".join("3 * 4 = 12, 12 + 5 = 17, 17 - 1 = 16, 16 / 2 = 8" for _ in range(200)),
        "9" * 5_000 + " + 1 = 2\n#### " + "9" * 5_000,
        "(" * 500 + "1 + 1" + ")" * 500 + " = 2",
        "٣ + ٤ = ٧\n<script>1 + 1 = 3</script>\n#### <b>3</b>",
        "1 - 5 = -4\n-4 * -4 = 16\n2 ** 60 = 1152921504606846976",
    ],
)
def test_hostile_text_is_bounded(solution: str) -> None:
    """Whatever a solution holds, its twins are few, are made soon, and state nothing false that it does not."""
    item = read_item(QUESTION + " 1 2 3" * 2_000, solution)
    began = time.process_time()
    twins = twins_of(item)
    assert time.process_time() - began < 10
    assert len(twins) <= MOST_OF_ITEM
    for twin in twins:
        if twin.place != "FA":
            assert len(read_line(twin.text).false) <= len(read_line(item.lines[int(twin.place[1:]) - 1]).false)
