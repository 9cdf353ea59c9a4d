// The probabilities of the next word after the chosen place.

import { formatNumber } from "../../drawing/numbers.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box } from "./tiny_places.js" */
/** @import { Moment, TinyScene } from "./tiny_scene.js" */

/** @param {Pen} pen @param {TinyScene} scene @param {Box} box @param {Moment} now */
export function drawBars(pen, { data, colour, hidden }, { left, top, wide, high }, now) {
  const read = data.tokens.slice(0, data.place + 1).join(" ");
  pen.text(left, top + 12, `ŷ after “${read}”`, { size: 14, bold: true, room: wide });
  const row = Math.min((high - 20) / data.words.length, 24);
  const from = left + 40; // behind the words
  const reach = wide - 40 - 52; // before the numbers
  const asked = hidden("p");
  data.words.forEach((word, k) => {
    const y = top + 22 + row * (k + 0.5);
    const share = now.get("p", data.place, k);
    const right = data.right[data.place] === k;
    const length = asked ? 0 : Math.max(reach * share, 1);
    pen.text(from - 6, y + 4, word, { key: `word ${k}`, size: 13, bold: right, anchor: "end" });
    const look = { key: `bar ${k}`, r: 2, fill: right ? colour.activation : colour.quiet };
    pen.rect(from, y - row * 0.36, length, row * 0.72, look);
    const said = asked ? "?" : formatNumber(share);
    pen.text(from + length + 6, y + 4, said, { key: `share ${k}`, size: 13, bold: right });
  });
}
