// The view of one candidate.

class CandidateView {
  constructor(sheet, changed) {
    const view = sheet.view;
    this.view = view;
    this.key = keyOf(view);
    this.changed = changed;
    this.loose = make("ul", { class: "findings loose" });
    this.diff = make("div", { class: "diff", role: "table", "aria-label": "Correct solution beside the flawed solution" });
    const options = { changed: () => this.changed(), leave: (field) => this.after(field) };
    this.fields = view.lines.map((line) => new Field(line.label, line.label, line.text, line.own,
      { ...options, erroneous: line.erroneous, answer: line.answer }));
    this.explanation = new Field("explanation", "Why", view.explanation, view.own_explanation, options);
    this.element = [this.given(), make("div", { class: "made" }, this.change(), this.solution(),
      this.loose, make("h2", {}, "Explanation"), this.explanation.element, this.difference())];
    this.judge(sheet);
  }

  given() {
    const lines = this.view.solution.map((line) => make("li", { class: line.label === this.view.line ? "erroneous" : null },
      make("span", { class: "place" }, line.label), make("span", { class: "text" }, worked(line.text))));
    return make("div", { class: "given" }, make("div", { class: "sticky" },
      make("h2", {}, "Problem"), make("p", { class: "problem" }, visible(this.view.problem)),
      make("h2", {}, "Correct solution"), make("ol", { class: "lines" }, lines)));
  }

  change() {
    const { change, edits } = this.view;
    const value = (one, kind) => make("tr", { class: kind },
      make("td", {}, one.line ? make("span", { class: "place" }, one.line) : null),
      make("th", { scope: "row" }, visible(one.name)),
      make("td", { class: "number" }, visible(one.before)),
      make("td", { class: "arrow", "aria-hidden": "true" }, "→"),
      make("td", { class: "number" }, one.after === null ? make("span", { class: "muted" }, "left out") : make(one.after === one.before ? "span" : "strong", {}, visible(one.after))));
    const head = make("thead", { class: "unseen" }, make("tr", {}, ["Line", "Value", "Before", "", "After"].map((title) => make("th", { scope: "col" }, title))));
    return make("section", { class: "change", "aria-label": "What was changed" },
      make("p", { class: "sentence" }, visible(change.sentence)),
      make("table", { class: "values" }, head, make("tbody", {},
        change.values.map((one) => value(one, "itself")), change.follows.map((one) => value(one, "follows")))),
      edits.length ? make("p", { class: "edits" }, this.badge = make("span", { class: "badge" }, "needs an edit"), edits.map(visible).join("; ")) : null);
  }

  solution() {
    const count = this.view.lines.filter((line) => line.folded).length;
    const [folded, open] = [this.fields.slice(0, count), this.fields.slice(count)];
    this.earlier = count ? make("details", { class: "folded" },
      make("summary", {}, `${count === 1 ? folded[0].where : `${folded[0].where}–${folded.at(-1).where}`} before the error`),
      folded.map((field) => field.element)) : null;
    if (folded.some((field) => field.text !== field.own)) this.earlier.open = true;
    return make("section", { "aria-label": "Flawed solution" }, make("h2", {}, "Flawed solution"), this.earlier, open.map((field) => field.element));
  }

  difference() {
    return make("details", { class: "difference", open: true }, make("summary", {}, "Differences from the correct solution"), this.diff);
  }

  get all() {
    return [...this.fields, this.explanation];
  }

  get texts() {
    return { lines: this.fields.map((field) => field.text), explanation: this.explanation.text };
  }

  // Put a draft of this browser into the fields, before anyone types in them.
  fill(texts) {
    this.fields.forEach((field, place) => { field.area.value = texts.lines[place]; field.mirror([]); });
    this.explanation.area.value = texts.explanation;
    this.explanation.mirror([]);
  }

  // Show an audit of the texts that came with it.
  judge(sheet) {
    const audited = textsOf(sheet.view);
    const places = new Map(this.view.lines.map((line, place) => [line.label, audited.lines[place]]));
    places.set("explanation", audited.explanation);
    const { findings, diff } = sheet.audit;
    for (const field of this.all) field.judge(findings.filter((one) => one.where === field.where), places.get(field.where));
    const shown = new Set(this.all.map((field) => field.where));
    this.loose.replaceChildren(...findings.filter((one) => !shown.has(one.where)).map((one) =>
      make("li", { class: one.status }, make("span", { class: "place" }, visible(one.where)), visible(one.message))));
    const folded = this.view.lines.filter((line) => line.folded).map((line) => line.label);
    if (findings.some((one) => folded.includes(one.where))) this.earlier.open = true;
    this.findings = findings;
    this.audited = audited;
    this.compare(diff);
    const mended = sheet.audit.edited && sheet.audit.clean;
    if (this.badge) this.badge.textContent = mended ? "edited" : "needs an edit";
    this.badge?.classList.toggle("mended", mended);
  }

  // Go to the finding after the caret, or to the first one.
  next() {
    const all = this.all.flatMap((field) => field.findings.map((finding) => ({ field, finding })));
    const at = all.findIndex(({ finding }) => finding === this.visited);
    const { field, finding } = all[(at + 1) % all.length] ?? {};
    this.visited = finding;
    if (field && !field.area.checkVisibility()) this.earlier.open = true;
    field?.go(finding);
  }

  // Whether the audit belongs to the present texts of the fields.
  get current() {
    return same(this.audited, this.texts);
  }

  compare(diff) {
    const pieces = (line, tag) => line.map((piece) => (piece.changed ? make(tag, {}, visible(piece.text)) : visible(piece.text)));
    const side = (label, line, tag) => make("div", { class: `side ${tag}`, role: "row" },
      make("span", { class: "sign", "aria-hidden": "true" }, tag === "del" ? "−" : "+"),
      make("span", { class: "place", role: "cell" }, label ?? ""), make("span", { class: "text", role: "cell" }, pieces(line, tag)));
    const rows = diff.filter((line) => line.differs).map((line) => make("div", { class: "differs", role: "rowgroup" },
      line.before ? side(line.before_label, line.before, "del") : null, line.after ? side(line.after_label, line.after, "ins") : null));
    this.diff.replaceChildren(...(rows.length ? rows : [make("p", { class: "muted" }, "The solutions are equal.")]));
  }

  after(field) {
    const all = this.all.filter((one) => one.area.checkVisibility());
    all[(all.indexOf(field) + 1) % all.length].area.focus();
  }

  focus() {
    const field = this.fields.find((one) => one.element.classList.contains("erroneous")) ?? this.fields[0] ?? this.explanation;
    field.area.focus({ preventScroll: true });
    field.area.setSelectionRange(field.text.length, field.text.length);
  }

  lock(on) {
    for (const field of this.all) field.lock(on);
  }
}
