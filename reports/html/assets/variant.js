// What does the page of one edited problem show?

// Columns of the details, in the order of reports/html/variants_page.py.
const [D_BEFORE, D_AFTER, D_MODEL, D_CORE, D_QUANTITIES, D_SMTLIB, D_EXPECT, D_SOLUTION] = Array(8).keys();
const CLAIMS = {
  contradictory: "no values meet what the problem says",
  solvable: "there is a solution, and no other gives another answer",
  underspecified: "two solutions meet all that the problem says, and their answers differ",
};

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function variantPage(item, details) {
  const [id] = run.problems[item[V_PROBLEM]];
  return make("article", { class: `variant class-${item[V_CLASS]}` },
    position(item),
    make("h1", { tabindex: "-1" }, item[V_ID]),
    make("div", { class: "statement" },
      make("div", {}, make("p", { class: "explanation" }, make("strong", {}, `${capital(classOf(item))}. `), item[V_REASONING]),
        make("p", { class: "leads" }, besideLink("trace", id, "Trace of the solution"),
          besideLink("flaw", id, "Flawed solutions"), besideLink("problem", id, "All formalizations"))),
      labelOf(item, details)),
    section("Problem and variant", make("div", { class: "texts" },
      textOf("Problem", details[D_BEFORE], "del"), textOf("Variant", details[D_AFTER], "ins"))),
    details[D_CORE].length ? section("What clashes", clash(details[D_CORE])) : null,
    details[D_QUANTITIES].length ? section(details[D_QUANTITIES][0][2].length > 1 ? "Two solutions" : "The solution",
      quantities(details[D_QUANTITIES])) : null,
    details[D_SOLUTION] === null ? null : section("Written solution", make("pre", { class: "solution" }, details[D_SOLUTION])),
    section("What is proved", certificate(item, details)));
}

function labelOf(item, details) {
  const rows = [
    ["label", make("strong", { class: "class" }, `${item[V_CLASS]}, ${classOf(item)}`)],
    ["operator", [spaced(run.operators[item[V_OPERATOR]]), make("small", {}, `from the template of ${details[D_MODEL]}`)]],
    ["near-twin of", twin(item[V_TWIN])],
    ["tier", item[V_TIER] ?? "none"],
  ];
  return make("dl", { class: "judgement" }, rows.map(([title, content]) => content === null ? null
    : [make("dt", {}, title), make("dd", {}, content)]));
}

// The variant that one is a near-twin of, which the page may not hold
function twin(id) {
  if (id === null) return null;
  const listed = run.variants.find((item) => item[V_ID] === id);
  return listed ? itemLink(listed, id) : id;
}

const textOf = (title, pieces, tag) => make("div", {}, make("h3", {}, title),
  make("p", {}, pieces.map(([text, changed]) => (changed ? make(tag, {}, text) : text))));

const clash = (core) => make("div", { class: "scroller" }, table("What clashes", "says", ["what is said", "by", "words"],
  core.map(([formula, kind, words]) => row(rowHead(make("code", {}, formula)), cell(kind), cell(words)))));

function quantities(rows) {
  const numbers = rows[0][2].map((_, place) => (rows[0][2].length > 1 ? `solution ${place + 1}` : "value"));
  return make("div", { class: "scroller" }, table("Solutions", "says solutions", ["quantity", "words", ...numbers],
    rows.map(([name, words, values, asked]) => make("tr", { class: new Set(values).size > 1 ? "differs" : null },
      rowHead(make("code", {}, name), asked ? make("span", { class: "badge" }, "asked") : null), cell(words),
      values.map((value) => numberCell(value))))));
}

const certificate = (item, details) => [
  make("p", { class: "claim-of-flaw" }, `✓ ${CLAIMS[classOf(item)] ?? details[D_EXPECT]}`),
  make("details", { class: "certificate" }, make("summary", {}, `SMT-LIB script; a solver answers ${details[D_EXPECT]}`),
    make("pre", { tabindex: "0" }, details[D_SMTLIB])),
];
