"""The snapshot text of a variant operator: a sample of its edited problems with class, reason and proof."""

from __future__ import annotations

import functools
import textwrap
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from harness.json_form import read_record
from harness.records.variant import VariantRecord
from harness.solution.template import may_be_template
from harness.text.printable_text import replace_surrogates
from oracles.certificates.solvers import SolverName, open_solver
from properties.stages.certified_variants import make
from reports.views.variants import class_of, core_of, quantities_of
from snapshots.texts import bundled_corpus as bundled
from snapshots.texts.operator_sample import sample_variants
from snapshots.texts.worked_solution import WIDTH, exact, heading, visible_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.domain import Problem, Response
    from snapshots.texts.subjects import OperatorSubject

SEED = 0
_INDENT = "    "
_LABEL = 11
_NOTHING = "—"
Record = dict[str, Any]


def variants_text(subject: OperatorSubject) -> str:
    """Return what the snapshot of an operator should say."""
    return operator_text(
        subject.operator, sample_variants(bundled_variants().get(subject.operator, ())), bundled.problems()
    )


def operator_text(operator: str, variants: Sequence[Record], problems: Mapping[str, Problem]) -> str:
    """Write some of an operator's variants, problem by problem, ending in a newline."""
    sections = [f"{visible_text(operator)}\n"]
    if not variants:
        sections.append(f"{_INDENT}makes no variant of the bundled problems\n")
    last = ""
    for variant in variants:
        if variant["problem_id"] != last:
            last = variant["problem_id"]
            sections.append(f"════ {heading(problems[last], prose=True)}")
        sections.append(variant_text(variant))
    return "\n".join(sections)


def variant_text(variant: Record) -> str:
    """Write one variant: what was edited, how it reads, its class, why, and what was proved."""
    kind = class_of(_read(variant))
    twin = "" if variant["twin_of"] is None else ", near-twin"
    rows = [f"──── {kind}{twin}: {_changes(variant['edits'])}", ""]
    words = visible_text(" ".join(variant["modified_problem_text"].split()))
    rows += [f"{_INDENT}{row}" for row in textwrap.wrap(words, WIDTH, break_long_words=False, break_on_hyphens=False)]
    rows += ["", *_wrapped("reasoning", variant["reasoning_trace"])]
    rows += _listed("clash", _core(variant))
    rows += _listed("solution" if len(variant["models"]) == 1 else "solutions", _models(variant))
    if variant["solution"] is not None and variant["edits"] and variant["twin_of"] is None:
        rows += _listed("written", variant["solution"].split("\n"))
    rows.append(_row("proved", f"a solver answers {variant['certificate']['expect']}"))
    return "".join(f"{row}\n" for row in rows)


def _read(variant: Record) -> VariantRecord:
    """Return what reports read of a variant; a lone surrogate, which record classes refuse, is replaced."""
    return read_record(VariantRecord, replace_surrogates(variant), fields=("class_label", "system", "core", "models"))


def _changes(edits: Sequence[Record]) -> str:
    said = [" → ".join(visible_text(edit[key].strip()) or _NOTHING for key in ("before", "after")) for edit in edits]
    return "; ".join(said) or "as it stands"


def _row(label: str, text: str) -> str:
    return f"{_INDENT}{label:<{_LABEL}}  {visible_text(text)}".rstrip()


def _wrapped(label: str, text: str) -> Iterator[str]:
    width = WIDTH - _LABEL - 2
    lines = textwrap.wrap(" ".join(text.split()), width, break_long_words=False, break_on_hyphens=False)
    return _listed(label, lines or [_NOTHING])


def _listed(label: str, rows: Sequence[str]) -> Iterator[str]:
    """Yield a row a text, the first beside the label."""
    for number, row in enumerate(rows):
        yield _row("" if number else label, row)


def _core(variant: Record) -> list[str]:
    """Return the constraints that clash, as formulas with the words that say them."""
    return [f"{said.formula}   “{said.words}”" for said in core_of(_read(variant))]


def _models(variant: Record) -> list[str]:
    """Return the answer of the one solution, or in what two of them differ."""
    quantities = list(quantities_of(_read(variant)))
    shown = [one for one in quantities if one.differs] or [one for one in quantities if one.asked]
    return [f"{one.variable}{' (asked)' if one.asked else ''}: {' or '.join(map(_exact, one.values))}" for one in shown]


def _exact(value: str) -> str:
    return exact(Fraction(value))


@functools.cache
def bundled_variants() -> Mapping[str, Sequence[Record]]:
    """Return what every operator makes of the bundled problems, with certificates."""
    found: dict[str, list[Record]] = {}
    solver = open_solver(SolverName.Z3)
    for problem_id, problem in bundled.problems().items():
        for variant in make(problem, _templates(problem_id), seed=SEED, solver=solver).variants:
            found.setdefault(variant["operator"], []).append(variant)
    return found


def _templates(problem_id: str) -> list[Response]:
    """Return the bundled templates of a problem in the order in which the variant stage tries them."""
    answered = bundled.responses().get(problem_id, {})
    return [answered[model] for model in sorted(answered) if may_be_template(answered[model])]
