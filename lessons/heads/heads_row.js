// The row of the query: its scores with every key, and the weights that the softmax makes of them.

import { bent, textWidth } from "../../ui/browser/pen.js";
import { largestKeys } from "./heads_state.js";

/** @import { Pen } from "../../ui/browser/pen.js" */

const STEP = 17; // the least width of a key, so that its word fits

/**
 * @param {Pen} pen
 * @param {any} its
 */
export function drawRow(pen, its) {
  const {
    scene,
    at: { row: box, narrow },
    view,
    focus,
  } = its;
  const { data, values } = scene;
  const left = box.left + (narrow ? 22 : 30);
  const most = Math.floor((box.right - left) / STEP);
  const keys = largestKeys(view.columns, (j) => values(`w${j}`), most, focus);
  const step = Math.min((box.right - left) / keys.length, 44);
  const names = Math.min(Math.max(...keys.map((j) => textWidth(data.tokens[j], 13))) + 6, narrow ? 62 : 66);
  const part = (box.bottom - box.top - names - 46) / 10;
  const scores = { top: box.top + 20, bottom: box.top + 20 + part * 3.8 };
  const weights = { top: scores.bottom + 26, bottom: box.bottom - names };
  const row = {
    ...its,
    left,
    right: left + step * keys.length,
    keys,
    step,
    scores,
    weights,
    names,
    wide: Math.min(step - 4, 26),
    middle: (n) => left + (n + 0.5) * step,
  };
  before(pen, row);
  after(pen, row);
  words(pen, row);
  if (!narrow) onward(pen, row);
  press(pen, row);
}

const short = (scene, name) => scene.text(name);

// --- before the softmax ----------------------------------------------------------------------------------

function before(pen, row) {
  const { scene, scores: zone, keys, left, right, focus, at } = row;
  const { data, colour, values, hidden } = scene;
  const all = keys.map((j) => values(`s${j}`)).filter(Number.isFinite);
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all, 1e-9)];
  const y = (value) => zone.bottom - ((value - low) / (high - low || 1)) * (zone.bottom - zone.top);
  title(pen, row, zone.top - 6, `before the softmax: q · k ÷ √${data.d_k}`, colour.score);
  if (keys.length < row.view.columns.length && !at.narrow) {
    const said = `the ${keys.length} largest of ${row.view.columns.length}`;
    pen.text(at.row.right, zone.top - 6, said, { key: "some", size: 13, fill: colour.quiet, anchor: "end" });
  }
  pen.line(left - 4, y(0), right, y(0), { key: "zero", stroke: colour.quiet, width: 1 });
  keys.forEach((j, n) => {
    const value = values(`s${j}`);
    if (hidden(`s${j}`) || !Number.isFinite(value))
      return pen.text(row.middle(n), y(0) - 3, hidden(`s${j}`) ? "?" : "−∞", {
        key: `s${j}`,
        size: 13,
        bold: true,
        fill: colour.score,
        anchor: "middle",
      });
    const [top, bottom] = [Math.min(y(value), y(0)), Math.max(y(value), y(0))];
    pen.rect(row.middle(n) - row.wide / 2, top, row.wide, Math.max(bottom - top, 1), {
      key: `s${j}`,
      fill: colour.score,
      "fill-opacity": j === focus ? 1 : 0.55,
      r: 2,
    });
  });
  const n = keys.indexOf(focus);
  if (n < 0 || hidden(`s${focus}`) || !Number.isFinite(values(`s${focus}`))) return;
  beside(
    pen,
    row,
    n,
    Math.max(Math.min(y(values(`s${focus}`)) + 5, y(0) - 4), zone.top + 12),
    short(scene, `s${focus}`),
    { key: "score", size: 15, bold: true, fill: colour.score },
  );
}

function title(pen, { left, scene: { colour }, at }, y, text, fill) {
  pen.text(at.narrow ? 8 : left - 24, y, text, { key: text[0], size: 14, bold: true, fill, halo: colour.background });
}

// A number beside the bar of a key, on the side where there is room.
function beside(pen, { middle, wide, at, left }, n, y, text, how, marked = false) {
  const width = textWidth(text, how.size, how.bold);
  const right = middle(n) + wide / 2 + 8;
  const fits = right + width < at.row.right;
  const x = fits ? right : Math.max(middle(n) - wide / 2 - 8, left + width);
  return pen.markedText(x, y, text, marked, { ...how, anchor: fits ? "start" : "end", halo: !marked });
}

// --- after it --------------------------------------------------------------------------------------------

function after(pen, row) {
  const { scene, weights: zone, keys, left, right, focus, at } = row;
  const { data, colour, values, hidden } = scene;
  const high = zone.bottom - zone.top;
  const most = Math.max(...keys.map((j) => Math.max(values(`w${j}`), compared(scene, j) ?? 0)), 0.05);
  const y = (value) => zone.bottom - (value / Math.min(most * 1.08, 1)) * high;
  title(pen, row, zone.top - 6, at.narrow ? "after: α" : "after the softmax: weights α, together 1", colour.activation);
  pen.line(left - 4, zone.bottom, right, zone.bottom, { key: "floor", stroke: colour.quiet, width: 1 });
  if (hidden("weights")) {
    keys.forEach((j, n) =>
      pen.text(row.middle(n), zone.bottom - 8, "?", {
        key: `w${j}`,
        size: 16,
        bold: true,
        fill: colour.activation,
        anchor: "middle",
      }),
    );
    return;
  }
  keys.forEach((j, n) => {
    const top = y(values(`w${j}`));
    pen.rect(row.middle(n) - row.wide / 2, top, row.wide, Math.max(zone.bottom - top, 1), {
      key: `w${j}`,
      fill: colour.activation,
      "fill-opacity": j === focus ? 1 : 0.6,
      r: 2,
    });
    const there = compared(scene, j);
    if (there !== null)
      pen.rect(row.middle(n) - row.wide / 2 - 2, y(there), row.wide + 4, zone.bottom - y(there), {
        key: `o${j}`,
        stroke: colour.ink,
        line: 1.4,
        dash: "4 3",
        r: 2,
      });
  });
  if (data.other && !hidden("other")) legend(pen, row, zone.top - 6);
  const n = keys.indexOf(focus);
  if (n < 0) return;
  const high2 = Math.max(y(values(`w${focus}`)) + 14, zone.top + 16);
  const first = Math.min(high2, zone.bottom - (data.other ? 28 : 6));
  beside(
    pen,
    row,
    n,
    first,
    short(scene, `w${focus}`),
    { key: "weight", size: 19, bold: true, fill: colour.activation },
    true,
  );
  if (data.other && scene.data.names.includes(`o${focus}`) && Number.isFinite(values(`o${focus}`))) {
    beside(pen, row, n, first + 22, `→ ${short(scene, `o${focus}`)} ${data.other}`, {
      key: "there",
      size: 14,
      fill: colour.ink,
    });
  }
}

// The weight in the other text, where it is shown and the key has one.
function compared(scene, j) {
  const name = `o${j}`;
  if (!scene.data.other || scene.hidden(name)) return null;
  const value = scene.values(name);
  return Number.isFinite(value) ? value : null;
}

function legend(pen, { scene: { data, colour }, at, left }, y) {
  const size = 13;
  const taken =
    left - 24 + textWidth(at.narrow ? "after: α" : "after the softmax: weights α, together 1", 14, true) + 12;
  const room = at.row.right - taken - 24;
  if (room < 40) return;
  const wide = Math.min(textWidth(data.other, size), room);
  pen.rect(at.row.right - wide - 20, y - 11, 13, 12, {
    key: "dashes",
    stroke: colour.ink,
    line: 1.4,
    dash: "4 3",
    r: 2,
  });
  pen.text(at.row.right - wide, y, data.other, { key: "legend", size, fill: colour.ink, room });
}

function words(pen, { scene: { data, colour }, keys, middle, weights, names, focus }) {
  keys.forEach((j, n) => {
    const [x, y] = [middle(n) + 4.5, weights.bottom + 5];
    const here = j === focus;
    pen.text(x, y, data.tokens[j], {
      key: `k${j}`,
      size: 13,
      bold: here,
      fill: here ? colour.key : data.special[j] ? colour.quiet : colour.ink,
      anchor: "end",
      room: names - 4,
      transform: `rotate(-90 ${x} ${y})`,
    });
  });
}

// The weights are the query's row of the map: beads flow there.
function onward(pen, { at: { map, row: box, label }, weights, shown, query, scene: { data, colour } }) {
  const n = shown?.rows.indexOf(query) ?? -1;
  if (n < 0) return;
  const y = map.top + (n + 0.5) * map.cell.y;
  const end = map.left - 14 - Math.min(textWidth(data.tokens[query], 14, true), label - 10);
  const start = (weights.top + weights.bottom) / 2;
  const bend = Math.min(box.right + 16, end - 12);
  const d = bent(
    [
      [box.right + 2, start],
      [bend, start],
      [bend, y],
      [end, y],
    ],
    8,
  );
  pen.path(d, { key: "path", stroke: colour.activation, width: 1.5, "stroke-opacity": 0.4 });
  pen.beads(d, colour.activation, { key: "beads" });
  pen.head(end + 2, y, 0, colour.activation);
}

function press(pen, row) {
  const { left, right, scores, at, keys, query } = row;
  const node = pen.rect(left, scores.top, right - left, at.row.bottom - scores.top, {
    key: "bars",
    fill: "transparent",
    r: 0,
    class: "press",
    "data-part": "bars",
  });
  const under = (event) => {
    const box = node.getBoundingClientRect();
    return keys[
      Math.min(Math.max(Math.floor(((event.clientX - box.left) / box.width) * keys.length), 0), keys.length - 1)
    ];
  };
  node.onpointermove = (event) => row.aim({ query, key: under(event) });
  node.onpointerleave = () => row.aim(null);
  node.onclick = (event) => row.follow({ key: under(event) });
}
