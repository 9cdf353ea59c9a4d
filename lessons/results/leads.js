// Translation systems on two rulers of one scale, a language each, and the lead of the best as a bar.

import { scaleLinear } from "../../drawing/d3.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Component, LeadRow, Scripts } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @typedef {Scene<"leads">} LeadsScene */
/** @typedef {ReturnType<typeof placesOf>} Places */
/** @typedef {(pen: Pen, scene: LeadsScene, at: Places, row: LeadRow) => void} Draw */

/** With one decimal, as in the paper. @param {number} score */
const printed = (score) => score.toFixed(1);

/** @param {Component<Scripts["leads"]>} component */
export default function leads(component) {
  return mainPicture(component, (pen, /** @type {LeadsScene} */ scene) => {
    const { colour, data, height, width } = scene;
    data.rows.forEach((row, i) => {
      const at = placesOf(scene, row, i);
      drawRuler(pen, scene, at, row);
      drawOthers(pen, scene, at, row);
      if (scene.hidden(nameOf(row))) return drawQuestion(pen, scene, at, row);
      drawLead(pen, scene, at, row);
      drawSystem(pen, scene, at, row);
    });
    pen.text(16, height - 8, data.source, { key: "source", size: 14, fill: colour.quiet, room: width - 32 });
  });
}

/** @param {LeadRow} row */
const nameOf = (row) => /** @type {"de" | "fr"} */ (row.key);

/**
 * The scale of a ruler; all rulers have the same length in BLEU.
 *
 * @param {LeadsScene} scene @param {LeadRow} row @param {number} i
 */
function placesOf({ data, width, height, narrow }, row, i) {
  const lowest = (/** @type {LeadRow} */ each) => Math.floor(Math.min(...each.scores));
  const spans = data.rows.map((each) => Math.ceil(Math.max(each.best, each.other)) - lowest(each));
  const span = Math.max(...spans);
  const left = narrow ? 24 : 190;
  const from = lowest(row);
  const x = scaleLinear([from, from + span], [left, width - (narrow ? 24 : 60)]);
  const part = (height - 30) / data.rows.length;
  const y = part * i + part * (narrow ? 0.68 : 0.64);
  const ticks = Array.from({ length: span + 1 }, (_, k) => from + k);
  return { x, y, ticks, left, part, size: narrow ? 14 : 22 };
}

/** @type {Draw} */
function drawRuler(pen, { colour, narrow }, { x, y, ticks, left, part, size }, row) {
  const end = x(ticks[ticks.length - 1]);
  pen.line(left, y, end, y, { key: `ruler ${row.key}`, stroke: colour.ink, width: 2 });
  pen.axis("x", x, {
    at: y + (narrow ? 22 : 30),
    ticks,
    size: narrow ? 14 : 18,
    lines: [y, y + 8],
    look: { stroke: colour.ink, width: 1.5 },
    title: "BLEU",
    titled: {
      x: narrow ? end : 24,
      y: narrow ? y + 42 : y + 28,
      size: 16,
      fill: colour.quiet,
      anchor: narrow ? "end" : "start",
    },
    key: `axis ${row.key}`,
  });
  pen.text(narrow ? 8 : 24, narrow ? y - part * 0.56 : y, row.label, {
    key: `label ${row.key}`,
    size: size + 2,
    bold: true,
  });
}

/**
 * The other systems, each name above its mark, the names on lines of their own.
 *
 * @type {Draw}
 */
function drawOthers(pen, { colour, narrow }, { x, y, size }, row) {
  row.names.forEach((name, i) => {
    const at = x(row.scores[i]);
    const top = y - (narrow ? 30 : 44) - i * (narrow ? 24 : 36);
    pen.line(at, y - 8, at, top + 6, { key: `lead ${row.key} ${i}`, stroke: colour.quiet, width: 1.5 });
    pen.circle(at, y, narrow ? 6 : 9, { key: `other ${row.key} ${i}`, fill: colour.quiet });
    const said = `${name} ${printed(row.scores[i])}`;
    const wide = textWidth(said, size);
    const right = at - wide < 4;
    const look = { key: `name ${row.key} ${i}`, size, fill: colour.quiet, halo: true };
    pen.text(right ? 4 : at + 6, top, said, { ...look, anchor: right ? "start" : "end" });
  });
}

/** @type {Draw} */
function drawQuestion(pen, { colour, data }, { x, y, ticks, size }, row) {
  const at = x(ticks[ticks.length - 1]);
  const said = `${data.system} ?`;
  pen.text(at, y - 24, said, {
    key: `asked ${row.key}`,
    size: size + 6,
    bold: true,
    fill: colour.activation,
    anchor: "end",
  });
}

/**
 * The lead: a bar from the best of the others to the system.
 *
 * @type {Draw}
 */
function drawLead(pen, { colour, text, narrow, data }, { x, y, size }, row) {
  const from = x(Math.max(...row.scores));
  const to = x(row.best);
  const high = narrow ? 10 : 18;
  pen.rect(from, y - high, to - from, high, { key: `bar ${row.key}`, r: 0, fill: colour.activation });
  const named = row.key === data.rows[data.rows.length - 1].key;
  const look = { size: narrow ? 18 : 32, bold: true, anchor: /** @type {const} */ ("middle") };
  pen.markedText((from + to) / 2, y - high - size * 0.7, `+${text(nameOf(row))}`, named, {
    key: `by ${row.key}`,
    ...look,
  });
}

/**
 * The system, and its score in the other version where that differs; a press shows that version.
 *
 * @type {Draw}
 */
function drawSystem(pen, { colour, data, narrow, send }, { x, y, size }, row) {
  const at = x(row.best);
  pen.circle(at, y, narrow ? 9 : 14, { key: `best ${row.key}`, fill: colour.activation });
  const look = { size: size + 2, bold: true, fill: colour.activation, anchor: /** @type {const} */ ("start") };
  const top = y - (narrow ? 62 : 84);
  pen.line(at, y, at, top + size * 1.7, { key: `stem ${row.key}`, stroke: colour.activation, width: 2 });
  const left = Math.min(at - 4, x.range()[1] - textWidth(data.system, size + 2, true) + (narrow ? 20 : 50));
  pen.text(left, top, data.system, { key: `system ${row.key}`, ...look });
  pen.text(left, top + size * 1.35, printed(row.best), { key: `score ${row.key}`, ...look });
  if (row.other === row.best) return;
  const other = x(row.other);
  const said = `${printed(row.other)} in the ${data.otherVersion}`;
  pen.button(
    `Show the score of the ${data.otherVersion}`,
    () => send({ other: true }),
    (its) => {
      its.circle(other, y, narrow ? 8 : 11, { fill: colour.background, stroke: colour.activation, line: 3 });
      const own = {
        size: narrow ? 14 : 20,
        fill: colour.activation,
        anchor: /** @type {const} */ ("middle"),
        halo: true,
      };
      its.text(other, y + (narrow ? 44 : 62), said, own);
    },
    { key: `other ${row.key}` },
  );
}
