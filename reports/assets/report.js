"use strict";
// What does the page show? Text of the run enters the document as text nodes and plain attributes only;
// the Content-Security-Policy refuses any string as markup (Trusted Types).

const CLAIMS = ["UT-1", "UT-2", "UT-3"];
const STATUSES = ["REFUTED", "UNKNOWN", "CONFIRMED"];
const MARKS = { REFUTED: "✗", UNKNOWN: "?", CONFIRMED: "✓" };
const PAGE = 50;
const MOST_SURE = 1.3;
// Columns of an index row, in the order of reports/packing.py.
const [ID, TIER, QUESTION, GOLD, RESPONSES, READABLE, ACCEPTED, CLIQUE, CONFIDENCE, ORACLE, OUTCOME, REFUTED, UNKNOWN,
  DOUBT] = Array(14).keys();

let run; // the unpacked index
let order = []; // the rows of run.problems that pass the filters, sorted
const view = { sort: null, descending: false, only: 0, text: "", page: 0, scroll: 0 };
const chunks = new Map();

const byId = (id) => document.getElementById(id);
const count = (number) => number.toLocaleString("en");
const percent = (part, whole) => (whole ? `${((100 * part) / whole).toFixed(1)}%` : "–");
const modelName = (number) => (number < 0 ? "none" : run.models[number]);
// A lone surrogate has no place in an address: encodeURIComponent throws.
const addressable = (id) => id.replace(/\p{Cs}/gu, "\ufffd");
const problemLink = (id) => `#/problem/${encodeURIComponent(addressable(id))}`;

// The same characters as reports/text.py: controls but tab and newline, formats, separators, lone surrogates.
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

function visible(value) {
  return String(value).replace(/\r\n/g, "\n").replace(UNSEEN, (found) => {
    const point = found.codePointAt(0);
    if (point <= 0x1f) return String.fromCodePoint(0x2400 + point);
    return `<U+${point.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name === "onclick") element.addEventListener("click", value);
    else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : visible(value));
    }
  }
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : visible(child));
  }
  return element;
}

const cell = (...content) => make("td", {}, content);
const numberCell = (...content) => make("td", { class: "number" }, content);
const rowHead = (...content) => make("th", { scope: "row" }, content);
const row = (...cells) => make("tr", {}, cells);

function table(label, kind, heads, rows) {
  const head = heads.map((title) => make("th", { scope: "col" }, title));
  return make("table", { class: kind, "aria-label": label }, make("thead", {}, row(head)), make("tbody", {}, rows));
}

function bar(share, kind) {
  const fill = make("span", { class: `fill ${kind ?? ""}` });
  fill.style.width = `${100 * Math.min(1, share)}%`;
  return make("span", { class: "bar-track", "aria-hidden": "true" }, fill);
}

function status(number) {
  const name = STATUSES[number];
  return make("span", { class: `status ${name.toLowerCase()}` }, `${MARKS[name]} ${name.toLowerCase()}`);
}

async function unpack(id) {
  const bytes = Uint8Array.from(atob(byId(id).textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

async function details(number) {
  const chunk = Math.floor(number / run.chunk);
  if (!chunks.has(chunk)) chunks.set(chunk, unpack(`chunk-${chunk}`));
  return (await chunks.get(chunk))[number % run.chunk];
}

// The overview

function showOverview() {
  const versions = Object.entries(run.versions).map(([name, version]) => `${name} ${version}`);
  const options = Object.entries(run.options).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  byId("run").textContent = visible(run.run);
  byId("facts").textContent = visible([`seed ${run.seed}`, ...versions].join(" · "));
  byId("facts").title = visible(options.join("\n"));
  byId("funnel").append(...run.funnel.map(funnelStep));
  byId("ladder").append(run.ladder.length ? ladder() : "No pair was compared.");
  byId("agreement").append(run.agreement.length ? agreement() : "No model answered.");
}

function funnelStep([title, size, of, depth]) {
  return make("div", { class: depth ? "step inner" : "step" },
    make("span", {}, title),
    make("span", { class: "number" }, count(size)),
    make("span", { class: "number muted" }, size === of ? "" : percent(size, of)),
    bar(of ? size / of : 0, /refuted|unknown/.exec(title)?.[0]));
}

function ladder() {
  const methods = new Map(run.ladder.map(([method]) => [method, { CONFIRMED: 0, UNKNOWN: 0, REFUTED: 0 }]));
  for (const [method, name, size] of run.ladder) methods.get(method)[name] = size;
  const total = (sizes) => sizes.CONFIRMED + sizes.UNKNOWN + sizes.REFUTED;
  const rows = [...methods].sort((a, b) => total(b[1]) - total(a[1])).map(([method, sizes]) =>
    row(rowHead(method), Object.values(sizes).map((size) => numberCell(size ? count(size) : "·"))));
  return table("UT-3 verdicts by method", "figures", ["method", "confirmed", "unknown", "refuted"], rows);
}

function agreement() {
  const rows = run.agreement.map(([number, model, responses, readable, accepted, confirmed, decided]) =>
    row(numberCell(number), rowHead(model), numberCell(percent(confirmed, decided)), numberCell(count(decided)),
      numberCell(percent(accepted, responses)), numberCell(percent(readable, responses))));
  const heads = ["#", "model", "agreement", "decided pairs", "UT-1", "readable"];
  return table("Agreement and UT-1 pass rate of each model", "figures", heads, rows);
}

// The list of problems

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
  { title: "all", keep: () => true },
  { title: "no oracle", keep: (item) => item[OUTCOME] === 0 },
  { title: "alone", keep: (item) => item[OUTCOME] === 1 },
  { title: "contested", keep: (item) => item[OUTCOME] === 2 },
  { title: "unanimous", keep: (item) => item[OUTCOME] === 3 },
  { title: "refuted pairs", keep: (item) => item[REFUTED] > 0 },
  { title: "unknown pairs", keep: (item) => item[UNKNOWN] > 0 },
];

function selectProblems() {
  const text = view.text.trim().toLowerCase();
  const matches = (item) => item[ID].toLowerCase().includes(text) || item[QUESTION].toLowerCase().includes(text);
  order = run.problems.filter((item) => ONLY[view.only].keep(item) && matches(item));
  if (view.sort !== null) {
    const { key } = COLUMNS[view.sort];
    const { compare } = new Intl.Collator("en", { numeric: true });
    const sign = view.descending ? -1 : 1;
    order.sort((a, b) => {
      const [left, right] = [key(a), key(b)];
      if (typeof left === "string") return sign * compare(left, right);
      // What has no number is last in either direction.
      return Number.isNaN(left) - Number.isNaN(right) || sign * (left - right) || 0;
    });
  }
  view.page = Math.max(0, Math.min(view.page, Math.ceil(order.length / PAGE) - 1));
}

function listProblems() {
  selectProblems();
  const rows = order.slice(view.page * PAGE, (view.page + 1) * PAGE).map(problemRow);
  if (!rows.length) {
    const why = run.problems.length ? "No problem passes these filters." : "This run holds no problem.";
    rows.push(row(make("td", { colspan: COLUMNS.length, class: "empty" }, why)));
  }
  byId("problems").replaceChildren(make("thead", {}, row(COLUMNS.map(sortableHead))), make("tbody", {}, rows));
  const pages = Math.max(1, Math.ceil(order.length / PAGE));
  const [some, all] = [count(order.length), count(run.problems.length)];
  byId("shown").textContent = some === all ? `${all} problems` : `${some} of ${all} problems`;
  byId("page-number").textContent = `page ${count(view.page + 1)} of ${count(pages)}`;
  byId("page-previous").disabled = view.page === 0;
  byId("page-next").disabled = view.page >= pages - 1;
  for (const [index, chip] of [...byId("only").children].entries()) {
    chip.setAttribute("aria-pressed", String(index === view.only));
  }
}

function problemRow(item) {
  const link = problemLink(item[ID]);
  return make("tr", { class: "link", onclick: () => { location.hash = link; } },
    cell(make("a", { href: link }, item[ID])),
    make("td", { class: "question", title: item[QUESTION] }, item[QUESTION]),
    numberCell(item[TIER] ?? "–"),
    numberCell(item[GOLD] ?? "–"),
    numberCell(`${item[READABLE]}/${item[RESPONSES]}`),
    numberCell(item[ACCEPTED]),
    numberCell(item[CLIQUE]),
    make("td", { class: "number confidence" }, item[CONFIDENCE].toFixed(2), bar(item[CONFIDENCE] / MOST_SURE)),
    make("td", { title: item[DOUBT] }, outcome(item)),
    numberCell(item[REFUTED] || "·"),
    numberCell(item[UNKNOWN] || "·"));
}

const outcome = (item) => make("span", { class: `outcome outcome-${item[OUTCOME]}` }, run.outcomes[item[OUTCOME]]);

function sortableHead({ title, number }, index) {
  const direction = view.descending ? "descending" : "ascending";
  const onclick = () => {
    view.descending = view.sort === index && !view.descending;
    Object.assign(view, { sort: index, page: 0 });
    listProblems();
    byId("problems").querySelectorAll("th button")[index].focus();
  };
  return make("th", { scope: "col", class: number ? "number" : null, "aria-sort": view.sort === index && direction },
    make("button", { type: "button", onclick }, title));
}

function turnPage(step) {
  view.page += step;
  listProblems();
}

function listenToList() {
  byId("only").append(...ONLY.map(({ title, keep }, index) => {
    const size = run.problems.filter(keep).length;
    const onclick = () => {
      Object.assign(view, { only: index, page: 0 });
      listProblems();
    };
    const content = [title, " ", make("span", { class: "chip-count" }, count(size))];
    return make("button", { type: "button", class: "chip", hidden: index > 0 && size === 0, onclick }, content);
  }));
  byId("search").addEventListener("input", (event) => {
    Object.assign(view, { text: event.target.value, page: 0 });
    listProblems();
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("page-previous").addEventListener("click", () => turnPage(-1));
  byId("page-next").addEventListener("click", () => turnPage(1));
}

// Routes and keys

const routedId = () => {
  const found = /^#\/problem\/(.+)$/.exec(location.hash);
  try {
    return found && decodeURIComponent(found[1]);
  } catch {
    return found[1]; // a stray % that someone typed
  }
};

function complain(text) {
  byId("notice").textContent = visible(text);
  byId("notice").hidden = !text;
}

async function route() {
  const id = routedId();
  if (id !== null && !byId("overview").hidden) view.scroll = scrollY;
  complain("");
  const number = id === null ? -1 : run.problems.findIndex((item) => addressable(item[ID]) === id);
  byId("overview").hidden = number >= 0;
  byId("problem").hidden = number < 0;
  if (number < 0) {
    if (id !== null) complain(`This run holds no problem ${id}.`);
    document.title = `${visible(run.run)} · oracle-factory`;
    byId("problem").replaceChildren();
    listProblems();
    scrollTo(0, view.scroll);
    return;
  }
  const content = problemPage(run.problems[number], await details(number));
  if (routedId() !== id) return; // another problem was opened while this one was unpacked
  byId("problem").replaceChildren(content);
  document.title = `${visible(id)} · ${visible(run.run)}`;
  scrollTo(0, 0);
  byId("problem").querySelector("h1").focus({ preventScroll: true });
}

const neighbour = (id, step) => order[order.findIndex((item) => addressable(item[ID]) === id) + step];

function press(event) {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== "Escape")) return;
  const id = routedId();
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (event.key === "Escape") {
    if (typing) event.target.blur();
    else if (id !== null) location.hash = "#/";
  } else if (event.key === "/" && id === null) {
    byId("search").focus();
  } else if (step && id === null) {
    turnPage(step);
  } else if (step && !event.target.closest("pre, .scroller")) {
    // A scrolling box keeps its own arrow keys.
    const next = neighbour(id, step);
    if (next) location.hash = problemLink(next[ID]);
  } else return;
  if (event.key === "/") event.preventDefault();
}

async function start() {
  if (typeof DecompressionStream === "undefined") {
    complain("This browser cannot unpack the report: it needs Chrome 110, Firefox 115, Safari 16.4 or newer.");
    return;
  }
  run = await unpack("index");
  showOverview();
  listenToList();
  selectProblems();
  addEventListener("hashchange", route);
  addEventListener("keydown", press);
  await route();
}

start().catch((error) => {
  complain(`The report could not be shown: ${error}. Write it again: python -m reports RUN --html`);
});
