// Lists and pages of records that are shown beside their originals: flawed solutions and variants.

// The columns that every row of the index begins with, in the order of reports/html/certified_page.py.
const [R_ID, R_PROBLEM, R_OPERATOR, R_TIER, R_CLIQUE, R_CONFIDENCE, R_RIGHT] = Array(7).keys();

const idOf = (item) => item[R_PROBLEM];
const questionOf = (item) => run.problems[item[R_PROBLEM]];
const operatorOf = (item) => item[R_OPERATOR];

// By the oracle that a record rests on: how many formalizations agree with it, how sure that is, and how probably it is right.
const supportFilters = () => [
  ["Clique", [every("any clique"),
    ...[2, 3, 4, 5].map((least) => ({ title: `${least} and more agree`, keep: (item) => item[R_CLIQUE] >= least })),
    { title: "alone", keep: (item) => item[R_CLIQUE] === 1 },
    { title: "no formalization stage", keep: (item) => item[R_CLIQUE] === 0 },
    { title: "not recorded", keep: (item) => item[R_CLIQUE] === null }], "select"],
  ["Confidence", [every("any confidence"),
    ...[0.25, 0.5, 0.75, 1, 1.25].map((least) => (
      { title: `${least.toFixed(2)} and more`, keep: (item) => item[R_CONFIDENCE] !== null && item[R_CONFIDENCE] >= least })),
    { title: "none", keep: (item) => item[R_CONFIDENCE] === null }], "select"],
  ["Probability", [every("any probability"),
    ...[0.5, 0.8, 0.9, 0.95, 0.99].map((least) => (
      { title: `${least.toFixed(2)} and more`, keep: (item) => item[R_RIGHT] !== null && item[R_RIGHT] >= least })),
    { title: "none", keep: (item) => item[R_RIGHT] === null }], "select"],
];

// The page of a record

function recordPage(item, { kind, question, explanation, links, facts, sections }) {
  const leads = Object.entries(links).map(([noun, text]) => besideLink(noun, idOf(item), text));
  return make("article", { class: kind },
    position(item),
    make("h1", { tabindex: "-1" }, item[R_ID]),
    make("div", { class: "statement" },
      make("div", {}, question && make("p", { class: "lead" }, question),
        make("p", { class: "explanation" }, explanation), make("p", { class: "leads" }, leads)),
      make("dl", { class: "judgement" }, facts.filter(Boolean).map(([title, content]) =>
        [make("dt", {}, title), make("dd", {}, content)]))),
    sections);
}

const scroller = (...content) => make("div", { class: "scroller" }, content);
const piecesOf = (pieces, tag) => pieces.map(({ text, changed }) => (changed ? make(tag, {}, text) : text));
const madeBy = (item, model) => [spaced(operatorOf(item)), make("small", {}, `from the template of ${model}`)];
const claimOf = (text) => make("p", { class: "claim-of-record" }, `✓ ${text}`);

const startCertified = (page) => start({
  items: () => run.items,
  address: (item) => item[R_ID],
  ...page,
});
