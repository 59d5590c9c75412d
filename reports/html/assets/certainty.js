// How sure the oracles of a run are: calibration, what a threshold keeps, and what to look at first.

// Thresholds of the slider, denser near 1: equal steps of log odds from 0.5 to 0.999
const THRESHOLDS = Array.from({ length: 50 }, (_, step) => {
  const odds = Math.exp((step / 49) * Math.log(999));
  return Math.round((1000 * odds) / (1 + odds)) / 1000;
});
const USUAL = 0.99;
let threshold = USUAL;
const isKept = (item) => item[P_RIGHT] !== null && item[P_RIGHT] >= threshold;
const KEPT = "kept";

function showCertainty() {
  const { calibration, bases, lowered, looks } = run.certainty;
  const basis = bases.map(([title, size]) => `${title} (${count(size)} ${size === 1 ? "problem" : "problems"})`).join("; ");
  byId("calibration").append(
    ...calibration.map(([title, sentence, rows]) => make("div", {},
      make("p", {}, sentence),
      make("details", {}, make("summary", {}, `Right answers by probability, where it rests on ${title}`), calibrationTable(rows)))),
    remark(bases.length ? `The probabilities of this run rest on ${basis}.` : "No problem of this run has a probability."),
    ...(lowered ? [remark(`${lowered[0].toUpperCase()}${lowered.slice(1)}.`)] : []));
  byId("looks").append(looks.length ? table("What to look at first", "looks", ["problem", "p_right", "why"],
    looks.map(([place, chance, why]) => row(cell(itemLink(run.problems[place], run.problems[place][ID])),
      numberCell(chance === null ? "–" : chance.toFixed(3)), cell(why)))) : "Nothing is in doubt.");
  const range = byId("threshold-range");
  range.addEventListener("input", () => {
    threshold = THRESHOLDS[Number(range.value)];
    showKept();
  });
  range.addEventListener("change", () => changeView({ page: view.page }));
  byId("threshold").addEventListener("submit", (event) => event.preventDefault());
  byId("list-kept").addEventListener("click", () => {
    narrow(0, ONLY.findIndex(({ title }) => title === KEPT));
    byId("problems-title").scrollIntoView();
  });
  showKept();
}

const calibrationTable = (rows) => table("Calibration", "figures", ["probability", "answers", "mean", "right"],
  rows.map(([low, high, answers, mean, right]) => row(rowHead(`${low.toFixed(2)} to ${high.toFixed(2)}`),
    numberCell(count(answers)), numberCell(mean.toFixed(3)), numberCell(right.toFixed(3)))));

// The threshold as a setting of the list, see `open`
const KEPT_SETTING = {
  name: "kept",
  text: () => (threshold === USUAL ? null : String(threshold)),
  read(text) {
    const known = /^0\.\d{1,3}$/.test(text) && Number(text) >= THRESHOLDS[0] && Number(text) <= THRESHOLDS.at(-1);
    threshold = known ? Number(text) : USUAL;
    byId("threshold-range").value = String(THRESHOLDS.findIndex((step) => step >= threshold));
    if (byId("kept").textContent) showKept();
    return known;
  },
};

function showKept() {
  const kept = run.problems.filter(isKept);
  const wrong = kept.reduce((sum, item) => sum + 1 - item[P_RIGHT], 0);
  const shown = wrong >= 1 ? count(Math.round(wrong)) : wrong >= 0.1 ? wrong.toFixed(1) : Number(wrong.toPrecision(1));
  byId("kept").textContent = `${(100 * threshold).toFixed(1)}%: kept ${count(kept.length)} of ${count(run.problems.length)}, expect ${shown} wrong`;
  byId("threshold-range").setAttribute("aria-valuetext", byId("kept").textContent);
  const mark = byId("plot-threshold");
  if (mark) {
    const [left, right] = [40, 368]; // as in reports/html/plots/formalization_plots.py
    const place = left + (right - left) * (kept.length / (run.problems.length || 1));
    for (const end of ["x1", "x2"]) mark.setAttribute(end, place.toFixed(1));
  }
  for (const chip of document.querySelectorAll("#filters .chip")) {
    if (chip.firstChild.textContent === KEPT) {
      chip.hidden = kept.length === 0;
      chip.querySelector(".chip-count").textContent = count(kept.length);
    }
  }
  if (view.groups.length && ONLY[view.only[0]]?.title === KEPT) list();
}
