"""The commands `oracle-factory run` and `oracle-factory judge`."""

from harness.command_line.option_types import from_fields
from properties.factory.options import FactoryOptions, JudgeOptions


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
def judge(options: JudgeOptions) -> int:
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
