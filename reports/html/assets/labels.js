// The page of audited labels: those in doubt, each with the lines of its solution and what speaks against it.

// Columns of an index row, in the order of reports/html/labels_page.py.
const [L_NAME, L_PROBLEM, L_FILE, L_STATUS, L_CAUSES, L_SAID, L_TYPE, L_LINE, L_FOUND] = Array(9).keys();

const COLUMNS = [
  { title: "Record", key: (item) => item[L_NAME] },
  { title: "Problem", key: (item) => item[L_PROBLEM] },
  { title: "Audit", key: (item) => item[L_STATUS], csv: (item) => run.statuses[item[L_STATUS]] },
  { title: "Cause", key: (item) => item[L_CAUSES].join(", ") },
  { title: "Label", key: (item) => item[L_SAID] },
  { title: "Error", key: (item) => item[L_TYPE] },
  { title: "Line", key: (item) => item[L_LINE] },
  { title: "Found", key: (item) => item[L_FOUND] },
];

const auditOf = (item) => status(run.statuses[item[L_STATUS]]);

function labelCells(item) {
  return [
    cell(itemLink(item, item[L_NAME])),
    cell(item[L_PROBLEM]),
    cell(auditOf(item)),
    cell(item[L_CAUSES].map((cause) => make("div", {}, spaced(cause)))),
    cell(item[L_SAID]),
    cell(spaced(item[L_TYPE])),
    cell(item[L_LINE]),
    questionCell(item[L_FOUND]),
  ];
}

function filters() {
  const causes = [...new Set(run.labels.flatMap((item) => item[L_CAUSES]))].sort();
  return [
    ["Audit", [every("all"), ...run.statuses.map((name, number) => ({ title: name.toLowerCase(), keep: (item) => item[L_STATUS] === number }))]],
    ["File", choices("every file", (item) => item[L_FILE], { sorted: true }), "select"],
    ["Cause", [every("every cause"), ...causes.map((cause) => ({ title: spaced(cause), keep: (item) => item[L_CAUSES].includes(cause) }))], "select"],
  ];
}

// The solution and the right way side by side; what proves the diagnosis opens at a click.
function comparison({ question, rows, correction, certificate, written, witness }) {
  const signs = { same: ["=", "the line works out this step"], differs: ["≠", "the first line that differs"] };
  const side = ({ place, line, steps, mark }) => make("div", { class: `side ${mark}` },
    make("div", {}, place ? make("b", {}, place === "FA" ? "answer" : place) : null, " ", line),
    signs[mark] ? make("span", { class: "sign", title: signs[mark][1] }, signs[mark][0]) : make("span", {}),
    make("div", {}, steps.map((step) => make("div", {}, step))));
  const closed = (title, ...parts) => make("details", {}, make("summary", {}, title), ...parts);
  return [
    make("p", { class: "question" }, question),
    rows.length ? make("div", { class: "sides" },
      make("div", { class: "side head" }, make("b", {}, "This solution"), make("span", {}), make("b", {}, "Right way")), rows.map(side)) : null,
    correction ? make("p", {}, "The step should be ", make("code", {}, correction)) : null,
    certificate ? closed("Proved: with this change it computes the same as the right way for all inputs",
      make("pre", {}, certificate), ...(written ? [make("p", {}, "As written:"), make("pre", {}, written)] : [])) : null,
    witness ? closed("Witness", make("p", {}, `With ${Object.entries(witness.inputs).map(([name, value]) => `${spaced(name)} = ${value}`).join(", ")} the right way gives ${witness.left}, this solution ${witness.right}.`)) : null,
  ];
}

function labelPage(item, { reason, findings, lines, label, ...record }) {
  const [compared, explanation] = [record.rows ? record : null, label?.explanation];
  const said = [item[L_SAID], spaced(item[L_TYPE]), item[L_LINE] && `on ${item[L_LINE]}`].filter(Boolean).join(", ") || "cannot be read";
  const against = (name) => findings.filter(({ line }) => line === name).map(({ cause }) => spaced(cause));
  const lineOf = ([name, text]) => make("div", { class: against(name).length ? "judged-line wrong" : "judged-line" },
    make("span", { class: "place" }, name), make("span", { class: "text" }, text), make("span", { class: "by" }, against(name).join(", ")));
  const rows = findings.map(({ line, cause, found, expected }) => row(rowHead(line), cell(spaced(cause)), cell(found), cell(expected)));
  return make("article", {},
    position(item),
    make("h1", { tabindex: "-1" }, item[L_NAME], " ", auditOf(item)),
    make("p", {}, "Problem ", besideLink("problem", item[L_PROBLEM], item[L_PROBLEM]) ?? item[L_PROBLEM], `, file ${item[L_FILE]}`),
    compared ? null : make("p", {}, "Its label says: ", make("strong", {}, said), explanation ? make("small", {}, explanation) : null),
    reason ? make("p", { class: "muted" }, reason) : null,
    compared ? comparison(compared) : null,
    lines.length ? make("div", { class: "judged-lines" }, lines.map(lineOf)) : null,
    section("What speaks against it", rows.length
      ? make("div", { class: "scroller" }, table("Findings", "answers", ["line", "cause", "found", "expected"], rows))
      : remark("No finding on a line.")));
}

start({
  noun: "label",
  heading: "Labels",
  items: () => run.labels,
  address: (item) => item[L_NAME],
  words: (item) => [item[L_NAME], item[L_PROBLEM], item[L_FOUND]],
  columns: COLUMNS,
  filters,
  cells: labelCells,
  page: labelPage,
  option: "--labels",
});
