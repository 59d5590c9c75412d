"""The card of a dataset: its contents, sources and licences, and the limits of what it can show."""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from operator import attrgetter
from typing import Any

from sft.datasets.leakage import SPLITS
from sft.datasets.levels import LABELS, LabelForm, Level, LevelForm
from sft.datasets.output import PROBLEMS, SOLUTIONS, STEPWISE, DatasetFolder
from sft.datasets.selection import DatasetPlan, SelectedSamples
from sft.datasets.sources import Material
from sft.samples.items import Sample, Trust

_HUB_LICENCES = {"mit": "mit", "apache-2.0": "apache-2.0", "cc by 4.0": "cc-by-4.0", "cc by-sa 4.0": "cc-by-sa-4.0"}
_TRUSTS = {
    Trust.GIVEN: "a correct solution of the corpus, or a record of a labelled file, as its source gives it",
    Trust.REVIEWED: "a flawed solution that a reviewer accepted",
    Trust.LABELLED: "a solution that a reviewer pasted and labelled: nothing proves the label, and the audit does not refute it",
    Trust.DIAGNOSED: "a solution of a model that an oracle judged; how strong its label is, the column `strength` says",
    Trust.CLEAN: "nobody reviewed it; it is proved, needs no edit, is plausible, and its audit is clean",
    Trust.WIDENED: "nobody reviewed it, and something speaks against it; taken by --include-unreviewed",
}
_TASKS = {
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
(half of the shorter question's runs of words, numbers masked, and again with names masked)."""
LIMITS = """\
* Errors of sealed stages are made by operators, one a solution; people and models make others, and several at once.
* What follows a made error is consistent with it. A person who errs often errs again.
* Correct solutions are those of the corpus and of the same problems with other numbers; they are in the corpus's prose, so a
  verifier may learn its style for what is right. Flawed ones keep that prose but for the error.
* Renumbered problems occur with correct solutions only.
* Line and class of an external file are as it states them; where it judged the final answer alone, steps may be wrong unseen.
* Nearness of questions is judged by shared runs of words: a problem told in entirely other words is not recognised.
* What a corpus gives as a solution is taught as correct, its own slips too.
* Solutions are English, of grade-school arithmetic."""
STRENGTHS = """\
`proved`: a program that is proved equal to the oracle for all inputs, the solution's own or that with one change of the line; `by value`: the final answer, and nothing
that is read is false; `located`: the line has the first result that no right way has; `verdict`: the final answer alone. All rest on the oracle, which is right with `p_right`. That is the probability of the verdict, not of the line:
people may name an earlier line as the first wrong one, of `located` more often than of `proved`."""


def card_of(
    folder: DatasetFolder,
    plan: DatasetPlan,
    chosen: SelectedSamples,
    sources: Mapping[str, Any],
    protected: Mapping[str, Any],
) -> str:
    """Return the card of a folder in Markdown."""
    kinds: dict[str, Mapping[str, Sequence[Material]]] = {SOLUTIONS: chosen.solutions, PROBLEMS: chosen.problems}
    by_kind = {what: [sample for own in splits.values() for sample in own] for what, splits in kinds.items()}
    everything = {"records": [sample for own in by_kind.values() for sample in own]}
    diagnosed = [sample for own in chosen.solutions.values() for sample in own if sample.diagnosis]
    doubts = Counter(doubt for sample in everything["records"] if (doubt := getattr(sample, "doubt", "")))
    weighed = (
        "The column `weight` is the confidence; `oracle-factory train` multiplies the loss of a sample by it. Samples of labelled files weigh 1. "
        "TRL's own trainer passes over the column."
        if plan.confidence.weighted
        else "Every sample weighs 1; `--weight-by-confidence` writes the confidence as the weight."
    )
    trusts = _counts(by_kind, lambda sample: sample.trust, known=_TRUSTS)
    sections = {
        "Samples": [part for what, splits in kinds.items() for part in _contents(what, splits)],
        "Trust": [
            _table(["trust", "what it rests on", *kinds], ([row[0], _TRUSTS[row[0]], *row[1:]] for row in trusts)),
            *([_table(["doubt about what was taken unreviewed", "records"], sorted(doubts.items()))] if doubts else []),
            "Samples that are not trusted enough are counted under *Not used*.",
        ],
        "Oracles": [_table(["what the label rests on", *kinds], _counts(by_kind, _support)), weighed],
        **({"Strength of labels": [_strengths(diagnosed), STRENGTHS]} if diagnosed else {}),
        "Levels": [_levels(folder)],
        "Sources and licences": [
            _table(["source", "records"], _counts(everything, lambda sample: sample.source)),
            _table(["licence", "records"], _counts(everything, lambda sample: sample.licence)),
            "Every record names its source and licence. Sources as they were read:",
            _table(["source", "SHA-256"], sorted(sources.items())),
        ],
        "Protected problems": [
            _KEPT_OUT,
            _table(["list or file", "problems"], sorted(protected.items())),
            f"Refused: {chosen.refused.total():,} samples.",
            _table(["source", "found by", "samples"], [(*key, count) for key, count in sorted(chosen.refused.items())]),
            _table(["found by", "problems"], sorted(chosen.refused_problems.items())),
        ],
        "Not used": [_table(["reason", "samples"], sorted((+chosen.left).items()))],
        "Drawn by": [_drawn_by(plan)],
        "Known limits": [LIMITS],
    }
    written = ("\n\n".join([f"## {title}", *parts]) + "\n" for title, parts in sections.items())
    return "\n".join([_front(folder, {sample.licence for sample in everything["records"]}), _HEAD, *written])


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


def _counts(
    columns: Mapping[str, Iterable[Material]], value: Callable[[Any], Any], known: Iterable[str] = ()
) -> list[list[Any]]:
    """Return a row for each value, of `known` ones for all of these: how many samples of each column have it."""
    counts = [Counter(str(value(sample) or "(none)") for sample in samples) for samples in columns.values()]
    values = list(map(str, known)) or sorted(set().union(*counts))
    return [[name, *(count[name] for count in counts)] for name in values]


def _contents(what: str, splits: Mapping[str, Sequence[Material]]) -> list[str]:
    """Return the table of the solutions or problems: by class, type, place and tier in each split."""
    used = {split: samples for split, samples in splits.items() if samples}
    if not used:
        return []
    own = {"operator": "operator"} if what == PROBLEMS else {"error_type": "truth.error_type", "position": "position"}
    rows: list[list[Any]] = [["all", "", *map(len, used.values())]]
    for title, name in {"class": "kind", **own, "tier": "tier"}.items():
        rows += [[title, *row] for row in _counts(used, attrgetter(name))]
    return [f"### {what}", _table(["", "", *used], rows)]


def _strengths(diagnosed: Sequence[Sample]) -> str:
    """Return the strengths of the labels of diagnosed solutions, with the share of labels that is expected to be wrong."""
    by_strength: dict[tuple[str, str], list[float]] = defaultdict(list)
    for sample in diagnosed:
        by_strength[sample.truth.record()["verdict"], sample.strength].append(1 - (sample.p_right or 0.0))
    rows = [[*key, len(risks), sum(risks) / len(risks)] for key, risks in sorted(by_strength.items())]
    return _table(["verdict", "strength", "solutions", "oracles expected wrong"], rows)


def _support(sample: Material) -> str:
    """Return the basis of a sample, its confidence in quarters."""
    match sample.clique_size:
        case None:
            return "not recorded, or a labelled file"
        case 0:
            return "UT-1 alone: no formalization stage"
        case 1:
            return "an oracle alone, confidence 0"
        case size:
            quarter = math.floor(4 * (sample.confidence or 0.0)) / 4
            return f"an oracle of {size}, confidence {quarter:.2f} to {quarter + 0.25:.2f}"


def _levels(folder: DatasetFolder) -> str:
    rows = []
    for level in (*Level, None):
        name = STEPWISE if level is None else f"level-{level}"
        counts = [folder.files.get(f"{name}/{split}.jsonl", {}).get("records", 0) for split in SPLITS]
        if level is None:
            asked = ["question → steps, right or wrong", "true, false", *counts, folder.unfit[name]]
        else:
            words = [label.word for label in LABELS.get(level, ())]
            if folder.labels is LabelForm.NUMERIC:
                words = list(map(" ".join, zip(LevelForm(level, folder.labels).choices, words, strict=True)))
            asked = [_TASKS[level], ", ".join(words), *counts, folder.unfit[level]]
        rows += [[name, *asked]] if any(counts) else []
    return _table(["level", "asked → answered", f"answers as {folder.labels}", *SPLITS, "not asked"], rows) + (
        "\n\nNot asked are those of which too little is known for the level, and those that no form gives back unchanged."
    )


def _drawn_by(plan: DatasetPlan) -> str:
    """Return the options of the selection, by their names in `DatasetPlan`; null keeps the shares of the sources."""
    rows = [[name, json.dumps(value)] for name, value in asdict(plan).items()]
    split = "Problems with nearly the same question are in one split; splits are stratified by tier, class, type and position."
    return f"{_table(['option', 'value'], rows)}\n\n{split}"


def _front(folder: DatasetFolder, licences: Iterable[str]) -> str:
    """Return the YAML head, by which the hub and `datasets.load_dataset` find the files."""
    named = sorted({_HUB_LICENCES.get(name.lower(), "other") for name in licences})
    lines = ["---", "language: en", "license:", *(f"- {name}" for name in named)]
    lines += ["task_categories:", "- text-generation", "tags:", "- mathematics", "- verification", "configs:"]
    patterns = {what: f"{what}-{{}}.jsonl" for what in (SOLUTIONS, PROBLEMS)}
    patterns |= {name: f"{name}/{{}}.jsonl" for name in (*(f"level-{level}" for level in Level), STEPWISE)}
    for config, pattern in patterns.items():
        files = [(split, pattern.format(split)) for split in SPLITS if pattern.format(split) in folder.files]
        if files:
            lines += [f"- config_name: {config}", "  data_files:"]
        for split, file in files:
            lines += [f"  - split: {split}", f"    path: {json.dumps(file)}"]
    return "\n".join([*lines, "---", ""])
