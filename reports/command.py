"""The commands `oracle-factory report` and `oracle-factory compare`."""

from typing import Annotated

import typer
from rich.console import Console

from harness.command_line.option_types import require_at_most_one
from harness.errors import HarnessError
from harness.records.provenance import ConfidenceThresholds
from harness.stages import FORMALIZATION, MUTATION, TEMPLATE, VARIANT
from reports.stage_pages import PAGES, write_stage_page

_LISTED = "With --flaw or --variant: list those whose oracles "
_PRINTED = {"--problem": FORMALIZATION, "--trace": TEMPLATE, "--flaw": MUTATION, "--variant": VARIANT}


def report(
    run: Annotated[str, typer.Argument(help="Name of a run under runs/, or the path of a run.")],
    *,
    problem: Annotated[str | None, typer.Option(metavar="ID", help="Print a problem in full.")] = None,
    trace: Annotated[str | None, typer.Option(metavar="ID", help="Print the traces of a problem's templates.")] = None,
    flaw: Annotated[
        str | None, typer.Option(metavar="ID", help="Print a flawed solution, or list a problem's.")
    ] = None,
    variant: Annotated[str | None, typer.Option(metavar="ID", help="Print a variant, or list a problem's.")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print all tables of the run, or of --problem.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the brief of the run, or of --problem, as JSON.")] = False,
    findings: Annotated[bool, typer.Option("--findings", help="Print every finding, one per line.")] = False,
    html: Annotated[bool, typer.Option("--html", help="Write RUN/report/index.html.")] = False,
    traces: Annotated[bool, typer.Option("--traces", help="Write RUN/report/traces.html.")] = False,
    flaws: Annotated[bool, typer.Option("--flaws", help="Write RUN/report/flaws.html.")] = False,
    variants: Annotated[bool, typer.Option("--variants", help="Write RUN/report/variants.html.")] = False,
    labels: Annotated[bool, typer.Option("--labels", help="Write RUN/report/labels.html.")] = False,
    verifier: Annotated[bool, typer.Option("--verifier", help="Write RUN/report/verifier.html.")] = False,
    funnel: Annotated[bool, typer.Option("--funnel", help="Write RUN/report/funnel.html.")] = False,
    constraints: Annotated[bool, typer.Option("--constraints", help="Write RUN/report/constraints.html.")] = False,
    min_confidence: Annotated[float, typer.Option(metavar="X", help=f"{_LISTED}have at least this confidence.")] = 0.0,
    min_clique: Annotated[
        int, typer.Option(min=1, metavar="N", help=f"{_LISTED}at least N formalizations agree on.")
    ] = 1,
    min_p_right: Annotated[
        float, typer.Option(min=0, max=1, metavar="X", help=f"{_LISTED}are right with at least this probability.")
    ] = 0.0,
) -> int:
    """Print the results of a run, or write its HTML pages.

    Without an option, a formalization stage is printed in a few lines, and the summary of each other stage.

    Example: oracle-factory report runs/latest --problem mini-021

    Raises:
        HarnessError: the options do not go together.
    """
    from reports.terminal.certified_record import FLAW_PRINTER, VARIANT_PRINTER
    from reports.terminal.problem import print_problem, print_trace
    from reports.terminal.stages import SUMMARIES, print_findings, print_stage
    from reports.views.artefacts import find_run

    details = {"--problem": problem, "--trace": trace, "--flaw": flaw, "--variant": variant}
    written = (html, traces, flaws, variants, labels, verifier, funnel, constraints)
    pages = dict(zip(PAGES, written, strict=True))
    require_at_most_one({**details, "--findings": findings, **pages})
    thresholds = ConfidenceThresholds(min_confidence, min_clique, min_p_right)
    if not thresholds.ask_nothing and flaw is None and variant is None:
        message = "--min-confidence, --min-clique and --min-p-right: expected beside --flaw ID or --variant ID"
        raise HarnessError(message)
    stages = [_PRINTED[option] for option, name in details.items() if name]
    stages += [stage for option, wanted in pages.items() if wanted for stage in PAGES[option][1]]
    stages += [FORMALIZATION] if findings else []
    if json and (verbose or stages not in ([], [FORMALIZATION]) or findings or html):
        raise HarnessError("--json: expected alone or beside --problem ID")
    folder, console = find_run(run, *(stages or SUMMARIES)), Console(highlight=False)
    page = next((option for option, wanted in pages.items() if wanted), None)
    if flaw is not None:
        FLAW_PRINTER.print(folder, flaw, console, thresholds)
    elif variant is not None:
        VARIANT_PRINTER.print(folder, variant, console, thresholds)
    elif problem is not None:
        print_problem(folder, problem, console, verbose=verbose, as_json=json)
    elif trace is not None:
        print_trace(folder, trace, console)
    elif page is not None:
        path = write_stage_page(stages[0], folder)
        console.print(f"{path} ({path.stat().st_size / 1e6:.1f} MB)", markup=False, soft_wrap=True)
    elif findings:
        print_findings(folder, console)
    elif json:
        print_stage(folder, FORMALIZATION, console, as_json=True)
    else:
        # A run may hold only one stage.
        for stage in [stage for stage in SUMMARIES if (folder / stage).is_dir()] or [FORMALIZATION]:
            print_stage(folder, stage, console, verbose=verbose)
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
    from reports.html.static_pages import write_comparison
    from reports.terminal.sections import print_sections
    from reports.views.artefacts import find_run, open_stage
    from reports.views.run_comparison import compare_runs

    folders = [find_run(name, FORMALIZATION) for name in (before, after)]
    comparison = compare_runs(*map(open_stage, folders))
    console = Console(highlight=False)
    print_sections(console, comparison.sections(most))
    if html:
        path = write_comparison(folders[1], comparison)
        console.print(f"page: {path}", markup=False, soft_wrap=True)
    return 0
