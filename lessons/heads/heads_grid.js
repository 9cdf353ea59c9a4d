// All heads: one row per layer, one column per head, a small map each.

import { openHead, pointAt, takeArrow, within } from "./heads_hand.js";
import { drawThumbs, thumbAt } from "./heads_thumbs.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { GridPlaces, Places } from "./heads_layout.js" */
/** @import { Draw, Head, HeadsScene, State, View } from "./heads_scene.js" */

/** @type {Draw} */
export function drawGrid(pen, scene, at, state) {
  if (!at.narrow) drawHeading(pen, scene, at, state);
  nameHeads(pen, scene, at, state);
  nameLayers(pen, scene, at, state);
  drawThumbs(pen, scene, at, state);
  frameHeads(pen, scene, at, state);
  drawCover(pen, scene, at, state);
}

/** @type {Draw} */
function drawHeading(pen, { data, colour }, { grid, heading, row }) {
  const title = `${data.layers * data.heads} heads, one small map each`;
  pen.text(heading.x, 26, title, { size: 16, bold: true, room: row.right - heading.x });
  pen.text(heading.x, 45, "press one to open it", { size: 14, fill: colour.quiet });
  const y = grid.top - 8;
  pen.text(grid.left - 10, y, "layer", { size: 13, fill: colour.quiet, anchor: "end" });
  if (grid.right + 34 < row.right + 20) pen.text(grid.right + 4, y, "head", { size: 13, fill: colour.quiet });
}

/**
 * The smallest interval between numbers for which there is room.
 *
 * @param {number} step from one to the next
 * @param {number} least
 */
const everyNumber = (step, least) => Math.max(1, Math.ceil(least / step));

/** @type {Draw} */
function nameHeads(pen, { data, colour }, { grid }, { open }) {
  const every = everyNumber(grid.step.x, 19);
  for (let head = 0; head < data.heads; head += every) {
    const isOpen = head === open.head;
    pen.text(grid.left + (head + 0.5) * grid.step.x, grid.top - 8, String(head), {
      key: `h${head}`,
      size: 13,
      bold: isOpen,
      fill: isOpen ? colour.ink : colour.quiet,
      anchor: "middle",
    });
  }
}

/** @type {Draw} */
function nameLayers(pen, { data, colour }, { grid }, { open }) {
  const every = everyNumber(grid.step.y, 14);
  for (let layer = 0; layer < data.layers; layer += every) {
    const isOpen = layer === open.layer;
    pen.text(grid.left - 10, grid.top + (layer + 0.5) * grid.step.y + 4.5, String(layer), {
      key: `l${layer}`,
      size: 13,
      bold: isOpen,
      fill: isOpen ? colour.ink : colour.quiet,
      anchor: "end",
    });
  }
}

/**
 * Frames around the open head and the hovered one.
 *
 * @type {Draw}
 */
function frameHeads(pen, { colour }, at, state) {
  const { open, point } = state;
  const { grid } = at;
  frame(pen, grid, open, 4, { key: "around", stroke: colour.mark, line: 4, r: 5 });
  frame(pen, grid, open, 1.5, { key: "open", stroke: colour.ink, line: 2, r: 3 });
  if (at.map.near) frameWindow(pen, at, state);
  if (point && "layer" in point && !(point.layer === open.layer && point.head === open.head))
    frame(pen, grid, point, 1.5, { key: "pointed", stroke: colour.ink, line: 1.2, r: 3 });
}

/**
 * @param {Pen} pen
 * @param {GridPlaces} grid
 * @param {Head} head
 * @param {number} by how much larger than the small map it is, to each side
 * @param {{ key: string, stroke: string, line: number, r: number }} look
 */
function frame(pen, grid, head, by, look) {
  const [x, y] = thumbAt(grid, head);
  const { width, height } = grid.thumb;
  pen.rect(grid.left + x - by, grid.top + y - by, width + 2 * by, height + 2 * by, look);
}

/**
 * A frame around the part of the open head that its map shows enlarged.
 *
 * @param {Pen} pen @param {Places} at @param {State} state
 */
function frameWindow(pen, { grid, map }, { open, view, first }) {
  const [x, y] = thumbAt(grid, open);
  /** @type {(from: number, count: number, all: number, length: number) => [number, number]} */
  const part = (from, count, all, length) => [(from / all) * length, (count / all) * length];
  const [left, width] = part(first.column, map.shown.columns, view.columns.length, grid.thumb.width);
  const [top, height] = part(first.row, map.shown.rows, view.rows.length, grid.thumb.height);
  const look = { key: "near", stroke: pen.colour.mark, line: 1.5, r: 0 };
  pen.rect(grid.left + x + left, grid.top + y + top, Math.max(width, 3), Math.max(height, 3), look);
}

/**
 * The head, and its pair of tokens, at these shares of the grid's width and height.
 *
 * @param {GridPlaces} grid
 * @param {{ layers: number, heads: number }} size
 * @param {View} view
 * @param {number} across
 * @param {number} down
 */
export function underGrid(grid, { layers, heads }, view, across, down) {
  const [x, y] = [across * heads, down * layers];
  const [head, layer] = [within(Math.floor(x), heads), within(Math.floor(y), layers)];
  /** @type {(share: number, places: number[]) => number} */
  const token = (share, places) => places[within(Math.floor(share * places.length), places.length)];
  /** @type {(value: number, place: number, step: number, size: number) => number} */
  const inner = (value, place, step, size) => ((value - place) * step - grid.gap / 2) / size;
  return {
    layer,
    head,
    query: token(inner(y, layer, grid.step.y, grid.thumb.height), view.rows),
    key: token(inner(x, head, grid.step.x, grid.thumb.width), view.columns),
  };
}

/**
 * A transparent cover that receives the pointer and the arrow keys.
 *
 * @type {Draw}
 */
function drawCover(pen, scene, { grid }, state) {
  const { data } = scene;
  const { open, view } = state;
  const node = pen.rect(grid.left, grid.top, grid.right - grid.left, grid.bottom - grid.top, {
    key: "grid",
    fill: "transparent",
    r: 0,
    class: "press",
    tabindex: 0,
    role: "group",
    "data-part": "grid",
    "data-arrows": "",
    "aria-label": `${data.layers} layers of ${data.heads} heads. Layer ${open.layer}, head ${open.head} is open. Arrow keys open another.`,
  });
  /** @param {MouseEvent} event */
  const under = (event) => {
    const box = node.getBoundingClientRect();
    return underGrid(grid, data, view, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  };
  node.onpointermove = (event) => pointAt(scene, under(event));
  node.onpointerleave = () => pointAt(scene, null);
  node.onclick = (event) => openHead(scene, state, under(event));
  node.onkeydown = (event) => {
    const way = takeArrow(event);
    if (way) openHead(scene, state, headBeside(open, way, scene));
  };
}

/**
 * The next head in a direction, or the same one at an edge.
 *
 * @param {Head} head @param {readonly [down: number, right: number]} way @param {HeadsScene} scene
 */
const headBeside = ({ layer, head }, [down, right], { data }) => ({
  layer: within(layer + down, data.layers),
  head: within(head + right, data.heads),
});
