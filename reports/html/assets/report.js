// What does the page of a formalization run show, and how are its problems listed?

const CLAIMS = ["UT-1", "UT-2", "UT-3"];
const MOST_SURE = 1.3;
// Columns of an index row, in the order of reports/html/page_data.py.
const [ID, TIER, QUESTION, GOLD, RESPONSES, READABLE, ACCEPTED, CLIQUE, CONFIDENCE, ORACLE, OUTCOME, REFUTED, UNKNOWN,
  DOUBT] = Array(14).keys();

function showOverview() {
  byId("funnel").append(...steps(run.funnel));
  byId("ladder").append(run.ladder.length ? ladder() : "No pair was compared.");
  byId("agreement").append(run.agreement.length ? agreement() : "No model answered.");
}

function ladder() {
  const total = new Map();
  for (const [method, , size] of run.ladder) total.set(method, (total.get(method) ?? 0) + size);
  const rows = [...run.ladder].sort((a, b) => total.get(b[0]) - total.get(a[0]));
  return statusTable("UT-3 verdicts by method", "method", rows);
}

function agreement() {
  const rows = run.agreement.map(([number, model, responses, readable, accepted, confirmed, decided]) =>
    row(numberCell(number), rowHead(model), numberCell(percent(confirmed, decided)), numberCell(count(decided)),
      numberCell(percent(accepted, responses)), numberCell(percent(readable, responses))));
  const heads = ["#", "model", "agreement", "decided pairs", "UT-1", "readable"];
  return table("Agreement and UT-1 pass rate of each model", "figures", heads, rows);
}

const COLUMNS = [
  { title: "Problem", key: (item) => item[ID] },
  { title: "Question", key: (item) => item[QUESTION] },
  { title: "Tier", key: (item) => item[TIER] ?? -1, number: true },
  { title: "Gold", key: (item) => Number(item[GOLD] ?? NaN), number: true },
  { title: "Read", key: (item) => item[READABLE] / (item[RESPONSES] || 1), number: true },
  { title: "UT-1", key: (item) => item[ACCEPTED], number: true },
  { title: "Clique", key: (item) => item[CLIQUE], number: true },
  { title: "Confidence", key: (item) => item[CONFIDENCE], number: true },
  { title: "Outcome", key: (item) => item[OUTCOME] },
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
];

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
    make("td", { title: item[DOUBT] }, outcome(item)),
    numberCell(item[REFUTED] || "·"),
    numberCell(item[UNKNOWN] || "·"),
  ];
}

const outcome = (item) => make("span", { class: `outcome outcome-${item[OUTCOME]}` }, run.outcomes[item[OUTCOME]]);

start({
  noun: "problem",
  heading: "Problems",
  items: () => run.problems,
  address: (item) => item[ID],
  words: (item) => [item[ID], item[QUESTION]],
  columns: COLUMNS,
  filters: () => [["Show only", ONLY]],
  cells: problemCells,
  overview: showOverview,
  page: problemPage,
  option: "--html",
});
