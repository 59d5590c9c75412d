"""Problems about the greatest number that can be made or bought, or the smallest that is needed.

What `n` pieces need grows with `n`, so that there is one greatest number for which the supply is enough, or one smallest
number that is enough. The program states that the answer fits and that the next number does not.
"""

from __future__ import annotations

from random import Random

from generators.constraints.problem.domain import ProblemForm, ProblemSize, by_size
from generators.constraints.problem.draft import DraftAnswer, ProblemDraft, ReasoningStep, constants
from generators.constraints.problem.english import article, layout, listed, sentence
from generators.constraints.problem.vocabulary import people, words

_SCALE = by_size(1, 3, 8)
_NEXT = "(+ answer 1)"


def limit(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about a greatest or smallest number; `None` where the draw gives none."""
    return rng.choice((_making, _making, _budget, _covering))(rng, size, form)


def _making(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Return how many can be made of several things, the scarcest of which decides."""
    setting = rng.choice(words("limits")["making"])
    many = rng.choice(setting["many"])
    who = people(rng, 1)[0].said
    kinds = rng.sample(setting["needs"], by_size(2, 3, 4)[size])
    per = [rng.randint(2, 6) for _ in kinds]
    stock = [rng.randint(2 * each + 1, 10 * each * _SCALE[size]) for each in per]
    possible = [have // each for have, each in zip(stock, per, strict=True)]
    best = min(possible)
    if possible.count(best) > 1:
        return None
    single, several = setting["piece"]
    needs = listed([f"{each} {kind[2]}" for each, kind in zip(per, kinds, strict=True)])
    have = listed([f"{amount} {kind[2]}" for amount, kind in zip(stock, kinds, strict=True)])
    forms: tuple[str, ...] = (f"for a tray, {needs} are needed", f"a tray needs {needs}")
    if single != "tray":
        single, several = f"of these {many}", many
        forms = (
            f"each one {single} needs {needs}",
            f"{needs} go into each one {single}",
            f"one {single} takes {needs}",
            f"{needs} are used up by each one {single}",
        )
    clues = [rng.choice(forms)]
    stock_forms = (
        f"there are {have}",
        f"the stock is {have}",
        f"what there is comes to {have}",
        f"in the cupboard there are {have}",
        f"{who} has got {have}",
        f"left are {have}",
    )
    clues.append(rng.choice(stock_forms))
    terms = [f"(<= (* {each} answer) {amount})" for each, amount in zip(per, stock, strict=True)]
    beyond = [f"(> (* {each} {_NEXT}) {amount})" for each, amount in zip(per, stock, strict=True)]
    steps = []
    for kind, each, amount, most, term in zip(kinds, per, stock, possible, terms, strict=True):
        text = f"{amount} {kind[2]} are enough for {most} {several if most != 1 else single}, since {most} × {each} = {most * each}, and {most + 1} × {each} = {(most + 1) * each} would be too many."
        steps.append(ReasoningStep(sentence(text), (term,), f"(<= answer {most})"))
    scarce = kinds[possible.index(best)][2]
    last = f"The {scarce} run out first, so the answer is {best}."
    steps.append(ReasoningStep(last, (f"(<= answer {best})", f"(or {' '.join(beyond)})"), f"(= answer {best})"))
    opening = rng.choice(setting["intro"]).format(who=who, many=many)
    question = rng.choice(setting["ask"]).format(who=who, many=many)
    if form is not ProblemForm.ANSWER:
        wanted = best + (form is ProblemForm.IMPOSSIBLE)
        needed = [
            (f"{wanted} × {each} = {wanted * each} {kind[2]}", wanted * each, amount)
            for kind, each, amount in zip(kinds, per, stock, strict=True)
        ]
        clues.append(f"{wanted} {several} are wanted" if single == "tray" else f"{who} wants to make {wanted} of them")
        return _feasible(wanted, opening, clues, "Is there enough for that?", terms, needed, form, rng)
    answer = DraftAnswer("Int", (f"(or {' '.join(beyond)})",), str(best))
    return _draft(opening, clues, question, terms, answer, steps, rng)


def _budget(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Return how many can be paid for beside a fixed price."""
    setting = rng.choice(words("limits")["budget"])
    thing, unit, units = rng.choice(setting["thing"])
    who = people(rng, 1)[0].said
    fixed, each = rng.randint(3, 25), rng.randint(2, 12)
    budget = fixed + rng.randint(2 * each, 15 * each * _SCALE[size])
    best = (budget - fixed) // each
    opening = rng.choice(setting["intro"]).format(
        who=who, thing=thing, unit=unit, fixed=fixed, each=each, dollars_fixed="dollars", dollars_each="dollars"
    )
    clue = rng.choice(setting["limit"]).format(who=who, budget=budget)
    question = rng.choice(setting["ask"]).format(who=who, units=units)
    cost, dearer = f"(<= (+ {fixed} (* {each} answer)) {budget})", f"(> (+ {fixed} (* {each} {_NEXT})) {budget})"
    left = budget - fixed
    affordable, most = f"(<= (* {each} answer) {left})", f"(<= answer {best})"
    rest = f"After the {fixed} dollars, {budget} - {fixed} = {left} dollars are left."
    enough = f"That is enough for {best} {units}, which cost {best} × {each} = {best * each} dollars; {best + 1} would cost {(best + 1) * each}."
    steps = [
        ReasoningStep(rest, (cost,), affordable),
        ReasoningStep(enough, (affordable,), most),
        ReasoningStep(f"So the answer is {best}.", (most, dearer), f"(= answer {best})"),
    ]
    if form is not ProblemForm.ANSWER:
        wanted = best + (form is ProblemForm.IMPOSSIBLE)
        needed = [(f"{fixed} + {wanted} × {each} = {fixed + wanted * each} dollars", fixed + wanted * each, budget)]
        clues = [clue, setting["wish"].format(who=who, n=wanted, units=units)]
        return _feasible(wanted, opening, clues, "Is the money enough?", [cost], needed, form, rng)
    return _draft(opening, [clue], question, [cost], DraftAnswer("Int", (dearer,), str(best)), steps, rng)


def _covering(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Return how many containers are needed."""
    (setting,) = words("limits")["covering"]
    who = people(rng, 1)[0].said
    things, many, single = rng.choice(setting["thing"])
    each = rng.randint(3, 12) * (1 if size is ProblemSize.SMALL else rng.randint(1, 3))
    count = rng.randint(2 * each + 1, 12 * each * _SCALE[size])
    taken = 0 if size is ProblemSize.SMALL and rng.random() < 0.5 else rng.randint(1, each)
    opening = rng.choice(setting["intro"]).format(
        n=count, things=things, each=each, one=single, a_one=article(single), many=many, who=who
    )
    clues = [rng.choice(setting["taken"]).format(taken=taken, things=things, who=who)] if taken > 1 else []
    rest = count - taken if clues else count
    best = -(-rest // each)
    question = rng.choice(setting["ask"]).format(many=many, who=who)
    covered = f"(>= (* {each} answer) {rest})"
    enough, fewer, steps = covered, f"(< (* {each} (- answer 1)) {rest})", list[ReasoningStep]()
    if clues:
        enough = f"(>= (+ (* {each} answer) {taken}) {count})"
        fewer = f"(< (+ (* {each} (- answer 1)) {taken}) {count})"
        steps.append(ReasoningStep(f"That leaves {count} - {taken} = {rest} {things}.", (enough,), covered))
    short = f"{best - 1} {many if best != 2 else single} {'hold' if best != 2 else 'holds'} only {best - 1} × {each} = {each * (best - 1)}, which is too few."
    room = f"With {best} there is room for {best} × {each} = {each * best}, so the answer is {best}."
    steps += [
        ReasoningStep(short, (covered,), f"(>= answer {best})"),
        ReasoningStep(room, (f"(>= answer {best})", fewer), f"(= answer {best})"),
    ]
    if form is not ProblemForm.ANSWER:
        there = best - (form is ProblemForm.IMPOSSIBLE)
        clues.append(f"{there} {many} are there" if there != 1 else f"there is one {single}")
        needed = [(f"{rest} places for {things}", rest, there * each)]
        return _feasible(there, opening, clues, "Is that enough?", [enough], needed, form, rng)
    return _draft(opening, clues, question, [enough], DraftAnswer("Int", (fewer,), str(best)), steps, rng)


def _draft(  # noqa: PLR0917  # the parts of a draft
    opening: str,
    clues: list[str],
    question: str,
    terms: list[str],
    answer: DraftAnswer,
    steps: list[ReasoningStep],
    rng: Random,
) -> ProblemDraft:
    text = layout(sentence(opening), clues, question, rng) if clues else f"{sentence(opening)} {question}"
    return ProblemDraft("limit", text, tuple(steps), (), (), tuple(terms), answer)


def _feasible(  # noqa: PLR0917  # the parts of a draft
    number: int,
    opening: str,
    clues: list[str],
    question: str,
    terms: list[str],
    needs: list[tuple[str, int, int]],
    form: ProblemForm,
    rng: Random,
) -> ProblemDraft:
    """Return the question whether a number fits, from the words, the amount and the supply of each need."""
    given = f"(= number {number})"
    own = [term.replace("answer", "number") for term in terms]
    steps = []
    for (need, needed, there), term in zip(needs, own, strict=True):
        if form is ProblemForm.IMPOSSIBLE and needed > there:
            end = f"{sentence(f'{need} are needed, but there are only {there}')} So the answer is no."
            steps = [ReasoningStep(end, (given, term), "false")]
            break
        steps.append(ReasoningStep(sentence(f"{need} are needed, and there are {there}"), (given,), term))
    if form is ProblemForm.POSSIBLE:
        steps.append(ReasoningStep("That is enough, so the answer is yes.", (), None))
    return ProblemDraft(
        "limit",
        layout(sentence(opening), clues, question, rng),
        tuple(steps),
        constants(("number",), "Int"),
        (),
        (*own, given),
        None,
        satisfiable=form is ProblemForm.POSSIBLE,
    )
