// Drawing of a dependency graph, on the page of traces; reports/html/traces_page.py gives its data.

const NODE_HEIGHT = 42;
const LONGEST_LABEL = 64;

// A graph of entries; `titles` are those of the roles by their names.
function graphOf(name, { entries, dead, picture }, titles) {
  return {
    name, entries, titles, drawing: picture, isDead: (number) => dead.includes(entries[number].variable),
    roles: entries.map(({ role }) => ({ name: role.replaceAll("_", "-"), title: titles[role] })),
    // The elements of variables and edges, to be marked when the reader points at one
    places: [], edges: [],
  };
}

function picture(trace) {
  const { entries, roles, titles, name, drawing } = trace;
  if (!drawing) return make("p", { class: "muted" }, "This graph is too large for a picture.");
  const { width, height, boxes, edges, bands } = drawing;
  const title = draw("title", { id: "graph-title" }, `Dependency graph of ${name}`);
  const description = draw("desc", { id: "graph-text" }, graphText(trace));
  const svg = draw("svg", {
    class: "graph", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": "graph-title",
    "aria-describedby": "graph-text",
  }, title, description,
  bands.map(([line, y, size], place) => bandOf(line, y, size, { width, odd: place % 2 === 1 })),
  draw("g", { class: "edges" }, edges.map(([source, target, bow]) => edgeOf(trace, [source, target], [boxes[source], boxes[target]], bow))),
  entries.map((entry, number) => nodeOf(trace, number, boxes[number])));
  // Text of 12 px: no smaller than 9 on a phone, where the box scrolls, and no larger than 14 on a desk.
  Object.assign(svg.style, { minWidth: `${0.75 * width}px`, maxWidth: `${1.2 * width}px` });
  const used = Object.keys(titles).map((role) => roles.find(({ title }) => title === titles[role])).filter(Boolean);
  const legend = used.map(({ name, title }) => make("span", { class: "key" }, keyShape({ name }, ""), title));
  if (entries.some((_, number) => trace.isDead(number))) {
    legend.push(make("span", { class: "key" }, keyShape({ name: "output" }, "dead"), "dead: the answer does not depend on it"));
  }
  return [make("div", { class: "picture scroller", tabindex: "0" }, svg), make("p", { class: "legend keys" }, legend)];
}

function graphText({ entries, roles }) {
  const described = entries.map((entry, number) => {
    const reads = entry.reads.map((source) => entries[source].variable);
    const from = reads.length ? ` from ${reads.join(", ")}` : "";
    return `${entry.variable} = ${entry.value}, ${roles[number].title}${from}`;
  });
  return described.join("; ");
}

function bandOf(line, y, height, { width, odd }) {
  return draw("g", { class: odd ? "band odd" : "band" },
    draw("rect", { x: 0, y, width, height }),
    draw("text", { x: 16, y: y + height / 2 + 4 }, line ?? ""));
}

// A curve through the channel between inputs and outputs, one that bows out to the right, or a line straight down; with an arrow at its end
function edgeOf(trace, [source, target], [[x, y, width], [toX, toY, toWidth]], bow) {
  const [from, to] = [y + NODE_HEIGHT / 2, toY + NODE_HEIGHT / 2];
  const middle = x + width / 2;
  const half = (toX - x - width) / 2;
  const [path, end, [dx, dy]] = bow
    ? [`M${x + width} ${from}C${x + width + bow} ${from} ${toX + toWidth + bow} ${to} ${toX + toWidth} ${to}`, [toX + toWidth, to], [-1, 0]]
    : x === toX
      ? [`M${middle} ${y + NODE_HEIGHT}L${middle} ${toY}`, [middle, toY], [0, 1]]
      : [`M${x + width} ${from}C${x + width + half} ${from} ${toX - half} ${to} ${toX} ${to}`, [toX, to], [1, 0]];
  const [endX, endY] = end;
  const arrow = `M${endX - 7 * dx - 4 * dy} ${endY - 7 * dy - 4 * dx}L${endX} ${endY}L${endX - 7 * dx + 4 * dy} ${endY - 7 * dy + 4 * dx}Z`;
  const edge = draw("g", { class: "edge" }, draw("path", { d: path }), draw("path", { class: "arrow", d: arrow }));
  trace.edges.push([source, target, edge]);
  return edge;
}

const SHAPES = {
  "question-input": (x, y, width, height) => roundedBox(x, y, width, height, height / 2),
  "world-knowledge-input": (x, y, width, height) => {
    const cut = height / 3;
    const points = [[x + cut, y], [x + width - cut, y], [x + width, y + height / 2], [x + width - cut, y + height],
      [x + cut, y + height], [x, y + height / 2]];
    return draw("path", { class: "shape", d: `M${points.map((point) => point.join(" ")).join("L")}Z` });
  },
};

function roundedBox(x, y, width, height, radius) {
  return draw("rect", { class: "shape", x, y, width, height, rx: radius });
}

const shapeOf = (role, ...box) => (SHAPES[role.name] ?? ((...all) => roundedBox(...all, 5)))(...box);

function nodeOf(trace, number, [x, y, width]) {
  const { variable, value } = trace.entries[number];
  const role = trace.roles[number];
  const node = draw("g", { class: `node ${role.name}${trace.isDead(number) ? " dead" : ""}`, "data-variable": number },
    draw("title", {}, `${variable} = ${value}`),
    shapeOf(role, x, y, width, NODE_HEIGHT),
    draw("text", { class: "name", x: x + width / 2, y: y + 17 }, short(variable)),
    draw("text", { class: "exact", x: x + width / 2, y: y + 34 }, short(value)));
  trace.places.push([number, node]);
  return node;
}

function keyShape(role, more) {
  return draw("svg", { class: "key-shape", viewBox: "0 0 26 16", "aria-hidden": "true" },
    draw("g", { class: `node ${role.name} ${more}` }, shapeOf(role, 1.5, 1.5, 23, 13)));
}

const short = (text) => visible([...text.slice(0, 2 * LONGEST_LABEL)].slice(0, LONGEST_LABEL).join(""))
  .replace(/[\t\n]/g, " ") + (text.length > 2 * LONGEST_LABEL ? "…" : "");

// Firefox has no segmenter before 125; there a cut may part a letter from its accent.
const graphemes = (text) => (Intl.Segmenter
  ? [...new Intl.Segmenter("en").segment(text)].map(({ segment }) => segment) : [...text]);

// Cut the labels that are wider than their node, whatever font the reader has; needs the picture in the document.
function fitLabels(svg) {
  for (const node of svg.querySelectorAll(".node")) {
    const room = node.querySelector(".shape").getBBox().width - 18;
    for (const label of node.querySelectorAll("text")) {
      if (label.getComputedTextLength() <= room) continue;
      const letters = graphemes(label.textContent);
      let [fits, fails] = [0, letters.length];
      while (fails - fits > 1) {
        const middle = Math.floor((fits + fails) / 2);
        label.textContent = `${letters.slice(0, middle).join("")}…`;
        if (label.getComputedTextLength() <= room) fits = middle;
        else fails = middle;
      }
      label.textContent = `${letters.slice(0, fits).join("")}…`;
    }
  }
}
