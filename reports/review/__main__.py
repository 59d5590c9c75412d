"""The command `python -m reports.review`: progress, agreement, seal, export and import of a review."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from harness.errors import HarnessError
from harness.store.run_folder import RunFolder
from reports.review.agreement import Agreement, Coefficient, agreement, ratings
from reports.review.candidate_queue import CandidateQueue
from reports.review.candidates.candidate_files import STATE, files_in, files_of_run
from reports.review.candidates.candidates import CACHE, Candidates
from reports.review.exchange.argilla import ArgillaUsers, export_argilla, import_argilla
from reports.review.exchange.json_lines import export_plain, import_plain
from reports.review.exchange.judgement_merge import MergeResult
from reports.review.exchange.label_studio import export_label_studio, import_label_studio
from reports.review.seal import seal
from reports.review.state.decisions import StratumProgress
from reports.review.state.review_state import ReviewState
from reports.terminal.stage_tables import figure, figures
from reports.views.artefacts import find_run
from reports.views.printable_text import one_line

FORMATS = ("jsonl", "argilla", "label-studio")
MOST_ROWS, LONGEST_SHOWN = 40, 22
"""Of more strata, those that nobody touched are only counted."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how far a review is, seal it, or exchange it with other programs.

    Returns:
        0; 1 where a part of an imported file was refused; 2 where something cannot be read or written, with one message.
    """
    options = _parser().parse_args(arguments)
    console = Console(highlight=False)
    try:
        state = _state(options)
        try:
            return _COMMANDS[options.command](state, options, console)
        finally:
            state.close()
    except (HarnessError, OSError) as error:
        sys.stderr.write(f"review: {one_line(str(error), limit=1_000)}\n")
        return 2


def _state(options: argparse.Namespace) -> ReviewState:
    """Open the review; only an import may begin one."""
    if options.command != "import" and not options.state.is_file():
        raise HarnessError(f"--state {options.state}: there is no review yet; start one by: make review")
    return ReviewState.open(options.state)


def _progress(state: ReviewState, options: argparse.Namespace, console: Console) -> int:
    candidates = _candidates(options)
    found = CandidateQueue(candidates, state).progress()
    console.print(_table(found))
    _print_rejected(candidates, console)
    agreed = agreement(ratings(state.standing()))
    if agreed.n:
        console.print(_agreed(agreed), markup=False, soft_wrap=True)
    return 0


def _agreement(state: ReviewState, _: argparse.Namespace, console: Console) -> int:
    found = agreement(ratings(state.standing()))
    console.print(_agreed(found), markup=False, soft_wrap=True)
    for pair in found.pairs:
        console.print(
            f"{one_line(pair.left)} and {one_line(pair.right)}: kappa {_coefficient(pair.kappa)}; {pair.raw:.0%} of {pair.n:,} the same",
            markup=False,
            soft_wrap=True,
        )
        for (left, right), count in pair.confusion.items():
            console.print(f"  {count:,} times {left} and {right}")
    if found.disputed:
        console.print(f"{len(found.disputed):,} are judged differently:")
        for unit in found.disputed:
            console.print(f"  {one_line(unit)}", markup=False, soft_wrap=True)
    return 0


def _agreed(found: Agreement) -> str:
    raw = "" if found.raw is None else f"{found.raw:.0%} of pairs of judgements the same, "
    return f"{found.n:,} candidates judged by several reviewers: {raw}alpha {_coefficient(found.alpha)}"


def _table(found: Sequence[StratumProgress]) -> Table:
    table = figures()
    for heading in ("tier", "where", "type"):
        table.add_column(heading, no_wrap=True)
    for heading in ("yes", "no", "disputed", "half", "skipped", "of"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in found:
        touched = any((one.accepted, one.rejected, one.disputed, one.awaiting, one.skipped))
        if touched or len(found) <= MOST_ROWS:
            style = "green" if one.accepted >= one.target else "" if touched else "dim"
            name = (one.stratum.tier, one.stratum.position, one.stratum.error_type)
            table.add_row(*(one_line(part, limit=LONGEST_SHOWN) for part in name), *_figures([one]), style=style)
    left_out = len(found) - table.row_count
    table.add_section()
    table.add_row("all", "", f"{left_out:,} untouched" if left_out else "", *_figures(found))
    return table


def _figures(found: Sequence[StratumProgress]) -> list[str]:
    """Write the figures of some strata together: accepted of those wanted, and so on; `half` are judged by one of two."""
    return [
        f"{sum(one.accepted for one in found):,}/{sum(one.target for one in found):,}",
        figure(sum(one.rejected for one in found)),
        figure(sum(one.disputed for one in found)),
        figure(sum(one.awaiting for one in found)),
        figure(sum(one.skipped for one in found)),
        f"{sum(one.total for one in found):,}",
    ]


def _coefficient(one: Coefficient) -> str:
    if one.value is None:
        return f"undefined ({one.why})"
    interval = f" ({one.why})" if one.low is None or one.high is None else f" (95% {one.low:.2f} to {one.high:.2f})"
    return f"{one.value:.2f}{interval}"


def _seal(state: ReviewState, options: argparse.Namespace, console: Console) -> int:
    if options.run is None:
        raise HarnessError("seal: expected --run RUN, the run whose stage is written")
    run = RunFolder(find_run(options.run))
    sealed = seal(run, _candidates(options), state)
    console.print(
        f"{run.folder / 'review'}: {sealed.accepted:,} accepted, each proved again", markup=False, soft_wrap=True
    )
    rest = {
        "accepted without a proof, kept in overridden.jsonl": sealed.overridden,
        "rejected": sealed.rejected,
        "disputed, until a third reviewer decides": sealed.disputed,
        "judged by one of two reviewers": sealed.awaiting,
        "skipped": sealed.skipped,
        "decided in another version": sealed.other_version,
        "decided and not among these candidates": sealed.absent,
    }
    for what, count in rest.items():
        if count:
            console.print(f"{count:,} {what}")
    for reason, count in sealed.reasons.items():
        console.print(one_line(f"{count:,} without a proof: {reason}", limit=300), markup=False, soft_wrap=True)
    return 0


def _export(state: ReviewState, options: argparse.Namespace, console: Console) -> int:
    if options.format == "jsonl":
        count, what = export_plain(state, options.out), "decisions and drafts"
    elif options.format == "argilla":
        people = None if options.users is None else ArgillaUsers.read(options.users)
        count = export_argilla(state, _candidates(options), options.out, undecided=options.undecided, people=people)
        what = "records"
    else:
        title = options.run or str(options.candidates)
        count = export_label_studio(
            state, _candidates(options), options.out, undecided=options.undecided, title=f"Review of {title}"
        )
        what = "tasks"
    console.print(f"{options.out}: {count:,} {what}", markup=False, soft_wrap=True)
    return 0


def _import(state: ReviewState, options: argparse.Namespace, console: Console) -> int:
    if options.format == "jsonl":
        merged = import_plain(state, options.file)
    elif options.format == "argilla":
        people = None if options.users is None else ArgillaUsers.read(options.users)
        merged = import_argilla(state, _candidates(options), options.file, people=people)
    else:
        merged = import_label_studio(state, _candidates(options), options.file)
    _print_merged(merged, console)
    return 1 if merged.refused else 0


def _print_merged(merged: MergeResult, console: Console) -> None:
    console.print(
        f"{merged.added:,} decisions and {merged.drafts:,} drafts added, {merged.present:,} were there already"
    )
    for why, count in merged.refused.items():
        console.print(f"{count:,} refused: {why}")
    for message in merged.messages:
        console.print(f"  {message}", markup=False, soft_wrap=True)


def _candidates(options: argparse.Namespace) -> Candidates:
    return Candidates.open(_files(options), cache=CACHE)


def _files(options: argparse.Namespace) -> Sequence[Path]:
    """Return the files of candidates: those that were decided may be of either kind."""
    if options.candidates is None:
        return files_of_run(find_run(options.run or "latest"))
    return files_in(options.candidates) if options.candidates.is_dir() else [options.candidates]


def _print_rejected(candidates: Candidates, console: Console) -> None:
    for reason, count in candidates.rejected.items():
        console.print(f"{count:,} lines are no candidates: {reason}", markup=False)


_COMMANDS = {"progress": _progress, "agreement": _agreement, "seal": _seal, "export": _export, "import": _import}


def _parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--run", metavar="RUN", help="name or path of the run with the candidates; latest by default")
    common.add_argument("--candidates", metavar="PATH", type=Path, help="a file or folder of candidates instead")
    common.add_argument("--state", metavar="FILE", type=Path, default=STATE, help=f"the review, {STATE} by default")
    exchange = argparse.ArgumentParser(add_help=False)
    exchange.add_argument("--format", choices=FORMATS, default="jsonl", help="jsonl, which loses nothing, by default")
    exchange.add_argument(
        "--users", metavar="FILE", type=Path, help="argilla: JSON of reviewers and their users' UUIDs"
    )
    parser = argparse.ArgumentParser(
        prog="python -m reports.review", description="Follow, seal, send and fetch a review."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("progress", parents=[common], help="print how far each stratum is")
    commands.add_parser("agreement", parents=[common], help="print how each two reviewers agree, and where they do not")
    commands.add_parser("seal", parents=[common], help="write the stage `review` of the run, each label proved again")
    out = commands.add_parser("export", parents=[common, exchange], help="write decisions and drafts for elsewhere")
    out.add_argument("--out", metavar="PATH", type=Path, required=True, help="a file of jsonl, else a folder")
    out.add_argument("--undecided", metavar="N", type=int, default=0, help="and the N most plausible of each stratum")
    commands.add_parser(
        "import", parents=[common, exchange], help="add decisions and drafts from elsewhere"
    ).add_argument("file", metavar="PATH", type=Path)
    return parser


if __name__ == "__main__":
    # A terminal that lacks a character shows its escape; the review goes on.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # both are text streams
    sys.exit(main())
