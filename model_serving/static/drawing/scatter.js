/** Labelled points in the plane. */

import { h, svg } from "../elements.js";
import { say } from "../words.js";

const MARGIN = 36;
const APART = 15; // between two lines of text
const LETTER = 12; // the width of one

/** @param {{label: string, at: number[], strong?: boolean, hue?: number}[]} points `at` in units of any size */
export function scatter(points) {
  const [width, height] = matchMedia("(max-width: 40rem)").matches ? [360, 360] : [720, 420];
  const across = points.map(({ at }) => at[0]);
  const down = points.map(({ at }) => -at[1]);
  const [x, y] = [scale(across, MARGIN, width - 2.5 * MARGIN), scale(down, MARGIN, height - MARGIN)];
  const placed = points.map((point, place) => ({ ...point, x: x(across[place]), y: y(down[place]) }));
  const labels = spread(placed);
  const dots = placed.map(({ label, strong, hue, x, y }, place) =>
    svg(
      "g",
      { class: strong ? "strong" : "", "--hue": hue ?? 255 },
      svg("circle", { cx: x, cy: y, r: strong ? 7 : 5 }, svg("title", {}, label)),
      svg("text", { x: x + 10, y: labels[place] + 4 }, label),
    ),
  );
  const names = points.map(({ label }) => label).join(", ");
  return h(
    "figure",
    {},
    h("figcaption", {}, say("plane")),
    svg(
      "svg",
      { class: "scatter", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${say("plane")}: ${names}` },
      dots,
    ),
  );
}

function scale(values, start, end) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return (value) => (most > least ? start + ((value - least) / (most - least)) * (end - start) : (start + end) / 2);
}

/** The height of each label, pushed down where it would cover one to its side. */
function spread(points) {
  const heights = points.map(({ y }) => y);
  const order = points.map((_, place) => place).sort((one, other) => points[one].y - points[other].y);
  order.forEach((place, rank) => {
    for (const before of order.slice(0, rank)) {
      const longest = Math.max(points[before].label.length, points[place].label.length);
      const near = Math.abs(points[before].x - points[place].x) < LETTER * longest;
      if (near && heights[place] < heights[before] + APART) heights[place] = heights[before] + APART;
    }
  });
  return heights;
}
