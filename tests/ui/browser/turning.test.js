// A turn to another address ends when the server has answered and the picture is there.

import assert from "node:assert/strict";
import test from "node:test";

// Browsers have it since 2024, Node 20 does not.
Promise.withResolvers ??= () => {
  const made = /** @type {any} */ ({});
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
};
const drawn = { shadowRoot: { querySelector: () => ({}) } };
const app = { dataset: { testScriptState: "notRunning" } };
const dataset = /** @type {Record<string, string>} */ ({});
const here = { href: "http://localhost/rnn" };
Object.assign(globalThis, {
  document: {
    documentElement: { dataset },
    querySelector: (kind) => (kind.includes("stApp") ? app : null),
    querySelectorAll: () => [drawn],
  },
  location: here,
  history: { pushState: (state, unused, url) => (here.href = url) },
  window: new EventTarget(),
  PopStateEvent: Event,
  MutationObserver: class {
    observe() {} // the state of the script changes twice at once: its attribute never
    disconnect() {}
  },
});
const { answered, navigate } = await import("../../../ui/browser/address.js");
const soon = () => new Promise((then) => setTimeout(then, 50));

test("a turn waits for the answer, and no longer, where the script was too quick to be seen running", async () => {
  navigate("/rnn?slide=2");
  assert.equal(here.href, "http://localhost/rnn?slide=2");
  await soon();
  assert.ok("turning" in dataset);
  answered();
  await soon();
  assert.ok(!("turning" in dataset));
});

test("an answer that comes while the script runs does not end the turn", async () => {
  app.dataset.testScriptState = "running";
  navigate("/rnn?slide=3");
  answered();
  await soon();
  assert.ok("turning" in dataset);
  app.dataset.testScriptState = "notRunning";
  answered();
  await soon();
  assert.ok(!("turning" in dataset));
});
