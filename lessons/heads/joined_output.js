// The output, and the frame of one of its numbers, which is dragged along; beside the frame stands what each head adds.

import { textWidth } from "../../drawing/pen.js";
import { headColour } from "./joined_places.js";
import { drawStrip } from "./joined_strips.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { NameOf } from "../../drawing/types.js" */
/** @import { JoinedScene, Places } from "./joined_places.js" */
/** @typedef {(pen: Pen, scene: JoinedScene, at: Places) => void} Draw */

const LEAST = 15; // a lower band has no room for what its head adds

/** @type {Draw} */
export function drawOutput(pen, scene, at) {
  const { data, colour, narrow } = scene;
  const { output, strip, span, words } = at;
  const names = Array.from({ length: at.many }, (_, n) => /** @type {const} */ (`o${n + 1}`));
  pen.text(words - 6, output + strip / 2 + 6, "output", { size: narrow ? 13 : 17, bold: true, anchor: "end" });
  drawStrip(pen, scene, { ...span, top: output, high: strip, stroke: colour.ink }, names, data.reach[1]);
  drawFrame(pen, scene, at);
  if (!scene.hidden("read")) drawParts(pen, scene, at);
  drawSum(pen, scene, at);
}

/**
 * Where the framed column begins, and how wide it is.
 *
 * @param {JoinedScene} scene @param {Places} at
 */
function framed({ values }, { span, many }) {
  const wide = (span.right - span.left) / many;
  return { left: span.left + (values("number") - 1) * wide, wide };
}

/** @type {Draw} */
function drawFrame(pen, scene, at) {
  const { left, wide } = framed(scene, at);
  const { matrix, output, strip } = at;
  const moves = { key: "cursor", "data-n": "number", "data-per": wide, "data-way": "x", style: "cursor: ew-resize" };
  pen.group(moves, (its) => {
    const box = { stroke: scene.colour.ink, line: 2.5, r: 2, fill: "transparent" };
    its.rect(left - 3, matrix - 3, wide + 6, output + strip - matrix + 6, box);
  });
}

/**
 * What each head adds to the framed number, beside the frame in the head's band of W^O.
 *
 * @type {Draw}
 */
function drawParts(pen, scene, at) {
  const { top, high } = at.band(0);
  if (high < LEAST) return;
  const { left, wide } = framed(scene, at);
  const size = Math.min(high * 0.82, 17);
  const names = Array.from({ length: at.heads }, (_, h) => /** @type {NameOf<"joined">} */ (`part${h + 1}`));
  const room = Math.max(...names.map((name) => textWidth(scene.text(name), size, true))) + 16;
  const after = left + wide + 8 + room < at.span.right;
  const x = after ? left + wide + 8 : left - 8 - room;
  pen.rect(x, top, room, high * at.heads, { key: "pill", fill: scene.colour.background, r: 4 });
  names.forEach((name, h) => {
    const look = { key: name, size, bold: true, fill: headColour(scene, h), anchor: /** @type {const} */ ("end") };
    pen.text(x + room - 8, at.band(h).top + high / 2 + size * 0.36, scene.text(name), look);
  });
}

/** @type {Draw} */
function drawSum(pen, scene, at) {
  const { data, colour, narrow, hidden, text, width } = scene;
  const { output, strip, span } = at;
  const { left, wide } = framed(scene, at);
  const said = `number ${scene.final("number")}`;
  const asked = hidden("sum") || hidden("read");
  const value = asked ? "?" : text("sum");
  const size = narrow ? 14 : 18;
  const all = data.cut.length && !asked ? `with all heads ${text("whole")}` : "";
  const parts = [textWidth(said, size) + 12, textWidth(value, size, true) + 14, textWidth(all, size)];
  const room = parts[0] + parts[1] + parts[2];
  const x = Math.min(Math.max(left + wide / 2 - room / 2, span.left), width - room - 8);
  const y = output + strip + (narrow ? 15 : 20);
  pen.text(x, y, said, { size, fill: colour.quiet });
  pen.markedText(x + parts[0], y, value, true, { size, bold: true });
  if (all) pen.text(x + parts[0] + parts[1], y, all, { size, fill: colour.quiet });
}
