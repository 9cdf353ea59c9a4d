// Below the map: the hovered weight, the colour scale, and the button that shows the map enlarged or whole.

import { cutText, textWidth } from "../../drawing/pen.js";
import { formatNumber } from "../../drawing/numbers.js";
import { canvasIn } from "../../drawing/canvas.js";
import { share, textOf } from "./heads_codes.js";
import { codeAt } from "./heads_state.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places } from "./heads_layout.js" */
/** @import { Draw, Head, HeadsScene, Pair, Point, State } from "./heads_scene.js" */

/** @type {Draw} */
export function drawFoot(pen, scene, at, state) {
  const right = at.map.large ? drawZoom(pen, scene, at) : at.map.right;
  const left = drawScale(pen, scene, at, state, right);
  const { colour } = scene;
  const from = at.narrow ? 8 : at.row.right + 20;
  const said = readout(scene, state, state.point);
  pen.text(from, at.foot, said ?? (at.narrow ? "" : "point at a square for its weight"), {
    key: "readout",
    size: said ? 15 : 14,
    bold: Boolean(said),
    fill: said ? colour.ink : colour.quiet,
    room: left - 22 - from,
    "data-part": "readout",
  });
}

/**
 * The button that shows a large map enlarged or whole; returns where the room to its left ends.
 *
 * @param {Pen} pen @param {HeadsScene} scene @param {Places} at
 */
function drawZoom(pen, { memory, again, colour }, { map, foot }) {
  const text = map.near ? "Show all" : "Zoom in";
  const wide = textWidth(text, 14) + 22;
  const left = map.right - wide;
  const press = () => {
    memory.whole = map.near;
    again();
  };
  /** @param {Pen} button */
  const draw = (button) => {
    button.rect(left, foot - 18, wide, 25, { r: 12.5, fill: colour.background, stroke: colour.ink });
    button.text(left + wide / 2, foot - 1, text, { size: 14, anchor: "middle" });
  };
  pen.button(text, press, draw, { key: "zoom" });
  return left - 14;
}

/**
 * The colours from 0 to 1; returns their left edge.
 *
 * @param {Pen} pen @param {HeadsScene} scene @param {Places} at @param {State} state @param {number} right
 */
function drawScale(pen, { data, colour }, { narrow, foot }, { sharp, faint }, right) {
  const width = narrow ? 60 : 110;
  const left = right - width - 26;
  const look = /** @type {const} */ ({ size: 13, fill: colour.quiet, anchor: "end" });
  pen.text(left - 8, foot, "0", look);
  pen.text(right, foot, "1", look);
  const stamp = `${data.scale[9]} ${data.faint}`;
  const place = { key: "scale", left, top: foot - 11, width, height: 12 };
  canvasIn(pen, { ...place, sharp, stamp }, (brush) => {
    for (let x = 0; x < width; x++) {
      brush.fillStyle = data.scale[Math.round(share(x / (width - 1), { faint }) * (data.scale.length - 1))];
      brush.fillRect(x, 0, 1.5, 12);
    }
  });
  return left;
}

/**
 * The pair at a point and its weight in words, with the head's name unless it is the open one. Null without a pair.
 *
 * @param {HeadsScene} scene @param {State} state @param {Point | null} point
 */
export function readout({ data, hidden }, state, point) {
  if (!point || point.key < 0) return null;
  const { open, query } = state;
  const at = { ...open, ...point };
  const other = at.layer !== open.layer || at.head !== open.head;
  const weight = hidden("weights") && at.query === query ? "?" : weightText(data, state, at);
  const pair = `${cutText(data.tokens[at.query], 110)} → ${cutText(data.tokens[at.key], 110)}: ${weight}`;
  return other ? `Layer ${at.layer}, head ${at.head}: ${pair}` : pair;
}

/**
 * A weight with every digit if the server has sent them, otherwise rounded as packed.
 *
 * @param {HeadsScene["data"]} data @param {State} state @param {Head & Pair} at
 */
function weightText(data, { codes, hand }, { layer, head, query, key }) {
  const count = data.tokens.length;
  if (hand.exactOf.layer === layer && hand.exactOf.head === head) {
    const exact = new Float32Array(data.exact.buffer, data.exact.byteOffset, count * count);
    return formatNumber(exact[query * count + key]);
  }
  return codes ? textOf(codeAt(codes, data.heads, count, { layer, head }, query, key)) : "";
}
