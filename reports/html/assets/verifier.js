// The page of judged solutions.

// Columns of an index row, in the order of reports/html/verifier_page.py.
const [I_ID, I_DATASET, I_PROBLEM, I_QUESTION, I_FLAWED, I_TYPE, I_LINE, I_SAID] = Array(8).keys();

const truthOf = (item) => (item[I_FLAWED] ? "Flawed" : "Correct");
const verdict = (said) => (said < 0 ? "none" : said ? "Flawed" : "Correct");
const right = (item, number) => item[I_SAID][number] === item[I_FLAWED];

const columns = () => [
  { title: "Item", key: (item) => item[I_ID] },
  { title: "Question", key: (item) => item[I_QUESTION] },
  { title: "Truth", key: truthOf },
  { title: "Error", key: (item) => item[I_TYPE] },
  { title: "Line", key: (item) => item[I_LINE] },
  ...run.engines.map((engine, number) => ({ title: engine, key: (item) => verdict(item[I_SAID][number]) })),
];

const mark = (item, number) => make("span", { class: `status ${right(item, number) ? "confirmed" : "refuted"}` },
  `${right(item, number) ? MARKS.CONFIRMED : MARKS.REFUTED} ${verdict(item[I_SAID][number])}`);

function itemCells(item) {
  return [
    cell(itemLink(item, item[I_ID])),
    questionCell(item[I_QUESTION]),
    cell(truthOf(item)),
    cell(spaced(item[I_TYPE])),
    cell(item[I_LINE]),
    run.engines.map((_, number) => cell(mark(item, number))),
  ].flat();
}

function filters() {
  return [
    ["Dataset", [every("all"), ...run.datasets.map((name) => ({ title: name, keep: (item) => item[I_DATASET] === name }))]],
    ["Truth", [every("all"), ...[1, 0].map((flawed) => ({ title: flawed ? "flawed" : "correct", keep: (item) => item[I_FLAWED] === flawed }))]],
    ["Engine", [every("all"), ...run.engines.map((engine, number) => ({ title: `${engine} wrong`, keep: (item) => !right(item, number) }))]],
  ];
}

function itemPage(item, [lines, explanation, answers]) {
  const said = (line) => run.engines.filter((_, number) => answers[number] && item[I_SAID][number] === 1 && answers[number][0] === line);
  const told = item[I_FLAWED]
    ? `Flawed: ${[spaced(item[I_TYPE]) || "of no known type", item[I_LINE] && `on ${item[I_LINE]}`].filter(Boolean).join(" ")}`
    : "Correct";
  return make("article", {},
    position(item),
    make("h1", { tabindex: "-1" }, item[I_ID]),
    make("p", {}, item[I_QUESTION]),
    make("p", {}, make("strong", {}, told), explanation ? make("small", {}, explanation) : null),
    make("div", { class: "judged-lines" }, lines.map(([name, text]) =>
      make("div", { class: name === item[I_LINE] ? "judged-line wrong" : "judged-line" },
        make("span", { class: "place" }, name), make("span", { class: "text" }, text),
        make("span", { class: "by" }, said(name).length ? `accused by ${said(name).join(", ")}` : "")))),
    section("Answers of the engines", make("div", { class: "scroller" }, make("table", { class: "answers", "aria-label": "Answers" },
      make("thead", {}, row(["engine", "verdict", "stated confidence", "line", "type", "explanation", "evidence"].map((head) => make("th", { scope: "col" }, head)))),
      make("tbody", {}, run.engines.map((engine, number) => answerRow(item, engine, number, answers[number])))))));
}

function answerRow(item, engine, number, answer) {
  if (!answer) return row(rowHead(engine), make("td", { colspan: 6 }, "no answer"));
  const [line, type, explanation, confidence, evidence] = answer;
  return row(rowHead(engine), cell(mark(item, number)), numberCell(confidence === null ? "–" : confidence.toFixed(2)), cell(line),
    cell(spaced(type)), make("td", { class: "explained" }, explanation),
    cell(evidence.map(([place, kind, found, expected]) => make("small", {}, `${place} ${kind}: ${found}${expected ? `; expected ${expected}` : ""}`))));
}

start({
  noun: "item",
  heading: "Items",
  items: () => run.items,
  address: (item) => item[I_ID],
  words: (item) => [item[I_ID], item[I_QUESTION], item[I_TYPE]],
  get columns() { return columns(); },
  filters,
  cells: itemCells,
  page: itemPage,
  option: "--verifier",
});
