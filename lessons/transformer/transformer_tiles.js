// The canvas of the model: tensors as tiles with a row of cells for each token, the frames of parts, and the weights α
// from token to token. What is too small to be told apart is drawn as one picture.

import { floats } from "../../ui/browser/packing.js";
import { font } from "../shared/canvas.js";
import { FOLD, foldColumns, foldRows } from "./transformer_camera.js";

/** @import { Part } from "./transformer_tree.js" */

const OPEN = 150; // units a part must be wide to be drawn with its parts
const DIGITS = { wide: 37, high: 16, most: 900 };
const LATER = 0.22; // opacity of tokens after the one that is followed, where they cannot matter to it
const FAINT = 0.03; // weights α under it have no line

/** The tensors that are here, with their numbers as floats; remembered as long as the data are. */
export function tensorsOf(data) {
  const numbers = floats(data.stream, data.block);
  const found = new Map();
  for (const { stage, rows, columns, start } of data.tensors)
    found.set(stage, { rows, columns, values: numbers.subarray(start, start + rows * columns) });
  return found;
}

/**
 * Where a part is on screen.
 *
 * @param {any} its
 * @param {Part} part
 */
export function boxOf(its, part) {
  const {
    camera: { x0, x1 },
    plot,
  } = its;
  const per = plot.width / (x1 - x0);
  return { left: plot.left + (part.left - x0) * per, width: (part.right - part.left) * per };
}

/** Top and height of the lane of a token. */
export function laneOf(its, strip, row) {
  const {
    camera: { y0, y1 },
    plot,
  } = its;
  const per = plot.height / (y1 - y0);
  const { top, bottom, rows } = its.strips[strip];
  const high = ((bottom - top) / rows) * per;
  return { top: plot.top + (top - y0) * per + row * high, high };
}

/** Whether a token comes after the one that is followed, in a model that masks later tokens. */
export const isLater = (its, strip, row) =>
  its.data.family !== "bert" && strip === its.strips.length - 1 && row > its.place;

export const isOpen = (part, width) => part.children.length > 0 && (width >= OPEN || !part.parent);

/** Whether a lane of the strip is on screen. */
export const isInSight = ({ strips, camera }, strip) =>
  strips[strip].bottom > camera.y0 + 1e-9 && strips[strip].top < camera.y1 - 1e-9;

/** The parts that are on screen: those that are open, and what is drawn of them. */
export function partsOnScreen(its, part = its.root, found = { open: [], drawn: [] }) {
  const { plot } = its;
  const { left, width } = boxOf(its, part);
  if (part.parent && (left > plot.left + plot.width || left + width < plot.left || !isInSight(its, part.strip)))
    return found;
  if (!isOpen(part, width)) {
    if (width >= 1) found.drawn.push(part);
    return found;
  }
  if (part.parent) found.open.push(part);
  for (const each of part.children) partsOnScreen(its, each, found);
  return found;
}

/** @param {CanvasRenderingContext2D} brush */
export function paintParts(brush, its) {
  const {
    plot,
    scene: { colour },
  } = its;
  brush.save();
  brush.beginPath();
  brush.rect(plot.left, plot.top - 12, plot.width, plot.height + 16);
  brush.clip();
  stream(brush, its);
  for (const part of its.parts.open) frame(brush, its, part);
  let digits = 0;
  for (const part of its.parts.drawn) {
    if (part.kind === "words") continue;
    if (part.kind === "tile") {
      tilePicture(brush, its, part, boxOf(its, part));
      digits += cellNumbers(brush, its, part, DIGITS.most - digits);
    } else summary(brush, its, part, colour);
  }
  brush.restore();
}

// The stream of each token, from the left to the right of its strip.
function stream(brush, its) {
  const {
    plot,
    scene: { colour },
  } = its;
  its.strips.forEach(({ rows }, strip) => {
    for (let row = 0; row < rows; row++) {
      const { top, high } = laneOf(its, strip, row);
      const here = its.place === row && strip === its.strips.length - 1;
      brush.globalAlpha = here ? 0.9 : isLater(its, strip, row) ? 0.1 : 0.3;
      brush.fillStyle = colour.activation;
      const thick = here ? 3 : 1.5;
      brush.fillRect(plot.left, top + high / 2 - thick / 2, plot.width, thick);
    }
  });
  brush.globalAlpha = 1;
}

function frame(brush, its, part) {
  const {
    scene: { colour },
  } = its;
  const { left, width } = boxOf(its, part);
  const { top, bottom } = heightOf(its, part);
  if (part.children.length < 2) return;
  brush.strokeStyle = colour.line;
  brush.lineWidth = 1;
  brush.strokeRect(left - 2.5, top - 8.5, width + 5, bottom - top + 11);
}

export function heightOf(its, part) {
  const first = laneOf(its, part.strip, 0);
  return { top: first.top, bottom: first.top + first.high * its.strips[part.strip].rows };
}

// A closed part: attention as lines of α, a head as its α, others as the last of their tensors.
function summary(brush, its, part, colour) {
  const box = boxOf(its, part);
  const { top, bottom } = heightOf(its, part);
  brush.fillStyle = colour.background;
  brush.globalAlpha = 0.86;
  brush.fillRect(box.left, top, box.width, bottom - top);
  brush.globalAlpha = 1;
  brush.strokeStyle = colour.line;
  brush.lineWidth = 1;
  brush.strokeRect(box.left + 0.5, top + 0.5, box.width - 1, bottom - top - 1);
  if (part.kind === "attention") return pencil(brush, its, part, box, colour);
  const shown = standsFor(its, part);
  if (!shown) return;
  const attentions = part.children.filter((each) => each.kind === "attention");
  if (!attentions.length || box.width < 36) return tilePicture(brush, its, shown, box);
  const width = box.width / (attentions.length + 1);
  attentions.forEach((each, n) => pencil(brush, its, each, { left: box.left + n * width, width }, colour));
  tilePicture(brush, its, shown, { left: box.left + attentions.length * width, width });
}

/** The tile that stands for a closed part. */
export function standsFor(its, part) {
  if (part.kind === "tile") return part;
  const inner = part.kind === "head" ? part.children.filter((each) => each.title === "α") : part.children;
  const known = (each) => (each.kind === "tile" ? its.tensors.has(each.stage) : each.children.length > 0);
  const wide = part.id.endsWith(".feed") ? inner.filter((each) => each.title === "g(z)" && known(each)) : [];
  const last = wide[0] ?? inner.filter(known).at(-1);
  return last && standsFor(its, last);
}

function pencil(brush, its, part, { left, width }, colour) {
  const cross = part.id.endsWith("cross");
  const mean = its.tensors.get(`${part.id.split(".")[0]}.${cross ? "c" : ""}alpha.0`);
  if (!mean) return;
  const from = cross ? 0 : part.strip;
  const last = its.strips.length - 1;
  for (let i = 0; i < mean.rows; i++) {
    const here = i === its.place && part.strip === last;
    if (isLater(its, part.strip, i)) continue;
    const to = laneOf(its, part.strip, i);
    for (let j = 0; j < mean.columns; j++) {
      const alpha = mean.values[i * mean.columns + j];
      if (alpha < FAINT) continue;
      const start = cross ? sourceMark(its, part, j) : laneOf(its, from, j);
      brush.strokeStyle = here ? colour.weight : colour.quiet;
      brush.globalAlpha = here ? 0.35 + 0.65 * alpha : 0.12 + 0.3 * alpha;
      brush.lineWidth = here ? 1 + 9 * alpha : 0.7 + 2.5 * alpha;
      const [y0, y1] = [start.top + start.high / 2, to.top + to.high / 2];
      brush.beginPath();
      brush.moveTo(left + 2, y0);
      brush.bezierCurveTo(left + width * 0.5, y0, left + width * 0.5, y1, left + width - 2, y1);
      brush.stroke();
    }
  }
  brush.globalAlpha = 1;
}

// The source’s tokens at the left edge of a cross-attention: they share the height of its strip.
function sourceMark(its, part, j) {
  const { top, bottom } = heightOf(its, part);
  const high = (bottom - top) / its.strips[0].rows;
  return { top: top + j * high, high };
}

// --- a tensor as a picture, built once ----------------------------------------------------------------

/** The numbers of a tile, or null where they are not here yet. */
export function numbersOf(its, part) {
  const tensor = its.tensors.get(part.stage);
  if (!tensor) return null;
  const columns = part.columns || tensor.columns;
  const scores = isShare(part.stage) ? its.tensors.get(part.stage.replace("alpha", "score")) : null;
  const hides = (row, column) => scores?.values[row * tensor.columns + column] === -Infinity;
  return {
    rows: tensor.rows,
    columns,
    hides,
    at: (row, column) => tensor.values[row * tensor.columns + part.first + column],
  };
}

const isShare = (stage) => stage.includes("alpha");

/** Where the colours of a tile end: only one number in a hundred is larger. */
export function reachOf(its, part) {
  const kept = its.reaches.get(part.id);
  if (kept) return kept;
  const numbers = numbersOf(its, part);
  const sizes = new Float32Array(numbers.rows * numbers.columns);
  for (let row = 0; row < numbers.rows; row++)
    for (let c = 0; c < numbers.columns; c++) {
      const size = Math.abs(numbers.at(row, c));
      sizes[row * numbers.columns + c] = size < Infinity ? size : 0;
    }
  sizes.sort();
  const reach = sizes[Math.floor(0.99 * (sizes.length - 1))] || sizes.at(-1) || 1;
  its.reaches.set(part.id, reach);
  return reach;
}

// The place of a number on its scale of colours, or −1 where the mask hides a key.
function shadeOf(its, part, value, hidden = false) {
  if (hidden || !Number.isFinite(value)) return -1;
  const last = its.scene.data.scale.length - 1;
  if (isShare(part.stage)) return Math.round(Math.min(Math.max(value, 0), 1) * last);
  return Math.round((last / 2) * (1 + Math.min(Math.max(value / reachOf(its, part), -1), 1)));
}

/** A number of a cell: two decimals where they fit. */
export function short(value) {
  const size = Math.abs(value);
  return value.toFixed(size < 9.995 ? 2 : size < 99.95 ? 1 : 0).replace("-", "−");
}

// What a mask hides: neither a colour of the numbers nor that of the ground.
const veil = (its) => its.scene.colour.line;

function texture(its, part, numbers) {
  const kept = its.textures.get(part.id);
  if (kept) return kept;
  const [wide, rows] = [foldColumns(numbers.columns), foldRows(numbers.columns)];
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: wide, height: rows * numbers.rows });
  const brush = canvas.getContext("2d");
  const { scale, signed } = its.scene.data;
  const fills = isShare(part.stage) ? scale : signed;
  for (let row = 0; row < numbers.rows; row++)
    for (let c = 0; c < numbers.columns; c++) {
      const shade = shadeOf(its, part, numbers.at(row, c), numbers.hides(row, c));
      brush.fillStyle = fills[shade] ?? veil(its);
      brush.fillRect(c % FOLD, row * rows + Math.floor(c / FOLD), 1, 1);
    }
  its.textures.set(part.id, canvas);
  return canvas;
}

function tilePicture(brush, its, part, { left, width }) {
  const numbers = numbersOf(its, part);
  const { colour } = its.scene;
  if (!numbers) {
    const { top, bottom } = heightOf(its, part);
    brush.globalAlpha = 0.4;
    brush.fillStyle = colour.line;
    brush.fillRect(left, top, width, bottom - top);
    brush.globalAlpha = 1;
    return;
  }
  const picture = texture(its, part, numbers);
  const rows = foldRows(numbers.columns);
  brush.imageSmoothingEnabled = width < picture.width;
  for (let row = 0; row < numbers.rows; row++) {
    const { top, high } = laneOf(its, part.strip, row);
    if (top + high < its.plot.top - 12 || top > its.plot.top + its.plot.height) continue;
    const gap = high > 14 ? Math.min(high * 0.12, 6) : 0;
    brush.globalAlpha = isLater(its, part.strip, row) ? LATER : 1;
    brush.drawImage(picture, 0, row * rows, picture.width, rows, left, top + gap / 2, width, high - gap);
  }
  brush.globalAlpha = 1;
}

// --- the numbers in the cells ---------------------------------------------------------------------------

/** The cells of a tile on screen: how wide and high, and whether their numbers can be read. */
export function cellsOf(its, part) {
  const numbers = numbersOf(its, part);
  if (!numbers) return null;
  const { left, width } = boxOf(its, part);
  const wide = width / foldColumns(numbers.columns);
  const rows = foldRows(numbers.columns);
  const { high: lane } = laneOf(its, part.strip, 0);
  const gap = lane > 14 ? Math.min(lane * 0.12, 6) : 0;
  const high = (lane - gap) / rows;
  const place = (row, column) => ({
    left: left + (column % FOLD) * wide,
    top: laneOf(its, part.strip, row).top + gap / 2 + Math.floor(column / FOLD) * high,
    wide,
    high,
  });
  const at = (x, y) => {
    const row = Math.floor((y - laneOf(its, part.strip, 0).top) / lane);
    const u = Math.floor((x - left) / wide);
    const v = Math.floor((y - laneOf(its, part.strip, row).top - gap / 2) / high);
    const column = Math.min(Math.max(v, 0), rows - 1) * FOLD + u;
    return row >= 0 && row < numbers.rows && u >= 0 && column < numbers.columns ? { row, column } : null;
  };
  return { numbers, wide, high, lane, legible: wide >= DIGITS.wide && high >= DIGITS.high, place, at };
}

function cellNumbers(brush, its, part, most) {
  if (its.moving || most <= 0) return 0;
  const cells = cellsOf(its, part);
  if (!cells?.legible) return 0;
  const { plot } = its;
  const rows = foldRows(cells.numbers.columns);
  const { left } = boxOf(its, part);
  const first = Math.max(Math.floor((plot.left - left) / cells.wide), 0);
  const last = Math.min(Math.ceil((plot.left + plot.width - left) / cells.wide), foldColumns(cells.numbers.columns));
  brush.textAlign = "center";
  brush.textBaseline = "middle";
  brush.font = font(cells.high > 26 && cells.wide > 48 ? 15 : 13);
  const { scaleInks, signedInks } = its.scene.data;
  const inks = isShare(part.stage) ? scaleInks : signedInks;
  let written = 0;
  for (let row = 0; row < cells.numbers.rows; row++)
    for (let v = 0; v < rows; v++)
      for (let u = first; u < last; u++) {
        const column = v * FOLD + u;
        if (column >= cells.numbers.columns) continue;
        const { left: x, top: y, wide, high } = cells.place(row, column);
        if (isLater(its, part.strip, row) || y + high < plot.top || y > plot.top + plot.height || written >= most)
          continue;
        const value = cells.numbers.at(row, column);
        brush.fillStyle = inks[shadeOf(its, part, value, cells.numbers.hides(row, column))] ?? its.scene.colour.ink;
        brush.fillText(Number.isFinite(value) ? short(value) : "−∞", x + wide / 2, y + high / 2);
        written++;
      }
  return written;
}
