// The list of items, its filters, routes and keys, which all pages share.

const STATUSES = ["REFUTED", "UNKNOWN", "CONFIRMED"];
const MARKS = { REFUTED: "✗", UNKNOWN: "?", CONFIRMED: "✓" };
const PAGE = 50;

let run; // the unpacked index
let book; // what the items of the page are, see `start`
let order = []; // the items that pass the filters, sorted
const chunks = new Map();

const byId = (id) => document.getElementById(id);
const count = (number) => number.toLocaleString("en");
const spaced = (name) => name.replaceAll("_", " ");

const cell = (...content) => make("td", {}, content);
const numberCell = (...content) => make("td", { class: "number" }, content);
const rowHead = (...content) => make("th", { scope: "row" }, content);
const row = (...cells) => make("tr", {}, cells);

const section = (title, ...content) => make("section", {}, make("h2", {}, title), content);
const remark = (...content) => make("p", { class: "muted" }, content);

function table(label, kind, heads, rows) {
  const head = heads.map((title) => make("th", { scope: "col" }, title));
  return make("table", { class: kind, "aria-label": label }, make("thead", {}, row(head)), make("tbody", {}, rows));
}

function bar(share, kind) {
  const fill = make("span", { class: `fill ${kind ?? ""}` });
  fill.style.width = `${100 * Math.min(1, share)}%`;
  return make("span", { class: "bar-track", "aria-hidden": "true" }, fill);
}

function status(name, plain = false) {
  return make("span", { class: plain ? "status" : `status ${name.toLowerCase()}` }, `${MARKS[name]} ${name.toLowerCase()}`);
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

function showFacts() {
  const versions = Object.entries(run.versions).map(([name, version]) => `${name} ${version}`);
  const options = Object.entries(run.options).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  byId("run").textContent = visible(run.run);
  byId("facts-title").textContent = visible(`seed ${run.seed}, ${versions.length} versions, ${options.length} options`);
  byId("facts").append(...[versions.join(" · "), ...options].filter(Boolean).map((line) => make("p", {}, line)));
}

// A tooltip on each head that is a term of the glossary
function explainTerms(within) {
  for (const head of within.querySelectorAll("th, dt, h2, h3")) {
    const meaning = run.glossary[head.textContent.trim().toLowerCase()];
    if (!meaning || head.title) continue;
    head.title = meaning;
    (head.querySelector("button") ?? head).classList.add("term");
  }
}

function wrapButton() {
  const wrapped = document.body.classList;
  const onclick = ({ target }) => target.setAttribute("aria-pressed", String(wrapped.toggle("wrapped")));
  return make("button", { type: "button", class: "chip", "aria-pressed": String(wrapped.contains("wrapped")), onclick }, "Wrap code");
}

// A link to another page of the run, if it is written
const besideLink = (noun, address, text) => {
  const page = byId("beside").querySelector(`a[data-noun="${noun}"]`)?.getAttribute("href");
  return page && make("a", { href: page + link(noun, address) }, text);
};

// The list

function select() {
  const text = view.text.trim().toLowerCase();
  const keeps = view.groups.map(([, choices], group) => choices[view.only[group]].keep);
  const found = (item) => book.words(item).some((words) => words.toLowerCase().includes(text));
  order = book.items().filter((item) => keeps.every((keep) => keep(item)) && found(item));
  if (view.sort !== null) {
    const { key } = book.columns[view.sort];
    const { compare } = new Intl.Collator("en", { numeric: true });
    const sign = view.descending ? -1 : 1;
    order.sort((a, b) => {
      const [left, right] = [key(a), key(b)];
      if (typeof left === "string") return sign * compare(left, right);
      // Items without a number come last in both directions.
      return Number.isNaN(left) - Number.isNaN(right) || sign * (left - right) || 0;
    });
  }
  view.page = Math.max(0, Math.min(view.page, Math.ceil(order.length / PAGE) - 1));
}

function list() {
  select();
  const rows = order.slice(view.page * PAGE, (view.page + 1) * PAGE).map((item) => {
    const onclick = () => { location.hash = linkTo(item); };
    return make("tr", { class: "link", onclick }, book.cells(item));
  });
  const total = book.items().length;
  if (!rows.length) {
    const why = total ? `No ${book.noun} passes these filters.` : `This run holds no ${book.noun}.`;
    rows.push(row(make("td", { colspan: book.columns.length, class: "empty" }, why)));
  }
  byId(`${book.noun}s`).replaceChildren(make("thead", {}, row(book.columns.map(sortableHead))),
    make("tbody", {}, rows));
  explainTerms(byId(`${book.noun}s`));
  const pages = Math.max(1, Math.ceil(order.length / PAGE));
  const [some, all] = [count(order.length), count(total)];
  byId("shown").textContent = some === all ? `${all} ${book.noun}s` : `${some} of ${all} ${book.noun}s`;
  if (byId("search").value !== view.text) byId("search").value = view.text;
  byId("page-number").textContent = `page ${count(view.page + 1)} of ${count(pages)}`;
  byId("page-previous").disabled = view.page === 0;
  byId("page-next").disabled = view.page >= pages - 1;
  for (const [group, chips] of [...byId("filters").querySelectorAll(".chips, select")].entries()) {
    if (chips.tagName === "SELECT") {
      chips.value = String(view.only[group]);
      chips.classList.toggle("narrowed", view.only[group] > 0);
    }
    for (const [index, chip] of [...chips.querySelectorAll(".chip")].entries()) {
      chip.setAttribute("aria-pressed", String(index === view.only[group]));
    }
  }
}

const itemLink = (item, text) => make("a", { href: linkTo(item) }, text);
const questionCell = (text) => make("td", { class: "question", title: text }, text);

function sortableHead({ title, number }, index) {
  const direction = view.descending ? "descending" : "ascending";
  const onclick = () => {
    changeView({ sort: index, descending: view.sort === index && !view.descending });
    byId(`${book.noun}s`).querySelectorAll("th button")[index].focus();
  };
  return make("th", { scope: "col", class: number ? "number" : null, "aria-sort": view.sort === index && direction },
    make("button", { type: "button", onclick }, title));
}

const turnPage = (step) => changeView({ page: view.page + step });
const narrow = (group, index) => changeView({ only: view.only.with(group, index) });

// Filters

const every = (title) => ({ title, keep: () => true });

// A choice for each value that the items have, in the order of `among` or of the titles if they are sorted
function choices(all, valueOf, { among, sorted = false } = {}) {
  const values = among ?? [...new Set(book.items().map(valueOf))];
  const listed = values.map((value) => ({ title: spaced(value), keep: (item) => valueOf(item) === value }));
  if (sorted) listed.sort((a, b) => a.title.localeCompare(b.title, "en"));
  return [every(all), ...listed];
}

function tierChoices(tierOf) {
  const tiers = [...new Set(book.items().map(tierOf))].filter((tier) => tier !== null).sort((a, b) => a - b);
  return [every("every tier"), ...tiers.map((tier) => ({ title: `tier ${tier}`, keep: (item) => tierOf(item) === tier }))];
}

// A select for a filter with many choices
function selectGroup([label, choices], group) {
  const options = choices.map(({ title, keep }, index) =>
    make("option", { value: index }, `${title} (${count(book.items().filter(keep).length)})`));
  const select = make("select", { "aria-label": label }, options);
  select.addEventListener("change", () => narrow(group, Number(select.value)));
  return select;
}

function chipGroup([label, choices], group) {
  const chips = choices.map(({ title, keep }, index) => {
    const size = book.items().filter(keep).length;
    const onclick = () => narrow(group, index);
    const content = [title, " ", make("span", { class: "chip-count" }, count(size))];
    return make("button", { type: "button", class: "chip", hidden: index > 0 && size === 0, onclick }, content);
  });
  return make("span", { class: "chips", role: "group", "aria-label": label }, chips);
}

function listenToList() {
  byId("search").after(...view.groups.map((group, place) =>
    (group[2] === "select" ? selectGroup : chipGroup)(group, place)));
  byId("search").addEventListener("input", (event) => changeView({ text: event.target.value }, { typing: true }));
  byId("export").addEventListener("click", exportCsv);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("page-previous").addEventListener("click", () => turnPage(-1));
  byId("page-next").addEventListener("click", () => turnPage(1));
}

// Routes and keys

// The position of an item in the list, with links to its neighbours
function position(item) {
  const place = order.indexOf(item);
  const turn = (step, text) => {
    const other = place < 0 ? undefined : order[place + step];
    if (!other) return make("span", { class: "muted" }, text);
    return make("a", { href: linkTo(other), rel: step < 0 ? "prev" : "next" }, text);
  };
  const where = place < 0 ? "not in the filtered list" : `${count(place + 1)} of ${count(order.length)}`;
  return make("nav", { class: "position", "aria-label": book.heading },
    make("a", { href: linkToList() }, `All ${book.noun}s`),
    make("span", {}, turn(-1, "← Previous"), make("span", { class: "muted" }, where), turn(1, "Next →")));
}

const routedItem = (address) => book.items().find((item) => addressable(book.address(item)) === address)
  ?? book.items().find((item) => addressable(book.words(item)[0]) === address);

// A file may list a part of the run's items.
const absent = (address) => (document.querySelector("main > .legend")
  ? `This file lists no ${book.noun} ${address}. The other files of this report list the others.`
  : `This run holds no ${book.noun} ${address}.`);

function complain(text) {
  byId("notice").textContent = visible(text);
  byId("notice").hidden = !text;
}

async function route() {
  const { address, fields, unknown } = routed();
  if (address !== null && !byId("overview").hidden) view.scroll = scrollY;
  const unknowns = [unknown, ...readFields(fields)].filter((part) => part !== null);
  const { page } = view;
  list();
  if (view.page !== page) unknowns.push(`page=${page + 1}`);
  const item = address === null ? undefined : routedItem(address);
  complain([address === null || item ? null : absent(address),
    unknowns.length ? `The address names what this page does not have: ${unknowns.join(", ")}.` : null].filter(Boolean).join(" "));
  byId("overview").hidden = Boolean(item);
  byId(book.noun).hidden = !item;
  if (!item) {
    document.title = `${visible(run.run)} · oracle-factory`;
    byId(book.noun).replaceChildren();
    scrollTo(0, view.scroll);
    return;
  }
  const content = book.page(item, await details(book.items().indexOf(item)));
  if (routed().address !== address) return; // another item was opened while this one was unpacked
  byId(book.noun).replaceChildren(content);
  explainTerms(content);
  content.dispatchEvent(new Event("shown"));
  document.title = `${visible(address)} · ${visible(run.run)}`;
  scrollTo(0, 0);
  byId(book.noun).querySelector("h1").focus({ preventScroll: true });
}

function press(event) {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== "Escape")) return;
  const { address } = routed();
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (event.key === "Escape") {
    if (typing) event.target.blur();
    else if (address !== null) location.hash = linkToList();
  } else if (event.key === "/" && address === null) {
    byId("search").focus();
  } else if (step && address === null) {
    turnPage(step);
  } else if (step && !event.target.closest("pre, .scroller")) {
    // A scrolling box keeps its own arrow keys.
    const next = order[order.indexOf(routedItem(address)) + step];
    if (next && order.includes(routedItem(address))) location.hash = linkTo(next);
  } else return;
  if (event.key === "/") event.preventDefault();
}

// A book has: noun and heading; items() of the index; address(item), and words(item) to search, the first of which is
// an address too; columns (title, key to sort by, csv if it is exported otherwise), cells(item) of the rows, and filters() of the list: each a label, choices, and "select" for
// many choices; overview(); page(item, details); option, the option of the command that writes the page again. It may have
// a setting of its list: name and text() in an address,
// null for the usual one, and read(text), which tells whether it knows the text.
async function open(of) {
  book = of;
  if (typeof DecompressionStream === "undefined") {
    complain("This browser cannot unpack the report: it needs Chrome 110, Firefox 115, Safari 16.4 or newer.");
    return;
  }
  run = await unpack("index");
  view.groups = book.filters();
  readFields([]);
  showFacts();
  book.overview?.();
  explainTerms(byId("overview"));
  listenToList();
  addEventListener("hashchange", route);
  addEventListener("keydown", press);
  await route();
  // A link to a list shows the list, which is below the figures.
  const shared = !byId("overview").hidden && byId("notice").hidden && routed().fields.length;
  if (shared) byId(`${book.noun}s-title`).scrollIntoView();
}

function start(of) {
  open(of).catch((error) => {
    complain(`The report could not be shown: ${error}. Write it again: oracle-factory report RUN ${of.option}`);
  });
}
