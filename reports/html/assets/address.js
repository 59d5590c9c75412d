// The address of a view: its fragment holds the opened item, and the search, filters, order and page of the list.
//
// `#/` or `#/NOUN/ADDRESS`, then `?` and what differs from a fresh page: search=TEXT, sort=COLUMN, order=descending,
// page=NUMBER, the name of a filter with its choice, and the setting of the page if it has one.

const view = { sort: null, descending: false, groups: [], only: [], text: "", page: 0, scroll: 0 };

// A lone surrogate has no place in an address: encodeURIComponent throws.
const addressable = (text) => text.replace(/\p{Cs}/gu, "\ufffd");
const link = (noun, address) => `#/${noun}/${encodeURIComponent(addressable(address))}`;
const linkTo = (item) => link(book.noun, book.address(item)) + query();
const linkToList = () => `#/${query()}`;

// The names of columns, or of the choices of a filter; a second one of the same title has its number, too.
const namesOf = (entries) => entries.map(({ title }) => addressable(title)).map((title, place, titles) =>
  (titles.indexOf(title) === place ? title : `${title} #${place + 1}`));
const filterName = ([label]) => label.toLowerCase().replaceAll(" ", "-");

function query() {
  const fields = view.groups.map((group, place) => (view.only[place] ? [filterName(group), namesOf(group[1])[view.only[place]]] : null));
  const sorted = view.sort === null ? [] : [["sort", namesOf(book.columns)[view.sort]], view.descending ? ["order", "descending"] : null];
  const setting = book.setting?.text();
  const parts = [view.text ? ["search", addressable(view.text)] : null, ...fields, setting ? [book.setting.name, setting] : null,
    ...sorted, view.page ? ["page", String(view.page + 1)] : null].filter(Boolean);
  return parts.length ? `?${parts.map((part) => part.map(encodeURIComponent).join("=")).join("&")}` : "";
}

// A stray % that someone typed stands for itself.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// The parts of the address: that of an item, null for the list; the fields of the list; and a path that is neither.
function routed() {
  const [path, ...rest] = location.hash.split("?");
  const [, noun, address] = /^#\/([^/]+)\/(.+)$/s.exec(path) ?? [];
  const found = noun === book.noun;
  const fields = rest.join("?").split("&").filter(Boolean).map((field) => {
    const [name, ...value] = field.split("=");
    return [decoded(name), decoded(value.join("="))];
  });
  return { address: found ? decoded(address) : null, fields, unknown: found || /^(#\/?)?$/.test(path) ? null : decoded(path) };
}

// Set the view as the fields of an address say; return those that name nothing of this page.
function readFields(fields) {
  const unknown = [];
  const columns = namesOf(book.columns);
  Object.assign(view, { sort: null, descending: false, only: view.groups.map(() => 0), text: "", page: 0 });
  book.setting?.read(null);
  const readers = new Map([
    ["search", (value) => { view.text = value; return true; }],
    ["sort", (value) => { view.sort = columns.includes(value) ? columns.indexOf(value) : null; return view.sort !== null; }],
    ["order", (value) => { view.descending = value === "descending" && fields.some(([name]) => name === "sort"); return view.descending; }],
    ["page", (value) => { view.page = /^[1-9]\d{0,8}$/.test(value) ? Number(value) - 1 : 0; return view.page > 0 || value === "1"; }],
    ...(book.setting ? [[book.setting.name, book.setting.read]] : []),
    ...view.groups.map((group, place) => [filterName(group), (value) => {
      view.only[place] = Math.max(0, namesOf(group[1]).indexOf(value));
      return namesOf(group[1]).includes(value);
    }]),
  ]);
  for (const [name, value] of fields) if (!readers.get(name)?.(value)) unknown.push(`${name}=${value}`);
  return unknown;
}

// Change the view and its address. What is typed is one entry of the history, however many letters it has.
function changeView(change, { typing = false } = {}) {
  Object.assign(view, { page: 0 }, change);
  complain("");
  list();
  if (linkToList() === (location.hash || "#/")) return;
  history[typing && history.state?.typing ? "replaceState" : "pushState"]({ typing }, "", linkToList());
}
