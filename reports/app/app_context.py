"""Command-line arguments of the review app, the context that all of its pages share, and what the users of a server share."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import streamlit as st

from harness.command_line.runnable_commands import runnable
from harness.command_line.session_options import finite, positive
from harness.errors import HarnessError
from harness.stages import MUTATION
from reports.review.candidates import ALL, CONCEPTUAL, STATE, Candidates, files_in, files_of_run, missing_candidates
from reports.review.review_state import LONGEST_NAME, ReviewState
from reports.views.artefacts import find_run

APP = "streamlit run reports/app/main.py --"


def start(options: str = "--run RUN, or -- --candidates-dir DIR") -> str:
    """Return the command that starts the app with options, whether or not the environment is activated."""
    return runnable(f"{APP} {options}")


@dataclass(frozen=True, slots=True)
class AppContext:
    """The inputs that all pages of the app share, for all users of a server.

    Attributes:
        run: the run folder, or None where `--candidates-dir` names a bare folder.
        candidates: the files of candidates, in order; none where the run has no sealed mutation stage, as `lacking` says.
        state: the SQLite file of decisions and drafts; it is created if it is missing.
        double: the share of candidates, 0 to 1, that two reviewers judge independently; None keeps the stored value.
        target: the number of accepted candidates to reach in each stratum; None keeps the stored value.
        reviewer: the name given on the command line; if None, the page asks for it.
        lacking: why there are no candidates, and the command that makes them.
    """

    run: Path | None
    candidates: tuple[Path, ...]
    state: Path = STATE
    double: float | None = None
    target: int | None = None
    reviewer: str | None = None
    lacking: str = ""


def open_state(path: Path) -> ReviewState:
    """Return the state that all users of this server share, created if it is missing; another file of the same name is another state."""
    if not path.exists():
        ReviewState.open(path).close()
    return _state(path.resolve(), path.stat().st_ino)


def open_candidates(paths: Sequence[Path]) -> Candidates:
    """Return the candidates that all users of this server share; files with another size or time hold other candidates."""
    resolved = tuple(path.resolve() for path in paths)
    stamps = tuple((path.stat().st_mtime_ns, path.stat().st_size) for path in resolved if path.is_file())
    return _candidates(resolved, stamps)


@st.cache_resource(max_entries=4)
def _state(path: Path, inode: int) -> ReviewState:  # noqa: ARG001  # a part of the key of the cache
    return ReviewState.open(path)


@st.cache_resource(max_entries=4, show_spinner="Reading the candidates, once")
def _candidates(paths: tuple[Path, ...], stamps: tuple[tuple[int, int], ...]) -> Candidates:  # noqa: ARG001  # as above
    return Candidates.open(paths)


def known_name(context: AppContext) -> str:
    """Return the name of the reviewer from this tab, the address or the command line, empty where none was given."""
    return printable_name(st.session_state.get("reviewer") or st.query_params.get("reviewer") or context.reviewer or "")


def printable_name(text: str) -> str:
    """Return a name in printable characters on one line, cut at `LONGEST_NAME`."""
    return "".join(character for character in " ".join(text.split()) if character.isprintable())[:LONGEST_NAME]


class _Parser(argparse.ArgumentParser):
    """Raises errors instead of printing them, because the page shows them."""

    def error(self, message: str) -> NoReturn:
        """Raise the message, followed by the command that starts the app."""
        raise HarnessError(f"{message}; start the app with: {start()}")


def read_arguments(arguments: Sequence[str]) -> AppContext:
    """Read the arguments after `--` on Streamlit's command line; without a source the run is `latest`.

    A run may have any stages; without a mutation stage there are no candidates.
    Raises a HarnessError if an argument is wrong, there is no such run, or the folder holds no candidates.
    """
    parser = _Parser(prog="review", add_help=False, allow_abbrev=False)
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--run", default="latest")
    source.add_argument("--candidates-dir", type=Path)
    parser.add_argument("--state", type=Path, default=STATE)
    parser.add_argument("--double", type=finite)
    parser.add_argument("--target", type=positive)
    parser.add_argument("--reviewer")
    parser.add_argument("--include", choices=["computational"], action="append", default=[])
    options = parser.parse_args(arguments)
    names = ALL if options.include else (CONCEPTUAL,)
    own = (options.state, options.double, options.target, options.reviewer)
    if options.candidates_dir is not None:
        return AppContext(None, files_in(options.candidates_dir, names), *own)
    run = find_run(options.run, MUTATION)
    lacking = missing_candidates(run)
    return AppContext(run, () if lacking else files_of_run(run, names), *own, lacking=lacking)
