"""The command `oracle-factory smt run`."""

from harness.command_options import from_fields
from properties.constraints.pipeline_options import PipelineOptions
from sft.constraints.command import silence_transformers


@from_fields
def run(options: PipelineOptions) -> int:
    """Run all steps, from problems to a trained model.

    Each step seals a stage of the run. A step is skipped if its stage is sealed for the same inputs; an interrupted
    step continues.

    Example: oracle-factory smt run --run smt --count 150 --minutes 15
    """
    silence_transformers()
    from properties.constraints.pipeline import run_pipeline

    run_pipeline(options)
    return 0
