/** A ranked list in which the length of a bar tells the number. */

import { h } from "../elements.js";
import { number } from "../words.js";

/** @param {{label: string, value: number, text?: string}[]} rows in order; a bar is whole at 1, none below 0 */
export function bars(rows) {
  return h(
    "ol",
    { class: "bars" },
    rows.map(({ label, value, text }) => {
      const share = Math.min(1, Math.max(0, value));
      return h(
        "li",
        {},
        h("span", { class: "label" }, label),
        h("span", { class: "bar", "--share": `${share * 100}%`, "aria-hidden": "true" }),
        h("span", { class: "value" }, text ?? number(value, 3)),
      );
    }),
  );
}
