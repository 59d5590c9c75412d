"""Verification of solutions by programs of models that are not judged yet: of a file, and of one solution."""

import contextlib
import hashlib
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from generators.formalizations.llm_formalizers.formalization_job import run_job
from generators.formalizations.llm_formalizers.formalize_options import FormalizeOptions
from harness.command_line.option_types import require_at_most_one
from harness.corpora.field_roles import FieldNames, RecordFields, Role
from harness.corpora.problems import corpus_problems
from harness.corpora.responses import read_responses
from harness.corpora.table_rows import row_records
from harness.domain import Response
from harness.errors import HarnessError
from harness.llm.question_job import ENDED
from harness.stages import FORMALIZATION
from harness.store.progress_line import caller_progress
from harness.store.run_folder import RunFolder, dump
from properties.factory.judged_problems import judge_records, judged_run
from properties.factory.options import JudgeOptions
from sft.diagnosis.oracle_sources import OracleSource, question_key
from sft.samples.record_lines import PIPE, given_fields, item_of, open_input
from sft.samples.solution_judgement import Judgements
from sft.verifier.class_table import OPTION as REFERENCE, verify_class
from sft.verifier.command import ORACLE, TEXT, VerifyOptions, open_default, verify_file, verify_items
from sft.verifier.engine_registry import EngineSettings, open_engine, together
from sft.verifier.engines.oracle import OracleEngine

OPTION, MODELS = "--formalizations", "--models"
THE_PROBLEM = "problem"
NAMES = FieldNames()


def verify_by_programs(options: VerifyOptions) -> int:
    """Judge the programs that the options name or ask models for, then the solutions by them; without programs, the solutions alone.

    Returns the exit status. Options that contradict each other, and what cannot be used, raise a `HarnessError`.
    """
    given = {"--oracles": bool(options.oracles), OPTION: bool(options.formalizations)}
    given |= {MODELS: bool(options.models), REFERENCE: bool(options.reference)}
    require_at_most_one(given)
    if any(given.values()) and options.engine not in {None, ORACLE}:
        source = next(filter(given.get, given))
        raise HarnessError(f"{source} goes with --engine {ORACLE}, found --engine {options.engine}")
    if options.corpus is not None and not (options.formalizations or options.models):
        raise HarnessError(f"--corpus {options.corpus}: goes with {OPTION} and {MODELS} alone")
    if (options.budget is not None or options.prices is not None) and not options.models:
        raise HarnessError(f"--budget and --prices go with {MODELS} alone")
    if options.reference is not None:
        if options.keep is not None:
            raise HarnessError(f"--keep goes with a file of records to train on, not with {REFERENCE}")
        named = FieldNames(options.question_field, options.solution_field)
        names, quiet = options.type_names, options.quiet
        return verify_class(options.file, options.reference, options.output, named, names=names, quiet=quiet)
    for path in options.formalizations or ():
        if not path.exists():
            message = f"{OPTION} {path}: no such file or folder. Expected programs of models; worked solutions judge without it: gold_solution in a record, or {REFERENCE} FILE"
            raise HarnessError(message)
    if options.models:
        return _verify_by_models(options)
    if not options.formalizations:
        return verify_file(options)
    return verify_file(replace(options, oracles=judged_programs(options, options.formalizations)))


def _verify_by_models(options: VerifyOptions) -> int:
    """Ask models for a program of each problem of the solutions, kept beside these, and verify by them.

    An interruption ends it; at the budget, it goes on with the programs that are there.
    """
    questions = _questions(options, named=False)
    if not questions:
        raise HarnessError(f"{options.file}: no record has a question that is read; see --question-field")
    beside = Path("solutions" if options.file == PIPE else options.file).resolve()
    answers = beside.with_name(f"{beside.name.partition('.')[0]}-programs.jsonl")
    with _corpus_of(questions, beside) as corpus:
        asking = FormalizeOptions(
            models=options.models,
            corpus=corpus,
            output=str(answers),
            force=True,
            store=options.store,
            budget=options.budget,
            prices=options.prices,
        )
        status = run_job(asking, budgeted=True)
        if status == ENDED:
            return status
        told = replace(options, corpus=corpus)
        return verify_file(replace(options, oracles=judged_programs(told, [answers]))) or status


@contextlib.contextmanager
def _corpus_of(questions: Mapping[str, str], named: Path) -> Iterator[str]:
    """Write questions to a file of problems that is removed at the end; return its name, which is that of the run."""
    with tempfile.TemporaryDirectory(prefix="oracle-factory-") as scratch:
        corpus = Path(scratch) / f"{named.name.partition('.')[0] or 'answers'}.jsonl"
        lines = (dump({"problem_id": name, "question": question}) for name, question in questions.items())
        corpus.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        yield str(corpus)


def judged_programs(options: VerifyOptions, files: Sequence[Path]) -> Path:
    """Return the sealed run of the programs for the problems of the solutions, beside the first file of programs; it is judged unless it is there.

    Raises:
        HarnessError: a file cannot be read, no program is about a problem of the solutions, or on no problem programs agree.
    """
    source = MODELS if options.models else f"{OPTION} {files[0]}"
    answered, refused = set[str](), ""
    for _, program in read_responses(files):
        if isinstance(program, Response):
            answered.add(program.problem_id)
        else:
            refused = refused or program.reason
    if not answered:
        raise HarnessError(f"{source}: holds no program; the first record: {refused or 'none'}")
    questions = _questions(options)
    known = {problem_id: questions[problem_id] for problem_id in sorted(answered & questions.keys())}
    if not known:
        found = f"ids of problems look like {min(questions)!r}" if questions else "no record has a problem_id"
        message = f"{source}: no program is about a problem of {options.file}: programs name {min(answered)!r}, and {found}; give the problems of the programs by --corpus"
        raise HarnessError(message)
    with _corpus_of(known, files[0].resolve()) as corpus:
        judging = JudgeOptions(corpus=corpus, answers=[str(path) for path in files])
        folder = judged_run(judging, quiet=True, runs=files[0].resolve().parent).run.folder
    consensus = RunFolder(folder).stage(FORMALIZATION).records("consensus.jsonl")
    agreed = sum(record["oracle"] is not None for record in consensus)
    if not options.quiet:
        sys.stderr.write(f"verify: programs agree on {agreed:,} of {len(consensus):,} problems; judged in {folder}\n")
    if not agreed:
        message = f"{source}: on none of the {len(consensus):,} problems programs agree; `oracle-factory report {folder}` shows why"
        raise HarnessError(message)
    return folder


def _questions(options: VerifyOptions, *, named: bool = True) -> dict[str, str]:
    """Return the questions by problem: those of the corpus that have solutions, by default those of the solutions themselves.

    A question without an id, or with that of another question, gets one of its own unless ids are `named` by programs. A pipe without
    a corpus, and an id of two questions, raise a `HarnessError`.
    """
    if options.file == PIPE:
        if options.corpus is None:
            message = f"{MODELS if options.models else OPTION}: a pipe is read once; name the problems of the programs by --corpus"
            raise HarnessError(message)
        return {problem.problem_id: problem.question for problem in corpus_problems(options.corpus)}
    with open_input(options.file, FieldNames(options.question_field, options.solution_field)) as given:
        records = [fields for fields in given.records(Role.QUESTION) if not isinstance(fields, str)]
    if options.corpus is not None:
        asked = {question_key(fields.question) for fields in records}
        problems = corpus_problems(options.corpus)
        return {own.problem_id: own.question for own in problems if question_key(own.question) in asked}
    return _questions_by_id(records, options.file, named=named)


def _questions_by_id(records: Iterable[RecordFields], source: str, *, named: bool) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, fields in {question_key(fields.question): fields for fields in reversed(list(records))}.items():
        identifier = fields.identifier
        if not named and (not identifier or identifier in found):
            identifier = f"question-{hashlib.sha256(key.encode()).hexdigest()[:12]}"
        if not identifier:
            continue
        if found.setdefault(identifier, fields.question) != fields.question:
            message = f"{source}: the id {identifier!r} stands at two questions; name the problems of the programs by --corpus"
            raise HarnessError(message)
    return found


def verify_records(
    solutions: Any,
    *,
    engine: str = "",
    oracles: Path | None = None,
    formalizations: Any = None,
    models: str = "",
    budget: str | None = None,
    named: FieldNames = NAMES,
    progress: bool = True,
) -> Judgements:
    """Return the judgements on the solutions of a file, a list or a data frame; see `oracle_factory.verify_many`."""
    sources = {"oracles": oracles is not None, "formalizations": formalizations is not None, "models": bool(models)}
    require_at_most_one(sources)
    if engine not in {"", ORACLE} and any(sources.values()):
        raise HarnessError(f"engine: expected {ORACLE!r} with {next(filter(sources.get, sources))}, found {engine!r}")
    read = given_fields(solutions, named, Role.QUESTION, Role.SOLUTION, name="solutions")
    with tempfile.TemporaryDirectory(prefix="oracle-factory-") as scratch:
        settings = EngineSettings(oracles=oracles)
        if formalizations is not None or models:
            known = [fields for fields in read if not isinstance(fields, str)]
            settings = EngineSettings(
                oracles=_run_of_programs(known, formalizations, models, budget, Path(scratch), progress=progress)
            )
        name = engine or (ORACLE if settings.oracles is not None else "")
        opened = open_engine(name, settings) if name else open_default(settings)
    items = [fields if isinstance(fields, str) else item_of(fields) for fields in read]
    told = verify_items(items, opened, together(name or TEXT, settings))
    return Judgements(tuple(caller_progress("verify", "solutions", shown=progress).over(told, len(items))))


def _run_of_programs(
    records: Sequence[RecordFields], programs: Any, models: str, budget: str | None, scratch: Path, *, progress: bool
) -> Path:
    """Return the sealed run of programs for the questions of solutions, which `models` are asked for, in a folder that is removed later."""
    questions = _questions_by_id(records, "solutions", named=not models)
    if not questions:
        raise HarnessError("solutions: no record has a problem_id, by which programs find their problem")
    if models:
        with _corpus_of(questions, scratch / "solutions") as corpus:
            programs = scratch / "answers.jsonl"
            asking = FormalizeOptions(models=models, corpus=corpus, output=str(programs), budget=budget)
            if run_job(asking, budgeted=True) == ENDED:
                raise KeyboardInterrupt
    problems = [{"problem_id": name, "question": question} for name, question in questions.items()]
    given = programs if isinstance(programs, str | Path) else list(row_records(programs, "formalizations"))
    judged = judge_records(problems, given, out=scratch / "run", processes=1, named=NAMES, progress=progress)
    if progress:
        sys.stderr.write(f"verify: programs agree on {len(judged.oracles):,} of {len(questions):,} problems\n")
    return scratch / "run"


def engine_of_programs(question: str, programs: str | Path | Iterable[str | Mapping[str, Any]]) -> OracleEngine:
    """Return the engine that judges by programs of models for one problem: a file of them, or texts or records with `response`; they are judged once in a process.

    Raises:
        HarnessError: the file cannot be read, a record holds no program, or they are of several problems.
    """
    given = [response for _, response in read_responses([Path(programs)])] if isinstance(programs, str | Path) else []
    read = [(own.problem_id, own.model, own.text) for own in given if isinstance(own, Response)]
    records = () if isinstance(programs, str | Path) else row_records(programs, "formalizations", text="response")
    for place, record in enumerate(records):
        text, model = record.get("response"), record.get("model", f"program {place + 1}")
        if not isinstance(text, str) or not isinstance(model, str):
            raise HarnessError(f"formalizations[{place}]: expected a text, or a record with 'response' and 'model'")
        read.append((str(record.get("problem_id", THE_PROBLEM)), model, text))
    problems = sorted({problem_id for problem_id, *_ in read})
    if len(problems) != 1:
        found = f"programs of {problems[0]!r} and {problems[1]!r}" if problems else "none"
        raise HarnessError(f"formalizations: expected programs of one problem, found {found}")
    return _judged_engine(question, tuple((model, text) for _, model, text in read))


@lru_cache(maxsize=64)
def _judged_engine(question: str, programs: tuple[tuple[str, str], ...]) -> OracleEngine:
    records = [{"problem_id": THE_PROBLEM, "model": model, "response": text} for model, text in programs]
    with tempfile.TemporaryDirectory(prefix="oracle-factory-") as scratch:
        folder, problem = Path(scratch) / "run", {"problem_id": THE_PROBLEM, "question": question}
        judge_records([problem], records, out=folder, processes=1, named=FieldNames())
        return OracleEngine(OracleSource.of_run(folder))
