"""The command `oracle-factory datasets`: programs of models that are not judged yet are judged first."""

from dataclasses import replace

from harness.command_line.option_types import from_fields
from harness.errors import HarnessError
from sft.datasets.command import DatasetOptions, make_datasets
from sft.verifier.command import VerifyOptions


@from_fields
def datasets(options: DatasetOptions) -> int:
    """Make training sets from sealed stages, labelled files and solutions of models.

    Solutions of models (--solutions) get the label of their diagnosis by the oracle of their problem, as verify gives it, with its
    certificate; recheck makes the labels again.

    Example: oracle-factory datasets --run runs/latest --formats jsonl,chat --out runs/datasets

    Returns:
        0; 2 if an option or a file cannot be used, or no sample is left.
    """
    if options.formalizations and options.solutions:
        from properties.verification import judged_programs

        if options.oracles is not None:
            raise HarnessError("expected one of --oracles and --formalizations, found both")
        if len(options.solutions) > 1:
            raise HarnessError("--formalizations goes with one --solutions; several take a judged run by --oracles")
        programs = VerifyOptions(
            file=str(options.solutions[0]),
            formalizations=options.formalizations,
            corpus=options.corpus[0] if options.corpus else None,
            question_field=options.question_field,
            solution_field=options.solution_field,
        )
        options = replace(options, oracles=judged_programs(programs, options.formalizations), formalizations=[])
    return make_datasets(options)
