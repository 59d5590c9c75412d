"""The page `flaws.html`: flawed solutions of a run beside their originals, with proofs and figures by operator."""

from collections import Counter
from pathlib import Path
from typing import Any

from harness.stages import MUTATION
from reports.html.page import Page, write_page
from reports.html.page_data import InternedTexts, Row, chunks_of, dump_compact, require_problem, run_facts
from reports.views.artefacts import SealedStage, open_stage
from reports.views.flaw_figures import FlawFigures
from reports.views.flaw_phrases import claim_of, proof_of, reason_for
from reports.views.operator_figures import ranked
from reports.views.records import POSITIONS, Flaw
from reports.views.solution_diff import Pieces, compare
from reports.views.stratified_sample import Sample

# Forty operators are a thousand flawed solutions: a page of 0.5 MB that a person can look through, of any number made.
SAMPLED = 25


def write_flaws(run: Path) -> Path:
    """Write `run/report/flaws.html`, one self-contained page, and return its path.

    It counts all flawed solutions and holds a sample of them: at most `SAMPLED` an operator, spread over tiers and
    positions. The page is replaced atomically: a reader finds the old one or the new one, whole.

    Raises:
        ReportError: the mutation stage of `run` is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run, MUTATION)
    made, samples = FlawFigures(), dict[str, Sample[Flaw]]()
    for flaw in stage.flaws():
        made.add(flaw)
        sample = samples.setdefault(flaw["operator"], Sample(SAMPLED))
        sample.add((str(flaw["tier"]), flaw["position"]), flaw["flaw_id"], flaw)
    made.complete(stage)
    flaws = sorted(
        (flaw for sample in samples.values() for flaw in sample.items()),
        key=lambda flaw: (flaw["problem_id"], flaw["flaw_id"]),
    )
    page = Page(
        name="flaws.html",
        template="derived.html",
        search="Search id, question or text",
        index=_index(stage, made, flaws),
        chunks=chunks_of(map(_details, flaws)),
        styles=("flaws.css",),
        scripts=("flaw.js", "flaws.js"),
        values={"group": "type of error", "change": "change", "sources": "Made from", "has_matrix": True},
    )
    return write_page(run, page)


def _index(stage: SealedStage, made: FlawFigures, flaws: list[Flaw]) -> dict[str, Any]:
    operators, types, classes, positions = InternedTexts(), InternedTexts(), InternedTexts(), InternedTexts()
    for position in POSITIONS:
        positions.number(position)
    questions: dict[str, str] = {}
    rows = []
    wanted = {flaw["problem_id"] for flaw in flaws}
    for problem in stage.problems():
        if problem["problem_id"] in wanted:
            questions[problem["problem_id"]] = problem["question"]
    places = {problem_id: place for place, problem_id in enumerate(questions)}
    for flaw in flaws:
        details, mutation = flaw["label"]["error_details"], flaw["mutation"]
        rows.append(
            [
                flaw["flaw_id"],
                require_problem(places, flaw["problem_id"], "computational.jsonl or conceptual.jsonl", stage=MUTATION),
                operators.number(flaw["operator"]),
                types.number(details["error_type"]),
                classes.number(details["error_class"]),
                flaw["tier"],
                positions.number(flaw["position"]),
                details["erroneous_line_number"],
                flaw["plausibility"]["score"],
                int(flaw["needs_edit"]),
                mutation["from"],
                mutation["to"],
                details["explanation"],
            ]
        )
    return {
        **run_facts(stage),
        "operators": list(operators.numbers),
        "types": list(types.numbers),
        "classes": list(classes.numbers),
        "positions": list(positions.numbers),
        "problems": [[problem_id, question] for problem_id, question in questions.items()],
        "flaws": rows,
        "most": SAMPLED,
        **_figures(made, Counter(flaw["operator"] for flaw in flaws)),
    }


def _figures(made: FlawFigures, sampled: Counter[str]) -> dict[str, Any]:
    return {
        "totals": [made.flaws, made.edits, made.fruitful, made.problems],
        "made": [
            [
                error_type,
                [
                    [
                        *(one.name, one.flaws, one.edits, one.discarded.total(), one.refused),
                        *(sampled[one.name], one.discards(reason_for)),
                    ]
                    for one in operators
                ],
            ]
            for error_type, operators in made.by_type()
        ],
        "matrix": [list(row) for row in made.matrix()],
        "reasons": [
            [reason_for(why).brief, reason_for(why).sentence, count] for why, count in made.discarded().most_common()
        ],
        "sources": ranked(made.sources),
        "unfit": ranked(made.unfit),
    }


def _details(flaw: Flaw) -> str:
    label, mutation, certificate = flaw["label"], flaw["mutation"], flaw["certificate"]
    told = certificate["mutant"] or certificate["oracle"]
    return dump_compact(
        [
            [
                [line.before_label, line.after_label, _pieces(line.before), _pieces(line.after)]
                for line in compare(flaw["solution"], flaw["flawed_solution"])
            ],
            flaw["model"],
            label["verdict"],
            label["error_details"]["correction"],
            [mutation[key] for key in ("mutation_type", "line", "variable")],
            [[value[key] for key in ("line", "variable", "before", "after")] for value in flaw["values"]],
            flaw["plausibility"]["reasons"],
            flaw["edits"],
            [claim_of(flaw), proof_of(flaw)],
            told["inputs"],
            [[line, name, code, certificate["stated"].get(name)] for line, name, code in told["steps"]],
            told["answer"],
            certificate["change"].get("variable"),
        ]
    )


def _pieces(pieces: Pieces | None) -> Row | None:
    """Return the stretches of a line, which are by turns those of both solutions and of this one."""
    return None if pieces is None else [[piece.text, int(piece.changed)] for piece in pieces]
