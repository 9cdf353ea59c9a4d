// The open head: its weights between the words, as a map that is shown whole, or enlarged as a window.

import { LABEL } from "./heads_layout.js";
import { paintMap, twoDigits } from "./map_canvas.js";
import { drawFoot } from "./map_foot.js";
import { drawCover } from "./map_hand.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { MapPlaces } from "./heads_layout.js" */
/** @import { Draw, HeadsScene, State } from "./heads_scene.js" */

/** @type {Draw} */
export function drawMap(pen, scene, at, state) {
  const { map } = at;
  if (!at.narrow) drawHeading(pen, scene, at, state);
  paintMap(pen, scene, at, state);
  pen.rect(map.left, map.top, map.width, map.height, { stroke: scene.colour.line, line: 1, r: 0 });
  nameRows(pen, scene, at, state);
  nameColumns(pen, scene, at, state);
  framePair(pen, scene, at, state);
  framePointed(pen, map, state);
  drawCover(pen, scene, at, state);
  drawFoot(pen, scene, at, state);
}

/** @type {Draw} */
function drawHeading(pen, { colour }, { map }, { open }) {
  const x = map.left - 8;
  pen.text(x, 26, `Layer ${open.layer}, head ${open.head}`, { size: 17, bold: true, anchor: "end" });
  pen.text(x, map.top - 25, "attended to →", { size: 14, bold: true, fill: colour.key, anchor: "end" });
  pen.text(x, map.top - 7, "attends ↓", { size: 14, bold: true, fill: colour.query, anchor: "end" });
}

/**
 * How a word beside the map looks; `role` is its colour where it is marked.
 *
 * @param {HeadsScene} scene
 * @param {{ map: MapPlaces, label: number }} at
 * @param {number} place
 * @param {boolean} marked
 * @param {string} role
 */
const wordLook = ({ data, colour }, { map, label }, place, marked, role) => ({
  size: Math.min(map.cell.x, map.cell.y) >= 19 ? LABEL.size : LABEL.small,
  bold: marked,
  fill: marked ? role : data.special[place] ? colour.quiet : colour.ink,
  room: label - 10,
});

/** @type {Draw} */
function nameRows(pen, scene, at, { inMap, query }) {
  const { map } = at;
  inMap.rows.forEach((place, n) => {
    if (!map.labelled && place !== query) return;
    pen.text(map.left - 8, map.top + (n + 0.5) * map.cell.y + 4.5, scene.data.tokens[place], {
      key: `r${place}`,
      anchor: "end",
      ...wordLook(scene, at, place, place === query, scene.colour.query),
    });
  });
}

/** @type {Draw} */
function nameColumns(pen, scene, at, { inMap, focus }) {
  const { map } = at;
  inMap.columns.forEach((place, n) => {
    if (!map.labelled && place !== focus) return;
    const [x, y] = [map.left + (n + 0.5) * map.cell.x + 4.5, map.top - 7];
    pen.text(x, y, scene.data.tokens[place], {
      key: `c${place}`,
      transform: `rotate(-90 ${x} ${y})`,
      ...wordLook(scene, at, place, place === focus, scene.colour.key),
    });
  });
}

/**
 * The row of the query, the column of the key, and their weight.
 *
 * @type {Draw}
 */
function framePair(pen, scene, { map }, state) {
  const { colour, hidden } = scene;
  const { inMap, query, focus } = state;
  const [row, column] = [inMap.rows.indexOf(query), inMap.columns.indexOf(focus)];
  const [wide, high] = leastCell(map);
  const [x, y] = [map.left + column * map.cell.x, map.top + row * map.cell.y];
  if (column >= 0) {
    const look = { key: "column", stroke: colour.key, line: 2.5, r: 2 };
    pen.rect(x - 1, map.top - 1, wide + 2, map.height + 2, look);
  }
  if (row < 0) return;
  const asked = hidden("weights"); // the weights are to be predicted
  const fill = asked ? colour.background : "none";
  const look = { key: "row", stroke: colour.query, line: 3, r: 2, fill };
  pen.rect(map.left - 2, y - 1.5, map.width + 4, high + 3, look);
  if (asked) {
    const look = /** @type {const} */ ({ key: "asked", size: 18, bold: true, anchor: "middle" });
    pen.text(map.left + map.width / 2, y + map.cell.y / 2 + 6, "?", look);
  } else if (column >= 0) markCell(pen, scene, map, state, x, y);
}

/**
 * The mark at the weight of the pair: behind its number, or around the cell if there is no room for a number.
 *
 * @param {Pen} pen
 * @param {HeadsScene} scene
 * @param {MapPlaces} map
 * @param {State} state
 * @param {number} x
 * @param {number} y
 */
function markCell(pen, { colour, values }, map, { focus }, x, y) {
  const [wide, high] = leastCell(map);
  if (!map.numbered) {
    pen.rect(x - 2, y - 2, wide + 4, high + 4, { key: "cell", stroke: colour.mark, line: 3, r: 2 });
    return;
  }
  const look = /** @type {const} */ ({ key: "number", size: 14, bold: true, anchor: "middle" });
  pen.markedText(x + map.cell.x / 2, y + map.cell.y / 2 + 5, twoDigits(values(`w${focus}`)), true, look);
}

/**
 * The size of a cell; if it is too small to be visible, that of a frame around it.
 *
 * @param {MapPlaces} map
 */
const leastCell = ({ cell }) => [Math.max(cell.x, 3), Math.max(cell.y, 3)];

/** @param {Pen} pen @param {MapPlaces} map @param {State} state */
function framePointed(pen, map, { point, inMap }) {
  if (!point || "layer" in point) return;
  const [row, column] = [inMap.rows.indexOf(point.query), inMap.columns.indexOf(point.key)];
  if (row < 0 || column < 0) return;
  const [wide, high] = leastCell(map);
  const look = { key: "pointed", stroke: pen.colour.ink, line: 1.5, r: 0 };
  pen.rect(map.left + column * map.cell.x, map.top + row * map.cell.y, wide, high, look);
}
