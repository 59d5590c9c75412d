// The page of a run's problem variants.

// Columns of an index row, in the order of reports/html/certified_page.py.
const [, , , , , , , V_CLASS, V_TWIN, V_CHANGE, V_REASONING] = Array(11).keys();
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const labelOf = (item) => run.classes.indexOf(item[V_CLASS]);

const COLUMNS = [
  { title: "Problem", key: idOf },
  { title: "Class", key: labelOf, csv: (item) => item[V_CLASS] },
  { title: "Operator", key: operatorOf },
  { title: "Twin", key: (item) => Number(item[V_TWIN] !== null), csv: (item) => item[V_TWIN] },
  { title: "Edit", key: (item) => item[V_CHANGE] },
  { title: "Reasoning", key: (item) => item[V_REASONING] },
];

function variantCells(item) {
  return [
    cell(itemLink(item, idOf(item))),
    make("td", { class: `class-${labelOf(item)}` }, make("span", { class: "badge class" }, item[V_CLASS])),
    make("td", { class: "operator" }, spaced(operatorOf(item))),
    cell(item[V_TWIN] === null ? null : "twin"),
    make("td", { class: "change", title: item[V_CHANGE] }, item[V_CHANGE]),
    questionCell(item[V_REASONING]),
  ];
}

const filters = () => [
  ["Operator", choices("every operator", operatorOf, { sorted: true }), "select"],
  ["Class", choices("every class", (item) => item[V_CLASS], { among: run.classes })],
  ["Twin", [every("all"), { title: "variants", keep: (item) => item[V_TWIN] === null },
    { title: "near-twins", keep: (item) => item[V_TWIN] !== null }]],
  ...supportFilters(),
];

// The page of a variant

const variantPage = (item, details) => recordPage(item, {
  kind: `variant class-${labelOf(item)}`,
  explanation: [make("strong", {}, `${capital(item[V_CLASS])}. `), item[V_REASONING]],
  links: { trace: "Trace of the solution", flaw: "Flawed solutions", problem: "All formalizations" },
  facts: [
    ["label", make("strong", { class: "class" }, `${labelOf(item)}, ${item[V_CLASS]}`)],
    ["operator", madeBy(item, details.model)],
    ["rests on", details.rests_on],
    item[V_TWIN] === null ? null : ["near-twin of", twin(item[V_TWIN])],
    ["tier", item[R_TIER] ?? "none"],
  ],
  sections: [
    section("Problem and variant", make("div", { class: "texts" },
      textOf("Problem", details.texts[0], "del"), textOf("Variant", details.texts[1], "ins"))),
    details.core.length ? section("Conflicting constraints", clash(details.core)) : null,
    details.quantities.length ? section(details.quantities[0].values.length > 1 ? "Two solutions" : "The solution",
      quantities(details.quantities)) : null,
    details.solution === null ? null : section("Written solution", make("pre", { class: "solution" }, details.solution)),
    section("What is proved", certificate(details)),
  ],
});

// The variant that this one is a near-twin of; the page may not hold it.
function twin(id) {
  const listed = run.items.find((item) => item[R_ID] === id);
  return listed ? itemLink(listed, id) : id;
}

const textOf = (title, pieces, tag) => make("div", {}, make("h3", {}, title), make("p", {}, piecesOf(pieces, tag)));

const clash = (core) => scroller(table("Conflicting constraints", "says", ["constraint", "source", "words"],
  core.map(({ formula, kind, words }) => row(rowHead(make("code", {}, formula)), cell(kind), cell(words)))));

function quantities(rows) {
  const numbers = rows[0].values.map((_, place) => (rows[0].values.length > 1 ? `solution ${place + 1}` : "value"));
  return scroller(table("Solutions", "says solutions", ["quantity", "words", ...numbers],
    rows.map(({ variable: name, words, values, asked }) => make("tr", { class: new Set(values).size > 1 ? "differs" : null },
      rowHead(make("code", {}, name), asked ? make("span", { class: "badge" }, "asked") : null), cell(words),
      values.map((value) => numberCell(value))))));
}

const certificate = (details) => [
  claimOf(details.claim),
  make("details", { class: "certificate" }, make("summary", {}, `SMT-LIB script; a solver answers ${details.certificate.expect}`),
    make("pre", { tabindex: "0" }, details.certificate.smtlib)),
];

startCertified({
  noun: "variant",
  heading: "Variants",
  words: (item) => [idOf(item), item[R_ID], questionOf(item), item[V_CHANGE], item[V_REASONING]],
  columns: COLUMNS,
  filters,
  cells: variantCells,
  page: variantPage,
  option: "--variants",
});
