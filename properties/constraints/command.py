"""The command `oracle-factory smt run`."""

from harness.command_line.option_types import from_fields
from properties.constraints.pipeline_options import PipelineOptions
from sft.models.base_model import quiet_libraries


@from_fields
def run(options: PipelineOptions) -> int:
    """Run all steps, from problems to a trained model.

    Each step seals a stage of the run. A step is skipped if its stage is sealed for the same inputs; an interrupted
    step continues. With --minutes, the training gets half of the time and the models' writing gets the rest; programs
    that are then incomplete are left out, until the command is given again with more time.

    Example: oracle-factory smt run --run smt --count 150 --minutes 20
    """
    quiet_libraries()
    from properties.constraints.pipeline import run_pipeline

    run_pipeline(options)
    return 0
