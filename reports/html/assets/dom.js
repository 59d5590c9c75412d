"use strict";
// Elements with text. Text of the run enters the document as text nodes and plain attributes only;
// the Content-Security-Policy refuses any string as markup (Trusted Types).

// The same characters as harness/text/characters.py: controls but tab and newline, formats, separators, lone surrogates.
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

function visible(value) {
  return String(value).replace(/\r\n/g, "\n").replace(UNSEEN, (found) => {
    const point = found.codePointAt(0);
    if (point <= 0x1f) return String.fromCodePoint(0x2400 + point);
    return `<U+${point.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

const make = (tag, ...rest) => filled(document.createElement(tag), ...rest);
const draw = (tag, ...rest) => filled(document.createElementNS("http://www.w3.org/2000/svg", tag), ...rest);

function filled(element, attributes, ...children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name === "onclick") element.addEventListener("click", value);
    else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : visible(value));
    }
  }
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : visible(child));
  }
  return element;
}
