// What the model answers at the chosen places, and what each answer costs.

import { scaleLinear } from "../../drawing/d3.js";
import { formatNumber } from "../../drawing/numbers.js";
import { cutText, textWidth } from "../../drawing/pen.js";
import { blockOf, middleOf } from "./masked_loss_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Judged } from "../../drawing/types.js" */
/** @import { Block, Columns, LossScene } from "./masked_loss_places.js" */

/**
 * The chosen words with their probability and rank, and the words that are likelier or next.
 *
 * @param {Pen} pen @param {LossScene} scene @param {Columns} at
 */
export function drawAnswers(pen, scene, at) {
  const { data, colour } = scene;
  const open = isOpen(data);
  const most = likeliest(scene);
  pen.text(at.left - 12, at.block.top + 22, "ŷ", { size: 22, bold: true, anchor: "end", fill: colour.activation });
  data.judged.forEach((each, n) => {
    const block = blockOf(at, data.judged, n);
    const x = middleOf(at, each.place);
    pen.line(x, at.strip.top, x, block.foot, { key: `stem${each.place}`, stroke: colour.ink, width: 2 });
    pen.group({ key: `answer${each.place}` }, (its) => {
      drawOwn(its, scene, each, block, open);
      if (!open) drawRivals(its, scene, each, block, { ...at, most });
    });
  });
}

/**
 * Whether what comes out of the encoder is not shown yet.
 *
 * @param {LossScene["data"]} data
 */
const isOpen = ({ asked, stage }) => asked || stage === "input";

/** @param {Pen} pen @param {LossScene} scene @param {Judged} each @param {Block} block @param {boolean} open */
function drawOwn(pen, { data, colour, text, hidden }, each, { left, right, top }, open) {
  const tall = 32;
  const marked = data.stage === "head" && each.cost === data.costly && !hidden(each.p);
  pen.rect(left, top, right - left, tall, { key: "own", r: 6, fill: colour.loss, "fill-opacity": 0.12 });
  const said = open ? "?" : formatNumber(Number(Number(text(each.p)).toPrecision(3)));
  const number = hidden(each.p) ? "?" : said;
  const wide = textWidth(number, 18, true) + 12;
  pen.text(left + 9, top + 23, cutText(each.word, right - left - wide - 22, 20, true), {
    key: "word",
    size: 20,
    bold: true,
    fill: colour.loss,
  });
  const look = /** @type {const} */ ({ key: "p", size: 18, bold: true, fill: colour.loss, anchor: "end" });
  pen.markedText(right - 9, top + 22, number, marked, look);
  if (open) return;
  const rank = `rank ${text(each.rank)} of ${data.types}`;
  pen.text(left + 9, top + tall + 18, rank, { key: "rank", size: 15, fill: colour.quiet, room: right - left - 9 });
}

/**
 * The largest probability at any chosen place, so that all bars have one scale.
 *
 * @param {LossScene} scene
 */
const likeliest = ({ data, values }) =>
  Math.max(...data.judged.flatMap(({ rivals }) => rivals.map(({ p }) => values(p))));

/** @param {Pen} pen @param {LossScene} scene @param {Judged} each @param {Block} block @param {Columns & { most: number }} at */
function drawRivals(pen, { values, colour }, each, { left, right, top }, { rivals, row, most }) {
  each.rivals.slice(0, rivals).forEach(({ word, p }, k) => {
    const y = top + 58 + k * row;
    const wide = Math.max(((right - left) * 0.62 * values(p)) / most, 2);
    pen.rect(left, y, wide, row - 5, { key: `bar${k}`, r: 2, fill: colour.activation, "fill-opacity": 0.3 });
    const number = formatNumber(Number(values(p).toPrecision(2)));
    const room = right - left - textWidth(number, 16) - 24;
    const base = y + (row - 5) / 2 + 6;
    pen.text(left + 9, base, word, { key: `word${k}`, size: 17, room });
    pen.text(right - 9, base, number, { key: `p${k}`, size: 16, fill: colour.activation, anchor: "end" });
  });
}

/**
 * The costs over their places, the line of their mean, and what a blind guess costs.
 *
 * @param {Pen} pen @param {LossScene} scene @param {Columns} at
 */
export function drawCosts(pen, scene, at) {
  const { data, values, colour } = scene;
  if (data.stage === "head" || !data.judged.length) return;
  const blind = values("blind");
  const most = Math.max(blind, ...data.judged.map(({ cost }) => values(cost))) * 1.08;
  const y = scaleLinear([0, most], [at.axis.foot, at.axis.top]);
  const right = at.left + at.words.length * at.cell;
  pen.axis("y", y, {
    at: at.left - 10,
    ticks: [0, 5, 10].filter((tick) => tick < most),
    size: 15,
    title: "−log ŷ, nats",
  });
  pen.text(at.left - 60, at.axis.top - 12, "−log ŷ, nats", { size: 16, bold: true, fill: colour.loss });
  pen.line(at.left, y(0), right, y(0), { key: "zero", stroke: colour.ink, width: 2 });
  const look = { key: "blind", stroke: colour.quiet, width: 1.5, dash: "3 5" };
  pen.line(at.left, y(blind), right, y(blind), look);
  const said = `blind guess: log ${data.types} = ${scene.text("blind")}`;
  pen.text(right, y(blind) - 6, said, { key: "blind said", size: 15, fill: colour.quiet, anchor: "end" });
  drawMean(pen, scene, right, at.left, y);
  data.judged.forEach((each) => drawCost(pen, scene, at, each, y));
}

/** @param {Pen} pen @param {LossScene} scene @param {Columns} at @param {Judged} each @param {(cost: number) => number} y */
function drawCost(pen, { data, values, text, colour, hidden }, at, each, y) {
  const x = middleOf(at, each.place);
  const wide = Math.min(at.cell - 16, 110);
  if (isOpen(data) || hidden(each.cost)) {
    const look = {
      key: `open${each.place}`,
      stroke: colour.loss,
      line: 2,
      r: 3,
      fill: colour.loss,
      "fill-opacity": 0.05,
    };
    pen.rect(x - wide / 2, y(0) - 74, wide, 74, look);
    pen.text(x, y(0) - 24, "?", {
      key: `cost${each.place}`,
      size: 36,
      bold: true,
      anchor: "middle",
      fill: colour.loss,
    });
    return;
  }
  const top = y(values(each.cost));
  pen.rect(x - wide / 2, top, wide, y(0) - top, { key: `bar${each.place}`, r: 3, fill: colour.loss });
  const inside = y(0) - top > 34;
  const look = /** @type {const} */ ({ key: `cost${each.place}`, size: 24, bold: true, anchor: "middle" });
  if (inside) pen.text(x, y(0) - 9, text(each.cost), { ...look, fill: colour.background });
  else pen.text(x, top - 7, text(each.cost), { ...look, fill: colour.loss, halo: true });
}

/** @param {Pen} pen @param {LossScene} scene @param {number} right @param {number} left @param {(cost: number) => number} y */
function drawMean(pen, { data, values, text, colour, hidden }, right, left, y) {
  if (isOpen(data) || hidden("loss")) return;
  const at = y(values("loss"));
  const look = { key: "mean", stroke: colour.loss, width: 3, dash: null, "stroke-opacity": 0.7 };
  pen.line(left, at, right + 8, at, look);
  pen.markedText(right + 14, at + 8, text("loss"), true, { key: "loss", size: 24, bold: true, fill: colour.loss });
  pen.text(right + 14, at + 30, "their mean", { key: "mean said", size: 16, bold: true, fill: colour.loss });
}
