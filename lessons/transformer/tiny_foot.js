// The explanation of the number that is pointed at, in two or three lines below the matrices.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { weightLabel } from "./tiny_arithmetic.js";
import { title } from "./tiny_cells.js";
import { toldOf } from "./tiny_scene.js";

/** @import { Draw, Moment, TinyScene } from "./tiny_scene.js" */

const SIZE = 14;

/** @type {Draw} */
export function drawFoot(pen, scene, at, now) {
  const { colour, memory } = scene;
  const { left, top, wide, lines } = at.foot;
  const over = memory.over ?? null;
  const { say, terms } = over ? toldOf(scene, now, over) : hintOf(scene, now, at.whole);
  const head = wrapped(say.split(" "), wide);
  [...head, ...wrapped(terms, wide)].slice(0, lines).forEach((text, n) => {
    const look = { key: `line ${n}`, size: SIZE, fill: over ? colour.ink : colour.quiet };
    title(pen, left, top + 14 + 18 * n, text, { ...look, bold: over !== null && n < head.length });
  });
}

/**
 * A hint at possible actions, shown while nothing is pointed at.
 *
 * @param {TinyScene} scene
 * @param {Moment} now
 * @param {boolean} whole whether all matrices are drawn
 */
function hintOf({ data }, { chosen, grids, get }, whole) {
  const { name, i, j } = chosen;
  const whose = `${weightLabel(name, i, j, data, grids)} = ${formatNumber(get(name, i, j))} has the slider`;
  const drags = whole ? "; drag it sideways, too. Training goes on from the edited weight." : ".";
  return {
    say: "Point at a number: it is computed from what lights up. Press a weight: it gets the slider.",
    terms: `${whose}${drags}`.split(" "),
  };
}

/**
 * Terms wrapped into lines no wider than `wide`, except lines of a single term.
 *
 * @param {readonly string[]} terms @param {number} wide
 */
function wrapped(terms, wide) {
  const rows = [""];
  for (const term of terms) {
    const before = rows[rows.length - 1];
    const longer = before ? `${before} ${term}` : term;
    if (before && textWidth(longer, SIZE) > wide) rows.push(term);
    else rows[rows.length - 1] = longer;
  }
  return rows;
}
