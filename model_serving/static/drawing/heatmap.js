/** A matrix as a table of shades: one row for each target token, one column for each source token. */

import { h, scroller } from "../elements.js";
import { percent, say } from "../words.js";

/** @param {{source: string[], target: string[], weights: number[][]}} attention weights as [target][source], 0 to 1 */
export function heatmap({ source, target, weights }) {
  const head = h(
    "tr",
    {},
    h("td", {}),
    source.map((token) => h("th", { scope: "col" }, h("span", {}, token))),
  );
  const rows = target.map((token, row) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, token),
      source.map((word, column) => cell(weights[row][column], `${token} ← ${word}`)),
    ),
  );
  return h(
    "figure",
    {},
    h("figcaption", {}, say("attention")),
    scroller(say("attention"), h("table", { class: "heatmap" }, h("thead", {}, head), h("tbody", {}, rows))),
  );
}

function cell(weight, label) {
  const share = percent(weight);
  return h("td", { title: `${label}: ${share}`, "--weight": weight }, h("span", { class: "unseen" }, share));
}
