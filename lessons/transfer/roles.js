// The parts of a network against its uses: which parts are kept, left out, added and trained.

import { drawSvg, html } from "../../drawing/dom.js";
import { follow } from "../../drawing/frames.js";
import { Pen } from "../../drawing/pen.js";
import { saveButtons } from "../../drawing/saving.js";
import { stage } from "../../drawing/stage.js";
import { colours } from "../../drawing/theme.js";

/** @import { Component, Picture, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["roles"]} Data */
/** @typedef {{ use: number, part: number | null }} Chosen */
/** @typedef {{ svg: SVGSVGElement, readout: HTMLElement, pen: Pen, chosen?: Chosen }} Remembered */
/**
 * What is drawn, and where; `choose` receives the new choice after a press.
 *
 * @typedef {object} Table
 * @property {Data} data
 * @property {Chosen} chosen
 * @property {(chosen: Chosen) => void} choose
 * @property {ReturnType<typeof placesOf>} at
 */

const NARROW = 600;
const ROW = 46;
const GAP = 6;

/** @param {Component<Data>} component */
export default function roles({ data, parentElement, setTriggerValue }) {
  /** @type {[Picture<Data, Remembered>, boolean]} */
  const [picture, fresh] = stage(parentElement, "roles");
  const colour = colours(parentElement);
  if (fresh) {
    picture.svg = drawSvg("svg", { width: "100%", role: "group" }, html("div", {}, picture.element));
    picture.readout = html("p", { class: "readout", "aria-live": "polite" }, picture.element);
    picture.pen = new Pen(picture.svg, colour);
    saveButtons(picture.element, () => ["layer-roles", [[picture.svg]]]);
  }
  const at = placesOf(data, picture.element.clientWidth < NARROW);
  let chosen = keptChoice(data, picture.chosen);
  picture.pen.colour = colour;
  picture.svg.setAttribute("aria-label", data.alt);
  picture.svg.setAttribute("viewBox", `0 0 ${at.width} ${at.height}`);
  const draw = () => {
    picture.chosen = chosen;
    const { use, part } = chosen;
    picture.readout.textContent =
      part === null ? `${data.uses[use]}. ${data.says[use]}` : `${data.parts[part]}. ${data.says_parts[part]}`;
    picture.pen.draw((pen) => {
      data.uses.forEach((_, n) => drawUse(pen, { data, at, chosen, choose }, n));
      data.parts.forEach((_, row) => drawPart(pen, { data, at, chosen, choose }, row));
    });
  };
  /** @param {Chosen} to */
  const choose = (to) => {
    const use = to.part === null; // a use was pressed, not a part
    chosen = to;
    draw();
    if (use) setTriggerValue("event", data.uses[to.use]);
  };
  return follow(picture.element, data, draw);
}

/**
 * The choice after new data: an open part stays open if the use is unchanged and the network has that part.
 *
 * @param {Data} data @param {Chosen | undefined} before @returns {Chosen}
 */
function keptChoice({ use, parts }, before) {
  const stays = before && before.use === use && before.part !== null && before.part < parts.length;
  return { use, part: stays ? before.part : null };
}

/** @param {Data} data @param {boolean} narrow */
function placesOf({ parts }, narrow) {
  const at = narrow
    ? { narrow, left: 4, column: 58, names: 0, top: 118, step: ROW + 22, width: 360 }
    : { narrow, left: 330, column: 130, names: 330, top: 44, step: ROW, width: 330 + 6 * 130 };
  return { ...at, height: at.top + parts.length * at.step + 8 };
}

/**
 * A use as a column.
 *
 * @param {Pen} pen @param {Table} table @param {number} n
 */
function drawUse(pen, { data, at, chosen: { use }, choose }, n) {
  const name = data.uses[n];
  const x = at.left + n * at.column;
  const bold = n === use;
  /** @param {Pen} its */
  const draw = (its) => {
    const look = bold ? { stroke: pen.colour.ink, line: 2 } : { fill: "transparent" };
    its.rect(x, 2, at.column - 2, at.height - 4, { r: 8, ...look });
    const [middle, foot] = [x + at.column / 2 + 4, at.top - 8];
    if (at.narrow) its.text(middle, foot, name, { size: 14, bold, transform: `rotate(-90 ${middle} ${foot})` });
    else its.text(x + at.column / 2, 28, name, { size: 16, bold, anchor: "middle" });
  };
  pen.button(name, () => choose({ use: n, part: null }), draw, { key: `use ${n}`, chosen: bold });
}

/**
 * A part as a row: its name, its number of weights, and what each use does to it.
 *
 * @param {Pen} pen @param {Table} table @param {number} row
 */
function drawPart(pen, { data, at, chosen, choose }, row) {
  const { narrow } = at;
  const name = data.parts[row];
  const y = at.top + row * at.step;
  const open = row === chosen.part;
  const weights = data.weights[row] ? `${data.weights[row].toLocaleString("en")}` : "E again";
  /** @param {Pen} its */
  const draw = (its) => {
    const { line, quiet } = its.colour;
    const wide = narrow ? at.width - 8 : at.names - 12;
    const foot = narrow ? y + 15 : y + 25;
    its.rect(2, y, wide, narrow ? 20 : ROW - GAP, { r: 6, fill: open ? line : "transparent" });
    its.text(10, foot, name, { size: narrow ? 13 : 15, bold: true, room: narrow ? 270 : 230 });
    its.text(wide - 6, foot, weights, { size: narrow ? 13 : 14, anchor: "end", fill: quiet });
  };
  pen.button(name, () => choose({ use: chosen.use, part: row }), draw, { key: `part ${row}`, chosen: open });
  data.uses.forEach((_, n) => drawRole(pen, data.cells[row * data.uses.length + n], at, row, n));
}

/**
 * What a use does to a part.
 *
 * @param {Pen} pen @param {string} role @param {Table["at"]} at @param {number} row @param {number} n
 */
function drawRole(pen, role, at, row, n) {
  if (!role) return;
  const { mask, weight, score, quiet, ink } = pen.colour;
  const { narrow } = at;
  const [x, wide] = [at.left + n * at.column + 5, at.column - 12];
  const [y, high] = [at.top + row * at.step + (narrow ? 22 : 0), ROW - GAP - (narrow ? 4 : 0)];
  const tint = role === "learns" ? weight : role === "added" ? score : mask;
  const [out, kept] = [role === "left out", role === "kept"];
  const box = { key: `cell ${row} ${n}`, r: 6, "pointer-events": "none" };
  if (out) {
    pen.rect(x, y, wide, high, { ...box, stroke: tint, line: 1.5, dash: "3 4" });
    const strike = { key: `struck ${row} ${n}`, stroke: tint, width: 1.5, "pointer-events": "none" };
    pen.line(x + 4, y + high - 4, x + wide - 4, y + 4, strike);
  } else {
    pen.rect(x, y, wide, high, { ...box, fill: tint, opacity: kept ? 0.16 : 0.3 });
    if (!kept) pen.rect(x, y, wide, high, { ...box, key: `edge ${row} ${n}`, stroke: tint, line: 2.5 });
  }
  pen.text(x + wide / 2, y + high / 2 + 5, role === "added" && !narrow ? "added, learns" : role, {
    key: `role ${row} ${n}`,
    size: narrow ? 12 : 15,
    bold: !kept,
    anchor: "middle",
    fill: kept || out ? quiet : ink,
    halo: out,
    "pointer-events": "none",
    room: wide,
  });
}
