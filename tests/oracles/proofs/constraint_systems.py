"""Constraints of problems, drawn at random or written out, and records as a run seals them."""

import copy
import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from hypothesis import strategies as st

from harness.constraint_system import Bound, BoundKind, ConstraintStep, ConstraintSystem, Fact, FactSource, ProblemClass
from harness.domain import Exact
from harness.json_form import json_form, read_record, with_digest
from harness.program.evaluation.evaluator import format_exact
from harness.program.refusal import ProgramError, Refusal
from harness.program.value_parser import read_expression
from oracles.proofs.solvers import Solver
from oracles.proofs.validity_certificate import ValidityCertificate, certify
from oracles.proofs.validity_script import ambiguity, contradiction, uniqueness
from tests.cases import texts

Record = dict[str, Any]
NAMES = ("a", "b", "c", "d")


def fact(variable: str, value: Exact, kind: str = "fact", span: tuple[int, int] | None = None) -> Fact:
    """Return a fact of the text."""
    return Fact(f"{kind}:{variable}", variable, value, FactSource.TEXT, f"there are {value} {variable}", span)


def step(variable: str, code: str) -> ConstraintStep:
    """Return a step."""
    return ConstraintStep(f"step:{variable}", variable, read_expression(code), f"{variable} = {code}")


def bound(variable: str, kind: BoundKind, limit: str | Exact | None = None) -> Bound:
    """Return a bound; kinds of one variable have names of their own."""
    return Bound(f"{kind.value.replace('_', '-')}:{variable}", variable, kind, f"{variable} is {kind}", limit)


def system(
    facts: Mapping[str, Exact], steps: Mapping[str, str], bounds: tuple[Bound, ...] = (), answer: str | None = None
) -> ConstraintSystem:
    """Return the constraints of facts and code; the answer is the last step unless another variable is named."""
    written = tuple(step(name, code) for name, code in steps.items())
    return ConstraintSystem(
        tuple(fact(name, value) for name, value in facts.items()), written, bounds, answer or [*steps][-1]
    )


def values(problem: ConstraintSystem, free: Mapping[str, Exact] | None = None) -> dict[str, Exact] | None:
    """Return the values of a problem that has them and meets its constraints, else `None`."""
    try:
        found = problem.complete(free)
    except (KeyError, Refusal, ProgramError):
        return None
    return found if problem.violated(found) is None else None


_FORMS = (
    *texts("""{} + {} | {} - {} | {} * {} | {} / {} | {} // {} | {} % {} | min({}, {}) | max({}, {}) | round({} / {})
math.ceil({} / {}) | math.floor({} / {}) | abs({} - {}) | {} * 3 + {} | ({} + 5) / 2 - {}"""),
)


@st.composite
def systems(draw: st.DrawFn, forms: tuple[str, ...] = _FORMS) -> ConstraintSystem:
    """Draw a problem with two to four facts and one to four steps that has a solution, with the bounds that it meets."""
    count = draw(st.integers(2, 4))
    facts = {name: draw(st.integers(1, 12)) for name in NAMES[:count]}
    steps: dict[str, str] = {}
    for number in range(draw(st.integers(1, 4))):
        known = [*facts, *steps]
        left, right = draw(st.sampled_from(known)), draw(st.sampled_from(known))
        steps[f"s{number}"] = draw(st.sampled_from(forms)).format(left, right)
    found = system(facts, steps)
    there = values(found)
    if there is None:
        return draw(st.nothing())
    met = tuple(bound for name in there for bound in _bounds(name, there) if draw(st.booleans()))
    return replace(found, bounds=met)


def _bounds(name: str, there: dict[str, Exact]) -> list[Bound]:
    found = [bound(name, BoundKind.NOT_NEGATIVE)] if there[name] >= 0 else []
    found += [bound(name, BoundKind.WHOLE)] if there[name].denominator == 1 else []
    above = [other for other in there if there[other] >= there[name] and other != name]
    return [*found, bound(name, BoundKind.AT_MOST, above[0])] if above else found


def solutions(problem: ConstraintSystem, box: range) -> list[dict[str, Exact]]:
    """Return all solutions whose free variables lie in a box, by trying each."""
    tried = (dict(zip(problem.free, chosen, strict=True)) for chosen in product(box, repeat=len(problem.free)))
    return [found for free in tried if (found := values(problem, free)) is not None]


QUESTION = "Ada has 4 boxes with 6 pears each. She gives away 9 pears. How many pears are left?"
SOLUTION = "She has 4 * 6 = <<4*6=24>>24 pears.\n24 - 9 = <<24-9=15>>15 are left.\n#### 15"
PEARS = ConstraintSystem(
    (
        Fact("fact:boxes", "boxes", 4, FactSource.TEXT, "Ada has 4 boxes with 6 pears each.", (8, 9)),
        Fact("fact:each", "each", 6, FactSource.TEXT, "Ada has 4 boxes with 6 pears each.", (21, 22)),
        Fact("fact:given", "given", 9, FactSource.TEXT, "She gives away 9 pears.", (50, 51)),
    ),
    (
        replace(step("pears", "boxes * each"), words=SOLUTION.split("\n", maxsplit=1)[0]),
        replace(step("left", "pears - given"), words=SOLUTION.split("\n")[1]),
    ),
    (
        bound("pears", BoundKind.WHOLE),
        bound("left", BoundKind.NOT_NEGATIVE),
        Bound("part:given", "given", BoundKind.AT_MOST, "9 of 24", "pears"),
    ),
    "left",
)
REASONING = "It is as the certificate says."
Edit = tuple[int, int, str]


def record(certificate: ValidityCertificate, *edits: Edit, gold: str | None = None) -> Record:
    """Return a variant of the pears as a run seals it."""
    text = QUESTION
    for start, end, after in reversed(edits):
        text = text[:start] + after + text[end:]
    return with_digest(
        {
            "variant_id": "p-1:operator:0123456789ab",
            "problem_id": "p-1",
            "model": "model",
            "tier": 1,
            "operator": "operator",
            "class_label": int(certificate.problem_class),
            "twin_of": None,
            "question": QUESTION,
            "modified_problem_text": text,
            "edits": [
                {"span": [start, end], "before": QUESTION[start:end], "after": after} for start, end, after in edits
            ],
            "reasoning_trace": REASONING,
            "system": json_form(certificate.system),
            "certificate": {"smtlib": certificate.smtlib, "expect": certificate.expect},
            "core": list(certificate.core),
            "models": [{name: format_exact(value) for name, value in model.items()} for model in certificate.models],
            "solution": None if gold is None else SOLUTION.replace("#### 15", f"#### {gold}"),
            "gold": gold,
        }
    )


def solvable(solver: Solver) -> Record:
    """Return a true record: the problem as it stands."""
    return record(certify(ProblemClass.SOLVABLE, PEARS, solver=solver), gold="15")


def contradictory(solver: Solver) -> Record:
    """Return a true record: 29 of 24 pears are given away."""
    given = replace(PEARS.facts[2], value=29, span=(50, 52), words="She gives away 29 pears.")
    changed = replace(PEARS, facts=(*PEARS.facts[:2], given))
    made = certify(ProblemClass.CONTRADICTORY, changed, clash=("fact:given",), original=PEARS.complete(), solver=solver)
    return record(made, (50, 51, "29"))


def restated(solver: Solver) -> Record:
    """Return a true record: a sentence more says that there are 7 in each box."""
    words = "Every box has seven pears in it. "
    again = Fact("restated:each", "each", 7, FactSource.TEXT, words.strip(), (49, 54))
    moved = replace(PEARS.facts[2], span=(50 + len(words), 51 + len(words)))
    changed = replace(PEARS, facts=(*PEARS.facts[:2], moved, again))
    made = certify(
        ProblemClass.CONTRADICTORY, changed, clash=("restated:each",), original=PEARS.complete(), solver=solver
    )
    return record(made, (35, 35, words))


def limited(solver: Solver) -> Record:
    """Return a true record: a sentence more says that there are at most 20 pears, of which there are 24."""
    words = "There are at most 20 pears. "
    limit = Fact("limit:pears", "limit_of_pears", 20, FactSource.TEXT, words.strip(), (53, 55))
    most = Bound("at-most:pears", "pears", BoundKind.AT_MOST, words.strip(), "limit_of_pears")
    moved = replace(PEARS.facts[2], span=(50 + len(words), 51 + len(words)))
    changed = replace(PEARS, facts=(*PEARS.facts[:2], moved, limit), bounds=(*PEARS.bounds, most))
    clash = ("limit:pears", "at-most:pears")
    made = certify(ProblemClass.CONTRADICTORY, changed, clash=clash, original=PEARS.complete(), solver=solver)
    return record(made, (35, 35, words))


def underspecified(solver: Solver) -> Record:
    """Return a true record: some pears are given away."""
    changed = replace(PEARS, facts=PEARS.facts[:2])
    witnesses = [{"given": 9}, {"given": 30}, {"given": 8}]
    made = certify(ProblemClass.UNDERSPECIFIED, changed, witnesses=witnesses, solver=solver)
    return record(made, (50, 51, "some"))


RECORDS = {made.__name__: made for made in (solvable, contradictory, restated, limited, underspecified)}


def anew(made: Record, **changes: Any) -> Record:
    """Return a record whose script says what its changed fields say, so that only what is meant is wrong with it."""
    changed = {**copy.deepcopy(made), **changes}
    read = read_record(ConstraintSystem, changed["system"])
    models = [{name: int(value) for name, value in model.items()} for model in changed["models"]]
    match changed["class_label"]:
        case 0:
            text = contradiction(read, changed["core"])
        case 1:
            text = uniqueness(read, models[0], models[0][read.answer])
        case _:
            text = ambiguity(read, models)
    changed["certificate"]["smtlib"] = text
    return with_digest(changed)


def with_system(made: Record, changed: ConstraintSystem, **changes: Any) -> Record:
    """Return a record of another system, told anew."""
    return anew(made, system=json.loads(json.dumps(json_form(changed))), **changes)
