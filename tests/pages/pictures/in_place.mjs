// Draws each component in the place of its last state and fresh, without a browser, and tells where the two differ.
//
//     node tests/pages/pictures/in_place.mjs < components.json > differences.json

import { readFileSync } from "node:fs";
import { box, prepare } from "./document.mjs";
import { paintingOf } from "./painting.mjs";

const asked = JSON.parse(readFileSync(0, "utf8"));
const { window } = prepare(asked.roles);
Object.assign(box, { width: 1036, height: 440 });
const { unpack } = await import("../../../drawing/packing.js");

const bytes = (text) => Uint8Array.from(Buffer.from(text, "base64"));
const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

function place() {
  const host = window.document.createElement("div");
  window.document.body.append(host);
  return host.attachShadow({ mode: "open" });
}

/** What is in `parentElement` after this data is drawn there, an element a line. */
async function drawn(draw, data, parentElement) {
  await draw({ data: unpack(bytes(data)), parentElement, setTriggerValue() {} });
  await pause();
  await pause();
  return [...parentElement.querySelectorAll("*")].map(line);
}

/** An element's name, attributes, state, own text and painting. */
function line(element) {
  const attributes = [...element.attributes].map(({ name, value }) => `${name}=${JSON.stringify(value)}`).sort();
  const own = [...element.childNodes].filter((each) => each.nodeType === 3).map((each) => each.textContent);
  const painting = element.tagName === "CANVAS" ? paintingOf(element).words : "";
  return [element.tagName, ...attributes, element.value, element.checked, ...own, painting].join(" ");
}

/** For each state the lines that differ: drawn in place of the state before, and fresh. */
async function differences({ script, states }) {
  const { default: draw } = await import(`../../../${script}`);
  const inPlace = place();
  const found = [];
  for (const data of states) {
    const fresh = await drawn(draw, data, place());
    const now = await drawn(draw, data, inPlace);
    const longest = Math.max(now.length, fresh.length);
    const both = Array.from({ length: longest }, (_, i) => [now[i] ?? "", fresh[i] ?? ""]);
    found.push(both.filter(([one, other]) => one !== other));
  }
  return found;
}

const found = [];
for (const each of asked.components) found.push(await differences(each));
process.stdout.write(JSON.stringify(found), () => process.exit(0));
