// The end of a model: the words with the largest ŷ at the token that is followed, as bars, and the one that wins.

import { formatNumber } from "../../ui/browser/numbers.js";
import { cutText, textWidth } from "../../ui/browser/pen.js";

/** @import { Pen } from "../../ui/browser/pen.js" */

/**
 * @param {Pen} pen
 * @param {any} its
 * @param {{ left: number, width: number }} box
 * @param {any} part
 */
export function words(pen, its, box, part) {
  const { plot, place, scene } = its;
  const { data, colour, hidden } = scene;
  const { left, width } = box;
  const right = Math.min(left + width, plot.left + plot.width);
  const from = Math.max(left, plot.left);
  if (right - from < 60) return;
  const strip = its.strips[part.strip];
  const per = plot.height / (its.camera.y1 - its.camera.y0);
  const top = Math.max(plot.top + (strip.top - its.camera.y0) * per, plot.top);
  const bottom = Math.min(plot.top + (strip.bottom - its.camera.y0) * per, plot.top + plot.height);
  const { count } = data.words;
  const high = Math.min((bottom - top) / count, 40);
  const shown = Math.min(count, Math.floor((bottom - top) / Math.max(high, 21)));
  const wide = right - from;
  const covered = hidden("p") || hidden("words");
  const size = high > 30 && wide > 200 ? 16 : 14;
  const texts = data.words.words[place].slice(0, shown);
  const label = Math.min(Math.max(...texts.map((text) => textWidth(text, size, true) * 1.05)), wide * 0.5) + 8;
  const near = wide > 420; // room for logits and ids
  const columns = near ? { id: from + label + 52, logit: from + label + 132 } : null;
  const start = near ? from + label + 150 : from + label;
  const room = right - start - textWidth("0.000", size) - 10;
  pen.rect(from, top, wide, bottom - top, { key: "ground", fill: colour.background, r: 2 });
  texts.forEach((text, n) => {
    const at = place * count + n;
    const chance = data.words.chances[at];
    const y = top + n * high + high / 2;
    const best = n === 0;
    const said = covered ? "?" : text;
    if (best && !covered)
      pen.mark(from, y - size * 0.8, textWidth(said, size, true) * 1.05 + 8, size * 1.5, { key: "best" });
    pen.text(from + 4, y + size * 0.35, cutText(said, label - 4, size, best), {
      key: `word ${n}`,
      size,
      bold: best,
      fill: best && !covered ? colour.onMark : colour.ink,
    });
    if (covered) return;
    if (columns) {
      pen.text(columns.id, y + size * 0.35, String(data.words.ids[at]), {
        key: `id ${n}`,
        size,
        anchor: "end",
        fill: colour.quiet,
      });
      pen.text(columns.logit, y + size * 0.35, data.words.logits[at].toFixed(2).replace("-", "−"), {
        key: `logit ${n}`,
        size,
        anchor: "end",
        fill: colour.score,
      });
    }
    if (room < 12) {
      if (wide - label > 30)
        pen.text(right - 2, y + size * 0.35, chance.toFixed(2), { key: `p ${n}`, size: 13, bold: best, anchor: "end" });
      return;
    }
    pen.rect(start, y - high * 0.28, Math.max(room * chance, 1), high * 0.56, {
      key: `bar ${n}`,
      fill: colour.activation,
      r: 2,
    });
    pen.text(start + room * chance + 6, y + size * 0.35, near ? formatNumber(chance) : chance.toFixed(2), {
      key: `p ${n}`,
      size,
      bold: best,
    });
  });
}
