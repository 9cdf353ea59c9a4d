// The canvas of the model: tensors as tiles with a row of cells for each token, the frames of parts, and the weights α
// from token to token. A tile is drawn as one image; its cells may be too small to be distinguished.

import { canvasIn, font, sharpness } from "../../drawing/canvas.js";
import { FOLD, foldColumns, foldRows } from "./transformer_camera.js";
import { isShare, numbersOf, shadeOf, short, standsFor } from "./transformer_numbers.js";
import { boxOf, cellsOf, heightOf, isFollowed, isLater, laneGap, laneOf } from "./transformer_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { TileNumbers } from "./transformer_numbers.js" */
/** @import { Lane, Span } from "./transformer_places.js" */
/** @import { Part } from "./transformer_tree.js" */
/** @import { Drawing, View } from "./transformer_view.js" */

const MOST = 900; // maximum number of numbers written into cells
const LATER = 0.22; // opacity of tokens after the one that is followed, where they cannot matter to it
const FAINT = 0.03; // smaller weights α have no line

/**
 * Paint the model, unless the canvas already shows this state.
 *
 * @param {Pen} pen @param {Drawing} drawing
 */
export function paintModel(pen, drawing) {
  const { width, height, data, colour } = drawing.scene;
  const { model, look, place } = drawing;
  const { x0, x1, y0, y1 } = look.camera;
  const stamp = [model.turn, x0, x1, y0, y1, look.moving, place, colour.background, width, height, data.zoom].join(" ");
  const whole = { key: "canvas", left: 0, top: 0, width, height, sharp: sharpness(pen.parent), stamp };
  canvasIn(pen, whole, (brush) => paintParts(brush, drawing));
}

/** @param {CanvasRenderingContext2D} brush @param {Drawing} drawing */
function paintParts(brush, drawing) {
  const { plot, parts } = drawing;
  brush.save();
  brush.beginPath();
  brush.rect(plot.left, plot.top - 12, plot.width, plot.height + 16);
  brush.clip();
  paintStreams(brush, drawing);
  for (const part of parts.open) paintFrame(brush, drawing, part);
  let written = 0;
  for (const part of parts.drawn) {
    if (part.kind === "words") continue;
    if (part.kind === "tile") {
      paintTile(brush, drawing, part, boxOf(drawing, part));
      written += writeNumbers(brush, drawing, part, MOST - written);
    } else paintClosed(brush, drawing, part);
  }
  brush.restore();
}

/**
 * The stream of each token, from the left to the right of its strip.
 *
 * @param {CanvasRenderingContext2D} brush @param {View} view
 */
function paintStreams(brush, view) {
  const { plot, strips, scene } = view;
  strips.forEach(({ rows }, strip) => {
    for (let row = 0; row < rows; row++) {
      const { top, high } = laneOf(view, strip, row);
      const followed = isFollowed(view, strip, row);
      brush.globalAlpha = followed ? 0.9 : isLater(view, strip, row) ? 0.1 : 0.3;
      brush.fillStyle = scene.colour.activation;
      const thick = followed ? 3 : 1.5;
      brush.fillRect(plot.left, top + high / 2 - thick / 2, plot.width, thick);
    }
  });
  brush.globalAlpha = 1;
}

/**
 * The frame of an open part.
 *
 * @param {CanvasRenderingContext2D} brush @param {View} view @param {Part} part
 */
function paintFrame(brush, view, part) {
  if (part.children.length < 2) return;
  const { left, width } = boxOf(view, part);
  const { top, bottom } = heightOf(view, part);
  brush.strokeStyle = view.scene.colour.line;
  brush.lineWidth = 1;
  brush.strokeRect(left - 2.5, top - 8.5, width + 5, bottom - top + 11);
}

/**
 * A closed part: an attention as lines of α, a head as its α, other parts as their last tensor, with the lines of their
 * attentions before it.
 *
 * @param {CanvasRenderingContext2D} brush @param {View} view @param {Part} part
 */
function paintClosed(brush, view, part) {
  const { colour } = view.scene;
  const box = boxOf(view, part);
  const { top, bottom } = heightOf(view, part);
  brush.fillStyle = colour.background;
  brush.globalAlpha = 0.86;
  brush.fillRect(box.left, top, box.width, bottom - top);
  brush.globalAlpha = 1;
  brush.strokeStyle = colour.line;
  brush.lineWidth = 1;
  brush.strokeRect(box.left + 0.5, top + 0.5, box.width - 1, bottom - top - 1);
  if (part.kind === "attention") return paintPencil(brush, view, part, box);
  const shown = standsFor(view.model, part);
  if (!shown) return;
  const attentions = part.children.filter((each) => each.kind === "attention");
  if (!attentions.length || box.width < 36) return paintTile(brush, view, shown, box);
  const width = box.width / (attentions.length + 1);
  attentions.forEach((each, n) => paintPencil(brush, view, each, { left: box.left + n * width, width }));
  paintTile(brush, view, shown, { left: box.left + attentions.length * width, width });
}

/**
 * The mean weights α of an attention's heads, as lines from each key on the left to each query on the right.
 *
 * @param {CanvasRenderingContext2D} brush @param {View} view @param {Part} part @param {Span} span
 */
function paintPencil(brush, view, part, { left, width }) {
  const { model, scene } = view;
  const cross = part.id.endsWith("cross");
  const mean = model.tensors.get(`${part.id.split(".")[0]}.${cross ? "c" : ""}alpha.0`);
  if (!mean) return;
  for (let i = 0; i < mean.rows; i++) {
    if (isLater(view, part.strip, i)) continue;
    const followed = isFollowed(view, part.strip, i);
    const to = laneOf(view, part.strip, i);
    for (let j = 0; j < mean.columns; j++) {
      const alpha = mean.values[i * mean.columns + j];
      if (alpha < FAINT) continue;
      const from = cross ? sourceLane(view, part, j) : laneOf(view, part.strip, j);
      brush.strokeStyle = followed ? scene.colour.weight : scene.colour.quiet;
      brush.globalAlpha = followed ? 0.35 + 0.65 * alpha : 0.12 + 0.3 * alpha;
      brush.lineWidth = followed ? 1 + 9 * alpha : 0.7 + 2.5 * alpha;
      const [y0, y1] = [from.top + from.high / 2, to.top + to.high / 2];
      brush.beginPath();
      brush.moveTo(left + 2, y0);
      brush.bezierCurveTo(left + width * 0.5, y0, left + width * 0.5, y1, left + width - 2, y1);
      brush.stroke();
    }
  }
  brush.globalAlpha = 1;
}

/**
 * The lane of a source token at the left edge of a cross-attention: the source tokens share the height of its strip.
 *
 * @param {View} view @param {Part} part @param {number} j @returns {Lane}
 */
function sourceLane(view, part, j) {
  const { top, bottom } = heightOf(view, part);
  const high = (bottom - top) / view.strips[0].rows;
  return { top: top + j * high, high };
}

// --- a tensor as an image, built once -----------------------------------------------------------------

/**
 * A tile as an image with one pixel per number, cached.
 *
 * @param {View} view @param {Part} part @param {TileNumbers} numbers
 */
function textureOf({ model, scene }, part, numbers) {
  const known = model.textures.get(part.id);
  if (known) return known;
  const [wide, rows] = [foldColumns(numbers.columns), foldRows(numbers.columns)];
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: wide, height: rows * numbers.rows });
  const brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const fills = isShare(part.stage) ? scene.data.scale : scene.data.signed;
  for (let row = 0; row < numbers.rows; row++)
    for (let column = 0; column < numbers.columns; column++) {
      const shade = shadeOf(model, part, numbers, { row, column });
      brush.fillStyle = fills[shade] ?? scene.colour.line; // masked: a colour that no number has
      brush.fillRect(column % FOLD, row * rows + Math.floor(column / FOLD), 1, 1);
    }
  model.textures.set(part.id, canvas);
  return canvas;
}

/**
 * A tile, token by token; a plain area if its numbers were not sent.
 *
 * @param {CanvasRenderingContext2D} brush @param {View} view @param {Part} part @param {Span} span
 */
function paintTile(brush, view, part, { left, width }) {
  const { model, plot, scene } = view;
  const numbers = numbersOf(model, part);
  if (!numbers) {
    const { top, bottom } = heightOf(view, part);
    brush.globalAlpha = 0.4;
    brush.fillStyle = scene.colour.line;
    brush.fillRect(left, top, width, bottom - top);
    brush.globalAlpha = 1;
    return;
  }
  const picture = textureOf(view, part, numbers);
  const rows = foldRows(numbers.columns);
  brush.imageSmoothingEnabled = width < picture.width;
  for (let row = 0; row < numbers.rows; row++) {
    const { top, high } = laneOf(view, part.strip, row);
    if (top + high < plot.top - 12 || top > plot.top + plot.height) continue;
    const gap = laneGap(high);
    brush.globalAlpha = isLater(view, part.strip, row) ? LATER : 1;
    brush.drawImage(picture, 0, row * rows, picture.width, rows, left, top + gap / 2, width, high - gap);
  }
  brush.globalAlpha = 1;
}

// --- the numbers in the cells ---------------------------------------------------------------------------

/**
 * Write the numbers of a tile into its cells, if they are legible.
 *
 * @param {CanvasRenderingContext2D} brush
 * @param {View} view
 * @param {Part} part
 * @param {number} most
 * @returns {number} how many were written
 */
function writeNumbers(brush, view, part, most) {
  const { model, look, plot, scene } = view;
  if (look.moving || most <= 0) return 0;
  const cells = cellsOf(view, part);
  if (!cells?.legible) return 0;
  const { numbers } = cells;
  brush.textAlign = "center";
  brush.textBaseline = "middle";
  brush.font = font(cells.high > 26 && cells.wide > 48 ? 15 : 13);
  const inks = isShare(part.stage) ? scene.data.scaleInks : scene.data.signedInks;
  const columns = columnsInSight(view, part, cells.wide, numbers.columns);
  let written = 0;
  for (let row = 0; row < numbers.rows; row++) {
    if (isLater(view, part.strip, row)) continue;
    for (const column of columns) {
      const { left, top, width, height } = cells.place({ row, column });
      if (top + height < plot.top || top > plot.top + plot.height || written >= most) continue;
      const value = numbers.at(row, column);
      brush.fillStyle = inks[shadeOf(model, part, numbers, { row, column })] ?? scene.colour.ink;
      brush.fillText(Number.isFinite(value) ? short(value) : "−∞", left + width / 2, top + height / 2);
      written++;
    }
  }
  return written;
}

/**
 * The columns of a tile that are on screen.
 *
 * @param {View} view
 * @param {Part} part
 * @param {number} wide the width of a cell
 * @param {number} count of all columns
 */
function columnsInSight(view, part, wide, count) {
  const { plot } = view;
  const { left } = boxOf(view, part);
  const first = Math.max(Math.floor((plot.left - left) / wide), 0);
  const last = Math.min(Math.ceil((plot.left + plot.width - left) / wide), foldColumns(count));
  return Array.from({ length: count }, (_, column) => column).filter(
    (column) => column % FOLD >= first && column % FOLD < last,
  );
}
