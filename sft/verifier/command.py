"""Verification of solutions: the command `python -m sft.verifier.command`, and `verify` for one solution in Python.

`python -m sft.verifier.command FILE.jsonl -o OUT.jsonl` judges a file of `{"question": …, "solution": …}`, one a line, `-` for a
pipe. Each input line gives one output line, in order. A line that is no such record is answered as Correct with confidence
0, and `error` says what is wrong with the line; the exit status is then 1.

OUT.jsonl is replaced at the end. Until then the judgements are in OUT.jsonl.partial, in whole lines; this file stays if the
run is interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import HarnessError
from harness.store.run_folder import dump
from sft.models.presets import DEFAULT
from sft.samples.record_lines import open_input, open_output, read_items
from sft.samples.solution_judgement import Judgement
from sft.samples.solution_text import read_item
from sft.verifier.engine import BATCH, ENGINES, EngineSettings, judge, open_engine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sft.samples.items import Item
    from sft.samples.record_lines import LineOutput
    from sft.samples.solution_judgement import Engine

HYBRID = "hybrid"
PROGRESS_SECONDS = 5.0


def verify(question: str, solution: str, *, engine: str = HYBRID, settings: EngineSettings | None = None) -> Judgement:
    """Return the judgement of an engine on one solution; an engine is opened once for the same settings.

    Raises:
        HarnessError: there is no such engine, what it needs is not there, or an argument is no text.
    """
    for name, text in (("question", question), ("solution", solution)):
        if not isinstance(text, str):
            message = f"expected text as {name}, found a {type(text).__name__}"
            raise HarnessError(message)
    opened = _opened(engine, settings or EngineSettings())
    return next(judge(opened, [read_item(question, solution)]))


@lru_cache(maxsize=2)
def _opened(name: str, settings: EngineSettings) -> Engine:
    return open_engine(name, settings)


def verify_items(items: Iterable[Item | str], engine: Engine, batch: int = BATCH) -> Iterator[Judgement]:
    """Yield a judgement on each item, in order, reading so many items ahead; text instead of an item is why there is none."""
    source = iter(items)
    while some := list(islice(source, batch)):
        judged = _judged([one for one in some if not isinstance(one, str)], engine)
        for one in some:
            yield Judgement.unjudged(one) if isinstance(one, str) else next(judged)


def _judged(items: Sequence[Item], engine: Engine) -> Iterator[Judgement]:
    try:
        yield from list(judge(engine, items))
    except HarnessError:
        raise
    except Exception as error:  # noqa: BLE001  # one item that an engine stumbles over must not take the others with it
        if len(items) == 1:
            yield Judgement.unjudged(f"the engine failed: {type(error).__name__}: {error}")
            return
        for item in items:
            yield from _judged([item], engine)


@dataclass(slots=True)
class VerificationProgress:
    """What was judged so far, told on standard error now and then."""

    quiet: bool
    judged: int = 0
    flawed: int = 0
    unjudged: int = 0
    first_error: str = ""
    _started: float = field(default_factory=time.monotonic)
    _told: float = field(default_factory=time.monotonic)

    def add(self, one: Judgement) -> None:
        """Count a judgement."""
        self.judged += 1
        self.flawed += one.flawed
        if one.error:
            self.unjudged += 1
            self.first_error = self.first_error or f"line {self.judged}: {one.error}"

    def tell(self, *, done: float | None, last: bool = False) -> None:
        """Write a line if it is time for one; `done` is the share of the input that was read, where it is known."""
        now = time.monotonic()
        if self.quiet or not (last or now - self._told >= PROGRESS_SECONDS):
            return
        self._told = now
        seconds = now - self._started
        told = (
            f"verify: {self.judged:,} judged, {self.flawed:,} flawed, {self.judged / max(seconds, 1e-3):,.1f} a second"
        )
        if not last and done:
            told += f", {done:.0%}, {seconds * (1 - done) / done:,.0f} s left"
        sys.stderr.write(told + "\n")
        sys.stderr.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge a file or a pipe.

    Returns:
        0; 1 where a line could not be judged; 2 where the file or the engine cannot be used; 130 where it was interrupted.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    progress = VerificationProgress(options.quiet)
    output: LineOutput | None = None
    try:
        with open_input(options.file) as source:
            engine = open_engine(*_asked(options))
            with open_output(options.output) as output:
                for one in verify_items(read_items(source), engine, options.batch):
                    output.write(dump(one.record()) + "\n")
                    progress.add(one)
                    if progress.judged % options.batch == 0:
                        output.flush()
                    progress.tell(done=source.done())
    except HarnessError as error:
        sys.stderr.write(f"verify: {error}{_kept(output)}\n")
        return 2
    except BrokenPipeError:
        # Nobody reads on: what is left goes nowhere, also when the interpreter flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        sys.stderr.write(f"verify: {error}{_kept(output)}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write(f"verify: interrupted{_kept(output)}\n")
        return 130
    progress.tell(done=None, last=True)
    if progress.unjudged:
        sys.stderr.write(
            f"verify: {progress.unjudged:,} of {progress.judged:,} lines could not be judged; {progress.first_error}\n"
        )
    return 1 if progress.unjudged else 0


def _kept(output: LineOutput | None) -> str:
    """Say where the lines are that were judged before it ended."""
    return "" if output is None or output.partial is None else f"; what was judged is in {output.partial}"


def _asked(options: argparse.Namespace) -> tuple[str, EngineSettings]:
    """Return the engine and its settings.

    Raises:
        HarnessError: options contradict each other.
    """
    name = options.engine or ("endpoint" if options.endpoint else HYBRID)
    name = "endpoint" if name == "model" and options.endpoint else name
    if options.endpoint and name != "endpoint":
        message = f"--endpoint {options.endpoint!r} does not go with --engine {name}: give --engine model"
        raise HarnessError(message)
    return name, EngineSettings(
        preset=options.preset,
        adapter=options.adapter,
        device=options.device,
        endpoint=options.endpoint or "",
        model=options.model or "",
        twins=options.twins,
        explain=not options.no_explain,
        batch=options.batch,
    )


def _positive(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= 4096:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to 4096, found {text!r}")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m sft.verifier.command",
        description="Judge solutions of math word problems: is each one right, and if not, what is wrong where?",
    )
    parser.add_argument("file", metavar="FILE", help='JSONL of {"question", "solution"}, plain or .gz; - for a pipe')
    parser.add_argument(
        "-o", "--output", metavar="OUT", default="-", help="JSONL, plain or .gz; - for a pipe, the default"
    )
    parser.add_argument("--engine", choices=sorted(one.name for one in ENGINES), help=f"{HYBRID} by default")
    parser.add_argument("--preset", default=DEFAULT, help=f"the model, {DEFAULT} by default")
    parser.add_argument(
        "--adapter", metavar="DIR", type=Path, help="adapter and combiners, by default the preset's own"
    )
    parser.add_argument("--device", default="cpu", help="what torch calls one: cpu, cuda")
    parser.add_argument(
        "--endpoint", metavar="URL", help="an OpenAI-compatible server; its key is read from $OPENAI_API_KEY"
    )
    parser.add_argument("--model", metavar="NAME", help="the server's name of the model")
    parser.add_argument(
        "--twins",
        action="store_true",
        help="score lines against their neighbours too, which takes several times as long",
    )
    parser.add_argument("--no-explain", action="store_true", help="do not let the model write explanations")
    parser.add_argument(
        "--batch", metavar="N", type=_positive, default=BATCH, help=f"items judged at a time, {BATCH} by default"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    return parser


if __name__ == "__main__":
    # A terminal that lacks a character shows its escape; the work goes on.
    sys.stderr.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # it is a text stream
    sys.exit(main())
