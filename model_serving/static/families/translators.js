/** A translation, what else it might have been, and where it looked. */

import { bars } from "../drawing/bars.js";
import { heatmap } from "../drawing/heatmap.js";
import { each } from "../drawing/items.js";
import { h } from "../elements.js";
import { languageOf, number, say } from "../words.js";

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
