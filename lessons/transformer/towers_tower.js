// A tower: the ground floor of embeddings, a floor for each layer with a window for each head, and the pooler as roof.
// Floors without weights of their own are hollow.

import { textWidth } from "../../drawing/pen.js";
import { counted, nameOf, saysRows } from "./towers_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Place, Places, TowersScene } from "./towers_places.js" */
/** @typedef {(pen: Pen, scene: TowersScene, at: Places, place: Place) => void} Draw */

/** @type {Draw} */
export function drawTower(pen, scene, at, place) {
  const { colour } = scene;
  const { x, wide, ground, top } = place;
  const low = at.foot - ground * at.row;
  if (place.low < wide)
    drawHollow(pen, scene, { x: x + place.low, y: low, wide: wide - place.low, high: at.foot - low }, "left");
  pen.rect(x, low, place.low, at.foot - low, { key: "ground", fill: colour.input, r: 0 });
  drawFloors(pen, scene, at, place);
  pen.rect(x, top, wide, Math.max(place.roof * at.row, 2), { key: "roof", fill: colour.ink, r: 0 });
  drawCounts(pen, scene, at, place);
}

/**
 * The outline of what is not stored.
 *
 * @param {Pen} pen @param {TowersScene} scene
 * @param {{ x: number, y: number, wide: number, high: number }} box @param {string} key
 */
function drawHollow(pen, { colour }, { x, y, wide, high }, key) {
  pen.rect(x, y, wide, high, { key, fill: "none", stroke: colour.quiet, line: 1.2, dash: "4 4", r: 0 });
}

/** @type {Draw} */
function drawFloors(pen, scene, at, place) {
  const { colour, values } = scene;
  const { x, wide, N, stored, floor, ground, own } = place;
  const high = floor * at.row;
  const gap = Math.min(0.12 * high, 1.6);
  const heads = Math.round(values(nameOf(place, "heads")));
  const each = (own * wide) / heads;
  let windows = "";
  for (let n = 0; n < N; n++) {
    const y = at.foot - ground * at.row - (n + 1) * high + gap;
    if (n >= stored) {
      drawHollow(pen, scene, { x, y, wide, high: high - gap }, `hollow${n}`);
      continue;
    }
    const look = { r: 0, "fill-opacity": 0.3 };
    pen.rect(x, y, own * wide, high - gap, { key: `own${n}`, fill: colour.weight, ...look });
    pen.rect(x + own * wide, y, (1 - own) * wide, high - gap, { key: `mlp${n}`, fill: colour.activation, ...look });
    const [top, tall] = [y + 0.2 * high, 0.6 * high - gap];
    for (let h = 0; h < heads; h++) windows += `M${x + (h + 0.2) * each} ${top}h${0.6 * each}v${tall}h${-0.6 * each}z`;
  }
  pen.path(windows || "M0 0", { key: "windows", stroke: null, fill: colour.weight });
}

/**
 * What each part has, on it.
 *
 * @type {Draw}
 */
function drawCounts(pen, scene, at, place) {
  const { colour, text, narrow } = scene;
  const { x, wide, own, ground } = place;
  const size = narrow ? 13 : 17;
  drawTable(pen, scene, at, place, size);
  const low = at.foot - ground * at.row;
  const high = place.stored * place.floor * at.row;
  drawAgain(pen, scene, at, place, size);
  if (high < (narrow ? 60 : 34)) return;
  const middle = low - high / 2;
  const lift = narrow ? 15 : 0;
  const count = `${text(nameOf(place, "mlp"))} M`;
  const share = `${count} · ${text(nameOf(place, "mlpShare"))} %`;
  const attention = `${text(nameOf(place, "att"))} M`;
  const parts = /** @type {const} */ ([
    [x + (own * wide) / 2, middle - lift, "attention", attention, colour.weight, own * wide],
    [x + ((1 + own) * wide) / 2, middle + lift, "MLP", share, colour.activation, (1 - own) * wide],
  ]);
  parts.forEach(([centre, y, name, said, fill, room], n) => {
    const two = high > 70;
    const lines = narrow ? [`${name} ${said}`] : two ? [name, said] : [said];
    if (!narrow && Math.max(...lines.map((line) => textWidth(line, size, true))) > room + 6) return;
    drawPill(pen, scene, { x: centre, y, said: lines, fill, size, key: `${n}` }, place);
  });
}

/**
 * What the hollow floors say.
 *
 * @param {Pen} pen @param {TowersScene} scene @param {Places} at @param {Place} place @param {number} size
 */
function drawAgain(pen, { colour, narrow }, at, { x, wide, N, stored, floor, ground, top }, size) {
  if (stored === N) return;
  const low = at.foot - (ground + stored * floor) * at.row;
  const times = N - stored === 1 ? "once" : `${N - stored} times`;
  const lines = narrow ? ["the same", "weights", `${times} more`] : ["the same weights,", `computed ${times} more`];
  const high = (size + 8) * lines.length;
  if (low - top < high) return;
  const look = /** @type {const} */ ({
    size: size + (narrow ? 0 : 3),
    bold: true,
    anchor: "middle",
    fill: colour.quiet,
  });
  const room = Math.max(...lines.map((line) => textWidth(line, look.size, true))) + 16;
  const from = (top + low - high) / 2;
  pen.rect(x + wide / 2 - room / 2, from - 4, room, high + 8, { key: "clear", fill: colour.background, r: 4 });
  lines.forEach((line, n) => {
    pen.text(x + wide / 2, from + (n + 0.8) * (size + 8), line, { ...look, key: `again${n}` });
  });
}

/**
 * What the ground floor has.
 *
 * @param {Pen} pen @param {TowersScene} scene @param {Places} at @param {Place} place @param {number} size
 */
function drawTable(pen, scene, at, place, size) {
  const { colour, text, narrow } = scene;
  const { x, wide, ground } = place;
  const high = ground * at.row;
  if (high < size + 2) return;
  const rows = saysRows(at, place) ? `V = ${counted(scene, place, "V")} rows` : "";
  const inside = place.low >= wide / 2;
  const [room, middle] = inside ? [place.low, x + place.low / 2] : [wide - place.low, x + (place.low + wide) / 2];
  const fill = inside ? colour.background : colour.input;
  const look = /** @type {const} */ ({ size, bold: true, anchor: "middle", fill });
  const count = `${text(nameOf(place, "ground"))} M`;
  const long = narrow ? `E ${count}` : `E  ${count} · ${text(nameOf(place, "groundShare"))} %`;
  const said = textWidth(long, size, true) > room ? count : long;
  if (textWidth(said, size, true) > room) return;
  const y = at.foot - high / 2 + size * 0.36;
  pen.text(middle, y - (rows ? 13 : 0), said, { ...look, key: "E" });
  if (rows) pen.text(middle, y + 13, rows, { ...look, key: "rows" });
}

/**
 * Lines of text on a ground of their own.
 *
 * @param {Pen} pen
 * @param {TowersScene} scene
 * @param {{ x: number, y: number, said: readonly string[], fill: string, size: number, key: string }} pill
 * @param {Place} place within whose walls it stays
 */
function drawPill(pen, { colour }, { x, y, said, fill, size, key }, place) {
  const line = size + 6;
  const high = line * said.length + 4;
  const room = Math.max(...said.map((each) => textWidth(each, size, true))) + 12;
  const middle = Math.min(Math.max(x, place.x + room / 2), place.x + place.wide - room / 2);
  pen.rect(middle - room / 2, y - high / 2, room, high, { key: `pill${key}`, fill: colour.background, r: 4 });
  const look = /** @type {const} */ ({ size, bold: true, fill, anchor: "middle" });
  said.forEach((each, n) => {
    pen.text(middle, y - high / 2 + 2 + (n + 0.5) * line + size * 0.36, each, { ...look, key: `pill${key}.${n}` });
  });
}

/**
 * A tower that is asked for: only its width is known.
 *
 * @type {Draw}
 */
export function drawWalls(pen, { colour, narrow }, at, { x, wide }) {
  for (const [n, wall] of [x, x + wide].entries()) {
    pen.line(wall, at.top, wall, at.foot, { key: `wall${n}`, stroke: colour.quiet, width: 2, dash: "7 7" });
  }
  const look = /** @type {const} */ ({ size: narrow ? 60 : 120, bold: true, anchor: "middle", fill: colour.quiet });
  pen.text(x + wide / 2, (at.top + at.foot) / 2 + 40, "?", { key: "asked", ...look });
}
