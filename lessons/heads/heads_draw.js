// Draws the grid and the open head again when the hand or a filter changes them.

import { html, magnified } from "../../ui/browser/dom.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { tellAtRest } from "../../ui/browser/told.js";
import { clear, fit, font } from "./heads_canvas.js";
import { paints, share, textOf } from "./heads_codes.js";
import { gridLayout, markGrid, paintGrid } from "./heads_grid.js";
import { MAP, mapLayout, markMap, paintLines, paintMap } from "./heads_map.js";
import { codeAt, filtersOf, sharedOf, viewOf } from "./heads_state.js";

const WIDE = 820;

// What the hand has changed, drawn at once, and told when it rests.
export function change(root, part) {
  const before = filtersOf(root);
  Object.assign(root.at, part);
  if (before !== filtersOf(root)) redraw(root);
  else if ("layer" in part) drawHead(root);
  else drawMarks(root);
  tellAtRest(root, sharedOf(root.at), { value: { ...root.at } });
}

export function redraw(root) {
  root.view = viewOf(root);
  root.paint = paints(root.data, root.at, root.colour.background);
  layout(root);
  paintGrid(root);
  drawHead(root);
  showControls(root);
}

function layout(root) {
  const wide = root.room >= WIDE;
  const left = wide ? Math.floor(root.room * 0.39) : root.room;
  const size = gridLayout(root, left);
  fit(root.grid, size.width, size.height);
  fit(root.gridMarks, size.width, size.height);
  root.left.style.width = wide ? `${magnified() * left}px` : "100%";
  const rest = wide ? root.room - left - 28 : root.room;
  // The lines stand beside the map, row by row, or of a longer text under the grid.
  const beside = rest - MAP.lines - 22 >= MAP.beside * root.view.columns.length;
  (wide && !beside ? root.left : root.pair).append(root.linesBox);
  root.mapBox.style.maxWidth = beside ? `${magnified() * (rest - MAP.lines - 20)}px` : "100%";
  mapLayout(root, beside ? rest - MAP.lines - 22 : rest - 4);
}

export function drawHead(root) {
  root.heading.textContent = `Layer ${root.at.layer}, head ${root.at.head}`;
  paintMap(root);
  drawMarks(root);
}

export function drawMarks(root) {
  markGrid(root);
  markMap(root);
  paintLines(root);
  say(root);
}

// --- in words ------------------------------------------------------------------------------------------

function weightText(root, spot) {
  const { exact, data } = root;
  const count = data.tokens.length;
  if (exact?.of === data.of && exact.at.layer === spot.layer && exact.at.head === spot.head) {
    return formatNumber(exact.weights[spot.query * count + spot.key]);
  }
  return textOf(codeAt(root, spot, spot.query, spot.key));
}

export function say(root, aloud = false) {
  const spot = { ...root.at, ...root.point };
  const { tokens, special } = root.data;
  root.readout.replaceChildren();
  const part = (text, kind) => html("span", kind ? { class: kind } : {}, root.readout, text);
  const open = spot.layer === root.at.layer && spot.head === root.at.head;
  const name = open ? "" : `Layer ${spot.layer}, head ${spot.head}: `;
  if (spot.query >= 0 && spot.key >= 0) {
    part(name, "count-of");
    part(tokens[spot.query], "query");
    part(" looks at ");
    part(tokens[spot.key], "key");
    part(" with weight ");
    part(weightText(root, spot), "weight-of");
  } else if (spot.query >= 0) {
    part(name, "count-of");
    part(tokens[spot.query], "query");
    part(" looks most at ");
    const best = strongest(root, spot);
    part(tokens[best], "key");
    part(`, with weight ${weightText(root, { ...spot, key: best })}`);
  } else if (spot.key >= 0) {
    part(name, "count-of");
    part(tokens[spot.key], "key");
    part(" is looked at: its column is marked in every head");
  } else part("Point at any cell for its weight; point at a token to follow it; press to keep it.");
  if (root.at.special && special.some(Boolean)) {
    part("  Special tokens are hidden and nothing is made up for them: rows no longer sum to 1.", "aside");
  }
  if (aloud) root.aloud.textContent = root.readout.textContent;
}

function strongest(root, { layer, head, query }) {
  let best = root.view.columns[0];
  for (const key of root.view.columns) {
    if (codeAt(root, { layer, head }, query, key) > codeAt(root, { layer, head }, query, best)) best = key;
  }
  return best;
}

// --- controls ----------------------------------------------------------------------------------------

function showControls(root) {
  if (root.special) root.special.checked = root.at.special;
  root.faint.checked = root.at.faint;
  root.threshold.value = root.at.threshold;
  root.under.textContent = root.at.threshold.toFixed(2);
  if (root.between) root.between.value = root.at.between;
  drawLegend(root);
}

// The numbers under the colours stand where their colour is, also when faint weights are brought out.
function drawLegend(root) {
  fit(root.bar, 190, 30);
  const pen = root.bar.getContext("2d");
  clear(pen, root.bar);
  const [left, wide, count] = [6, 176, root.data.scale.length];
  root.data.scale.forEach((colour, n) => {
    pen.fillStyle = colour;
    pen.fillRect(left + (n * wide) / count, 0, wide / count + 0.5, 12);
  });
  pen.fillStyle = root.colour.quiet;
  pen.font = font(11);
  pen.textAlign = "center";
  for (const value of root.at.faint ? [0, 0.05, 0.25, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1]) {
    pen.fillText(String(value), left + share(value, root.at) * wide, 25);
  }
}
