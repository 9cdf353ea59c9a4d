// The tokens at the left of their lanes; a press on a token of the last strip chooses it.

import { cutText, textWidth } from "../../drawing/pen.js";
import { isCovered, isFollowed, isLater, laneOf, tokensOf } from "./transformer_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, Drawing, View } from "./transformer_view.js" */

/** @typedef {{ strip: number, row: number, word: string, y: number }} Token y: the middle of its line */

const LINE = 15; // height that a token needs, in units

/** @type {Draw} */
export function drawTokens(pen, drawing) {
  drawing.strips.forEach(({ rows }, strip) => {
    const names = tokensOf(drawing, strip);
    for (let row = 0; row < rows; row++) {
      if (isLeftOut(drawing, strip, row)) continue;
      const y = heightOfToken(drawing, strip, row);
      if (y !== null) drawToken(pen, drawing, { strip, row, word: names[row], y });
    }
  });
}

/**
 * Whether a token is left out. In low lanes, only every n-th token is named, and the chosen one, whose neighbours are
 * left out.
 *
 * @param {View} view @param {number} strip @param {number} row
 */
function isLeftOut(view, strip, row) {
  if (isFollowed(view, strip, row)) return false;
  const every = Math.ceil(LINE / Math.max(laneOf(view, strip, 0).high, 0.01));
  if (row % every) return true;
  return every > 1 && strip === view.last && Math.abs(row - view.place) < every;
}

/**
 * The y coordinate of a token's name, within the plot; null if its lane is off screen or under the card.
 *
 * @param {Drawing} drawing @param {number} strip @param {number} row
 */
function heightOfToken(drawing, strip, row) {
  const { plot } = drawing;
  const { top, high } = laneOf(drawing, strip, row);
  if (top + high < plot.top + 4 || top > plot.top + plot.height - 4) return null;
  const y = Math.min(Math.max(top + high / 2, plot.top + 8), plot.top + plot.height - 8);
  return isCovered(drawing, plot.left - 40, y) ? null : y;
}

/** @param {Pen} pen @param {Drawing} drawing @param {Token} token */
function drawToken(pen, drawing, { strip, row, word, y }) {
  const { plot, scene, last } = drawing;
  const followed = isFollowed(drawing, strip, row);
  const size = scene.narrow ? 13 : 15;
  /** @param {Pen} its */
  const draw = (its) => {
    const text = cutText(word, plot.left - 16, size, followed);
    const wide = textWidth(text, size, followed);
    if (followed) its.mark(plot.left - 12 - wide - 5, y - size * 0.72, wide + 10, size * 1.36);
    else its.rect(2, y - size * 0.7, plot.left - 10, size * 1.4, { fill: "transparent" });
    const fill = tokenColour(drawing, strip, row);
    its.text(plot.left - 12, y + size * 0.34, text, { size, bold: followed, anchor: "end", fill });
  };
  const follow = () => scene.move("token", row + 1, true);
  const more = { key: `token ${row}`, chosen: followed };
  if (strip === last) pen.button(`Follow token ${row + 1}, ${word}`, follow, draw, more);
  else pen.group({ key: `source ${row}` }, draw);
}

/** @param {View} view @param {number} strip @param {number} row */
function tokenColour(view, strip, row) {
  const { colour } = view.scene;
  if (isFollowed(view, strip, row)) return colour.onMark;
  if (isLater(view, strip, row)) return colour.quiet;
  return strip === view.last ? colour.ink : colour.input;
}
