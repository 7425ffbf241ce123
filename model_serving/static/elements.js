/** Elements made in one line each; text is always text, never markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element: `h("button", { type: "button", onclick: run, "--hue": 40 }, icon("run"), "Run")`.
 * Names that begin with `on` are listeners, with `--` custom properties; false, null and undefined leave out.
 */
export function h(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same for SVG. */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A symbol of the page's sprite. */
export function icon(name) {
  return svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: `#icon-${name}` }));
}

/** A button of Material's kinds: `filled`, `tonal`, `text`, `icon`. */
export function button(kind, symbol, label, onclick, attributes = {}) {
  const named = kind === "icon" ? { "aria-label": label, title: label } : {};
  const text = kind === "icon" ? null : h("span", {}, label);
  return h("button", { type: "button", class: `button ${kind}`, onclick, ...named, ...attributes }, icon(symbol), text);
}

/** Panes of which one is seen; arrow keys move between their tabs. `panes` is `[[label, element], ...]`. */
export function tabs(label, panes) {
  const id = `tabs-${Math.random().toString(36).slice(2)}`;
  const buttons = panes.map(([text], place) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `${id}-tab-${place}`,
        "aria-controls": `${id}-${place}`,
        onclick: () => select(place),
      },
      text,
    ),
  );
  const bodies = panes.map(([, body], place) =>
    h("div", { role: "tabpanel", id: `${id}-${place}`, "aria-labelledby": `${id}-tab-${place}` }, body),
  );
  const select = (chosen) =>
    buttons.forEach((tab, place) => {
      tab.setAttribute("aria-selected", place === chosen);
      tab.tabIndex = place === chosen ? 0 : -1;
      bodies[place].hidden = place !== chosen;
    });
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = (buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length;
    select(next);
    buttons[next].focus();
  };
  select(0);
  return h(
    "div",
    { class: "tabs" },
    h("div", { role: "tablist", "aria-label": label, onkeydown: move }, buttons),
    bodies,
  );
}

/** A part that scrolls by itself, by keyboard too. */
export function scroller(label, ...children) {
  return h("div", { class: "scroller", role: "region", tabindex: "0", "aria-label": label }, children);
}
