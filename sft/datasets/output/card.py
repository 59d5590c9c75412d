"""The card of a dataset: its contents, sources and licences, and the limits of what it can show."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sft.datasets.leakage.shortcuts import area, form_auc, shape_of
from sft.datasets.leakage.splits import SPLITS
from sft.datasets.level_labels import LABELS, LabelForm, Level, written_labels
from sft.datasets.output.output_files import PROBLEMS, SOLUTIONS
from sft.samples.trust import Trust

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sft.datasets.output.output_files import DatasetFolder
    from sft.datasets.selection import DatasetPlan, SelectedSamples

_HUB_LICENCES = {"mit": "mit", "apache-2.0": "apache-2.0", "cc by 4.0": "cc-by-4.0", "cc by-sa 4.0": "cc-by-sa-4.0"}
_ASKED = {
    Level.VERDICT: "question, solution → verdict",
    Level.PAIR: "question, correct and wrong solution → class of the error",
    Level.CLASS: "question, solution → verdict and class of the error",
    Level.CLASS_WITH_SKIPPED: "as level 3, with the class of skipped steps",
    Level.WHERE: "question, solution → JSON with verdict, type and line",
    Level.MAX: "as level 5, with the explanation",
    Level.VALIDATOR: "question → solvable, contradictory or underspecified, with the reason",
}
_HEAD = """\
# Solutions and problems whose judgement is known

Made by `oracle-factory datasets`. The same options, inputs and seed give the same bytes.
"""
_KEPT_OUT = """\
No problem of these lists and files is in any set: not by id, not with a run of 13 words of its question, not nearly the same
(half of the shorter question's runs of words, numbers masked, and again with names masked).
"""
LIMITS = """\
* Errors of sealed stages are made by operators, one a solution; people and models make others, and several at once.
* What follows a made error is consistent with it. A person who errs often errs again.
* Correct solutions are those of the corpus and of the same problems with other numbers; they are in the corpus's prose, so a
  verifier may learn its style for what is right. Flawed ones keep that prose but for the error.
* Renumbered problems occur with correct solutions only.
* Line and class of an external file are as it states them; where it judged the final answer alone, steps may be wrong unseen.
* Nearness of questions is judged by shared runs of words: a problem told in entirely other words is not recognised.
* What a corpus gives as a solution is taught as correct, its own slips too.
* Solutions are English, of grade-school arithmetic.
"""


@dataclass(slots=True)
class SampleTally:
    """Counts over the rows that were written."""

    rows: int = 0
    by: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    characters: Counter[str] = field(default_factory=Counter)

    def add(self, kind: str, record: Mapping[str, Any], text: str) -> None:
        """Count a record of a class."""
        self.rows += 1
        self.by["class"][kind] += 1
        self.characters[kind] += len(text)
        for name in ("error_type", "operator", "tier", "position", "source", "licence", "trust", "doubt"):
            value = record.get(name)
            self.by[name]["(none)" if value in {None, ""} else str(value)] += 1
        self.by["support"][_support(record)] += 1


def card_of(
    folder: DatasetFolder,
    plan: DatasetPlan,
    chosen: SelectedSamples,
    sources: Mapping[str, Any],
    protected: Mapping[str, Any],
    *,
    labels: LabelForm = LabelForm.WORDS,
) -> str:
    """Return the card of a folder in Markdown; the files are read again for it."""
    tallies = {
        (what, split): _tally(folder, what, split)
        for what in (SOLUTIONS, PROBLEMS)
        for split in SPLITS
        if f"{what}-{split}.jsonl" in folder.files
    }
    licences = sorted({name for tally in tallies.values() for name in tally.by["licence"]})
    parts = [
        _front(folder, licences),
        _HEAD,
        _section("Samples", _samples(tallies)),
        _section("Trust", _trust(tallies)),
        _section("Oracles", _oracles(tallies, weighted=plan.confidence.weighted)),
        _section("Levels", _levels(folder, labels)),
        _section("Sources and licences", _sources(tallies, sources)),
        _section("Protected problems", _protected(chosen, protected)),
        _section("Not used", _table(["reason", "samples"], sorted((+chosen.left).items()))),
        _section("Forms", _forms(folder)),
        _section("Drawn by", _plan(plan)),
        _section("Known limits", LIMITS),
    ]
    return "\n".join(parts)


def _section(title: str, text: str) -> str:
    return f"## {title}\n\n{text.rstrip()}\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    cells = [[_cell(cell) for cell in row] for row in rows]
    if not cells:
        return "None."
    return "\n".join(f"| {' | '.join(row)} |" for row in [list(head), ["---"] * len(head), *cells])


def _cell(value: Any) -> str:
    """Return a table cell; names from foreign files must not end it or begin markup."""
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.3f}"
    text = " ".join(str(value)[:120].split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("`", "'").replace("[", "\\[")


def _tally(folder: DatasetFolder, what: str, split: str) -> SampleTally:
    tally = SampleTally()
    for record in folder.rows(f"{what}-{split}.jsonl"):
        if what == PROBLEMS:
            tally.add(
                ("contradictory", "solvable", "underspecified")[record["class_label"]], record, record["question"]
            )
        else:
            kind = (record["error_class"] or "unknown_error") if record["flawed"] else "correct"
            tally.add(kind, record, record["solution"])
    return tally


def _samples(tallies: Mapping[tuple[str, str], SampleTally]) -> str:
    parts = []
    for what, names in (
        (SOLUTIONS, ("class", "error_type", "position", "tier")),
        (PROBLEMS, ("class", "operator", "tier")),
    ):
        counted = [(split, tallies[what, split]) for split in SPLITS if (what, split) in tallies]
        if not counted:
            continue
        rows = []
        for name in names:
            values = sorted({value for _, tally in counted for value in tally.by[name]})
            rows += [[name, value, *(tally.by[name][value] for _, tally in counted)] for value in values]
        total = sum((tally.characters for _, tally in counted), Counter[str]())
        count = sum((tally.by["class"] for _, tally in counted), Counter[str]())
        lengths = [[kind, count[kind], round(total[kind] / count[kind])] for kind in sorted(count)]
        parts += [
            f"### {what}\n",
            _table(
                ["", "", *(split for split, _ in counted)], [["all", "", *(tally.rows for _, tally in counted)], *rows]
            ),
            "",
            _table(["class", what, "characters on average"], lengths),
            "",
        ]
    return "\n".join(parts)


def _trust(tallies: Mapping[tuple[str, str], SampleTally]) -> str:
    """Return how many records there are of each kind of trust, and the doubts about those that were taken in spite of them."""
    counts: dict[str, Counter[str]] = {
        what: sum((tally.by["trust"] for (name, _), tally in tallies.items() if name == what), Counter[str]())
        for what in (SOLUTIONS, PROBLEMS)
    }
    doubts: Counter[str] = sum((tally.by["doubt"] for tally in tallies.values()), Counter[str]())
    rows = [[str(trust), trust.words, *(counts[what][str(trust)] for what in counts)] for trust in Trust]
    parts = [_table(["trust", "what it rests on", *counts], rows)]
    if told := sorted((doubt, count) for doubt, count in doubts.items() if doubt != "(none)"):
        parts += ["", _table(["doubt about what was taken unreviewed", "records"], told)]
    return "\n".join([*parts, "", "Samples that are not trusted enough are counted under *Not used*."])


def _oracles(tallies: Mapping[tuple[str, str], SampleTally], *, weighted: bool) -> str:
    """Return how many records rest on how many formalizations that agree, with the mean confidence."""
    counts: dict[str, Counter[str]] = {
        what: sum((tally.by["support"] for (name, _), tally in tallies.items() if name == what), Counter[str]())
        for what in (SOLUTIONS, PROBLEMS)
    }
    told = sorted(set().union(*counts.values()))
    rows = [[support, *(counts[what][support] for what in counts)] for support in told]
    weight = (
        "The column `weight` is the confidence; `oracle-factory train` multiplies the loss of a sample by it. Samples of labelled files weigh 1. "
        "TRL's own trainer passes over the column."
        if weighted
        else "Every sample weighs 1; `--weight-by-confidence` writes the confidence as the weight."
    )
    return f"{_table(['what the label rests on', *counts], rows)}\n\n{weight}"


def _support(record: Mapping[str, Any]) -> str:
    """Return the basis of a record, its confidence in quarters."""
    match record.get("clique_size"):
        case None:
            return "not recorded, or a labelled file"
        case 0:
            return "UT-1 alone: no formalization stage"
        case 1:
            return "an oracle alone, confidence 0"
        case size:
            quarter = math.floor(4 * (record.get("confidence") or 0.0)) / 4
            return f"an oracle of {size}, confidence {quarter:.2f} to {quarter + 0.25:.2f}"


def _levels(folder: DatasetFolder, labels: LabelForm) -> str:
    rows = []
    for level in Level:
        counts = [folder.files.get(f"level-{level}/{split}.jsonl", {}).get("records", 0) for split in SPLITS]
        if any(counts):
            rows.append([f"level-{level}", _ASKED[level], _answers(level, labels), *counts, folder.unfit[level]])
    return _table(["level", "asked → answered", f"answers as {labels}", *SPLITS, "not asked"], rows) + (
        "\n\nNot asked are those of which too little is known for the level, and those that no form gives back unchanged."
    )


def _answers(level: Level, labels: LabelForm) -> str:
    """Return the labels of a level, numbers with what they mean; empty for a level without labels."""
    if level not in LABELS:
        return ""
    words = [label.word for label in LABELS[level]]
    if labels is LabelForm.WORDS:
        return ", ".join(words)
    return ", ".join(f"{mark} {word}" for mark, word in zip(written_labels(level, labels), words, strict=True))


def _sources(tallies: Mapping[tuple[str, str], SampleTally], sources: Mapping[str, Any]) -> str:
    counts: Counter[str] = Counter()
    licences: Counter[str] = Counter()
    for tally in tallies.values():
        counts += tally.by["source"]
        licences += tally.by["licence"]
    return "\n".join(
        [
            _table(["source", "records"], sorted(counts.items())),
            "",
            _table(["licence", "records"], sorted(licences.items())),
            "",
            "Every record names its source and licence. Sources as they were read:",
            "",
            _table(["source", "SHA-256"], sorted(sources.items())),
        ]
    )


def _protected(chosen: SelectedSamples, protected: Mapping[str, Any]) -> str:
    rows = [(source, why, count) for (source, why), count in sorted(chosen.refused.items())]
    return "\n".join(
        [
            _KEPT_OUT,
            _table(["list or file", "problems"], sorted(protected.items())),
            "",
            f"Refused: {sum(chosen.refused.values()):,} samples.",
            "",
            _table(["source", "found by", "samples"], rows),
            "",
            _table(["found by", "problems"], sorted(chosen.refused_problems.items())),
        ]
    )


def _forms(folder: DatasetFolder) -> str:
    """Return the frequency of each form, its share of flawed solutions, and the ROC AUC of a classifier on forms alone."""
    name = f"level-{Level.VERDICT}"
    files = [f"{name}/{split}.jsonl" for split in SPLITS if f"{name}/{split}.jsonl" in folder.files]
    if not files:
        return "Samples stand in the form of their source; level 1 was not written, so no forms were counted."
    total: Counter[tuple[str, str]] = Counter()
    wrong: Counter[tuple[str, str]] = Counter()
    seen: list[tuple[str, str, bool]] = []
    lengths: list[tuple[float, bool]] = []
    for record in (record for file in files for record in folder.rows(file)):
        solution = record["prompt"].partition("\n\nSolution:\n")[2].rpartition("\n\n")[0]
        annotated, ending, start, lower = shape_of(solution)
        for part in (
            ("annotations", "yes" if annotated else "no"),
            ("ending", ending),
            ("lines begin with", start),
            ("lower case", "yes" if lower else "no"),
        ):
            total[part] += 1
            wrong[part] += record["flawed"]
        lengths.append((len(solution), record["flawed"]))
        seen.append((record["problem_id"], _outline(solution), record["flawed"]))
    rows = [[*part, total[part], wrong[part] / total[part]] for part in sorted(total)]
    return "\n".join(
        [
            "The form is drawn by a hash of the problem, the same for a correct solution and the flawed ones made of it.",
            "",
            _table(["", "", "solutions", "share flawed"], rows),
            "",
            (
                f"A classifier that sees the form alone (cross-fit by problem): area under the ROC curve {form_auc(seen):.3f}; "
                f"one that sees the solution's length alone: {area(lengths):.3f}."
            ),
        ]
    )


def _outline(solution: str) -> str:
    """Return a short text of the same shape, so that the texts of all samples fit into memory."""
    lines = [line for line in solution.split("\n") if line.strip()] or [""]
    mark = "<<>>" if "<<" in solution else ""
    case = "" if solution == solution.lower() else "A"
    return f"{lines[0][:12]}{mark}{case}\n{lines[-1][:16]}"


def _plan(plan: DatasetPlan) -> str:
    def told(shares: Mapping[str, float] | None) -> str:
        return "as they are" if shares is None else ", ".join(f"{name} {share:g}" for name, share in shares.items())

    rows = [
        ["seed", str(plan.seed)],
        ["at most of one problem and operator", str(plan.most)],
        ["unreviewed that something speaks against", "taken" if plan.include_unreviewed else "left out"],
        ["confidence of an oracle", f"at least {plan.confidence.thresholds.confidence:g}"],
        ["formalizations that agree on an oracle", f"at least {plan.confidence.thresholds.clique}"],
        ["weight of a sample", "the confidence of its oracle" if plan.confidence.weighted else "1"],
        ["balance of solutions", told(plan.solutions)],
        ["balance of problems", told(plan.problems)],
        ["weights", told(plan.weights) or "all alike"],
        ["shares of train, validation, test", ", ".join(f"{share:g}" for share in plan.splits)],
    ]
    split = "Problems with nearly the same question are in one split; splits are stratified by tier, class, type and position."
    return f"{_table(['', ''], rows)}\n\n{split}"


def _front(folder: DatasetFolder, licences: Sequence[str]) -> str:
    """Return the YAML head, by which the hub and `datasets.load_dataset` find the files."""
    named = sorted({_HUB_LICENCES.get(name.lower(), "other") for name in licences})
    lines = [
        "---",
        "language: en",
        "license:",
        *(f"- {name}" for name in named),
        "task_categories:",
        "- text-generation",
    ]
    lines += ["tags:", "- mathematics", "- verification", "configs:"]
    for config, pattern in [
        *((what, f"{what}-{{}}.jsonl") for what in (SOLUTIONS, PROBLEMS)),
        *((f"level-{level}", f"level-{level}/{{}}.jsonl") for level in Level),
    ]:
        files = [(split, pattern.format(split)) for split in SPLITS if pattern.format(split) in folder.files]
        if files:
            lines += [f"- config_name: {config}", "  data_files:"]
            lines += [
                line for split, file in files for line in (f"  - split: {split}", f"    path: {json.dumps(file)}")
            ]
    return "\n".join([*lines, "---", ""])
