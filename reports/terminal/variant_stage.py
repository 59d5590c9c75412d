"""Terminal summary of the variant stage: variants by class and operator, and the reasons for discarded edits."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.text import Text

from harness.stages import VARIANT
from reports.terminal.run_summary import command_of
from reports.terminal.stage_tables import counts, discards, figure, figures, print_sections, reasons
from reports.views.artefacts import open_stage
from reports.views.flaw_phrases import DiscardReason, spaced
from reports.views.operator_figures import OperatorFigures as Base, StageFigures
from reports.views.printable_text import one_line
from reports.views.records import VARIANT_CLASSES
from reports.views.variant_content import class_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from rich.console import Console, RenderableType
    from rich.table import Table

    from reports.views.artefacts import SealedStage
    from reports.views.records import Variant

REASONS: Mapping[str, DiscardReason] = {
    "no_place": DiscardReason("no place", "Nothing in the problem can be edited so."),
    "unlocated": DiscardReason("not located", "The value has no place of its own in the text."),
    "unwritable": DiscardReason("unwritable", "A value cannot be written where another stood."),
    "absurd": DiscardReason("absurd value", "A value would be absurd for its unit."),
    "stale": DiscardReason("old value left", "Other words of the problem would still say the old value."),
    "grammar": DiscardReason("no sentence", "What is left is no sentence."),
    "recoverable": DiscardReason("recoverable", "The rest of the problem still gives the value."),
    "same_answer": DiscardReason("same answer", "The answer does not depend on it."),
    "unchanged": DiscardReason("unchanged", "The edit leaves the text as it was."),
    "duplicate": DiscardReason("duplicate", "Another edit gives the very same text."),
    "disputed": DiscardReason("disputed", "Two operators give the same text different classes."),
    "twinless": DiscardReason("without its twin", "The variant that it is a near-twin of was not kept."),
    "undecided": DiscardReason("undecided", "The solver reached its limit without an answer."),
    "untranslatable": DiscardReason("untranslatable", "A step has no translation that a solver reads."),
    "doubted": DiscardReason("doubted", "The record, read again, does not say for certain what its label says."),
}


def reason_of(why: str) -> DiscardReason:
    """Return what a reason says; one that is not known says its own name."""
    return REASONS.get(why) or DiscardReason(spaced(why), spaced(why))


@dataclass(slots=True)
class VariantOperatorFigures(Base):
    """What one operator made: variants by class, near-twins beside them, and edits discarded by reason.

    `refused` proposals claimed what is false, and are not among the variants.
    """

    classes: Counter[str] = field(default_factory=Counter)
    twins: int = 0

    @property
    def variants(self) -> int:
        """Return how many variants it made, near-twins aside."""
        return self.classes.total()

    @property
    def class_name(self) -> str:
        """Return the class of most of its variants, empty where it made none."""
        return max(sorted(self.classes), key=lambda name: self.classes[name], default="")


@dataclass(slots=True)
class VariantFigures(StageFigures[VariantOperatorFigures]):
    """The figures of a variant stage."""

    classes: Counter[str] = field(default_factory=Counter)

    def new_operator(self, name: str) -> VariantOperatorFigures:
        """Return an operator that made nothing so far."""
        return VariantOperatorFigures(name)

    def add(self, variant: Variant) -> None:
        """Count a variant."""
        operator = self.operator(variant["operator"])
        self.classes[class_of(variant)] += 1
        if variant["twin_of"] is None:
            operator.classes[class_of(variant)] += 1
        else:
            operator.twins += 1

    def complete(self, stage: SealedStage) -> None:
        """Count what the stage says beside its records, once all of them are added."""
        self.finish(stage, stage.discarded_edits())

    @property
    def variants(self) -> int:
        """Return how many variants there are, near-twins and all."""
        return self.classes.total()

    @property
    def twins(self) -> int:
        """Return how many of them are near-twins of others."""
        return sum(operator.twins for operator in self.operators.values())

    def by_class(self) -> Iterator[tuple[str, list[VariantOperatorFigures]]]:
        """Yield the classes, each with its operators; what made nothing comes last, without one."""
        for name in (*VARIANT_CLASSES, *sorted(set(self.classes) - set(VARIANT_CLASSES)), ""):
            found = [operator for operator in self.operators.values() if operator.class_name == name]
            if found:
                yield name, sorted(found, key=lambda operator: (-operator.variants, operator.name))


def print_variants(run: Path, console: Console) -> None:
    """Print how many variants each operator made, and why others were not made; no line is wider than the console.

    Raises:
        ReportError: the stage is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run, VARIANT)
    varied = VariantFigures()
    for variant in stage.variants():
        varied.add(variant)
    varied.complete(stage)
    console.print(_heading(run, varied))
    sections: list[tuple[str, RenderableType]] = [
        ("Operators by class", _operators(varied)),
        ("Why edits were discarded", reasons(varied.discarded(), reason_of)),
        ("Formalizations that problems were read by", counts(varied.sources)),
        ("Problems left out", counts(varied.unfit)),
    ]
    print_sections(console, sections)
    _commands(run, console)


def _heading(run: Path, varied: VariantFigures) -> Text:
    text = Text.assemble((one_line(run.name), "bold"), "  variant, sealed\n")
    text.append(f"{varied.variants:,} variants", style="bold green")
    text.append(f" of {varied.fruitful:,} of {varied.problems:,} problems, each with a certificate: ")
    text.append(", ".join(f"{count:,} {one_line(name)}" for name, count in sorted(varied.classes.items())) or "none")
    text.append(f"; {varied.twins:,} of them are near-twins")
    refused = varied.refused
    return text.append(f"; {refused:,} were refused a certificate", style="bold red") if refused else text


def _operators(varied: VariantFigures) -> Table:
    table = figures()
    table.add_column("operator", overflow="ellipsis", no_wrap=True)
    for title in ("variants", "twins"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("discarded", overflow="fold", style="dim")
    for name, operators in varied.by_class():
        variants, twins = (sum(getattr(operator, key) for operator in operators) for key in ("variants", "twins"))
        heading = Text(one_line(name or "made nothing"), style="bold")
        table.add_row(heading, Text(figure(variants), style="bold"), figure(twins))
        for operator in operators:
            table.add_row(Text(f"  {one_line(spaced(operator.name))}"), *_figures_of(operator))
    return table


def _figures_of(operator: VariantOperatorFigures) -> list[Text]:
    told = discards(operator.refused, operator.discarded, reason_of)
    return [Text(figure(operator.variants), style="green"), Text(figure(operator.twins)), told]


def _commands(run: Path, console: Console) -> None:
    command = command_of(run)
    console.print(Text(f"\nlook at one:   {command} --variant ID", style="bold"), soft_wrap=True)
    console.print(Text("               ID of a problem: its variants, a line each", style="dim"), soft_wrap=True)
    console.print(Text(f"in a browser:  {command} --variants", style="bold"), soft_wrap=True)
