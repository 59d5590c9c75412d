// The page of a run's flawed solutions.

// Columns of an index row, in the order of reports/html/certified_page.py.
const [, , , , , , , F_TYPE, F_CLASS, F_POSITION, F_LINE, F_SCORE, F_EDIT, F_FROM, F_TO, F_EXPLANATION] = Array(16).keys();
const [GOOD, POOR] = [0.6, 0.4];

const plausible = (item) => (item[F_SCORE] >= GOOD ? "confirmed" : item[F_SCORE] >= POOR ? "unknown" : "refuted");

const COLUMNS = [
  { title: "Problem", key: idOf },
  { title: "Operator", key: operatorOf },
  { title: "Wrong", key: (item) => item[F_LINE] },
  { title: "Change", key: (item) => item[F_FROM] },
  { title: "Explanation", key: (item) => item[F_EXPLANATION] },
  { title: "Tier", key: (item) => item[R_TIER] ?? -1, csv: (item) => item[R_TIER], number: true },
  { title: "Position", key: (item) => run.positions.indexOf(item[F_POSITION]), csv: (item) => item[F_POSITION] },
  { title: "Plausible", key: (item) => item[F_SCORE], number: true },
  { title: "Edit", key: (item) => item[F_EDIT], csv: (item) => (item[F_EDIT] ? "edit" : "") },
];

function flawCells(item) {
  const change = `${item[F_FROM]} → ${item[F_TO]}`;
  return [
    cell(itemLink(item, idOf(item))),
    make("td", { class: "operator", title: spaced(item[F_TYPE]) }, spaced(operatorOf(item))),
    cell(item[F_LINE]),
    make("td", { class: "change", title: change }, change),
    questionCell(item[F_EXPLANATION]),
    numberCell(item[R_TIER] ?? "–"),
    cell(item[F_POSITION]),
    make("td", { class: "number confidence" }, item[F_SCORE].toFixed(2), bar(item[F_SCORE], plausible(item))),
    cell(item[F_EDIT] ? make("span", { class: "outcome outcome-1" }, "edit") : null),
  ];
}

const filters = () => [
  ["Type of error", choices("every type", (item) => item[F_TYPE], { sorted: true }), "select"],
  ["Operator", choices("every operator", operatorOf, { sorted: true }), "select"],
  ["Tier", tierChoices((item) => item[R_TIER])],
  ["Position", choices("any position", (item) => item[F_POSITION], { among: run.positions })],
  ["Edit", [every("all"), { title: "ready", keep: (item) => !item[F_EDIT] },
    { title: "needs edit", keep: (item) => item[F_EDIT] === 1 }]],
  ...supportFilters(),
];

// The page of a flawed solution

const flawPage = (item, details) => recordPage(item, {
  kind: "flaw",
  question: questionOf(item),
  explanation: [make("strong", {}, `${item[F_LINE]} is wrong. `), item[F_EXPLANATION]],
  links: { trace: "Trace of the solution", problem: "All formalizations" },
  facts: facts(item, details),
  sections: [
    section("Solution and flawed solution", comparison(item, details.lines)),
    make("div", { class: "worked-out" },
      section("What is proved", proof(details)),
      section("Values that change", values(details.values))),
  ],
});

function facts(item, details) {
  const { mutation_type: type, line, variable, changed } = details.mutation;
  const [was, now] = [changed?.from, changed?.to];
  return [
    ["label", [`${details.label.verdict}, `, make("strong", {}, item[F_LINE]), `, ${spaced(item[F_TYPE])}`,
      item[F_TYPE] === item[F_CLASS] ? null : make("small", {}, spaced(item[F_CLASS]))]],
    ["should read", make("span", { class: "mono" }, details.label.error_details.correction)],
    ["mutation", [`${spaced(type)} at ${line}, `, make("code", {}, variable), ...(was === now ? [] : [", ", make("code", {}, was || "nothing"), " → ", make("code", {}, now || "nothing")]),
      make("small", {}, `${item[F_FROM]} → ${item[F_TO]}`)]],
    ["operator", madeBy(item, details.model)],
    ["rests on", details.rests_on],
    ["place", `tier ${item[R_TIER] ?? "none"}, ${item[F_POSITION]}`],
    ["plausibility", [make("span", { class: "big" }, item[F_SCORE].toFixed(2)), bar(item[F_SCORE], plausible(item)),
      details.plausibility.reasons.length ? make("small", {}, details.plausibility.reasons.join("; ")) : null]],
    ["needs edit", item[F_EDIT] ? make("span", { class: "edit" }, details.edits.join("; ") || "yes") : "no"],
  ];
}

// Both solutions beside each other, a row a line; on a narrow screen the flawed line stands below its original.
function comparison(item, lines) {
  const heads = ["Solution", "Flawed solution"].map((title) => make("div", { class: "side head", role: "columnheader" }, title));
  const rows = lines.map(({ before_label: before, after_label: after, before: old, after: now }) => {
    const differs = !old || !now || [...old, ...now].some(({ changed }) => changed);
    const wrong = after !== null && after === item[F_LINE];
    return make("div", { class: `pair-of-lines ${differs ? "differs" : "same"}`, role: "row" },
      side(before, old, differs ? "gone" : ""), side(after, now, `${differs ? "new" : ""} ${wrong ? "wrong" : ""}`));
  });
  return make("div", { class: "comparison", role: "table", "aria-label": "Solution and flawed solution, line by line" },
    make("div", { class: "pair-of-lines heads", role: "row" }, heads), rows);
}

function side(label, pieces, kind) {
  if (!pieces) return make("div", { class: `side nothing ${kind}`, role: "cell" }, make("span", { class: "muted" }, "no such line"));
  return make("div", { class: `side ${kind}`, role: "cell" },
    make("span", { class: "place" }, label),
    make("span", { class: "text" }, piecesOf(pieces, kind.startsWith("gone") ? "del" : "ins"),
      kind.endsWith("wrong") ? make("span", { class: "badge unreadable" }, "wrong line") : null));
}

function proof(details) {
  const [claim, ...sentences] = details.proof;
  const { mutant, oracle, stated, change } = details.certificate;
  const { inputs, steps, answer } = mutant ?? oracle;
  const rows = [
    ...inputs.map(([name, value]) => row(rowHead("given"), cell(make("code", {}, name)), cell(), numberCell(value))),
    ...steps.map(([line, name, code]) => make("tr", { class: name === change.variable ? "changed" : null },
      rowHead(line || "–"), cell(make("code", {}, name), name === answer ? make("span", { class: "badge" }, "answer") : null),
      cell(make("code", {}, code)), numberCell(stated[name] ?? "–"))),
  ];
  return [
    claimOf(claim),
    sentences.map((sentence) => make("p", {}, sentence)),
    scroller(table("Steps of the flawed solution", "steps-of-flaw", ["line", "variable", "computed as", "stated"], rows)),
  ];
}

function values(rows) {
  if (!rows.length) return remark("None: only the answer differs.");
  return scroller(table("Values that change", "figures changed-values", ["line", "variable", "before", "after"],
    rows.map(({ line, variable: name, before, after }) => row(rowHead(line ?? "–"), cell(make("code", {}, name)), numberCell(before),
      numberCell(after ?? make("span", { class: "muted" }, "deleted"))))));
}

startCertified({
  noun: "flaw",
  heading: "Flaws",
  words: (item) => [idOf(item), item[R_ID], questionOf(item), item[F_EXPLANATION], item[F_FROM], item[F_TO]],
  columns: COLUMNS,
  filters,
  cells: flawCells,
  page: flawPage,
  option: "--flaws",
});
