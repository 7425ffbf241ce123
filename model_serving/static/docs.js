// Gives the service's description to the API browser; where a key is asked for, takes it from the form and keeps it
// in this page only.
const explorer = document.querySelector("openapi-explorer");
const form = document.querySelector("form");
const alert = document.querySelector("[role=alert]");

function say(message) {
  alert.textContent = message;
  alert.hidden = !message;
}

async function load(key) {
  const answer = await fetch("/v1/openapi.json", { headers: key ? { "X-API-Key": key } : {} });
  const body = await answer.json();
  const asksForKey = answer.status === 401;
  form.hidden = !asksForKey;
  say(answer.ok || (asksForKey && !key) ? "" : body.message);
  if (answer.ok) await show(body, key);
}

async function show(description, key) {
  explorer.toggleAttribute("hide-authentication", !key);
  explorer.hidden = false;
  await explorer.loadSpec(description);
  if (key) await explorer.setAuthenticationConfiguration("key", { token: key });
}

function start(key) {
  load(key).catch((error) => say(error.message));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  start(form.elements.key.value);
});
await customElements.whenDefined("openapi-explorer");
start();
