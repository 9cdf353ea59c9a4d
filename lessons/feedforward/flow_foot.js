// Below the flow: the number that is pointed at, or how to read the picture, and what its colours mean.

import { imageOf, placeOf } from "./feedforward_marks.js";
import { describeCell } from "./strip.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, FlowScene } from "./feedforward_marks.js" */

/** @type {Draw} */
export function drawFoot(pen, scene, at) {
  const { colour, memory, width, narrow, hidden } = scene;
  const { point } = memory;
  const asked = hidden("p1") && point && ["logits", "chances"].includes(point.name);
  const shown = point && !asked ? point : null;
  const key = narrow ? 0 : 276;
  const said = shown ? describeCell(scene, shown.name, shown.i) : howToRead(scene);
  pen.text(narrow ? 8 : 16, at.foot, said, {
    size: narrow ? 13 : 14,
    bold: Boolean(shown),
    fill: shown ? colour.ink : colour.quiet,
    room: width - key - 30,
  });
  if (!narrow) drawColourKey(pen, scene, width - key, at.foot);
}

/** @param {FlowScene} scene */
function howToRead(scene) {
  const { data, narrow, hidden } = scene;
  const now = placeOf(scene);
  if (narrow) return "Tap a strip to read its numbers";
  if (Object.values(data.strips).some(({ cells, whole }) => cells < whole))
    return `Of each vector and of ${data.heads.table} the first numbers are drawn. Point at a strip to read it.`;
  const best = hidden("p1") ? "the best word" : data.best[now][0];
  const lines = `Lines: the largest terms of unit ${data.lines.unit[now] + 1} and of ${best}`;
  return `${lines}; red adds, blue subtracts. Point at a strip to read it.`;
}

/**
 * What the colours mean: signed numbers, and shares.
 *
 * @param {Pen} pen @param {FlowScene} scene @param {number} x @param {number} y
 */
function drawColourKey(pen, scene, x, y) {
  const { data, colour } = scene;
  const fill = colour.quiet;
  /** @type {(key: string, left: number, colours: readonly string[]) => void} */
  const bar = (key, left, colours) => {
    const href = imageOf(scene, key, colours.length, 1, (i) => colours[i]);
    pen.node("image", { key, href, x: left, y: y - 11, width: 70, height: 12, preserveAspectRatio: "none" });
  };
  pen.text(x, y, "−", { size: 14, fill, anchor: "end" });
  bar("signed", x + 5, data.scale);
  pen.text(x + 80, y, "+  signed", { size: 13, fill });
  pen.text(x + 160, y, "0", { size: 13, fill, anchor: "end" });
  bar("shares", x + 165, data.shares);
  pen.text(x + 240, y, "1", { size: 13, fill });
}
