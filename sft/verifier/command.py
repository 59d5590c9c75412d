"""Verification of a file of solutions, and of one solution in Python."""

import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Annotated

import typer

from harness.command_line.option_types import AnswerStoreFile, Budget, Prices, QuestionField, SolutionField
from harness.corpora.field_roles import FieldNames
from harness.corpora.labelled_solutions import LONGEST_TEXT
from harness.errors import HarnessError
from harness.solution.labels import TypeNames
from harness.store.progress_line import StageProgress
from harness.text.characters import kind_of
from sft.samples.items import Item
from sft.samples.record_lines import (
    INTERRUPTED,
    PIPE,
    JudgedLine,
    RecordInput,
    judge_file,
    judged_in_batches,
    read_items,
)
from sft.samples.solution_judgement import Engine, Judgement
from sft.samples.solution_text import read_item
from sft.verifier.engine_registry import BATCH, EngineSettings, judge, open_engine, together
from sft.verifier.record_selection import KeptRecords

ORACLE, TEXT, SYMBOLIC = "oracle", "text", "symbolic"
"""The default engine: above `symbolic` on sources that no weight saw (`python -m benchmarks.verifier_travel RUN`), in milliseconds."""
FEWEST_ESTIMATED, MOST_ESTIMATED = 20, 100_000
"""The share of flawed solutions is estimated from at least and at most so many."""
OF_TEXT_ALONE = (
    "judged by the text alone: Correct does not cover wrong steps of true arithmetic; programs of models (--models, --formalizations, --oracles)"
    " or a worked solution in each record (gold_solution) do"
)


@dataclass(frozen=True, slots=True)
class ReferenceFirst:
    """The engine where none is chosen: a solution whose record has a worked one is judged by that, the others by their text."""

    by_reference: Engine
    by_text: Engine
    name: str = TEXT

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield a judgement on each item, in order."""
        # An answer alone may be the solution's own: it judges only where the engine is chosen.
        told = list(self.by_reference.judge([replace(item, gold="") for item in items]))
        by_text = iter(self.by_text.judge([item for item, own in zip(items, told, strict=True) if own.error]))
        for own in told:
            yield next(by_text) if own.error else own


def verify(
    question: str,
    solution: str,
    *,
    engine: str | Engine = TEXT,
    settings: EngineSettings | None = None,
    reference: str = "",
) -> Judgement:
    """Return the judgement of an engine on one solution; an engine that is given by its name is opened once for the same settings.

    `reference` is a right solution of the problem, by which the engine `oracle` judges.
    Raises `HarnessError` where the engine is unknown or cannot be opened, or an argument is not a string.
    """
    for name, text in (("question", question), ("solution", solution), ("reference", reference)):
        if not isinstance(text, str):
            raise HarnessError(f"expected text as {name}, found {kind_of(text)}")
    opened = _opened(engine, settings or EngineSettings()) if isinstance(engine, str) else engine
    return next(judge(opened, [replace(read_item(question, solution), reference=reference[:LONGEST_TEXT])]))


@lru_cache(maxsize=2)
def _opened(name: str, settings: EngineSettings) -> Engine:
    return open_engine(name, settings)


def open_default(settings: EngineSettings) -> Engine:
    """Return the engine where none is chosen; errors as in `open_engine`."""
    return ReferenceFirst(open_engine(ORACLE, settings), open_engine(TEXT, settings))


def verify_items(items: Iterable[Item | str], engine: Engine, batch: int = BATCH) -> Iterator[Judgement]:
    """Yield a judgement on each item, in order, in batches; a string in place of an item says why it cannot be judged."""
    return judged_in_batches(items, partial(_judgements, engine), Judgement.unjudged, batch)


def _judgements(engine: Engine, items: Sequence[Item]) -> Iterator[Judgement]:
    try:
        yield from list(judge(engine, items))
    except HarnessError:
        raise
    except Exception as error:  # noqa: BLE001  # the failure of an engine on one item must not lose the others
        if len(items) == 1:
            yield Judgement.unjudged(f"the engine failed: {type(error).__name__}: {error}")
            return
        for item in items:
            yield from _judgements(engine, [item])


OUTPUT = "JSONL, plain or .gz; - for a pipe, which is the default. With --reference also .csv, and by default the table alone."
ENGINE = "oracle, symbolic, text, model, chat or endpoint; oracle with --oracles, else text by default, chat with --adapter of a language model."
REFERENCE = "The worked solution of one problem, a text or a record, by which a class's solutions to it are judged: a table with a row a pupil."
FORMALIZATIONS = "For oracle, programs of models that are not judged yet, as judge reads them: they are judged once, in a folder beside FILE. Repeatable."
MODELS = "For oracle, models that are asked for a program of each problem, as formalize asks them, such as openai:gpt-4.1-mini. The price is shown first, and one that costs something needs --budget."
CORPUS = "For --formalizations and --models, the problems that the programs answer; by default, those of the solutions by their problem_id."
KEEP = "Write the records that are safe to train on to KEPT, the others with reasons beside it: solutions that an oracle proves right."
PRECISION = "For --keep, the least share of right ones that is expected among them."
BY_VALUE = "For --keep, also those whose answer is right and whose steps are not all read."
Keep = Annotated[Path | None, typer.Option(metavar="KEPT", help=KEEP)]
Precision = Annotated[float, typer.Option(metavar="SHARE", help=PRECISION)]
ByValue = Annotated[bool, typer.Option("--by-value", help=BY_VALUE)]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyOptions(EngineSettings):
    """The options of `oracle-factory verify`."""

    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Records with a question and a solution, in any layout; - for a pipe.")
    ]
    output: Annotated[str | None, typer.Option("--output", "-o", metavar="OUT", help=OUTPUT)] = None
    engine: Annotated[str | None, typer.Option(metavar="NAME", help=ENGINE)] = None
    reference: Annotated[Path | None, typer.Option(metavar="FILE", help=REFERENCE)] = None
    formalizations: Annotated[list[Path] | None, typer.Option(metavar="FILE", help=FORMALIZATIONS)] = None
    models: Annotated[str, typer.Option(metavar="MODEL,…", help=MODELS)] = ""
    budget: Budget = None
    store: AnswerStoreFile = Path(".cache/llm/answers.sqlite")
    prices: Prices = None
    corpus: Annotated[str | None, typer.Option(metavar="NAME|FILE", help=CORPUS)] = None
    question_field: QuestionField = ""
    solution_field: SolutionField = ""
    keep: Keep = None
    precision: Precision = 0.99
    by_value: ByValue = False
    type_names: Annotated[
        TypeNames, typer.Option(help="Names of error types: ours, or those of the original design.")
    ] = TypeNames.OWN
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress on standard error.")] = False


def verify_file(options: VerifyOptions) -> int:
    """Judge the solutions of a file or a pipe by the engine that the options call for; return the exit status.

    `formalizations` are judged before: see `properties.verification`. Raises `HarnessError` where the file or the engine cannot be used.
    """
    weighed: list[tuple[float, float]] = []
    output = Path(options.output) if options.output not in {None, PIPE} else None
    kept = None
    if options.keep is not None:
        kept = KeptRecords(Path(options.file), options.keep, options.precision, options.by_value, output)
    if kept is not None and options.file == PIPE:
        raise HarnessError(f"--keep {options.keep}: a pipe is read once; give a file")
    by_text = by_reference = proved = 0
    name, settings = _engine_settings(options)
    batch = together(name, settings)

    def judged(given: RecordInput) -> Iterator[JudgedLine]:
        engine = open_default(settings) if options.engine is None and name == TEXT else open_engine(name, settings)
        return map(judged_line, verify_items(read_items(given), engine, batch))

    def judged_line(judgement: Judgement) -> JudgedLine:
        nonlocal by_text, by_reference, proved
        by_reference += judgement.diagnosis is not None
        by_text += judgement.diagnosis is None and not judgement.error
        proved += judgement.flawed and judgement.prior is None
        if judgement.prior is not None and not judgement.unread and len(weighed) < MOST_ESTIMATED:
            chance = judgement.confidence if judgement.flawed else 1 - judgement.confidence
            weighed.append((chance, judgement.prior))
        if kept is not None:
            kept.add(judgement)
        return JudgedLine(options.type_names.renamed(judgement.record()), judgement.flawed, judgement.error)

    progress = StageProgress("verify", io.StringIO() if options.quiet else sys.stderr, noun="solutions")
    named = FieldNames(options.question_field, options.solution_field)
    output_name = options.output or PIPE
    status = judge_file(options.file, output_name, progress, judged, named, batch=batch, finding="flawed")
    if kept is not None and status != INTERRUPTED:
        sys.stderr.write(f"{kept.write()}\n")
    if by_text and not options.quiet and name in {TEXT, SYMBOLIC}:
        if by_reference:
            sys.stderr.write(f"verify: {by_reference:,} judged by the worked solution of the record\n")
        sys.stderr.write(f"verify: {by_text:,} {OF_TEXT_ALONE}\n")
    if weighed and not options.quiet:
        shares = [share for _, share in weighed]
        assumed = " to ".join(f"{share:.2f}" for share in sorted({min(shares), max(shares)}))
        if len(weighed) >= FEWEST_ESTIMATED:
            from sft.fitted.prior import share_of_weighed

            of_all = (share_of_weighed(weighed) * len(weighed) + proved) / (len(weighed) + proved)
            estimate = f"an estimated share of {of_all:.2f} is flawed; {proved:,} solutions are proved so"
            sys.stderr.write(f"verify: {estimate}\n")
        sys.stderr.write(f"verify: assumed that a share of {assumed} is flawed beside what is proved (--prior)\n")
    return status


def _engine_settings(options: VerifyOptions) -> tuple[str, EngineSettings]:
    """Return the engine and its settings; raises `HarnessError` where options contradict each other."""
    # A language model's adapter, a level or a server are of no use to the default.
    if options.engine:
        name = options.engine
    elif options.oracles is not None:
        name = ORACLE
    elif options.endpoint:
        name = "chat" if options.level else "endpoint"
    else:
        name = TEXT if options.adapter is None and not options.level else "chat"
    name = "endpoint" if name == "model" and options.endpoint else name
    if options.endpoint and name not in {"endpoint", "chat"}:
        raise HarnessError(f"--endpoint {options.endpoint!r} does not go with --engine {name}: give --engine model")
    if options.adapter is not None and name in {TEXT, SYMBOLIC, ORACLE}:
        message = f"--adapter {options.adapter} does not go with --engine {name}, which has no weights of your own: leave one out"
        raise HarnessError(message)
    return name, EngineSettings.of_options(options)
