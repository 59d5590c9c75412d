// Panels for a reviewer's reasons: to reject, or to accept despite the audit's findings.

class Panel {
  constructor(element, close) {
    this.element = element;
    this.close = close;
  }

  get open() {
    return !this.element.hidden;
  }

  show(...children) {
    this.element.replaceChildren(...children.filter((child) => child !== null));
    this.element.hidden = false;
  }

  hide() {
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}

// The keys 1 … 9 choose a reason at once; "other" needs a note.
class Rejection extends Panel {
  ask(reasons, reject) {
    this.reasons = reasons;
    this.reject = reject;
    this.chosen = null;
    this.note = make("input", { type: "text", maxlength: 2000, "aria-label": "A note on the reason", placeholder: "Note (optional)", autocomplete: "off" });
    this.buttons = reasons.map((reason, place) => make("button", { type: "button", onclick: () => this.pick(place) }, reason.words, keys(String(place + 1))));
    this.show(make("p", { class: "title" }, "Reject: choose a reason"), make("div", { class: "choices" }, this.buttons), this.note,
      make("button", { type: "button", class: "quiet", onclick: this.close }, "Back", keys("Esc")));
    this.buttons[0].focus();
  }

  pick(place) {
    const reason = this.reasons[place];
    if (!reason) return;
    if (reason.value !== "other" || this.note.value.trim()) {
      this.reject(reason.value, this.note.value.trim());
      return;
    }
    this.chosen = reason.value;
    this.buttons.forEach((button, number) => button.setAttribute("aria-pressed", number === place));
    this.note.placeholder = "Write the reason, then Enter";
    this.note.focus();
  }

  key(event, target) {
    const writing = target === this.note;
    if (digit(event) && (!writing || event.altKey)) this.pick(digit(event) - 1);
    else if (event.key === "Enter" && writing) this.pick(this.reasons.findIndex((one) => one.value === (this.chosen ?? "other")));
    else return false;
    return true;
  }
}

class Override extends Panel {
  ask(findings, accept) {
    this.accept = accept;
    const again = this.last ? make("button", { type: "button", class: "again", "aria-keyshortcuts": "Alt+1", onclick: () => this.accept(this.last) },
      `Again: “${this.last.length > 60 ? `${this.last.slice(0, 60)}…` : this.last}”`, keys("Alt", "1")) : null;
    this.area = make("textarea", { rows: 2, maxlength: 5000, "aria-label": "Why you accept it despite the findings", placeholder: "Why is it right despite the findings? The reason is stored in the record." });
    this.show(make("p", { class: "title" }, `Accept despite ${plural(findings, "finding")}?`), this.area,
      make("div", { class: "choices" }, make("button", { type: "button", onclick: () => this.go() }, "Accept anyway", keys("Ctrl", "Enter")), again,
        make("button", { type: "button", class: "quiet", onclick: this.close }, "Back", keys("Esc"))));
    this.area.focus();
  }

  key(event) {
    if (digit(event) !== 1 || !event.altKey || !this.last) return false;
    this.accept(this.last);
    return true;
  }

  go() {
    const words = this.area.value.trim();
    if (words) {
      this.last = words;
      this.accept(words);
    } else {
      this.area.setAttribute("aria-invalid", "true");
      this.area.focus();
    }
  }
}
