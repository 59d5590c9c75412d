"""Laws of replies: thoughts and marks of chats are left out, and blocks are found between any fences."""

import json
import time

from hypothesis import given, strategies as st

from harness.reply import THOUGHT_TAGS, FencedBlock, answer_part, fenced_blocks, json_object, json_objects
from tests.cases import cases

ANSWERS = st.text(st.characters(exclude_characters="<>|`~", exclude_categories=["Cs"]), min_size=1).filter(str.strip)


@given(ANSWERS, ANSWERS, st.sampled_from(THOUGHT_TAGS))
def test_a_thought_before_the_answer_changes_nothing(answer: str, thought: str, tag: str) -> None:
    """With its tag, or with the closing one alone, as servers cut it; a thought without an end has no answer."""
    assert answer_part(f"<{tag}>{thought}</{tag}>{answer}") == answer
    assert answer_part(f"{thought}</{tag}>{answer}") == answer
    assert answer_part(f"<{tag}>{thought}") == ""


@given(ANSWERS, ANSWERS)
def test_of_a_chat_the_last_message_is_the_answer(answer: str, thought: str) -> None:
    """In each of the formats of chats, whose marks stand in `<|…|>`."""
    assert answer_part(f"<|channel|>analysis<|message|>{thought}<|end|><|channel|>final<|message|>{answer}") == answer
    assert answer_part(f"<|im_start|>assistant{thought}<|im_sep|>{answer}<|im_end|>") == answer


LINES = st.lists(st.text("abc =1()+", max_size=12), min_size=1, max_size=5).filter(
    lambda lines: not lines[0].startswith(" ")
)


@given(
    st.lists(st.tuples(st.sampled_from(["", "python", "smt2", "json"]), LINES), max_size=4),
    st.sampled_from(["```", "~~~"]),
)
def test_blocks_are_found_in_their_order(blocks: list[tuple[str, list[str]]], fence: str) -> None:
    """Each with its language and its text, whatever stands between them."""
    text = "".join(f"So:\n{fence}{language}\n" + "\n".join(lines) + f"\n{fence}\n" for language, lines in blocks)
    assert fenced_blocks(text) == [FencedBlock(language, "\n".join(lines) + "\n") for language, lines in blocks]


RECORDS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_characters="{}")),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text("ab"), parts, max_size=3),
    max_leaves=6,
)
PROSE = st.text(st.characters(exclude_characters="{}"))


@given(st.lists(st.tuples(st.dictionaries(st.text("ab"), RECORDS), PROSE), max_size=4), PROSE)
def test_objects_are_found_among_any_prose(pieces: list[tuple[dict[str, object], str]], before: str) -> None:
    """All of them in their order; the one object is that of a text with exactly one."""
    text = before + "".join(json.dumps(record) + after for record, after in pieces)
    assert list(json_objects(text)) == [record for record, _ in pieces]
    assert json_object(text) == (pieces[0][0] if len(pieces) == 1 else None)


@given(st.dictionaries(st.text("ab"), RECORDS, min_size=1), st.data())
def test_an_object_that_is_cut_off_is_none(record: dict[str, object], data: st.DataObject) -> None:
    """Nothing within it is taken for it."""
    text = json.dumps(record)
    assert json_object(text[: data.draw(st.integers(0, len(text) - 1))]) is None


@given(
    st.text("ab \n`~")
    | st.lists(st.sampled_from(["```\n", "~~~", "  ", "a", "\n", "<code>\n", "</code>"])).map("".join)
)
def test_a_block_stands_where_it_says(text: str) -> None:
    """What stands between its offsets is its text, but for the indentation."""
    for block in fenced_blocks(text):
        assert [line.strip() for line in text[block.start : block.end].splitlines()] == [
            line.strip() for line in block.text.splitlines()
        ]


@cases(
    "text",
    [
        "```\n" * 200_000,
        "~~~" + "a" * 900_000,
        "<think>" * 100_000,
        "<|a|>" * 150_000,
        "<code>\n" * 120_000,
        "{" * 900_000,
    ],
)
def test_hostile_replies_take_linear_time(text: str) -> None:
    """Eight hundred thousand characters take less than a second, with five-fold slack."""
    start = time.process_time()
    fenced_blocks(answer_part(text))
    json_object(text)
    assert len(list(json_objects(text))) == 0
    assert time.process_time() - start < 5
