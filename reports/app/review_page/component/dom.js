"use strict";
// What all parts of the page share. Text of candidates enters the document as text nodes and field values only.

// The same characters as harness/text/characters.py: controls but tab and newline, formats, separators, lone surrogates.
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const ANNOTATION = /(<<[^<>]*>>)/;
const MAC = /Mac|iP(hone|ad)/.test(navigator.platform);

function visible(value) {
  return String(value).replace(/\r\n/g, "\n").replace(UNSEEN, (found) => {
    const point = found.codePointAt(0);
    if (point <= 0x1f) return String.fromCodePoint(0x2400 + point);
    return `<U+${point.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name === "onclick") element.addEventListener("click", value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

// A solution with its annotations, such as <<6*9=54>>, in a fainter style.
function worked(text) {
  return visible(text).split(ANNOTATION).map((part, place) => (place % 2 ? make("span", { class: "annotation" }, part) : part));
}

const spaced = (name) => visible(name).replaceAll("_", " ");
const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const keyOf = (view) => `${view.candidate_id} ${view.version}`;
const textsOf = (view) => ({ lines: view.lines.map((line) => line.text), explanation: view.explanation });
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// The key of an action, as written on its button.
function keys(...names) {
  const mac = { Ctrl: "⌃", Alt: "⌥", Enter: "↵" };
  return make("span", { class: "keys", "aria-hidden": "true" }, names.map((name) => make("kbd", {}, (MAC && mac[name]) || name)));
}

// The digit of a key whatever the layout, 0 for another key: on a French one "1" needs Shift.
function digit(event) {
  return Number(/^[1-9]$/.test(event.key) ? event.key : /^Digit([1-9])$/.exec(event.code)?.[1] ?? 0);
}

// The letter of a key whatever the layout: with Option a Mac's "s" arrives as "ß", and a Cyrillic layout has none.
function letter(event) {
  if (/^[a-z]$/i.test(event.key)) return event.key.toLowerCase();
  return /^Key[A-Z]$/.test(event.code) ? event.code.slice(3).toLowerCase() : event.key;
}
