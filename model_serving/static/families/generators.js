/** Pictures in a grid; from one seed to another they change under a slider. A moved slider draws anew. */

import { h } from "../elements.js";
import { number, say } from "../words.js";

export const preset = { scores: true, count: 16 };
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
  const { images, labels, scores, steps, seed, from_seed: from, to_seed: to } = { ...body, ...result };
  const tiles = images.map((image, place) => ({ image, place, label: labels?.[place], score: scores?.[place] }));
  const rows = steps ? chunks(tiles, steps) : [tiles];
  const origin = steps ? `${say("seeds")} ${from} → ${to}` : `${say("seed")} ${seed}`;
  return [
    steps && walk(rows),
    ...rows.map((row) => h("div", { class: "grid" }, row.map(tile))),
    h("p", { class: "caption" }, origin, Array.isArray(scores) && ` · ${say("realism")}`),
  ].filter(Boolean);
}

function tile({ image, place, label, score }) {
  const caption = [label, Number.isFinite(score) && number(score, 2)].filter(Boolean).join(" · ");
  return h("figure", { class: "tile" }, picture(image, alt(place, label)), caption && h("figcaption", {}, caption));
}

function alt(place, label) {
  return say("picture", { place: place + 1 }) + (label === undefined ? "" : `: ${label}`);
}

/** One picture of each row, large; the slider walks along all rows at once. */
function walk(rows) {
  const shown = h("div", { class: "walk" });
  const show = (step) =>
    shown.replaceChildren(...rows.map((row) => picture(row[step].image, alt(row[step].place, row[step].label))));
  const slider = h("input", {
    type: "range",
    min: 0,
    max: rows[0].length - 1,
    value: 0,
    "aria-label": say("walk"),
    oninput: () => show(Number(slider.value)),
  });
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

function chunks(all, size) {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, row) => all.slice(row * size, (row + 1) * size));
}
