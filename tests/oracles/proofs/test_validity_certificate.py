"""Tests of validity certificates: they agree with an enumeration of all values, and false claims are refused."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import assume, given, settings, strategies as st

from harness.constraint_system import BoundKind, ConstraintSystem, ProblemClass
from harness.json_form import json_form
from oracles.proofs.solvers import SolverError, SolverName, open_solver
from oracles.proofs.system_form import is_piecewise_linear
from oracles.proofs.validity_certificate import SolverUndecided, UncertifiedReason, VariantNotCertified, certify
from oracles.proofs.validity_script import ambiguity, contradiction, partial_script, uniqueness
from tests.cases import cases
from tests.oracles.proofs.constraint_systems import NAMES, PEARS, bound, fact, solutions, system, systems

SOLVERS = {name: open_solver(name) for name in SolverName}
Z3 = SOLVERS[SolverName.Z3]
CVC5 = SOLVERS[SolverName.CVC5]


def why(problem_class: ProblemClass, problem: ConstraintSystem, **details: object) -> UncertifiedReason:
    """Return why a system is not certified."""
    with pytest.raises(VariantNotCertified) as caught:
        certify(problem_class, problem, solver=Z3, **details)  # type: ignore[arg-type]  # names are those of certify
    return caught.value.why


@given(systems())
@settings(max_examples=30)
def test_a_problem_with_all_its_facts_is_solvable(problem: ConstraintSystem) -> None:
    """Its answer is what exact evaluation gives, both solvers say so, and no other answer, lack or contradiction is certified."""
    made = certify(ProblemClass.SOLVABLE, problem, solver=Z3)
    assert made.models == (problem.complete(),)
    assert (made.expect, CVC5.decide(made.smtlib)) == ("unsat", ("unsat",))
    wrong = uniqueness(problem, made.models[0], made.models[0][problem.answer] + 1)
    assert {solver.decide(wrong) for solver in SOLVERS.values()} == {("sat",)}
    assert why(ProblemClass.CONTRADICTORY, problem) is UncertifiedReason.SATISFIABLE
    assert why(ProblemClass.UNDERSPECIFIED, problem, witnesses=[{}, {}]) is UncertifiedReason.SAME_ANSWER


@given(systems(), st.data())
@settings(max_examples=30)
def test_a_quantity_stated_otherwise_is_a_contradiction(problem: ConstraintSystem, data: st.DataObject) -> None:
    """The core names the statement, and clashes by itself for both solvers."""
    there = problem.complete()
    name = data.draw(st.sampled_from(sorted(there)))
    stated = fact(name, there[name] + data.draw(st.integers(1, 5)), "stated")
    changed = replace(problem, facts=(*problem.facts, stated))
    made = certify(ProblemClass.CONTRADICTORY, changed, clash=(stated.name,), original=there, solver=Z3)
    assert stated.name in made.core
    assert not any(name.startswith(("whole", "not-negative", "at-most")) for name in made.core)
    for solver in SOLVERS.values():
        assert solver.decide(made.smtlib) == ("unsat",)
        assert solver.decide(partial_script(changed, made.core)) == ("unsat",)
    assert why(ProblemClass.SOLVABLE, changed) is UncertifiedReason.NO_SOLUTION
    assert why(ProblemClass.UNDERSPECIFIED, changed, witnesses=[there, there]) is UncertifiedReason.NO_SOLUTION


@given(systems(), st.data())
@settings(max_examples=30)
def test_a_problem_without_a_fact_is_what_trying_finds(problem: ConstraintSystem, data: st.DataObject) -> None:
    """It is underspecified where two values in a box give different answers; no class is certified that trying rules out."""
    gone = data.draw(st.sampled_from(problem.facts))
    changed = replace(
        problem,
        facts=tuple(fact for fact in problem.facts if fact is not gone),
        bounds=tuple(bound for bound in problem.bounds if gone.variable not in (bound.variable, bound.limit)),
    )
    assume(gone.variable in changed.free)
    found = solutions(changed, range(gone.value.numerator - 4, gone.value.numerator + 5))
    found.sort(key=lambda model: model[gone.variable] != gone.value)
    if len({model[changed.answer] for model in found}) < 2:
        assert why(ProblemClass.UNDERSPECIFIED, changed, witnesses=found) is UncertifiedReason.SAME_ANSWER
        return
    made = certify(ProblemClass.UNDERSPECIFIED, changed, witnesses=found, solver=Z3)
    assert made.models[0] == problem.complete()
    assert {solver.decide(made.smtlib) for solver in SOLVERS.values()} == {("sat",)}
    for claim in (ProblemClass.SOLVABLE, ProblemClass.CONTRADICTORY):
        with pytest.raises((VariantNotCertified, SolverUndecided)):
            certify(claim, changed, original=found[0], solver=Z3)
    same = ambiguity(changed, (found[0], found[0]))
    assert {solver.decide(same) for solver in SOLVERS.values()} == {("unsat",)}


_STRAIGHT = ("{} + {}", "{} - {}", "min({}, {})", "max({}, {})", "{} * 2 - {}", "abs({} - {})", "({} + {}) // 2")


@given(st.data())
@settings(max_examples=30)
def test_trying_all_values_of_a_box_says_the_same(data: st.DataObject) -> None:
    """With one or two whole numbers of a small range left open and a quantity stated, the class is the number of answers."""
    names = NAMES[: data.draw(st.integers(1, 2))]
    known = [*names, "e"]
    steps: dict[str, str] = {}
    for number in range(data.draw(st.integers(1, 2))):
        pick = st.sampled_from([*known, *steps])
        steps[f"s{number}"] = data.draw(st.sampled_from(_STRAIGHT)).format(data.draw(pick), data.draw(pick))
    limits = tuple(
        limit
        for name in names
        for limit in (
            bound(name, BoundKind.WHOLE),
            bound(name, BoundKind.NOT_NEGATIVE),
            bound(name, BoundKind.AT_MOST, 3),
        )
    )
    read = {
        name
        for code in steps.values()
        for name in names
        if name in code.replace("min", "").replace("max", "").replace("abs", "")
    }
    limits = tuple(limit for limit in limits if limit.variable in read)
    problem = system({"e": data.draw(st.integers(0, 3))}, steps, limits)
    if data.draw(st.booleans()):
        stated = fact(data.draw(st.sampled_from(sorted(steps))), data.draw(st.integers(-1, 5)), "stated")
        problem = replace(problem, facts=(*problem.facts, stated))
    found = solutions(problem, range(4))
    answers = {model[problem.answer] for model in found}
    true = ProblemClass(min(len(answers), 2))
    first = {name: found[0][name] for name in problem.free} if found else dict.fromkeys(problem.free, 0)
    for claim in ProblemClass:
        details = {"witnesses": found} if claim is ProblemClass.UNDERSPECIFIED else {"original": first}
        if claim is true:
            made = certify(claim, problem, solver=Z3, **details)
            assert CVC5.decide(made.smtlib) == (made.expect,)
        else:
            with pytest.raises(VariantNotCertified):
                certify(claim, problem, solver=Z3, **details)


@cases("code", ["a / b", "a // b", "a % b", "Fraction(a, b)", "round(a / b)", "a * b ** -1"])
def test_division_by_zero_makes_no_label(code: str) -> None:
    """In SMT-LIB a quotient by zero may be anything: nothing follows from it, and no solution rests on it."""
    problem = system({"a": 6, "b": 0}, {"s": code, "t": "s + 1"})
    stated = replace(problem, facts=(*problem.facts, fact("s", 5, "stated"), fact("t", 9, "again")))
    assert why(ProblemClass.SOLVABLE, problem) is UncertifiedReason.NO_SOLUTION
    with pytest.raises((VariantNotCertified, SolverUndecided)):
        certify(ProblemClass.CONTRADICTORY, problem, solver=Z3)
    with pytest.raises((VariantNotCertified, SolverUndecided)):
        certify(ProblemClass.UNDERSPECIFIED, problem, witnesses=[{}, {}], solver=Z3)
    open_divisor = replace(problem, facts=problem.facts[:1])
    assert (
        why(ProblemClass.UNDERSPECIFIED, open_divisor, witnesses=[{"b": 2}, {"b": 0}]) is UncertifiedReason.SAME_ANSWER
    )
    known = {"a": 6, "b": 0, "s": 5, "t": 6}
    for solver in SOLVERS.values():
        assert solver.decide(ambiguity(problem, (known, {**known, "s": 4, "t": 5}))) == ("unsat",)
        # 5 + 1 is 6 and not 9, whatever the quotient is: that much is a contradiction.
        assert solver.decide(partial_script(stated, ["fact:a", "fact:b", "step:s", "stated:s"])) == ("sat",)


def test_the_core_of_a_broken_bound_is_all_that_breaks_it() -> None:
    """Nine of five pears: the bound, what is given away, and what the pears are counted from."""
    fewer = replace(PEARS, facts=(replace(PEARS.facts[0], value=1), *PEARS.facts[1:]))
    made = certify(ProblemClass.CONTRADICTORY, fewer, clash=("fact:boxes",), original=PEARS.complete(), solver=Z3)
    assert set(made.core) == {"fact:boxes", "fact:each", "step:pears", "fact:given", "part:given"}


def test_facts_that_clash_are_preferred_to_a_bound() -> None:
    """Where 29 pears are given away and 15 are said to be left, the sentences clash, though 29 of 24 is nonsense as well."""
    given = replace(PEARS.facts[2], value=29)
    changed = replace(PEARS, facts=(*PEARS.facts[:2], given, fact("left", 15, "stated")))
    made = certify(ProblemClass.CONTRADICTORY, changed, clash=("fact:given",), original=PEARS.complete(), solver=Z3)
    assert set(made.core) == {"fact:boxes", "fact:each", "fact:given", "stated:left", "step:pears", "step:left"}


def test_what_clashed_before_the_edit_is_no_label() -> None:
    """The edit, and nothing else, has to be the contradiction."""
    broken = replace(PEARS, facts=(*PEARS.facts, fact("pears", 25, "stated"), fact("boxes", 4, "restated")))
    assert (
        why(ProblemClass.CONTRADICTORY, broken, clash=("restated:boxes",), original=PEARS.complete())
        is UncertifiedReason.BROKEN_BEFORE
    )
    assert why(ProblemClass.CONTRADICTORY, broken, clash=("nobody",)) is UncertifiedReason.MALFORMED


class Stubborn:
    """A solver that gives up, or cannot read what it is asked."""

    def __init__(self, answer: str | None) -> None:
        """Keep what to answer, `None` for an error."""
        self.answer = answer

    def decide(self, text: str, questions: int = 1) -> tuple[str, ...]:
        """Answer the same to all questions."""
        if self.answer is None:
            raise SolverError(text)
        return (self.answer,) * questions


@cases("answer", ["unknown", None])
@cases("claim", list(ProblemClass))
def test_a_solver_that_gives_up_certifies_nothing(claim: ProblemClass, answer: str | None) -> None:
    """Its outcome is one of its own: nothing is known of the problem."""
    problem = replace(PEARS, facts=PEARS.facts[:2]) if claim is ProblemClass.UNDERSPECIFIED else PEARS
    with pytest.raises(SolverUndecided):
        certify(claim, problem, witnesses=[{"given": 9}, {"given": 8}], solver=Stubborn(answer))


def test_what_is_nonlinear_in_open_variables_is_not_asked() -> None:
    """Solvers work for minutes on high powers of what is open and count nothing: nothing is known of it instead."""
    nonlinear = replace(system({"a": 2}, {"s": "b * b * c + a", "t": "s * c * b"}), facts=(fact("a", 2), fact("t", 7)))
    for claim in (ProblemClass.CONTRADICTORY, ProblemClass.SOLVABLE):
        with pytest.raises((SolverUndecided, VariantNotCertified)):
            certify(claim, nonlinear, original={"b": 1, "c": 1}, solver=Z3)
    assert not is_piecewise_linear(nonlinear)


@cases("code", ["x + 2 * a", "min(x, a) + round(x)", "x if x > 2 else a", "x // 2 + x % 3", "a * a / a + x", "-x * a"])
def test_steps_of_linear_pieces_are_piecewise_linear(code: str) -> None:
    """Facts are constants; what rounds or chooses is straight by pieces; a product, power or quotient of what is open is not."""
    assert is_piecewise_linear(system({"a": 2}, {"s": f"{code} + 0 * x"}))
    for other in (f"({code}) * x", f"a / ({code} + x)", f"({code}) ** x", f"max(1, x * ({code} + x))"):
        assert not is_piecewise_linear(system({"a": 2}, {"s": f"{other} + x"})), other


@cases(
    "broken",
    [
        replace(PEARS, answer="nobody"),
        replace(PEARS, facts=(*PEARS.facts, PEARS.facts[0])),
        replace(PEARS, steps=PEARS.steps[::-1]),
        replace(PEARS, steps=(*PEARS.steps, replace(PEARS.steps[0], name="step:again"))),
        replace(PEARS, steps=(replace(PEARS.steps[0], name="nameless"), PEARS.steps[1])),
        replace(PEARS, bounds=(replace(PEARS.bounds[0], variable="nobody"),)),
        replace(PEARS, bounds=(replace(PEARS.bounds[2], limit="nobody"),)),
        replace(PEARS, facts=(*PEARS.facts, fact("not a name", 3))),
        system({"a": 1}, {"s": "s + a"}),
    ],
)
def test_what_is_no_system_is_not_certified(broken: ConstraintSystem) -> None:
    """Names twice, steps that read what comes later, bounds and answers about nothing."""
    assert {why(claim, broken) for claim in ProblemClass} == {UncertifiedReason.MALFORMED}


def test_what_no_solver_can_be_told_is_not_certified() -> None:
    """A function without a translation is a reason of its own."""
    problem = system({"a": 6, "b": 4}, {"s": "sum([a, b])"})
    assert why(ProblemClass.SOLVABLE, problem) is UncertifiedReason.UNTRANSLATABLE


HOSTILE = '5\n(check-sat)\r\u2028; |" \\ )(assert false)\x00ä'


def test_a_script_stands_alone_whatever_words_it_quotes() -> None:
    """One question, one line of ASCII for each comment, only functions that are used, and a fresh solver reads it."""
    import z3

    named = replace(fact("größe", 3), words=HOSTILE, name=f"fact:{HOSTILE}")
    problem = replace(system({"a": 8}, {"s": "round(a / 3) + größe"}), facts=(fact("a", 8), named))
    made = certify(ProblemClass.SOLVABLE, problem, solver=Z3)
    assert made.smtlib.isascii()
    code = [line for line in made.smtlib.split("\n") if not line.startswith(";")]
    assert code.count("(check-sat)") == 1
    assert "rounded" in made.smtlib
    assert "ceiling" not in made.smtlib
    assert all(line.startswith(("(", " ")) for line in code if line)
    assert z3.Z3_eval_smtlib2_string(z3.Context().ref(), made.smtlib).split() == ["unsat"]
    assert CVC5.decide(made.smtlib) == ("unsat",)


@given(systems(), systems())
@settings(max_examples=30)
def test_different_problems_have_different_scripts(first: ConstraintSystem, other: ConstraintSystem) -> None:
    """A script tells constraints and values apart: that is what a record is checked against."""
    assume(json_form(first) != json_form(other))
    written = [uniqueness(problem, problem.complete(), 1) for problem in (first, other)]
    cores = [contradiction(first, core) for core in combinations(list(first.constraints)[:4], 2)]
    assert written[0] != written[1]
    assert len(set(cores)) == len(cores)
