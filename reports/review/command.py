"""The commands `oracle-factory review`: init, progress, agreement, seal, export and import of a review."""

import shlex
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.solution.labels import TypeNames
from harness.stages import MUTATION
from harness.store.run_folder import LATEST, RunFolder
from harness.text.characters import one_line
from reports.review.candidate_queue import CandidateQueue, ReviewProgress, StratumProgress
from reports.review.candidates import STATE, Candidates, files_in, files_of_run, missing_candidates
from reports.review.review_state import ReviewPlan, ReviewState
from reports.terminal.sections import print_sections
from reports.views.artefacts import RunNotFoundError, find_run
from reports.views.tables import Cell, Column, Kind, Section, Table, Tone, numbers

MOST_ROWS, LONGEST_SHOWN = 40, 22
"""With more strata than this, those without a decision are only counted."""
FIGURES = {"no": "rejected", "disputed": "disputed", "half": "awaiting", "skipped": "skipped"}
"""The columns of the progress after that of the accepted, with the status that each counts; `half` are judged by one of two."""

RunName = Annotated[
    str | None, typer.Option("--run", metavar="RUN", help="Run with the candidates; latest by default.")
]
CandidatePath = Annotated[
    Path | None, typer.Option("--candidates", metavar="PATH", help="A file or folder of candidates instead.")
]
StateFile = Annotated[Path, typer.Option("--state", metavar="FILE", help="The file of the review.")]


def init(
    *,
    target: Annotated[
        int | None, typer.Option(min=1, max=999_999, metavar="N", help="Accepted candidates to reach in each stratum.")
    ] = None,
    double: Annotated[
        float | None, typer.Option(min=0, max=1, metavar="SHARE", help="Share that two reviewers judge independently.")
    ] = None,
    run: RunName = None,
    candidates: CandidatePath = None,
    state: StateFile = STATE,
) -> int:
    """Create the file of a review, or change its plan.

    Example: oracle-factory review init --run latest --target 20 --double 0.2
    """
    opened = _candidates(run, candidates)
    with closing(ReviewState.open(state)) as review:
        plan = review.plan
        plan = ReviewPlan(plan.target if target is None else target, plan.double if double is None else double)
        if plan != review.plan:
            review.say(plan)
        decisions = len(review.standing())
    typer.echo(
        f"{state}: {decisions:,} decisions on {len(opened):,} candidates in {len(opened.strata):,} strata; "
        f"accept {plan.target or 'all'} in each, two reviewers judge {plan.double:.0%}"
    )
    return 0


def progress(*, run: RunName = None, candidates: CandidatePath = None, state: StateFile = STATE) -> int:
    """Print the progress of each stratum.

    Example: oracle-factory review progress --run latest
    """
    from reports.review.agreement import agreement, ratings

    opened = _candidates(run, candidates)
    with closing(ReviewState.open(state)) as review:
        strata = CandidateQueue(opened, review).progress()
        print_sections(Console(highlight=False), [_progress(strata)])
        typer.echo(f"{ReviewProgress.of(strata, review.plan).sentence}.")
        for reason, count in opened.rejected.items():
            typer.echo(f"{count:,} lines are no candidates: {reason}")
        agreed = agreement(ratings(review.standing()))
        if agreed.n:
            typer.echo(agreed.sentence)
    return 0


def agreement(*, state: StateFile = STATE) -> int:
    """Print the agreement of reviewers, and the disputed candidates.

    Example: oracle-factory review agreement
    """
    from reports.review.agreement import agreement, ratings

    with closing(ReviewState.open(state)) as review:
        result = agreement(ratings(review.standing()))
    typer.echo(result.sentence)
    for pair in result.pairs:
        names = f"{one_line(pair.left)} and {one_line(pair.right)}"
        typer.echo(f"{names}: kappa {pair.kappa}; {pair.raw:.0%} of {pair.n:,} the same")
        for (left, right), count in pair.confusion.items():
            typer.echo(f"  {count:,} times {left} and {right}")
    if result.disputed:
        typer.echo(f"{len(result.disputed):,} are judged differently:")
        for unit in result.disputed:
            typer.echo(f"  {one_line(unit)}")
    return 0


def seal(*, run: RunName = None, candidates: CandidatePath = None, state: StateFile = STATE) -> int:
    """Write the stage review of a run, each label proved again.

    A review of nothing but examples of the Verify page needs no candidates: its run may have no flawed solutions.

    Example: oracle-factory review seal --run latest
    """
    from reports.review.examples import examples_in_force
    from reports.review.seal import COUNTS, seal

    if run is None:
        raise HarnessError("expected --run RUN, the run whose stage is written")
    folder = RunFolder(find_run(run, MUTATION))
    if not state.exists():
        _candidates(run, candidates)
        raise _nothing_to_seal(state, run)
    with closing(ReviewState.open(state)) as review:
        decided, examples = bool(review.standing()), bool(examples_in_force(review))
        alone = examples and not decided and candidates is None and missing_candidates(folder.folder)
        opened = None if alone else _candidates(run, candidates)
        if not (decided or examples):
            raise _nothing_to_seal(state, run)
        sealed = seal(folder, opened, review)
    accepted, *rest = COUNTS.items()
    typer.echo(f"{folder.folder / 'review'}: {sealed.counts[accepted[0]]:,} {accepted[1]}")
    for name, what in rest:
        if sealed.counts[name]:
            typer.echo(f"{sealed.counts[name]:,} {what}")
    for reason, count in sealed.reasons.most_common():
        typer.echo(one_line(f"{count:,} without a proof: {reason}", limit=300))
    return 0


def export(
    *,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The file of JSON lines.")],
    type_names: Annotated[
        TypeNames,
        typer.Option(
            help="Names of error types: ours, or those of the original design, which an import reads back but for incorrect_operand: that is wrong_reference_group then."
        ),
    ] = TypeNames.OWN,
    undecided: Annotated[
        int, typer.Option(min=0, metavar="N", help="Add the N most plausible candidates of each stratum.")
    ] = 0,
    run: RunName = None,
    candidates: CandidatePath = None,
    state: StateFile = STATE,
) -> int:
    """Write decisions, drafts and examples as JSON lines.

    Example: oracle-factory review export --run latest --undecided 5 --out review.jsonl
    """
    from reports.review.exchange import export_lines

    opened = _candidates(run, candidates) if undecided else None
    with closing(ReviewState.open(state)) as review:
        count = export_lines(review, out, opened, undecided=undecided, names=type_names)
    what = "decisions, drafts, examples and candidates" if undecided else "decisions, drafts and examples"
    typer.echo(f"{out}: {count:,} {what}")
    return 0


def import_decisions(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines of an export, or of another program.")],
    *,
    run: RunName = None,
    candidates: CandidatePath = None,
    state: StateFile = STATE,
) -> int:
    """Add decisions, drafts and examples from JSON lines.

    Example: oracle-factory review import review.jsonl

    Returns:
        0; 1 if a line of the file is refused; 2 if the file cannot be read.
    """
    from reports.review.exchange import RefusalReason, import_lines
    from reports.review.seal import write_accepted

    if not file.is_file():
        written = runnable("oracle-factory review export --out FILE")
        raise HarnessError(f"{file}: expected a file that another program, or {written}, wrote; found none")

    @cache
    def opened() -> Candidates | str:
        return _candidates_or_reason(run, candidates)

    with closing(ReviewState.open(state)) as review:
        result = import_lines(review, file, lambda: None if isinstance(found := opened(), str) else found)
        changed = opened() if result.added else ""
        unproved: dict[str, str] = {} if isinstance(changed, str) else write_accepted(changed, review)
    for candidate_id, reason in unproved.items():
        typer.echo(one_line(f"  {candidate_id} is accepted, and its label is not proved: {reason}", limit=300))
    typer.echo(
        f"{result.added:,} decisions, {result.drafts:,} drafts and {result.examples:,} examples added, {result.present:,} were there already"
    )
    for why, refused in result.refused.items():
        typer.echo(f"{refused:,} refused: {why}")
    for message in result.messages:
        typer.echo(f"  {message}")
    if RefusalReason.UNKNOWN_CANDIDATE in result.refused and isinstance(lacking := opened(), str):
        raise HarnessError(lacking)
    return 1 if result.refused else 0


def _nothing_to_seal(state: Path, run: str) -> HarnessError:
    app = runnable(f"streamlit run reports/app/main.py -- --run {shlex.quote(run)}")
    return HarnessError(
        f"--state {state}: expected decisions to seal, found none; decide in the app, {app}, or "
        f"add decisions: {runnable('oracle-factory review import FILE')}"
    )


def _candidates(run: str | None, path: Path | None) -> Candidates:
    opened = _candidates_or_reason(run, path)
    if isinstance(opened, str):
        raise HarnessError(opened)
    return opened


def _candidates_or_reason(run: str | None, path: Path | None) -> Candidates | str:
    """Open the files of candidates, those that were decided may be of either kind; or return why there are none."""
    if path is not None:
        return Candidates.open(files_in(path) if path.is_dir() else [path])
    try:
        folder = find_run(run or LATEST, MUTATION)
    except RunNotFoundError as error:
        if run is not None:
            raise
        return str(error)
    return missing_candidates(folder) or Candidates.open(files_of_run(folder))


def _progress(strata: list[StratumProgress]) -> Section:
    def figures(*own: StratumProgress) -> list[Cell | int | str]:
        accepted = own[0]["accepted"] if len(own) == 1 else sum(min(one["accepted"], one.target) for one in own)
        wanted = sum(one.target for one in own)
        cell = Cell(f"{accepted:,}/{wanted:,}", Tone.GOOD if accepted >= wanted else Tone.PLAIN)
        counts = (sum(one[status] for one in own) for status in FIGURES.values())
        return [cell, *counts, f"{sum(one.total for one in own):,}"]

    shown = [own for own in strata if any(own.counts.values()) or len(strata) <= MOST_ROWS]
    rows = []
    for own in shown:
        name = (own.stratum.tier, own.stratum.position, own.stratum.error_type)
        rows.append([*(one_line(part, limit=LONGEST_SHOWN) for part in name), *figures(own)])
    left_out = len(strata) - len(shown)
    rows.append(["all", "", f"{left_out:,} untouched" if left_out else "", *figures(*strata)])
    columns = [Column("tier"), Column("where"), Column("type", Kind.NAME), *numbers("yes", *FIGURES, "of")]
    return Section("", [Table(columns, rows)])
