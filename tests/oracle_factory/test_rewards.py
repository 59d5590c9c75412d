"""The reward functions: the right reply alone is rewarded, however it is written, and nothing that a model writes is executed."""

import pytest
from hypothesis import given, strategies as st

from oracle_factory.rewards import REWARDS, answer_reward, class_reward, line_reward, reply_of
from tests.cases import cases

WRITTEN = [
    ("22", "22", 1.0),
    ("22.0", "22", 1.0),
    ("$22", "22", 1.0),
    ("44/2", "22", 1.0),
    ("1,250", "1250", 1.0),
    ("-7/2", "-7/2", 1.0),
    ("-3.5", "-7/2", 1.0),
    ("**22**.", "22", 1.0),
    ("22.1", "22", 0.0),
    ("about 22", "22", 0.0),
    ("22 or 23", "22", 0.0),
    ("2 2", "22", 1.0),
    ("12,50", "1250", 0.0),
    ("1/0", "1", 0.0),
    ("", "22", 0.0),
    ("9" * 5_000, "22", 0.0),
    ("__import__('os').abort()", "22", 0.0),
]


@cases(("reply", "truth", "reward"), [pytest.param(*row, id=str(place)) for place, row in enumerate(WRITTEN)])
def test_exact_numbers_are_rewarded(reply: str, truth: str, reward: float) -> None:
    """A reply is rewarded exactly if it is one number, equal to the truth."""
    assert answer_reward([f"Some steps.\nANSWER: {reply}"], ["answer"], [truth]) == [reward]


@given(st.fractions(max_denominator=50), st.fractions(max_denominator=50))
def test_a_number_is_rewarded_exactly_if_it_is_the_truth(reply: object, truth: object) -> None:
    """Over all pairs of fractions, the reward is 1 where they are equal, else 0."""
    assert answer_reward([f"ANSWER: {reply}"], ["answer"], [str(truth)]) == [float(reply == truth)]


def test_the_last_reply_counts_and_messages_are_read() -> None:
    """Of several replies the last one counts; a completion may be text or messages, with emphasis or a list mark before the word."""
    assert reply_of("ANSWER: 1\nNo.\n**Answer:** 2.") == "2"
    assert reply_of([{"role": "assistant", "content": "- ANSWER : L3"}]) == "L3"
    assert reply_of("The answer is 5") == ""
    assert reply_of([{"role": "assistant", "content": None}]) == ""


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
        assert reward([text], [task], [truth]) in ([0.0], [1.0])
