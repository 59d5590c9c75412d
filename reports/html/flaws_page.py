"""The page `flaws.html`: flawed solutions of a run beside their originals, with proofs and figures by operator."""

from pathlib import Path

from harness.records.mutation import FlawRecord
from reports.html.certified_page import CertifiedPage, piece_rows
from reports.html.page import Row
from reports.views.flaws import FLAWS, PositionMatrix, claim_of, proof_of
from reports.views.record_titles import POSITIONS
from reports.views.solution_diff import compare
from reports.views.source_phrases import provenance_phrase

# Forty operators are a thousand flawed solutions: a page of 0.5 MB that a person can look through, of any number made.
SAMPLED = 25


def write_flaws(run: Path) -> Path:
    """Write `run/report/flaws.html`, one self-contained page, and return its path.

    The page counts all flawed solutions and holds a sample of them: at most `SAMPLED` an operator, spread over tiers
    and positions. Where these are not all, files beside it list all.

    Raises:
        ReportError: the mutation stage of `run` is missing, not sealed, or was changed after it was sealed.
    """
    matrix = PositionMatrix()
    return _PAGE.write(run, see=matrix.add, more=matrix.sections)


def _cells(flaw: FlawRecord) -> Row:
    error, mutation = flaw.label.error_details, flaw.mutation
    return [
        error.error_type,
        error.error_class,
        flaw.position,
        error.erroneous_line_number,
        flaw.plausibility.score,
        int(flaw.needs_edit),
        mutation.before,
        mutation.after,
        error.explanation,
    ]


def _details(flaw: FlawRecord) -> Row:
    label, mutation, certificate = flaw.label, flaw.mutation, flaw.certificate
    program = certificate.mutant or certificate.oracle
    return [
        [
            [
                line.before_label,
                line.after_label,
                None if line.before is None else piece_rows(line.before),
                None if line.after is None else piece_rows(line.after),
            ]
            for line in compare(flaw.solution, flaw.flawed_solution)
        ],
        flaw.model,
        label.verdict,
        label.error_details.correction,
        [mutation.mutation_type, mutation.line, mutation.variable],
        [[value.line, value.variable, value.before, value.after] for value in flaw.values],
        flaw.plausibility.reasons,
        flaw.edits,
        [claim_of(flaw), proof_of(flaw)],
        program.inputs,
        [[line, name, code, certificate.stated.get(name)] for line, name, code in program.steps],
        program.answer,
        certificate.change.variable,
        provenance_phrase(flaw.provenance, flaw.model),
    ]


_PAGE: CertifiedPage[FlawRecord] = CertifiedPage(
    kind=FLAWS,
    sampled=SAMPLED,
    stratum=lambda flaw: (str(flaw.tier), flaw.position),
    cells=_cells,
    details=_details,
    search="Search id, question or text",
    scripts=("flaws.js",),
    facts={"positions": POSITIONS},
)
