// What does the page of one flawed solution show?

// Columns of the details, in the order of reports/html/flaws_page.py.
const [D_LINES, D_MODEL, D_VERDICT, D_CORRECTION, D_MUTATION, D_VALUES, D_REASONS, D_EDITS, D_PROOF, D_INPUTS, D_STEPS,
  D_ANSWER, D_CHANGED] = Array(13).keys();

function flawPage(item, details) {
  const [id, question] = run.problems[item[F_PROBLEM]];
  return make("article", { class: "flaw" },
    position(item),
    make("h1", { tabindex: "-1" }, item[F_ID]),
    make("div", { class: "statement" },
      make("div", {}, make("p", { class: "lead" }, question),
        make("p", { class: "explanation" }, make("strong", {}, `${item[F_LINE]} is wrong. `), item[F_EXPLANATION]),
        make("p", { class: "leads" }, besideLink("trace", id, "Trace of the solution"),
          besideLink("problem", id, "All formalizations"))),
      judgement(item, details)),
    section("Solution and flawed solution", comparison(item, details[D_LINES])),
    make("div", { class: "worked-out" },
      section("What is proved", proof(details)),
      section("Values that change", values(details[D_VALUES]))));
}

function judgement(item, details) {
  const [type, line, variable] = details[D_MUTATION];
  const kind = [spaced(run.types[item[F_TYPE]]), spaced(run.classes[item[F_CLASS]])];
  const rows = [
    ["label", [`${details[D_VERDICT]}, `, make("strong", {}, item[F_LINE]), `, ${kind[0]}`,
      kind[0] === kind[1] ? null : make("small", {}, kind[1])]],
    ["should read", make("span", { class: "mono" }, details[D_CORRECTION])],
    ["mutation", [`${spaced(type)} at ${line}, `, make("code", {}, variable),
      make("small", {}, `${item[F_FROM]} → ${item[F_TO]}`)]],
    ["operator", [spaced(run.operators[item[F_OPERATOR]]), make("small", {}, `from the template of ${details[D_MODEL]}`)]],
    ["place", `tier ${item[F_TIER] ?? "none"}, ${run.positions[item[F_POSITION]]}`],
    ["plausibility", [make("span", { class: "big" }, item[F_SCORE].toFixed(2)), bar(item[F_SCORE], plausible(item)),
      details[D_REASONS].length ? make("small", {}, details[D_REASONS].join("; ")) : null]],
    ["needs edit", item[F_EDIT] ? make("span", { class: "edit" }, details[D_EDITS].join("; ") || "yes") : "no"],
  ];
  return make("dl", { class: "judgement" }, rows.map(([title, content]) => [make("dt", {}, title), make("dd", {}, content)]));
}

// Both solutions beside each other, a row a line; on a narrow screen a line that differs stands above its other.
function comparison(item, lines) {
  const heads = ["Solution", "Flawed solution"].map((title) => make("div", { class: "side head", role: "columnheader" }, title));
  const rows = lines.map(([before, after, old, now]) => {
    const differs = !old || !now || [...old, ...now].some(([, changed]) => changed);
    const wrong = after !== null && after === item[F_LINE];
    return make("div", { class: `pair-of-lines ${differs ? "differs" : "same"}`, role: "row" },
      side(before, old, differs ? "gone" : ""), side(after, now, `${differs ? "new" : ""} ${wrong ? "wrong" : ""}`));
  });
  return make("div", { class: "comparison", role: "table", "aria-label": "Solution and flawed solution, line by line" },
    make("div", { class: "pair-of-lines heads", role: "row" }, heads), rows);
}

function side(label, pieces, kind) {
  if (!pieces) return make("div", { class: `side nothing ${kind}`, role: "cell" }, make("span", { class: "muted" }, "no such line"));
  const tag = kind.startsWith("gone") ? "del" : "ins";
  return make("div", { class: `side ${kind}`, role: "cell" },
    make("span", { class: "place" }, label),
    make("span", { class: "text" }, pieces.map(([text, changed]) => (changed ? make(tag, {}, text) : text)),
      kind.endsWith("wrong") ? make("span", { class: "badge unreadable" }, "wrong line") : null));
}

function proof(details) {
  const [claim, sentences] = details[D_PROOF];
  const rows = [
    ...details[D_INPUTS].map(([name, value]) => row(rowHead("given"), cell(make("code", {}, name)), cell(), numberCell(value))),
    ...details[D_STEPS].map(([line, name, code, stated]) => make("tr", { class: name === details[D_CHANGED] ? "changed" : null },
      rowHead(line || "–"), cell(make("code", {}, name), name === details[D_ANSWER] ? make("span", { class: "badge" }, "answer") : null),
      cell(make("code", {}, code)), numberCell(stated ?? "–"))),
  ];
  return [
    make("p", { class: "claim-of-flaw" }, `✓ ${claim}`),
    sentences.map((sentence) => make("p", {}, sentence)),
    make("div", { class: "scroller" }, table("What the flawed solution works out", "steps-of-flaw", ["line", "variable", "worked out as", "stated"], rows)),
  ];
}

function values(rows) {
  if (!rows.length) return remark("None: only the answer is another one.");
  return make("div", { class: "scroller" }, table("Values that change", "figures changed-values", ["line", "variable", "before", "after"],
    rows.map(([line, name, before, after]) => row(rowHead(line ?? "–"), cell(make("code", {}, name)), numberCell(before),
      numberCell(after ?? make("span", { class: "muted" }, "deleted"))))));
}
