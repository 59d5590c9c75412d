"""The page `variants.html`: problem variants of a run beside their original problems."""

from pathlib import Path

from harness.records.variant import VariantRecord
from reports.html.certified_page import CertifiedPage, piece_rows
from reports.html.page import Row
from reports.views.record_titles import VARIANT_CLASSES
from reports.views.source_phrases import provenance_phrase
from reports.views.variants import VARIANTS, class_claim, class_of, core_of, quantities_of, text_pieces

# Ten operators and their near-twins: a page of 0.5 MB that a person can look through, of any number made.
SAMPLED = 60
LONGEST_SHOWN = 200


def write_variants(run: Path) -> Path:
    """Write `run/report/variants.html`, one self-contained page, and return its path.

    The page counts all variants and holds a sample of them: at most `SAMPLED` an operator, spread over variants,
    near-twins and tiers. Where these are not all, files beside it list all.

    Raises:
        ReportError: the variant stage of `run` is missing, not sealed, or was changed after it was sealed.
    """
    return _PAGE.write(run)


def _change(variant: VariantRecord) -> str:
    """Return the edits in a line of bounded length."""
    edits = "; ".join(f"{edit.before or '–'} → {edit.after or '–'}" for edit in variant.edits) or "nothing"
    return edits if len(edits) <= LONGEST_SHOWN else f"{edits[: LONGEST_SHOWN - 1]}…"


def _details(variant: VariantRecord) -> Row:
    before, after = text_pieces(variant)
    return [
        piece_rows(before),
        piece_rows(after),
        variant.model,
        [[constraint.formula, constraint.kind, constraint.words] for constraint in core_of(variant)],
        [
            [quantity.variable, quantity.words, list(quantity.values), int(quantity.asked)]
            for quantity in quantities_of(variant)
        ],
        variant.certificate.smtlib,
        [class_claim(variant), variant.certificate.expect],
        variant.solution,
        provenance_phrase(variant.provenance, variant.model),
    ]


_PAGE: CertifiedPage[VariantRecord] = CertifiedPage(
    kind=VARIANTS,
    sampled=SAMPLED,
    stratum=lambda variant: (str(variant.twin_of is None), str(variant.tier)),
    cells=lambda variant: [class_of(variant), variant.twin_of, _change(variant), variant.reasoning_trace],
    details=_details,
    search="Search id, text or reasoning",
    scripts=("variants.js",),
    facts={"classes": VARIANT_CLASSES},
    styles=("variants.css",),
)
