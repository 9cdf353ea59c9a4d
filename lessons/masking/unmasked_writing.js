// The texts of both models, and how many of them the grammar allows.

import { textWidth } from "../../drawing/pen.js";
import { wrapText } from "./unmasked_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { History } from "../../ui/browser/runs.js" */
/** @import { UnmaskedScene } from "./unmasked.js" */
/** @import { Box } from "./unmasked_curves.js" */

/** @param {Pen} pen @param {UnmaskedScene} scene @param {History[]} live */
export function drawWritings(pen, scene, live) {
  const { data, colour, narrow, width, height } = scene;
  const [left, right] = narrow ? [8, width - 8] : [width * 0.6 + 30, width - 16];
  const [top, foot] = narrow ? [height * 0.56 + 44, height - 6] : [10, height - 12];
  const gap = narrow ? 8 : 14;
  const high = (foot - top - gap) / 2;
  data.curves.forEach(({ role }, n) => {
    const y = top + n * (high + gap);
    const box = { left, right, top: y, foot: y + high };
    const tint = colour[role];
    const causal = data.causal.indexOf(n === 0);
    const run = live.length > 0 && causal >= 0 && !data.judged ? live[causal] : null;
    pen.group({ key: `card${n}` }, (card) => {
      const frame = { r: 14, fill: tint, "fill-opacity": 0.06, stroke: tint, line: 1.5 };
      card.rect(left, y, right - left, high, frame);
      drawHeading(card, scene, box, n, run);
      drawTexts(card, scene, box, n, run);
    });
  });
}

/**
 * The name of the model, and how many of its texts the grammar allows, or how far its training is.
 *
 * @param {Pen} pen
 * @param {UnmaskedScene} scene
 * @param {Box} box
 * @param {number} n
 * @param {History | null} run that is not tested yet
 */
function drawHeading(pen, { data, hidden, text, colour, narrow }, { left, right, top }, n, run) {
  const { label, role, possible } = data.curves[n];
  const y = top + (narrow ? 19 : 26);
  const title = { key: "title", size: narrow ? 14 : 16, bold: true, fill: colour[role] };
  pen.text(left + 14, y, narrow ? label : `${label}, it writes`, title);
  const count = hidden(possible) ? "?" : text(possible);
  const share = run ? `${run.step.toLocaleString("en")} steps` : `${count} of ${data.written} possible`;
  const look = { key: "share", size: narrow ? 13 : 15, bold: true, fill: colour.ink };
  pen.text(right - 14, y, share, { anchor: "end", ...look });
}

/**
 * As many lines of the model's texts as fit.
 *
 * @param {Pen} pen
 * @param {UnmaskedScene} scene
 * @param {Box} box
 * @param {number} n
 * @param {History | null} run that is not tested yet
 */
function drawTexts(pen, { data, hidden, colour, narrow }, { left, right, top, foot }, n, run) {
  const { possible, texts } = data.curves[n];
  const size = narrow ? 13 : 16;
  const wide = right - left;
  const sample = run?.samples.at(-1);
  const written = run ? (sample ? [sample[1]] : []) : texts;
  const lines = (hidden(possible) ? ["?"] : written).flatMap((each) => {
    const said = each.replace(/^<s>\s*/, "") || data.nothing;
    return [...wrapText(said, wide - 28, (part) => textWidth(part, size)), ""];
  });
  const room = Math.max(Math.floor((foot - top - (narrow ? 28 : 40)) / (size + 5)), 0);
  lines.slice(0, room).forEach((line, i) => {
    const cut = i === room - 1 && lines.length > room && line;
    const look = { key: `line${i}`, size, fill: colour.ink, room: wide - 24 };
    pen.text(left + 14, top + (narrow ? 40 : 54) + i * (size + 5), cut ? `${line} …` : line, look);
  });
}
