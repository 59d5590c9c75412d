// Fields of lines, with the audit's findings marked; a field is never changed while someone types in it.

let fields = 0; // numbers fields, so that labels find theirs

class Field {
  constructor(where, title, text, own, { erroneous = false, answer = false, changed, leave }) {
    this.where = where;
    this.own = own;
    this.changed = changed;
    this.leave = leave;
    const id = `field-${++fields}`;
    this.backdrop = make("div", { class: "backdrop", "aria-hidden": "true" });
    this.area = make("textarea", { id, rows: 1, autocomplete: "off", autocapitalize: "off", "aria-describedby": `${id}-findings` });
    this.area.value = text;
    this.restore = make("button", { type: "button", class: "quiet", title: "Back to the text of the candidate", "aria-label": `${title}: back to the text of the candidate`,
      onclick: () => this.back() }, "↺");
    this.list = make("ul", { class: "findings", id: `${id}-findings` });
    const kind = ["field", erroneous ? "erroneous" : "", answer ? "answer" : "", where === "explanation" ? "prose" : ""].join(" ");
    this.element = make("div", { class: kind },
      make("label", { for: id, class: "place" }, title, erroneous ? make("span", { class: "unseen" }, ", the erroneous line") : null),
      make("div", { class: "write" }, this.backdrop, this.area), this.restore, this.list);
    this.area.addEventListener("beforeinput", (event) => this.guard(event));
    this.area.addEventListener("paste", (event) => this.paste(event));
    this.area.addEventListener("input", (event) => this.input(event));
    this.mirror([]);
  }

  get text() {
    return this.area.value;
  }

  // A line holds no line break: Enter goes to the next field.
  guard(event) {
    if (event.inputType !== "insertLineBreak" && event.inputType !== "insertParagraph") return;
    event.preventDefault();
    this.leave(this);
  }

  paste(event) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!/[\r\n]/.test(text)) return;
    event.preventDefault();
    this.type(text.replace(/\s*[\r\n]+\s*/g, " "));
  }

  // Write at the caret, so that the browser's own undo works.
  type(text) {
    if (document.execCommand("insertText", false, text)) return;
    this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, "end");
    this.input({});
  }

  input(event) {
    if (!event.isComposing && /[\r\n]/.test(this.area.value)) {
      const caret = this.area.selectionStart;
      this.area.value = this.area.value.replace(/[\r\n]/g, " ");
      this.area.setSelectionRange(caret, caret);
    }
    this.mirror([]);
    this.list.classList.add("stale");
    this.changed();
  }

  back() {
    this.area.focus();
    this.area.select();
    this.type(this.own);
  }

  // Draw the text behind the field: it gives the field its height, and carries the marks.
  mirror(findings) {
    const text = this.area.value;
    const marks = findings.filter((one) => one.end > one.start && one.end <= text.length).sort((one, other) => one.start - other.start);
    const parts = [];
    let at = 0;
    for (const { start, end, status } of marks) {
      if (start < at) continue;
      parts.push(text.slice(at, start), make("mark", { class: status }, text.slice(start, end)));
      at = end;
    }
    this.backdrop.replaceChildren(...parts, text.slice(at), "\u200b");
    this.restore.hidden = text === this.own;
    this.element.classList.toggle("edited", text !== this.own);
  }

  // Show the findings of the audit; for a text that has changed, only their words.
  judge(findings, audited) {
    this.findings = findings;
    this.audited = audited;
    if (audited === this.text) this.mirror(findings);
    this.list.classList.toggle("stale", audited !== this.text);
    this.area.setAttribute("aria-invalid", findings.some((one) => one.status === "refuted"));
    const lines = findings.map((one) => make("li", { class: one.status },
      make("span", { class: "sign", "aria-hidden": "true" }, one.status === "refuted" ? "✗" : "?"), visible(one.message)));
    if (this.list.textContent !== lines.map((line) => line.textContent).join("")) this.list.replaceChildren(...lines);
  }

  // Put the caret on a finding, its span selected, so that the next key replaces it.
  go(finding) {
    this.area.focus();
    if (this.text === this.audited) this.area.setSelectionRange(finding.start, finding.end || this.text.length);
  }

  lock(on) {
    this.area.readOnly = on;
  }
}
