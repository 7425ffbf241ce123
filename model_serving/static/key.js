/** The key that opens the service where it asks for one; it stays in this tab until it is closed. */

import { button, h } from "./elements.js";
import { key } from "./request.js";
import { say } from "./words.js";

/** Ask the person for the key, and call `entered` when it is there. */
export function askForKey(entered) {
  const input = h("input", { id: "key", type: "password", name: "key", autocomplete: "off", value: key.get() });
  const dialog = h(
    "dialog",
    { class: "dialog", "aria-labelledby": "key-title", onclose: () => dialog.remove() },
    h(
      "form",
      {
        method: "dialog",
        onsubmit: () => {
          key.set(input.value.trim());
          entered();
        },
      },
      h("h2", { id: "key-title" }, say("key.title")),
      h("p", {}, say("key.why")),
      h("div", { class: "field" }, h("label", { for: "key" }, say("key.key")), input),
      h(
        "div",
        { class: "actions end" },
        button("text", "clear", say("cancel"), () => dialog.close()),
        button("filled", "key", say("key.use"), null, { type: "submit" }),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  input.focus();
}
