"""Verification of solutions by programs of models that are not judged yet: of a file, and of one solution."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.corpora.field_roles import FieldNames, Role
from harness.corpora.problems import corpus_problems
from harness.corpora.responses import read_responses
from harness.domain import Response
from harness.errors import HarnessError
from harness.stages import FORMALIZATION
from harness.store.run_folder import RunFolder, dump
from properties.factory.judged_problems import judge_records, judged_run
from properties.factory.options import JudgeOptions
from sft.diagnosis.oracle_sources import OracleSource, question_key
from sft.samples.record_lines import PIPE, open_input
from sft.verifier.command import VerifyOptions, verify_file
from sft.verifier.engines.oracle import OracleEngine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

OPTION = "--formalizations"
THE_PROBLEM = "problem"


def verify_by_programs(options: VerifyOptions) -> int:
    """Judge the programs of the options, then the solutions by them; without programs, the solutions alone; return the exit status.

    Raises:
        HarnessError: options contradict each other, a file or the programs cannot be used.
    """
    if not options.formalizations:
        if options.corpus is not None:
            raise HarnessError(f"--corpus {options.corpus}: goes with {OPTION} alone")
        return verify_file(options)
    if options.oracles is not None:
        raise HarnessError(f"expected one of --oracles and {OPTION}, found both")
    return verify_file(replace(options, oracles=judged_programs(options, options.formalizations)))


def judged_programs(options: VerifyOptions, files: Sequence[Path]) -> Path:
    """Return the sealed run of the programs for the problems of the solutions, beside the first file of programs; it is judged unless it is there.

    Raises:
        HarnessError: a file cannot be read, no program is about a problem of the solutions, or on no problem programs agree.
    """
    answered, refused = set[str](), ""
    for _, program in read_responses(files):
        if isinstance(program, Response):
            answered.add(program.problem_id)
        else:
            refused = refused or program.reason
    if not answered:
        raise HarnessError(f"{OPTION} {files[0]}: holds no program; the first record: {refused}")
    questions = _questions(options)
    known = {problem_id: questions[problem_id] for problem_id in sorted(answered & questions.keys())}
    if not known:
        found = f"ids of problems look like {min(questions)!r}" if questions else "no record has a problem_id"
        raise HarnessError(
            f"{OPTION} {files[0]}: no program is about a problem of {options.file}: programs name {min(answered)!r}, and {found}; give the problems of the programs by --corpus"
        )
    with tempfile.TemporaryDirectory(prefix="oracle-factory-") as scratch:
        corpus = Path(scratch) / f"{files[0].resolve().name.partition('.')[0] or 'answers'}.jsonl"
        lines = (dump({"problem_id": name, "question": question}) for name, question in known.items())
        corpus.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        judging = JudgeOptions(corpus=str(corpus), answers=[str(path) for path in files])
        folder = judged_run(judging, quiet=True, runs=files[0].resolve().parent).run.folder
    consensus = RunFolder(folder).stage(FORMALIZATION).records("consensus.jsonl")
    agreed = sum(record["oracle"] is not None for record in consensus)
    if not options.quiet:
        sys.stderr.write(f"verify: programs agree on {agreed:,} of {len(consensus):,} problems; judged in {folder}\n")
    if not agreed:
        raise HarnessError(
            f"{OPTION} {files[0]}: on none of the {len(consensus):,} problems programs agree; `oracle-factory report {folder}` shows why"
        )
    return folder


def _questions(options: VerifyOptions) -> dict[str, str]:
    """Return the questions by problem: those of the corpus that have solutions, by default those of the solutions themselves.

    Raises:
        HarnessError: a file cannot be read, the input is a pipe without a corpus, or an id has two questions.
    """
    if options.file == PIPE:
        if options.corpus is None:
            raise HarnessError(f"{OPTION}: a pipe is read once; name the problems of the programs by --corpus")
        return {problem.problem_id: problem.question for problem in corpus_problems(options.corpus)}
    found: dict[str, str] = {}
    with open_input(options.file, FieldNames(options.question_field, options.solution_field)) as given:
        records = [fields for fields in given.records(Role.QUESTION) if not isinstance(fields, str)]
    if options.corpus is not None:
        asked = {question_key(fields.question) for fields in records}
        problems = corpus_problems(options.corpus)
        return {own.problem_id: own.question for own in problems if question_key(own.question) in asked}
    for fields in records:
        if not fields.identifier:
            continue
        question = found.setdefault(fields.identifier, fields.question)
        if question_key(question) != question_key(fields.question):
            raise HarnessError(
                f"{options.file}: the id {fields.identifier!r} stands at two questions; name the problems of the programs by --corpus"
            )
    return found


def engine_of_programs(question: str, programs: str | Path | Iterable[str | Mapping[str, Any]]) -> OracleEngine:
    """Return the engine that judges by programs of models for one problem: a file of them, or texts or records with `response`; they are judged once in a process.

    Raises:
        HarnessError: the file cannot be read, a record holds no program, or they are of several problems.
    """
    given = [response for _, response in read_responses([Path(programs)])] if isinstance(programs, str | Path) else []
    read = [(own.problem_id, own.model, own.text) for own in given if isinstance(own, Response)]
    for place, program in enumerate(() if isinstance(programs, str | Path) else programs):
        record = {"response": program} if isinstance(program, str) else program
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
