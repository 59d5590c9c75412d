"""The snapshot text of a variant operator: a sample of its edited problems with class, reason and proof."""

from __future__ import annotations

import functools
import textwrap
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from harness.json_form import read_record
from harness.records.variant import VariantRecord
from harness.text.characters import replace_surrogates
from oracles.certificates.solvers import SolverName, open_solver
from properties.stages.certified_variants import make
from reports.views.variants import class_of, core_of, quantities_of
from snapshots.texts import bundled_corpus as bundled
from snapshots.texts.operator_sample import sample_variants
from snapshots.texts.operator_text import INDENT, NOTHING, Record, labelled_row, labelled_rows, operator_text
from snapshots.texts.worked_solution import WIDTH, exact, visible_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from snapshots.texts.subjects import OperatorSubject

SEED = 0
_LABEL = 11
_row = partial(labelled_row, width=_LABEL)
_rows = partial(labelled_rows, width=_LABEL)


def variants_text(subject: OperatorSubject) -> str:
    """Return the text of the snapshot of an operator."""
    chosen = sample_variants(bundled_variants().get(subject.operator, ()))
    return operator_text(subject.operator, chosen, bundled.problems(), text_of=variant_text, noun="variant")


def variant_text(variant: Record) -> str:
    """Return the text of a variant: its edits, its text, its class, the reasoning and the proof."""
    kind = class_of(_read(variant))
    twin = "" if variant["twin_of"] is None else ", near-twin"
    rows = [f"──── {kind}{twin}: {_changes(variant['edits'])}", ""]
    words = visible_text(" ".join(variant["modified_problem_text"].split()))
    rows += [f"{INDENT}{row}" for row in textwrap.wrap(words, WIDTH, break_long_words=False, break_on_hyphens=False)]
    rows += ["", *_wrapped("reasoning", variant["reasoning_trace"])]
    rows += _rows("clash", _core(variant))
    rows += _rows("solution" if len(variant["models"]) == 1 else "solutions", _models(variant))
    if variant["solution"] is not None and variant["edits"] and variant["twin_of"] is None:
        rows += _rows("written", variant["solution"].split("\n"))
    rows.append(_row("proved", f"a solver answers {variant['certificate']['expect']}"))
    return "".join(f"{row}\n" for row in rows)


def _read(variant: Record) -> VariantRecord:
    """Return the fields of a variant that its snapshot shows; record classes refuse lone surrogates, so these are replaced."""
    return read_record(VariantRecord, replace_surrogates(variant), fields=("class_label", "system", "core", "models"))


def _changes(edits: Sequence[Record]) -> str:
    said = [" → ".join(visible_text(edit[key].strip()) or NOTHING for key in ("before", "after")) for edit in edits]
    return "; ".join(said) or "as it stands"


def _wrapped(label: str, text: str) -> Iterator[str]:
    width = WIDTH - _LABEL - 2
    lines = textwrap.wrap(" ".join(text.split()), width, break_long_words=False, break_on_hyphens=False)
    return _rows(label, lines or [NOTHING])


def _core(variant: Record) -> list[str]:
    """Return the conflicting constraints as formulas with their words."""
    return [f"{said.formula}   “{said.words}”" for said in core_of(_read(variant))]


def _models(variant: Record) -> list[str]:
    """Return the answer of the only model, or the quantities that differ between two models."""
    quantities = list(quantities_of(_read(variant)))
    shown = [quantity for quantity in quantities if quantity.differs] or [
        quantity for quantity in quantities if quantity.asked
    ]
    return [
        f"{quantity.variable}{' (asked)' if quantity.asked else ''}: {' or '.join(map(_exact, quantity.values))}"
        for quantity in shown
    ]


def _exact(value: str) -> str:
    return exact(Fraction(value))


@functools.cache
def bundled_variants() -> Mapping[str, Sequence[Record]]:
    """Return the certified variants of the bundled problems, by operator."""
    variants_of: dict[str, list[Record]] = {}
    solver = open_solver(SolverName.Z3)
    for problem_id, problem in bundled.problems().items():
        for variant in make(problem, bundled.templates(problem_id), seed=SEED, solver=solver).records:
            variants_of.setdefault(variant["operator"], []).append(variant)
    return variants_of
