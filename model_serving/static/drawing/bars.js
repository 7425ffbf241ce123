/** A ranked list in which the length of a bar tells the number. */

import { h } from "../elements.js";
import { number } from "../words.js";

/**
 * @param {{label: string, value: number, text?: string}[]} rows in their order; bars begin at the lowest of 0 and `least`
 * @param {{least?: number, most?: number, digits?: number}} scale
 */
export function bars(rows, { least = 0, most = 1, digits = 3 } = {}) {
  return h("ol", { class: "bars" }, rows.map(({ label, value, text }) => {
    const share = Math.min(1, Math.max(0, (value - least) / (most - least)));
    return h("li", {},
      h("span", { class: "label" }, label),
      h("span", { class: "bar", "--share": `${share * 100}%`, "aria-hidden": "true" }),
      h("span", { class: "value" }, text ?? number(value, digits)));
  }));
}
