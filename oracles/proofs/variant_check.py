"""The check of one problem variant from its record alone: its certificate, its models, and the numbers and equations of its texts."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from harness.answers.gold_answer import match_gold, read_gold
from harness.constraint_system import ProblemClass
from harness.domain import Exact, Status
from harness.json_form import content_text
from harness.program.evaluation.evaluator import format_exact
from harness.records.variant import VariantRecord
from oracles.proofs.record_content import (
    Judgement,
    character_problem,
    digest_problem,
    equation_problem,
    provenance_problem,
)
from oracles.proofs.solvers import Solver
from oracles.proofs.system_form import is_piecewise_linear, require_system, restricted_system
from oracles.proofs.validity_certificate import VariantNotCertified, solution
from oracles.proofs.validity_script import ambiguity, contradiction, expected_answer, partial_script, uniqueness
from oracles.proofs.variant_text import VariantText

_MODELS = {ProblemClass.CONTRADICTORY: 0, ProblemClass.SOLVABLE: 1, ProblemClass.UNDERSPECIFIED: 2}


def claim_of_variant(read: VariantRecord) -> str:
    """Return the claim about the problem."""
    return ProblemClass(read.class_label).word


def judge_variant(read: VariantRecord, record: Mapping[str, Any], solver: Solver, path: Path | None) -> Judgement:
    """Judge the record of a variant; its script is written to a path, if one is given.

    Raises:
        Refusal: a value cannot be read, or the constraints are no system.
        UntranslatableError: an expression holds what the theory of reals lacks.
        SolverError: the solver cannot read the script.
    """
    require_system(read.system, record["system"])
    edits = tuple((*edit.span, edit.before, edit.after) for edit in read.edits)
    text = content_text(record)
    reasons = "" if read.class_label == ProblemClass.CONTRADICTORY else read.reasoning_trace
    reason = (
        _form_problem(read)
        or _model_problem(read, record["models"])
        or VariantText(read.question, read.modified_problem_text, edits, read.system).problem(read.core, read.models)
        or _script_problem(read)
        or equation_problem("solution", read.solution or "")
        or equation_problem("reasoning_trace", reasons)
        or character_problem(record, text)
        or provenance_problem(read.provenance, read.model)
        or digest_problem(record, text)
    )
    if reason is not None:
        return Judgement(Status.REFUTED, reason)
    if path is not None:
        path.write_text(read.certificate.smtlib, encoding="ascii")
    return _solved(read, solver)


def _form_problem(read: VariantRecord) -> str | None:
    problem_class, claim = ProblemClass(read.class_label), f"{claim_of_variant(read)} problems"
    solvable, contradictory = problem_class is ProblemClass.SOLVABLE, problem_class is ProblemClass.CONTRADICTORY
    if read.certificate.expect != expected_answer(problem_class):
        return f"{claim} expect {expected_answer(problem_class)}, not {read.certificate.expect}"
    if contradictory is not bool(read.core):
        return f"{claim} have {'a' if contradictory else 'no'} core"
    if solvable is (read.gold is None) or solvable is (read.solution is None):
        return f"{claim} have {'a' if solvable else 'no'} solution and gold answer"
    if not solvable and (not read.edits or read.twin_of is not None):
        return f"{claim} are edited, and no twins"
    if len(read.models) != _MODELS[problem_class]:
        return f"{claim} have {_MODELS[problem_class]} models, not {len(read.models)}"
    unknown = next((name for name in read.core if name not in read.system.constraints), None)
    return None if unknown is None else f"the core names {unknown[:60]!r}, which is no constraint"


def _model_problem(read: VariantRecord, form: Sequence[Mapping[str, str]]) -> str | None:
    """Return why the models, of this JSON form, do not prove the class, by exact evaluation."""
    system = read.system
    for written, model in zip(form, read.models, strict=True):
        odd = next((name for name, value in model.items() if format_exact(value) != written[name]), None)
        if odd is not None:
            return f"the value of {odd[:60]!r} is {format_exact(model[odd])[:40]} in other digits"
        if model.keys() != set(system.variables):
            return f"a model gives {len(model)} values to {len(system.variables)} variables"
        try:
            completed = solution(system, model)
        except VariantNotCertified as error:
            return str(error)
        broken = next((name for name in completed if completed[name] != model[name]), None)
        if broken is not None:
            given, told = format_exact(completed[broken])[:40], written[broken][:40]
            return f"a model says that {broken[:60]!r} is {told}, the constraints give {given}"
    match read.models:
        case [first, second] if first[system.answer] == second[system.answer]:
            return f"both models give the answer {format_exact(first[system.answer])[:40]}"
        case [model]:
            return _gold_problem(read.gold or "", read.solution or "", model[system.answer])
    return None


def _gold_problem(gold: str, told: str, answer: Exact) -> str | None:
    number = read_gold(gold, told)
    match = None if number is None else match_gold(Fraction(answer), number)
    if match is None or not match.reached or match.method == "rounded":
        return f"the gold answer is {gold[:40]!r}, the answer is {format_exact(answer)[:40]}"
    return None if told.rstrip().endswith(f"#### {gold}") else f"the solution does not end in '#### {gold[:40]}'"


def _script_problem(read: VariantRecord) -> str | None:
    match read.models:
        case []:
            due = contradiction(read.system, read.core)
        case [model]:
            due = uniqueness(read.system, model, model[read.system.answer])
        case models:
            due = ambiguity(read.system, models)
    return None if due == read.certificate.smtlib else "the script is not what system, core and models say"


def _solved(read: VariantRecord, solver: Solver) -> Judgement:
    """Put the script to a solver, and the core of a contradiction by itself."""
    system = read.system
    asked = [("the constraints", system, read.certificate.smtlib)]
    if read.class_label == ProblemClass.CONTRADICTORY:
        asked.append(("the core", restricted_system(system, read.core), partial_script(system, read.core)))
    for what, constraints, text in asked:
        # The models of an underspecified problem give every variable its value.
        if read.class_label != ProblemClass.UNDERSPECIFIED and not is_piecewise_linear(constraints):
            reason = f"{what}: no solver ends on what is nonlinear in {', '.join(constraints.free)[:80]}"
            return Judgement(Status.UNKNOWN, reason)
        (answer,) = solver.decide(text)
        if answer != read.certificate.expect:
            status = Status.UNKNOWN if answer == "unknown" else Status.REFUTED
            return Judgement(status, f"the solver says {answer} of {what}, not {read.certificate.expect}")
    return Judgement(Status.CONFIRMED)
