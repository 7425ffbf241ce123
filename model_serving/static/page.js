/** The page: which model is chosen, and in which language it speaks. The address keeps the choice: `/#HMM`. */

import { button } from "./elements.js";
import { askForKey } from "./key.js";
import { Panel } from "./panel.js";
import { key } from "./request.js";
import { say, switchLanguage, translatePage } from "./words.js";

const main = document.getElementById("main");
const links = [...document.querySelectorAll("a[data-model]")];
const wide = matchMedia("(min-width: 60rem)");
let panel = null;

function models() {
  return links.map((link) => ({
    link,
    name: link.dataset.model,
    family: link.dataset.family,
    href: link.dataset.href,
    summary: link.querySelector("small").dataset.card,
  }));
}

/** Open what the address names; without a name, the first model where there is room beside the list. */
function route(event) {
  const all = models();
  const named = all.find(({ name }) => location.hash === `#${name}`);
  const chosen = named ?? (wide.matches ? all[0] : null);
  for (const { link, name } of all) link.ariaCurrent = name === chosen?.name ? "page" : null;
  document.body.classList.toggle("chosen", Boolean(named));
  document.title = chosen ? `${chosen.name} · ${say("title")}` : say("title");
  if (event && !chosen) all.find(({ name }) => name === panel?.model.name)?.link.focus();
  if (!chosen || chosen.name === panel?.model.name) return;
  panel?.cancel();
  panel = new Panel(chosen);
  main.replaceChildren(panel.element);
  const opened = panel.open();
  if (event) opened.then(() => document.getElementById("panel-title").focus());
}

/** Say everything in the language of now. */
function speak() {
  translatePage();
  route();
  document.getElementById("tools").replaceChildren(
    key.get() ? button("icon", "key", say("key.title"), () => askForKey(() => panel?.open())) : "",
    button("text", "language", say("other-language"), () => {
      switchLanguage();
      speak();
      panel?.translate();
    }),
  );
}

for (const link of links) {
  link.dataset.href = link.getAttribute("href");
  link.setAttribute("href", `#${link.dataset.model}`);
}
speak();
addEventListener("hashchange", route);
addEventListener("keychange", speak);
wide.addEventListener("change", () => route());
