// The Review page: the shown candidate, the messages to the server, and the keys.

const WORDS = { accept: "Accepted", reject: "Rejected", skip: "Skipped", undo: "Undone" };
const LEGEND = [
  [["Ctrl", "Enter"], "accept"], [["Alt", "R"], "reject; then 1 … 9 for the reason"], [["Alt", "S"], "skip; the candidate comes back last"],
  [["Alt", "Z"], "undo the last decision"], [["Alt", "N"], "go to the next finding and select its words"], [["Alt", "F"], "show or fold the earlier lines"], [["Enter"], "the next field"],
  [["Tab"], "the next field or button"], [["Esc"], "close what is open, leave the field"], [["?"], "show these keys; in a field, ? once more writes a question mark"],
];

class ReviewPage {
  constructor(root) {
    this.root = root;
    this.part = (id) => root.querySelector(`#${id}`);
    this.sheet = null; // what is shown
    this.following = null; // what the server holds ready
    this.override = new Override(this.part("override"), () => this.close());
    this.rejection = new Rejection(this.part("rejection"), () => this.close());
    this.active = performance.now();
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    // Streamlit has keys of its own ("r" reruns, "c" clears): it cannot see typing inside a shadow root.
    for (const name of ["keydown", "keyup", "keypress"]) root.addEventListener(name, (event) => this.own(event), { signal });
    document.addEventListener("keydown", (event) => this.outside(event), { signal });
    for (const name of ["pointermove", "wheel"]) document.addEventListener(name, () => { this.active = performance.now(); }, { signal, passive: true });
    addEventListener("pagehide", () => this.outbox?.send(), { signal });
    this.watch();
    this.timers = [setInterval(() => this.alive(), ALIVE), setInterval(() => this.status(), 500)];
    this.buttons();
    this.legend();
  }

  destroy() {
    this.listeners.abort();
    this.observer.disconnect();
    this.timers.forEach(clearInterval);
    clearTimeout(this.outbox?.timer);
  }

  // --- messages of the server ---------------------------------------------------------------------------------------------

  tell(data, send) {
    this.deliver = send;
    if (this.shelf?.place !== data.place || this.outbox?.session !== data.session) {
      clearTimeout(this.outbox?.timer);
      this.shelf = new Shelf(data.place);
      this.outbox = new Outbox(this.shelf, data.session, (value) => this.deliver(value));
      this.sheet = null;
    }
    const taken = this.outbox.acknowledge(data);
    this.data = data;
    for (const one of taken) this.settle(one, data);
    if (data.desk !== this.desk && this.desk && this.sheet && this.outbox.messages.length === 0) this.draft();
    this.desk = data.desk;
    if (data.trouble && this.locked) { // what cannot be taken must be open to change
      this.outbox.withdraw();
      this.lock(false);
    }
    if (!this.outbox.deciding) this.lay(data, taken);
    this.about();
    this.status();
  }

  // Texts that the server has, as a decision or as a draft, are not kept in the browser.
  settle({ number, kind, candidate, version, lines, explanation }, data) {
    if (lines && same(this.shelf.read("draft", candidate, version), { lines, explanation })) this.shelf.write(null, "draft", candidate, version);
    if (WORDS[kind] && !data.refused.includes(number) && !data.notice) this.say(`${WORDS[kind]}.`);
  }

  lay(data, taken) {
    this.following = data.next;
    this.notice(data.notice);
    const decided = taken.some((one) => one.kind !== "draft" && one.kind !== "alive");
    if (!data.now) this.nothing(data.nothing);
    else if (!this.sheet || this.sheet.key !== keyOf(data.now.view)) this.show(data.now);
    else {
      this.sheet.judge(data.now);
      this.lock(false);
      if (decided && data.refused.includes(taken.at(-1).number) && data.now.audit.findings.length) this.against();
    }
    this.found();
  }

  // --- the shown candidate ----------------------------------------------------------------------------------------------------

  show(sheet) {
    this.close({ refocus: false });
    this.sheet = new CandidateView(sheet, () => this.typed());
    const { candidate_id: candidate, version } = sheet.view;
    const kept = this.shelf.read("draft", candidate, version);
    if (kept?.lines?.length === sheet.view.lines.length && !same(kept, textsOf(sheet.view))) {
      this.sheet.fill(kept);
      this.draft();
    }
    this.part("nothing").hidden = true;
    this.part("columns").replaceChildren(...this.sheet.element);
    this.part("columns").dataset.candidate = candidate;
    this.part("foot").hidden = false;
    this.lock(false);
    this.top();
    if (!this.elsewhere()) this.sheet.focus();
    this.about();
    this.found();
  }

  nothing(words) {
    this.sheet = null;
    this.part("columns").replaceChildren();
    delete this.part("columns").dataset.candidate;
    this.part("nothing").textContent = words;
    this.part("nothing").hidden = false;
    this.close({ refocus: false });
    this.lock(false);
  }

  top() {
    this.root.host.closest("[data-testid=stMain]")?.scrollTo({ top: 0 });
  }

  // Whether someone types in a field of Streamlit, such as a filter.
  elsewhere() {
    const active = document.activeElement;
    return active !== null && active !== document.body && active !== this.root.host && /^(INPUT|TEXTAREA|SELECT)$/.test(active.tagName);
  }

  about() {
    const { today, median } = this.data;
    const facts = this.sheet?.view.facts;
    const chip = (text, title) => make("span", { class: "chip", title }, text);
    this.part("about").replaceChildren(...[
      facts ? [...new Set([facts.error_type, facts.operator])].map((name) => chip(spaced(name))).concat(chip(facts.tier === "none" ? "no tier" : `tier ${visible(facts.tier)}`), chip(visible(facts.position)),
        chip(`plausibility ${facts.plausibility.toFixed(2)}`, facts.plausibility_reasons.map(visible).join("; ")),
        chip(visible(facts.support), visible(facts.provenance)),
        make("span", { class: "muted id", title: visible(this.sheet.view.candidate_id) }, `${visible(facts.problem_id)} · ${visible(facts.model)}`)) : null,
      make("span", { class: "muted today" }, `you decided ${today} today${median === null ? "" : `, median ${median < 10 ? median.toFixed(1) : Math.round(median)} s`}`),
    ].flat().filter((one) => one !== null));
    const undo = this.data.undo;
    this.button.undo.disabled = !undo && !this.decided;
    this.button.undo.title = undo ? `Undo: ${undo.decision} ${visible(undo.candidate)}` : "";
  }

  notice(words) {
    const place = this.part("notice");
    const said = visible(words);
    if (place.textContent !== said) place.textContent = said;
    place.hidden = !words;
  }

  found() {
    if (!this.sheet) return;
    const count = this.sheet.findings.length;
    const current = this.sheet.current;
    this.button.state.textContent = !current ? "checking …" : count ? plural(count, "finding") : "nothing found";
    this.button.state.className = `state ${!current ? "" : count ? "against" : "clean"}`;
    const words = current ? this.sheet.findings.map((one) => `${one.where}: ${one.message}`).join(" ") : null;
    if (words !== null && words !== this.spoken) {
      this.spoken = words;
      if (count) this.say(`${plural(count, "finding")}. ${visible(words)}`);
    }
  }

  say(words) {
    this.part("said").textContent = words;
  }

  status() {
    if (!this.outbox) return;
    const place = this.part("offline");
    const words = [this.data?.trouble ?? "", this.outbox.late && !this.data?.trouble ? "The server does not answer. Your texts and decisions are kept in this browser and are sent when it is back." : "",
      this.shelf.works ? "" : "This browser cannot store drafts: your texts are safe only when the server has them."].join(" ").trim();
    if (place.textContent !== words) place.textContent = words;
    place.hidden = !words;
  }

  lock(on) {
    this.locked = on;
    this.sheet?.lock(on);
    for (const name of ["accept", "reject", "skip"]) this.button[name].disabled = on || !this.sheet;
    this.part("columns").classList.toggle("busy", on);
  }

  // --- actions of the reviewer -------------------------------------------------------------------------------------------

  typed() {
    this.active = performance.now();
    this.draft();
    this.found();
  }

  // Store the texts of the fields, in the browser at once and on the server soon after.
  draft() {
    const { candidate_id: candidate, version } = this.sheet.view;
    const texts = this.sheet.texts;
    this.shelf.write(texts, "draft", candidate, version);
    this.outbox.add({ kind: "draft", candidate, version, ...texts });
    this.outbox.soon();
  }

  accept() {
    if (this.sheet.current && this.sheet.findings.length) this.against();
    else this.decide("accept");
  }

  against() {
    this.rejection.hide();
    this.override.ask(this.sheet.findings.length, (override) => this.decide("accept", { override }));
  }

  reject() {
    this.override.hide();
    this.rejection.ask(this.data.reasons, (reason, note) => this.decide("reject", { reason, note }));
  }

  // The decision is sent with the whole texts, so that the latest typing is included. The next candidate is shown at once if
  // it is leased already and the server will accept the decision.
  decide(kind, more = {}) {
    if (this.locked || !this.sheet) return;
    const { candidate_id: candidate, version } = this.sheet.view;
    const texts = this.sheet.texts;
    const sure = kind !== "accept" || (this.sheet.current && (!this.sheet.findings.length || more.override));
    const waiting = this.outbox.deciding;
    this.shelf.write(texts, "draft", candidate, version);
    this.decided = { candidate, version };
    this.outbox.add({ kind, candidate, version, ...texts, ...more });
    this.outbox.send();
    this.notice("");
    const next = this.following;
    this.following = null;
    if (sure && next && !waiting) this.show(next);
    else this.lock(true);
    this.close({ refocus: false });
    if (!this.locked && !this.elsewhere()) this.sheet.focus();
  }

  undo() {
    const last = this.outbox.deciding ? this.decided : this.data.undo;
    if (!last || this.locked) return;
    this.outbox.add({ kind: "undo", candidate: last.candidate, version: last.version });
    this.outbox.send();
    this.decided = null;
    this.lock(true);
  }

  alive() {
    if (!this.sheet || document.hidden || performance.now() - this.active > 2 * ALIVE) return;
    const { candidate_id: candidate, version } = this.sheet.view;
    this.outbox.add({ kind: "alive", candidate, version });
    this.outbox.send();
  }

  close({ refocus = true } = {}) {
    const open = this.override.open || this.rejection.open;
    this.override.hide();
    this.rejection.hide();
    if (open && refocus) this.sheet?.focus();
    return open;
  }

  fold() {
    const folded = this.root.querySelector(".folded");
    if (folded) folded.open = !folded.open;
  }

  // --- keys and buttons -------------------------------------------------------------------------------------------------

  buttons() {
    const button = (name, title, run, ...names) => make("button", { type: "button", class: name, "aria-keyshortcuts": names.join("+"), onclick: run }, title, keys(...names));
    const act = (name) => () => { if (!this.locked && this.sheet) this[name](); };
    this.button = {
      accept: button("accept", "Accept", act("accept"), "Ctrl", "Enter"),
      reject: button("reject", "Reject …", act("reject"), "Alt", "R"),
      skip: button("skip", "Skip", () => this.decide("skip"), "Alt", "S"),
      undo: button("undo", "Undo", () => this.undo(), "Alt", "Z"),
      state: make("span", { class: "state" }),
      keys: make("button", { type: "button", class: "quiet", "aria-label": "Keys", onclick: () => this.toggle() }, "Keys", keys("?")),
    };
    const { accept, reject, skip, undo, state, keys: legend } = this.button;
    this.part("actions").replaceChildren(accept, reject, skip, undo, state, legend);
  }

  legend() {
    const rows = LEGEND.map(([names, words]) => make("div", {}, make("dt", {}, keys(...names)), make("dd", {}, words)));
    this.part("legend").replaceChildren(make("h2", {}, "Keys"), make("dl", {}, rows),
      make("form", { method: "dialog" }, make("button", { class: "quiet" }, "Close", keys("Esc"))));
  }

  // Show or hide the keys; a question mark on the shown keys is written in the field that they were asked for in.
  toggle(write = false, field = null) {
    const legend = this.part("legend");
    if (!legend.open) {
      this.asked = field;
      legend.showModal();
      return;
    }
    legend.close();
    if (!write || !this.asked) return;
    this.asked.area.focus();
    this.asked.type("?");
  }

  own(event) {
    if (event.type === "keydown") this.key(event, event.target, /^(INPUT|TEXTAREA)$/.test(event.target.tagName));
    event.stopPropagation();
  }

  outside(event) {
    const target = event.composedPath()[0];
    if (target instanceof Element) this.key(event, target, this.elsewhere() || target.isContentEditable);
  }

  key(event, target, writing) {
    if (event.isComposing || event.defaultPrevented || event.getModifierState("AltGraph")) return;
    this.active = performance.now();
    if (this.pressed(event, target, writing)) event.preventDefault();
  }

  // Whether the page handles a key.
  pressed(event, target, writing) {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const legend = this.part("legend");
    if (event.key === "Escape" && !legend.open) {
      if (!this.close() && writing && this.root.contains(target)) target.blur();
      return false;
    }
    if ((event.key === "?" && plain) || (event.altKey && event.code === "Slash")) {
      if (legend.open) return this.done(() => this.toggle(event.key === "?"));
      const field = this.sheet?.all.find((one) => one.area === target);
      // A note is written as it is typed.
      if (field || !writing || event.altKey) return this.done(() => this.toggle(false, field));
    }
    if (legend.open) return false;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      return this.done(() => (this.override.open ? this.override.go() : this.button.accept.click()));
    }
    if (event.altKey && !event.ctrlKey && !event.metaKey) {
      const run = { r: "reject", s: "skip", z: "undo" }[letter(event)];
      if (run) return this.done(() => this.button[run].click());
      if (letter(event) === "f") return this.done(() => this.fold());
      if (letter(event) === "n") return this.done(() => this.sheet?.next());
    }
    if (this.override.open) return this.override.key(event);
    return this.rejection.open && !event.ctrlKey && !event.metaKey && this.rejection.key(event, target);
  }

  done(run) {
    run();
    return true;
  }

  // Streamlit shows a dialog over the page when its server is gone, and takes the focus while someone may be typing.
  // Ours stays in reach (React Aria leaves what has this attribute alone), the dialog is closed, the caret goes back.
  watch() {
    this.root.host.setAttribute("data-react-aria-top-layer", "true");
    let field = null;
    this.root.addEventListener("focusin", (event) => { field = event.target; }, { signal: this.listeners.signal });
    this.observer = new MutationObserver(() => {
      const app = document.querySelector("[data-testid=stApp]");
      const dialog = document.querySelector("[data-testid=stDialog]");
      if (!dialog || !app || app.dataset.testConnectionState === "CONNECTED") return;
      dialog.querySelector("button[aria-label=Close]")?.click();
      queueMicrotask(() => { if (!this.root.activeElement && field?.isConnected) field.focus({ preventScroll: true }); });
    });
    this.observer.observe(document.body, { childList: true });
  }
}

const pages = new WeakMap();

export default function ({ data, parentElement, setStateValue }) {
  let page = pages.get(parentElement);
  if (!page) {
    page = new ReviewPage(parentElement);
    pages.set(parentElement, page);
  }
  page.tell(data, (outbox) => setStateValue("outbox", outbox));
  // Streamlit also calls this for an earlier call that a later one overtook: the page is only gone once it left the document.
  return () => {
    if (parentElement.host.isConnected) return;
    page.destroy();
    pages.delete(parentElement);
  };
}
