// One number and everything it is computed from, on a card over the model.

import { cutText, textWidth } from "../../ui/browser/pen.js";
import { cellsOf } from "./transformer_tiles.js";

/** @import { Pen } from "../../ui/browser/pen.js" */

const WIDE = 330;
const ROW = 22;

/** Where the card lies: beside its number, or over the width of a phone. */
export function cardBox(its) {
  const { plot, scene, narrow } = its;
  const {
    data: { number },
    width,
  } = scene;
  const wide = Math.min(WIDE, width - 20);
  const rows = number.terms.length;
  const high = 58 + (rows ? 24 : 0) + rows * ROW + (number.rest ? ROW : 0) + number.further.length * ROW + 34;
  const cell = cellsOf(its, its.opened)?.place(number.row, number.column - its.opened.first);
  const left =
    narrow || !cell || cell.left > plot.left + plot.width / 2
      ? narrow
        ? 10
        : plot.left + 8
      : plot.left + plot.width - wide - 8;
  const top = Math.max(Math.min(plot.top + 6, plot.top + plot.height - high), plot.top - 6);
  return { left, top, wide, high };
}

/**
 * @param {Pen} pen
 * @param {any} its
 */
export function operandCard(pen, its) {
  const {
    scene,
    cover: { left, top, wide, high },
  } = its;
  const {
    data: { number },
    colour,
  } = scene;
  const rows = number.terms.length;
  pen.group({ key: "card", role: "group", "aria-label": `${number.title}: ${number.text}` }, (card) => {
    card.rect(left, top, wide, high, {
      fill: colour.background,
      stroke: colour.ink,
      line: 1.5,
      r: 10,
      "fill-opacity": 0.97,
    });
    card.text(left + 14, top + 24, cutText(number.title, (wide - 56) / 1.06, 14, true), { size: 14, bold: true });
    raised(card, left + 14, top + 46, number.rule, { size: 14, fill: colour.quiet });
    card.button(
      "Close the number",
      () => scene.send({ at: "" }),
      (button) => {
        button.rect(left + wide - 32, top + 6, 26, 26, { fill: "transparent" });
        button.text(left + wide - 19, top + 25, "×", { size: 20, anchor: "middle" });
      },
      { key: "close" },
    );
    let y = top + 58;
    const ends = [left + wide * 0.46, left + wide * 0.66, left + wide - 14];
    if (rows) {
      y += 14;
      number.heads.forEach(
        (head, n) =>
          head && card.text(ends[n], y, head, { key: `head ${n}`, size: 13, anchor: "end", fill: colour.quiet }),
      );
      y += 6;
    }
    number.terms.forEach((term, n) => {
      y += ROW;
      const bar = Math.abs(term.share) * (wide - 28);
      card.rect(left + 14, y - 16, bar, 20, {
        key: `bar ${n}`,
        fill: term.share < 0 ? colour.input : colour.gradient,
        "fill-opacity": 0.16,
        r: 2,
      });
      card.text(left + 14, y, cutText(term.label, wide * 0.26, 14), { key: `term ${n}`, size: 14 });
      [term.left, term.right, term.product].forEach(
        (text, i) =>
          text && card.text(ends[i], y, text, { key: `n ${n} ${i}`, size: 14, anchor: "end", bold: i === 2 }),
      );
    });
    if (number.rest)
      card.text(left + wide - 14, (y += ROW), number.rest, {
        key: "rest",
        size: 14,
        anchor: "end",
        fill: colour.quiet,
      });
    for (const text of number.further)
      card.text(left + wide - 14, (y += ROW), text, { key: `also ${text}`, size: 14, anchor: "end" });
    y += 26;
    card.line(left + 14, y - 19, left + wide - 14, y - 19, { key: "rule", stroke: colour.line });
    card.markedText(left + wide - 16, y, number.text, true, { size: 16, bold: true, anchor: "end" });
    const label = "= ";
    card.text(left + wide - 30 - textWidth(number.text, 16, true), y, label, { size: 16, anchor: "end" });
  });
}

/**
 * "W^Q" with its Q raised.
 *
 * @param {Pen} pen
 */
function raised(pen, x, y, text, { size, fill }) {
  pen.group({ tag: "text", key: "rule text", x, y, "font-size": size, fill }, (line) => {
    text.split(/\^(\w)/).forEach((piece, n) => {
      if (piece)
        line.node("tspan", n % 2 ? { dy: -0.35 * size, "font-size": 0.95 * 13 } : { dy: n ? 0.35 * size : 0 }, piece);
    });
  });
}
