"""Laws of the re-check against the corpus of the problems."""

from dataclasses import replace
from typing import Any

from harness.records.content_digest import with_digest
from properties.recheck.reference_records import CorpusProblems
from tests.cases import cases
from tests.certified_records import certified_flaw_records, certified_variant_records

Record = dict[str, Any]
MINI = CorpusProblems.of("mini")


def test_what_was_made_agrees_with_its_corpus() -> None:
    """Flaws and variants of the bundled corpus have its questions and solutions."""
    for record in (*certified_flaw_records(), *certified_variant_records()):
        assert MINI.problem(record) is None


def unedited() -> Record:
    """Return a solvable problem as it stands in the corpus."""
    return next(record for record in certified_variant_records() if not record["edits"])


CHANGES: dict[str, tuple[str, Any, str]] = {
    "another problem": ("problem_id", "mini-0", "problem_id: expected a problem of the corpus"),
    "another question": ("question", "How many?", "question: expected that of the corpus"),
    "another answer": ("solution", "So it is 5.\n#### 5", "solution: expected the answer"),
    "no answer": ("solution", "So it is 5.", "solution: expected the answer"),
}


@cases("name", CHANGES)
def test_what_the_corpus_has_otherwise_is_refused(name: str) -> None:
    """Of flaws and of solvable variants alike; the reason names the field."""
    field, value, reason = CHANGES[name]
    for record in (certified_flaw_records()[0], unedited()):
        assert (MINI.problem(with_digest({**record, field: value})) or "").startswith(reason)


def test_other_lines_with_the_right_answer_are_refused() -> None:
    """Where the corpus has a worked solution, the correct solution is that one."""
    flaw = certified_flaw_records()[0]
    lines = flaw["solution"].split("\n")
    other = with_digest({**flaw, "solution": "\n".join([*lines[:-1], "So it is.", lines[-1]])})
    assert (MINI.problem(other) or "").startswith("solution: expected that of the corpus")


def test_a_problem_without_a_solution_holds_records_to_its_answer() -> None:
    """A plain solution of such a problem is accepted where it ends with the answer of the corpus."""
    flaw = certified_flaw_records()[0]
    problem = MINI.problems[flaw["problem_id"]]
    bare = CorpusProblems({problem.problem_id: replace(problem, solution="")})
    assert bare.problem(flaw) is None
    assert bare.problem({**flaw, "solution": "#### 1"}) is not None
