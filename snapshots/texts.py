"""The texts of the snapshots: traces of worked solutions, flawed solutions and problem variants of the bundled corpus `mini`."""

import difflib
import functools
import hashlib
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from generators.formalizations.annotation_compiler import formalize
from harness.corpora.problems import CORPORA, load_corpus
from harness.corpora.responses import SpooledResponses
from harness.domain import Problem, Response
from harness.json_form import read_record
from harness.program.evaluation.evaluator import format_exact
from harness.program.refusal import ProgramError, Refusal
from harness.records.variant import VariantRecord
from harness.solution.solution_text import PlacedVariable, read_text, render_line
from harness.solution.template import may_be_template, read_template
from harness.solution.trace import Trace, TraceEntry, trace_program
from harness.text.characters import replace_surrogates
from properties.stages.mutation import make as make_flaws
from properties.stages.variant import make as make_variants
from reports.views.certified_records import class_of, core_of, quantities_of

CORPUS, SEED = "mini", 0
MODEL, COMPILED = "birch", "annotation"
"""The worked solutions of a problem: those of a model's template, and those compiled from the annotations of the gold solution."""
MOST_RECORDS = 12
WIDTH = 100
LABEL = 16
Record = dict[str, Any]


@functools.cache
def bundled_problems() -> Mapping[str, Problem]:
    """Return the bundled problems by id."""
    return {problem.problem_id: problem for problem in load_corpus(CORPUS)}


@functools.cache
def _responses() -> Mapping[str, Mapping[str, Response]]:
    return SpooledResponses([CORPORA / CORPUS / "formalizations.jsonl"], bundled_problems())


def _templates(problem_id: str) -> list[Response]:
    """Return the templates of a problem in the order in which the stages try them."""
    answered = _responses().get(problem_id, {})
    return [answered[model] for model in sorted(answered) if may_be_template(answered[model])]


def visible_text(text: str) -> str:
    r"""Return text on one line with invisible characters escaped; different texts give different results.

    >>> visible_text("a\u202eb \\ c")
    'a\\u202eb \\\\ c'
    """
    return "".join(sign if sign.isprintable() and sign != "\\" else repr(sign)[1:-1] for sign in text)


def trace_text(problem_id: str) -> str:
    """Return the traces of a problem: each line as it is rendered and with its variables, then the variables themselves."""
    problem = bundled_problems()[problem_id]
    rows = _heading(problem)
    for model in (MODEL, COMPILED):
        rows += ["", f"════ {model} ════"]
        try:
            template = read_template(formalize(problem) if model == COMPILED else _responses()[problem_id][model])
            trace = trace_program(template.program)
            text = read_text(problem, template, trace)
        except (Refusal, ProgramError) as reason:
            rows.append(f"no trace: {visible_text(str(reason))}")
            continue
        lines = {line.label: line for line in text.lines}
        for label in dict.fromkeys([None, *lines, *trace.lines()]):
            own = [entry for entry in trace.entries if entry.line == label]
            rows += [""] if own or label in lines else []
            if label in lines:
                line = lines[label]
                parts = (f"{{{part.variable}}}" if isinstance(part, PlacedVariable) else part for part in line.parts)
                rows.append(_entry(label, render_line(line, text.values)))
                rows.append(_entry("", "".join(parts)))
                rows += [_entry("unplaced", f"“{literal.text}” {literal.candidates}") for literal in line.literals]
            rows += [_entry(str(entry.role), _equation(entry, trace)) for entry in own]
        rows += [_entry("mismatch", f"{found.line}: {found.cause}: {found.given}") for found in text.mismatches]
        rows += ["", _entry("result", f"{format_exact(trace.answer.value)}, gold {problem.gold}")]
    return _page(rows)


def _equation(entry: TraceEntry, trace: Trace) -> str:
    """Return a variable with its expression, its value, the comment on it and the variables that read it."""
    equation = " = ".join(filter(None, (entry.variable, entry.code, format_exact(entry.value))))
    readers = ", ".join(reader.variable for reader in trace.entries if entry.variable in reader.reads)
    return " ".join(filter(None, (equation, f"→ {readers}" if readers else "", entry.comment and f"“{entry.comment}”")))


def flaws_text(operator: str) -> str:
    """Return a sample of the flawed solutions of an operator or a slip."""
    return operator_text(operator, _by_operator(_flaws).get(operator, []), _flaw_rows)


def variants_text(operator: str) -> str:
    """Return a sample of the problem variants of an operator, near-twins among them."""
    return operator_text(operator, _by_operator(_variants).get(operator, []), _variant_rows)


def _flaws(problem: Problem) -> list[Record]:
    return make_flaws(problem, _templates(problem.problem_id), seed=SEED).records


def _variants(problem: Problem) -> list[Record]:
    return make_variants(problem, _templates(problem.problem_id), seed=SEED).records


@functools.cache
def _by_operator(made: Callable[[Problem], Iterable[Record]]) -> dict[str, list[Record]]:
    records: dict[str, list[Record]] = {}
    for problem in bundled_problems().values():
        for record in made(problem):
            records.setdefault(record["operator"], []).append(record)
    return records


def operator_text(operator: str, records: Sequence[Record], rows_of: Callable[[Record], Iterable[str]]) -> str:
    """Return the records that a digest of their changes draws: another record replaces few of those that are shown."""
    drawn = sorted(records, key=lambda record: (_rank(records, record), _digest(record)))[:MOST_RECORDS]
    rows, last = [operator], ""
    for record in sorted(drawn, key=lambda record: (record["problem_id"], _digest(record))):
        if record["problem_id"] != last:
            last = record["problem_id"]
            rows += ["", f"════ {last}", "", *_heading(bundled_problems()[last])[2:]]
        rows += ["", *rows_of(record)]
    return _page(rows if drawn else [operator, "", "makes nothing of the bundled problems"])


def _rank(records: Sequence[Record], record: Record) -> int:
    """Return the place of a record among those of its problem: the first of every problem come before the second ones."""
    same = sorted(_digest(other) for other in records if other["problem_id"] == record["problem_id"])
    return same.index(_digest(record))


def _digest(record: Record) -> str:
    changes = record.get("mutation") or record["edits"]
    return hashlib.sha256(f"{record['problem_id']} {changes}".encode("utf-8", "backslashreplace")).hexdigest()


def _flaw_rows(flaw: Record) -> Iterator[str]:
    change, details = flaw["mutation"], flaw["label"]["error_details"]
    yield visible_text(f"──── {change['line']} {change['variable']}: {change['from']} → {change['to']}")
    compared = difflib.ndiff(flaw["solution"].split("\n"), flaw["flawed_solution"].split("\n"))
    yield from (visible_text(f"    {line}") for line in compared if line.startswith(("- ", "+ ")))
    values = (f"{value['variable']}: {value['before']} → {value['after']}" for value in flaw["values"])
    yield from _block("values", values)
    yield _entry("label", f"{details['error_type']} on {details['erroneous_line_number']}, {flaw['position']}")
    yield from _block("explanation", _wrapped(details["explanation"]))
    yield from _block("correction", _wrapped(details["correction"]))
    yield _entry("plausible", f"{flaw['plausibility']['score']:.2f}: {'; '.join(flaw['plausibility']['reasons'])}")
    yield from _block("needs edit", flaw["edits"])
    yield _entry("certificate", flaw["certificate"]["claim"])


def _variant_rows(variant: Record) -> Iterator[str]:
    read = read_record(VariantRecord, replace_surrogates(variant))
    edits = "; ".join(f"{edit['before'].strip()} → {edit['after'].strip()}" for edit in variant["edits"])
    twin = "" if variant["twin_of"] is None else ", near-twin"
    yield visible_text(f"──── {class_of(read)}{twin}: {edits or 'as it stands'}")
    yield from _block("problem", _wrapped(variant["modified_problem_text"]))
    yield from _block("reasoning", _wrapped(variant["reasoning_trace"]))
    yield from _block("clash", (f"{constraint.formula}   “{constraint.words}”" for constraint in core_of(read)))
    told = [quantity for quantity in quantities_of(read) if len(set(quantity.values)) > 1 or quantity.asked]
    yield from _block("models", (f"{quantity.variable}: {' or '.join(quantity.values)}" for quantity in told))
    yield _entry("proved", f"a solver answers {variant['certificate']['expect']}")


def _heading(problem: Problem) -> list[str]:
    tier = "" if problem.tier is None else f", tier {problem.tier}"
    return [f"{problem.problem_id}{tier}", "", *_block("", _wrapped(problem.question))]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(" ".join(text.split()), WIDTH, break_long_words=False, break_on_hyphens=False)


def _block(label: str, texts: Iterable[str]) -> Iterator[str]:
    """Yield a row for each text, with the label beside the first."""
    for number, text in enumerate(texts):
        yield _entry("" if number else label, text)


def _entry(label: str | None, text: str) -> str:
    return f"{label or '':<{LABEL}}{visible_text(text)}"


def _page(rows: Iterable[str]) -> str:
    return "".join(f"{row.rstrip()}\n" for row in rows)
