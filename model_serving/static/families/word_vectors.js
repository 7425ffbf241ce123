/** Neighbours as bars, vectors in the plane, anything else with a number as a bar. */

import { bars } from "../drawing/bars.js";
import { project } from "../drawing/projection.js";
import { scatter } from "../drawing/scatter.js";
import { h } from "../elements.js";
import { say } from "../words.js";

const HUES = [255, 25, 150, 320, 85, 200];

/** Where the items of each action stand. */
const FIELDS = {
  vectors: "words",
  neighbors: "words",
  similarity: "pairs",
  analogy: "analogies",
  odd_one_out: "groups",
  next: "contexts",
};

/** A first item for a field made of some words; what is not here takes the words as they are. */
const FIRST = {
  pairs: ([one, ...others]) => (others.length > 1 ? others.map((other) => [one, other]) : [one, ...others]),
  analogies: (words) => words.slice(0, 3),
};

/** Another action reads another field: it begins with the words that stood in the one before. */
export function settle(body, name) {
  const wanted = FIELDS[body.action];
  if (name !== "action" || !wanted || wanted in body) return body;
  const items = new Set(Object.values(FIELDS));
  const words = [...new Set([...items].flatMap((field) => [body[field] ?? []].flat(2)))];
  const rest = Object.fromEntries(Object.entries(body).filter(([field]) => !items.has(field)));
  return words.length > 0 ? { ...rest, [wanted]: FIRST[wanted]?.(words) ?? words } : rest;
}

export function draw(result, body, further) {
  const items = [result].flat();
  if (items.some(({ vector }) => vector)) return plane(items);
  const element = h("div", { class: "columns" }, items.map(ranking));
  const queries = items.filter(({ word, neighbors }) => word && neighbors?.length);
  const follow = (figure) => element.after(figure);
  const leave = () => {}; // the bars stand without it
  if (queries.length > 0) surroundings(queries, body, further).then(follow, leave);
  return element;
}

/** What was asked, and below it the item's list (neighbours, analogies, next words) or, without one, its number. */
function ranking(item) {
  const asked = [item.word ?? item.words ?? say("answer")].flat();
  const unknown = asked.filter((_, place) => [item.known ?? true].flat()[place] === false);
  const list = Object.values(item).find((value) => Array.isArray(value) && value[0]?.word !== undefined);
  const rows = (list ?? [item]).map(({ word, ...rest }) => ({
    label: word ?? say("score"),
    value: Object.values(rest).find(Number.isFinite),
  }));
  const ranked = rows.filter(({ value }) => value !== undefined);
  return h(
    "section",
    {},
    h("h3", {}, asked.join(" · ")),
    unknown.length > 0 && h("p", { class: "note" }, `${say("unknown-word")}: ${unknown.join(" · ")}`),
    item.odd && h("p", {}, `${say("odd")}: `, h("strong", {}, item.odd)),
    ranked.length > 0 && bars(ranked),
  );
}

/** The queries and their neighbours in the plane, for which their vectors are asked. */
async function surroundings(queries, body, further) {
  const groups = queries.map(({ word, neighbors }) => [word, ...neighbors.map((one) => one.word)]);
  const words = [...new Set(groups.flat())];
  const { variant, language } = body;
  const options = Object.fromEntries(Object.entries({ variant, language }).filter(([, value]) => value !== undefined));
  const vectors = [await further({ action: "vectors", words: words.slice(0, 64), ...options })].flat();
  return plane(vectors, groups);
}

/** The vectors of `items`; each of `groups` is a query and its neighbours, and has a colour. */
function plane(items, groups = []) {
  const known = items.filter(({ vector }) => vector);
  const queries = groups.map(([query]) => query);
  const hue = (word) => {
    const group = queries.includes(word) ? queries.indexOf(word) : groups.findIndex((words) => words.includes(word));
    return HUES[Math.max(group, 0) % HUES.length];
  };
  const at = project(known.map(({ vector }) => vector));
  return scatter(
    known.map(({ word }, place) => ({
      label: word,
      at: at[place],
      strong: groups.length === 0 || queries.includes(word),
      hue: hue(word),
    })),
  );
}
