// From Q, K and V to Z on a phone: the divided scores and the weights side by side, and of what the lit row is made.

import { textWidth } from "../../drawing/pen.js";
import { drawCells, drawColumnWords, drawRowWords, drawTitle, entry } from "./matrices_cells.js";
import { drawBar } from "./matrices_shares.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { MatricesScene } from "./matrices_cells.js" */

/** @param {Pen} pen @param {MatricesScene} scene */
export function drawMixedNarrow(pen, scene) {
  const { data, width, height, colour, text } = scene;
  const rows = data.tokens.length;
  const [, , columns] = data.wide;
  const words = Math.min(Math.max(...data.tokens.map((token) => textWidth(token, 15, true))) + 14, 80);
  const wide = (width - words - 18) / (2 * rows);
  const high = Math.min((height - 190) / rows, 40);
  const m = { left: words, top: 56, wide, high };
  const w = { ...m, left: words + rows * wide + 14 };
  const closed = (/** @type {number} */ row, /** @type {number} */ column) => data.closed[row][column];
  const divided = data.divided ? `Q Kᵀ ÷ ${data.divided}` : "Q Kᵀ";
  drawTitle(pen, { x: m.left, y: 24, size: 17 }, { name: divided, role: "score" });
  drawTitle(pen, { x: w.left, y: 24, size: 17 }, { name: "α, its softmax", role: "activation" });
  drawRowWords(pen, scene, m, { size: 15, room: words });
  pen.part(scene, "scores", (its) => {
    drawColumnWords(its, scene, m, 14);
    drawCells(its, scene, { letter: "m", rows, columns: rows, role: "score", closed }, m);
  });
  pen.part(scene, "shares", (its) => {
    drawColumnWords(its, scene, w, 14);
    drawCells(its, scene, { letter: "w", rows, columns: rows, role: "activation", shares: true }, w);
  });
  const low = m.top + rows * high + 30;
  const said = `Of what the new vector of ${data.tokens[data.query]} is made`;
  pen.text(8, low, said, { size: 15, bold: true, fill: colour.activation, room: width - 16 });
  drawBar(pen, scene, { left: 8, right: width - 8 }, { top: low + 10, high: 40 }, "w");
  const names = Array.from({ length: columns }, (_, c) => entry("z", data.query, c));
  const vector = names.some(scene.hidden) ? "?" : `(${names.map(text).join(", ")})`;
  pen.text(8, low + 76, `z = ${vector}`, { size: 16, bold: true });
}
