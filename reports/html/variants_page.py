"""The page `variants.html`: problem variants of a run beside their original problems."""

from collections import Counter
from pathlib import Path
from typing import Any

from harness.stages import VARIANT
from reports.html.page import Page, write_page
from reports.html.page_data import InternedTexts, Row, chunks_of, dump_compact, require_problem, run_facts
from reports.terminal.variant_stage import VariantFigures, reason_of
from reports.views.artefacts import SealedStage, open_stage
from reports.views.operator_figures import ranked
from reports.views.records import VARIANT_CLASSES, Variant
from reports.views.solution_diff import Pieces
from reports.views.stratified_sample import Sample
from reports.views.variant_content import class_of, core_of, quantities_of, text_pieces

# Ten operators and their near-twins: a page of 0.5 MB that a person can look through, of any number made.
SAMPLED = 60
LONGEST_SHOWN = 200


def write_variants(run: Path) -> Path:
    """Write `run/report/variants.html`, one self-contained page, and return its path.

    It counts all variants and holds a sample of them: at most `SAMPLED` an operator, spread over variants, near-twins and
    tiers. The page is replaced atomically: a reader finds the old one or the new one, whole.

    Raises:
        ReportError: the variant stage of `run` is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run, VARIANT)
    varied, samples = VariantFigures(), dict[str, Sample[Variant]]()
    for variant in stage.variants():
        varied.add(variant)
        sample = samples.setdefault(variant["operator"], Sample(SAMPLED))
        sample.add((str(variant["twin_of"] is None), str(variant["tier"])), variant["variant_id"], variant)
    varied.complete(stage)
    variants = sorted(
        (variant for sample in samples.values() for variant in sample.items()),
        key=lambda variant: (variant["problem_id"], variant["variant_id"]),
    )
    page = Page(
        name="variants.html",
        template="derived.html",
        search="Search id, text or reasoning",
        index=_index(stage, varied, variants),
        chunks=chunks_of(map(_details, variants)),
        styles=("flaws.css", "variants.css"),
        scripts=("variant.js", "variants.js"),
        values={"group": "class", "change": "edit", "sources": "Read by", "has_matrix": False},
    )
    return write_page(run, page)


def _index(stage: SealedStage, varied: VariantFigures, variants: list[Variant]) -> dict[str, Any]:
    operators, classes = InternedTexts(), InternedTexts()
    for name in VARIANT_CLASSES:
        classes.number(name)
    wanted = {variant["problem_id"] for variant in variants}
    questions = {
        problem["problem_id"]: problem["question"] for problem in stage.problems() if problem["problem_id"] in wanted
    }
    places = {problem_id: place for place, problem_id in enumerate(questions)}
    rows = [
        [
            variant["variant_id"],
            require_problem(places, variant["problem_id"], "variants.jsonl", stage=VARIANT),
            operators.number(variant["operator"]),
            classes.number(class_of(variant)),
            variant["twin_of"],
            variant["tier"],
            _change(variant),
            variant["reasoning_trace"],
        ]
        for variant in variants
    ]
    return {
        **run_facts(stage),
        "operators": list(operators.numbers),
        "classes": list(classes.numbers),
        "problems": [[problem_id, question] for problem_id, question in questions.items()],
        "variants": rows,
        "most": SAMPLED,
        **_figures(varied, variants),
    }


def _change(variant: Variant) -> str:
    """Return what was edited, in a line of bounded length."""
    said = "; ".join(f"{edit['before'] or '–'} → {edit['after'] or '–'}" for edit in variant["edits"]) or "nothing"
    return said if len(said) <= LONGEST_SHOWN else f"{said[: LONGEST_SHOWN - 1]}…"


def _figures(varied: VariantFigures, variants: list[Variant]) -> dict[str, Any]:
    listed = Counter(variant["operator"] for variant in variants)
    return {
        "totals": [varied.variants, varied.twins, varied.fruitful, varied.problems],
        "sizes": [[name, varied.classes[name]] for name in VARIANT_CLASSES],
        "made": [
            [
                name,
                [
                    [
                        *(one.name, one.variants, one.twins, one.discarded.total(), one.refused),
                        *(listed[one.name], one.discards(reason_of)),
                    ]
                    for one in operators
                ],
            ]
            for name, operators in varied.by_class()
        ],
        "reasons": [
            [reason_of(why).brief, reason_of(why).sentence, count] for why, count in varied.discarded().most_common()
        ],
        "sources": ranked(varied.sources),
        "unfit": ranked(varied.unfit),
    }


def _details(variant: Variant) -> str:
    before, after = text_pieces(variant)
    return dump_compact(
        [
            _pieces(before),
            _pieces(after),
            variant["model"],
            [[one.formula, one.kind, one.words] for one in core_of(variant)],
            [[one.variable, one.words, list(one.values), int(one.asked)] for one in quantities_of(variant)],
            variant["certificate"]["smtlib"],
            variant["certificate"]["expect"],
            variant["solution"],
        ]
    )


def _pieces(pieces: Pieces) -> Row:
    return [[piece.text, int(piece.changed)] for piece in pieces]
