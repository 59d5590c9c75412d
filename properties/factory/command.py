"""The command `oracle-factory run`."""

from harness.command_line.option_types import from_fields
from properties.factory.options import FactoryOptions


@from_fields
def run(options: FactoryOptions) -> int:
    """Run all stages, from a corpus and answers to datasets.

    The stages are formalization, with the oracles; mutation; variant; label, the audit of the flaws; datasets; and the
    funnel, which tells what came of how many problems and why the rest did not. Each is sealed in DIR. A run that was
    stopped or killed goes on with the same command where it was, and gives the same bytes.

    Example: oracle-factory run gsm8k/train.jsonl answers.jsonl annotation --out runs/train

    Returns:
        0; 1 if no dataset could be made; 2 if an option or a file cannot be used, or a process died; 130 if it was interrupted.
    """
    from properties.factory.factory_run import run_factory

    return run_factory(options)
