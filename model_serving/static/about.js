/** What a card tells of a model: its figures, data and limits. */

import { h, scroller } from "./elements.js";
import { number, say } from "./words.js";

/** The card for people, folded. */
export function about(card, href) {
  const limits = Object.entries(card.limits).map(([name, value]) => `${name} ${number(value)}`);
  return h(
    "details",
    { class: "card about" },
    h("summary", {}, say("about")),
    h(
      "dl",
      {},
      card.paper && [h("dt", {}, say("about.paper")), h("dd", { lang: "en" }, card.paper)],
      card.metrics.length > 0 && [h("dt", {}, say("about.figures")), h("dd", {}, figures(card.metrics))],
      card.data.length > 0 && [h("dt", {}, say("about.data")), h("dd", {}, h("ul", {}, sources(card.data)))],
      h("dt", {}, say("about.limits")),
      h("dd", {}, limits.join(" · ")),
      h("dt", {}, say("about.version")),
      h("dd", {}, h("code", {}, card.version), " · ", h("a", { href }, say("about.card"))),
    ),
  );
}

function figures(metrics) {
  const heads = ["task", "metric", "dataset", "value", "baseline"].map((name) =>
    h("th", { scope: "col" }, say(`about.${name}`)),
  );
  const rows = metrics.map(({ task, dataset, metric, value, baseline }) =>
    h(
      "tr",
      {},
      h("td", {}, task),
      h("td", {}, metric),
      h("td", {}, dataset),
      h("td", { class: "figure" }, number(value, 2)),
      h("td", { class: "figure" }, `${number(baseline.value, 2)} `, h("small", {}, baseline.name)),
    ),
  );
  const table = h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows));
  return scroller(say("about.figures"), table);
}

function sources(data) {
  const lines = new Set(data.map(({ name, package: source, licence }) => `${name} (${source ?? "-"}): ${licence}`));
  return [...lines].map((line) => h("li", { lang: "en" }, line));
}
