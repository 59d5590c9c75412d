// The list as a file of comma-separated values (RFC 4180): all items that pass the filters, in their order.

// A spreadsheet computes a text that begins with one of these; a negative number is none.
const FORMULA = /^\s*[=+\-@＝＋－＠]/;
const NEGATIVE = /^-\d+(\.\d+)?(e[-+]?\d+)?$/;

function csvField(value) {
  const text = value === null || value === undefined || Number.isNaN(value) ? "" : visible(value);
  const harmless = FORMULA.test(text) && !NEGATIVE.test(text) ? `'${text}` : text;
  return /[",\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

// A column writes what it sorts by, or its own `csv`.
function csvText() {
  const lines = order.map((item) => book.columns.map(({ key, csv = key }) => csv(item)));
  return [book.columns.map(({ title }) => title), ...lines].map((line) => `${line.map(csvField).join(",")}\r\n`).join("");
}

function exportCsv() {
  // Without the byte-order mark Excel does not read UTF-8.
  const address = URL.createObjectURL(new Blob(["\ufeff", csvText()], { type: "text/csv;charset=utf-8" }));
  make("a", { href: address, download: `${run.run}-${book.noun}s.csv`.replace(/[^\p{L}\p{N}._-]+/gu, "_") }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
