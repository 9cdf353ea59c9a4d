// What several panels of the picture of one query draw: their frames, bars, words of keys, and what is below.

import { textWidth } from "../../drawing/pen.js";
import { INNER } from "./flow_layout.js";
import { sub } from "./flow_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { PanelName, Span } from "./flow_layout.js" */
/** @import { Places } from "./flow_panels.js" */
/** @import { FlowScene, KeyRow, RowLook } from "./flow_scene.js" */

/**
 * The frame of a panel, its number in a ring, its title, and below that what happens in it.
 *
 * @param {Pen} pen
 * @param {Places} at
 * @param {PanelName} name
 * @param {{ number: number, title: string, about: string, role: string }} panel `role`: its colour
 */
export function drawPanel(pen, at, name, { number, title, about, role }) {
  const { left, right } = at.panels[name];
  const { background, quiet } = pen.colour;
  pen.rect(left, at.top, right - left, at.bottom - at.top, { r: 14, fill: role, "fill-opacity": 0.05 });
  pen.circle(left + 22, at.top + 20, 11, { fill: role });
  pen.text(left + 22, at.top + 25, `${number}`, { size: 15, bold: true, fill: background, anchor: "middle" });
  pen.text(left + 40, at.top + 25, title, { size: 15, bold: true, fill: role, room: right - left - 46 });
  if (!at.many) pen.text(left + INNER, at.top + 51, about, { size: 14, fill: quiet, room: right - left - 20 });
}

/**
 * A score as a bar from 0, with its number inside where there is room.
 *
 * @param {Pen} pen
 * @param {FlowScene} scene
 * @param {Places} at
 * @param {{ left: number, y: number, name: `s${number}` | `a${number}` }} bar `left`: where the scale begins
 */
export function drawBar(pen, scene, at, { left, y, name }) {
  const { values, before, hidden, colour } = scene;
  const { size, high } = at;
  if (hidden(name)) {
    pen.text(left, y + 6, "?", { size, bold: true });
    return;
  }
  const [zero, end] = [left + at.along(0), left + at.along(values(name))];
  const old = before ? left + at.along(before(name)) : end;
  if (before && Math.abs(before(name) - values(name)) > 1e-9) {
    const look = { key: `old ${name}`, stroke: colour.quiet, line: 1.2, dash: "4 3", r: 3 };
    pen.rect(Math.min(zero, old), y - high / 2 - 3, Math.max(Math.abs(old - zero), 2), high + 6, look);
  }
  const [from, to] = [Math.min(zero, end), Math.max(zero, end)];
  pen.rect(from, y - high / 2, Math.max(to - from, 2.5), high, { key: `bar ${name}`, fill: colour.score, r: 3 });
  const number = scene.text(name);
  const fits = to - from > textWidth(number, size, true) + 16;
  const x = fits ? (end < zero ? from + 8 : to - 8) : Math.max(to, old) + 8;
  pen.text(x, y + size * 0.35, number, {
    key: `number ${name}`,
    size,
    bold: true,
    anchor: fits && end >= zero ? "end" : "start",
    fill: fits ? colour.background : colour.score,
  });
}

/**
 * How far apart the two favoured keys are, below the ends of their bars.
 *
 * @param {Pen} pen
 * @param {FlowScene} scene
 * @param {Places} at
 * @param {object} bars
 * @param {number} bars.left where their scale begins
 * @param {Span} bars.span the room for the text
 * @param {"s" | "a"} bars.letter of their numbers
 * @param {"gap" | "apart"} bars.name of the distance
 */
export function drawDistance(pen, { data, values, text, colour }, at, { left, span, letter, name }) {
  if (data.second < 0) return;
  const pair = [data.second, data.best];
  const names = pair.map((j) => /** @type {const} */ (`${letter}${j + 1}`));
  const ends = names.map((each) => left + at.along(values(each)));
  const rows = pair.map((j) => at.keys.find((key) => key.j === j)).filter((row) => row !== undefined);
  const y = at.last + 10;
  if (rows.length === 2 && at.tall) {
    const dashed = { stroke: colour.score, width: 1.2, dash: "2 4" };
    rows.forEach((row, i) => pen.line(ends[i], row.y + at.high / 2, ends[i], y + 4, dashed));
    const bracket = `M${ends[0]} ${y + 2}v5H${ends[1]}v-5`;
    pen.path(bracket, { key: "bracket", stroke: colour.score, width: 1.8 });
  }
  const middle = Math.min(Math.max((ends[0] + ends[1]) / 2, span.left), span.right);
  const how = `${text(names[1])} − ${text(names[0])}`;
  drawFoot(pen, at, { middle, label: `${text(name)} apart`, how, role: colour.score }, span);
}

/**
 * The result of a panel, at its foot, and below it how it is computed.
 *
 * @param {Pen} pen
 * @param {Places} at
 * @param {{ middle: number, label: string, how: string, role: string }} foot where it is drawn, if there is
 *   room, and what it says
 * @param {Span} span
 */
export function drawFoot(pen, at, { middle, label, how, role }, { left, right }) {
  const size = at.many ? 16 : 18;
  const half = Math.max(textWidth(label, size, true), textWidth(how, 14)) / 2 + 2;
  const x = Math.min(Math.max(middle, left + half), right - half);
  const y = at.bottom - (at.many ? 30 : 34);
  pen.text(x, y, label, { size, bold: true, fill: role, anchor: "middle", room: right - left });
  pen.text(x, y + 20, how, { size: 14, fill: pen.colour.quiet, anchor: "middle", room: right - left });
}

/**
 * A key's word; a press makes it the query.
 *
 * @param {Pen} pen @param {FlowScene} scene @param {RowLook} look @param {KeyRow} key
 */
export function drawWord(pen, { data, colour, send }, { words, row, many, above }, { j, y }) {
  const { left, right } = words;
  const middle = (left + right) / 2;
  const token = data.tokens[j];
  const asks = j === data.query;
  const height = Math.min(34, row - 3);
  const size = many ? 14 : 16;
  const role = asks ? colour.query : colour.key;
  const frame = { r: height / 2, fill: colour.background, stroke: role, line: asks ? 2.5 : 1.5 };
  pen.button(
    `Query ${j + 1}: ${token}`,
    () => send({ query: j + 1 }),
    (button) => {
      button.rect(left, y - height / 2, right - left, height, frame);
      const look = /** @type {const} */ ({ size, bold: true, fill: role, anchor: "middle" });
      button.text(middle, y + size * 0.35, token, { ...look, room: right - left - 16 });
    },
    { chosen: asks },
  );
  if (!above) return;
  const unseen = textWidth("answers with k12", 13) > right - left + 14;
  pen.text(middle, y + height / 2 + 17, `answers with k${sub(j + 1)}`, {
    size: 13,
    fill: colour.key,
    anchor: "middle",
    ...(unseen ? { opacity: 0 } : {}),
  });
}
