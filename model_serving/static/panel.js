/** One model on the page: its form, its answers, and the request that runs. */

import { about } from "./about.js";
import { showAnswer, showFailure } from "./answer.js";
import { button, h } from "./elements.js";
import { pictureOf } from "./families/index.js";
import { Unreadable } from "./fields.js";
import { Form } from "./form.js";
import { askForKey } from "./key.js";
import { ask, Failure } from "./request.js";
import { cardText, family, languageOf, number, say } from "./words.js";

const PAUSE = 150; // milliseconds without a change before a live form is sent
const SEEN = 150; // pixels of an answer that need no scrolling

/** The panel of a model; `element` is the page's part it fills. */
export class Panel {
  #running = null;
  #timer = 0;
  #shown = null; // what stands in the answer, to be shown again in another language

  /** @param {{name: string, family: string, href: string, summary: string}} model as the list says */
  constructor(model) {
    this.model = model;
    this.element = h("article", { class: "panel", "aria-labelledby": "panel-title" });
    this.picture = pictureOf(model.family);
  }

  /** Fetch the card and show it with its example. */
  async open() {
    this.element.replaceChildren(this.#head(), h("p", { class: "note" }, say("loading")));
    try {
      this.card = (await ask(this.model.href)).answer;
      this.#shown = { body: this.card.example.request, reply: { answer: this.card.example.response } };
      this.show(this.#beginning());
    } catch (failure) {
      this.element.replaceChildren(
        this.#head(),
        h(
          "div",
          { class: "card" },
          showFailure(this.model, null, failure),
          button("tonal", "reset", say("again"), () => this.open()),
        ),
      );
      if (failure.status === 401) askForKey(() => this.open());
    }
  }

  /** Say everything anew in the language of now, keeping what the form holds where it can be read. */
  translate() {
    if (!this.card) return this.open();
    this.cancel();
    try {
      return this.show(this.form.read());
    } catch {
      return this.show(this.#beginning());
    }
  }

  /** Lay out the form, filled with `body`, and the answer. */
  show(body) {
    this.form = new Form(this.card.request_schema, this.card.example.request, {
      ranges: this.picture.ranges,
      changed: (name) => this.#changed(name),
    });
    this.form.write(body);
    this.run = button("filled", "run", say("run"), null, { type: "submit" });
    this.stop = button("tonal", "stop", say("cancel"), () => this.cancel(), { hidden: true });
    const reset = button("text", "reset", say("example"), () => this.form.write(this.#beginning()));
    this.answer = h("section", { class: "card answer", "aria-label": say("answer") });
    const form = h(
      "form",
      {
        class: "card",
        novalidate: true,
        "aria-label": say("request"),
        onsubmit: (event) => this.#submit(event),
        onkeydown: (event) => this.#key(event),
      },
      this.form.element,
      h("div", { class: "actions" }, this.run, this.stop, reset),
    );
    this.element.replaceChildren(this.#head(), form, this.answer, about(this.card, this.model.href));
    if (this.#shown) this.#draw();
  }

  /** Stop waiting; the connection is closed, and the service drops what it has not begun. */
  cancel() {
    clearTimeout(this.#timer);
    this.#running?.abort();
  }

  #head() {
    const summary = cardText(this.model.summary);
    return h(
      "header",
      {},
      h("p", { class: "overline" }, family(this.model.family)),
      h("h2", { id: "panel-title", tabindex: "-1" }, this.model.name),
      h("p", { lang: languageOf(summary) }, summary),
    );
  }

  /** The example, with the values its family likes to begin with as far as the model has the fields. */
  #beginning() {
    const known = this.card.request_schema.properties;
    const preset = Object.entries(this.picture.preset ?? {}).filter(([name]) => name in known);
    return { ...this.card.example.request, ...Object.fromEntries(preset) };
  }

  #changed(name) {
    if (this.picture.settle) {
      try {
        this.form.write(this.picture.settle(this.form.read(), name));
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
      }
    }
    if (!this.picture.live) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), PAUSE);
  }

  #key(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#submit(event);
    if (event.key === "Escape") this.cancel();
  }

  async #submit(event) {
    event.preventDefault();
    await this.#send();
    const below = this.answer.getBoundingClientRect().top > innerHeight - SEEN;
    if (below && this.#shown.reply) this.answer.scrollIntoView();
  }

  async #send() {
    this.cancel();
    this.form.unmark();
    const running = (this.#running = new AbortController());
    this.#busy(true);
    let body = null;
    try {
      body = this.form.read();
      const reply = await ask(this.model.href, { body, signal: running.signal });
      this.#show({ body, reply }, say("took", { time: number(reply.milliseconds) }));
    } catch (failure) {
      if (this.#running === running) this.#fail(body, failure);
    } finally {
      if (this.#running === running) this.#busy(false);
    }
  }

  #fail(body, failure) {
    if (failure.name === "AbortError") {
      announce(say("cancelled"));
      this.answer.querySelector(".cancelled")?.remove();
      this.answer.prepend(h("p", { class: "note cancelled" }, say("cancelled")));
      return;
    }
    if (!(failure instanceof Failure || failure instanceof Unreadable)) throw failure;
    this.#show({ body, failure });
    this.form.mark(failure);
    if (failure.status === 401) askForKey(() => this.#send());
  }

  #busy(now) {
    this.stop.hidden = !now;
    this.answer.ariaBusy = now;
    if (now) announce(say("running"));
    else this.#running = null;
  }

  #show(shown, message) {
    this.#shown = shown;
    this.#draw();
    if (message) announce(message);
  }

  #draw() {
    const { body, reply, failure } = this.#shown;
    const further = async (more) => (await ask(this.model.href, { body: more })).answer.result;
    this.answer.replaceChildren(
      ...(failure ? showFailure(this.model, body, failure) : showAnswer(this.model, body, reply, further)),
    );
  }
}

function announce(message) {
  document.getElementById("status").textContent = message;
}
