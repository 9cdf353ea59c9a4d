// The decoder: its states in a row, and below them the words that it writes.

import { textWidth } from "../../drawing/pen.js";
import { stepChip } from "./word_chip.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw } from "./translation_scene.js" */

/** @type {Draw} */
export function drawDecoder(pen, scene, at, now) {
  const { colour, data } = scene;
  const { words, right } = data.attention;
  const { wide, high } = at.state;
  words.forEach((word, i) => {
    const x = at.to(i);
    const current = i === now.step;
    pen.rect(x - wide / 2 - 1, at.rows.decoder - 1, wide + 2, high + 2, {
      key: `box ${i}`,
      stroke: i <= now.step ? colour.activation : colour.line,
      line: current ? 3 : 1.5,
      r: 2,
      dash: i > now.step ? "3 3" : null,
    });
    const [from, to] = [at.to(i - 1) + wide / 2 + 2, x - wide / 2 - 2];
    if (i && i <= now.step) arrow(pen, from, to, at.rows.decoder + high / 2, `to ${i}`);
    const tried = now.mine && current ? data.instead[i][now.mine.j] : null; // with α on the place pointed at
    const shown = now.unknown(i) ? "?" : (tried ?? word);
    const good = tried === null ? right[i] : tried === data.target[i];
    stepChip(pen, scene, at, { word: shown, i, y: at.rows.written, good, current }, i > now.step);
  });
  drawTitle(pen, scene, at, now);
}

/**
 * The title, on the side of the context where it fits, and the probability of the tried word.
 *
 * @type {Draw}
 */
function drawTitle(pen, { colour, data }, at, now) {
  const { left, wide } = at.zone;
  const label = at.small ? "Decoder: states sᵢ" : "Decoder with attention: states sᵢ";
  const size = at.small ? 13 : 15;
  const y = at.rows.context + at.state.high / 2 + 5;
  const before = at.to(now.exact) - left > textWidth(label, size, true) + 60;
  pen.text(before ? left : left + wide, y, label, {
    key: "title",
    size,
    bold: true,
    anchor: before ? "start" : "end",
    fill: colour.activation,
    halo: true,
  });
  if (!now.mine || at.map) return;
  const chance = data.insteadProbabilities[now.step * now.places + now.mine.j];
  pen.text(left + wide, y - 20, `p = ${chance.toFixed(2)}`, { key: "chance", size: 14, anchor: "end" });
}

/**
 * The arrow from one state to the next; not drawn if they are too close.
 *
 * @param {Pen} pen @param {number} from @param {number} to @param {number} y @param {string} key
 */
function arrow(pen, from, to, y, key) {
  if (to - from < 8) return;
  const stroke = pen.colour.activation;
  pen.line(from, y, to - 5, y, { key, stroke, width: 2 });
  pen.head(to, y, 0, stroke, 7);
}
