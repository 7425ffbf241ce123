/** Requests with one item or a list of them are drawn alike. */

import { h } from "../elements.js";

/** Draw each item with its result; in a list each stands in a part of its own, numbered. */
export function each(items, result, draw) {
  if (!Array.isArray(result)) return draw(Array.isArray(items) ? items[0] : items, result);
  const parts = result.map((one, place) => h("li", {}, draw(items[place], one)));
  return h("ol", { class: "items" }, parts);
}
