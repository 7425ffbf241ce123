/** Pictures in a grid; from one seed to another they change under a slider. A moved slider draws anew. */

import { h } from "../elements.js";
import { number, say } from "../words.js";

export const preset = { scores: true };
export const ranges = { seed: [0, 99], from_seed: [0, 99], to_seed: [0, 99], steps: [2, 16], label: [0, 9] };
export const live = true;

const ROWS = 4; // to begin a walk with

/** A walk between two seeds needs both and takes no third; leaving it drops what belongs to it. */
export function settle(body, name) {
  const { seed, from_seed: from, to_seed: to, steps, ...rest } = body;
  const leaves = from === undefined || (name === "seed" && seed !== undefined);
  if (leaves) return seed === undefined ? rest : { ...rest, seed };
  const begins = to === undefined && { count: Math.min(rest.count, ROWS) };
  return { ...rest, ...begins, from_seed: from, to_seed: to ?? from + 1, steps: steps ?? 8 };
}

export function draw(result, body) {
  const rows = body.steps ? chunks(result.images, body.steps) : [result.images];
  const scores = body.steps ? [] : (result.scores ?? []);
  const captions = body.steps ? null : rows[0].map((_, place) => (scores[place] === undefined ? "" : number(scores[place], 2)));
  return [
    body.steps && walk(rows),
    ...rows.map((row) => h("div", { class: "grid" }, row.map((image, place) => tile(image, place, captions?.[place])))),
    h("p", { class: "caption" }, seeds(result, body), scores.length > 0 && ` · ${say("realism")}`),
  ].filter(Boolean);
}

function seeds(result, body) {
  return body.steps ? `${say("seeds")} ${body.from_seed} → ${body.to_seed}` : `${say("seed")} ${result.seed ?? ""}`;
}

function tile(image, place, caption) {
  return h("figure", { class: "tile" }, picture(image, say("picture", { place: place + 1 })), caption && h("figcaption", {}, caption));
}

/** One picture of each row, large; the slider walks along all rows at once. */
function walk(rows) {
  const shown = h("div", { class: "walk" });
  const show = (step) => shown.replaceChildren(...rows.map((row) => picture(row[step], say("step", { step: step + 1 }))));
  const slider = h("input", { type: "range", min: 0, max: rows[0].length - 1, value: 0, "aria-label": say("walk"),
    oninput: () => show(Number(slider.value)) });
  show(0);
  return h("div", {}, shown, slider);
}

function picture(image, alt) {
  return typeof image === "string" ? h("img", { src: `data:image/png;base64,${image}`, alt }) : canvas(image, alt);
}

/** An array of rows of grey or colour values from 0 to 255. */
function canvas(rows, alt) {
  const element = h("canvas", { width: rows[0].length, height: rows.length, role: "img", "aria-label": alt });
  const pixels = rows.flat().flatMap((value) => (Array.isArray(value) ? [...value, 255] : [value, value, value, 255]));
  element.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(pixels), rows[0].length), 0, 0);
  return element;
}

function chunks(images, size) {
  if (Array.isArray(images[0]) && typeof images[0][0] === "string") return images;
  return Array.from({ length: Math.ceil(images.length / size) }, (_, row) => images.slice(row * size, (row + 1) * size));
}
