// Draws the grid and the open head again when the hand or a filter changes them.

import { html, magnified } from "../../ui/browser/dom.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { sendAtRest } from "../../ui/browser/events.js";
import { clear, fit, font } from "./heads_canvas.js";
import { paints, share, textOf } from "./heads_codes.js";
import { gridLayout, markGrid, paintGrid } from "./heads_grid.js";
import { MAP, mapLayout, markMap, paintLines, paintMap } from "./heads_map.js";
import { codeAt, filtersOf, sharedOf, viewOf } from "./heads_state.js";

/** @import { Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["heads"]} Data */

const WIDE = 820;

/**
 * Draw a change of the filters at once; send it to the page when the drag ends.
 *
 * @param {Picture<Data>} picture
 */
export function change(picture, part) {
  const before = filtersOf(picture);
  Object.assign(picture.at, part);
  if (before !== filtersOf(picture)) redraw(picture);
  else if ("layer" in part) drawHead(picture);
  else drawMarks(picture);
  sendAtRest(picture, sharedOf(picture.at), { value: { ...picture.at } });
}

/** @param {Picture<Data>} picture */
export function redraw(picture) {
  picture.view = viewOf(picture);
  picture.paint = paints(picture.data, picture.at, picture.colour.background);
  layout(picture);
  paintGrid(picture);
  drawHead(picture);
  showControls(picture);
}

/** @param {Picture<Data>} picture */
function layout(picture) {
  const wide = picture.room >= WIDE;
  const left = wide ? Math.floor(picture.room * 0.39) : picture.room;
  const size = gridLayout(picture, left);
  fit(picture.grid, size.width, size.height);
  fit(picture.gridMarks, size.width, size.height);
  picture.left.style.width = wide ? `${magnified() * left}px` : "100%";
  const rest = wide ? picture.room - left - 28 : picture.room;
  // The lines stand beside the map, row by row, or of a longer text under the grid.
  const beside = rest - MAP.lines - 22 >= MAP.beside * picture.view.columns.length;
  (wide && !beside ? picture.left : picture.pair).append(picture.linesBox);
  picture.mapBox.style.maxWidth = beside ? `${magnified() * (rest - MAP.lines - 20)}px` : "100%";
  mapLayout(picture, beside ? rest - MAP.lines - 22 : rest - 4);
}

/** @param {Picture<Data>} picture */
export function drawHead(picture) {
  picture.heading.textContent = `Layer ${picture.at.layer}, head ${picture.at.head}`;
  paintMap(picture);
  drawMarks(picture);
}

/** @param {Picture<Data>} picture */
export function drawMarks(picture) {
  markGrid(picture);
  markMap(picture);
  paintLines(picture);
  say(picture);
}

// --- in words ------------------------------------------------------------------------------------------

/** @param {Picture<Data>} picture */
function weightText(picture, spot) {
  const { data } = picture;
  /** @type {Scripts["opened"]} */
  const exact = picture.exact;
  const count = data.tokens.length;
  if (exact?.of === data.of && exact.at.layer === spot.layer && exact.at.head === spot.head) {
    return formatNumber(exact.weights[spot.query * count + spot.key]);
  }
  return textOf(codeAt(picture, spot, spot.query, spot.key));
}

/** @param {Picture<Data>} picture */
export function say(picture, aloud = false) {
  const spot = { ...picture.at, ...picture.point };
  const { tokens, special } = picture.data;
  picture.readout.replaceChildren();
  const part = (text, kind) => html("span", kind ? { class: kind } : {}, picture.readout, text);
  const open = spot.layer === picture.at.layer && spot.head === picture.at.head;
  const name = open ? "" : `Layer ${spot.layer}, head ${spot.head}: `;
  if (spot.query >= 0 && spot.key >= 0) {
    part(name, "count-of");
    part(tokens[spot.query], "query");
    part(" looks at ");
    part(tokens[spot.key], "key");
    part(" with weight ");
    part(weightText(picture, spot), "weight-of");
  } else if (spot.query >= 0) {
    part(name, "count-of");
    part(tokens[spot.query], "query");
    part(" looks most at ");
    const best = strongest(picture, spot);
    part(tokens[best], "key");
    part(`, with weight ${weightText(picture, { ...spot, key: best })}`);
  } else if (spot.key >= 0) {
    part(name, "count-of");
    part(tokens[spot.key], "key");
    part(" is looked at: its column is marked in every head");
  } else part("Point at any cell for its weight; point at a token to follow it; press to keep it.");
  if (picture.at.special && special.some(Boolean)) {
    part("  Special tokens are hidden and the weights are not rescaled: rows no longer sum to 1.", "aside");
  }
  if (aloud) picture.aloud.textContent = picture.readout.textContent;
}

/** @param {Picture<Data>} picture */
function strongest(picture, { layer, head, query }) {
  let best = picture.view.columns[0];
  for (const key of picture.view.columns) {
    if (codeAt(picture, { layer, head }, query, key) > codeAt(picture, { layer, head }, query, best)) best = key;
  }
  return best;
}

// --- controls ----------------------------------------------------------------------------------------

/** @param {Picture<Data>} picture */
function showControls(picture) {
  if (picture.special) picture.special.checked = picture.at.special;
  picture.faint.checked = picture.at.faint;
  picture.threshold.value = picture.at.threshold;
  picture.under.textContent = picture.at.threshold.toFixed(2);
  if (picture.between) picture.between.value = picture.at.between;
  drawLegend(picture);
}

/**
 * The numbers under the colours stand where their colour is, also when faint weights are brought out.
 *
 * @param {Picture<Data>} picture
 */
function drawLegend(picture) {
  fit(picture.bar, 190, 30);
  const pen = picture.bar.getContext("2d");
  clear(pen, picture.bar);
  const [left, wide, count] = [6, 176, picture.data.scale.length];
  picture.data.scale.forEach((colour, n) => {
    pen.fillStyle = colour;
    pen.fillRect(left + (n * wide) / count, 0, wide / count + 0.5, 12);
  });
  pen.fillStyle = picture.colour.quiet;
  pen.font = font(11);
  pen.textAlign = "center";
  for (const value of picture.at.faint ? [0, 0.05, 0.25, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1]) {
    pen.fillText(String(value), left + share(value, picture.at) * wide, 25);
  }
}
