// The strategies on a phone: the first choice above, the lanes below it, and the cards as buttons at the bottom.

import { textWidth } from "../../drawing/pen.js";
import { chanceText, promptEnd, tokenRows } from "./first_choice.js";
import { scaleEnd } from "./lane_token_places.js";
import { drawPageButton, drawTokens, pageOf } from "./lane_tokens.js";
import { cardButton } from "./strategy_card.js";
import { laneButton, textLook } from "./strategy_lane.js";
import { chosenRow, totalOf, totalText } from "./strategies_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { TokenRow } from "./first_choice.js" */
/** @import { Draw, DrawStrategy, Shown, StrategiesScene } from "./strategies_scene.js" */

const LEFT = 10;
const ROW = 20; // the height of a token of the first choice
const CARDS = 62; // the height of all cards

/** @type {Draw} */
export function drawNarrow(pen, scene, shown) {
  const { width, height, data } = scene;
  const right = width - 10;
  const count = Math.max(3, Math.min(data.rows.length, Math.floor((height - 270) / ROW)));
  pen.part(scene, "first", (its) => drawChoice(its, scene, shown, right, count));
  const top = 30 + count * ROW;
  const lane = (height - top - CARDS) / shown.lanes.length;
  shown.lanes.forEach((each, i) => {
    const box = { x: LEFT, y: top + i * lane, width: right - LEFT, height: lane - 5 };
    pen.part(scene, each.name, (its) => drawSlimLane(its, scene, shown, each, box));
  });
  pen.part(scene, "cards", (its) => drawCards(its, scene, shown, right));
}

/**
 * The most probable tokens of the first choice.
 *
 * @param {Pen} pen @param {StrategiesScene} scene @param {Shown} shown @param {number} right @param {number} count
 */
function drawChoice(pen, scene, shown, right, count) {
  const { data, colour } = scene;
  const prompt = promptEnd(data.prompt, right - LEFT - 30, 15);
  pen.text(LEFT, 17, prompt, { size: 15, bold: true, fill: colour.input });
  const tokens = tokenRows(scene, shown).filter((row) => !row.rest);
  const end = scaleEnd(Math.max(...tokens.flatMap((row) => [row.p, row.model])));
  tokens.slice(0, count).forEach((row, i) => {
    const lanes = shown.lanes.filter((each) => chosenRow(scene, shown, each) === i);
    const who = lanes.map((each) => each.brief).join(", ");
    pen.group({ key: `row${i}` }, (its) => drawToken(its, scene, shown, { ...row, y: 24 + i * ROW, who }, right, end));
  });
}

/**
 * A token with its bar, its p, and the lanes that begin with it.
 *
 * @param {Pen} pen
 * @param {StrategiesScene} scene
 * @param {Shown} shown
 * @param {TokenRow & { y: number, who: string }} row
 * @param {number} right
 * @param {number} end the p at the right end of the scale
 */
function drawToken(pen, scene, shown, row, right, end) {
  const { colour, hidden } = scene;
  const { y, who, cut, name, p, model } = row;
  const [from, whole] = [LEFT + 84, right - LEFT - 84 - 100];
  const bold = who !== "";
  pen.text(from - 6, y + 14, row.label, {
    size: 14,
    bold,
    anchor: "end",
    room: 78,
    fill: cut ? colour.quiet : colour.ink,
    "text-decoration": cut ? "line-through" : null,
  });
  pen.rect(from, y + 3, whole, 14, { r: 3, fill: colour.activation, "fill-opacity": 0.07 });
  const look = cut ? { fill: "url(#cut)", stroke: colour.quiet, line: 1 } : { fill: colour.activation };
  const long = Math.max(2, (whole * Math.min(end, cut ? model : p)) / end);
  if (!hidden(name)) pen.rect(from, y + 3, long, 14, { r: 3, ...look });
  pen.markedText(from + whole + 6, y + 14, chanceText(scene, row), shown.marked === name, { size: 14, bold });
  if (bold) pen.text(right, y + 14, `▸ ${who}`, { size: 13, anchor: "end", fill: colour.activation, room: 56 });
}

/** @type {DrawStrategy} */
function drawSlimLane(pen, scene, shown, each, box) {
  const { x, y, width, height } = box;
  const page = pageOf(scene, shown, each, width - 20, height - 31);
  laneButton(pen, scene, each, (its) => drawSlimHead(its, scene, shown, each, box));
  const look = textLook(shown.changes(each));
  pen.group({ key: "text", ...look }, (its) => drawTokens(its, scene, shown, each, page, x + 10, y + 27));
  if (page.pages > 1) drawPageButton(pen, scene, each, page, x + width - 124, y + 19);
}

/**
 * The frame of a lane, the strategy, and log p of its text.
 *
 * @type {DrawStrategy}
 */
function drawSlimHead(pen, scene, shown, each, { x, y, width, height }) {
  const { colour, data, hidden } = scene;
  const looked = each.name === data.lane;
  const stale = shown.changes(each);
  pen.rect(x, y, width, height, {
    r: 9,
    fill: colour.background,
    stroke: looked ? colour.ink : colour.line,
    line: looked ? 2 : 1.5,
  });
  pen.text(x + 10, y + 19, each.label, { size: 15, bold: true });
  const from = x + 18 + textWidth(each.label, 15, true);
  const same = { size: 13, fill: colour.quiet, room: x + width - 174 - from };
  if (each.same || stale) pen.text(from, y + 19, stale ? "release" : `= ${each.same}`, same);
  pen.text(x + width - 76, y + 19, "log p", { size: 13, fill: colour.quiet, anchor: "end" });
  const marked = shown.marked === totalOf(each) && !hidden(totalOf(each));
  const look = /** @type {const} */ ({ size: 16, bold: true, anchor: "end", fill: colour.activation });
  pen.markedText(x + width - 10, y + 19, totalText(scene, shown, each), marked, look);
}

/**
 * The cards in two rows.
 *
 * @param {Pen} pen @param {StrategiesScene} scene @param {Shown} shown @param {number} right
 */
function drawCards(pen, scene, { cards, focus }, right) {
  const { colour, height } = scene;
  const across = Math.ceil(cards.length / 2);
  const room = (right - LEFT + 6) / across;
  const width = room - 6;
  cards.forEach((each, i) => {
    const [x, y] = [LEFT + (i % across) * room, height - CARDS + 2 + Math.floor(i / across) * 29];
    cardButton(pen, scene, each, (its) => {
      const fill = each.same ? colour.ground : colour.background;
      its.rect(x, y, width, 25, { r: 7, fill, stroke: each === focus ? colour.ink : colour.line });
      its.text(x + width / 2, y + 17, each.brief, { size: 13, anchor: "middle", room: width - 6 });
    });
  });
}
