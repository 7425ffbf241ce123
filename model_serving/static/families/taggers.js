/** Text with its tokens or entities in colour; confidence is the shade. */

import { each } from "../drawing/items.js";
import { h } from "../elements.js";
import { languageOf, percent, say } from "../words.js";

export const preset = { confidence: true };

export function draw(result, body) {
  return each(body.text, result, (text, one) =>
    "entities" in one ? entities(text, one.entities) : tokens(text, one.tokens),
  );
}

function tokens(text, found) {
  const tags = [...new Set(found.map(({ tag }) => tag).filter(Boolean))];
  return [
    h("p", { class: "tagged tokens", lang: languageOf(text) }, marked(text, found)),
    tags.length > 0 &&
      h(
        "ul",
        { class: "legend" },
        tags.map((tag) =>
          h(
            "li",
            {},
            h("span", { class: `swatch ${plain(tag)}`, "--hue": hue(tag) }, tag),
            " ",
            say(`tag.${tag}`, {}, ""),
          ),
        ),
      ),
  ].filter(Boolean);
}

/** Words without tags and punctuation have no colour. */
function plain(tag) {
  return tag === undefined || tag === "w" ? "plain" : "";
}

function entities(text, found) {
  const rows = found.map(({ text: name, start, end, label, confidence }) =>
    h(
      "tr",
      {},
      h("td", { lang: languageOf(name) }, name),
      h("td", {}, h("span", { class: "swatch", "--hue": hue(label) }, label), " ", say(`tag.${label}`, {}, "")),
      h("td", { class: "figure" }, `${start}–${end}`),
      h("td", { class: "figure" }, confidence === undefined ? "" : percent(confidence, 1)),
    ),
  );
  const heads = ["entity", "label", "place", "confidence"].map((name) => h("th", { scope: "col" }, say(name)));
  return [
    h("p", { class: "tagged", lang: languageOf(text) }, marked(text, found)),
    found.length === 0
      ? h("p", { class: "note" }, say("no-entities"))
      : h("table", { class: "entities" }, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows)),
  ];
}

/** The text as sent, each span marked; places count code points. */
function marked(text, spans) {
  const points = Array.from(text);
  const parts = [];
  let done = 0;
  for (const { start, end, tag, label, confidence } of spans) {
    parts.push(points.slice(done, start).join(""), mark(points.slice(start, end).join(""), tag ?? label, confidence));
    done = end;
  }
  return [...parts, points.slice(done).join("")];
}

function mark(text, name, confidence) {
  const title = confidence === undefined ? name : `${name ?? ""} ${percent(confidence, 1)}`;
  return h(
    "mark",
    { title, "--hue": name && hue(name), "--shade": confidence ?? 1, class: plain(name) },
    text,
    name && h("small", {}, name),
  );
}

const PERSON = 310;
const PLACE = 155;
const ORGANISATION = 65;
const HUES = {
  PER: PERSON,
  nr: PERSON,
  LOC: PLACE,
  ns: PLACE,
  ORG: ORGANISATION,
  nt: ORGANISATION,
  n: 250,
  v: 25,
  a: 130,
  d: 195,
  m: 95,
  q: 95,
  p: 345,
  c: 345,
  u: 280,
  r: 220,
  t: 45,
  f: 175,
};

/** A colour for each tag: its own, or its first letter's, or one made of its letters. */
function hue(name) {
  return (
    HUES[name] ?? HUES[name[0]] ?? Array.from(name).reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 360, 7)
  );
}
