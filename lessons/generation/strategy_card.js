// A strategy as a card: the part of the first choice that it keeps, and log p of its text. A press makes it a lane.

import { totalOf } from "./strategies_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { StrategyText } from "../../drawing/types.js" */
/** @import { Box, DrawStrategy, StrategiesScene } from "./strategies_scene.js" */

/** @type {DrawStrategy} */
export function drawCard(pen, scene, shown, each, box) {
  const { colour } = scene;
  const { x, y, width, height } = box;
  const on = each === shown.focus;
  cardButton(pen, scene, each, (its) => {
    its.node("title", {}, `${each.label}: ${each.how}`);
    its.rect(x, y, width, height, {
      r: 9,
      fill: each.same ? colour.ground : colour.background,
      stroke: on ? colour.ink : colour.line,
      line: on ? 2.5 : 1.5,
    });
    its.text(x + 9, y + 19, each.brief, { size: 14, bold: true, room: width - 36 });
    its.text(x + width - 8, y + 19, "↑", { size: 14, anchor: "end", fill: colour.quiet });
    drawThumbnail(its, scene, each, { x: x + 9, y: y + 27, width: width - 18, height: 28 });
    const room = width - 16;
    if (shown.changes(each)) its.text(x + 9, y + 74, "release to write", { size: 13, fill: colour.quiet, room });
    else drawResult(its, scene, each, box);
  });
}

/**
 * A card as a button that makes its strategy a lane.
 *
 * @param {Pen} pen @param {StrategiesScene} scene @param {StrategyText} each @param {(pen: Pen) => void} draw
 */
export function cardButton(pen, { send }, each, draw) {
  const promote = () => send({ promote: each.name });
  pen.button(`${each.label}: ${each.how}. Put it in a lane`, promote, draw, { key: each.name });
}

/**
 * log p of the text, and how it differs from those of the lanes.
 *
 * @param {Pen} pen @param {StrategiesScene} scene @param {StrategyText} each @param {Box} box
 */
function drawResult(pen, { hidden, text, colour }, each, { x, y, width }) {
  const room = width - 16;
  const total = hidden(totalOf(each)) ? "?" : text(totalOf(each));
  const said = each.written ? `log p ${total}` : "not written yet";
  const fill = each.written ? colour.activation : colour.quiet;
  pen.text(x + 9, y + 73, said, { size: 13, bold: each.written, fill, room });
  const result = each.same ? `= ${each.same}` : each.differs ? `differs: ${each.differs}` : each.note;
  const look = { size: 13, fill: each.same ? colour.ink : colour.quiet, room };
  pen.text(x + 9, y + 90, each.written ? result : "press to write", look);
}

/**
 * The part of the first choice that a strategy keeps: one column per token, hatched if it is cut.
 *
 * @param {Pen} pen @param {StrategiesScene} scene @param {StrategyText} each @param {Box} box
 */
function drawThumbnail(pen, { data, colour, values, hidden }, each, { x, y, width, height }) {
  if (hidden(`@${each.name}.kept`)) {
    pen.text(x + width / 2, y + 21, "?", { size: 20, bold: true, anchor: "middle" });
    return;
  }
  const p = data.rows.map((_, row) => values(`${each.name}.${row}`));
  const model = data.rows.map((_, row) => values(`walk.${row}`));
  const most = Math.max(...p, ...model, 1e-9);
  const chosen = values(`@${each.name}.chosen`);
  const [column, foot] = [width / data.rows.length, y + height];
  data.rows.forEach((_, row) => {
    const cut = p[row] === 0 && model[row] > 0;
    const high = Math.max((height * (cut ? model[row] : p[row])) / most, 1.5);
    pen.rect(x + row * column + 1.5, foot - high, column - 3, high, {
      key: `bar${row}`,
      r: 1.5,
      fill: cut ? "url(#cut)" : colour.activation,
      "fill-opacity": cut || row === chosen || chosen < 0 ? 1 : 0.45,
      stroke: cut ? colour.quiet : null,
      line: cut ? 0.8 : null,
    });
  });
  pen.line(x, foot + 0.5, x + width, foot + 0.5, { key: "base", stroke: colour.quiet, width: 1 });
}
