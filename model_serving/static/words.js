/** What the page says, in the reader's language; `i18n/<language>.json` holds the words. */

import en from "./i18n/en.json" with { type: "json" };
import zh from "./i18n/zh.json" with { type: "json" };

const WORDS = { en, zh };
const KEPT = "language";

let language = kept() ?? navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in WORDS) ?? "en";

function kept() {
  const tag = localStorage.getItem(KEPT);
  return tag in WORDS ? tag : null;
}

/** The words under `key`, `{name}` replaced by `values.name`; for a key without words `otherwise`, else the key. */
export function say(key, values = {}, otherwise = key) {
  const text = WORDS[language][key] ?? otherwise;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** What a card says in English, in the reader's language where `i18n/<language>.json` has it under `cards`. */
export function cardText(text) {
  return WORDS[language].cards[text] ?? text;
}

/** A number as the language writes it, with `digits` after the point. */
export function number(value, digits = 0) {
  return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A share of one as a percentage. */
export function percent(share, digits = 0) {
  return number(share * 100, digits) + " %";
}

/** The language of a text as far as its script tells: screen readers and fonts ask for it. */
export function languageOf(text) {
  return /\p{Script=Han}/u.test(text) ? "zh" : "en";
}

/** Say all marked elements of the page anew. */
export function translatePage() {
  document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const element of document.querySelectorAll("[data-label]")) element.ariaLabel = say(element.dataset.label);
  for (const element of document.querySelectorAll("[data-card]")) {
    element.textContent = cardText(element.dataset.card);
    element.lang = languageOf(element.textContent);
  }
  for (const heading of document.querySelectorAll("h2[data-family]"))
    heading.textContent = family(heading.dataset.family);
}

/** A family's name for people. */
export function family(name) {
  const plain = name.replaceAll("_", " ");
  return say(`family.${plain}`, {}, plain[0].toUpperCase() + plain.slice(1));
}

/** Take the next language, and remember it. */
export function switchLanguage() {
  const tags = Object.keys(WORDS);
  language = tags[(tags.indexOf(language) + 1) % tags.length];
  localStorage.setItem(KEPT, language);
}
