/** A form made from a request schema: it gives the body to send, and marks the field that an error names. */

import { control, Unreadable } from "./fields.js";
import { h, icon } from "./elements.js";
import { cardText, say } from "./words.js";

/** The fields of a schema as one form. */
export class Form {
  /**
   * @param {object} schema the request schema of a card
   * @param {object} example a body that is answered; its fields stand in view, as do those with a default or a range
   * @param {{ranges?: object, changed?: (name: string) => void}} settings ranges for sliders by field; whom to tell
   */
  constructor(schema, example, { ranges = {}, changed = () => {} } = {}) {
    this.schema = schema;
    this.example = example;
    this.fields = new Map();
    for (const [name, part] of Object.entries(schema.properties)) {
      this.fields.set(
        name,
        this.#field(name, part, ranges[name], () => changed(name)),
      );
    }
    const seen = (name) => name in example || name in ranges || "default" in schema.properties[name];
    const [main] = schema.required;
    const names = [main, ...[...this.fields.keys()].filter((name) => name !== main)];
    const elements = (choice) => names.filter(choice).map((name) => this.fields.get(name).element);
    const more = elements((name) => !seen(name));
    this.more = h("details", { class: "more" }, h("summary", {}, say("more")), h("div", { class: "fields" }, more));
    this.more.hidden = more.length === 0;
    this.element = h("div", {}, h("div", { class: "fields" }, elements(seen)), this.more);
  }

  /** The body to send. A field at its default is left out, unless the example holds it. */
  read() {
    const body = {};
    for (const [name, field] of this.fields) {
      const value = this.#value(name, field);
      const usual = value === this.schema.properties[name].default && !(name in this.example);
      if (value !== undefined && !usual) body[name] = value;
    }
    return body;
  }

  /** Show a body. */
  write(body) {
    for (const [name, field] of this.fields) {
      field.write(body[name] ?? this.schema.properties[name].default);
      this.more.open ||= name in body && this.more.contains(field.element);
    }
  }

  /** Mark the field that an error is about, and go there. */
  mark({ path = "$", message }) {
    const named = /^\$\.(\w+)(?:\[(\d+)\])?/.exec(path) ?? /^'(\w+)' is a required property$/.exec(message);
    const field = named && this.fields.get(named[1]);
    if (!field) return;
    const place = named[2] === undefined ? null : Number(named[2]);
    const where = place !== null && field.point ? say("line", { place: place + 1 }) + " " : "";
    field.input.setAttribute("aria-invalid", "true");
    field.error.replaceChildren(icon("error"), h("span", {}, where + message));
    field.error.hidden = false;
    const folded = field.element.closest("details");
    if (folded) folded.open = true;
    (field.input.matches("input, select, textarea") ? field.input : field.input.querySelector("input")).focus();
    if (where) field.point(place);
  }

  /** Take all marks away. */
  unmark() {
    for (const { input, error } of this.fields.values()) {
      input.removeAttribute("aria-invalid");
      error.hidden = true;
      error.replaceChildren();
    }
  }

  #value(name, field) {
    try {
      return field.read();
    } catch (error) {
      if (error instanceof Unreadable) error.path = `$.${name}`;
      throw error;
    }
  }

  #field(name, part, range, changed) {
    const id = `field-${name}`;
    const made = control(id, part, { name, range, changed, required: this.schema.required.includes(name) });
    const error = h("p", { class: "error", id: `${id}-error`, hidden: true });
    const hint = h("p", { class: "hint", id: `${id}-hint` }, cardText(part.description ?? ""));
    made.input.setAttribute("aria-describedby", `${id}-hint ${id}-error`);
    const label = made.input.matches("input, select, textarea") ? { for: id } : {};
    const kind = made.element.classList.contains("switch") ? "inline" : made.wide ? "wide" : "";
    const element = h(
      "div",
      { class: `field ${kind}`, "data-name": name },
      h("label", { id: `${id}-label`, ...label }, name),
      made.element,
      made.beside ? h("div", { class: "below" }, hint, made.beside) : hint,
      error,
    );
    return { ...made, element, error };
  }
}
