// What does the page of a run's flawed solutions show, and how are they listed?

// Columns of an index row, in the order of reports/html/flaws_page.py.
const [F_ID, F_PROBLEM, F_OPERATOR, F_TYPE, F_CLASS, F_TIER, F_POSITION, F_LINE, F_SCORE, F_EDIT, F_FROM, F_TO,
  F_EXPLANATION] = Array(13).keys();
const [GOOD, POOR] = [0.6, 0.4];

const spaced = (name) => name.replaceAll("_", " ");
const idOf = (item) => run.problems[item[F_PROBLEM]][0];
const questionOf = (item) => run.problems[item[F_PROBLEM]][1];
const plausible = (item) => (item[F_SCORE] >= GOOD ? "confirmed" : item[F_SCORE] >= POOR ? "unknown" : "refuted");

const COLUMNS = [
  { title: "Problem", key: idOf },
  { title: "Operator", key: (item) => run.operators[item[F_OPERATOR]] },
  { title: "Wrong", key: (item) => item[F_LINE] },
  { title: "Change", key: (item) => item[F_FROM] },
  { title: "Explanation", key: (item) => item[F_EXPLANATION] },
  { title: "Tier", key: (item) => item[F_TIER] ?? -1, number: true },
  { title: "Position", key: (item) => item[F_POSITION] },
  { title: "Plausible", key: (item) => item[F_SCORE], number: true },
  { title: "Edit", key: (item) => item[F_EDIT] },
];

function flawCells(item) {
  const change = `${item[F_FROM]} → ${item[F_TO]}`;
  return [
    cell(itemLink(item, idOf(item))),
    make("td", { class: "operator", title: spaced(run.types[item[F_TYPE]]) }, spaced(run.operators[item[F_OPERATOR]])),
    cell(item[F_LINE]),
    make("td", { class: "change", title: change }, change),
    questionCell(item[F_EXPLANATION]),
    numberCell(item[F_TIER] ?? "–"),
    cell(run.positions[item[F_POSITION]]),
    make("td", { class: "number confidence" }, item[F_SCORE].toFixed(2), bar(item[F_SCORE], plausible(item))),
    cell(item[F_EDIT] ? make("span", { class: "outcome outcome-1" }, "edit") : null),
  ];
}

// A choice for each of the names that the list holds, in the order of `names` or of their titles
function choices(all, names, column, { sorted = false } = {}) {
  const listed = names.map((name, number) => ({ title: spaced(name), keep: (item) => item[column] === number }));
  if (sorted) listed.sort((a, b) => a.title.localeCompare(b.title, "en"));
  return [{ title: all, keep: () => true }, ...listed];
}

function filters() {
  const tiers = [...new Set(run.flaws.map((item) => item[F_TIER]))].filter((tier) => tier !== null).sort((a, b) => a - b);
  return [
    ["Type of error", choices("every type", run.types, F_TYPE, { sorted: true }), "select"],
    ["Operator", choices("every operator", run.operators, F_OPERATOR, { sorted: true }), "select"],
    ["Tier", [{ title: "every tier", keep: () => true },
      ...tiers.map((tier) => ({ title: `tier ${tier}`, keep: (item) => item[F_TIER] === tier }))]],
    ["Position", choices("any position", run.positions, F_POSITION)],
    ["Edit", [{ title: "all", keep: () => true }, { title: "ready", keep: (item) => !item[F_EDIT] },
      { title: "needs edit", keep: (item) => item[F_EDIT] === 1 }]],
  ];
}

// The overview

function showOverview() {
  const [flaws, edits, fruitful, problems] = run.totals;
  byId("totals").append(make("strong", {}, `${count(flaws)} flawed solutions`),
    visible(` of ${count(fruitful)} of ${count(problems)} problems, each with a certificate; ${count(edits)} need an edit.`));
  byId("sampled").append(visible(run.flaws.length === flaws ? "All of them are listed below." :
    `The list below holds a sample: ${count(run.flaws.length)} of ${count(flaws)}, at most ${run.most} of each operator, `
    + `spread over tiers and positions. Any other is printed by: python -m reports ${run.run} --flaw ID`));
  byId("made").append(madeTable());
  byId("matrix").append(run.matrix.length ? matrix() : "None.");
  byId("reasons").append(run.reasons.length ? reasons() : "None.");
  byId("sources").append(...sources());
}

function madeTable() {
  const most = Math.max(1, ...run.made.flatMap(([, operators]) => operators.map(([, size]) => size)));
  const groups = run.made.map(([type, operators]) => make("tbody", {},
    // A type whose only operator has its name needs no heading.
    operators.length === 1 && operators[0][0] === type ? null : make("tr", { class: "type" },
      make("th", { scope: "colgroup", colspan: 6 }, type ? spaced(type) : "made nothing")),
    operators.map(([name, size, edits, discarded, refused, sampled, said]) => row(
      rowHead(size ? operatorButton(name) : spaced(name)),
      make("td", { class: "share" }, bar(size / most)), numberCell(count(size)), numberCell(edits ? count(edits) : "·"),
      make("td", { class: "number", title: said }, discarded ? count(discarded) : "·",
        refused ? make("small", { class: "refused" }, `${count(refused)} without certificate`) : null),
      numberCell(sampled ? count(sampled) : "·")))));
  const heads = ["operator", "", "flaws", "edit", "discarded", "listed"].map((title) => make("th", { scope: "col" }, title));
  return make("table", { class: "figures operators", "aria-label": "Flawed solutions by operator" },
    make("thead", {}, row(heads)), groups);
}

// Lists what an operator made.
function operatorButton(name) {
  const onclick = () => {
    view.only = view.groups.map(([label, all]) => (label === "Operator"
      ? all.findIndex(({ keep }) => run.flaws.every((item) => keep(item) === (run.operators[item[F_OPERATOR]] === name))) : 0));
    view.page = 0;
    list();
    byId("flaws-title").scrollIntoView();
    byId("search").focus({ preventScroll: true });
  };
  return make("button", { type: "button", class: "inline", onclick }, spaced(name));
}

function matrix() {
  const most = Math.max(1, ...run.matrix.flatMap(([, , sizes]) => sizes));
  const shaded = (size) => {
    const made = numberCell(size ? count(size) : "·");
    made.style.setProperty("--share", `${Math.round((45 * size) / most)}%`);
    return made;
  };
  const classes = [...new Set(run.matrix.map(([name]) => name))];
  const groups = classes.map((name) => make("tbody", {},
    make("tr", { class: "type" }, make("th", { scope: "colgroup", colspan: 5 }, spaced(name))),
    run.matrix.filter(([other]) => other === name).map(([, tier, sizes]) => row(rowHead(tier === null ? "no tier" : `tier ${tier}`),
      sizes.map(shaded), numberCell(count(sizes.reduce((sum, size) => sum + size, 0)))))));
  const heads = ["", "early", "middle", "late", "all"].map((title) => make("th", { scope: "col" }, title));
  return make("table", { class: "figures matrix", "aria-label": "Flawed solutions by class, tier and position" },
    make("thead", {}, row(heads)), groups);
}

const reasons = () => make("dl", { class: "reasons" }, run.reasons.map(([brief, sentence, size]) => [
  make("dt", { class: "number" }, count(size)), make("dd", {}, brief, make("small", {}, sentence))]));

function sources() {
  const listed = (rows) => make("dl", { class: "reasons" }, rows.map(([name, size]) => [
    make("dt", { class: "number" }, count(size)), make("dd", {}, name)]));
  return [run.sources.length ? listed(run.sources) : remark("Nothing."),
    run.unfit.length ? [make("h3", {}, "Problems left out"), listed(run.unfit)] : []].flat();
}

start({
  noun: "flaw",
  heading: "Flaws",
  items: () => run.flaws,
  address: (item) => item[F_ID],
  words: (item) => [idOf(item), item[F_ID], questionOf(item), item[F_EXPLANATION], item[F_FROM], item[F_TO]],
  columns: COLUMNS,
  filters,
  cells: flawCells,
  overview: showOverview,
  page: flawPage,
  option: "--flaws",
});
