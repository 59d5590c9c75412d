"""Tests of code extraction: the program is extracted from any surrounding text, and every repair is reported."""

import time

import pytest

from harness.program.refusal import Refusal
from harness.program.syntax.code_extraction import read_source
from tests.cases import cases, lines_beside

CODE = "def solve(a: int = 5):\n    return a * 2"


@cases("row", lines_beside(__file__, "replies.jsonl"))
def test_the_program_is_found(row: dict[str, str]) -> None:
    """Within fences, chatter, other blocks and JSON, as it is written; each repair is listed once, and to take a whole program out is none."""
    source = read_source(row["reply"])
    assert source.code.replace("\r\n", "\n").strip() == CODE, row["name"]
    assert [found.startswith(row["repair"]) for found in source.repairs] == [True] * bool(row["repair"]), row["name"]


JOINED = {
    "the later block uses the earlier": ("a = 5", "print(a * 2)", 2),
    "a call of the function": ("def solve(a: int = 5):\n    return a", "worth = solve()", 2),
    "an attempt and another": ("a = 5\nans = a", "a = 6\nans = a", 1),
    "a block that reads what it changes": ("a = 5", "a += 1\nans = a", 2),
    "a loop's own names": ("i = 5", "ans = 0\nfor i in range(3):\n    ans += i", 1),
    "a function's own names": ("a = 5", "def solve(a: int = 2):\n    b = a\n    return b", 1),
    "a function that reads the earlier": ("rate = 5", "def solve(a: int = 2):\n    return a * rate", 2),
}


@cases("case", JOINED)
def test_blocks_are_one_program_where_the_later_uses_the_earlier(case: str) -> None:
    """Otherwise the last one is the program."""
    first, last, count = JOINED[case]
    code = read_source(f"First:\n```python\n{first}\n```\nThen:\n```python\n{last}\n```\n").code
    assert code.strip() == (f"{first}\n{last}" if count == 2 else last)


MENDED = {"ans = 5 if 1 &lt; 2 else 6": "ans = 5 if 1 < 2 else 6", "ans = len(\u201cabc\u201d)": 'ans = len("abc")'}


@cases("code", MENDED)
def test_code_that_a_page_changed_is_mended(code: str) -> None:
    """Entities of HTML and the quotation marks of prose, only where the code does not parse with them."""
    source = read_source(f"```python\n{code}\n```")
    assert (source.code.strip(), len(source.repairs)) == (MENDED[code], 1)
    kept = 'ans = len("&lt;\u201c")'
    assert read_source(f"```python\n{kept}\n```").code.strip() == kept


@cases(
    "text", ["ans = 5\n\nQuestion: how many?\n\nans = 6", "ans = 5\nans = (6 +\n\nThat is it.", "def f(:\nThis is it."]
)
def test_prose_within_code_is_refused(text: str) -> None:
    """What is read ends where prose begins, and no code is left out."""
    with pytest.raises(Refusal):
        read_source(text)


FENCES = ("```" + "a" * 999_997, "```" + " " * 999_990, "```\n" * 249_990, " " * 999_990 + "```")
PIECES = ('"', '\\"', ",", ", ", '",', "{", "[", '{"a":')


@cases("text", [*FENCES, *('{"function_code": [' + piece * 150_000 for piece in PIECES)])
def test_hostile_replies_take_linear_time(text: str) -> None:
    """A million characters take under a second, with five-fold slack."""
    start = time.process_time()
    with pytest.raises(Refusal):
        read_source(text)
    assert time.process_time() - start < 5


BROKEN = {
    "": "empty",
    "   \n": "empty",
    "I am sorry, I cannot do that.": "no-code",
    "72": "no-code",
    "```python\nprint(\n```": "syntax-error",
    "```python\nprint(5)\n```": "no-code",
    "def solve(a=1:\n    return a": "syntax-error",
    '{"function_code": "def solve(): ret': "broken-json",
    '{"code": "x"}': "broken-json",
    '{"code": "ans = 1"} {"code": "ans = 2"}': "broken-json",
    "```\nans = 8 * 3\n```\nOutput:\n```\nans = 25\n```": "no-code",
    '{"function_code": 5}': "broken-json",
    "x = 1\0": "control-character",
    "ans = 1\n" * 20_000: "too-large",
    "x" * 1_000_001: "too-large",
}


@cases("number", range(len(BROKEN)))
def test_what_holds_no_program_is_refused_with_its_reason(number: int) -> None:
    """Nothing is guessed: the kind of reason says what is wrong."""
    text, reason = list(BROKEN.items())[number]
    with pytest.raises(Refusal) as caught:
        read_source(text)
    assert caught.value.reason == reason
