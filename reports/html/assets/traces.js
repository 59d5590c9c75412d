// What does the page of a run's traces show, and how are they listed?

// Columns of an index row, in the order of reports/html/traces_page.py.
const [T_PROBLEM, T_MODEL, T_TIER, T_ANSWER, T_LINES, T_VARIABLES, T_MISMATCHES, T_DEAD, T_STATUSES] = Array(9).keys();

const idOf = (item) => run.problems[item[T_PROBLEM]][0];
const questionOf = (item) => run.problems[item[T_PROBLEM]][1];
const refuted = (item) => item[T_STATUSES].filter((standing) => standing === 0).length;

const COLUMNS = [
  { title: "Problem", key: idOf },
  { title: "Model", key: (item) => modelName(item[T_MODEL]) },
  { title: "Question", key: questionOf },
  { title: "Tier", key: (item) => item[T_TIER] ?? -1, number: true },
  { title: "Answer", key: (item) => fractionOf(item[T_ANSWER]), number: true },
  { title: "Lines", key: (item) => item[T_LINES], number: true },
  { title: "Variables", key: (item) => item[T_VARIABLES], number: true },
  { title: "Differ", key: (item) => item[T_MISMATCHES], number: true },
  { title: "Dead", key: (item) => item[T_DEAD], number: true },
  { title: "Claims", key: refuted },
];

function fractionOf(text) {
  const [above, below] = (text ?? "").split("/");
  return text === null ? NaN : Number(above) / Number(below ?? 1);
}

function traceCells(item) {
  return [
    cell(itemLink(item, idOf(item))),
    make("td", { class: "model", title: modelName(item[T_MODEL]) }, modelName(item[T_MODEL])),
    questionCell(questionOf(item)),
    numberCell(item[T_TIER] ?? "–"),
    make("td", { class: "number answer", title: item[T_ANSWER] }, item[T_ANSWER] ?? "–"),
    numberCell(item[T_LINES] || "·"),
    numberCell(item[T_VARIABLES] || "·"),
    numberCell(item[T_MISMATCHES] || "·"),
    numberCell(item[T_DEAD] || "·"),
    make("td", { class: "standings" }, item[T_STATUSES].map(standingMark)),
  ];
}

function standingMark(standing, place) {
  const name = STATUSES[standing];
  const said = `${run.claims[place]}: ${name?.toLowerCase() ?? "not judged"}`;
  return make("span", { class: `standing ${name?.toLowerCase() ?? ""}`, title: said, role: "img", "aria-label": said },
    MARKS[name] ?? "·");
}

function filters() {
  return [
    ["Show only", [
      every("all"),
      { title: "all confirmed", keep: (item) => item[T_STATUSES].every((standing) => standing === 2) },
      ...run.claims.map((claim, place) => ({ title: `${claim} refuted`, keep: (item) => item[T_STATUSES][place] === 0 })),
      { title: "undecided", keep: (item) => item[T_STATUSES].includes(1) },
      { title: "no trace", keep: (item) => item[T_ANSWER] === null },
    ]],
    ["Tier", tierChoices((item) => item[T_TIER])],
  ];
}

start({
  noun: "trace",
  heading: "Traces",
  items: () => run.traces,
  address: (item) => `${idOf(item)}~${modelName(item[T_MODEL])}`,
  words: (item) => [idOf(item), modelName(item[T_MODEL]), questionOf(item)],
  columns: COLUMNS,
  filters,
  cells: traceCells,
  overview() {
    byId("ladder").append(statusTable("Verdicts by claim", "claim", run.ladder));
    byId("funnel").append(...steps(run.funnel));
    byId("causes").append(...(run.causes.length ? steps(run.causes) : ["None."]));
  },
  page: tracePage,
  option: "--traces",
});
