/** A control for each kind of field that a request schema can hold: it shows a value, and reads one back. */

import { button, h } from "./elements.js";
import { say } from "./words.js";

const FEW = 5; // choices that stand side by side
const LONG = 24; // letters of choices that take a row of their own
const SHORT = 200; // characters of a line
const WIDE = 1000; // steps of a slider

/** A value that the person wrote and that can not be sent. */
export class Unreadable extends Error {}

/**
 * The control for one field.
 *
 * @param {string} id of its element, for labels
 * @param {object} part the field's schema
 * @param {{name: string, range?: [number, number], required: boolean, changed: () => void}} settings its name; a range
 *   for its slider; whether it must be there; whom to tell of changes
 * @returns {{element: Element, input: Element, beside?: Element, wide?: boolean, read: () => any,
 *   write: (value: any) => void, point?: (place: number) => void}} `beside` stands with the hint; `read` gives
 *   undefined for a field left out; `point` selects an item of a list
 */
export function control(id, part, settings) {
  const kinds = [part.type].flat();
  if (part.enum) return part.enum.length > FEW ? menu(id, part, settings) : segments(id, part, settings);
  if (kinds.includes("boolean")) return toggle(id, part, settings);
  if (kinds.includes("integer") || kinds.includes("number")) return quantity(id, part, settings);
  if (kinds.length > 1 && kinds.includes("array") && part.items.type === "string") return lines(id, part, settings);
  if (kinds.includes("string")) return line(id, part, settings);
  if (kinds.includes("array") && part.items?.type === "string") return lines(id, part, settings);
  if (kinds.includes("array") && part.items?.items?.type === "string") return lists(id, part, settings);
  return json(id, part, settings);
}

function segments(id, part, { changed, required }) {
  const values = required || part.default !== undefined ? part.enum : [undefined, ...part.enum];
  const choices = values.map((value, place) => {
    const input = h("input", { type: "radio", name: id, id: `${id}-${place}`, onchange: changed });
    return { value, input, label: h("label", { for: input.id }, input, h("span", {}, value ?? say("left-out"))) };
  });
  const element = h(
    "div",
    { class: "segments", role: "radiogroup", id, "aria-labelledby": `${id}-label` },
    choices.map((choice) => choice.label),
  );
  return {
    element,
    input: element,
    wide: part.enum.join("").length > LONG,
    read: () => choices.find((choice) => choice.input.checked)?.value,
    write: (value) => choices.forEach((choice) => (choice.input.checked = choice.value === value)),
  };
}

function menu(id, part, { changed }) {
  const none = part.default === undefined ? [h("option", { value: "-1" }, say("left-out"))] : [];
  const options = part.enum.map((value, place) => h("option", { value: place }, String(value)));
  const input = h("select", { id, onchange: changed }, none, options);
  return {
    element: input,
    input,
    read: () => part.enum[input.value],
    write: (value) => (input.value = part.enum.indexOf(value)),
  };
}

function toggle(id, part, { changed }) {
  const input = h("input", { type: "checkbox", role: "switch", id, onchange: changed });
  return {
    element: h("span", { class: "switch" }, input, h("span", { class: "track", "aria-hidden": "true" })),
    input,
    read: () => input.checked,
    write: (value) => (input.checked = value === true),
  };
}

/** A number, with a slider where its range is short enough for one, and a way to leave it out where that means more. */
function quantity(id, part, { name, range, changed, required }) {
  const whole = [part.type].flat()[0] === "integer";
  const [least, most] = range ?? [part.minimum, part.maximum];
  const step = whole ? 1 : 10 ** Math.floor(Math.log10((most - least) / 20 || 1));
  const input = h("input", {
    type: "number",
    id,
    step: whole ? 1 : "any",
    inputmode: whole ? "numeric" : "decimal",
    placeholder: say("left-out"),
    onchange: changed,
  });
  const slides = most - least <= WIDE * step;
  const slider =
    slides && h("input", { type: "range", min: least, max: most, step, "aria-label": `${name} ${say("slider")}` });
  const optional = part.default === undefined && !required;
  const clear = optional && button("icon", "clear", say("leave-out", { name }), () => put(undefined));
  const follow = () => {
    if (slider) slider.value = input.value === "" ? least : input.value;
    if (clear) clear.hidden = input.value === "";
  };
  const write = (value) => {
    input.value = value ?? "";
    follow();
  };
  const put = (value) => {
    write(value);
    changed();
  };
  input.addEventListener("input", follow);
  if (slider) slider.addEventListener("input", () => put(slider.value));
  return {
    element: h("div", { class: "quantity" }, slider, input, clear),
    input,
    read: () => (input.value === "" ? undefined : Number(input.value)),
    write,
  };
}

function line(id, part, { changed, required }) {
  const input =
    part.maxLength <= SHORT
      ? h("input", { type: "text", id, onchange: changed, autocomplete: "off" })
      : h("textarea", { id, rows: 3, onchange: changed });
  return {
    element: input,
    input,
    wide: input.localName === "textarea",
    read: () => (input.value === "" && !required ? undefined : input.value),
    write: (value) => (input.value = value ?? ""),
  };
}

/** One text, or a list of them with an item on each line. */
function lines(id, part, { changed, required }) {
  const either = [part.type].flat().includes("string");
  const input = h("textarea", { id, rows: 3, onchange: changed });
  const list = h("input", { type: "checkbox", id: `${id}-list`, onchange: changed });
  const choice = either && h("label", { class: "check", for: list.id }, list, h("span", {}, say("each-line")));
  const split = () => input.value.split("\n");
  return {
    element: input,
    input,
    beside: choice,
    wide: true,
    read: () => {
      if (input.value === "" && !required) return undefined;
      return either && !list.checked
        ? input.value
        : split().filter((text, place, all) => text || place < all.length - 1);
    },
    write: (value) => {
      list.checked = Array.isArray(value);
      input.value = [value ?? ""].flat().join("\n");
    },
    point: (place) => selectLine(input, place),
  };
}

/** Lists of words, each on a line; where the schema has it, a lone line is one list and no list of lists. */
function lists(id, part, { changed }) {
  const lone = [part.items.type].flat().includes("string");
  const input = h("textarea", { id, rows: 2, onchange: changed, placeholder: say("words-of-a-line") });
  return {
    element: input,
    input,
    wide: true,
    read: () => {
      const all = input.value
        .split("\n")
        .map((text) => text.split(/[\s,，、]+/).filter(Boolean))
        .filter((words) => words.length > 0);
      if (all.length === 0) return undefined;
      return lone && all.length === 1 ? all[0] : all;
    },
    write: (value = []) => {
      const all = value.length > 0 && !Array.isArray(value[0]) ? [value] : value;
      input.value = all.map((words) => words.join(" ")).join("\n");
    },
    point: (place) => selectLine(input, place),
  };
}

function selectLine(input, place) {
  const all = input.value.split("\n");
  if (place >= all.length) return;
  const start = all.slice(0, place).join("\n").length + (place > 0 ? 1 : 0);
  input.setSelectionRange(start, start + all[place].length);
}

/** Anything else, written as JSON. */
function json(id, part, { changed }) {
  const input = h("textarea", { id, rows: 3, class: "mono", spellcheck: "false", onchange: changed });
  return {
    element: input,
    input,
    wide: true,
    read: () => {
      if (input.value.trim() === "") return undefined;
      try {
        return JSON.parse(input.value);
      } catch (error) {
        throw new Unreadable(say("no-json", { reason: error.message }));
      }
    },
    write: (value) => (input.value = value === undefined ? "" : JSON.stringify(value)),
  };
}
