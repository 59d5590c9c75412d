"""Tests of solution rewriting: no old value remains in the text, and only the labelled line states something false."""

from collections.abc import Collection
from fractions import Fraction

import pytest

from generators.flaws.flawed_solution import FlawDiscardReason
from generators.flaws.solution.source_solution import UnfitError, UnfitReason
from generators.flaws.text.solution_rewrite import (
    FlawDiscardError,
    FlawSourceText,
    changed_lines,
    changed_values,
    check_equations,
    flawed_answer,
    flawed_lines,
    random_of,
    read_source_text,
    render,
    states_variable,
)
from generators.flaws.text.stale_numbers import check_stale_numbers
from harness.domain import Exact
from harness.solution.trace import propagate
from tests.generators.flaws.flaw_laws import SIMPLE, worded

CODE = """
# L1
boxes = 4 # 4 boxes
pens = 6 # 6 pens
total = boxes * pens
# L2
given = 10 # 10 pens
left = total - given
# L3
more = 5 # 5 pens
final = left + more
answer = final
return answer
"""
LINES = (
    "There are {boxes} * {pens} = <<{boxes}*{pens}={total}>>{total} pens",
    "So {total} - {given} = <<{total}-{given}={left}>>{left} pens are left",
    "With {more} more, {left} + {more} = <<{left}+{more}={final}>>{final} pens",
)


def text_of(*lines: str, code: str = CODE) -> FlawSourceText:
    """Return the text of a solution."""
    return read_source_text(worded(code, *lines))


TEXT = text_of(*LINES)


def discarded(
    text: FlawSourceText, changed: dict[str, Exact], first: int = 0, skipped: Collection[int] = ()
) -> str | None:
    """Return why changed values leave an old one in the words, `None` where they do not."""
    try:
        check_stale_numbers(text, first, {**text.source.values, **changed}, skipped)
    except FlawDiscardError as error:
        return error.detail if error.discard is FlawDiscardReason.STALE else str(error.discard)
    return None


def test_a_number_that_no_form_can_write_may_not_be_an_old_value() -> None:
    """Nobody can put another number for `¼` there: once the share is another one, the line is no good."""
    code = CODE.replace("boxes = 4 # 4", "boxes = 0.25 # 0.25").replace("pens = 6 # 6", "pens = 96 # 96")
    text = text_of(LINES[0], f"{LINES[1]}, of ¼", LINES[2], code=code)
    assert (discarded(TEXT, {"boxes": 3}), discarded(text, {"boxes": 3}), discarded(text, {"total": 30})) == (
        None,
        "L2",
        None,
    )


def test_a_number_before_the_change_is_none_of_its_business() -> None:
    """Only lines from the changed one on are looked at, and those left out are not."""
    code = CODE.replace("given = 10 # 10", "given = 6 # 6")
    text = text_of(f"6 each: {LINES[0]}", LINES[1], f"{LINES[2]}, 6 in all", code=code)
    cases = [(0, ()), (1, ()), (1, {2}), (2, ())]
    assert [discarded(text, {"given": 7}, first, skipped) for first, skipped in cases] == [
        "L1: 6",
        "L3: 6",
        None,
        "L3: 6",
    ]


def test_a_value_that_another_variable_keeps_is_not_stale() -> None:
    """The 10 in the words may be the one that did not change."""
    text = text_of(LINES[0], LINES[1], f"{LINES[2]} instead of 100%")
    code = CODE.replace("given = 10 # 10", "given = 1 # 1")
    kept = text_of(LINES[0], LINES[1], f"{LINES[2]} for everyone", code=code)
    assert (discarded(text, {"given": 7}), discarded(kept, {"given": 7})) == (None, None)


def test_a_number_of_several_variables_is_stale_if_one_of_them_changes() -> None:
    """Where two variables are 6, a 6 in the words may be either."""
    code = CODE.replace("given = 10 # 10", "given = 6 # 6")
    text = text_of(LINES[0], LINES[1], f"{LINES[2]}; 6 is few", code=code)
    assert discarded(text, {"given": 7}) == "L3: 6"
    assert discarded(text, {"more": 7}) is None


def test_a_negative_old_value_may_not_be_left() -> None:
    """`-7` in mere words is read as a 7 behind a dash."""
    code = CODE.replace("given = 10 # 10", "given = 31 # 31")
    text = text_of(LINES[0], LINES[1], LINES[2].replace("With", "With -7 and"), code=code)
    assert (text.source.values["left"], discarded(text, {"left": -8}), discarded(text, {"total": 25})) == (
        -7,
        "L3",
        None,
    )


def test_lines_that_state_a_changed_value_change() -> None:
    """The first one does in any case; none may stand before it."""
    assert [changed_lines(TEXT, first, changed) for first, changed in ((0, ["total"]), (1, ["left"]), (2, []))] == [
        [0, 1],
        [1, 2],
        [2],
    ]
    with pytest.raises(FlawDiscardError) as error:
        changed_lines(TEXT, 1, ["total"])
    assert (error.value.discard, error.value.detail) == (FlawDiscardReason.EARLIER, "L1")


def judged(
    lines: dict[int, str], *, wrong: int | None, worded_: int | None = None, **changed: Exact
) -> FlawDiscardReason | None:
    """Return why rewritten lines are discarded."""
    try:
        check_equations(lines, TEXT, {**TEXT.source.values, **changed}, wrong=wrong, worded=worded_)
    except FlawDiscardError as error:
        return error.discard
    return None


def rewritten(**changed: Exact) -> dict[int, str]:
    """Return all lines with changed values."""
    values = {**TEXT.source.values, **changed}
    return {number: render(TEXT, number, values) for number in range(3)}


def test_the_wrong_line_is_false_and_no_other() -> None:
    """25 pens of four boxes of six; 15 left; 20 in the end."""
    changed: dict[str, Exact] = {"total": 25, "left": 15, "final": 20}
    lines = rewritten(**changed)
    assert [judged(lines, wrong=wrong, **changed) for wrong in (0, 1, None)] == [
        None,
        FlawDiscardReason.ELSEWHERE,
        FlawDiscardReason.ELSEWHERE,
    ]


def test_a_later_line_that_does_not_follow_is_noticed() -> None:
    """What was not propagated makes a second line false."""
    changed: dict[str, Exact] = {"total": 25}
    assert judged(rewritten(**changed), wrong=0, **changed) is FlawDiscardReason.ELSEWHERE


def test_a_line_that_stays_true_is_no_slip() -> None:
    """The wrong line has to be wrong."""
    assert judged(rewritten(), wrong=0) is FlawDiscardReason.NO_EQUATION


def test_other_words_are_read() -> None:
    """What stands in the words counts, whatever the values say."""
    lines = {0: "There are 4 * 7 = <<4*7=24>>24 pens"}
    assert (judged(lines, wrong=None, worded_=0), judged(lines, wrong=0, worded_=0)) == (
        FlawDiscardReason.ELSEWHERE,
        None,
    )
    assert judged({0: "There are 4 / 0 = 24 pens"}, wrong=None, worded_=0) in {
        FlawDiscardReason.UNREAD,
        FlawDiscardReason.ELSEWHERE,
    }


def test_a_solution_that_is_false_itself_is_unfit() -> None:
    """With the line that is."""
    source = worded(CODE, *LINES[:2], f"{LINES[2]} = 3 + 4")
    with pytest.raises(UnfitError) as error:
        read_source_text(source)
    assert (error.value.unfit, str(error.value)) == (UnfitReason.FALSE, f"{UnfitReason.FALSE}: L3")


def test_what_cannot_be_written_is_discarded() -> None:
    """A third has no decimals."""
    with pytest.raises(FlawDiscardError) as error:
        render(TEXT, 0, {**TEXT.source.values, "total": Fraction(1, 3)})
    assert error.value.discard is FlawDiscardReason.UNWRITABLE


def test_changed_values_are_told_in_order() -> None:
    """Those that a slip leads to as well."""
    trace = propagate(TEXT.source.trace, "total", 30)
    assert changed_values(TEXT.source, trace) == ["total", "left", "final"]


def test_lines_are_put_together() -> None:
    """Rewritten ones, one left out, the others verbatim."""
    words = [line.words for line in TEXT.lines]
    assert flawed_lines(TEXT, {2: "new"}, omitted=1) == (words[0], "new")
    assert flawed_lines(TEXT, {}) == tuple(words)


@pytest.mark.parametrize(("gold", "value", "written"), [("1,200", 1300, "1,300"), ("$50", 20, "$20"), ("24", -3, "-3")])
def test_the_answer_is_written_as_the_gold_answer(gold: str, value: int, written: str) -> None:
    """With its separators and signs."""
    more = int(gold.strip("$").replace(",", "")) - 14
    source = worded(CODE.replace("more = 5 # 5", f"more = {more} # more"), *LINES, gold=gold)
    assert flawed_answer(source, propagate(source.trace, "final", value)) == written


def test_answers_that_cannot_be_written_are_discarded() -> None:
    """A whole number says no third."""
    with pytest.raises(FlawDiscardError) as error:
        flawed_answer(TEXT.source, propagate(TEXT.source.trace, "final", Fraction(1, 3)))
    assert error.value.discard is FlawDiscardReason.UNWRITABLE


def test_a_line_states_what_has_a_place_there() -> None:
    """Not what has not."""
    assert (states_variable(TEXT.lines[0].text, "total"), states_variable(TEXT.lines[0].text, "left")) == (True, False)


def test_randomness_is_that_of_problem_operator_and_seed() -> None:
    """The same for the same three, another for any other; half surrogates are no crash."""
    draws = [random_of(SIMPLE, name, seed).random() for name, seed in (("a", 0), ("a", 0), ("b", 0), ("a", 1))]
    assert draws[0] == draws[1]
    assert len(set(draws)) == 3
    assert random_of(SIMPLE, "\ud800", 0).random() < 1


def style_of(*lines: str) -> str:
    """Return how a solution writes multiplication."""
    return text_of(*lines).style.times


def test_the_multiplication_sign_is_that_of_the_prose() -> None:
    """Annotations always have a star."""
    crosses = [line.replace(" * ", " x ", 1) for line in LINES]
    assert (style_of(*LINES), style_of(*crosses), style_of("{total} pens", *LINES[1:])) == ("*", "x", "*")


def test_the_lines_are_the_solution() -> None:
    """Read and written again, nothing is lost."""
    assert "\n".join(line.words for line in TEXT.lines) == TEXT.source.problem.solution
