"""The commands `oracle-factory report` and `oracle-factory compare`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from harness.command_line.option_types import require_at_most_one
from harness.errors import HarnessError
from harness.records.provenance import ConfidenceThresholds
from harness.stages import FORMALIZATION, FUNNEL, LABEL, MUTATION, SMT, SMT_VALIDATE, TEMPLATE, VARIANT, VERIFIER

CONSTRAINT_STAGES = (SMT, SMT_VALIDATE)
SHOWN_STAGES = (FORMALIZATION, TEMPLATE, MUTATION, VARIANT, LABEL, VERIFIER, FUNNEL, *CONSTRAINT_STAGES)
STAGES_OF_OPTION = {
    "--problem": (FORMALIZATION,),
    "--findings": (FORMALIZATION,),
    "--html": (FORMALIZATION,),
    "--trace": (TEMPLATE,),
    "--traces": (TEMPLATE,),
    "--flaw": (MUTATION,),
    "--flaws": (MUTATION,),
    "--variant": (VARIANT,),
    "--variants": (VARIANT,),
    "--labels": (LABEL,),
    "--verifier": (VERIFIER,),
    "--funnel": (FUNNEL,),
    "--constraints": CONSTRAINT_STAGES,
}
"""The stages that an option shows; they decide which run is `latest`."""


def report(
    run: Annotated[str, typer.Argument(help="Name of a run under runs/, or the path of a run.")],
    *,
    problem: Annotated[str | None, typer.Option(metavar="ID", help="Print a problem in full.")] = None,
    trace: Annotated[str | None, typer.Option(metavar="ID", help="Print the traces of a problem's templates.")] = None,
    flaw: Annotated[
        str | None, typer.Option(metavar="ID", help="Print a flawed solution, or list those of a problem.")
    ] = None,
    variant: Annotated[
        str | None, typer.Option(metavar="ID", help="Print an edited problem, or list those of a problem.")
    ] = None,
    findings: Annotated[bool, typer.Option("--findings", help="Print every finding, one per line.")] = False,
    html: Annotated[bool, typer.Option("--html", help="Write RUN/report/index.html.")] = False,
    traces: Annotated[bool, typer.Option("--traces", help="Write RUN/report/traces.html.")] = False,
    flaws: Annotated[bool, typer.Option("--flaws", help="Write RUN/report/flaws.html.")] = False,
    variants: Annotated[bool, typer.Option("--variants", help="Write RUN/report/variants.html.")] = False,
    labels: Annotated[bool, typer.Option("--labels", help="Write RUN/report/labels.html.")] = False,
    verifier: Annotated[bool, typer.Option("--verifier", help="Write RUN/report/verifier.html.")] = False,
    funnel: Annotated[bool, typer.Option("--funnel", help="Write RUN/report/funnel.html.")] = False,
    export: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write all sealed records as Parquet files, a table a file."),
    ] = None,
    constraints: Annotated[bool, typer.Option("--constraints", help="Write RUN/report/constraints.html.")] = False,
    min_confidence: Annotated[
        float,
        typer.Option(
            metavar="X", help="With --flaw or --variant: list those whose oracle has at least this confidence."
        ),
    ] = 0.0,
    min_clique: Annotated[
        int,
        typer.Option(
            min=1, metavar="N", help="With --flaw or --variant: list those on which at least N formalizations agree."
        ),
    ] = 1,
    min_p_right: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            metavar="X",
            help="With --flaw or --variant: list those whose oracle is right with at least this probability.",
        ),
    ] = 0.0,
) -> int:
    """Print the results of a run, or write its HTML pages.

    Without an option, the summary of each stage of the run is printed.

    Example: oracle-factory report runs/latest --problem mini-021

    Raises:
        HarnessError: the options do not go together.
    """
    from reports.html.constraints_page import write_constraints
    from reports.html.flaws_page import write_flaws
    from reports.html.formalization_page import write_report
    from reports.html.funnel_page import write_funnel
    from reports.html.labels_page import write_labels
    from reports.html.traces_page import write_traces
    from reports.html.variants_page import write_variants
    from reports.html.verifier_page import write_verifier
    from reports.parquet_tables import export_tables
    from reports.terminal.flaw import print_flaw
    from reports.terminal.formalization_stage import print_findings
    from reports.terminal.problem import print_problem
    from reports.terminal.trace import print_trace
    from reports.terminal.variant import print_variant
    from reports.views.artefacts import find_run

    details = {"--problem": problem, "--trace": trace, "--flaw": flaw, "--variant": variant}
    pages = {
        "--html": html,
        "--traces": traces,
        "--flaws": flaws,
        "--variants": variants,
        "--labels": labels,
        "--verifier": verifier,
        "--funnel": funnel,
        "--constraints": constraints,
    }
    page_writers = (
        *(write_report, write_traces, write_flaws, write_variants, write_labels),
        *(write_verifier, write_funnel, write_constraints),
    )
    require_at_most_one({**details, "--findings": findings, **pages, "--export": export})
    thresholds = ConfidenceThresholds(min_confidence, min_clique, min_p_right)
    if not thresholds.ask_nothing and flaw is None and variant is None:
        raise HarnessError(
            "--min-confidence, --min-clique and --min-p-right: expected beside --flaw ID or --variant ID"
        )
    given = {**details, "--findings": findings, **pages}
    shown = [stage for name, value in given.items() if value for stage in STAGES_OF_OPTION[name]]
    stages = shown or SHOWN_STAGES
    folder, console = find_run(run, *stages), Console(highlight=False)
    writers = dict(zip(pages, page_writers, strict=True))
    if export is not None:
        for path in export_tables(folder, export):
            console.print(str(path), markup=False, soft_wrap=True)
        return 0
    if flaw is not None:
        print_flaw(folder, flaw, console, thresholds)
        return 0
    if variant is not None:
        print_variant(folder, variant, console, thresholds)
        return 0
    for name, print_details in ((problem, print_problem), (trace, print_trace)):
        if name is not None:
            print_details(folder, name, console)
            return 0
    for option, wanted in pages.items():
        if wanted:
            path = writers[option](folder)
            console.print(f"{path} ({path.stat().st_size / 1e6:.1f} MB)", markup=False, soft_wrap=True)
            return 0
    if findings:
        print_findings(folder, console)
    else:
        _print_stages(folder, console)
    return 0


def compare(
    before: Annotated[str, typer.Argument(metavar="A", help="Name of a run under runs/, or the path of a run.")],
    after: Annotated[str, typer.Argument(metavar="B", help="Another run, such as one with other answers or settings.")],
    *,
    most: Annotated[int, typer.Option(min=0, metavar="N", help="The most changes of a kind to print.")] = 15,
    html: Annotated[bool, typer.Option("--html", help="Write B/report/compare.html, with all changes.")] = False,
) -> int:
    """Show the problems whose oracle differs between two runs, and the claims whose verdict differs.

    Compared are the formalization stages, over the problems and claims that both runs have.

    Example: oracle-factory compare runs/first runs/latest --html
    """
    from reports.html.comparison_page import write_comparison
    from reports.terminal.comparison import print_comparison
    from reports.views.artefacts import find_run, open_stage
    from reports.views.run_comparison import compare_runs

    folders = [find_run(name, FORMALIZATION) for name in (before, after)]
    comparison = compare_runs(*map(open_stage, folders))
    console = Console(highlight=False)
    print_comparison(comparison, console, most=most)
    if html:
        path = write_comparison(folders[1], comparison)
        console.print(f"page: {path}", markup=False, soft_wrap=True)
    return 0


def _print_stages(run: Path, console: Console) -> None:
    """Print the results of each stage of a run; a run may hold only one."""
    from reports.terminal.certified_stage import print_mutations, print_variants
    from reports.terminal.constraint_stage import print_claims, print_steps
    from reports.terminal.formalization_stage import print_summary
    from reports.terminal.funnel import print_funnel
    from reports.terminal.label_stage import print_labels
    from reports.terminal.template_stage import print_templates
    from reports.terminal.verifier_stage import print_verifier

    stages = {
        FORMALIZATION: print_summary,
        TEMPLATE: print_templates,
        MUTATION: print_mutations,
        VARIANT: print_variants,
        LABEL: print_labels,
        VERIFIER: print_verifier,
        FUNNEL: print_funnel,
        SMT: print_claims,
        SMT_VALIDATE: print_steps,
    }
    there = [stage for stage in stages if (run / stage).is_dir()]
    for stage in there or [FORMALIZATION]:
        stages[stage](run, console)
