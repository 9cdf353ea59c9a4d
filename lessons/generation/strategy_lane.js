// A lane on a wide stage: a strategy, its text, each token in the colour of its p, and log p of the text.

import { textWidth } from "../../drawing/pen.js";
import { drawPageButton, drawTokens, pageOf } from "./lane_tokens.js";
import { tokensOf, totalOf, totalText } from "./strategies_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { StrategyText } from "../../drawing/types.js" */
/** @import { Box, DrawStrategy, StrategiesScene } from "./strategies_scene.js" */

const SIDE = 124; // the width of what is beside the text

/**
 * The look of a text, faint while its slider is dragged: it is written anew when the slider is released.
 *
 * @param {boolean} stale
 */
export const textLook = (stale) => ({ opacity: stale ? 0.35 : null, "pointer-events": "none" });

/** @type {DrawStrategy} */
export function drawLane(pen, scene, shown, each, box) {
  const { x, y, width, height } = box;
  const stale = shown.changes(each);
  const page = pageOf(scene, shown, each, width - SIDE - 28, height - 42);
  laneButton(pen, scene, each, (its) => drawHead(its, scene, each, box, stale, page.pages > 1));
  const look = textLook(stale);
  pen.group({ key: "text", ...look }, (its) => drawTokens(its, scene, shown, each, page, x + 14, y + 34));
  if (page.pages > 1) drawPageButton(pen, scene, each, page, x + width - 12, y + 23);
  const side = { x: x + width - SIDE, y: y + 34, width: SIDE - 14, height: height - 34 };
  pen.group({ key: "sum", ...look }, (its) => drawSum(its, scene, shown, each, side));
}

/**
 * A lane as a button: after a press, the bars show its first choice.
 *
 * @param {Pen} pen @param {StrategiesScene} scene @param {StrategyText} each @param {(pen: Pen) => void} draw
 */
export function laneButton(pen, { data, send }, each, draw) {
  const look = { key: "lane", chosen: each.name === data.lane };
  pen.button(`${each.label}: look at its first choice`, () => send({ lane: each.name }), draw, look);
}

/**
 * The frame of a lane, the strategy, and the number of tokens.
 *
 * @param {Pen} pen
 * @param {StrategiesScene} scene
 * @param {StrategyText} each
 * @param {Box} box
 * @param {boolean} stale
 * @param {boolean} paged whether there is a button for its pages
 */
function drawHead(pen, { data, colour }, each, { x, y, width, height }, stale, paged) {
  const looked = each.name === data.lane;
  pen.rect(x, y, width, height, {
    r: 12,
    fill: colour.background,
    stroke: looked ? colour.ink : colour.line,
    line: looked ? 2.5 : 1.5,
  });
  pen.text(x + 14, y + 23, each.label, { size: 17, bold: true });
  const from = x + 24 + textWidth(each.label, 17, true);
  const does = each.same ? `= the same text as ${each.same}` : each.how;
  pen.text(from, y + 23, stale ? "release the slider to write it again" : does, {
    size: 14,
    bold: Boolean(each.same),
    fill: each.same ? colour.ink : colour.quiet,
    room: x + width - from - (paged ? 144 : 90),
  });
  const count = `${each.chips.length} ${each.chips.length === 1 ? "token" : "tokens"}`;
  pen.text(x + width - 14 - (paged ? 54 : 0), y + 23, count, { size: 14, fill: colour.quiet, anchor: "end" });
}

/**
 * log p of the text, as a number and as a bar, its perplexity, and why it ended.
 *
 * @type {DrawStrategy}
 */
function drawSum(pen, scene, shown, each, { x, y, width, height }) {
  const { colour, hidden } = scene;
  const total = totalText(scene, shown, each);
  const asked = hidden(totalOf(each));
  const right = x + width;
  pen.text(x, y + 18, "log p", { size: 14, fill: colour.quiet });
  const look = { size: total.length > 7 ? 18 : 20, bold: true, fill: colour.activation };
  pen.markedText(right, y + 19, total, shown.marked === totalOf(each) && !asked, { anchor: "end", ...look });
  const sums = shown.lanes.map((one) => Math.abs(one.sums.at(-1) ?? 0));
  const most = Math.max(1, ...sums.filter(Number.isFinite));
  const now = Math.abs(each.sums[tokensOf(shown, each) - 1] ?? 0);
  pen.rect(x, y + 27, width, 6, { r: 3, fill: colour.activation, "fill-opacity": 0.12 });
  if (!asked && Number.isFinite(now)) pen.rect(x, y + 27, (width * now) / most, 6, { r: 3, fill: colour.activation });
  const below = /** @type {const} */ ({ size: 13, anchor: "end", room: width });
  const perplexity = asked || hidden("perplexity") ? "?" : each.perplexity;
  if (each.perplexity && height > 56)
    pen.text(right, y + 50, `perplexity ${perplexity}`, { fill: colour.quiet, ...below });
  if (height <= 74) return;
  const fill = each.wrong ? colour.gradient : colour.quiet;
  pen.text(right, y + 67, each.wrong ? `✕ ${each.note}` : each.note, { bold: each.wrong, fill, ...below });
}
