"""Manual check of what would train: records drawn by lot of each kind, read as a teacher would, and the score of the judgements.

`python -m benchmarks.flaw_sample RUN --seed 0 --each 20` prints records of a run with the stages `mutation` and `variant` that
`oracle-factory datasets` would take: flawed solutions by error type, edited problems by class. `--all` draws from all that the run has.
Judgements are kept in `flaws_sample.jsonl` without the texts; `--score` counts them. Before are four of each conceptual kind of all flawed
solutions on a 64th of GSM8K, after are four of each of those that would train. What is named by a seed are draws of four of each kind of
those that would train on a sixteenth of GSM8K, each made after the classes of defects of the one before were mended; seed 201 is twenty of
each kind, variants included, and seed 307 twenty underspecified ones after the mends that it led to.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from sft.datasets.sources import RunSource, SkippedRecord
from sft.samples.problem_judgement import VERDICT_OF
from sft.samples.problem_sample import ProblemSample
from sft.samples.trust import Trust

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sft.samples.items import Sample

SAMPLE = Path(__file__).parent / "flaws_sample.jsonl"
STAGES = ("mutation", "variant")


def draw(run: Path, *, seed: int, each: int, widened: bool = False) -> dict[str, list[Sample | ProblemSample]]:
    """Draw records of each kind, at most one of a problem and kind; what nobody trusts is drawn only if `widened`.

    What is drawn of a kind depends on the seed and the records of that kind, not on their order.
    """
    lots: dict[str, dict[str, tuple[str, Sample | ProblemSample]]] = defaultdict(dict)
    stages = tuple(stage for stage in STAGES if (run / stage / "manifest.json").exists())
    for sample in RunSource.of(run, stages, "MIT").read():
        if isinstance(sample, SkippedRecord) or not (widened or sample.trust is not Trust.WIDENED):
            continue
        kind = _kind(sample)
        if not kind:
            continue
        lot = hashlib.sha256(f"{seed}:{sample.sample_id}".encode("utf-8", "surrogatepass")).hexdigest()
        kept = lots[kind].get(sample.problem_id)
        if kept is None or lot < kept[0]:
            lots[kind][sample.problem_id] = lot, sample
    return {
        kind: [sample for _, sample in sorted(lots[kind].values(), key=lambda drawn: drawn[0])[:each]]
        for kind in sorted(lots)
    }


def _kind(sample: Sample | ProblemSample) -> str:
    """Return the error type of a flawed solution or the class of an edited problem, empty for what nobody changed."""
    if isinstance(sample, ProblemSample):
        return "" if sample.operator == "original" else str(VERDICT_OF[sample.problem_class])
    return sample.truth.error_type if sample.truth.flawed else ""


def shown(sample: Sample | ProblemSample) -> Iterator[str]:
    """Yield the lines in which a person reads a record: the problem, the text with its error marked, and what is said of it."""
    if isinstance(sample, ProblemSample):
        yield from (f"  {sample.question}", f"  made by {sample.operator}", f"  why: {sample.reason}")
        return
    yield f"  {sample.question}"
    lines = sample.solution.split("\n")
    for number, line in enumerate(lines, start=1):
        label = "FA" if number == len(lines) else f"L{number}"
        yield f"  {'>' if label == sample.truth.line else ' '} {line}"
    yield f"  made by {sample.operator}"
    yield f"  why: {sample.truth.explanation}"


def score(table: Path = SAMPLE) -> str:
    """Return, as Markdown, how many records of each kind a reader accepted in each draw, and what was wrong with the rest."""
    if not table.exists():
        return "No sample was judged by hand."
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    notes: dict[str, Counter[str]] = defaultdict(Counter)
    for row in map(json.loads, table.read_text(encoding="utf-8").splitlines()):
        state = row["drawn"]
        counts[row["kind"]].update({f"{state} read": 1, f"{state} accepted": int(row["accepted"])})
        counts["all"].update({f"{state} read": 1, f"{state} accepted": int(row["accepted"])})
        if not row["accepted"]:
            notes[state][row["note"]] += 1
    states = list(dict.fromkeys(json.loads(line)["drawn"] for line in table.read_text(encoding="utf-8").splitlines()))
    rows = [
        f"| kind | {' | '.join(f'{state}: read | accepted' for state in states)} |",
        "|---" * (1 + 2 * len(states)) + "|",
    ]
    names = [f"{state} {what}" for state in states for what in ("read", "accepted")]
    rows += [f"| {kind} | {' | '.join(str(count[name]) for name in names)} |" for kind, count in sorted(counts.items())]
    told = [
        f"Not accepted {state}: " + "; ".join(f"{count} {note}" for note, count in noted.most_common()) + "."
        for state, noted in notes.items()
    ]
    return "\n".join([*rows, "", *told])


def main(arguments: Sequence[str]) -> int:
    """Print the records drawn of a run, or score the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.flaw_sample", description=__doc__)
    parser.add_argument("run", type=Path, nargs="?", help="a run folder with the sealed stages mutation and variant")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--each", type=int, default=20, metavar="N", help="records of each kind")
    parser.add_argument("--all", action="store_true", help="draw also from what would not train")
    parser.add_argument("--score", action="store_true", help="count the judgements that were written down")
    options = parser.parse_args(arguments)
    if options.score:
        print(score())
        return 0
    if options.run is None:
        parser.error("name a run folder, or --score")
    for kind, samples in draw(options.run, seed=options.seed, each=options.each, widened=options.all).items():
        for number, sample in enumerate(samples, start=1):
            print(f"\n=== {kind} {number} ({sample.sample_id})", *shown(sample), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
