/** An answer as people see it: the family's picture, how long it took, and the request to send it from elsewhere. */

import { pictureOf } from "./families/index.js";
import { h, icon } from "./elements.js";
import { snippets } from "./snippets.js";
import { number, say } from "./words.js";

/**
 * @param {{family: string, href: string}} model
 * @param {object} body what was asked
 * @param {{answer: {result: any}, milliseconds?: number, id?: string}} reply without a time, the card's example
 * @param {(body: object) => Promise<object>} further asks the same model for more and gives the result
 */
export function showAnswer(model, body, reply, further) {
  const { answer, milliseconds, id } = reply;
  const caption = milliseconds === undefined ? say("from-card") : say("took", { time: number(milliseconds) });
  return [
    h("p", { class: "caption" }, h("span", {}, caption), id && h("span", { class: "id" }, `X-Request-ID ${id}`)),
    picture(model.family, answer.result, body, further),
    snippets(model.href, body, answer),
  ];
}

/** A family without a picture, or an answer its picture can not read, is shown as JSON. */
function picture(family, result, body, further) {
  const plain = h(
    "pre",
    { tabindex: "0", role: "region", "aria-label": `${say("answer")}: JSON` },
    JSON.stringify(result, null, 2),
  );
  const { draw = () => plain } = pictureOf(family);
  try {
    return h("div", { class: "picture" }, draw(result, body, further));
  } catch (error) {
    reportError(error);
    return h("div", { class: "picture" }, plain);
  }
}

/** A failure in words, with what was sent. */
export function showFailure(model, body, failure) {
  const advice = failure.retryAfter ? ` ${say("retry", { seconds: failure.retryAfter })}` : "";
  const details = [failure.status || null, failure.code, failure.path, failure.id].filter(Boolean);
  return [
    h(
      "div",
      { class: "failure", role: "alert" },
      icon("error"),
      h(
        "div",
        {},
        h("p", {}, h("strong", {}, say(`code.${failure.code}`, {}, say("code.other"))), advice),
        h("p", { lang: "en" }, failure.message),
        h("p", { class: "details" }, details.join(" · ")),
      ),
    ),
    body && snippets(model.href, body, { message: failure.message, code: failure.code, path: failure.path }),
  ].filter(Boolean);
}
