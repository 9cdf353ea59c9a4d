// One step of the unrolled network as a column, small or large: at the bottom the word and its embedding, in the middle
// the cell with its hidden state, at the top the probabilities of the next word and, once that is read, its loss.

import { textWidth } from "../../drawing/pen.js";
import { drawCell } from "./column_cell.js";
import { between, short, sub } from "./column_numbers.js";
import { drawOutput } from "./column_output.js";
import { drawStrip } from "./heat_strip.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Scripts } from "../../drawing/types.js" */
/** @import { PlacedColumn, Rolling, Rows } from "./chain.js" */
/** @typedef {Scripts["unrolled"]} Data */
/** @typedef {Scene<"unrolled", Partial<Rolling>>} WalkScene */
/** @typedef {{ step: number, phase: number }} Place a step, from 1, and a place in the phases */
/**
 * What the drawing of a column needs in addition to the scene.
 *
 * @typedef {object} Given
 * @property {number} small the width of the other columns
 * @property {Rows} rows
 * @property {Place} place of the walk
 * @property {() => void} press goes to this step
 * @property {(unit: number) => void} open opens a hidden unit, from 1
 */
/**
 * @typedef {object} Derived
 * @property {number} t the row of this step, from 0
 * @property {(phase: string) => boolean} done whether the walk has computed this quantity
 * @property {number} fade the opacity of the details that only the large column has
 * @property {boolean} current whether the walk is at this step
 */
/** @typedef {PlacedColumn & Given & Derived} Column */
/** @typedef {(pen: Pen, scene: WalkScene, column: Column) => void} Draw */

/** @param {Pen} pen @param {WalkScene} scene @param {PlacedColumn & Given} given */
export function drawColumn(pen, scene, given) {
  const { step, x, seen, big, place, rows, wide } = given;
  const { phases } = scene.data;
  /** @param {string} phase */
  const done = (phase) => step < place.step || (step === place.step && place.phase >= phases.indexOf(phase));
  const current = step === place.step;
  const column = { ...given, t: step - 1, done, fade: Math.max(0, (big - 0.6) / 0.4), current };
  const { top } = rows.bars;
  const around = { transform: `translate(${x.toFixed(2)} 0)`, opacity: seen < 1 ? seen : null, class: "press" };
  const node = pen.group({ key: `step${step}`, ...around }, (its) => {
    its.rect(0, top, wide, rows.word.foot - top, { fill: scene.colour.background, "fill-opacity": 0 });
    its.part(scene, "word", (part) => drawWord(part, scene, column));
    its.part(scene, "embedding", (part) => drawEmbedding(part, scene, column));
    its.part(scene, "cell", (part) => drawCell(part, scene, column));
    its.part(scene, "output", (part) => drawOutput(part, scene, column));
    its.part(scene, "loss", (part) => drawLoss(part, scene, column));
  });
  node.onclick = (event) => {
    const { unit } = /** @type {SVGElement} */ (event.target).dataset;
    if (unit) given.open(Number(unit));
    else if (!current) given.press();
  };
}

/** @type {Draw} */
function drawWord(pen, scene, column) {
  const { data, colour } = scene;
  const { t, wide, rows, big, done, small } = column;
  const { top, foot } = rows.word;
  const size = big > 0.5 ? 18 : 14;
  const text = data.words[t];
  if (big > 0.5) {
    const width = Math.min(Math.max(textWidth(text, size, true) + 28, 70), wide - 8);
    const look = { r: (foot - top) / 2, fill: colour.background, stroke: colour.input, line: 2 };
    pen.rect((wide - width) / 2, top + 1, width, foot - top - 2, look);
    drawId(pen, scene, column, (wide + width) / 2 + 8);
  }
  pen.text(wide / 2, foot - (foot - top - size) / 2 - size * 0.16, text, {
    size,
    bold: big > 0.5,
    fill: done("x") ? colour.input : colour.quiet,
    anchor: "middle",
    room: big > 0.5 ? wide - 30 : small - 5,
  });
}

/**
 * The id of the word, to the right of the word, from `x`.
 *
 * @param {Pen} pen @param {WalkScene} scene @param {Column} column @param {number} x
 */
function drawId(pen, { data, colour, values }, { t, wide, rows, fade, current }, x) {
  const { top, foot } = rows.word;
  const id = String(data.ids[t]);
  const y = foot - (foot - top - 14) / 2 - 2;
  if (!fade || x + textWidth(`id ${id}`, 14) + 10 >= wide) return;
  pen.text(x, y, "id", { key: "id", size: 14, fill: colour.quiet, opacity: fade });
  const marked = current && values("@phase") === data.phases.indexOf("x");
  const look = { size: 14, bold: true, fill: colour.input };
  pen.group({ key: "number", opacity: fade }, (its) =>
    its.markedText(x + textWidth("id", 14) + 8, y, id, marked, look),
  );
}

/** @type {Draw} */
function drawEmbedding(pen, { data, colour }, { t, wide, rows, big, done, fade }) {
  const { top, foot } = rows.embedding;
  const width = between(Math.min(wide - 14, 60), Math.min(wide * 0.66, 230), big);
  const left = (wide - width) / 2;
  if (!done("e")) {
    pen.rect(left, top, width, foot - top - 3, { key: "open", r: 2, stroke: colour.line, dash: "3 3", line: 1 });
    return;
  }
  drawStrip(pen, data.e, t, data.scale, { left, top, wide: width, high: foot - top - 3 }, true);
  const y = rows.along.foot - 3;
  const d = `M${wide / 2} ${y}V${rows.along.top + 6}`;
  pen.path(d, { key: "up", stroke: colour.weight, width: 2 + big, "stroke-opacity": 0.6 });
  pen.head(wide / 2, rows.along.top + 2, -90, colour.weight, 7);
  if (!fade) return;
  pen.beads(d, colour.input, { key: "beads" });
  const bold = { size: 15, bold: true, opacity: fade };
  pen.text(wide / 2 + 9, (y + rows.along.top) / 2 + 6, "Wₓ", { key: "weight", ...bold, fill: colour.weight });
  pen.text(left - 8, foot - 4, `e${sub(t + 1)}`, { key: "name", ...bold, fill: colour.input, anchor: "end" });
  const part = data.e.shown < data.e.size ? `${data.e.shown} of ${data.e.size}` : `${data.e.size}`;
  if (left + width + 8 + textWidth(part, 13) < wide)
    pen.text(left + width + 8, foot - 4, part, { key: "part", size: 13, fill: colour.quiet, opacity: fade });
}

/** @type {Draw} */
function drawLoss(pen, scene, { t, wide, rows, big, done, fade, current, small }) {
  const { data, colour, values, hidden } = scene;
  const fill = colour.loss;
  const value = data.losses[t];
  const y = rows.loss.top + 16;
  if (!done("J")) {
    if (!fade || !done("y")) return;
    const look = /** @type {const} */ ({ size: 16, fill: colour.activation, anchor: "middle", opacity: fade });
    pen.text(wide / 2, y, `ŷ${sub(t + 1)}: the next word?`, { key: "ask", ...look });
    return;
  }
  const known = !Number.isNaN(value) && !(current && hidden("J"));
  const text = known ? short(value) : "?";
  if (fade) {
    const label = wide > 260 ? `loss J(${t + 1}) =` : `J(${t + 1}) =`;
    const size = 16;
    const x = Math.max((wide - textWidth(label, size) - 8 - textWidth(text, size, true)) / 2, 2);
    pen.text(x, y, label, { key: "label", size, fill, opacity: fade });
    const marked = known && current && values("@phase") === data.phases.indexOf("J");
    pen.group({ key: "number", opacity: fade }, (its) =>
      its.markedText(x + textWidth(label, size) + 8, y, text, marked, { size, bold: true, fill }),
    );
  } else pen.text(wide / 2, y, text, { key: "small", size: 13, fill, anchor: "middle" });
  const { top, foot } = rows.bars;
  if (!known || foot - top < 8) return;
  const high = Math.max(((foot - top) * value) / highestLoss(data), 1);
  const look = { key: "bar", fill, r: 2, "fill-opacity": between(0.75, 1, big) };
  pen.rect(wide / 2 - small * 0.2, foot - high, small * 0.4, high, look);
}

/** @type {WeakMap<Data, number>} */
const highest = new WeakMap();

/** @param {Data} data */
function highestLoss(data) {
  const known = highest.get(data) ?? Math.max(1, ...[...data.losses].filter(Number.isFinite));
  highest.set(data, known);
  return known;
}
