"""The command `python -m reports`, which prints the results of a run or writes its HTML pages."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from harness.stages import FORMALIZATION, MUTATION, TEMPLATE, VARIANT, VERIFIER
from reports.html.flaws_page import write_flaws
from reports.html.run_report import write_report
from reports.html.traces_page import write_traces
from reports.html.variants_page import write_variants
from reports.html.verifier_page import write_verifier
from reports.terminal.derived_stage import print_mutations, print_variants
from reports.terminal.flaw import print_flaw
from reports.terminal.problem import print_problem
from reports.terminal.run_summary import print_findings, print_summary
from reports.terminal.template_stage import print_templates
from reports.terminal.trace import print_trace
from reports.terminal.variant import print_variant
from reports.terminal.verifier_stage import print_verifier
from reports.views.artefacts import ReportError, find_run
from reports.views.printable_text import one_line


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the summary of a run, one of its problems or its findings, or write one of its pages.

    Returns:
        0, or 2 where the run or the problem cannot be read: one message on stderr, no traceback.
    """
    options = _parser().parse_args(arguments)
    console = Console(highlight=False)
    try:
        run = find_run(options.run)
        pages = {
            write_report: options.html,
            write_traces: options.traces,
            write_flaws: options.flaws,
            write_variants: options.variants,
            write_verifier: options.verifier,
        }
        write = next((write for write, wanted in pages.items() if wanted), None)
        if write is not None:
            path = write(run)
            console.print(f"{path} ({path.stat().st_size / 1e6:.1f} MB)", markup=False, soft_wrap=True)
        elif options.findings:
            print_findings(run, console)
        elif options.problem is not None:
            print_problem(run, options.problem, console)
        elif options.trace is not None:
            print_trace(run, options.trace, console)
        elif options.flaw is not None:
            print_flaw(run, options.flaw, console)
        elif options.variant is not None:
            print_variant(run, options.variant, console)
        else:
            _print_stages(run, console)
    except ReportError as error:
        sys.stderr.write(f"reports: {one_line(str(error))}\n")
        return 2
    return 0


def _print_stages(run: Path, console: Console) -> None:
    """Print what each stage of a run found; a run may hold only one."""
    stages = {
        FORMALIZATION: print_summary,
        TEMPLATE: print_templates,
        MUTATION: print_mutations,
        VARIANT: print_variants,
        VERIFIER: print_verifier,
    }
    there = [stage for stage in stages if (run / stage).is_dir()]
    for stage in there or [FORMALIZATION]:
        stages[stage](run, console)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m reports", description="Read what a sealed run found, in the terminal or in a browser."
    )
    parser.add_argument("run", metavar="RUN", help="name of a run under runs/, or the path of one")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--problem", metavar="ID", help="print one problem in full")
    what.add_argument("--trace", metavar="ID", help="print the traces of one problem's templates")
    what.add_argument("--flaw", metavar="ID", help="print a flawed solution, or list those of a problem")
    what.add_argument("--variant", metavar="ID", help="print an edited problem, or list those of a problem")
    what.add_argument("--findings", action="store_true", help="print every finding, one line each")
    what.add_argument("--html", action="store_true", help="write RUN/report/index.html and print its path")
    what.add_argument("--traces", action="store_true", help="write RUN/report/traces.html and print its path")
    what.add_argument("--flaws", action="store_true", help="write RUN/report/flaws.html and print its path")
    what.add_argument("--variants", action="store_true", help="write RUN/report/variants.html and print its path")
    what.add_argument("--verifier", action="store_true", help="write RUN/report/verifier.html and print its path")
    return parser


if __name__ == "__main__":
    # A terminal that lacks a character shows its escape; the report goes on.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # both are text streams
    sys.exit(main())
