/** A translation, what else it might have been, and where it looked. */

import { bars } from "../drawing/bars.js";
import { heatmap } from "../drawing/heatmap.js";
import { each } from "../drawing/items.js";
import { h } from "../elements.js";
import { languageOf, number, percent, say } from "../words.js";

export const preset = { attention: true, beam_size: 4, n_best: 3 };

export function draw(result, body) {
  return each(body.text, result, (text, one) =>
    [
      h("blockquote", { class: "translation", lang: languageOf(one.translation) }, one.translation),
      h(
        "p",
        { class: "caption" },
        `${say("score")} ${number(one.score, 3)}`,
        !one.finished && ` · ${say("unfinished")}`,
      ),
      one.alternatives?.length > 0 && alternatives(one),
      one.reference && reference(one.reference),
      one.attention && heatmap(one.attention),
    ].filter(Boolean),
  );
}

/** All hypotheses, the best first; a bar is as long as the hypothesis is likely beside the best. */
function alternatives({ translation, score, alternatives: others }) {
  const same = others.some((other) => other.translation === translation);
  const all = same ? others : [{ translation, score }, ...others];
  const rows = all.map((one) => ({
    label: one.translation,
    value: Math.exp(one.score - score),
    text: number(one.score, 3),
  }));
  return h("section", {}, h("h3", {}, say("alternatives")), bars(rows));
}

/** A translation that was given: its score, and a bar for each sub-word as long as it is likely after those before. */
function reference({ score, tokens }) {
  const rows = tokens.map(({ text, log_probability: log }) => ({
    label: text.trim() || say("reference.end"),
    value: Math.exp(log),
    text: percent(Math.exp(log), 1),
  }));
  const title = `${say("reference")} · ${say("score")} ${number(score, 3)}`;
  return h("section", { class: "reference" }, h("h3", {}, title), bars(rows));
}
