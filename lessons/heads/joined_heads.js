// What each head reads: one bar a token, the longest with its word and its number. A press cuts the head.

import { textWidth } from "../../drawing/pen.js";
import { headColour } from "./joined_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { NameOf } from "../../drawing/types.js" */
/** @import { JoinedScene, Places } from "./joined_places.js" */

/** @param {Pen} pen @param {JoinedScene} scene @param {Places} at */
export function drawColumns(pen, scene, at) {
  const size = scene.narrow ? 14 : 15;
  pen.text(at.words - 6, scene.narrow ? 38 : 24, "α, 0 to 1", { size, fill: scene.colour.quiet, anchor: "end" });
  drawTokens(pen, scene, at);
  for (let h = 0; h < at.heads; h++) drawHead(pen, scene, at, h);
}

/**
 * The tokens; a press makes one the query.
 *
 * @param {Pen} pen @param {JoinedScene} scene @param {Places} at
 */
function drawTokens(pen, { data, colour, send }, { words, first, row, size }) {
  data.tokens.forEach((token, j) => {
    const asks = j === data.query;
    const look = { size, bold: asks, fill: asks ? colour.query : colour.ink, room: words - 6 };
    pen.button(
      `Ask with token ${j + 1}, ${token}`,
      () => send({ query: j }),
      (its) => {
        its.rect(0, first + row * j, words, row, { fill: "transparent", r: 0 });
        its.text(words - 6, first + row * (j + 0.5) + size * 0.35, token, { ...look, anchor: "end" });
      },
      { key: `token${j}`, chosen: asks },
    );
  });
}

/** @param {Pen} pen @param {JoinedScene} scene @param {Places} at @param {number} h */
function drawHead(pen, scene, at, h) {
  const { data, colour, narrow, hidden, send } = scene;
  const { first, low, wide, bars } = at;
  const left = at.head(h);
  const cut = data.cut.includes(h);
  const fill = headColour(scene, h);
  const name = narrow ? `${h + 1}` : `head ${h + 1}`;
  pen.button(
    cut ? `Restore head ${h + 1}` : `Cut head ${h + 1}`,
    () => send({ head: h }),
    (its) => {
      its.rect(left, 0, wide, low, { fill: "transparent", r: 0 });
      its.text(left, narrow ? 20 : 24, name, { size: narrow ? 16 : 20, bold: true, fill });
      const said = cut ? "is cut" : hidden("read") ? "reads ?" : `reads “${data.tokens[data.most[h]]}”`;
      const x = left + textWidth(name, 20, true) + 10;
      if (narrow)
        its.text(left, 38, cut ? "cut" : hidden("read") ? "?" : data.tokens[data.most[h]], { size: 14, room: wide });
      else its.text(x, 24, said, { size: 18, room: left + wide - x });
      its.group({ key: "bars", opacity: cut ? 0.25 : null }, (bars) => {
        data.tokens.forEach((_, j) => drawBar(bars, scene, at, { h, j, left, fill }));
      });
      if (hidden("read")) {
        its.text(left + bars / 2, (first + low) / 2 + 14, "?", { size: 40, bold: true, fill, anchor: "middle" });
      }
    },
    { key: `head${h}`, chosen: cut },
  );
  if (h) pen.line(left - 7, first, left - 7, low, { key: `rule${h}`, stroke: colour.line, width: 1 });
}

/**
 * The weight of a token.
 *
 * @param {Pen} pen
 * @param {JoinedScene} scene
 * @param {Places} at
 * @param {{ h: number, j: number, left: number, fill: string }} bar
 */
function drawBar(pen, { data, colour, narrow, values, text, hidden }, { first, row, bars }, { h, j, left, fill }) {
  const name = /** @type {NameOf<"joined">} */ (`a${h + 1}.${j + 1}`);
  const y = first + row * j;
  const most = j === data.most[h];
  pen.rect(left, y + 1, bars, row - 2, { fill: colour.quiet, "fill-opacity": 0.07, r: 2 });
  if (hidden("read")) return;
  const look = { key: name, fill, "fill-opacity": most ? 1 : 0.42, r: 2 };
  pen.rect(left, y + 1, Math.max(bars * values(name), 0), row - 2, look);
  if (!most) return;
  const size = narrow ? 14 : 18;
  const x = left + bars * values(name) + 6;
  if (!narrow) pen.text(x, y + row / 2 + size * 0.35, text(name), { size, bold: true, fill });
}
