"""The result of a run in two sentences: it says how many gold answers were not read."""

from harness.domain import Problem, Response
from harness.program.candidate import read_candidate
from oracles.gold_answer_screening import screen
from reports.views.run_outcome import RunOutcome
from tests.cases import cases

SENTENCES = {
    ("5 feet 6 inches", "2:3"): "0 of 4 claims refuted. 2 gold answers not read to the end.",
    ("5 feet 6 inches", "7"): "0 of 4 claims refuted. 1 gold answer not read to the end.",
    ("7", r"\sqrt{49}"): "0 of 4 claims refuted.",
}


@cases("golds", SENTENCES)
def test_gold_answers_that_are_not_read_are_counted(golds: tuple[str, ...]) -> None:
    """Once a problem, however many programs it has."""
    outcome = RunOutcome()
    for place, gold in enumerate(golds):
        for model in ("a", "b"):
            candidate = read_candidate(Response(f"p{place}", model, "ans = 14 / 2"))
            outcome.add_verdict(screen(Problem(f"p{place}", "", "", gold), candidate))
    assert outcome.sentence(len(golds)).endswith(f"a look. {SENTENCES[golds]}")
