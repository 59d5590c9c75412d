"""Tests of decontamination: protected problems are recognised in any altered form, and no other problem is."""

from pathlib import Path

import pytest

from harness.errors import HarnessError
from sft.datasets.leakage import Fence, ProtectedProblem, ProtectionReason, read_evaluation
from tests.cases import cases
from tests.json_lines import write_lines

QUESTION = (
    "Nora has 24 glass marbles, and a third of them are striped. Her cousin Abel owns five times as many striped ones as "
    "Nora does. After they lost 4 of them, how many striped marbles do both have together?"
)
FENCE = Fence([ProtectedProblem("kept-7", QUESTION)])


def _changed(*changes: str) -> str:
    """Return the question with words exchanged, each given as `old>new`."""
    question = QUESTION
    for change in changes:
        old, _, new = change.partition(">")
        question = question.replace(old, new)
    return question


@cases(
    ("problem_id", "question", "why"),
    [
        *((name, "Anything at all?", ProtectionReason.ID) for name in ("kept-7", "kept-7:renumbered:ab12")),
        *(
            ("else-1", question, ProtectionReason.GRAM)
            for question in (QUESTION, f"Listen. {QUESTION.upper()} Show your work.", _changed(" >  ", ".> ."))
        ),
        *(
            ("else-1", question, ProtectionReason.NEAR)
            for question in (
                _changed("24>96", "third>quarter", "five>six", "4 of>five of"),
                _changed("Nora>Imre", "Abel>Zsofia", "24>36", "4 of>5 of"),
                _changed("24>36", "third>fifth", "five>six", "4 of>9 of").lower(),
                _changed("24>3,600.50", "a third>0.5", "five>2", "4 of>1/2 of"),
                _changed("a third of them are>12 are", "five>two", "4 of them>1"),
            )
        ),
    ],
)
def test_protected_problem_is_known(problem_id: str, question: str, why: ProtectionReason) -> None:
    """By id, by 13 words in a row, or by being nearly the same with other numbers and names."""
    assert FENCE.why(problem_id, question) is why
    with pytest.raises(HarnessError, match="refused, a protected problem"):
        FENCE.require(problem_id, question)


@pytest.mark.parametrize(
    "question",
    [
        "Nora has 24 stamps and buys 6 more at the fair. How many stamps does she have now?",
        "A third of the 24 seats on a bus are taken. How many people are on the bus if two share one seat?",
        "How many marbles?",
        "",
    ],
)
def test_other_problem_is_let_through(question: str) -> None:
    """Shared names, numbers and turns of phrase do not make a problem the same."""
    assert FENCE.why("kept-77", question) is None


def test_short_question_is_known_by_all_of_its_words() -> None:
    """A question of fewer than 13 words has no run of 13; it is the same where all of its words are."""
    fence = Fence([ProtectedProblem("", "What is half of eighteen?")])
    assert fence.why("p", "What is HALF of eighteen?!") is ProtectionReason.GRAM
    assert fence.why("p", "What is the colour of the sky?") is None


def test_evaluation_file_gives_questions_and_ids(tmp_path: Path) -> None:
    """Questions stand under either name; those only named come from the corpus, by the origin of their id."""
    path = tmp_path / "evaluation.jsonl"
    records = [
        {"id": 3, "problem": "a?"},
        {"problem_id": "p:x", "flawed_solution": ""},
        {"question": "b?"},
        {"id": "z"},
    ]
    write_lines(path, records)
    found = list(read_evaluation(path, {"p": "c?"}))
    assert found == [
        ProtectedProblem("3", "a?"),
        ProtectedProblem("p:x", "c?"),
        ProtectedProblem("", "b?"),
        ProtectedProblem("z", ""),
    ]


@cases("line", ["[1, 2]", "{}", "no json", '{"question": 5}', '{"problem_id": null, "question": " "}'])
def test_evaluation_record_without_a_problem_is_an_error(tmp_path: Path, line: str) -> None:
    """A record that protects nothing is never passed over in silence."""
    path = tmp_path / "evaluation.jsonl"
    path.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(HarnessError, match=r"evaluation\.jsonl:1: expected"):
        list(read_evaluation(path, {}))
