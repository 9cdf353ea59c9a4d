// Requests JSON from the server. A failure is returned as { error: a sentence }.

/** @type {Record<number, string>} */
const SAID = {
  413: "This is larger than the server accepts.",
  429: "Too much was asked from this address. Try again in a minute.",
};

/**
 * The address of a route below live/. The page to print is itself below live/.
 *
 * @param {string} what
 */
export function liveAddress(what) {
  const base = new URL(/\/live\/[^/]+$/.test(location.pathname) ? ".." : ".", location.href);
  return new URL(`live/${what}`, base);
}

/**
 * The server's answer; after a failure it has only `error`.
 *
 * @template Answer
 * @typedef {Partial<Answer> & { error?: string }} Answered
 */

/**
 * @template Answer
 * @param {string} what comes after live/ in the address
 * @param {string | Blob} [body] sent with POST, if there is one
 */
export async function ask(what, body) {
  return /** @type {Answered<Answer>} */ (await answerTo(what, body));
}

/** @param {string} what @param {string | Blob} [body] @returns {Promise<unknown>} */
async function answerTo(what, body) {
  const method = body === undefined ? "GET" : "POST";
  try {
    body = body instanceof Blob ? new Blob([await body.arrayBuffer()]) : body;
  } catch {
    return { error: "This file cannot be read any more. Choose it again." };
  }
  try {
    const answer = await fetch(liveAddress(what), { method, body });
    if (answer.ok) return await answer.json();
    return { error: SAID[answer.status] ?? `The server could not answer (${answer.status}). Try again.` };
  } catch {
    return { error: "The server cannot be reached." };
  }
}
