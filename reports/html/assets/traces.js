// The page of a run's traces, and each trace with its lines and its dependency graph.

// Columns of an index row, in the order of reports/html/traces_page.py.
const [T_PROBLEM, T_MODEL, T_TIER, T_ANSWER, T_LINES, T_VARIABLES, T_MISMATCHES, T_DEAD, T_STATUSES] = Array(9).keys();

const idOf = (item) => run.problems[item[T_PROBLEM]][0];
const questionOf = (item) => run.problems[item[T_PROBLEM]][1];
const refuted = (item) => item[T_STATUSES].filter((standing) => standing === 0).length;

const COLUMNS = [
  { title: "Problem", key: idOf },
  { title: "Model", key: (item) => item[T_MODEL] },
  { title: "Question", key: questionOf },
  { title: "Tier", key: (item) => item[T_TIER] ?? -1, csv: (item) => item[T_TIER], number: true },
  { title: "Answer", key: (item) => fractionOf(item[T_ANSWER]), csv: (item) => item[T_ANSWER], number: true },
  { title: "Lines", key: (item) => item[T_LINES], number: true },
  { title: "Variables", key: (item) => item[T_VARIABLES], number: true },
  { title: "Differ", key: (item) => item[T_MISMATCHES], number: true },
  { title: "Dead", key: (item) => item[T_DEAD], number: true },
  { title: "Claims", key: refuted, csv: (item) => item[T_STATUSES].map(standingText).join("; ") },
];

function fractionOf(text) {
  const [above, below] = (text ?? "").split("/");
  return text === null ? NaN : Number(above) / Number(below ?? 1);
}

function traceCells(item) {
  return [
    cell(itemLink(item, idOf(item))),
    make("td", { class: "model", title: item[T_MODEL] }, item[T_MODEL]),
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

const standingText = (standing, place) => `${run.claims[place]}: ${STATUSES[standing]?.toLowerCase() ?? "not judged"}`;

function standingMark(standing, place) {
  const name = STATUSES[standing];
  const said = standingText(standing, place);
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

// The page of one trace

const MOST_FINDINGS = 20;

function tracePage(item, details) {
  const [id, question, gold] = run.problems[item[T_PROBLEM]];
  const trace = traceOf(`${id} by ${item[T_MODEL]}`, details);
  const root = make("div", { class: "trace" },
    position(item),
    make("h1", { tabindex: "-1" }, id, " ", make("span", { class: "muted" }, item[T_MODEL])),
    make("p", { class: "facts-of-trace" },
      fact("answer", item[T_ANSWER] ?? "none"), fact("gold", gold ?? "none"),
      item[T_TIER] === null ? null : fact("tier", item[T_TIER]),
      others(item), besideLink("problem", id, "All formalizations")),
    make("div", { class: trace ? "worked" : null },
      make("div", {},
        claimList(details.verdicts, details.mismatches ?? []),
        make("p", { class: "lead" }, question),
        trace ? [section("Solution", solutionLines(trace)), section("Lines", lineTable(trace))] : untraced(details)),
      trace ? graphPanel(trace) : null));
  if (trace) listenToValues(root, trace);
  return root;
}

const fact = (title, value) => make("span", {}, make("span", { class: "muted" }, `${title} `), make("strong", {}, value));

function traceOf(name, details) {
  if (!details.entries) return null;
  const numbers = new Map(details.entries.map(({ variable }, number) => [variable, number]));
  return { ...graphOf(name, details, run.roles), numbers, lines: details.lines, mismatches: details.mismatches, steps: details.steps };
}

function others(item) {
  const same = run.traces.filter((other) => other[T_PROBLEM] === item[T_PROBLEM] && other !== item);
  if (!same.length) return null;
  return make("span", {}, make("span", { class: "muted" }, "also by "),
    same.map((other, place) => [place ? ", " : "", itemLink(other, other[T_MODEL])]));
}

function untraced(details) {
  return [remark("No trace was made of this template."),
    section("Solution", make("p", { class: "solution" }, details.solution ?? "none"))];
}

// The claims with their findings

function claimList(verdicts, mismatches) {
  const shown = (line, cause) => mismatches.some((one) => one.line === line && one.cause === cause);
  return make("ul", { class: "claims" }, run.claims.map((claim) => {
    const { status: standing, method, reason, findings = [] } = verdicts[claim] ?? { status: null };
    const name = standing?.toLowerCase() ?? "not judged";
    const rest = findings.filter(({ line, cause }) => !shown(line, cause));
    const elsewhere = findings.length - rest.length;
    return make("li", { class: `claim ${standing === null ? "" : name}`, title: method && `method ${method}` },
      make("span", { class: "claim-name" }, `${MARKS[name.toUpperCase()] ?? "·"} ${claim}`),
      make("span", { class: "claim-status" }, name),
      reason && !findings.length ? make("span", { class: "reason" }, reason) : null,
      rest.length ? make("ul", { class: "findings" }, rest.slice(0, MOST_FINDINGS).map(findingItem)) : null,
      rest.length > MOST_FINDINGS ? make("span", { class: "reason" }, `and ${count(rest.length - MOST_FINDINGS)} more`) : null,
      elsewhere ? make("span", { class: "reason" }, `${elsewhere} ${elsewhere > 1 ? "lines differ" : "line differs"}, see the solution`) : null);
  }));
}

function findingItem({ line, cause, found, expected }) {
  return make("li", {}, line ? make("strong", {}, `${line} `) : null, cause,
    ": found ", make("q", {}, found), ", expected ", make("q", {}, expected));
}

// The solution and its graph, side by side

const graphPanel = (trace) => make("section", { class: "graph-panel" }, make("h2", {}, "Dependency graph"),
  make("div", { class: "reading" }), picture(trace));

function value(trace, number, text) {
  const kind = `${trace.roles[number].name}${trace.isDead(number) ? " dead" : ""}`;
  const entry = trace.entries[number];
  const title = `${entry.variable} = ${entry.value}`;
  const button = make("button", { type: "button", class: `mark ${kind}`, "data-variable": number, title }, text);
  trace.places.push([number, button]);
  return button;
}

function solutionLines(trace) {
  const unfit = new Map();
  for (const mismatch of trace.mismatches) unfit.set(mismatch.line, [...(unfit.get(mismatch.line) ?? []), mismatch]);
  const rows = trace.lines.map(({ line: label, parts, literals }) => {
    const complaints = unfit.get(label) ?? [];
    unfit.delete(label);
    return lineItem(label, [lineText(trace, parts), unexplained(literals)], complaints);
  });
  const rest = [...unfit].map(([label, complaints]) => lineItem(label, [], complaints));
  return make("ol", { class: "lines" }, rows, rest);
}

function lineItem(label, content, mismatches) {
  return make("li", {}, make("span", { class: "place" }, label),
    make("div", {}, content, mismatches.map(mismatchBlock)));
}

// Words and values; an annotation <<48/2=24>> in a span of its own
function lineText(trace, parts) {
  const text = make("span", { class: "text" });
  let into = text;
  const word = (piece) => {
    if (piece === "<<" && into === text) {
      into = make("span", { class: "annotation" });
      text.append(into);
    }
    if (piece) into.append(visible(piece));
    if (piece === ">>") into = text;
  };
  for (const part of parts) {
    if (typeof part === "string") part.split(/(<<|>>)/).forEach(word);
    else if (trace.numbers.has(part.variable)) into.append(value(trace, trace.numbers.get(part.variable), part.text ?? ""));
    else word(part.text);
  }
  return text;
}

function unexplained(literals) {
  if (!literals.length) return null;
  const texts = literals.map(({ text, candidates }, place) => [place ? ", " : "", make("q", {}, text),
    candidates.length ? ` (${candidates.join(" or ")})` : ""]);
  return make("small", {}, "without a certain variable: ", texts);
}

function mismatchBlock({ cause, given, expected }) {
  const [left, right] = differing(given, expected);
  return make("dl", { class: "mismatch" },
    make("dt", {}, "differs in"), make("dd", { class: "cause" }, cause),
    make("dt", {}, "template"), make("dd", {}, left),
    make("dt", {}, "solution"), make("dd", {}, right));
}

// Both texts with marks on the words outside a longest common sequence
const WORDS = /\d+|\p{L}+|\s+|[^]/gu;
const MOST_COMPARED = 40_000;

function differing(given, expected) {
  const [a, b] = [given, expected].map((text) => visible(text).match(WORDS) ?? []);
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [left, right] = [a, b].map((words) => words.slice(start, words.length - end));
  const kept = left.length * right.length > MOST_COMPARED ? [[], []] : common(left, right);
  return [[a, left, kept[0]], [b, right, kept[1]]].map(([words, middle, same]) => [
    words.slice(0, start).join(""),
    middle.map((word, at) => (same[at] ? word : make("mark", {}, word))),
    words.slice(words.length - end).join("")]);
}

// The words of each side that belong to a longest common sequence
function common(left, right) {
  const longest = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      longest[i][j] = left[i] === right[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  const kept = [[], []];
  for (let [i, j] = [0, 0]; i < left.length && j < right.length;) {
    if (left[i] === right[j]) {
      [kept[0][i], kept[1][j]] = [true, true];
      [i, j] = [i + 1, j + 1];
    } else if (longest[i + 1][j] >= longest[i][j + 1]) i += 1;
    else j += 1;
  }
  return kept;
}

// The table of lines

const NAMES = /([\p{L}_][\p{L}\p{N}_]*)/u;

function lineTable(trace) {
  const rows = trace.steps.map(({ line, inputs, output }) => {
    const given = inputs.map((number) => make("div", { class: "given" },
      value(trace, number, trace.entries[number].variable), " = ", trace.entries[number].value,
      make("small", {}, origin(trace, number))));
    return row(rowHead(line ?? "–"), cell(given.length ? given : make("span", { class: "muted" }, "–")),
      cell(output === null ? null : formula(trace, output)),
      numberCell(output === null ? null : exact(trace.entries[output].value)));
  });
  return make("div", { class: "scroller" },
    table("Inputs and value of each line", "steps", ["line", "inputs", "expression", "value"], rows));
}

function origin(trace, number) {
  const comment = trace.entries[number].comment;
  return [make("span", { class: `from ${trace.roles[number].name}` }, trace.roles[number].title),
    comment ? `: ${comment}` : "", trace.isDead(number) ? make("span", { class: "badge unreadable" }, "dead") : null];
}

function formula(trace, number) {
  const entry = trace.entries[number];
  const read = new Map(entry.reads.map((source) => [trace.entries[source].variable, source]));
  const pieces = entry.code.split(NAMES);
  const named = pieces.map((piece) => (read.has(piece) ? value(trace, read.get(piece), piece) : piece));
  const valued = pieces.map((piece) => (read.has(piece) ? trace.entries[read.get(piece)].value : piece)).join("");
  return [
    make("div", { class: "formula" }, value(trace, number, entry.variable), " = ", named),
    make("small", {}, read.size && entry.reads.length < pieces.length && valued !== entry.value ? valued : null,
      trace.isDead(number) ? make("span", { class: "badge unreadable" }, "dead") : null),
  ];
}

function exact(text) {
  const found = /^(-?\d+)\/(\d+)$/.exec(text);
  const near = found ? Number(found[1]) / Number(found[2]) : NaN;
  return [text, Number.isFinite(near) ? make("small", {}, `≈ ${near.toPrecision(6)}`) : null];
}

// Pointing at a value

function reach(entries, number, step) {
  const reached = new Set();
  const open = [number];
  while (open.length) {
    for (const next of step(open.pop())) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  reached.delete(number);
  return reached;
}

function listenToValues(root, trace) {
  const { entries } = trace;
  const readers = entries.map(() => []);
  entries.forEach((entry, number) => entry.reads.forEach((source) => readers[source].push(number)));
  const reading = root.querySelector(".reading");
  let [pinned, shown] = [null, undefined];
  const show = (number) => {
    if (number === shown) return;
    shown = number;
    const up = number === null ? new Set() : reach(entries, number, (at) => entries[at].reads);
    const down = number === null ? new Set() : reach(entries, number, (at) => readers[at]);
    root.classList.toggle("pointed", number !== null);
    for (const [variable, element] of trace.places) {
      element.classList.toggle("on", variable === number);
      element.classList.toggle("up", up.has(variable));
      element.classList.toggle("down", down.has(variable));
    }
    for (const [source, target, edge] of trace.edges) {
      edge.classList.toggle("up", up.has(source) && (up.has(target) || target === number));
      edge.classList.toggle("down", down.has(target) && (down.has(source) || source === number));
      // Marked edges are drawn last: edges of one source share a track.
      if (edge.classList.contains("up") || edge.classList.contains("down")) edge.parentNode.append(edge);
    }
    reading.replaceChildren(...readingOf(trace, number, up, down));
  };
  const variableAt = (event) => {
    const place = event.target.closest?.("[data-variable]");
    return place ? Number(place.dataset.variable) : null;
  };
  const point = (event) => {
    show(variableAt(event) ?? pinned);
    if (shown !== null && !event.target.closest(".graph")) bringIntoView(root, shown);
  };
  const leave = () => show(pinned);
  for (const kind of ["mouseover", "focusin"]) root.addEventListener(kind, point);
  for (const kind of ["mouseleave", "focusout"]) root.addEventListener(kind, leave);
  root.addEventListener("click", (event) => {
    const number = variableAt(event);
    pinned = number === pinned ? null : number;
    show(number);
  });
  root.addEventListener("shown", () => fitLabels(root));
  show(null);
}

// The picture scrolls in its panel; the page does not, so the text under the pointer stays.
function bringIntoView(root, number) {
  const box = root.querySelector(".picture");
  const node = box?.querySelector(`[data-variable="${number}"]`)?.getBoundingClientRect();
  if (!node) return;
  const { top, bottom } = box.getBoundingClientRect();
  const below = node.bottom + 20 - Math.min(bottom, innerHeight);
  const above = Math.max(top, 0) + 20 - node.top;
  if (below > 0) box.scrollTop += below;
  else if (above > 0) box.scrollTop -= above;
}

function readingOf({ entries, roles, isDead }, number, up, down) {
  if (number === null) return [remark("Point at a value to see its sources and the values that use it; click to keep the selection.")];
  const { variable, value: text, code, comment } = entries[number];
  const said = [roles[number].title, isDead(number) ? "dead: the answer does not depend on it" : null,
    code || comment].filter(Boolean);
  return [
    make("p", {}, make("code", {}, variable), " = ", make("strong", {}, text)),
    remark(make("span", { class: "up" }, `comes from ${count(up.size)}`), " · ",
      make("span", { class: "down" }, `leads to ${count(down.size)}`), " · ", said.join(" · ")),
  ];
}

start({
  noun: "trace",
  heading: "Traces",
  items: () => run.traces,
  address: (item) => `${idOf(item)}~${item[T_MODEL]}`,
  words: (item) => [idOf(item), item[T_MODEL], questionOf(item)],
  columns: COLUMNS,
  filters,
  cells: traceCells,
  page: tracePage,
  option: "--traces",
});
