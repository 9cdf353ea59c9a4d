// One query in four panels side by side: scores, their divisor, shares, and the mix of the values.

import { textWidth } from "../../drawing/pen.js";
import { drawFit } from "./flow_fit.js";
import { barScale, boxesIn, inside, places } from "./flow_layout.js";
import { drawMix } from "./flow_mix.js";
import { entries, widest } from "./flow_numbers.js";
import { drawScale } from "./flow_scale.js";
import { keysShown } from "./flow_scene.js";
import { drawScrolling } from "./flow_scroll.js";
import { drawShares } from "./flow_shares.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Span } from "./flow_layout.js" */
/** @import { FlowScene } from "./flow_scene.js" */
/** @typedef {ReturnType<typeof panelPlaces>} Places */
/** @typedef {(pen: Pen, scene: FlowScene, at: Places) => void} Draw */

const ABOVE = 54; // height of a row in which there is room above the bar
const TALL = 100; // and below it

/** @param {Pen} pen @param {FlowScene} scene */
export function drawPanels(pen, scene) {
  const at = panelPlaces(scene);
  pen.part(scene, "fit", (its) => drawFit(its, scene, at));
  pen.part(scene, "scale", (its) => drawScale(its, scene, at));
  pen.part(scene, "softmax", (its) => drawShares(its, scene, at));
  pen.part(scene, "mix", (its) => drawMix(its, scene, at));
  if (!at.all) drawScrolling(pen, scene, at, at.panels.fit);
}

/** @param {FlowScene} scene */
function panelPlaces(scene) {
  const { data, width, height } = scene;
  const at = places(width, height, data.tokens.length);
  const above = at.row >= ABOVE;
  const columns = fitColumns(scene, at.panels.fit, at.many);
  const { bars } = columns;
  return {
    ...at,
    ...keysShown(scene, at),
    ...columns,
    size: above ? 18 : at.row >= 32 ? 16 : 14,
    high: Math.max(16, Math.min(40, at.row * (above ? 0.4 : 0.66))),
    along: barsScale(scene, Math.min(bars.right - bars.left, inside(at.panels.scale).wide)),
    above,
    tall: at.row >= TALL,
  };
}

/**
 * The columns of the first panel: words, boxes, bars; as many numbers of q and k as there is room for.
 *
 * @param {FlowScene} scene @param {Span} panel @param {boolean} many
 */
function fitColumns(scene, panel, many) {
  const { data } = scene;
  const { left, right, wide } = inside(panel);
  const longest = Math.max(...data.tokens.map((token) => textWidth(token, many ? 14 : 16, true))) + 24;
  const asks = many ? 0 : textWidth(`asks with q${data.query + 1}`, 14) + 6;
  const words = Math.min(112, Math.max(longest, asks));
  const [shown] = data.shown;
  const names = [...entries("q", shown), ...data.tokens.flatMap((_, j) => entries(`k${j + 1}.`, shown))];
  const boxes = boxesIn((wide - words - 10) * 0.54, shown, widest(scene, names, 13, 2) + 9, 44);
  const start = left + words + 10;
  const end = start + boxes.count * boxes.width;
  return {
    words: { left, right: left + words },
    boxes: { left: start, right: end, ...boxes },
    bars: { left: end + 14, right },
  };
}

/**
 * The common scale of all bars: for the scores, the divided scores, and both before the drag.
 *
 * @param {FlowScene} scene @param {number} room
 */
function barsScale({ data, values, before }, room) {
  const numbers = data.tokens.flatMap((_, j) => {
    const old = before ? [before(`a${j + 1}`)] : [];
    return [values(`s${j + 1}`), values(`a${j + 1}`), ...old];
  });
  return barScale(numbers, room);
}
