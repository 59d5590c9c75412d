"""The five claims about a template: answer, structure, provenance, graph and lines, each with its verdict."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from harness.domain import Evidence, Exact, Problem, Response, Status, Verdict
from harness.program.evaluation.evaluator import Outcome, format_exact
from harness.program.lifter import Candidate, read_candidate
from harness.program.refusal import ProgramError, Refusal
from harness.solution.solution_text import SolutionText, read_text
from harness.solution.template import SolutionStep, Template, read_template
from harness.solution.trace import Trace, TraceEntry, VariableRole, trace_program
from harness.text.lexicon import english
from harness.text.numbers import mentions
from harness.text.units import KNOWN_CONSTANTS
from harness.text.words import words_of
from oracles.gold_answer_screening import screen

_ONE = english("provenance").words("one")


def provenance_evidence(question: str, inputs: Iterable[TraceEntry]) -> list[Evidence]:
    """Return the inputs whose stated origin is wrong.

    The value of a question input is one that a number of the question can mean: digits, words, `25%` as 25 or 0.25, `half` as
    1/2 or the divisor 2, `two dozen` as 24, `a` as 1. A world-knowledge input has a value that the question does not
    mention, unless it is one of the known constants.
    """
    found = []
    stated = _values_with_words(question)
    for entry in inputs:
        said, objection = f"{entry.variable} = {format_exact(entry.value)}", None
        if entry.role is VariableRole.INPUT:
            objection = "no provenance", said, "a quoting comment or # WK"
        elif entry.role is VariableRole.QUESTION_INPUT and entry.value not in stated:
            quoted = f"; the comment quotes {entry.comment!r}" if entry.comment else ""
            objection = "not in the question", said, f"a number of the question{quoted}"
        elif entry.role is VariableRole.WORLD_KNOWLEDGE_INPUT and entry.value in stated.keys() - KNOWN_CONSTANTS.keys():
            objection = "mentioned in the question", f"{said}, world knowledge", f"{stated[entry.value]!r}"
        if objection is not None:
            found.append(Evidence(entry.line or "?", *objection))
    return found


@lru_cache(maxsize=64)
def _values_with_words(question: str) -> dict[Exact, str]:
    """Return the values a question can mean, each with the words that say it."""
    stated: dict[Exact, str] = {}
    for mention in mentions(question):
        for value in mention.readings:
            stated.setdefault(value, mention.text)
    one = next((word for word in words_of(question) if word.lower() in _ONE), None)
    if one is not None:
        stated.setdefault(1, one)
    return stated


@dataclass(frozen=True, slots=True)
class TemplateReading:
    """A response read as a template, with its trace laid over the solution; `reason` says why it could not be."""

    response: Response
    template: Template | None
    trace: Trace | None
    text: SolutionText | None
    reason: str | None


def read_solution(problem: Problem, response: Response) -> TemplateReading:
    """Read a response as the template of a problem's solution; every refusal becomes the reading's reason."""
    try:
        template = read_template(response)
        trace = trace_program(template.program)
    except (Refusal, ProgramError) as refusal:
        return TemplateReading(response, None, None, None, str(refusal))
    return TemplateReading(response, template, trace, read_text(problem, template, trace), None)


def judge_template(problem: Problem, reading: TemplateReading) -> dict[str, Verdict]:
    """Judge the five claims about a template.

    The answer is UT-1's verdict. Of the others, REFUTED has the evidence line by line, UNKNOWN means that the template
    could not be read or traced; a CONFIRMED graph's reason lists the outputs the answer does not depend on.
    """
    verdicts = {"answer": replace(screen(problem, _candidate(reading)), claim="answer")}
    for claim, judge in _JUDGES.items():
        checked, faults, status, reason = 0, list[Evidence](), Status.UNKNOWN, reading.reason
        if reading.template is not None and reading.trace is not None and reading.text is not None:
            checked, faults, reason = judge(problem, reading.template, reading.trace, reading.text)
            status = Status.REFUTED if faults else Status.CONFIRMED
        if faults:
            first, more = faults[0], f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
            reason = f"{first.line}: {first.cause}: {first.found!r}, expected {first.expected!r}{more}"
        unknown, model = status is Status.UNKNOWN, reading.response.model
        judged = partial(Verdict, claim, problem.problem_id, model, None, status, "read" if unknown else claim)
        verdicts[claim] = judged(checked=checked, unsupported=int(unknown), reason=reason, findings=tuple(faults))
    return verdicts


Judged = tuple[int, list[Evidence], str | None]
"""The number of checks, the objections to the claim, and a remark if there are none."""


def _candidate(reading: TemplateReading) -> Candidate:
    if reading.template is None or reading.trace is None:
        return read_candidate(reading.response)
    return Candidate(reading.response, reading.template.program, Outcome(reading.trace.answer.value), None)


def _structure(_: Problem, template: Template, __: Trace, text: SolutionText) -> Judged:
    faults = [
        Evidence(mismatch.line, str(mismatch.cause), mismatch.given, mismatch.expected) for mismatch in text.mismatches
    ]
    return len(template.steps), faults, None


def _provenance(problem: Problem, _: Template, trace: Trace, __: SolutionText) -> Judged:
    inputs = [entry for entry in trace.entries if entry.role.is_input]
    return len(inputs), provenance_evidence(problem.question, inputs), None


def _graph(_: Problem, __: Template, trace: Trace, ___: SolutionText) -> Judged:
    dead = set(trace.dead())
    read = {name for entry in trace.entries for name in entry.reads}
    unused = [entry for entry in trace.entries if entry.role.is_input and entry.variable not in read]
    faults = [Evidence(entry.line or "?", "unused input", entry.variable, "every input is used") for entry in unused]
    outputs = [entry.variable for entry in trace.entries if entry.variable in dead and not entry.role.is_input]
    return len(trace.entries), faults, f"the answer does not need {', '.join(outputs)}" if outputs else None


def _lines(_: Problem, template: Template, trace: Trace, __: SolutionText) -> Judged:
    faults = sorted(_line_faults(template, trace), key=_by_line)
    return len(trace.lines()), faults, None


def _line_faults(template: Template, trace: Trace) -> Iterator[Evidence]:
    for entry in trace.entries:
        user = next((reader for reader in trace.entries if entry.variable in reader.reads), None)
        if entry.role.is_input and user is not None and user.line != entry.line:
            found = f"{entry.variable} under {entry.line}"
            yield Evidence(entry.line or "?", "declared early", found, f"under {user.line}, its first use")
    for label, count in Counter(step.line_number for step in template.steps).items():
        if count > 1:
            yield Evidence(label, "several steps", f"{count} steps of {label}", "one logical step a line")
    steps = {step.line_number: step for step in template.steps}
    for label in trace.lines():
        outputs = [entry.variable for entry in trace.on_line(label) if entry.role is VariableRole.OUTPUT]
        step = steps.pop(label, None)
        if label == "FA":
            continue
        if step is None:
            yield Evidence(label, "code without a step", f"code under # {label}", "a logical step of that line")
            continue
        if len(outputs) != 1:
            yield Evidence(label, "outputs", ", ".join(outputs) or "none", "exactly one output a line")
        elif step.output_variable != outputs[0]:
            yield Evidence(label, "output variable", str(step.output_variable), f"{outputs[0]}, as the code says")
        yield from _misplaced_inputs(step, trace)
    for label, step in steps.items():
        if step.output_variable is not None:
            yield Evidence(label, "step without code", step.output_variable or "no output", f"code under # {label}")


def _misplaced_inputs(step: SolutionStep, trace: Trace) -> Iterator[Evidence]:
    for field, names in (("question_inputs", step.question_inputs), ("WK_inputs", step.WK_inputs)):
        for name in names:
            entry = trace.by_name.get(name)
            if entry is None or not entry.role.is_input:
                due = f"an input; {name} is {'not in the code' if entry is None else 'computed'}"
                yield Evidence(step.line_number, "listed input", f"{name} in {field}", due)


def _by_line(fault: Evidence) -> tuple[int, str]:
    return (int(fault.line[1:]) if fault.line[1:].isdigit() else 0, fault.line)


_JUDGES: Mapping[str, Callable[[Problem, Template, Trace, SolutionText], Judged]] = {
    "structure": _structure,
    "provenance": _provenance,
    "graph": _graph,
    "lines": _lines,
}
CLAIMS = ("answer", *_JUDGES)
