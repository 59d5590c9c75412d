"""The functions of `oracle_factory` for Python: judge, audit, verify, verify_many, validate and validate_many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.corpora.field_roles import FieldNames
from harness.errors import HarnessError
from harness.text.characters import kind_of

if TYPE_CHECKING:  # the import of the functions is light
    from oracles.dataset_audit.findings import DatasetAudit
    from properties.factory.judged_problems import JudgedRun
    from sft.samples.problem_judgement import ProblemJudgement, ProblemJudgements
    from sft.samples.solution_judgement import Engine, Judgement, Judgements
    from sft.validator.problem_engine import ProblemEngine


def judge(
    problems: str | Path | Iterable[Mapping[str, Any]],
    answers: str | Path | Sequence[str | Path | Mapping[str, Any]] = (),
    *,
    out: str | Path | None = None,
    processes: int | None = None,
    question_field: str = "",
    solution_field: str = "",
    answer_field: str = "",
    progress: bool = True,
) -> JudgedRun:
    r"""Judge programs that models wrote for word problems: which agree, and which one stands for each problem.

    `problems` is a file of JSON lines, Parquet or Arrow, `"mini"`, or records `{"problem_id": …, "question": …, "answer": "… #### 72"}`; without an
    answer the programs are judged by their agreement alone. Records may stand in a list or a data frame, where NaN is a missing value. `answers` are by default those bundled with `"mini"`, else such files, the word `"annotation"`, which makes a program
    of each annotated solution, or records `{"problem_id": …, "model": …, "response": …}`; the programs in the responses are
    parsed and evaluated exactly, never executed. `out` is the folder of the run, which `oracle-factory report` reads
    and a later call continues; by default nothing is kept. `processes` is the number of processes that judge in
    parallel, by default one for each core. `question_field`, `solution_field` and `answer_field` name fields of the problems that have other names than
    those of published data sets. Each call starts processes, which takes about
    a second: give many problems to one call. `progress` shows a bar on a terminal and in a notebook, from three seconds on.

    Returns:
        The problems by id, each with its `oracle` (or `None`), its `consensus` (the group that agrees, `confidence`, `p_right`,
        who dissents and why), the `verdicts` on programs and pairs, and `look`: why a person should look at it, empty if nothing asks for it.

    Raises:
        HarnessError: a file or a record cannot be used, or a process died.

    Example:
        >>> problems = [{"problem_id": "jars", "question": "A jar costs $2. How much are 4 jars?", "answer": "4*2=8\n#### 8"}]
        >>> answers = [
        ...     {"problem_id": "jars", "model": "a", "response": "def solve(price: int = 2, jars: int = 4):\n    return price * jars"},
        ...     {"problem_id": "jars", "model": "b", "response": "def solve(jars: int = 4, cost: int = 2):\n    return jars * cost"},
        ...     {"problem_id": "jars", "model": "c", "response": "def solve(price: int = 2, jars: int = 4):\n    return price + jars + 2"},
        ... ]
        >>> jars = judge(problems, answers)["jars"]
        >>> jars.consensus.clique, jars.oracle.value
        (('a', 'b'), '8')
        >>> jars.consensus.dissenters[0].model
        'c'
    """
    from properties.factory.judged_problems import judge_records

    named = FieldNames(question_field, solution_field, answer_field)
    folder = None if out is None else Path(out)
    return judge_records(problems, answers, out=folder, processes=processes, named=named, progress=progress)


def audit(
    source: str | Path | Iterable[Mapping[str, Any]],
    *,
    processes: int = 1,
    question_field: str = "",
    solution_field: str = "",
    answer_field: str = "",
    progress: bool = True,
) -> DatasetAudit:
    r"""Find false equations, wrong labels and broken programs in a data set.

    `source` is a file of records in any layout, plain or `.gz`, or records in a list or a data frame, where NaN is a missing value. Each record may have a worked solution (`answer` as in
    GSM8K, `solution`, `gold_solution`), a labelled one (`flawed_solution` or `solution` with `label`, `steps` with
    `first_error_step`), an `equation` beside its `answer`, an SMT-LIB 2 program (`smtlib`, `program`), or the fields of published
    data sets; `question_field`, `solution_field` and `answer_field` name fields that have other names. `progress` is as in `judge`.

    Returns: The numbers of records, solutions and programs that were read, and the `findings`: each has the
        `record_id`, its `row` in the file, the `place` (`L3`), the
        `kind`, what was `found` and what was `expected`; `fields` says which fields were taken for what.

    Raises:
        HarnessError: the file cannot be read, the source is none of these, or there is no record.

    Example:
        >>> found = audit([{"id": 7, "question": "How many?", "answer": "There are 8*3=240 eggs.\n#### 240"}]).findings
        >>> [(finding.record_id, finding.place, finding.found, finding.expected) for finding in found]
        [('7', 'L1', '8*3=240', '8*3 = 24 eggs')]
    """
    from harness.corpora.problems import read_records
    from harness.corpora.table_rows import row_records
    from harness.store.progress_line import caller_progress
    from oracles.dataset_audit.audit import audit_dataset

    named = FieldNames(question_field, solution_field, answer_field)
    given = Path(source) if isinstance(source, str | Path) else list(row_records(source, "source"))
    shown = caller_progress("audit", "records", shown=progress)
    if progress:
        shown.began(sum(1 for _ in read_records(given)) if isinstance(given, Path) else len(given))
    audited = audit_dataset(
        given, processes=processes, named=named, watch=lambda findings: shown.advanced(1, findings=findings)
    )
    shown.cleared()
    return audited


def verify(
    question: str,
    solution: str,
    *,
    engine: str = "",
    reference: str = "",
    oracles: str | Path | None = None,
    formalizations: str | Path | Iterable[str | Mapping[str, Any]] | None = None,
) -> Judgement:
    r"""Judge one solution: is it correct, and if not, which line is wrong and how.

    `engine` is `text` (milliseconds, no model), `symbolic` (only what is proved), or `model`, which needs
    `make install-sft`. With `reference`, a right solution of the problem, with `oracles`, the folder of a run that `judge` kept, or with
    `formalizations`, programs of models for this problem, it is `oracle` unless you name another one: the steps of the solution are compared
    with those of right programs, and `diagnosis` has the certificate. `formalizations` are texts, records `{"model": …, "response": …}` or a file of
    them; they are judged once in a process, and never executed. Without any of these, `flawed=False` does not cover wrong steps of true arithmetic, as `not_covered` says.

    Returns:
        The judgement: `flawed`, `confidence` (0 to 1), `error_class`, `error_type`, `line` (`L2`, or `FA` for the final answer),
        `explanation`, `correction`, `evidence`; `record()` is its JSON form.

    Raises:
        HarnessError: the engine is unknown or cannot be opened, an argument is not a string, the programs are of several problems, or there are two sources of programs.

    Example:
        >>> judged = verify("A baker fills 6 trays with 12 rolls and sells 50. How many are left?", "6*12=72\n72-50=12\n#### 12")
        >>> judged.flawed, judged.line, judged.correction
        (True, 'L2', '72-50=22')
    """
    from sft.verifier.command import verify as verify_solution
    from sft.verifier.engine_registry import EngineSettings

    settings = EngineSettings(oracles=None if oracles is None else Path(oracles))
    chosen: str | Engine = engine or ("text" if oracles is None and not reference else "oracle")
    if formalizations is not None and oracles is not None:
        raise HarnessError("expected one of oracles and formalizations, found both")
    if formalizations is not None and engine in {"", "oracle"}:
        from properties.verification import engine_of_programs

        chosen = engine_of_programs(question, formalizations)
    return verify_solution(question, solution, engine=chosen, settings=settings, reference=reference)


def verify_many(
    solutions: str | Path | Iterable[Mapping[str, Any]],
    *,
    engine: str = "",
    oracles: str | Path | None = None,
    formalizations: str | Path | Iterable[Mapping[str, Any]] | None = None,
    models: str = "",
    budget: str | None = None,
    question_field: str = "",
    solution_field: str = "",
    progress: bool = True,
) -> Judgements:
    r"""Judge many solutions, as the command `verify` does.

    `solutions` is a file of records in any layout, or records with `question` and `solution` in a list or a data frame, where NaN is a missing
    value. A record with a worked solution (`gold_solution`, or an `answer` with its steps) is judged by that. `oracles` is the folder of a run; `formalizations` are
    programs of models, a file or records `{"problem_id": …, "model": …, "response": …}`, which find the solutions by `problem_id`; `models`, such as
    `"openai:gpt-4.1-mini,ollama:phi3"`, are asked for programs: the price is printed first, and one that costs something needs a `budget` in dollars.
    `engine` is as in `verify`, `progress` as in `judge`.

    Returns:
        A sequence of judgements, one a record in its order; `to_pandas()` has a row for each.

    Raises:
        HarnessError: the file, a record, the engine, a model or the programs cannot be used, or there are two sources of programs.

    Example:
        >>> baker = "A baker fills 6 trays with 12 rolls and sells 50. How many are left?"
        >>> many = verify_many([
        ...     {"question": baker, "solution": "6*12=72\n72+50=122\n#### 122", "gold_solution": "6*12=72\n72-50=22\n#### 22"},
        ...     {"question": baker, "solution": "6*12=72\n72+50=122\n#### 122"},
        ... ])
        >>> [(judged.flawed, judged.line, judged.not_covered) for judged in many]
        [(True, 'L2', ''), (False, '', 'wrong steps of true arithmetic')]
    """
    from properties.verification import verify_records

    return verify_records(
        solutions,
        engine=engine,
        oracles=None if oracles is None else Path(oracles),
        formalizations=formalizations,
        models=models,
        budget=budget,
        named=FieldNames(question_field, solution_field),
        progress=progress,
    )


def validate(question: str, *, engine: str = "symbolic") -> ProblemJudgement:
    """Judge one problem: can it be solved, does it contradict itself, or is something missing.

    `engine` is `symbolic` (the text alone), or `zero-shot`, which asks the small model of `make install-sft`.

    Returns:
        The judgement: `problem_class` (solvable 1, contradictory 0, underspecified 2), `confidence` (0 to 1), `reason`,
        `evidence`; `record()` is its JSON form.

    Raises:
        HarnessError: the engine is unknown or cannot be opened, or the question is not a string.

    Example:
        >>> judged = validate("Lena sells several jars for $2 each. How much does she get?")
        >>> judged.problem_class.name, judged.reason
        ('UNDERSPECIFIED', '"several" has no value.')
    """
    from sft.validator.problem_engine import ProblemEngineSettings, open_problem_engine

    if not isinstance(question, str):
        raise HarnessError(f"expected text as question, found {kind_of(question)}; validate_many takes several")
    (judgement,) = open_problem_engine(_problem_engine(engine), ProblemEngineSettings()).judge([question])
    return judgement


def validate_many(
    problems: str | Path | Iterable[str | Mapping[str, Any]],
    *,
    engine: str = "symbolic",
    question_field: str = "",
    progress: bool = True,
) -> ProblemJudgements:
    """Judge many problems, as the command `validate` does.

    `problems` is a file of records in any layout, or records or texts in a list, a series or a data frame, where NaN is a missing value; `engine` is as in `validate`, `progress` as in `judge`.

    Returns:
        A sequence of judgements, one a record in its order; one without a question says why it is not judged. `to_pandas()` has a row for each.

    Raises:
        HarnessError: the file or the engine cannot be used, or `problems` is none of these.

    Example:
        >>> many = validate_many(["Lena sells several jars for $2 each. How much does she get?", "Lena has 2 jars and buys 3. How many has she?"])
        >>> [judged.problem_class.name for judged in many]
        ['UNDERSPECIFIED', 'SOLVABLE']
    """
    from sft.validator.problem_engine import validate_records

    return validate_records(problems, _problem_engine(engine), FieldNames(question_field), progress=progress)


def _problem_engine(name: str) -> ProblemEngine:
    """Return the engine of a name; one that Python does not have raises a `HarnessError`."""
    from sft.validator.problem_engine import ProblemEngine

    known = (ProblemEngine.SYMBOLIC, ProblemEngine.ZERO_SHOT)
    if name not in known:
        raise HarnessError(f"engine: expected {', '.join(known)}, found {name!r}")
    return ProblemEngine(name)
