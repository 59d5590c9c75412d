// The list of problems. Every text is set as text; a row opens on a click, its button by the keyboard.

export default function ({ parentElement, data, setTriggerValue }) {
  const body = parentElement.querySelector("tbody");
  body.replaceChildren(...data.rows.map((row) => rowOf(row, setTriggerValue)));
  parentElement.querySelector("table").setAttribute("aria-label", "Problems with the probability that the oracle is right, confidence score, clique and oracle");
}

function rowOf(row, setTriggerValue) {
  const open = document.createElement("button");
  open.type = "button";
  open.textContent = row.problem;
  const line = document.createElement("tr");
  line.addEventListener("click", () => setTriggerValue("opened", row.address));
  const texts = [row.question, row.tier ?? "–", row.gold];
  line.append(cell(open), ...texts.map((text) => cell(text)), cell(row.p_right), confidence(row), cell(row.clique), cell(row.dissent || "–"),
    cell(row.oracle));
  return line;
}

function confidence(row) {
  const bar = document.createElement("meter");
  [bar.max, bar.value] = [row.highest, row.confidence];
  return cell(bar, row.confidence.toFixed(2));
}

function cell(...content) {
  const made = document.createElement("td");
  made.append(...content.map((one) => (one instanceof Node ? one : String(one))));
  return made;
}
