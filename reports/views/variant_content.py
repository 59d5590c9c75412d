"""Content of a variant record for display: text differences, constraints as formulas, and quantities of its models."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reports.views.records import VARIANT_CLASSES, Variant
from reports.views.solution_diff import Pieces, TextPiece

_BOUNDS = {"whole": "{variable} is whole", "not_negative": "{variable} >= 0", "at_most": "{variable} <= {limit}"}


@dataclass(frozen=True, slots=True)
class StatedConstraint:
    """A constraint: what says it, as a formula, and in whose words."""

    kind: str
    formula: str
    words: str


def class_of(variant: Variant) -> str:
    """Return the name of a variant's class."""
    label = variant["class_label"]
    return VARIANT_CLASSES[label] if 0 <= label < len(VARIANT_CLASSES) else str(label)


def text_pieces(variant: Variant) -> tuple[Pieces, Pieces]:
    """Return the original and the edited text in pieces, those marked that the other lacks."""
    original, before, after, end = variant["question"], list[TextPiece](), list[TextPiece](), 0
    for edit in variant["edits"]:
        start, stop = edit["span"]
        for pieces in (before, after):
            pieces.append(TextPiece(original[end:start], changed=False))
        before.append(TextPiece(edit["before"], changed=True))
        after.append(TextPiece(edit["after"], changed=True))
        end = stop
    for pieces in (before, after):
        pieces.append(TextPiece(original[end:], changed=False))
    return tuple(filter(_holds, before)), tuple(filter(_holds, after))


def _holds(piece: TextPiece) -> bool:
    return bool(piece.text)


def constraints_of(variant: Variant) -> Mapping[str, StatedConstraint]:
    """Return what an edited problem says of its quantities, by the names of its constraints."""
    system = variant["system"]
    said = {}
    for fact in system["facts"]:
        kind = "the text" if fact["source"] == "text" else "everybody knows"
        said[fact["name"]] = StatedConstraint(kind, f"{fact['variable']} = {fact['value']}", fact["words"])
    for step in system["steps"]:
        said[step["name"]] = StatedConstraint("it follows", f"{step['variable']} = {step['expression']}", step["words"])
    for bound in system["bounds"]:
        formula = _BOUNDS.get(bound["kind"], bound["kind"]).format(variable=bound["variable"], limit=bound["limit"])
        said[bound["name"]] = StatedConstraint("its kind", formula, bound["words"])
    return said


def core_of(variant: Variant) -> Iterator[StatedConstraint]:
    """Yield the constraints that clash."""
    said = constraints_of(variant)
    for name in variant["core"]:
        yield said.get(name, StatedConstraint("", name, ""))


@dataclass(frozen=True, slots=True)
class VariantQuantity:
    """A variable: whose words give it, its value in each model, and whether these differ."""

    variable: str
    words: str
    values: tuple[str, ...]
    asked: bool

    @property
    def differs(self) -> bool:
        """Tell whether the models disagree about it."""
        return len(set(self.values)) > 1


def quantities_of(variant: Variant) -> Iterator[VariantQuantity]:
    """Yield the variables of the models in their order."""
    system, models = variant["system"], variant["models"]
    words = {one["variable"]: one["words"] for one in (*system["steps"], *system["facts"])}
    for name in dict.fromkeys(name for model in models for name in model):
        values = tuple(model.get(name, "–") for model in models)
        yield VariantQuantity(name, words.get(name, "the text does not say"), values, name == system["answer"])
