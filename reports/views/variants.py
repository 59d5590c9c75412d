"""Problem variants as reports show them: the declaration of their stage, edits, constraints as formulas, and models."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from harness.program.evaluation.evaluator import format_exact
from harness.program.syntax.unparser import unparse
from harness.records.variant import DiscardedEdit, VariantRecord
from harness.stages import VARIANT
from reports.views.certified_stage import CertifiedStage
from reports.views.phrases import VARIANT_CLASSES
from reports.views.solution_diff import Pieces, TextPiece
from reports.views.tables import Tone

_BOUNDS = {"whole": "{variable} is whole", "not_negative": "{variable} >= 0", "at_most": "{variable} <= {limit}"}

CLASS_TONES = {"contradictory": Tone.BAD, "solvable": Tone.GOOD, "underspecified": Tone.FAIR}
CLASS_CLAIMS = {
    "contradictory": "no values meet what the problem says",
    "solvable": "there is a solution, and no other gives another answer",
    "underspecified": "two solutions meet all that the problem says, and their answers differ",
}
REASONS: Mapping[str, str] = {
    "no_place": "No part of the problem allows this edit.",
    "unlocated": "The place of the value in the text is unknown.",
    "unwritable": "A value cannot be written in the place of another.",
    "absurd": "A value would be absurd for its unit.",
    "stale": "Other words of the problem would still say the old value.",
    "grammar": "The remaining text is not a sentence.",
    "recoverable": "The rest of the problem still gives the value.",
    "open": "More than the problem tells may belong to it.",
    "same_answer": "The answer does not depend on the edited value.",
    "unchanged": "The edit leaves the text as it was.",
    "duplicate": "Another edit gives the same text.",
    "disputed": "Two operators give the same text different classes.",
    "twinless": "The variant that it is a near-twin of was discarded, or another operator made it first.",
    "unpaired": "Another variant of its problem has a near-twin, or comes before it.",
    "undecided": "The solver reached its limit without an answer.",
    "untranslatable": "A step cannot be translated for a solver.",
    "doubted": "The record, read again, does not certainly match its label.",
}


@dataclass(frozen=True, slots=True)
class StatedConstraint:
    """A constraint: its source, its formula, and the words that state it."""

    kind: str
    formula: str
    words: str


def class_of(variant: VariantRecord) -> str:
    """Return the name of a variant's class."""
    return VARIANT_CLASSES[variant.class_label]


def class_claim(variant: VariantRecord) -> str:
    """Return what the certificate of a variant proves."""
    return CLASS_CLAIMS[class_of(variant)]


def text_pieces(variant: VariantRecord) -> tuple[Pieces, Pieces]:
    """Return the original and the edited text in pieces; pieces that the other text lacks are marked."""
    before, after, end = list[TextPiece](), list[TextPiece](), 0
    for edit in variant.edits:
        for pieces, text in ((before, edit.before), (after, edit.after)):
            pieces += [TextPiece(variant.question[end : edit.span[0]], changed=False), TextPiece(text, changed=True)]
        end = edit.span[1]
    rest = TextPiece(variant.question[end:], changed=False)
    return tuple(piece for piece in (*before, rest) if piece.text), tuple(
        piece for piece in (*after, rest) if piece.text
    )


def core_of(variant: VariantRecord) -> list[StatedConstraint]:
    """Return the constraints of the unsatisfiable core."""
    constraints = dict[str, StatedConstraint]()
    for fact in variant.system.facts:
        kind, formula = "the text" if fact.source == "text" else "everybody knows", format_exact(fact.value)
        constraints[fact.name] = StatedConstraint(kind, f"{fact.variable} = {formula}", fact.words)
    for step in variant.system.steps:
        formula = f"{step.variable} = {unparse(step.expression)}"
        constraints[step.name] = StatedConstraint("it follows", formula, step.words)
    for bound in variant.system.bounds:
        formula = _BOUNDS[bound.kind].format(variable=bound.variable, limit=bound.limit)
        constraints[bound.name] = StatedConstraint("its kind", formula, bound.words)
    return [constraints.get(name, StatedConstraint("", name, "")) for name in variant.core]


@dataclass(frozen=True, slots=True)
class VariantQuantity:
    """A variable: the words that state it, its value in each model, and whether the question asks for it."""

    variable: str
    words: str
    values: tuple[str, ...]
    asked: bool


def quantities_of(variant: VariantRecord) -> Iterator[VariantQuantity]:
    """Yield the variables of the models in their order."""
    system, models = variant.system, variant.models
    words = {step.variable: step.words for step in system.steps} | {fact.variable: fact.words for fact in system.facts}
    for name in dict.fromkeys(name for model in models for name in model):
        values = tuple(model.get(name, "–") for model in models)
        yield VariantQuantity(name, words.get(name, "the text does not say"), values, name == system.answer)


VARIANTS: CertifiedStage[VariantRecord] = CertifiedStage(
    stage=VARIANT,
    noun="variant",
    title="variant",
    change="edit",
    group="class",
    marked="twins",
    marked_phrase="are near-twins",
    origin="Formalizations that problems were read by",
    reasons=REASONS,
    record_class=VariantRecord,
    artefacts=("variants.jsonl",),
    discard_class=DiscardedEdit,
    id_of=lambda variant: variant.variant_id,
    group_of=class_of,
    is_marked=lambda variant: variant.twin_of is not None,
)
