// The text of a program with marked keywords, strings, numbers and comments.

const KEYWORDS = "def|return|if|else|elif|for|while|in|and|or|not|import|from|as|None|True|False";
const STRING = /"""|'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/.source;
const TOKENS = new RegExp(String.raw`(#.*$)|(${STRING})|\b(${KEYWORDS})\b|(\b\d[\d_.]*\b)`, "g");
const TOKEN_KINDS = ["comment", "string", "keyword", "literal"];

function codeLine(text) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(TOKENS)) {
    const kind = TOKEN_KINDS[found.slice(1).findIndex((part) => part !== undefined)];
    parts.push(text.slice(end, found.index), make("span", { class: kind }, found[0]));
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end)];
}

function codeBlock(code) {
  const lines = visible(code).replace(/\n+$/, "").split("\n");
  return make("pre", { class: "code", tabindex: "0" }, lines.map((text, index) =>
    make("span", { class: "line", "data-line": index + 1 }, codeLine(text), "\n")));
}
