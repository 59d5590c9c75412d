"""The commands `oracle-factory run`, `judge`, `env`, `next`, `verify`, `recheck` and `flaws`; each imports what it needs when it is run."""

from pathlib import Path
from typing import Annotated

import typer

from harness.command_line.option_types import Jobs, from_fields
from oracles.proofs.solvers import SolverName
from properties.factory.options import EnvironmentOptions, FactoryOptions, JudgeCommandOptions, NextOptions, option
from sft.verifier.command import VerifyOptions


@from_fields
def run(options: FactoryOptions) -> int:
    """Run all stages, from a corpus and answers to datasets.

    The stages are formalization, with the oracles; mutation; variant; label, the audit of the flaws; datasets; and the
    funnel, which counts how many problems reached each stage and why the others did not. Each is sealed in DIR. The
    same command continues a run that was stopped or killed, and gives the same bytes.

    Example: oracle-factory run gsm8k/train.jsonl answers.jsonl annotation --out runs/train

    Returns:
        0; 1 if no dataset could be made; 2 if an option or a file cannot be used, or a process died; 130 if it was interrupted.
    """
    from properties.factory.factory_run import run_factory

    return run_factory(options)


@from_fields
def judge(options: JudgeCommandOptions) -> int:
    """Judge models' programs: which agree, and which one stands for each problem.

    This is the stage that `pytest -m formalization` runs: each program against the known answer (UT-1), the inputs of each pair
    (UT-2), and a proof that they compute the same (UT-3). A finding is no failure. The same command continues a run
    that was stopped.

    Example: oracle-factory judge gsm8k/train.jsonl answers.jsonl annotation --out runs/train

    Returns:
        0; 2 if an option or a file cannot be used, or a process died; 130 if it was interrupted.
    """
    from properties.factory.judged_problems import judge_command

    return judge_command(options)


@from_fields
def env(options: EnvironmentOptions) -> int:
    """Export tasks with exact rewards for reinforcement learning.

    Tasks ask for the answer of a problem, the wrong line of a solution, or the class of a problem. Each has one right reply,
    which is proved. Each round gives other numbers and other errors, so the number of tasks has no limit. The folder is
    a data set for load_dataset; oracle_factory.rewards holds the reward functions for TRL's GRPOTrainer.

    Example: oracle-factory env gsm8k/train.jsonl answers.jsonl annotation --out runs/env

    Returns:
        0; 2 if an option or a file cannot be used, or no problem gives a task; 130 if it was interrupted.
    """
    from properties.environment import write_environment

    return write_environment(options)


@from_fields
def next_questions(options: NextOptions) -> int:
    """Choose which models to ask next about which problems of a run.

    Problems whose oracle is right with less than the probability `--at` are asked about again: each of them once, those
    with the fewest answers first, then each a second time while the budget lasts, always the model that is right most
    often of those not yet asked. The file of questions is what `oracle-factory formalize --questions FILE` takes. Below
    them are the problems that a person should look at.

    Example: oracle-factory next runs/latest --budget 5.00

    Returns:
        0; 2 if an option cannot be used, or the run is not sealed.
    """
    from properties.next_questions import choose_questions

    return choose_questions(options)


@from_fields
def verify(options: VerifyOptions) -> int:
    """Judge solutions and name the kind and line of each error.

    Each record of the input gives a line of the output, in order. The output is replaced at the end; until then the
    judgements are in OUT.partial, which remains if the run is interrupted.

    Example: oracle-factory verify solutions.jsonl -o judged.jsonl --formalizations answers.jsonl

    Returns:
        0; 1 if a line cannot be judged; 2 if the file or the engine cannot be used; 130 if it was interrupted.
    """
    from properties.verification import verify_by_programs

    return verify_by_programs(options)


def recheck(
    file: Annotated[
        Path, typer.Argument(help="JSONL of flawed solutions, variants or diagnosed solutions, plain or .gz.")
    ],
    *,
    solver: Annotated[SolverName, typer.Option(help="The solver that answers the queries.")] = SolverName.Z3,
    smtlib: Annotated[Path | None, option("DIR", "Write each record's script to DIR/LINE.smt2.")] = None,
    corpus: Annotated[
        str | None, option("NAME|FILE", "The corpus of the problems: each record must have its question and solution.")
    ] = None,
    oracles: Annotated[
        Path | None, option("RUN", "For data sets of diagnosed solutions, the run of their oracles.")
    ] = None,
    jobs: Jobs = 1,
) -> int:
    """Check the certificates of flaws, variants or diagnosed solutions.

    A record is checked by itself and made again from the facts that it holds: it is refused if a field differs, if its digest is
    wrong, if its id stands twice, if it belongs in another file of the stage, if it is a near-twin that does not stand below its
    variant, or if another record of the same problem or formalization has another question, solution or source. A record without
    `source`, of an earlier version, is not confirmed: its words are not checked. A file beside a manifest is refused if it differs
    from the sealed file; in a run with sealed oracles, a record is refused if its oracle, clique or confidence differs from the
    run's. A refused record never stops the rest.

    A record alone does not show which of two solutions with true arithmetic is the right one. --corpus decides it: the
    correct solution must be that of the corpus.

    Rows that are deleted from a file before its manifest is written again are not detected, except near-twins. The
    consensus and the oracles of a run, with their p_right, are protected by their manifest only.

    Of a data set, samples and rows of solutions that an oracle judged are checked (samples-*.jsonl, level-*/, stepwise/): each label is made
    again by the oracle that the sample holds, and each row from its sample. --oracles shows that the oracle and its p_right are those of the
    run, --corpus that its answer is right.

    The exit status is 0 if every record is confirmed, 1 if a record or the file is not or there is no record, and 2 if the file
    cannot be read.

    Example: oracle-factory recheck runs/latest/mutation/conceptual.jsonl --solver cvc5 --corpus mini
    """
    from properties.recheck.file_recheck import print_recheck

    return print_recheck(file, solver, jobs=jobs, folder=smtlib, corpus=corpus, run=oracles)


def flaws(
    name: Annotated[
        str, typer.Argument(metavar="ID", help="A problem, or a flaw of the list by its id or the beginning.")
    ],
    *,
    corpus: Annotated[str, option("NAME|FILE", "The corpus of the problem.")] = "mini",
    formalizations: Annotated[
        Path | None, option("FILE", "Formalizations to use before the annotations of the solution.")
    ] = None,
) -> int:
    """Show the flawed solutions that can be made of one problem, on the screen only.

    They are made of the annotations of its worked solution, are certified as in a run, and stand in no run and no data set. So
    a problem that is reserved for examination can be looked at.

    Example: oracle-factory flaws mini-013:wrong_reference_group

    Returns:
        0; 1 if none can be made, with the reason; 2 if an option or a file cannot be used.
    """
    from properties.flaw_listing import print_flaws

    return print_flaws(name, corpus, formalizations)
