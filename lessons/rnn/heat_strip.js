// The numbers of a vector as coloured cells.

import { drawSvg } from "../../drawing/dom.js";
import { formatNumber } from "../../drawing/numbers.js";
import { sub } from "./column_numbers.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { HeatStrip } from "../../drawing/types.js" */
/** @typedef {{ left: number, top: number, wide: number, high: number }} StripBox */

/**
 * The cells of a vector at one step, in a row or in a column; a tooltip shows each number.
 *
 * @param {Pen} pen
 * @param {HeatStrip} strip
 * @param {number} t
 * @param {readonly string[]} scale the colours from the lowest number to the highest
 * @param {StripBox} box
 * @param {boolean} across
 */
export function drawStrip(pen, { letter, shown, values, reach }, t, scale, { left, top, wide, high }, across) {
  const each = (across ? wide : high) / shown;
  pen.group({ key: letter, "shape-rendering": "crispEdges" }, (cells) => {
    for (let i = 0; i < shown; i++) {
      const value = values[t * shown + i];
      const share = Math.min(Math.max(value / reach, -1), 1);
      const fill = scale[Math.round(((share + 1) / 2) * (scale.length - 1))];
      const node = across
        ? cells.rect(left + each * i, top, each, high, { fill, r: 0 })
        : cells.rect(left, top + each * i, wide, each, { fill, r: 0, "data-unit": i + 1 });
      const tip = `${letter}${sub(t + 1)}, unit ${i + 1}: ${formatNumber(value)}`;
      if (node.textContent !== tip) node.replaceChildren(drawSvg("title", {}, null, tip));
    }
  });
}
