/** Neighbours as bars, vectors in the plane, anything else with a number as a bar. */

import { bars } from "../drawing/bars.js";
import { project } from "../drawing/projection.js";
import { scatter } from "../drawing/scatter.js";
import { h } from "../elements.js";
import { say } from "../words.js";

const HUES = [255, 25, 150, 320, 85, 200];

export function draw(result, body, further) {
  const items = [result].flat();
  if (items.some(({ vector }) => vector)) return plane(items, body);
  const element = h("div", { class: "columns" }, items.map(ranking));
  const queries = items.filter(({ word, neighbors }) => word && neighbors?.length);
  if (queries.length > 0) surroundings(queries, body, further).then((figure) => element.after(figure), () => {});
  return element;
}

/** The one list of an item: neighbours, analogies or next words; without a list, its number. */
function ranking(item) {
  const list = Object.values(item).find((value) => Array.isArray(value) && value[0]?.word !== undefined);
  const title = item.word ?? Object.values(item).filter((value) => typeof value === "string").join(" · ");
  const rows = list?.map(({ word, ...rest }) => ({ label: word, value: Object.values(rest).find(Number.isFinite) })) ?? single(item);
  return h("section", {},
    h("h3", {}, title || say("answer"), item.known === false && h("small", {}, ` ${say("unknown-word")}`)),
    rows.length > 0 && bars(rows));
}

function single(item) {
  return Object.entries(item).filter(([, value]) => Number.isFinite(value)).map(([label, value]) => ({ label, value }));
}

/** The queries and their neighbours in the plane, for which their vectors are asked. */
async function surroundings(queries, body, further) {
  const groups = queries.map(({ word, neighbors }) => [word, ...neighbors.map((one) => one.word)]);
  const words = [...new Set(groups.flat())];
  const { variant, language } = body;
  const options = Object.fromEntries(Object.entries({ variant, language }).filter(([, value]) => value !== undefined));
  const vectors = [await further({ action: "vectors", words: words.slice(0, 64), ...options })].flat();
  return plane(vectors, body, groups);
}

function plane(items, body, groups = []) {
  const known = items.filter(({ vector }) => vector);
  const find = (test) => groups.findIndex(test);
  const group = (word) => [find(([query]) => query === word), find((words) => words.includes(word)), 0].find((place) => place >= 0);
  const at = project(known.map(({ vector }) => vector));
  return scatter(known.map(({ word }, place) => ({
    label: word,
    at: at[place],
    strong: groups.length === 0 || groups.some(([query]) => query === word),
    hue: HUES[group(word) % HUES.length],
  })));
}
