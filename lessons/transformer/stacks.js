// The encoders and the decoders of a Transformer, one on the other; the output m of the last encoder goes to every decoder.

import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";
import { placesOf } from "./stacks_places.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Stack, StacksPlaces, StacksScene } from "./stacks_places.js" */

const KINDS = ["encoder", "decoder"];
const MIDDLE = /** @type {const} */ ("middle");

/** @param {Component<Scripts["stacks"]>} component */
export default function stacks(component) {
  return mainPicture(component, (pen, /** @type {StacksScene} */ scene) => {
    const at = placesOf(scene);
    at.stacks.forEach((stack, n) => pen.part(scene, `${KINDS[n]}s`, (its) => drawStack(its, scene, at, stack, n)));
    pen.part(scene, "m", (its) => drawMemory(its, scene, at));
    drawHandle(pen, scene, at);
  });
}

/**
 * A stack: its blocks, and above it its name and its weights. A press adds up the weights of one block.
 *
 * @param {Pen} pen @param {StacksScene} scene @param {StacksPlaces} at @param {Stack} stack @param {number} n
 */
function drawStack(pen, scene, at, stack, n) {
  const { data, colour, text, hidden, send, narrow } = scene;
  const chosen = n === data.chosen;
  const name = /** @type {const} */ (["encoders", "decoders"])[n];
  const draw = (/** @type {Pen} */ its) => {
    for (let k = 0; k < at.N; k++) drawBlock(its, scene, at, stack, k, k === 0 && chosen);
    const count = hidden(name) ? "?" : text(name);
    const size = narrow ? 15 : 22;
    const said = narrow ? `${stack.name}s: ${count} M` : `${text("N")} ${stack.name.toLowerCase()}s: ${count} M`;
    its.text(stack.x + stack.wide / 2, at.head - (narrow ? 12 : 16), said, {
      key: "said",
      size,
      bold: true,
      anchor: MIDDLE,
    });
  };
  pen.button(`${stack.name}: add up its weights`, () => send(KINDS[n]), draw, { key: name, chosen });
  const size = narrow ? 13 : 17;
  const below = n ? "the translation so far" : "the source text";
  pen.text(stack.x + stack.wide / 2, at.foot + size + 12, below, {
    key: "below",
    size,
    fill: colour.quiet,
    anchor: MIDDLE,
  });
  pen.line(stack.x + stack.wide / 2, at.foot + 8, stack.x + stack.wide / 2, at.foot, {
    key: "in",
    stroke: colour.quiet,
    width: 2,
  });
}

/**
 * The k-th block from below: its parts, as wide as their weights are many, and beside it its name.
 *
 * @param {Pen} pen @param {StacksScene} scene @param {StacksPlaces} at @param {Stack} stack @param {number} k
 * @param {boolean} chosen
 */
function drawBlock(pen, { colour, narrow }, at, stack, k, chosen) {
  const y = at.foot - (k + 1) * at.pitch;
  const size = Math.max(narrow ? 13 : 14, Math.min(18, 0.42 * at.high));
  pen.group({ key: `block ${k}` }, (its) => {
    for (const { name, role, x, wide } of stack.parts) {
      its.rect(x, y, wide - 2, at.high, { key: name, r: 4, fill: colour[role], "fill-opacity": chosen ? 0.55 : 0.28 });
      const said = textWidth(name, size) < wide - 8 ? name : name.replace("-attention", "");
      if (at.high < size || textWidth(said, size) > wide - 6) continue;
      its.text(x + wide / 2 - 1, y + at.high / 2 + size * 0.35, said, { key: `said ${name}`, size, anchor: MIDDLE });
    }
    if (chosen)
      its.rect(stack.x - 2, y - 2, stack.wide + 2, at.high + 4, { key: "mark", r: 6, stroke: colour.ink, line: 2 });
    if (narrow) return;
    const left = stack.name === "Encoder";
    const look = {
      key: "name",
      size,
      bold: chosen,
      anchor: left ? /** @type {const} */ ("end") : /** @type {const} */ ("start"),
    };
    its.text(
      left ? stack.x - 12 : stack.x + stack.wide + 12,
      y + at.high / 2 + size * 0.35,
      `${stack.name} ${k + 1}`,
      look,
    );
  });
}

/**
 * What the last encoder gives goes to every decoder.
 *
 * @param {Pen} pen @param {StacksScene} scene @param {StacksPlaces} at
 */
function drawMemory(pen, { colour, narrow }, at) {
  const [encoders, decoders] = at.stacks;
  const [from, to] = [encoders.x + encoders.wide, decoders.x];
  const x = from + (narrow ? 16 : 0.5 * at.gap);
  const middleOf = (/** @type {number} */ k) => at.foot - (k + 0.5) * at.pitch - (at.pitch - at.high) / 2;
  const top = middleOf(at.N - 1);
  const look = { stroke: colour.score, width: narrow ? 2 : 3 };
  pen.path(`M${from} ${top}H${x}V${middleOf(0)}`, { key: "m", ...look });
  for (let k = 0; k < at.N; k++) {
    const y = middleOf(k);
    pen.line(x, y, to - 8, y, { key: `to ${k}`, ...look });
    pen.group({ key: `tip ${k}` }, (its) => its.head(to - 3, y, 0, colour.score, narrow ? 7 : 10));
  }
  const size = narrow ? 16 : 24;
  pen.text(x - 6, top - 8, "m", { key: "name", size, bold: true, fill: colour.score, anchor: "end", halo: true });
}

/**
 * The upper edge of the stacks, which is dragged.
 *
 * @param {Pen} pen @param {StacksScene} scene @param {StacksPlaces} at
 */
function drawHandle(pen, { colour }, at) {
  const { x, wide } = at.stacks[0];
  const grip = { key: "top", class: "handle", "data-n": "N", "data-per": at.pitch, "data-way": "y" };
  pen.group({ ...grip, style: "cursor: ns-resize; touch-action: none" }, (its) => {
    its.rect(x, at.head - 8, wide, 14, { fill: "transparent" });
    its.rect(x + wide - 46, at.head - 6, 40, 10, { fill: colour.background, stroke: colour.ink, line: 2, r: 5 });
  });
}
