"""Tests of the constraint domains: solvers and wording agree with the record of every generated problem."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from generators.constraints.problem.domain import DOMAINS, FEASIBILITY, SMALL_PROGRAM, ConstraintDomain, ProblemSize
from generators.constraints.problem.draft import ProblemDraft
from harness.records.constraint import ConstraintProblem
from harness.smtlib.script import read_script
from harness.smtlib.solvers import SolverName
from oracles.constraints.validation import ValidationCase, solver_sessions, validate_all
from tests.cases import cases

ROOT = Path(__file__).resolve().parents[3]
NAMES = sorted(domain.name for domain in DOMAINS)
MADE = {ProblemSize.SMALL: 25, ProblemSize.MEDIUM: 12, ProblemSize.LARGE: 5}
"""How many problems of each domain are looked at closely."""


@cache
def made(name: str, size: ProblemSize) -> tuple[ConstraintProblem, ...]:
    """Return the first problems of a domain."""
    return tuple(DOMAINS.require(name).problems(MADE[size], seed=11, size=size))


@cache
def drafts(name: str) -> tuple[ProblemDraft, ...]:
    """Return problems of a domain with what they are made of."""
    domain = DOMAINS.require(name)
    sizes = (ProblemSize.SMALL, ProblemSize.MEDIUM)
    return tuple(domain.draft(number, seed=5, size=size) for size in sizes for number in range(16))


@pytest.mark.parametrize("name", NAMES)
def test_examples_of_a_domain_are_made(name: str) -> None:
    """Each example is the problem of its number at seed 0, to the letter, with its gold answer."""
    domain = DOMAINS.require(name)
    assert domain.examples
    for example in domain.examples:
        found = domain.problem(example.number, seed=0, size=example.size)
        assert (found.problem, found.gold) == (example.problem, example.gold)


def test_domain_that_drafts_nothing_says_so() -> None:
    """A domain whose kinds give up is named, and not asked for ever."""
    with pytest.raises(RuntimeError, match="none 7: none of 20 kinds drafted a small problem"):
        ConstraintDomain("none", {lambda *_: None: 1}, ()).draft(7, seed=0, size=ProblemSize.SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("size", ProblemSize)
def test_both_solvers_confirm_what_is_known_by_construction(size: ProblemSize) -> None:
    """z3 and cvc5 find each program valid, satisfiable as said, its answer the only one, and the gold answer entailed."""
    problems = [problem for name in NAMES for problem in made(name, size)]
    cases = [ValidationCase(problem.id, problem.program, problem.gold, problem.satisfiable) for problem in problems]
    for problem, found in zip(problems, validate_all(cases), strict=True):
        facts = (found.valid, found.satisfiable, found.unique, found.correct)
        assert facts == (True, problem.satisfiable, problem.unique, True), (problem.program, found.error)
        assert found.by_solver == dict.fromkeys(SolverName, "sat" if problem.satisfiable else "unsat")


@pytest.mark.parametrize("name", NAMES)
def test_each_step_follows_from_clues_and_earlier_steps(name: str) -> None:
    """What a step concludes is entailed by the terms it names and what the program assumes; z3 decides. The last step gives the answer."""
    for draft in drafts(name):
        assumed = [*draft.background, *(draft.answer.ties if draft.answer else ())]
        known = {*draft.clues, *assumed}
        for step in draft.steps:
            assert known.issuperset(step.premises), (draft.problem, step)
            if step.conclusion is not None:
                terms = [*assumed, *step.premises, f"(not {step.conclusion})"]
                assert asked(draft, terms) == "unsat", (draft.problem, step)
                known.add(step.conclusion)
        last = draft.steps[-1]
        if draft.answer is None:
            assert last.conclusion == (None if draft.satisfiable else "false")
            assert last.text.endswith(f"answer is {'yes' if draft.satisfiable else 'no'}.")
        else:
            assert last.conclusion == f"(= answer {draft.answer.gold})"


@pytest.mark.parametrize("name", NAMES)
def test_no_clue_is_there_for_nothing(name: str) -> None:
    """Without any one of the clues, the answer is not unique, or an impossible problem becomes possible; z3 decides."""
    for draft in drafts(name):
        for left_out in draft.clues if draft.answer or not draft.satisfiable else ():
            kept = [*draft.background, *(clue for clue in draft.clues if clue != left_out)]
            if draft.answer:
                kept += [*draft.answer.ties, f"(not (= answer {draft.answer.gold}))"]
            assert asked(draft, kept) == "sat", (draft.problem, left_out)


Z3 = solver_sessions(3_000_000)[SolverName.Z3]


def asked(draft: ProblemDraft, terms: Iterable[str]) -> str:
    """Return the answer of z3 to assertions under the declarations of a draft."""
    declared = [*draft.declarations, *([f"(declare-const answer {draft.answer.sort})"] if draft.answer else [])]
    asserted = [f"(assert {term})" for term in terms]
    with Z3.script("ALL") as session:
        (said,) = session.tell("\n".join([*declared, *asserted, "(check-sat)"]))
    return said


@cases("name", NAMES)
@cases("size", ProblemSize)
def test_programs_are_read_without_a_fault(name: str, size: ProblemSize) -> None:
    """Our reader finds nothing wrong, the answer's constant is declared, and small programs are short."""
    for problem in made(name, size):
        script = read_script(problem.program)
        assert script.faults == ()
        declared = {declaration.name for declaration in script.declarations}
        assert ("answer" in declared) == (problem.gold is not None)
        assert problem.program.endswith("(check-sat)\n" if problem.gold is None else "(get-value (answer))\n")
        assert size is not ProblemSize.SMALL or len(problem.program) <= SMALL_PROGRAM


@pytest.mark.parametrize("name", NAMES)
def test_more_problems_begin_with_the_same_ones(name: str) -> None:
    """The first problems are the same whatever the count, and each is that of its number."""
    domain = DOMAINS.require(name)
    more = list(domain.problems(40, seed=3, size=ProblemSize.SMALL))
    assert list(domain.problems(15, seed=3, size=ProblemSize.SMALL)) == more[:15]
    for problem in islice(more, 0, 40, 7):
        assert domain.problem(int(problem.id.split("-")[1]), seed=3, size=ProblemSize.SMALL) == problem


@pytest.mark.slow
def test_same_bytes_in_another_process() -> None:
    """A process with another hash seed makes the same problems."""
    code = (
        "from generators.constraints.problem.domain import DOMAINS, ProblemSize\n"
        "print(*[problem for domain in DOMAINS for problem in domain.problems(12, seed=4, size=ProblemSize.SMALL)], sep='\\n')"
    )
    environments = ({"PYTHONPATH": ".", "PYTHONHASHSEED": seed} for seed in ("1", "2"))
    first, second = (
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, check=True).stdout
        for environment in environments
    )
    assert first == second
    assert len(first.splitlines()) == 12 * len(NAMES)


def test_questions_are_of_every_form_and_sort() -> None:
    """A tenth of the problems asks whether it can be done, half of those in vain; the others ask for numbers, truth values and names."""
    drawn = {
        name: [DOMAINS.require(name).draft(number, seed=9, size=ProblemSize.SMALL) for number in range(150)]
        for name in NAMES
    }
    drafts = [draft for own in drawn.values() for draft in own]
    asking = [draft.satisfiable for draft in drafts if draft.answer is None]
    assert abs(len(asking) / len(drafts) - FEASIBILITY) < 0.04
    assert abs(sum(asking) / len(asking) - 0.5) < 0.2
    sorts = {name: {draft.answer.sort for draft in own if draft.answer} for name, own in drawn.items()}
    assert all({"Int", "Bool"} < found for found in sorts.values())
    assert "Real" in sorts["resources"]
    truths = Counter(draft.answer.gold for draft in drafts if draft.answer and draft.answer.sort == "Bool")
    assert 0.4 < truths["true"] / truths.total() < 0.6
