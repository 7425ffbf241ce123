/** Labelled points in the plane. */

import { h, svg } from "../elements.js";
import { say } from "../words.js";

const MARGIN = 36;
const [NARROW, WIDE, HIGH] = [7.5, 13, 15]; // a Latin letter, a Chinese one, a line
const AWAY = 9; // from a point to its label

/** @param {{label: string, at: number[], strong?: boolean, hue?: number}[]} points `at` in units of any size */
export function scatter(points) {
  const [width, height] = matchMedia("(max-width: 40rem)").matches ? [360, 360] : [720, 420];
  const across = points.map(({ at }) => at[0]);
  const down = points.map(({ at }) => -at[1]);
  const [x, y] = [scale(across, MARGIN, width - MARGIN), scale(down, MARGIN, height - MARGIN)];
  const placed = points.map((point, place) => ({ ...point, x: x(across[place]), y: y(down[place]) }));
  const boxes = labels(placed, width);
  const texts = placed.map(({ label, strong }, place) =>
    svg("text", { class: strong ? "strong" : null, x: boxes[place].left, y: boxes[place].top + HIGH - 3 }, label),
  );
  const dots = placed.map(({ strong, hue, x, y }) =>
    svg("circle", { class: strong ? "strong" : null, cx: x, cy: y, r: strong ? 7 : 5, "--hue": hue ?? 255 }),
  );
  const name = `${say("plane")}: ${points.map(({ label }) => label).join(", ")}`;
  return h(
    "figure",
    {},
    h("figcaption", {}, say("plane")),
    svg("svg", { class: "scatter", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name }, texts, dots),
  );
}

function scale(values, start, end) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return (value) => (most > least ? start + ((value - least) / (most - least)) * (end - start) : (start + end) / 2);
}

/** A box for each label, the strong ones first: beside, above or below its point, the first place that is free. */
function labels(points, width) {
  const dots = points.map(({ x, y }) => ({ left: x - 5, right: x + 5, top: y - 5, bottom: y + 5 }));
  const boxes = new Array(points.length);
  const order = [...points.keys()].sort((one, other) => Boolean(points[other].strong) - Boolean(points[one].strong));
  for (const place of order) {
    const taken = [...dots.filter((_, other) => other !== place), ...boxes.filter(Boolean)];
    const free = (box) => box.left > 0 && box.right < width && !taken.some((other) => overlap(box, other));
    const choices = around(points[place]);
    boxes[place] = choices.find(free) ?? choices[0];
  }
  return boxes;
}

function around({ label, x, y }) {
  const wide = Array.from(label).reduce((sum, letter) => sum + (letter > "\u2e80" ? WIDE : NARROW), 0);
  const box = (left, top) => ({ left, top, right: left + wide, bottom: top + HIGH });
  const [right, left, middle] = [x + AWAY, x - AWAY - wide, x - wide / 2];
  return [
    box(right, y - HIGH / 2),
    box(left, y - HIGH / 2),
    box(middle, y - AWAY - HIGH),
    box(middle, y + AWAY),
    ...[-1, 1].flatMap((side) => [box(right, y + side * HIGH - HIGH / 2), box(left, y + side * HIGH - HIGH / 2)]),
  ];
}

function overlap(one, other) {
  const across = one.left < other.right && other.left < one.right;
  return across && one.top < other.bottom && other.top < one.bottom;
}
