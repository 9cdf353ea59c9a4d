// Draws pictures without a browser from the data that their pages send, and reads what is drawn.
//
//     node tests/pages/pictures/drawings.mjs < pictures.json > readings.json

import { readFileSync } from "node:fs";
import { box, extentOf, prepare, resized } from "./document.mjs";
import { written } from "./painting.mjs";
import { middleOf, readDrawing } from "./reading.mjs";

const SIZES = { wide: [1036, 440], narrow: [366, 420] };
const asked = JSON.parse(readFileSync(0, "utf8"));
const { window, roles } = prepare(asked.roles);
const { unpack } = await import("../../../drawing/packing.js");
const { frameEvent, moveEvent } = await import("../../../drawing/frames.js");
const { plainText } = await import("../../../drawing/rich_text.js");
const { whole } = await import("../../../ui/browser/kept.js");

const bytes = (text) => Uint8Array.from(Buffer.from(text, "base64"));
const pause = () => new Promise((resolve) => setTimeout(resolve, 1));
const words = (root, name) => [...root.querySelectorAll(name)].map((each) => each.textContent).join("  ");

const SLOT = /(?<!\\)\{([^{}:<]+)(:p)?\}/g; // a number before the hand moved one has no place on the drawing

/** The numbers that the sentence in `root` names, by their names: those of the templates that are written there. */
function named(root, { names, row, was, moved, label, data }) {
  const known = (name) => names.includes(name);
  const value = (name, before) => (data.hidden.includes(name) ? "?" : (before ? was : row)[names.indexOf(name)]);
  const written = [...root.querySelectorAll(".said")].map((each) => each.textContent);
  const drag = moved ? [data.moved.replaceAll("{moved", `{${moved}`).replaceAll("{label}", label)] : [];
  const shown = [...data.sentences, ...drag].filter(
    (each) => slots(each).every(known) && written.includes(plainText(each, value)),
  );
  const drawn = shown.flatMap(slots).filter((name) => value(name) !== "?");
  return Object.fromEntries(drawn.map((name) => [name, value(name)]));
}

const slots = (template) => [...template.matchAll(SLOT)].map(([, each]) => each);

const NO_NUMBER = /\b(?:NaN|undefined|null|Infinity)\b/;

/** What is drawn and said in `root` now, from these numbers. */
function read(root, numbers, full = false) {
  const svg = svgOf(root);
  return {
    said: words(root, ".said"),
    numbers: named(root, numbers),
    formula: words(root, ".formula .rich"),
    alt: svg.getAttribute("aria-label"),
    texts: [...textsOf(svg), ...written],
    wrong: [
      ...svg.outerHTML.split(/[<>]/).filter((each) => NO_NUMBER.test(each)),
      ...unevenAxes(svg),
      ...smallTexts(svg),
    ],
    ...(full ? { lines: readDrawing(svg, roles) } : {}),
  };
}

/** The texts of a drawing, but for the ticks of its axes: a tick beside a number does not show it. */
function textsOf(svg) {
  const every = [...svg.querySelectorAll("text")].filter((each) => !each.closest("[data-axis]"));
  return every.map((each) => each.textContent);
}

const LEAST = 13; // the size of the smallest type, in pixels, but for indices and what is scrolled

/** The texts that are too small to be read on a phone. */
function* smallTexts(svg) {
  for (const each of svg.querySelectorAll("text")) {
    const size = Number(each.closest("[font-size]")?.getAttribute("font-size") ?? LEAST);
    if (size < LEAST - 0.05 && each.textContent.trim() && !each.closest("[data-scrolls]"))
      yield `${size} px: ${each.textContent}`;
  }
}

// the first moments of a run, and the latest years, have more room than others
const BENT = ["step", "steps", "year, on a logarithmic scale of years ago"];

/** The axes whose ticks do not lie where their numbers say, on a linear or a logarithmic scale. */
function* unevenAxes(svg) {
  for (const axis of svg.querySelectorAll("[data-axis]")) {
    const way = axis.getAttribute("data-axis");
    const title = axis.getAttribute("data-title");
    const ticks = [...axis.querySelectorAll("text")].filter((each) => each.textContent !== title);
    const places = ticks.map((each) => Number(each.getAttribute(way)));
    const numbers = ticks.map((each) => numberOf(each.textContent));
    if (ticks.length < 3 || numbers.some(Number.isNaN)) continue;
    const inOrder = (values) => values.every((value, i) => !i || value > values[i - 1]);
    if (BENT.includes(title) && inOrder(numbers) && inOrder(places)) continue;
    if (![numbers, numbers.map(Math.log)].some((values) => isLine(values, places)))
      yield `axis ${way}, ${title}: ${ticks.map((each, i) => `${each.textContent} at ${places[i]}`)}`;
  }
}

const POWERS = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹";

/** @param {string} text of a tick */
function numberOf(text) {
  const [digits, power = ""] = text.replace("−", "-").replaceAll(",", "").split("×10");
  const raised = [...power].map((each) => "-0123456789"[POWERS.indexOf(each)]).join("");
  return digits.trim() ? Number(digits.replace("%", "")) * 10 ** Number(raised) : NaN;
}

/** Whether the places lie on a line over the values, but for rounding. */
function isLine(values, places) {
  const last = values.length - 1;
  const slope = (places[last] - places[0]) / (values[last] - values[0]);
  return values.every((value, i) => Math.abs(places[0] + slope * (value - values[0]) - places[i]) <= 2);
}

/** Where the handle of a slider is on its way, upwards or to the right, and how far it is dragged for one unit. */
function handleOf(svg, slider) {
  const handle = svg.querySelector(`[data-n="${slider}"]`);
  if (!handle) return null;
  const [x, y] = middleOf(handle);
  return { at: handle.getAttribute("data-way") === "y" ? -y : x, per: Number(handle.getAttribute("data-per")) };
}

const KEYS = ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End", "Enter"];

/** What a part says to those who do not see it. */
const spoken = (node) =>
  ["aria-label", "aria-valuenow", "aria-valuetext"].map((name) => node.getAttribute(name) ?? "").join(" ");

const OFTEN = 40; // presses of an arrow key, which lead to the end of any row
const MOST_NEWS = 3; // lines of the drawing that are noted of a key

/** What each key does in each kind of part that takes keys: what is sent and drawn, and what the part says then. */
async function pressed(root, sent) {
  const parts = () => [...root.querySelectorAll("svg [tabindex='0']:not([role=button])")];
  const kind = (node) => node.getAttribute("role") + (node.getAttribute("data-part") ?? node.getAttribute("class"));
  const first = new Map(parts().map((node, i) => [kind(node), i]));
  const found = [];
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = (call) => wait(call, 0); // what waits for more keys is sent at once
  const press = async (at, key, times) => {
    sent.length = 0;
    const [before, known] = [spoken(parts()[at] ?? svgOf(root)), readDrawing(svgOf(root), roles)];
    for (let n = 0; n < times; n++)
      parts()[at]?.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
    for (let n = 0; n < 3; n++) await new Promise((resolve) => wait(resolve, 1));
    const now = spoken(parts()[at] ?? svgOf(root));
    const news = readDrawing(svgOf(root), roles).filter((line) => !known.includes(line));
    if (!sent.length && now === before && !news.length) return;
    const last = times > 1 ? sent.slice(-1) : sent;
    const name = times > 1 ? `${key}, ${times} times,` : key;
    found.push(`key ${name} in part ${at} sends ${JSON.stringify(last)}: "${now}"`, ...news.slice(0, MOST_NEWS));
  };
  for (const at of first.values())
    for (const key of KEYS) {
      await press(at, key, 1);
      if (key.startsWith("Arrow")) await press(at, key, OFTEN);
    }
  globalThis.setTimeout = wait;
  return found;
}

const svgOf = (root) => root.querySelector("svg");

/** By script and size, where its pictures are drawn in place, its first data, and the lines of that drawn fresh. */
const places = { wide: new Map(), narrow: new Map() };

/** The lines that only one of two drawings has: in place of the first one, and fresh; and back from this one to it. */
async function stale(draw, size, picture, fresh) {
  const known = places[size];
  if (!known.has(draw)) known.set(draw, { ...mount(), first: picture, lines: fresh });
  const { parentElement, first, lines } = known.get(draw);
  const inPlace = async ({ data, keeps }) => {
    await keep(keeps);
    await draw({ data: await whole(unpack(bytes(data))), parentElement, setTriggerValue() {} });
    for (let n = 0; n < 2; n++) await pause();
    return readDrawing(svgOf(parentElement), roles);
  };
  return [...differing(await inPlace(picture), fresh), ...differing(await inPlace(first), lines)];
}

/** Keep what arrives apart from a picture's data. */
async function keep(keeps) {
  for (const { script, data } of keeps) (await import(`../../../${script}`)).default({ data: unpack(bytes(data)) });
}

/** The lines that only one of two drawings has: this picture after its box became narrow, and drawn in a narrow one. */
async function leftOfSize(draw, data, fresh) {
  const { host, parentElement } = mount();
  Object.assign(box, sizeOf("wide"));
  const stop = await draw({ data: await whole(unpack(bytes(data))), parentElement, setTriggerValue() {} });
  await pause();
  Object.assign(box, sizeOf("narrow"));
  resized();
  for (let n = 0; n < 3; n++) await pause();
  const found = differing(readDrawing(svgOf(parentElement), roles), fresh);
  stop?.();
  host.remove();
  return found;
}

const LESS = 0.85; // of a side

/** The lines that only one of two drawings has: this picture after a side of its box became shorter, and drawn so. */
async function leftOfSide(draw, data, side) {
  const wide = sizeOf("wide");
  const shorter = { ...wide, [side]: LESS * wide[side] };
  const readings = [];
  for (const before of [wide, shorter]) {
    const { host, parentElement } = mount();
    Object.assign(box, before);
    const stop = await draw({ data: await whole(unpack(bytes(data))), parentElement, setTriggerValue() {} });
    await pause();
    Object.assign(box, shorter);
    resized();
    for (let n = 0; n < 3; n++) await pause();
    readings.push(readDrawing(svgOf(parentElement), roles));
    stop?.();
    host.remove();
  }
  return differing(...readings);
}

/** What the first and the last part of each kind send when they are pressed. */
async function presses(draw, data) {
  const found = [];
  for (let n = 0, count = 1; n < count; n++) {
    const { host, parentElement } = mount();
    Object.assign(box, sizeOf("wide"));
    const sent = [];
    const setTriggerValue = (event, value) => sent.push([event, value]);
    const stop = await draw({ data: await whole(unpack(bytes(data))), parentElement, setTriggerValue });
    await pause();
    const parts = pressable(svgOf(parentElement));
    count = parts.length;
    parts[n]?.dispatchEvent(new window.MouseEvent("click", { bubbles: true }));
    await pause();
    if (sent.length) found.push([spoken(parts[n]).trim(), ...sent]);
    stop?.();
    host.remove();
    for (let n = 0; n < 3; n++) await pause(); // what was begun to play ends
  }
  return found;
}

function pressable(svg) {
  const kinds = new Map();
  for (const node of svg.querySelectorAll(".press:not([aria-disabled])")) {
    const kind = (node.called ?? "").replace(/\d+/g, "").split(" ")[0];
    kinds.set(kind, [...(kinds.get(kind) ?? []), node]);
  }
  return [...kinds.values()].flatMap((alike) => (alike.length > 1 ? [alike[0], alike.at(-1)] : alike));
}

/** Where the pointer goes in a drag, from the middle of the part on which it is pressed. */
const WAY = [
  [14, -7],
  [60, -30],
];

/**
 * What a drag of each handle, and of the first and the last of other parts that can be dragged, changes: where the
 * sliders are while it is held and after it, what is sent, and what is drawn while it is held. On these other parts two
 * fingers are spread too, and the wheel is turned.
 */
async function drags(draw, data, sliders) {
  const found = [];
  for (let n = 0, count = 1; n < count; n++) {
    const { host, parentElement } = mount();
    Object.assign(box, sizeOf("wide"));
    const sent = [];
    const its = await whole(unpack(bytes(data)));
    const stop = await draw({ data: its, parentElement, setTriggerValue: (...event) => sent.push(event) });
    const places = new Map();
    const rest = answerMoves(sliders, its.group, (name, value) => places.set(name, value));
    await pause();
    const svg = svgOf(parentElement);
    const parts = draggable(svg);
    count = parts.length;
    if (parts[n]) {
      const [name, node, gesture] = parts[n];
      const before = readDrawing(svg, roles);
      const ends = await gesture(node);
      const [held, news] = [[...places], readDrawing(svg, roles).filter((line) => !before.includes(line))];
      for (const end of ends) node.dispatchEvent(pointerEvent("pointerup", end));
      for (let n = 0; n < 3; n++) await pause();
      if (gesture === drag || news.length) found.push({ name, held, released: [...places], sent, news });
    }
    rest();
    stop?.();
    host.remove();
  }
  return found;
}

/** Press a part and move the pointer; returns where the pointers are then. */
async function drag(node) {
  const [x, y] = middleOf(node);
  let at = { clientX: x, clientY: y };
  node.dispatchEvent(pointerEvent("pointerdown", at));
  await pause();
  for (const [across, down] of WAY) {
    at = { clientX: x + across, clientY: y + down };
    node.dispatchEvent(pointerEvent("pointermove", at));
    for (let n = 0; n < 2; n++) await pause();
  }
  return [at];
}

/** How far from the middle of a part two fingers begin, and how far they are spread. */
const [NEAR, FAR] = [20, 70];

/** Put two fingers on a part and spread them; returns where they are then. */
async function spread(node) {
  const [x, y] = middleOf(node);
  const fingers = (far) =>
    [-far, far].map((by, n) => ({ clientX: x + by, clientY: y, pointerId: n + 1, pointerType: "touch" }));
  for (const each of fingers(NEAR)) node.dispatchEvent(pointerEvent("pointerdown", each));
  for (const each of fingers(FAR)) node.dispatchEvent(pointerEvent("pointermove", each));
  for (let n = 0; n < 2; n++) await pause();
  return fingers(FAR);
}

/** Turn the wheel by a notch over the left third of a part. */
async function wheel(node) {
  const [x, y, width] = extentOf(node);
  const turned = new window.Event("wheel", { bubbles: true, cancelable: true });
  node.dispatchEvent(Object.assign(turned, { clientX: x + width / 3, clientY: y, deltaX: 0, deltaY: -100 }));
  for (let n = 0; n < 2; n++) await pause();
  return [];
}

/** @returns {[name: string, node: Element, gesture: (node: Element) => Promise<object[]>][]} */
function draggable(svg) {
  const handles = [...svg.querySelectorAll("[data-n]")].map((node) => [`handle ${node.getAttribute("data-n")}`, node]);
  const hears = (node, kind) => node.hears?.has(kind);
  const others = new Map();
  for (const node of svg.querySelectorAll("*"))
    if (hears(node, "pointerdown") && hears(node, "pointermove")) {
      const kind = (node.called ?? node.tagName).replace(/\d+/g, "").split(" ")[0];
      others.set(kind, [...(others.get(kind) ?? []), node]);
    }
  const some = [...others].flatMap(([kind, nodes]) =>
    [...new Set([nodes[0], nodes.at(-1)])].map((node, i) => [`${kind}, ${i ? "the last" : "the first"}`, node]),
  );
  const spreads = some.map(([name, node]) => [`two fingers on ${name}`, node, spread]);
  const turns = some
    .filter(([, node]) => hears(node, "wheel"))
    .map(([name, node]) => [`wheel on ${name}`, node, wheel]);
  return [...[...new Map(handles), ...some].map((each) => [...each, drag]), ...spreads, ...turns];
}

const MOST_ALIKE = 2; // parts that are pointed at, of those that do the same with the pointer

/**
 * What the pointer shows over some parts of a picture, what stays of it when it has left, and what is sent: events for
 * the server, and sliders that are not back at their value.
 */
async function pointed(draw, data, sliders) {
  const found = { shows: [], stays: [], sent: [] };
  for (let n = 0, count = 1; n < count; n++) {
    const { host, parentElement } = mount();
    Object.assign(box, sizeOf("wide"));
    const its = await whole(unpack(bytes(data)));
    const stop = await draw({ data: its, parentElement, setTriggerValue: (...event) => found.sent.push(event) });
    const places = new Map();
    const rest = answerMoves(sliders, its.group, (name, value) => places.set(name, value));
    await pause();
    const nodes = pointable(svgOf(parentElement));
    count = nodes.length;
    if (nodes[n]) await pointOver(nodes[n], svgOf(parentElement), found, places);
    found.sent.push(...[...places].filter(([name, value]) => value !== its.now[its.names.indexOf(name)]));
    rest();
    stop?.();
    host.remove();
  }
  return found;
}

/** Note what the pointer shows over a part, and what stays: not where a slider has moved, a sentence says so. */
async function pointOver(node, svg, found, places) {
  const before = readDrawing(svg, roles);
  for (const share of [0.3, 0.7]) {
    const lines = await pointAt(node, share, svg);
    const news = lines.filter((line) => !before.includes(line));
    if (news.length) found.shows.push(...news, "");
  }
  node.dispatchEvent(pointerEvent("pointerleave"));
  for (let n = 0; n < 3; n++) await pause();
  if (!places.size) found.stays.push(...differing(readDrawing(svg, roles), before));
}

const POINTED = ["pointermove", "pointerenter"];

/** The parts that answer the pointer: some of those whose handlers have the same text. */
function pointable(svg) {
  const handlersOf = (node) => POINTED.map((kind) => String(node[`on${kind}`] ?? node.hears?.get(kind) ?? "")).join("");
  const alike = new Map();
  for (const node of svg.querySelectorAll("*")) {
    const handlers = handlersOf(node);
    if (handlers) alike.set(handlers, [...(alike.get(handlers) ?? []), node]);
  }
  return [...alike.values()].flatMap((nodes) => spreadOver(nodes, MOST_ALIKE));
}

/** @param {Element} node @param {number} share of its width and height */
async function pointAt(node, share, svg) {
  const shape = node.matches("rect, circle") ? node : (node.querySelector("rect, circle") ?? node);
  const [x, y, width, height] = extentOf(shape);
  for (const kind of ["pointerenter", "pointermove"])
    node.dispatchEvent(pointerEvent(kind, { clientX: x + share * width, clientY: y + share * height }));
  for (let n = 0; n < 3; n++) await pause();
  return readDrawing(svg, roles);
}

const BUBBLES = ["pointermove", "pointerdown", "pointerup"];
const pointerEvent = (kind, at = {}) =>
  new window.PointerEvent(kind, { bubbles: BUBBLES.includes(kind), pointerId: 1, pointerType: "mouse", ...at });

/** Up to `most` of the items, evenly spread. */
const spreadOver = (items, most) => items.filter((_, i) => i % Math.ceil(items.length / most) === 0);

/** The lines that only one of both has. */
function differing(lines, others) {
  const left = [...others];
  const more = lines.filter((line) => {
    const at = left.indexOf(line);
    return at < 0 || !left.splice(at, 1);
  });
  return [...more, ...left];
}

function sizeOf(name) {
  const [width, height] = SIZES[name];
  return { width, height };
}

function mount() {
  const host = window.document.createElement("div");
  window.document.body.append(host);
  return { host, parentElement: host.attachShadow({ mode: "open" }) };
}

const STOPS = [0, 0.12, 0.6, 1]; // where on its way each slider is moved to: both ends, and places where a cut is seen

/** The rows of numbers with each slider at its stops, and the slider's name and label. */
function* stops(packed, moves) {
  for (const part of packed.map((each) => unpack(bytes(each))))
    for (const slider of part.sliders.filter((each) => moves.includes(each.name))) {
      const places = STOPS.map((share) => Math.round(share * (slider.positions.length - 1)));
      for (const at of new Set(places)) yield { ...movedTo(part, slider, at), names: part.names };
    }
}

/** The row of numbers with a slider at its position number `at`, as the sliders send it. */
function movedTo({ names, now }, { name, label, columns, table, positions }, at) {
  const row = Float64Array.from(now);
  columns.forEach((column, i) => (row[column] = table[at * columns.length + i]));
  row[names.indexOf(name)] = positions[at];
  return { row, moved: name, label, at: positions[at] };
}

/** Move the sliders of a page as its picture asks, and note where each is. */
function answerMoves(packed, group, note) {
  const parts = packed.map((each) => unpack(bytes(each)));
  const answer = ({ detail: { name, value } }) => {
    const part = parts.find(({ sliders }) => sliders.some((each) => each.name === name));
    const slider = part?.sliders.find((each) => each.name === name);
    if (!slider) return;
    const far = (at) => Math.abs(slider.positions[at] - value);
    const at = [...slider.positions.keys()].reduce((best, each) => (far(each) < far(best) ? each : best));
    note(name, slider.positions[at]);
    window.dispatchEvent(new window.CustomEvent(frameEvent(group), { detail: movedTo(part, slider, at) }));
  };
  window.addEventListener(moveEvent(group), answer);
  return () => window.removeEventListener(moveEvent(group), answer);
}

async function drawings({ script, data, keeps, sliders, moves, sizes, keys, again, point, press }) {
  const { default: draw } = await import(`../../../${script}`);
  const found = {};
  for (const name of sizes) {
    await keep(keeps);
    Object.assign(box, sizeOf(name));
    written.length = 0;
    const sent = [];
    const { host, parentElement } = mount();
    try {
      const its = await whole(unpack(bytes(data)));
      const setTriggerValue = (event, value) => sent.push([event, value]);
      const stop = await draw({ data: its, parentElement, setTriggerValue });
      await pause();
      found[name] = { ...read(parentElement, { names: its.names, row: its.now, data: its }, true), stops: [] };
      for (const { row, moved, label, at, names } of stops(sliders, moves)) {
        if (String(names) !== String(its.names)) continue;
        written.length = 0;
        window.dispatchEvent(new window.CustomEvent(frameEvent(its.group), { detail: { row, moved, label } }));
        await pause();
        await pause();
        const handle = handleOf(svgOf(parentElement), moved);
        const numbers = { names, row, was: its.now, moved, label, data: its };
        found[name].stops.push({ moved, at, handle, ...read(parentElement, numbers, name === "wide") });
      }
      if (keys && name === "wide") found[name].keys = await pressed(parentElement, sent);
      stop?.();
      if (again) found[name].stale = await stale(draw, name, { data, keeps }, found[name].lines);
    } catch (error) {
      found[name] = { error: error.stack.split("\n").slice(0, 4).join("\n") };
    }
    host.remove();
  }
  await keep(keeps); // what was drawn in place has kept its own
  if (found.narrow?.lines) found.narrow.resized = await leftOfSize(draw, data, found.narrow.lines);
  for (const side of ["width", "height"])
    if (point && found.wide.lines) (found.wide.resized ??= []).push(...(await leftOfSide(draw, data, side)));
  if (point && found.wide.lines) found.wide.pointed = await pointed(draw, data, sliders);
  if (point && found.wide.lines) found.wide.drags = await drags(draw, data, sliders);
  if (press && found.wide.lines) found.wide.presses = await presses(draw, data);
  return found;
}

const readings = [];
for (const each of asked.pictures) readings.push(await drawings(each));
process.stdout.write(JSON.stringify(readings), () => process.exit(0));
