// What does the page of a run's variants show, and how are they listed?

// Columns of an index row, in the order of reports/html/variants_page.py.
const [V_ID, V_PROBLEM, V_OPERATOR, V_CLASS, V_TWIN, V_TIER, V_CHANGE, V_REASONING] = Array(8).keys();

const spaced = (name) => name.replaceAll("_", " ");
const idOf = (item) => run.problems[item[V_PROBLEM]][0];
const questionOf = (item) => run.problems[item[V_PROBLEM]][1];
const classOf = (item) => run.classes[item[V_CLASS]];

const COLUMNS = [
  { title: "Problem", key: idOf },
  { title: "Class", key: (item) => item[V_CLASS] },
  { title: "Operator", key: (item) => run.operators[item[V_OPERATOR]] },
  { title: "Twin", key: (item) => Number(item[V_TWIN] !== null) },
  { title: "Edit", key: (item) => item[V_CHANGE] },
  { title: "Reasoning", key: (item) => item[V_REASONING] },
];

function variantCells(item) {
  return [
    cell(itemLink(item, idOf(item))),
    make("td", { class: `class-${item[V_CLASS]}` }, make("span", { class: "badge class" }, classOf(item))),
    make("td", { class: "operator" }, spaced(run.operators[item[V_OPERATOR]])),
    cell(item[V_TWIN] === null ? null : "twin"),
    make("td", { class: "change", title: item[V_CHANGE] }, item[V_CHANGE]),
    questionCell(item[V_REASONING]),
  ];
}

// A choice for each of the names that the list holds
const choices = (all, names, column) => [{ title: all, keep: () => true },
  ...names.map((name, number) => ({ title: spaced(name), keep: (item) => item[column] === number }))];

function filters() {
  return [
    ["Operator", choices("every operator", run.operators, V_OPERATOR), "select"],
    ["Class", choices("every class", run.classes, V_CLASS)],
    ["Twin", [{ title: "all", keep: () => true }, { title: "variants", keep: (item) => item[V_TWIN] === null },
      { title: "near-twins", keep: (item) => item[V_TWIN] !== null }]],
  ];
}

// The overview

function showOverview() {
  const [variants, twins, fruitful, problems] = run.totals;
  const sizes = run.sizes.map(([name, size]) => `${count(size)} ${name}`).join(", ");
  byId("totals").append(make("strong", {}, `${count(variants)} variants`),
    visible(` of ${count(fruitful)} of ${count(problems)} problems, each with a certificate: ${sizes}; ${count(twins)} are near-twins.`));
  byId("sampled").append(visible(run.variants.length === variants ? "All of them are listed below." :
    `The list below holds a sample: ${count(run.variants.length)} of ${count(variants)}, at most ${run.most} of each operator, `
    + `spread over variants, near-twins and tiers. Any other is printed by: python -m reports ${run.run} --variant ID`));
  byId("made").append(madeTable());
  byId("reasons").append(run.reasons.length ? reasons() : "None.");
  byId("sources").append(...sources());
}

function madeTable() {
  const most = Math.max(1, ...run.made.flatMap(([, operators]) => operators.map(([, size]) => size)));
  const groups = run.made.map(([name, operators]) => make("tbody", {},
    make("tr", { class: "type" }, make("th", { scope: "colgroup", colspan: 6 }, name || "made nothing")),
    operators.map(([operator, size, twins, discarded, refused, sampled, said]) => row(
      rowHead(sampled ? operatorButton(operator) : spaced(operator)),
      make("td", { class: "share" }, bar(size / most)), numberCell(count(size)), numberCell(twins ? count(twins) : "·"),
      make("td", { class: "number", title: said }, discarded ? count(discarded) : "·",
        refused ? make("small", { class: "refused" }, `${count(refused)} without certificate`) : null),
      numberCell(sampled ? count(sampled) : "·")))));
  const heads = ["operator", "", "variants", "twins", "discarded", "listed"].map((title) => make("th", { scope: "col" }, title));
  return make("table", { class: "figures operators", "aria-label": "Variants by operator" }, make("thead", {}, row(heads)), groups);
}

// Lists what an operator made.
function operatorButton(name) {
  const onclick = () => {
    const place = run.operators.indexOf(name) + 1;
    view.only = view.groups.map(([label]) => (label === "Operator" ? place : 0));
    view.page = 0;
    list();
    byId("variants-title").scrollIntoView();
    byId("search").focus({ preventScroll: true });
  };
  return make("button", { type: "button", class: "inline", onclick }, spaced(name));
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
  noun: "variant",
  heading: "Variants",
  items: () => run.variants,
  address: (item) => item[V_ID],
  words: (item) => [idOf(item), item[V_ID], questionOf(item), item[V_CHANGE], item[V_REASONING]],
  columns: COLUMNS,
  filters,
  cells: variantCells,
  overview: showOverview,
  page: variantPage,
  option: "--variants",
});
