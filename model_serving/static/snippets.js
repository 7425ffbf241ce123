/** A request as a person would send it from elsewhere. The key itself is never shown. */

import { button, h, icon, tabs } from "./elements.js";
import { key } from "./request.js";
import { say } from "./words.js";

/** The request as a line for a shell. */
export function curl(url, body) {
  const quoted = JSON.stringify(body).replaceAll("'", "'\\''");
  const shown = key.get() ? ` -H "X-API-Key: $KEY"` : "";
  return `curl ${url} -H 'Content-Type: application/json'${shown} -d '${quoted}'`;
}

/** The request as a page sends it. */
export function fetchLines(url, body) {
  const indented = JSON.stringify(body, null, 2).replaceAll("\n", "\n  ");
  const shown = key.get() ? `, "X-API-Key": key` : "";
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: "POST",
  headers: { "Content-Type": "application/json"${shown} },
  body: JSON.stringify(${indented}),
});
const answer = await response.json();
if (!response.ok) throw new Error(answer.message);
console.log(answer.result);`;
}

/** Tabs with the curl line, the fetch lines and the answer as it came. */
export function snippets(href, body, answer) {
  const url = new URL(href, location.href).href;
  return tabs(say("request-and-answer"), [
    ["curl", code("curl", curl(url, body))],
    ["fetch", code("fetch", fetchLines(url, body))],
    ["JSON", code("json", JSON.stringify(answer, null, 2))],
  ]);
}

function code(name, text) {
  const shown = h("pre", { class: name, tabindex: "0", role: "region", "aria-label": name }, h("code", {}, text));
  const copy = button("icon", "copy", say("copy"), () => {
    getSelection().selectAllChildren(shown);
    document.execCommand("copy"); // navigator.clipboard is not there over plain HTTP
    copy.replaceChildren(icon("done"));
    document.getElementById("status").textContent = say("copied");
  });
  return h("div", { class: "code" }, shown, copy);
}
