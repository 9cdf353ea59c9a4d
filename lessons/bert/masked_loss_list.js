// The masked loss where there is no room for columns: the text, and below it a row for each chosen token.

import { scaleLinear } from "../../drawing/d3.js";
import { cutText, textWidth } from "../../drawing/pen.js";
import { drawWords, layWords } from "./words.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { LossScene } from "./masked_loss_places.js" */

/** @param {Pen} pen @param {LossScene} scene */
export function drawList(pen, scene) {
  const { width, height, narrow, data } = scene;
  const edge = narrow ? 8 : 24;
  const gaps = new Set(data.judged.map(({ place }) => place).filter((i) => data.words[i] === "[MASK]"));
  const box = { left: edge, right: width - edge, top: 8, most: height * 0.42, largest: narrow ? 19 : 27 };
  const laid = layWords(data.words, gaps, box);
  pen.part(scene, "input", (its) =>
    drawWords(its, scene, laid, {
      gaps,
      pressable: new Set(data.pressable),
      quiet: new Set(data.special),
      press: (i) => scene.send(`${i}`),
      name: (i) => `${data.words[i]}, word ${i}`,
    }),
  );
  if (data.stage !== "input" && !data.asked)
    pen.part(scene, "costs", (its) => drawRows(its, scene, { edge, top: laid.bottom + 34 }));
}

/** @param {Pen} pen @param {LossScene} scene @param {{ edge: number, top: number }} box */
function drawRows(pen, scene, { edge, top }) {
  const { data, width, height, narrow, values, text, colour } = scene;
  const size = narrow ? 15 : 24;
  const rows = data.judged.length;
  if (!rows) return;
  const row = Math.min((height - top - 30) / (rows + 1), narrow ? 54 : 96);
  const label = Math.min(Math.max(...data.judged.map(({ word }) => textWidth(word, size, true))) + 12, width * 0.34);
  const most = Math.max(values("blind"), ...data.judged.map(({ cost }) => values(cost)));
  const x = scaleLinear([0, most], [edge + label, width - edge - (narrow ? 130 : 240)]);
  pen.text(edge + label, top - 6, `cost −log ŷ, nats; blind guess ${text("blind")}`, {
    size: narrow ? 13 : 16,
    fill: colour.quiet,
  });
  if (data.stage === "loss") drawMean(pen, scene, { edge, top, foot: top + (rows + 0.5) * row, size, x });
  data.judged.forEach(({ place, word, p, cost }, n) => {
    const y = top + (n + 0.5) * row;
    const shown = cutText(word, label - 8, size, true);
    pen.text(edge, y + 6, shown, { key: `word${place}`, size, bold: true, fill: colour.loss });
    const wide = x(values(cost)) - x(0);
    pen.rect(x(0), y - row * 0.32, Math.max(wide, 2), row * 0.64, { key: `bar${place}`, r: 3, fill: colour.loss });
    pen.text(x(0) + wide + 8, y + 6, text(cost), {
      key: `cost${place}`,
      size,
      bold: true,
      fill: colour.loss,
      halo: true,
    });
    pen.text(width - edge, y + 6, `ŷ ${text(p)}`, {
      key: `p${place}`,
      size: 13,
      fill: colour.activation,
      anchor: "end",
    });
  });
}

/**
 * The mean of the costs, and its line across them.
 *
 * @param {Pen} pen
 * @param {LossScene} scene
 * @param {{ edge: number, top: number, foot: number, size: number, x: (cost: number) => number }} box
 */
function drawMean(pen, { values, text, hidden, colour }, { edge, top, foot, size, x }) {
  const at = hidden("loss") ? x(0) + 20 : x(values("loss"));
  if (!hidden("loss")) {
    const look = { key: "mean", stroke: colour.loss, width: 2.5, "stroke-opacity": 0.7 };
    pen.line(at, top, at, foot - 12, look);
  }
  pen.text(edge, foot + 8, "mean", { key: "mean said", size, bold: true, fill: colour.loss });
  const look = /** @type {const} */ ({ key: "loss", bold: true, anchor: "middle" });
  pen.markedText(at, foot + 8, text("loss"), true, { size: size + 4, fill: colour.loss, ...look });
}
