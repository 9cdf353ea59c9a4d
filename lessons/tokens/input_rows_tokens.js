// The words of the text, their pieces, and the number of the row that each piece fetches from each table.

import { textWidth } from "../../drawing/pen.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places, RowsScene } from "./input_rows_places.js" */
/** @typedef {(pen: Pen, scene: RowsScene, at: Places) => void} Draw */

/**
 * The words over their pieces; a word of several pieces has a bracket.
 *
 * @type {Draw}
 */
export function drawWords(pen, { data, colour, width }, at) {
  const size = at.narrow ? 15 : 21;
  drawName(pen, at, at.words, "text", colour.quiet);
  const more = data.tokens.length - (at.to - at.from);
  const beyond = /** @type {const} */ ({ key: "more", size, fill: colour.quiet, anchor: "end" });
  if (more) pen.text(width - 4, at.words, `+${more}`, beyond);
  data.words.forEach(({ text, first, last }, n) => {
    if (last < at.from || first >= at.to || text === "[UNK]") return;
    const [a, b] = [Math.max(first, at.from), Math.min(last, at.to - 1)];
    const [left, right] = [at.x(a) + at.gap, at.x(b) + at.cell - at.gap];
    const split = last > first;
    const room = right - left + 6;
    const fits = Math.min(size, Math.max((size * room) / textWidth(text, size, split), 13));
    const look = { size: fits, bold: split, fill: split ? colour.input : colour.ink, room };
    pen.text((left + right) / 2, at.words, text, { key: `word${n}`, anchor: "middle", ...look });
    if (!split) return;
    const y = at.words + 8;
    const bracket = `M${left} ${y + 7}V${y}H${right}V${y + 7}`;
    pen.path(bracket, { key: `bracket${n}`, stroke: colour.input, width: 2 });
  });
}

/**
 * The name of a row of the picture.
 *
 * @param {Pen} pen @param {Places} at @param {number} y @param {string} name @param {string} fill
 */
function drawName(pen, at, y, name, fill, bold = false) {
  const look = /** @type {const} */ ({ key: `name ${name}`, size: at.narrow ? 13 : 17, anchor: "end" });
  pen.text(at.left - (at.narrow ? 6 : 14), y, name, { ...look, bold, fill });
}

/**
 * The pieces; a press on a column chooses it.
 *
 * @type {Draw}
 */
export function drawPieces(pen, { data, colour, send, height }, at) {
  const { top, high } = at.pieces;
  drawName(pen, at, top + high / 2 + 6, "pieces", colour.quiet);
  const inside = at.cell - 2 * at.gap - 6;
  const widest = Math.max(...data.tokens.map((token) => textWidth(token, 18, true)));
  const size = Math.min(Math.max(Math.floor((18 * inside) / widest), 14), 18);
  for (let i = at.from; i < at.to; i++) {
    const [x, chosen] = [at.x(i), i === data.at];
    const special = data.special.includes(i);
    pen.button(
      `${data.tokens[i]}, place ${i}`,
      () => send(i),
      (its) => {
        its.rect(x, top - 4, at.cell, height - top, { fill: "transparent" });
        const stroke = chosen ? colour.input : special ? colour.quiet : colour.line;
        const box = { fill: chosen ? colour.input : colour.background, "fill-opacity": chosen ? 0.2 : 1, stroke };
        its.rect(x + at.gap, top, at.cell - 2 * at.gap, high, { ...box, line: chosen ? 2.5 : 1.5, r: 6 });
        const look = /** @type {const} */ ({ size, bold: chosen, anchor: "middle", room: inside + 4 });
        const fill = special && !chosen ? colour.quiet : colour.ink;
        its.text(x + at.cell / 2, top + high / 2 + size * 0.35, data.tokens[i], { ...look, fill });
      },
      { key: `token${i}`, chosen },
    );
  }
}

/**
 * Which row of a table each token fetches: its id, its place, its sentence.
 *
 * @type {Draw}
 */
export function drawLetters(pen, { data, colour, narrow }, at) {
  data.tables.forEach(({ name, role, rows }, table) => {
    const { top, tall, index } = at.strip(table);
    const fill = table === at.tables ? colour.ink : colour[role];
    const sign = table === at.tables ? "=" : table ? "+" : "";
    drawName(pen, at, top + tall / 2 + 6, name, fill, true);
    if (!narrow && sign) pen.text(8, top + tall / 2 + 8, sign, { key: `sign${table}`, size: 24, bold: true });
    if (!rows) return;
    const what = { token: "id", position: "place", segment: "sentence" }[String(name)] ?? "";
    drawName(pen, at, index, what, fill);
    for (let i = at.from; i < at.to; i++) {
      const said = { token: data.ids[i].toLocaleString("en"), segment: data.letters[i] }[String(name)] ?? `${i}`;
      const look = /** @type {const} */ ({ size: narrow ? 14 : 17, bold: i === data.at, anchor: "middle", fill });
      pen.text(at.x(i) + at.cell / 2, index, said, { key: `${name}${i}`, ...look });
    }
  });
}
