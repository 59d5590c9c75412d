"""The reward functions: the right reply alone is rewarded, however it is written, and nothing that a model writes is executed."""

import time
from random import Random

import pytest
from hypothesis import given, strategies as st

from harness.answers.answer_place import AnswerPlace
from harness.text.nouns import FUNCTION_WORDS
from harness.text.numbers import mentions
from harness.text.tokens import COMPARISONS, SIGNS
from oracle_factory.rewards import (
    REWARDS,
    answer_reward,
    answer_reward_at,
    answer_score,
    class_reward,
    compute_score,
    is_right,
    line_reward,
    reason,
    reply_of,
    step_share,
    steps_reward_by,
)
from tests.cases import cases, texts

WRITTEN = [
    *((reply, 1.0) for reply in ("22", r"$\frac{44}{2}$", "**22**.", "22 apples")),
    *((reply, 0.0) for reply in ("22.1", "")),
    *((reply, None) for reply in ("22 or 23", "9" * 5_000, "__import__('os').abort()")),
]
"""What is equal is said by `tests/harness/answers`: here it is a reward."""


@cases("reply, reward", WRITTEN)
def test_exact_numbers_are_rewarded(reply: str, reward: float | None) -> None:
    """A reply is rewarded exactly if it is one number, equal to the truth; one that is not read to its end has no reward."""
    assert answer_reward([f"Some steps.\nANSWER: {reply}"], ["answer"], ["22"]) == [reward]


MARKS = {"box": r"\boxed{%s}", "bold": "**%s**", "last": "%s"}
BEYOND = [*SIGNS, *COMPARISONS, "±", "or", r"\frac{1}{2}", r"\sqrt{9}"]
"""What makes another number, or none, of two numbers that it stands between."""


@given(st.sampled_from(BEYOND), st.sampled_from(["", " "]), st.booleans(), st.sampled_from(sorted(MARKS)))
def test_no_answer_is_cut_out_of_its_mathematics(sign: str, space: str, before: bool, place: str) -> None:
    """An answer with an operator, a relation or another number on either side is judged as a whole, or not at all."""
    space = space or " " * sign[-1].isalpha()
    sides = f"3{space}{sign}", MARKS[place] % 42
    reply = space.join(sides if before else (sides[1], f"{sign}{space}3"))
    assert is_right(f"So {reply}", "3" if place == "last" and not before else "42", place) is not True


@given(
    st.sampled_from(["", "0", "/7", ".5", " 1/2", "^2", "-3", "%", " million", "nd", "x"]),
    st.sampled_from(["box", "bold"]),
)
def test_what_is_written_in_one_with_a_mark_is_read_with_it(after: str, place: str) -> None:
    """A marked answer is judged with what goes on beyond its mark as the same text without a mark is, or not at all."""
    plain = is_right(f"ANSWER: 42{after}", "42", "line")
    assert is_right(f"So {MARKS[place] % 42}{after}", "42", place) in {None, plain}


TOLD = texts(
    r"""**Total cost:** **$22** | \boxed{22} \boxed{22} | Answer-\boxed{22} | (\boxed{22}) | So $x = \boxed{22}$. | 1. **22** apples
- **22**, which is 3 more | \boxed{22} 30-minute shows | **22** 5-pound bags | \boxed{22} (20 + 2) | \boxed{22} = 2 \cdot 11 | $\boxed{\frac{44}{2}}$ degrees"""
)


@cases(
    "reply, reward",
    [
        *((reply, True) for reply in TOLD),
        *((reply, None) for reply in (r"It is –\boxed{22}", "Total - **22**", "**3** or **22**", r"2\boxed{22}")),
        *((reply, False) for reply in (r"It is -\boxed{22}", r"x = −\boxed{22}", r"\boxed{22}\times 3")),
    ],
)
def test_what_stands_before_a_mark_is_its_sign_or_its_label(reply: str, reward: bool | None) -> None:
    """A label and the same answer twice are no second answer; a dash that may be a minus or none is not read."""
    assert is_right(reply, "22", "bold" if "**" in reply else "box") is reward


@cases(
    "reply",
    texts(
        """It isn't 22. | It can't be 22 | Is it 22? | I cannot say whether it is 22 | None of them is 22 | 22 is wrong | It is never 22."""
    ),
)
def test_a_number_that_is_denied_is_no_answer(reply: str) -> None:
    """A number that its sentence asks, supposes or denies has no reward."""
    assert is_right(reply, "22", "last") is None


PLACES = {
    "line": "6*12 = 71. **Answer:** no.\nANSWER: 71\nThat is wrong. Final answer: 72",
    "box": r"It is \boxed{71}, no: \boxed{72}. #### 70",
    "mark": "6*12 = **71**\n#### 72",
    "bold": "So 6*12 is **72**, not 71.",
    "last": "6 boxes of 12 pens are 70 + 2 = $72.",
}


@cases("place", PLACES)
def test_the_answer_is_looked_for_where_it_is_asked(place: str) -> None:
    """At the place that the user chooses; `auto` takes the first place that the reply has."""
    reply = PLACES[place]
    assert answer_reward_at(place)([reply, reply], answer=["6*12\n#### 72", "71"]) == [1.0, 0.0]
    assert is_right(f"<think>ANSWER: 5</think>{reply}", "72") is True
    assert answer_reward_at(place)(["I do not know."], truth=["72"]) == [0.0]
    assert answer_reward_at(place).__name__ == f"answer_reward_{place}"


@cases(
    "said",
    texts("""3, 22 | 3 or 22 | x is 3; 22 | minus 22 | 1.2 × 10^3 | 22 of 50 | 3,5 | 2:3 | 10 20 | 5 feet 6 inches
6:35 p.m. | 1/2/3 | 3-5 | 2 h 5 min | 5%% | 22 dollars and 50 cents | at least 10 | more than 10 | not 10 | – 10
− 10 | 10 yards, 2 feet and 6 inches | 5e-3 | one or 2 | x+5 | at least $10 | more than 4 feet 6 inches"""),
)
def test_no_number_is_cut_out_of_a_piece(said: str) -> None:
    """What is written in one piece with the last number is read with it, or the reply is not right."""
    for number in range(1, 66):
        assert is_right(f"So it is {said}", str(number), "last") is not True


@given(
    st.sampled_from(
        ["{}", ".{}", "-{}", "${}", "{} x 10^3", r"{} \times 10^3", "{}e3", "{} 1/2", "{}/7", "{}%", "{}.5"]
    ),
    st.integers(1, 60),
    st.sampled_from(["", *(f" {unit}" for unit in ("cents", "dollars", "hours", "feet", "apples"))]),
)
def test_a_number_in_a_sentence_is_the_number_alone(form: str, number: int, unit: str) -> None:
    """What is found in running text is judged against each truth as the same words after a mark are."""
    said = form.format(number) + unit
    for truth in ("5", "1/2", "0.75", "-3", "5000", "75", "7/2", str(number)):
        assert is_right(f"So it is {said}.", truth) is is_right(f"#### {said}", truth)


@cases("word", [word for word in sorted(FUNCTION_WORDS) if not mentions(word)])
def test_a_function_word_after_a_number_is_no_unit(word: str) -> None:
    """`12 in all` is judged as `12` is: no foot, nor one thing of which a unit has twelve."""
    for truth in ("12", "1", "1 foot", "12 inches", "12 apples", "5"):
        assert is_right(f"So it is 12 {word} all.", truth, "last") is is_right("So it is 12.", truth, "last")


LAST: dict[str, bool | None] = {
    "<answer>\n22\n</answer>": True,
    "No number.": False,
    **dict.fromkeys(
        texts(r"""答案是 ２２ | الجواب ٢٢ | Total: 5 + 17 = 22 | Step 3: 22 | 22 km/h | $$\frac{44}{2}=22$$ | **Final answer: 22**
1 foot and 10 inches | ANSWER：22"""),
        True,
    ),
    **dict.fromkeys(texts("""20 dollars and 200 cents | It is ⅶ.""")),
}


@cases("reply", LAST)
def test_a_number_in_any_script_is_seen(reply: str) -> None:
    """It is read, or the answer is not read; what has no numeral has no answer."""
    assert is_right(reply, "22") is LAST[reply]


def test_no_number_is_no_answer_to_what_is_none() -> None:
    """Where any number is looked for, a right answer in words is not judged; at a place that the reply lacks it is wrong."""
    assert (is_right("It is B.", "B"), is_right("It is B.", "B", "box"), is_right("ANSWER: (B)", "B")) == (
        None,
        False,
        True,
    )


def test_a_reason_is_given() -> None:
    """A reply is right, wrong, without an answer or unread, and a data set without a known answer is an error."""
    replies = ("ANSWER: 22", "ANSWER: 23", "ANSWER: 22 or 23", "No.")
    assert [reason(reply, "22") for reply in replies] == [
        "'22' is '22'",
        "'23' is not '22'",
        "'22 or 23' is not read to its end, or has a unit that may be another; expected: '22'",
        "gives no answer (auto)",
    ]
    assert compute_score("gsm8k", "It is 22.", "#### 22") == {"score": 1.0, "unread": False, "reason": "'22' is '22'"}
    assert compute_score("gsm8k", "#### 22 or 23", "22", {"place": "mark"})["unread"] is True
    assert compute_score("gsm8k", "#### 22", "22", {}, place="box", reward_router_address="x")["score"] == 0
    assert (answer_score("It is 22.", "22"), answer_score("It is 23.", "22")) == (1.0, 0.0)
    with pytest.raises(ValueError, match="expected a column truth, answer, ground_truth or solution, found gold"):
        answer_reward_at("box")([""], gold=["22"])
    with pytest.raises(ValueError, match="nowhere"):
        answer_reward_at("nowhere")


PIECES = [
    *texts(r"""\boxed{ | ** | ANSWER: | <think> | </think> | <|a|> | <answer> | \frac{1}{ | \sqrt{ | \text{ | $ | ( | 1/ | 1,
0. | 9^9^ | × | ½ | ٣ | -"""),
    *("#### ", "```\n", "\n", "9 ", "half ", "one hundred and "),
    *("5 of ", "\u200b", "= ", "|", "a 1 "),
]


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4, unique=True), st.integers())
def test_hostile_replies_are_judged_within_a_second(pieces: list[str], seed: int) -> None:
    """A hundred thousand characters of anything, at each place; nothing is right."""
    reply = "".join(Random(seed).choices(pieces, k=100_000 // max(map(len, pieces))))
    for place in AnswerPlace:
        start = time.process_time()
        assert is_right(reply, "22", place) is not True
        assert time.process_time() - start < 1


def test_the_last_reply_counts_and_messages_are_read() -> None:
    """Of several replies the last one counts; a completion may be text or messages, with emphasis or a list mark before the word."""
    assert reply_of("ANSWER: 1\nNo.\n**Answer:** 2.") == "2"
    assert reply_of([{"role": "assistant", "content": "- ANSWER : L3"}]) == "L3"
    assert reply_of("The answer is 5") == ""
    assert reply_of([{"role": "assistant", "content": None}]) == ""
    parts = [{"type": "text", "text": "Steps."}, {"type": "text", "text": "ANSWER: 2"}]
    assert reply_of([{"role": "assistant", "content": parts}]) == "2"


def test_each_function_rewards_its_own_tasks() -> None:
    """Tasks of another kind have no reward, so that in a mixed batch each task has exactly one."""
    completions = ["ANSWER: 22", "ANSWER: l2", "ANSWER: none", "ANSWER: Solvable", "ANSWER: solvable, I think"]
    tasks, truths = ["answer", "line", "line", "class", "class"], ["22", "L2", "FA", "solvable", "solvable"]
    rewards = [reward(completions=completions, task=tasks, truth=truths, prompts=[]) for reward in REWARDS]
    assert rewards == [[1.0, *[None] * 4], [None, 1.0, 0.0, None, None], [None, None, None, 1.0, 0.0]]
    assert (answer_reward, line_reward, class_reward) == REWARDS


@given(st.text(max_size=300))
def test_any_text_has_a_reward(text: str) -> None:
    """Any completion has a reward; none makes a reward function fail."""
    for reward, task, truth in zip(REWARDS, ("answer", "line", "class"), ("22", "L2", "solvable"), strict=True):
        assert reward([text], [task], [truth]) in ([0.0], [1.0], [None])


ROLLS = "A baker fills 6 trays with 12 rolls and sells 50. How many rolls are left?"
SHARES = [
    ("6*12=72\n72-50=22\n#### 22", 1.0),
    ("6*12=72\n72+50=122\n#### 122", 1 / 3),
    ("6*12=62\n62-50=12\n#### 12", 0.0),
    ("I do not know.", None),
    ("", None),
]


@cases("reply, share", SHARES)
def test_the_share_of_right_steps(reply: str, share: float | None) -> None:
    """The steps before the first wrong one are counted, and what is not known is `None` with a reason that TRL can log."""
    logged: dict[str, list[str]] = {}
    reward = steps_reward_by()
    columns = {"question": [ROLLS], "answer": ["6*12=72\n72-50=22\n#### 22"], "log_extra": logged.__setitem__}
    for completion in (reply, [{"role": "assistant", "content": reply}]):
        assert reward(completions=[completion], **columns) == [pytest.approx(share) if share is not None else None]
        assert logged["steps_reason"][0]


def test_an_answer_alone_says_nothing_of_a_step() -> None:
    """Without a worked solution or programs nothing is rewarded; a data set without questions is refused."""
    reward = steps_reward_by()
    assert reward(completions=["6*12=72\n#### 72"], question=[ROLLS], answer=["#### 22"]) == [None]
    assert "worked solution" in step_share("72", ROLLS).reason
    with pytest.raises(ValueError, match="expected a column question"):
        reward(completions=["72"], truth=["72"])
