// How sure the oracles of a run are: what a threshold keeps.

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
    const [left, right] = [40, 368]; // as in reports/html/plots.py
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
