// One row per text of the slide's tree: its p as a bar, below it two standard errors around p, and the share drawn.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, SlideTreeScene } from "./slidetree.js" */
/** @import { Places } from "./slide_tree_places.js" */
/**
 * A text: its place, the middle of its row, whether its p is to be predicted, and whether it is marked.
 *
 * @typedef {{ i: number, label: string, y: number, p: number, asked: boolean, best: boolean, marked: boolean }} Row
 */

const TITLE = "p of the text";

/** @type {Draw} */
export function drawTexts(pen, scene, at) {
  const { data, values, hidden } = scene;
  if (!at.narrow) drawHead(pen, scene, at);
  data.texts.forEach((label, i) => {
    const row = {
      i,
      label,
      y: at.y(i),
      p: values(`p${i}`),
      asked: hidden(`p${i}`),
      best: i === values("@best"),
      marked: i === values("@beam") && !hidden("@beam"),
    };
    const draw = at.narrow ? drawNarrow : drawWide;
    pen.group({ key: `text${i}` }, (its) => draw(its, scene, at, row));
  });
}

/**
 * Where a p is drawn.
 *
 * @param {Places} at @param {number} p
 */
const placeOf = ({ bars, end }, p) => bars + (end - bars) * Math.min(Math.max(p, 0), 1);

/**
 * What is drawn, and the axis.
 *
 * @type {Draw}
 */
function drawHead(pen, { values, colour }, at) {
  pen.text(at.bars, 23, TITLE, { size: 15, bold: true, fill: colour.activation });
  const drawn = `● share of ${Math.round(values("n")).toLocaleString("en")} drawn, ─ p ± 2 errors`;
  pen.text(at.bars + 104, 23, drawn, { size: 14, fill: colour.score, room: at.end + 110 - at.bars - 104 });
  const how = { ticks: [0, 0.5, 1], lines: /** @type {const} */ ([at.top, at.foot]), title: TITLE };
  pen.axis("x", (p) => placeOf(at, p), { at: at.foot + 18, ...how });
}

/**
 * On a phone the number, and the bar below it.
 *
 * @param {Pen} pen @param {SlideTreeScene} scene @param {Places} at @param {Row} row
 */
function drawNarrow(pen, { colour }, { bars }, { y, p, asked, best, marked }) {
  const number = asked ? "?" : formatNumber(Number(p.toPrecision(2)));
  pen.markedText(bars, y + 1, number, marked, { size: 16, bold: best });
  pen.rect(bars, y + 8, 84, 5, { r: 2, fill: colour.activation, "fill-opacity": 0.12 });
  if (!asked) pen.rect(bars, y + 8, Math.max(84 * p, 1), 5, { r: 2, fill: colour.activation });
}

/** @param {Pen} pen @param {SlideTreeScene} scene @param {Places} at @param {Row} row */
function drawWide(pen, { values, colour }, at, { i, label, y, p, asked, best, marked }) {
  pen.text(at.bars - 14, y + 2, label, { size: 17, bold: best, anchor: "end" });
  const high = Math.min(20, at.row * 0.36);
  const long = Math.max((at.end - at.bars) * p, 1);
  if (!asked) pen.rect(at.bars, y - high + 4, long, high, { r: 3, fill: colour.activation });
  const [end, line] = [placeOf(at, asked ? 0 : p), y - high / 2 + 9];
  pen.markedText(end + 9, line, asked ? "?" : formatNumber(p), marked, { size: 17, bold: true });
  const after = end + 22 + textWidth(formatNumber(p), 17, true);
  if (best) pen.text(after, line, "← most probable", { size: 14, fill: colour.quiet });
  if (asked) return;
  const [low, error] = [y + high * 0.5 + 4, values(`s${i}`)];
  const ends = [placeOf(at, p - 2 * error), placeOf(at, p + 2 * error)];
  pen.line(ends[0], low, ends[1], low, { stroke: colour.score, width: 2.5 });
  pen.circle(placeOf(at, values(`f${i}`)), low, 5, { fill: colour.score });
}
