"""Laws of the check of variants: from the record alone, both solvers confirm true ones and refute altered ones."""

import copy
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from harness.constraint_system import ConstraintSystem, ProblemClass
from harness.domain import Status
from harness.json_form import json_form
from oracles.proofs.record_check import check_record
from oracles.proofs.smtlib_script import ambiguity, contradiction, uniqueness
from oracles.proofs.solvers import SolverName, open_solver
from oracles.proofs.system_record import system_of_record
from oracles.proofs.validity_certificate import ValidityCertificate
from tests.cases import cases
from tests.oracles.proofs.constraint_systems import (
    PEARS,
    QUESTION,
    RECORDS,
    SOLUTION,
    Record,
    anew,
    fact,
    record,
    system,
    systems,
    with_system,
)

SOLVERS = {name: open_solver(name) for name in SolverName}
Z3 = SOLVERS[SolverName.Z3]
MADE = {name: json.loads(json.dumps(made(Z3))) for name, made in RECORDS.items()}


@cases("solver", list(SolverName))
@cases("name", RECORDS)
def test_a_true_variant_is_confirmed(name: str, solver: SolverName) -> None:
    """Of each class, from its JSON alone, by the name of its class."""
    found = check_record(MADE[name], SOLVERS[solver])
    assert (found.status, found.reason) == (Status.CONFIRMED, None)
    assert found.claim == ("contradictory" if name in {"restated", "limited"} else name)


@given(systems())
@settings(max_examples=40)
def test_a_system_is_read_back_as_it_was_written(problem: ConstraintSystem) -> None:
    """Values, expressions and bounds: the same record again, and the same script."""
    read = system_of_record(json.loads(json.dumps(json_form(problem))))
    assert json_form(read) == json_form(problem)
    there = problem.complete()
    assert uniqueness(read, there, 7) == uniqueness(problem, there, 7)


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], int]]:
    """Yield the path to each text or number of a JSON value and each place of a digit in it."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, (*path, key))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from places(part, (*path, number))
    elif isinstance(value, str | int) and not isinstance(value, bool):
        for found in re.finditer(r"[0-9]", str(value)):
            yield path, found.start()


@pytest.mark.parametrize("name", RECORDS)
def test_one_digit_changed_is_refused(name: str) -> None:
    """Anywhere in certificate, system, core, models, gold answer or edits: each digit of each, one at a time."""
    parts = {key: MADE[name][key] for key in ("certificate", "system", "core", "models", "gold", "edits")}
    every = list(places(parts))
    assert len(every) > 50
    for path, place in every:
        changed = copy.deepcopy(MADE[name])
        holder: Any = changed
        for key in path[:-1]:
            holder = holder[key]
        old = holder[path[-1]]
        text = str(old)
        text = f"{text[:place]}{(int(text[place]) + 1) % 10}{text[place + 1 :]}"
        holder[path[-1]] = int(text) if isinstance(old, int) else text
        found = check_record(changed, Z3)
        assert found.status is Status.REFUTED, (path, place, text[:80])


def of_field(value: Any, *path: str | int) -> Callable[[Record], None]:
    """Return a tampering with one field."""

    def tamper(changed: Record) -> None:
        place: Any = changed
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value

    return tamper


def planted() -> dict[str, tuple[Record, str]]:
    """Return records that are false in one way, well made otherwise, with what should be said of them."""
    whole = {"given": "9", "pears": "24", "left": "15", "boxes": "4", "each": "6"}
    less = replace(PEARS, facts=PEARS.facts[:2])
    wrong = replace(PEARS.facts[2], value=8)
    loose = MADE["underspecified"]
    broken = system_of_record(MADE["contradictory"]["system"])
    twice = "She gives away some of the 9 pears"
    return {
        "a contradiction of what can be met": (
            anew(
                {
                    **MADE["solvable"],
                    "class_label": 0,
                    "gold": None,
                    "solution": None,
                    "certificate": {"smtlib": "", "expect": "unsat"},
                },
                core=["fact:given", "fact:boxes"],
                models=[],
                edits=[{"span": [50, 51], "before": "9", "after": "9"}],
            ),
            "the solver says sat of the constraints, not unsat",
        ),
        "a core that can be met": (
            anew(MADE["contradictory"], core=["fact:given", "fact:boxes"]),
            "the solver says sat of the core, not unsat",
        ),
        "a core of nobody": (
            {**MADE["contradictory"], "core": ["fact:nobody"]},
            "the core names 'fact:nobody', which is no constraint",
        ),
        "a core about what was not edited": (
            with_system(
                MADE["contradictory"],
                replace(broken, facts=(*broken.facts, replace(fact("each", 7, "restated"), span=None))),
                core=["fact:each", "restated:each"],
            ),
            "the core is not about what was edited",
        ),
        "a lack of what is told": (
            with_system(
                loose,
                replace(PEARS, facts=(*PEARS.facts[:2], replace(PEARS.facts[2], span=None))),
                models=[whole, {**whole, "given": "8", "left": "16"}],
            ),
            "a model says that 'given' is 8, the constraints give 9",
        ),
        "one answer twice": (anew(loose, models=[loose["models"][0]] * 2), "both models give the answer 15"),
        "a model beyond a bound": (
            anew(loose, models=[loose["models"][0], {**whole, "given": "30", "left": "-6"}]),
            "not-negative:left",
        ),
        "a model against a step": (
            anew(loose, models=[loose["models"][0], {**whole, "given": "8"}]),
            "a model says that 'left' is 15, the constraints give 16",
        ),
        "a value that is still there": (
            {
                **loose,
                "modified_problem_text": QUESTION.replace("She gives away 9 pears", twice),
                "edits": [{"span": [50, 51], "before": "9", "after": "some of the 9"}],
            },
            "'9' still says the value of 'given'",
        ),
        "a value that was never there": (
            anew(loose, models=[{**whole, "given": "8", "left": "16"}, whole]),
            "no edit takes 8 away",
        ),
        "another gold answer": ({**MADE["solvable"], "gold": "16"}, "the gold answer is '16', the answer is 15"),
        "another answer in the solution": (
            {**MADE["solvable"], "solution": SOLUTION.replace("#### 15", "#### 16")},
            "the solution does not end in '#### 15'",
        ),
        "another value than the text's": (
            with_system(
                MADE["solvable"],
                replace(PEARS, facts=(*PEARS.facts[:2], wrong)),
                models=[{**whole, "given": "8", "left": "16"}],
                gold="16",
                solution=SOLUTION.replace("15", "16"),
            ),
            "fact:given is 8, the text says '9'",
        ),
        "a place that cuts a number": (
            with_system(
                MADE["contradictory"],
                replace(broken, facts=(*broken.facts[:2], replace(broken.facts[2], value=9, span=(51, 52)))),
            ),
            "fact:given is 9, the text says '9'",
        ),
        "a number changed beside its fact": (
            with_system(
                MADE["solvable"],
                replace(PEARS, facts=(*PEARS.facts[:2], replace(PEARS.facts[2], span=None))),
                modified_problem_text=QUESTION.replace("9", "3"),
                edits=[{"span": [50, 51], "before": "9", "after": "3"}],
            ),
            "fact:given is 9, which an edit took out of the text",
        ),
        "a lack that nobody made": ({**loose, "system": json_form(less), "edits": []}, "are edited, and no twins"),
        "the wrong expectation": (
            {**loose, "certificate": {**loose["certificate"], "expect": "unsat"}},
            "underspecified problems expect sat, not unsat",
        ),
        "a class that the rest is not of": ({**loose, "class_label": 1}, "solvable problems expect unsat, not sat"),
        "a model too few": ({**loose, "models": loose["models"][:1]}, "have 2 models, not 1"),
        "a core of a lack": ({**loose, "core": ["fact:boxes"]}, "underspecified problems have no core"),
        "a gold answer of a lack": ({**loose, "gold": "15"}, "have no solution and gold answer"),
        "edits that lead elsewhere": (
            {**loose, "modified_problem_text": loose["modified_problem_text"] + " "},
            "the edits do not lead from the question to the text",
        ),
        "an edit of what is not there": (
            {**loose, "edits": [{"span": [50, 51], "before": "8", "after": "some"}]},
            "no '8' stands at 50 to 51",
        ),
        "edits in the wrong order": (
            {**loose, "edits": loose["edits"] + [{"span": [8, 9], "before": "4", "after": "4"}]},
            "no '4' stands at 8 to 9 of the question, behind 51",
        ),
        "digits written otherwise": (
            {**loose, "models": [{**loose["models"][0], "given": "09"}, loose["models"][1]]},
            "in other digits",
        ),
    }


PLANTED = planted()


@cases("kind", PLANTED)
def test_a_planted_fault_is_refuted(kind: str) -> None:
    """Whatever is false, the record itself gives it away, in one sentence."""
    made, reason = PLANTED[kind]
    found = check_record(made, Z3)
    assert found.status is Status.REFUTED
    assert reason in str(found.reason)


@pytest.mark.parametrize("code", ["a * 9 / b", "a // b"])
def test_a_label_by_division_by_zero_is_refused(code: str) -> None:
    """A script that a solver would answer as expected, were quotients by zero anything."""
    problem = system({"a": 4, "b": 0}, {"s": code})
    values: dict[str, Any] = {"a": 4, "b": 0, "s": 3}
    false = ValidityCertificate(
        ProblemClass.UNDERSPECIFIED,
        problem,
        ambiguity(problem, (values, values)),
        "sat",
        (),
        (values, {**values, "s": 2}),
    )
    found = check_record(record(false, (50, 51, "0")), Z3)
    assert (found.status, found.claim) == (Status.REFUTED, "underspecified")
    stated = replace(problem, facts=(*problem.facts, fact("s", 7, "stated")))
    clash = ValidityCertificate(
        ProblemClass.CONTRADICTORY, stated, contradiction(stated, ["stated:s"]), "unsat", ("stated:s",)
    )
    assert check_record(record(clash, (50, 51, "7")), Z3).status is Status.REFUTED


def test_what_no_solver_ends_on_is_unknown() -> None:
    """High powers of what is open are not asked, whatever the record claims."""
    curved = replace(
        PEARS,
        facts=(
            *PEARS.facts[:2],
            replace(
                PEARS.facts[2], name="fact:s", variable="s", value=29, span=(50, 52), words="She gives away 29 pears."
            ),
        ),
        steps=(*PEARS.steps, *system({}, {"s": "given * left * given"}).steps),
    )
    made = {**MADE["contradictory"], "core": ["fact:s"]}
    found = check_record(with_system(made, curved), Z3)
    assert (found.status, str(found.reason)[:48]) == (
        Status.UNKNOWN,
        "the constraints: no solver ends on what is curve",
    )


def test_what_no_solver_can_be_told_of_a_variant_is_unknown() -> None:
    """A function without translation: nothing is confirmed, and nothing refuted."""
    changed = copy.deepcopy(MADE["solvable"])
    changed["system"]["steps"][1]["expression"] = "gcd(pears, 15) + 12"
    changed["models"][0]["left"] = "15"
    found = check_record(changed, Z3)
    assert (found.status, found.reason) == (Status.UNKNOWN, "the function gcd() has no translation")


EDITS: list[tuple[Any, ...]] = [
    (None, "system"),
    ([], "system"),
    ({}, "system"),
    ("9" * 5000, "system", "facts", 0, "value"),
    ("1/0", "system", "facts", 0, "value"),
    (4, "system", "facts", 0, "value"),
    (None, "system", "facts", 0, "words"),
    ("rumour", "system", "facts", 0, "source"),
    ([9, 8, 7], "system", "facts", 0, "span"),
    ([-1, 8], "system", "facts", 0, "span"),
    ([True, 8], "system", "facts", 0, "span"),
    ([10**30, 10**31], "system", "facts", 0, "span"),
    ("__import__('os').system('id')", "system", "steps", 0, "expression"),
    ("(" * 3000, "system", "steps", 0, "expression"),
    ("9**9**9", "system", "steps", 0, "expression"),
    ("-" * 3000 + "1", "system", "steps", 0, "expression"),
    ("[x for x in range(10**9)]", "system", "steps", 0, "expression"),
    ("left", "system", "steps", 0, "expression"),
    ("boxes*each", "system", "steps", 0, "expression"),
    ("a|b", "system", "steps", 0, "variable"),
    ("__class__", "system", "facts", 0, "variable"),
    ("|)(check-sat)", "system", "facts", 0, "name"),
    ("step:left", "system", "facts", 0, "name"),
    ("at_most", "system", "bounds", 0, "kind"),
    ("7", "system", "bounds", 0, "limit"),
    (None, "system", "bounds", 2, "limit"),
    ("nobody", "system", "bounds", 2, "limit"),
    ("nobody", "system", "answer"),
    ("\ud800", "system", "answer"),
    ("all is well", "certificate"),
    ("(exit)", "certificate", "smtlib"),
    ("unknown", "certificate", "expect"),
    (["fact:boxes"] * 2000, "core"),
    ([{}], "models"),
    ([{"left": 15}], "models"),
    ([{str(number): "1" for number in range(3000)}], "models"),
    (3, "class_label"),
    (True, "class_label"),
    ("1", "class_label"),
    (None, "modified_problem_text"),
    ("x" * 200_000, "modified_problem_text"),
    ([{"span": [0, 1]}], "edits"),
    ([{"span": [0, 10**9], "before": "", "after": ""}], "edits"),
    ("1/0", "gold"),
    ("", "gold"),
    ([], "problem_id"),
]


@cases("place", range(len(EDITS)))
def test_a_hostile_variant_is_refuted(place: int) -> None:
    """Hostile systems, scripts, texts and numbers: refuted in one sentence of printable text."""
    value, *path = EDITS[place]
    hostile = copy.deepcopy(MADE["solvable"])
    of_field(value, *path)(hostile)
    found = check_record(hostile, Z3)
    assert found.status is Status.REFUTED
    assert found.reason
    assert found.reason.isprintable()
