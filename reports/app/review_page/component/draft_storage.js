// Drafts and messages that the browser keeps until the server has acknowledged them.

const PREFIX = "oracle-factory";
const DRAFT_DELAY = 150; // milliseconds without a keystroke before a draft is sent
const AGAIN = 2500; // milliseconds without an answer before everything unanswered is sent again
const ALIVE = 30000; // milliseconds between signs of life while somebody reads

// localStorage may be missing, full or forbidden: the page then says that only the server stores texts.
class Shelf {
  constructor(place) {
    this.place = place;
    this.works = true;
  }

  name(...parts) {
    return [PREFIX, this.place, ...parts].join("\n");
  }

  read(...parts) {
    try {
      return JSON.parse(localStorage.getItem(this.name(...parts)));
    } catch {
      return null;
    }
  }

  write(value, ...parts) {
    try {
      if (value === null) localStorage.removeItem(this.name(...parts));
      else localStorage.setItem(this.name(...parts), JSON.stringify(value));
    } catch {
      this.works = false;
    }
  }
}

// Messages in order, each repeated until the server acknowledges it. Unacknowledged messages survive a reload.
class Outbox {
  constructor(shelf, session, send) {
    this.shelf = shelf;
    this.session = session;
    this.client = crypto.getRandomValues(new Uint32Array(4)).join("-");
    this.number = 0;
    this.messages = [];
    this.deliver = send;
    this.since = null; // when the oldest unanswered message was first sent
    this.timer = null;
    for (const { number, client, ...message } of shelf.read("outbox", session) ?? []) this.messages.push({ ...message, number: ++this.number });
    shelf.write(null, "outbox", session);
    this.keep();
    if (this.messages.length) this.send();
  }

  // A later draft of a candidate, or a decision on it, replaces an earlier draft.
  add(message) {
    const { kind, candidate, version } = message;
    const holds = (one) => (kind === "alive" ? one.kind === "alive"
      : one.kind === "draft" && kind !== "undo" && one.candidate === candidate && one.version === version);
    this.messages = this.messages.filter((one) => !holds(one));
    this.messages.push({ ...message, number: ++this.number });
    this.keep();
    return this.number;
  }

  // Another tab of the session may keep messages of its own.
  keep() {
    const others = (this.shelf.read("outbox", this.session) ?? []).filter(({ client }) => client !== this.client);
    const all = [...others, ...this.messages.map((message) => ({ ...message, client: this.client }))];
    this.shelf.write(all.length ? all : null, "outbox", this.session);
  }

  send() {
    clearTimeout(this.timer);
    this.timer = null;
    if (!this.messages.length) return;
    this.since ??= performance.now();
    this.deliver({ client: this.client, messages: this.messages });
    this.timer = setTimeout(() => this.send(), AGAIN);
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), DRAFT_DELAY);
  }

  // Remove and return the messages that the server has acknowledged.
  acknowledge(data) {
    if (data.client !== this.client) return [];
    const gone = this.messages.filter((one) => one.number <= data.ack);
    if (!gone.length) return gone;
    this.messages = this.messages.filter((one) => one.number > data.ack);
    this.keep();
    this.since = this.messages.length ? performance.now() : null;
    if (!this.messages.length) clearTimeout(this.timer);
    return gone;
  }

  withdraw() {
    this.messages = this.messages.filter((one) => one.kind === "draft" || one.kind === "alive");
    this.keep();
  }

  get deciding() {
    return this.messages.some((one) => one.kind !== "draft" && one.kind !== "alive");
  }

  get late() {
    return this.since !== null && performance.now() - this.since > AGAIN;
  }
}
