// The tokens of a text, each in the colour of its p: in rows, and on several pages if there are too many.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { fitted } from "./lane_token_places.js";
import { tokensOf } from "./strategies_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { StrategyText, TokenChip } from "../../drawing/types.js" */
/** @import { Shown, StrategiesScene } from "./strategies_scene.js" */
/** @typedef {ReturnType<typeof pageOf>} Page */

/**
 * Where the tokens of a text are drawn, and which page is shown: while the text grows, the page of its last token.
 *
 * @param {StrategiesScene} scene
 * @param {Shown} shown
 * @param {StrategyText} each
 * @param {number} room
 * @param {number} height
 */
export function pageOf({ memory }, shown, each, room, height) {
  const texts = each.chips.map((chip) => chip.text);
  const found = fitted(texts, room, height, textWidth);
  const last = found.places[Math.max(0, tokensOf(shown, each) - 1)];
  const growing = shown.written < shown.longest;
  const page = growing ? Math.floor((last?.row ?? 0) / found.rows) : (memory.page[each.name] ?? 0);
  return { ...found, page: Math.min(page, found.pages - 1) };
}

/**
 * @param {Pen} pen
 * @param {StrategiesScene} scene
 * @param {Shown} shown
 * @param {StrategyText} each
 * @param {Page} page
 * @param {number} x
 * @param {number} y
 */
export function drawTokens(pen, { colour }, shown, each, { how, places, rows, page }, x, y) {
  if (!each.chips.length) {
    pen.text(x, y + 18, "no token", { size: 15, fill: colour.quiet });
    return;
  }
  const count = tokensOf(shown, each);
  each.chips.forEach((chip, k) => {
    const place = places[k];
    const row = place.row - page * rows;
    if (row < 0 || row >= rows) return;
    const box = { left: x + place.x, top: y + row * (how.high + how.gap), wide: place.width, high: how.high };
    pen.group({ key: `token${k}`, opacity: k < count ? null : 0 }, (its) => drawToken(its, chip, box, how.size));
  });
}

/**
 * @param {Pen} pen
 * @param {TokenChip} chip
 * @param {{ left: number, top: number, wide: number, high: number }} box
 * @param {number} size of its letters
 */
function drawToken(pen, chip, { left, top, wide, high }, size) {
  pen.node("title", {}, `p = ${formatNumber(chip.p)}${chip.wrong ? "; the grammar excludes this" : ""}`);
  pen.rect(left, top, wide, high, { r: 5, fill: chip.fill });
  const look = /** @type {const} */ ({ size, anchor: "middle", fill: chip.ink, room: wide - 4 });
  pen.text(left + wide / 2, top + high / 2 + size * 0.34, chip.text, look);
  if (!chip.wrong) return;
  const foot = top + high - 1;
  pen.line(left + 3, foot, left + wide - 3, foot, { stroke: pen.colour.gradient, width: 3, dash: "3 2" });
}

/**
 * The button with the page of a text that is shown; a press shows the next page.
 *
 * @param {Pen} pen
 * @param {StrategiesScene} scene
 * @param {StrategyText} each
 * @param {Page} page
 * @param {number} right
 * @param {number} y
 */
export function drawPageButton(pen, { memory, again, colour }, each, { page, pages }, right, y) {
  const next = (page + 1) % pages;
  const turn = () => {
    memory.page[each.name] = next;
    again();
  };
  const draw = (/** @type {Pen} */ its) => {
    its.rect(right - 46, y - 16, 46, 22, { r: 7, fill: colour.background, stroke: colour.line });
    its.text(right - 23, y, `${page + 1}/${pages} ›`, { size: 13, bold: true, anchor: "middle" });
  };
  pen.button(`${each.label}: part ${next + 1} of ${pages} of its text`, turn, draw, { key: "page" });
}
