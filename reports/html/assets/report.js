// The page of a formalization run: its problems, and each problem with its programs and verdicts.

const CLAIMS = { ut1: "UT-1", ut2: "UT-2", ut3: "UT-3", classes: "Classes" }, CLAIM_ORDER = Object.keys(CLAIMS), MOST_SURE = 1.3;
// Columns of an index row, in the order of reports/html/formalization_page.py.
const [ID, TIER, QUESTION, GOLD, RESPONSES, READABLE, ACCEPTED, CLIQUE, CONFIDENCE, ORACLE, OUTCOME, REFUTED, UNKNOWN,
  FROZEN, DOUBT, CAUSES, ROUNDING, P_RIGHT, GOLD_DOUBT] = Array(19).keys();

const COLUMNS = [
  { title: "Problem", key: (item) => item[ID] },
  { title: "Question", key: (item) => item[QUESTION] },
  { title: "Tier", key: (item) => item[TIER] ?? -1, csv: (item) => item[TIER], number: true },
  { title: "Gold", key: (item) => Number(item[GOLD] ?? NaN), csv: (item) => item[GOLD], number: true },
  { title: "Read", key: (item) => item[READABLE] / (item[RESPONSES] || 1), csv: (item) => `${item[READABLE]} of ${item[RESPONSES]}`, number: true },
  { title: "UT-1", key: (item) => item[ACCEPTED], number: true },
  { title: "Clique", key: (item) => item[CLIQUE], number: true },
  { title: "Confidence", key: (item) => item[CONFIDENCE], number: true },
  { title: "p_right", key: (item) => item[P_RIGHT] ?? NaN, number: true },
  { title: "Outcome", key: (item) => item[OUTCOME], csv: (item) => outcomeText(item) },
  { title: "Refuted", key: (item) => item[REFUTED], number: true },
  { title: "Unknown", key: (item) => item[UNKNOWN], number: true },
];

const ONLY = [
  every("all"),
  { title: "no oracle", keep: (item) => item[OUTCOME] === 0 },
  { title: "alone", keep: (item) => item[OUTCOME] === 1 },
  { title: "contested", keep: (item) => item[OUTCOME] === 2 },
  { title: "unanimous", keep: (item) => item[OUTCOME] === 3 },
  { title: "refuted pairs", keep: (item) => item[REFUTED] > 0 },
  { title: "unknown pairs", keep: (item) => item[UNKNOWN] > 0 },
  { title: "mostly frozen confirmations", keep: (item) => item[FROZEN] > 0 },
  { title: "may need rounding", keep: (item) => item[ROUNDING] > 0 },
  { title: "doubtful gold", keep: (item) => item[GOLD_DOUBT] > 0 },
  { title: KEPT, keep: isKept },
];

// Problems of which a pair was refuted for a cause
const causeChoices = () => [every("any cause"), ...run.causes.map((kind) =>
  ({ title: `refuted: ${spaced(kind)}`, keep: (item) => item[CAUSES].includes(kind) }))];

function problemCells(item) {
  return [
    cell(itemLink(item, item[ID])),
    questionCell(item[QUESTION]),
    numberCell(item[TIER] ?? "–"),
    numberCell(item[GOLD] ?? "–"),
    numberCell(`${item[READABLE]}/${item[RESPONSES]}`),
    numberCell(item[ACCEPTED]),
    numberCell(item[CLIQUE]),
    make("td", { class: "number confidence" }, item[CONFIDENCE].toFixed(2), bar(item[CONFIDENCE] / MOST_SURE)),
    numberCell(item[P_RIGHT] === null ? "–" : item[P_RIGHT].toFixed(3)),
    make("td", { title: item[DOUBT] }, outcome(item), rounding(item), goldDoubt(item)),
    numberCell(item[REFUTED] || "·"),
    numberCell(item[UNKNOWN] || "·"),
  ];
}

const outcomeText = (item) => [run.outcomes[item[OUTCOME]], item[ROUNDING] && "may need rounding", item[GOLD_DOUBT] && "doubtful gold"].filter(Boolean).join("; ");
const outcome = (item) => make("span", { class: `outcome outcome-${item[OUTCOME]}` }, run.outcomes[item[OUTCOME]]);

const rounding = (item) => item[ROUNDING]
  ? [" ", make("span", { class: "badge doubtful" }, "may need rounding")] : null;
const goldDoubt = (item) => item[GOLD_DOUBT]
  ? [" ", make("span", { class: "badge doubtful" }, "doubtful gold")] : null;
const cause = (kind) => (kind ? [" ", make("span", { class: "badge cause" }, spaced(kind))] : null);

// The page of one problem

const FEW_VERDICTS = 30;
const MANY_PROGRAMS = 10;
const GRID_PROGRAMS = 60; // a larger triangle of pairs has too many cells to draw
const STANDINGS = ["oracle", "clique", "outside", "unreadable"];

const NO_CONSENSUS = { clique: [], confidence: "no consensus was written", dissenters: [], pairs: [], findings: [], basis: "" };

function problemPage(item, { solution, programs, verdicts, consensus }) {
  const { clique, confidence, dissenters, pairs: scores, findings, basis } = consensus ?? NO_CONSENSUS;
  const standing = (program) => {
    if (program.model === item[ORACLE]) return 0;
    if (clique.includes(program.model)) return 1;
    return program.reason === null ? 2 : 3;
  };
  const byStanding = (a, b) => standing(a) - standing(b) || a.model.localeCompare(b.model);
  const sorted = [...programs].sort(byStanding);
  const problem = { item, solution, programs: sorted, verdicts, clique, confidence, dissenters, scores, findings, basis, standing };
  const [pairs, choose] = pairSection(problem);
  return make("div", {},
    position(item),
    make("h1", { tabindex: "-1" }, item[ID], " ", outcome(item)),
    make("div", { class: "statement" }, statement(problem), judgement(problem)),
    programSection(problem, choose),
    pairs,
    verdictSection(problem, choose));
}

function statement({ item, solution }) {
  const worked = solution && make("details", { open: true },
    make("summary", {}, "Solution"), make("p", { class: "solution" }, solution));
  return make("div", {}, make("p", { class: "lead" }, item[QUESTION]), worked || null);
}

function judgement({ item, clique, confidence, programs, verdicts, scores, findings, basis }) {
  const line = (term, ...content) => [make("dt", {}, term), make("dd", {}, content)];
  const hasTemplate = programs.some((program) => program.dialect === "template");
  const traced = hasTemplate && besideLink("trace", item[ID], "its trace and dependency graph");
  const uncounted = run.causes.map((kind) => [kind, scores.filter((score) => score.uncounted === kind).length])
    .filter(([, size]) => size).map(([kind, size]) => make("div", {}, `pairs refuted: ${count(size)}`, cause(kind)));
  const screening = item[GOLD] === null ? null : verdicts.find((verdict) => verdict.claim === "ut1" && verdict.left === item[ORACLE]);
  const onGold = { CONFIRMED: "right on gold", REFUTED: "wrong on gold" }[screening?.status];
  const members = clique.map((model) => make("span", { class: "member" }, model));
  return make("dl", { class: "judgement" },
    line("Gold answer", make("strong", {}, item[GOLD] ?? "none")),
    item[TIER] === null ? null : line("Tier", item[TIER]),
    line("Oracle", make("strong", {}, item[ORACLE] ?? "none"), onGold ? [" ", make("span", { class: "muted" }, onGold)] : null),
    line(`Clique (${clique.length} of ${programs.length})`, members.length ? members : "none"),
    item[P_RIGHT] === null ? null : line("p_right", make("span", { class: "big" }, item[P_RIGHT].toFixed(3)), bar(item[P_RIGHT]),
      make("small", {}, basis)),
    line("Confidence", make("span", { class: "big" }, item[CONFIDENCE].toFixed(2)),
      bar(item[CONFIDENCE] / MOST_SURE), make("small", {}, confidence)),
    findings.length ? line("Finding", findings.map((text) => make("p", { class: "complaint" }, text))) : null,
    uncounted.length ? line("Not counted", uncounted) : null,
    findings.length ? null : line("Standing", item[DOUBT]),
    traced ? line("Template", traced) : null);
}

const byStatus = (a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status);

// Programs, side by side

function programSection(problem, choose) {
  const { programs } = problem;
  if (!programs.length) return section("Programs", remark("No model answered."));
  const columns = programs.map((program, place) => programColumn(problem, program, place, choose));
  return section(`Programs (${programs.length})`, make("p", {}, wrapButton()), make("div", { class: "programs" }, columns),
    leftOutOfPrint(programs.length - PRINTED_PROGRAMS, "programs"));
}

// The style of the printed page leaves these out: a problem fits on three pages.
const PRINTED_PROGRAMS = 6, PRINTED_VERDICTS = 12;
const leftOutOfPrint = (size, what) => (size > 0 ? make("p", { class: "print-only muted" }, `${count(size)} more ${what} are on the page.`) : null);

function programColumn(problem, program, place, choose) {
  const model = program.model;
  const kind = STANDINGS[problem.standing(program)];
  const dissent = problem.dissenters.find((own) => own.model === model);
  const screening = problem.verdicts.find((verdict) => verdict.claim === "ut1" && verdict.left === model);
  const said = [program.reason, screening?.reason]; // a dissent may repeat why a program was screened out
  const complaint = (text, ...more) => make("p", { class: "complaint" }, text, more);
  return make("article", { class: `program ${kind}` },
    make("header", {},
      make("h3", {}, make("span", { class: "place" }, place + 1), " ", model),
      make("span", { class: `badge ${kind}` }, kind === "outside" ? "outside the clique" : kind),
      dissent ? [make("span", { class: "badge dissents" }, "dissents"), cause(dissent.cause)] : null,
      make("span", { class: "muted" }, program.dialect ?? "no dialect")),
    make("p", { class: "value" }, "value ", make("strong", {}, program.value ?? "none"),
      screening ? make("span", { class: "muted" }, "  ·  UT-1 ", status(screening.status, kind === "outside")) : null),
    program.reason === null ? null : complaint(`Could not be read: ${program.reason}`),
    screening?.reason ? complaint(screening.reason) : null,
    program.repairs.map((repair) => make("p", { class: "muted" }, `Repaired: ${repair}`)),
    dissent && !said.includes(dissent.reason) ? complaint(`Dissents: ${dissent.reason} `,
      dissent.against === null ? null : pairButton(model, dissent.against, "show the pair", choose)) : null,
    program.code === null ? null : codeBlock(program.code),
    program.parameters.length ? parameterTable(program.parameters) : null);
}

const pairButton = (left, right, text, choose) =>
  make("button", { type: "button", class: "inline", onclick: () => choose(left, right, { jump: true }) }, text);

// A name may be broken after an underscore, before it is broken anywhere else.
const variableName = (name) => make("code", {}, name.split(/(?<=_)/).map((part) => [part, make("wbr")]));

function parameterTable(parameters) {
  const rows = parameters.map(({ name, value, type, provenance, comment }) => {
    const origin = { class: `provenance ${provenance === "world_knowledge" ? "world" : ""}` };
    return row(
      cell(variableName(name), comment ? make("small", {}, comment) : null),
      cell(make("code", {}, value), make("small", {}, type ?? "")),
      cell(make("span", origin, (provenance ?? "unknown").replace("_", " "))));
  });
  return table("Parameters", "parameters", ["parameter", "value", "from"], rows);
}

// Pairs: a triangle of verdicts, and the chosen pair beside it

const pairKey = (left, right) => (left < right ? `${left}~${right}` : `${right}~${left}`);

function pairSection(problem) {
  const { programs } = problem;
  const known = new Map(); // by pair: its verdicts, by claim
  for (const verdict of problem.verdicts) {
    if (!verdict.right) continue;
    const key = pairKey(verdict.left, verdict.right);
    if (!known.has(key)) known.set(key, {});
    known.get(key)[verdict.claim] = verdict;
  }
  const buttons = new Map();
  const chosen = make("div", { class: "chosen" });
  const choose = (left, right, { jump = false } = {}) => {
    for (const button of buttons.values()) button.removeAttribute("aria-pressed");
    buttons.get(pairKey(left, right))?.setAttribute("aria-pressed", "true");
    chosen.replaceChildren(pairDetails(problem, known.get(pairKey(left, right)) ?? {}, left, right));
    if (jump) chosen.scrollIntoView({ block: "center" });
  };
  if (programs.length < 2) return [section("Pairs", remark("Fewer than two programs.")), choose];
  const crowded = programs.length > GRID_PROGRAMS;
  const grid = crowded
    ? remark(`${count(programs.length)} programs, ${count(known.size)} pairs compared: choose one in the verdicts below.`)
    : pairGrid(programs, known, buttons, choose);
  const compared = [...known.values()].map((claims) => claims.ut3).filter(Boolean);
  const [first] = compared.sort(byStatus);
  choose(first?.left ?? programs[0].model, first?.right ?? programs[1].model);
  const legend = "✓ confirmed, ✗ refuted, ? unknown, · not compared by UT-3. Choose a pair to see its alignment.";
  const left = make("div", {}, make("div", { class: "scroller" }, grid), crowded ? null : make("p", { class: "legend" }, legend));
  return [section("Pairs", make("div", { class: "pair-panel" }, left, chosen)), choose];
}

function pairGrid(programs, known, buttons, choose) {
  const pairCell = (left, right) => {
    const verdict = known.get(pairKey(left, right))?.ut3;
    const name = verdict?.status;
    const found = name?.toLowerCase() ?? "not compared";
    const label = `${left} and ${right}: ${found}`;
    const button = make("button", {
      type: "button", class: `pair ${found}`, title: label, "aria-label": label, onclick: () => choose(left, right),
    }, name ? MARKS[name] : "·");
    buttons.set(pairKey(left, right), button);
    return cell(button);
  };
  const rows = programs.map((program, place) => row(
    make("th", { scope: "row", title: program.model },
      make("span", { class: "place" }, place + 1), " ", program.model),
    programs.slice(0, place).map((other) => pairCell(other.model, program.model)),
    make("td", { class: "corner" }, place + 1)));
  const kind = programs.length > MANY_PROGRAMS ? "pairs many" : "pairs";
  return make("table", { class: kind, "aria-label": "UT-3 verdict of each pair" }, make("tbody", {}, rows));
}

function pairDetails({ scores }, { ut2: alignment, ut3: equivalence }, left, right) {
  const first = alignment ?? equivalence;
  const [a, b] = first ? [first.left, first.right] : [left, right];
  const score = scores.find((entry) => pairKey(entry.left, entry.right) === pairKey(a, b));
  return make("div", {},
    make("h3", {}, a, make("span", { class: "muted" }, " ~ "), b),
    score ? remark(`pair score ${score.score.toFixed(3)}`) : null,
    equivalence ? verdictBlock(equivalence) : remark("Not compared by UT-3."),
    alignment ? verdictBlock(alignment) : remark("Not aligned by UT-2."));
}

function verdictBlock(verdict) {
  return make("div", { class: "verdict-block" },
    make("p", {}, make("strong", {}, CLAIMS[verdict.claim]), " ", verdictStatus(verdict), "  ",
      make("span", { class: "muted" }, verdict.how)),
    verdict.sentence ? make("p", { class: "counterexample" }, verdict.sentence) : null,
    verdict.reason ? make("p", {}, verdict.reason) : null,
    domainLine(verdict),
    verdict.alignment ? alignmentTable(verdict.alignment) : null);
}

const verdictStatus = (verdict) => [status(verdict.status), cause(verdict.cause?.kind),
  verdict.witness === "extreme" ? [" ", make("span", { class: "badge" }, "extreme values")] : null];

function domainLine(verdict) {
  const domain = Object.entries(verdict.domain ?? {});
  if (!domain.length) return null;
  const members = domain.map(([name, where]) => make("span", { class: "member" }, `${name}: ${where}`));
  return make("p", { class: "domain" }, "over ", members);
}

function alignmentTable({ aligned, unaligned_left: unalignedLeft, unaligned_right: unalignedRight, runner_up: runnerUp }) {
  const named = (name) => cell(name === null ? null : variableName(name));
  const score = (similarity) => make("td", { class: "number confidence" },
    typeof similarity !== "number" ? "–" : [similarity.toFixed(2), bar(similarity)]);
  const pairs = aligned.map(({ left, right, value, similarity }) =>
    row(named(left), named(right), numberCell(value ?? ""), score(similarity)));
  const alone = [...unalignedLeft.map((name) => [name, null]), ...unalignedRight.map((name) => [null, name])];
  const rest = alone.map(([left, right]) =>
    make("tr", { class: "unaligned" }, named(left), named(right), make("td", { colspan: 2 }, "unaligned")));
  return [
    table("Alignment", "alignment", ["left", "right", "value", "similarity"], [...pairs, ...rest]),
    runnerUp ? make("details", {}, make("summary", {}, runnerUpTitle(runnerUp)), runnerUpAlignment(runnerUp)) : null,
  ];
}

function runnerUpTitle({ shortfall }) {
  return typeof shortfall === "number" ? `Runner-up alignment, ${shortfall.toFixed(2)} worse` : "Runner-up alignment";
}

function runnerUpAlignment(runnerUp) {
  if (!Array.isArray(runnerUp.aligned)) return make("pre", { class: "raw" }, JSON.stringify(runnerUp, null, 1));
  return alignmentTable({ unaligned_left: [], unaligned_right: [], ...runnerUp, runner_up: null });
}

// Verdicts

function verdictSection({ verdicts }, choose) {
  if (!verdicts.length) return section("Verdicts", remark("None."));
  const sorted = [...verdicts].sort((a, b) => byStatus(a, b) || CLAIM_ORDER.indexOf(b.claim) - CLAIM_ORDER.indexOf(a.claim));
  const rows = (from, to) => sorted.slice(from, to).map((verdict) => verdictRow(verdict, choose));
  const list = table("Verdicts, findings first", "verdicts", ["claim", "status", "about", "how", "what"], rows(0, FEW_VERDICTS));
  const showAll = (event) => {
    list.tBodies[0].append(...rows(FEW_VERDICTS));
    event.target.remove();
  };
  return section(`Verdicts (${count(verdicts.length)})`, make("div", { class: "scroller" }, list),
    leftOutOfPrint(sorted.length - Math.min(PRINTED_VERDICTS, sorted.filter((verdict) => verdict.status !== "CONFIRMED").length), "verdicts"),
    sorted.length > FEW_VERDICTS ? make("button", { type: "button", class: "more", onclick: showAll }, `Show all ${count(sorted.length)}`) : null);
}

function verdictRow(verdict, choose) {
  const [left, right] = [verdict.left, verdict.right];
  const pair = `${left} ~ ${right}`;
  const about = !right ? left : pairButton(left, right, pair, choose);
  const lines = [verdict.sentence, verdict.reason ?? alignmentLine(verdict.alignment)].filter(Boolean);
  return make("tr", { class: `verdict-${verdict.status.toLowerCase()}` }, cell(CLAIMS[verdict.claim]), cell(verdictStatus(verdict)), cell(about),
    make("td", { class: "muted" }, verdict.how),
    cell(lines.map((text) => make("div", {}, text)), domainLine(verdict)));
}

function alignmentLine(alignment) {
  if (!alignment) return null;
  const { aligned, unaligned_left: left, unaligned_right: right } = alignment;
  const alone = [...left, ...right];
  return `${aligned.length} aligned` + (alone.length ? `, unaligned: ${alone.join(", ")}` : "");
}

start({
  noun: "problem",
  heading: "Problems",
  items: () => run.problems,
  address: (item) => item[ID],
  words: (item) => [item[ID], item[QUESTION]],
  columns: COLUMNS,
  filters: () => [["Show only", ONLY], ["Cause", causeChoices()]],
  setting: KEPT_SETTING,
  cells: problemCells,
  overview: showCertainty,
  page: problemPage,
  option: "--html",
});
