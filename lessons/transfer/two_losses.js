// Two losses of one text: a bar of −log p for each next token, one for the label, and their sum with λ, which is dragged.

import { drag } from "../../drawing/hand.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";
import { placesOf, weightAt } from "./two_losses_places.js";

/** @import { Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { LossesPlaces, LossesScene } from "./two_losses_places.js" */
/** @typedef {(pen: Pen, scene: LossesScene, at: LossesPlaces) => void} Draw */

const PALE = 0.45; // opacity of the language model’s loss

/** @param {Component<Scripts["two_losses"]>} component */
export default function two_losses(component) {
  return mainPicture(component, (pen, /** @type {LossesScene} */ scene) => {
    const at = placesOf(scene);
    drawAxis(pen, scene, at);
    pen.part(scene, "language", (its) => drawTokens(its, scene, at));
    pen.part(scene, "task", (its) => drawLabel(its, scene, at));
    pen.part(scene, "sum", (its) => (at.narrow ? drawLyingSum(its, scene, at) : drawSum(its, scene, at)));
    if (!at.narrow) pen.part(scene, "recorded", (its) => drawRecorded(its, scene, at));
  });
}

/** @param {number} n @returns {NameOf<"two_losses">} */
const barOf = (n) => `b ${n}`;

/** @type {Draw} */
function drawAxis(pen, { colour, narrow }, at) {
  const size = narrow ? 13 : 16;
  const ticks = at.y.ticks(narrow ? 3 : 5);
  const titled = { x: narrow ? 4 : 8, y: narrow ? 14 : 22, size, fill: colour.quiet };
  const lines = /** @type {[number, number]} */ ([at.words.left, at.words.right]);
  pen.axis("y", at.y, { at: at.words.left - 8, ticks, size, lines, title: "−log p, nats", titled });
}

/**
 * The tokens, a bar for each but the first, and their mean.
 *
 * @type {Draw}
 */
function drawTokens(pen, { data, colour, values, text, narrow }, at) {
  const size = narrow ? 13 : 16;
  data.tokens.forEach((token, n) => {
    const turn = `rotate(-50 ${at.x(n).toFixed(1)} ${at.foot + 16})`;
    pen.text(at.x(n) + 4, at.foot + 16, token, { key: `token ${n}`, size, anchor: "end", transform: turn });
    if (!n) return;
    const top = at.y(values(barOf(n - 1)));
    const wide = Math.min(at.column * 0.7, 34);
    const look = { key: `bar ${n}`, r: 2, fill: colour.loss, "fill-opacity": PALE };
    pen.rect(at.x(n) - wide / 2, top, wide, at.foot - top, look);
    const label = text(barOf(n - 1));
    if (textWidth(label, 14) > at.column - 2) return;
    pen.text(at.x(n), top - 5, label, { key: `cost ${n}`, size: 14, anchor: "middle", fill: colour.loss });
  });
  const mean = at.y(values("language"));
  const right = at.words.right - at.column;
  pen.line(at.words.left, mean, right, mean, { key: "mean", stroke: colour.loss, width: 2, dash: "6 4" });
  const said = narrow ? `L₁ = ${text("language")}` : `L₁ = ${text("language")}, the mean of the tokens`;
  const look = { key: "language", size: narrow ? 14 : 19, bold: true, fill: colour.loss };
  pen.text(at.words.left + (narrow ? 90 : 130), narrow ? 14 : 22, said, look);
}

/**
 * The bar of the label, after the last token, whose vector the new head reads.
 *
 * @type {Draw}
 */
function drawLabel(pen, { colour, values, text, hidden, narrow, data }, at) {
  const x = at.x(data.tokens.length);
  const wide = Math.min(at.column * 0.8, 40);
  const top = hidden("task") ? at.foot : at.y(values("task"));
  pen.rect(x - wide / 2, top, wide, at.foot - top, { key: "label bar", r: 2, fill: colour.score });
  const look = { size: narrow ? 13 : 16, bold: true, fill: colour.score };
  const turn = `rotate(-50 ${x.toFixed(1)} ${at.foot + 16})`;
  pen.text(x + 4, at.foot + 16, "label", { key: "label", anchor: "end", transform: turn, ...look });
  const said = { key: "task", ...look, size: narrow ? 14 : 19, anchor: /** @type {const} */ ("end") };
  pen.text(at.words.right, narrow ? 32 : 46, `L₂ = ${text("task")}`, said);
}

/**
 * The sum as a pile: L₂ below, λ L₁ on it; its top is dragged.
 *
 * @type {Draw}
 */
function drawSum(pen, scene, at) {
  const { colour, values, text, hidden } = scene;
  const { left, right, foot } = at.sum;
  if (hidden("total")) return;
  const [middle, top] = [at.along(values("task")), at.along(values("total"))];
  pen.rect(left, middle, right - left, foot - middle, { key: "sum task", r: 0, fill: colour.score });
  const pale = { key: "sum language", r: 0, fill: colour.loss, "fill-opacity": PALE };
  pen.rect(left, top, right - left, middle - top, pale);
  const beside = right + 12;
  pen.text(beside, (middle + foot) / 2 + 7, "L₂", { key: "named task", size: 22, bold: true, fill: colour.score });
  const product = { key: "named language", size: 22, bold: true, fill: colour.loss };
  if (middle - top > 24) pen.text(beside, (middle + top) / 2 + 7, "λ L₁", product);
  const total = { key: "total", size: 24, bold: true, anchor: /** @type {const} */ ("middle") };
  pen.text((left + right) / 2, 22, `L₃ = ${text("total")}`, total);
  pen.line(left - 10, foot, right + 10, foot, { key: "ground", stroke: colour.quiet });
  const said = { key: "weight", size: 19, anchor: /** @type {const} */ ("middle") };
  pen.text((left + right) / 2, foot + 26, `λ = ${text("weight")}`, said);
  drawHandle(pen, scene, at, (its) => {
    its.rect(left - 8, top - 14, right - left + 16, 28, { fill: "transparent" });
    its.line(left - 8, top, right + 8, top, { stroke: colour.ink, width: 4 });
    its.circle(left - 8, top, 11, { fill: colour.ink });
  });
}

/**
 * On a phone, the sum as a lying bar.
 *
 * @type {Draw}
 */
function drawLyingSum(pen, scene, at) {
  const { colour, values, text, hidden } = scene;
  const { left, top, foot } = at.sum;
  if (hidden("total")) return;
  const [middle, end] = [at.along(values("task")), at.along(values("total"))];
  pen.rect(left, top, middle - left, foot - top, { key: "sum task", r: 0, fill: colour.score });
  const pale = { key: "sum language", r: 0, fill: colour.loss, "fill-opacity": PALE };
  pen.rect(middle, top, end - middle, foot - top, pale);
  pen.text(left, foot + 18, "L₂", { key: "named task", size: 14, bold: true, fill: colour.score });
  const product = { key: "named language", size: 14, bold: true, fill: colour.loss };
  if (end - middle > 30) pen.text(middle, foot + 18, "+ λ L₁", product);
  pen.text(at.sum.right, foot + 18, `L₃ = ${text("total")}`, { key: "total", size: 15, bold: true, anchor: "end" });
  drawHandle(pen, scene, at, (its) => {
    its.rect(end - 16, top - 8, 32, foot - top + 12, { fill: "transparent" });
    its.line(end, top - 4, end, foot + 4, { stroke: colour.ink, width: 4 });
    its.circle(end, top - 4, 9, { fill: colour.ink });
  });
}

/** @param {Pen} pen @param {LossesScene} scene @param {LossesPlaces} at @param {(pen: Pen) => void} how */
function drawHandle(pen, { values, move }, at, how) {
  const style = `cursor: ${at.narrow ? "ew" : "ns"}-resize; touch-action: none`;
  const node = pen.group({ key: "handle", class: "handle", style }, how);
  drag(node, {
    down: () => ({ weight: values("weight") }),
    move: (began, x, y) => move("weight", (began.weight = weightAt(at, values, x, y)), false),
    up: (began, moved) => moved && move("weight", began.weight, true),
  });
}

/**
 * The recorded share of right answers with each λ.
 *
 * @type {Draw}
 */
function drawRecorded(pen, { data, colour, values, hidden }, { chart, weight, share, low }) {
  const shares = share.ticks(4).filter((tick) => tick >= low);
  const lines = /** @type {[number, number]} */ ([chart.left, chart.right]);
  const title = `share right, ${data.labels} labels`;
  const titled = { x: chart.right, y: 22, size: 16, fill: colour.quiet, anchor: /** @type {const} */ ("end") };
  pen.axis("y", share, { at: chart.left - 10, ticks: shares, size: 16, lines, title, titled });
  const ticks = [0, 0.5, 1, 2];
  const named = { x: (chart.left + chart.right) / 2, y: chart.foot + 52, size: 16, fill: colour.quiet };
  const below = { ...named, anchor: /** @type {const} */ ("middle") };
  pen.axis("x", weight, { at: chart.foot + 24, ticks, size: 16, title: "λ", titled: below });
  data.recorded.forEach(({ weight: at, mean, low: from, high: to }, n) => {
    const x = weight(at);
    pen.line(x, share(from), x, share(to), { key: `interval ${n}`, stroke: colour.activation, width: 2 });
    pen.circle(x, share(mean), 7, { key: `mean ${n}`, fill: colour.activation });
  });
  if (hidden("total")) return;
  const now = weight(values("weight"));
  pen.line(now, chart.top, now, chart.foot, { key: "now", stroke: colour.ink, width: 2, dash: "5 4" });
}
