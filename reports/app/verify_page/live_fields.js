"use strict";
// Streamlit sends the text of a field when the field is left, or at Ctrl+Enter. This sends it after a pause of the typing too,
// by that very key, so that the text has one way to the server and a field keeps what is typed meanwhile.

const PAUSE = 400;
const PATIENCE = 1500;
const listening = new WeakMap();

class LiveFields {
  constructor(labels) {
    this.labels = new Set(labels);
    this.waiting = new Map();
    this.input = (event) => this.typed(event);
    document.addEventListener("input", this.input, true);
  }

  typed(event) {
    const field = event.target;
    if (!(field instanceof HTMLTextAreaElement) || !this.labels.has(field.getAttribute("aria-label")) || event.isComposing) return;
    const before = this.waiting.get(field);
    clearTimeout(before?.timer);
    const since = before?.since ?? performance.now();
    const pause = Math.max(0, Math.min(PAUSE, since + PATIENCE - performance.now()));
    this.waiting.set(field, { since, timer: setTimeout(() => this.send(field), pause) });
  }

  send(field) {
    this.waiting.delete(field);
    if (field.isConnected) field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true }));
  }

  end() {
    document.removeEventListener("input", this.input, true);
    for (const { timer } of this.waiting.values()) clearTimeout(timer);
  }
}

export default function ({ data, parentElement }) {
  if (!listening.has(parentElement)) listening.set(parentElement, new LiveFields(data.labels));
  return () => {
    if ((parentElement.host ?? parentElement).isConnected) return;
    listening.get(parentElement)?.end();
    listening.delete(parentElement);
  };
}
