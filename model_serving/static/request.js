/** One way to the service: with the key where there is one, timed, and every failure a `Failure` in words. */

const KEPT = "key";

/** A request that was not answered with 200. */
export class Failure extends Error {
  constructor({ message, code, path, request_id: id }, status, retryAfter) {
    super(message);
    Object.assign(this, { code, path, id, status, retryAfter });
  }
}

/** The key, kept in this tab; the window hears `keychange`. */
export const key = {
  get: () => sessionStorage.getItem(KEPT) ?? "",
  set: (value) => {
    sessionStorage.setItem(KEPT, value);
    dispatchEvent(new Event("keychange"));
  },
};

/**
 * GET `href`, or POST `body` to it.
 *
 * @returns {Promise<{answer: object, milliseconds: number, id: string}>} what came, how long it took, the request's id
 * @throws {Failure} any answer but 200, or none at all (code `network`)
 * @throws {DOMException} `AbortError`, when `signal` said so
 */
export async function ask(href, { body, signal } = {}) {
  const headers = key.get() ? { "X-API-Key": key.get() } : {};
  const sent = body && { method: "POST", body: JSON.stringify(body) };
  if (sent) headers["Content-Type"] = "application/json";
  const began = performance.now();
  const response = await fetch(href, { ...sent, headers, signal }).catch(explain);
  const text = await response.text().catch(explain);
  const milliseconds = performance.now() - began;
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new Failure({ message: text.slice(0, 80) || response.statusText, code: "no_answer" }, response.status);
  }
  if (!response.ok) throw new Failure(answer, response.status, response.headers.get("Retry-After"));
  return { answer, milliseconds, id: response.headers.get("X-Request-ID") };
}

function explain(error) {
  if (error.name === "AbortError") throw error;
  throw new Failure({ message: error.message, code: "network" }, 0);
}
