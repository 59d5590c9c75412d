"""The stages of a run: name, suite, artefacts and command of each, for the plugins, the reports and the datasets."""

from dataclasses import dataclass

FORMALIZATION, TEMPLATE, MUTATION, REVIEW = "formalization", "template", "mutation", "review"
VARIANT, LABEL, SMT, VERIFIER, FUNNEL = "variant", "label", "smt", "verifier", "funnel"
SMT_VALIDATE = "smt-validate"
"""The step of `oracle-factory smt run` that its reports need; `smt-` begins the names of all its steps."""


@dataclass(frozen=True, slots=True)
class StageDefinition:
    """A stage by name, which is its folder in a run and, where it has a suite, the marker of the suite.

    `about` describes the marker, `claims` the markers of single claims; `suite` is a file below the root,
    whose tests are named after the claims. `artefacts` are the files that a report needs, `samples` those
    that datasets are made of. `by_problem` tells that all claims about a problem go to one worker, one after the other;
    `from_oracles` that it is made from the oracles of the formalization stage; `from_corpus` that its problems are those of the
    session's corpus. `command` makes the stage.
    """

    name: str
    about: str = ""
    claims: tuple[tuple[str, str], ...] = ()
    suite: str = ""
    artefacts: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()
    by_problem: bool = False
    from_oracles: bool = False
    from_corpus: bool = True
    command: str = ""

    @property
    def markers(self) -> tuple[str, ...]:
        """Return the markers of the suite, each with its description, as pytest wants them declared."""
        claims = (f"{name}: {about}" for name, about in self.claims)
        return (f"{self.name}: {self.about}", *claims) if self.suite else ()


STAGES = (
    StageDefinition(
        FORMALIZATION,
        about="the formalization stage: UT-1, UT-2, UT-3",
        claims=(
            ("ut1", "evaluates each formalization against the gold answer"),
            ("ut2", "aligns the parameters of each pair by meaning"),
            ("classes", "compares the classes of a problem with too many pairs, by UT-2 and UT-3"),
            ("ut3", "proves or refutes that aligned pairs compute the same"),
        ),
        suite="properties/test_formalization.py",
        artefacts=tuple(
            f"{name}.jsonl" for name in ("problems", "programs", "verdicts", "consensus", "calibration", "models")
        ),
        command="pytest -n auto -m formalization",
    ),
    StageDefinition(
        TEMPLATE,
        about="the template stage: answer, structure, provenance, graph, lines",
        suite="properties/test_template.py",
        artefacts=("problems.jsonl", "traces.jsonl", "tiers.jsonl", "verdicts.jsonl"),
        by_problem=True,
        command="pytest -n auto -m template",
    ),
    StageDefinition(
        MUTATION,
        about="the mutation stage: flawed solutions with certificates, and snapshots of them",
        suite="properties/test_mutation.py",
        artefacts=("problems.jsonl", "verdicts.jsonl", "computational.jsonl", "conceptual.jsonl", "discarded.jsonl"),
        samples=("computational.jsonl", "conceptual.jsonl"),
        by_problem=True,
        from_oracles=True,
        command="pytest -n auto -m mutation",
    ),
    StageDefinition(REVIEW, samples=("accepted.jsonl", "examples.jsonl")),
    StageDefinition(
        VARIANT,
        about="the variant stage: solvable, contradictory and underspecified problems with certificates, and snapshots of them",
        suite="properties/test_variant.py",
        artefacts=("problems.jsonl", "verdicts.jsonl", "variants.jsonl", "discarded.jsonl"),
        samples=("variants.jsonl",),
        by_problem=True,
        from_oracles=True,
        command="pytest -n auto -m variant",
    ),
    StageDefinition(
        LABEL,
        about="audits labelled solutions against their own text",
        suite="properties/test_label.py",
        artefacts=("flagged.jsonl", "verdicts.jsonl"),
        command="pytest -n auto -m label",
    ),
    StageDefinition(
        SMT,
        about="constraint problems: valid, satisfiable, unique, entails, repaired",
        suite="properties/test_smt.py",
        artefacts=("problems.jsonl", "verdicts.jsonl"),
        by_problem=True,
        from_corpus=False,
        command="pytest -n auto -m smt",
    ),
    StageDefinition(SMT_VALIDATE, artefacts=("validation.jsonl",), command="oracle-factory smt run"),
    StageDefinition(
        FUNNEL,
        artefacts=("steps.jsonl", "problems.jsonl"),
        command="oracle-factory run CORPUS ANSWERS --out DIR",
    ),
    StageDefinition(
        VERIFIER,
        artefacts=("items.jsonl", "figures.jsonl", "comparisons.jsonl"),
        command="oracle-factory evaluate FILE --engines majority,symbolic,text --out runs/NAME/verifier",
    ),
)
"""All stages, in the order in which a run fills them."""
STAGE_BY_NAME = {stage.name: stage for stage in STAGES}
