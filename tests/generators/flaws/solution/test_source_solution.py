"""Tests of source solutions: only solutions that are read completely are used, and their description is correct."""

import pytest
from hypothesis import given, settings

from generators.flaws.solution.source_solution import FlawSource, UnfitError, UnfitReason
from tests.cases import cases
from tests.generators.flaws.example_solutions import example_source
from tests.generators.flaws.flaw_laws import CODE, worded
from tests.generators.flaws.solution_strategies import solutions

FIRST = "There are {boxes} * {pens} = <<{boxes}*{pens}={total}>>{total} pens"
SECOND = "So {total} - {given} = <<{total}-{given}={left}>>{left} are left"


@cases(
    ("code", "lines", "gold", "unfit"),
    [
        (CODE, (FIRST, SECOND), None, None),
        (CODE, (FIRST, "", SECOND), None, UnfitReason.BLANK),
        (CODE, (FIRST, SECOND), "15", UnfitReason.ANSWER),
        (CODE, (FIRST, SECOND), "", UnfitReason.ANSWER),
        (CODE, (FIRST, SECOND), "14 pens", UnfitReason.ANSWER),
        (CODE, (FIRST, SECOND), "14.0", None),
        (CODE, (FIRST,), None, UnfitReason.ONE_LINE),
        (CODE.replace("# L2", "# L3"), (FIRST, SECOND), None, UnfitReason.LINES),
        (CODE.replace("# L1", "# L2").replace("# L2\ngiven", "# L1\ngiven"), (FIRST, SECOND), None, UnfitReason.LINES),
        (CODE.replace("# L2", "# FA"), (FIRST, SECOND), None, UnfitReason.LINES),
        (CODE.replace("answer = left", "answer = given"), (FIRST, SECOND), None, UnfitReason.GIVEN),
        (
            "# L1\na = 4 # 4\nb = 6 # 6\nc = a * b\nanswer = c\nreturn answer",
            ("{a}*{b}={c}", "So {c}"),
            None,
            UnfitReason.ONE_LINE,
        ),
    ],
)
def test_what_is_not_understood_is_unfit(
    code: str, lines: tuple[str, ...], gold: str | None, unfit: UnfitReason | None
) -> None:
    """With its class; the order of lines is that of the steps."""
    if unfit is None:
        assert worded(code, *lines, gold=gold).solution.endswith(f"#### {gold or 14}")
        return
    with pytest.raises(UnfitError) as error:
        worded(code, *lines, gold=" " if gold == "" else gold)
    assert error.value.unfit is unfit


def test_variables_that_repeat_another_are_that_other() -> None:
    """`answer = left` is `left`, wherever it is read or stated."""
    code = CODE.replace("left = total - given", "same = total\nleft = same - given")
    source = worded(code, FIRST, "So {same} - {given} = <<{same}-{given}={left}>>{left} are left")
    assert (source.final, [entry.variable for entry in source.steps]) == ("left", ["total", "left"])
    assert source.trace.by_name["left"].reads == ("total", "given")
    assert "same" not in {name for line in source.text.lines for name in line.variables}


@settings(max_examples=25)
@given(solutions())
def test_scope_is_what_was_given_and_what_came_before(source: FlawSource) -> None:
    """Every step reads what is in its scope; all inputs are, and no later step."""
    names = [entry.variable for entry in source.steps]
    for place, entry in enumerate(source.steps):
        scope = {known.variable for known in source.in_scope(entry.variable)}
        assert set(entry.reads) <= scope
        assert scope == {given.variable for given in source.inputs} | set(names[:place])
        assert all(entry in source.readers(name) for name in entry.reads)


def test_a_part_that_one_input_means_gives_no_other() -> None:
    """`a half` is not 1 where another input is that half."""
    code = "# L1\nsmall = 1 / 2  # small children eat a half omelet\nold = 1  # old children eat a whole omelet\neaten = small + old"
    question = "Small children eat a half omelet, old children eat a whole omelet. There are 4 pairs. How many omelets are eaten?"
    source = example_source(f"{code}\n# L2\npairs = 4  # 4 pairs\ntotal = eaten * pairs", question)
    assert set(source.places) == {"small", "pairs"}
