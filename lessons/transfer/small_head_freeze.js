// The freeze line in the slab: floors below it stay, those above it learn; beside each place of the line stands how many
// answers were right with it.

import { drag } from "../../drawing/hand.js";
import { whole } from "./network_parts.js";
import { floorsOf, nearestLine } from "./small_head_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { HeadPlaces, HeadScene } from "./small_head_places.js" */
/** @typedef {ReturnType<typeof floorsOf>} Floors */

/** @param {Pen} pen @param {HeadScene} scene @param {HeadPlaces} at */
export function drawFreezing(pen, scene, at) {
  const { data, values } = scene;
  const floors = floorsOf(data.parts, at.slab);
  const frozen = Math.round(values("frozen"));
  data.parts.forEach((_, k) => drawFloor(pen, scene, at, floors, k, k < frozen));
  drawHead(pen, scene, at);
  drawScores(pen, scene, at, floors, frozen);
  drawLine(pen, scene, at, floors);
}

/**
 * A floor: a press freezes the network up to it, or only below it.
 *
 * @param {Pen} pen
 * @param {HeadScene} scene
 * @param {HeadPlaces} at
 * @param {Floors} floors
 * @param {number} k its place, the lowest first
 * @param {boolean} frozen
 */
function drawFloor(pen, { data, colour, move, narrow }, { slab }, { floor }, k, frozen) {
  const { name, weights } = data.parts[k];
  const { top, high } = floor(k);
  const [left, wide] = [slab.left, slab.right - slab.left];
  const tint = frozen ? colour.mask : colour.weight;
  const state = frozen ? "kept" : "learns";
  const size = Math.min(narrow ? 14 : 22, high * 0.8);
  const y = top + high / 2 + size * 0.34;
  const said = `${name}: ${whole(weights)} weights, ${frozen ? "frozen" : "they learn"}.`;
  const draw = (/** @type {Pen} */ its) => {
    its.rect(left, top + 1, wide, high - 2, { r: 5, fill: tint, "fill-opacity": frozen ? 0.16 : 0.3 });
    its.rect(left, top + 1, wide, high - 2, { r: 5, stroke: tint, line: frozen ? 1.5 : 2.5 });
    its.text(left + 12, y, name, { size, bold: true });
    if (!narrow) its.text(left + wide * 0.68, y, whole(weights), { size, fill: colour.quiet, anchor: "end" });
    its.text(left + wide - 12, y, state, { size, bold: true, fill: tint, anchor: "end" });
  };
  const offer = `Freeze ${frozen ? "only below" : "up to here"}`;
  const press = () => move("frozen", frozen ? k : k + 1, true);
  pen.button(`${said} ${offer}`, press, draw, { key: `floor ${k}`, chosen: frozen });
}

/**
 * The head above the slab: it always learns.
 *
 * @param {Pen} pen @param {HeadScene} scene @param {HeadPlaces} at
 */
function drawHead(pen, { data, colour, values, hidden, narrow }, { slab }) {
  const area =
    ((slab.right - slab.left) * (slab.foot - slab.top)) / data.parts.reduce((sum, { weights }) => sum + weights, 0);
  const side = Math.sqrt(data.head * area);
  const [x, y] = [slab.left + 30, slab.top - 26];
  pen.rect(x - side / 2, y - side / 2, side, side, { key: "speck", r: 0, fill: colour.weight });
  pen.circle(x, y, side / 2 + 7, { key: "speck ring", stroke: colour.weight, line: 1.5 });
  const learn = hidden("learn") ? "?" : whole(values("learn"));
  const head = hidden("learn") ? "?" : whole(data.head);
  const said = narrow ? `${learn} learn` : `head: ${head}; in all ${learn} weights learn`;
  pen.text(x + side / 2 + 18, y + 7, said, { key: "learn", size: narrow ? 15 : 20, bold: true, fill: colour.weight });
}

/**
 * The recorded accuracy at each place of the line, with its interval; the current one is large.
 *
 * @param {Pen} pen @param {HeadScene} scene @param {HeadPlaces} at @param {Floors} floors @param {number} frozen
 */
function drawScores(pen, scene, { slab, zone, narrow }, { line }, frozen) {
  const { data, colour, values, text, hidden } = scene;
  const left = slab.right + (narrow ? 22 : 80);
  const right = zone.right - (narrow ? 70 : 150);
  const least = Math.min(
    data.chance,
    ...data.parts.map((_, k) => values(`low ${k}`)),
    values(`low ${data.parts.length}`),
  );
  const low = Math.floor(5 * least) / 5;
  const x = (/** @type {number} */ share) => left + ((share - low) / (1 - low)) * (right - left);
  drawAxis(pen, scene, { x, low, left, right, foot: slab.foot, top: slab.top - 8 });
  for (let depth = 0; depth <= data.parts.length; depth++) {
    if (hidden(`mean ${depth}`)) continue;
    const y = line(depth);
    const now = depth === frozen;
    const fill = now ? colour.activation : colour.quiet;
    const interval = { key: `interval ${depth}`, stroke: fill, width: now ? 5 : 2 };
    pen.line(x(values(`low ${depth}`)), y, x(values(`high ${depth}`)), y, interval);
    pen.circle(x(values(`mean ${depth}`)), y, now ? 11 : 6, { key: `mean ${depth}`, fill });
    const size = now ? (narrow ? 17 : 34) : narrow ? 13 : 18;
    const look = { key: `said ${depth}`, size, bold: now, fill, halo: !now };
    const place = Math.max(x(values(`high ${depth}`)), x(values(`mean ${depth}`)) + 11) + (narrow ? 6 : 12);
    pen.markedText(place, y + size * 0.34, text(now ? "mean" : `mean ${depth}`), now, look);
  }
}

/**
 * @param {Pen} pen
 * @param {HeadScene} scene
 * @param {{ x: (share: number) => number, low: number, left: number, right: number, top: number, foot: number }} at
 */
function drawAxis(pen, { data, colour, narrow }, { x, low, left, right, top, foot }) {
  const ticks = narrow ? [low, 1] : Array.from({ length: Math.round((1 - low) * 5) + 1 }, (_, i) => low + i / 5);
  const size = narrow ? 13 : 16;
  const title = narrow ? "share right" : `share of right answers, from ${data.labelled} labels`;
  pen.axis("x", x, {
    at: foot + 24,
    ticks: ticks.map((tick) => Math.round(tick * 10) / 10),
    size,
    lines: [top, foot + 6],
    title,
    titled: { x: (left + right) / 2, y: foot + 48, size, fill: colour.quiet, anchor: "middle" },
  });
  pen.line(x(data.chance), top, x(data.chance), foot, { key: "chance", stroke: colour.quiet, width: 2, dash: "6 4" });
  if (narrow) return;
  const look = { key: "chance is", size: 16, fill: colour.quiet };
  pen.text(Math.max(x(data.chance) - 4, left - 40), top - 8, "most frequent answer", look);
}

/**
 * The line, which is dragged from floor to floor.
 *
 * @param {Pen} pen @param {HeadScene} scene @param {HeadPlaces} at @param {Floors} floors
 */
function drawLine(pen, { data, colour, move, narrow, values, hidden }, { slab }, { line }) {
  if (hidden("frozen")) return;
  const frozen = values("frozen");
  const [below, above] = [line(Math.floor(frozen)), line(Math.ceil(frozen))];
  const y = below + (above - below) * (frozen % 1);
  const [left, right] = [slab.left - 4, slab.right + (narrow ? 10 : 30)];
  const count = data.parts.length;
  const node = pen.group({ key: "line", class: "handle", style: "cursor: ns-resize; touch-action: none" }, (its) => {
    its.rect(left, y - 12, right - left, 24, { fill: "transparent" });
    its.line(left, y, right, y, { stroke: colour.ink, width: 4 });
    its.circle(right, y, narrow ? 9 : 14, { fill: colour.ink });
    const arrows = `M${right} ${y - 9}l-6 7h12zM${right} ${y + 9}l-6 -7h12z`;
    if (!narrow) its.node("path", { d: arrows, fill: colour.background });
  });
  drag(node, {
    down: () => ({ frozen: Math.round(frozen) }),
    move: (began, _, to) => move("frozen", (began.frozen = nearestLine(line, count, to)), false),
    up: (began, moved) => moved && move("frozen", began.frozen, true),
  });
}
