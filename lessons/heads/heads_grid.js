// All heads: one row per layer, one column per head. Where a small picture has fewer pixels than the text
// has pairs of tokens, a pixel shows the largest weight of those it stands for.

import { clear, font, sharpness } from "./heads_canvas.js";
import { followedNow } from "./heads_state.js";

/** @import { Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["heads"]} Data */

const GRID = { left: 34, top: 34, gap: 4, least: 14, most: 52 };

/** @param {Picture<Data>} picture */
export function gridLayout(picture, width) {
  const { layers, heads } = picture.data;
  const size = Math.floor((width - GRID.left) / heads) - GRID.gap;
  picture.thumb = Math.min(Math.max(size, GRID.least), GRID.most);
  const step = picture.thumb + GRID.gap;
  return { width: GRID.left + heads * step, height: GRID.top + layers * step };
}

/** @param {Picture<Data>} picture */
export const thumbAt = (picture, layer, head) => [
  GRID.left + head * (picture.thumb + GRID.gap) + GRID.gap / 2,
  GRID.top + layer * (picture.thumb + GRID.gap) + GRID.gap / 2,
];

/** @param {Picture<Data>} picture */
export function paintGrid(picture) {
  const { data, codes, view, paint } = picture;
  const pen = picture.grid.getContext("2d");
  const sharp = sharpness();
  const size = Math.max(Math.round(picture.thumb * sharp), 1);
  labelGrid(picture, pen);
  const image = pen.createImageData(size, size);
  const pixels = new Uint32Array(image.data.buffer);
  const [ys, xs] = [spans(view.rows.length, size), spans(view.columns.length, size)];
  for (let layer = 0; layer < data.layers; layer++) {
    for (let head = 0; head < data.heads; head++) {
      thumb(codes, (layer * data.heads + head) * data.tokens.length ** 2, picture, ys, xs, pixels, paint);
      const [x, y] = thumbAt(picture, layer, head);
      pen.putImageData(image, Math.round(x * sharp), Math.round(y * sharp));
    }
  }
}

// For each of `size` pixels: the first and the last but one of `count` things that it stands for.
export function spans(count, size) {
  return Array.from({ length: size }, (_, at) => {
    const first = Math.floor((at * count) / size);
    return [first, Math.max(Math.floor(((at + 1) * count) / size), first + 1)];
  });
}

/**
 * @param {any} codes
 * @param {any} base
 * @param {Picture<Data>} picture
 */
function thumb(codes, base, { view, data }, ys, xs, pixels, paint) {
  const { rows, columns } = view;
  const size = xs.length;
  for (let y = 0; y < size; y++) {
    const [top, bottom] = ys[y];
    if (y && bottom - top === 1 && top === ys[y - 1][0]) {
      pixels.copyWithin(y * size, (y - 1) * size, y * size);
      continue;
    }
    for (let x = 0; x < size; x++) {
      const [left, right] = xs[x];
      let most = 0;
      for (let r = top; r < bottom; r++) {
        const row = base + rows[r] * data.tokens.length;
        for (let c = left; c < right; c++) {
          const code = codes[row + columns[c]];
          if (code > most) most = code;
        }
      }
      pixels[y * size + x] = paint[most];
    }
  }
}

/** @param {Picture<Data>} picture */
function labelGrid(picture, pen) {
  const { data, colour } = picture;
  clear(pen, picture.grid);
  pen.fillStyle = colour.quiet;
  pen.font = font(12);
  pen.textBaseline = "alphabetic";
  pen.textAlign = "left";
  pen.fillText("head", GRID.left + 2, 11);
  pen.fillText("layer", 0, 28);
  pen.textAlign = "center";
  for (let head = 0; head < data.heads; head++) {
    pen.fillText(String(head), thumbAt(picture, 0, head)[0] + picture.thumb / 2, 28);
  }
  pen.textBaseline = "middle";
  for (let layer = 0; layer < data.layers; layer++) {
    pen.fillText(String(layer), 16, thumbAt(picture, layer, 0)[1] + picture.thumb / 2);
  }
}

/**
 * The open head in a frame, the one pointed at in a thin one, and the followed tokens in every head.
 *
 * @param {Picture<Data>} picture
 */
export function markGrid(picture) {
  const { data, at, point, colour } = picture;
  const pen = picture.gridMarks.getContext("2d");
  clear(pen, picture.gridMarks);
  const { query, key } = followedNow(picture);
  for (let layer = 0; layer < data.layers; layer++) {
    for (let head = 0; head < data.heads; head++) {
      const [x, y] = thumbAt(picture, layer, head);
      markThumb(pen, picture, x, y, picture.view.rows.indexOf(query), picture.view.columns.indexOf(key));
    }
  }
  const frame = ([layer, head], width, gap) => {
    const [x, y] = thumbAt(picture, layer, head);
    pen.strokeStyle = colour.ink;
    pen.lineWidth = width;
    pen.strokeRect(x - gap, y - gap, picture.thumb + 2 * gap, picture.thumb + 2 * gap);
  };
  frame([at.layer, at.head], 2.5, 1.75);
  if (point && "layer" in point) frame([point.layer, point.head], 1, 1);
}

/**
 * A row has a mark at its left, a column above it: the weights themselves stay to be seen.
 *
 * @param {any} pen
 * @param {Picture<Data>} picture
 */
function markThumb(pen, { thumb: size, view, colour }, x, y, row, column) {
  if (row >= 0) {
    const [top, high] = [y + (row * size) / view.rows.length, Math.max(size / view.rows.length, 2)];
    pen.fillStyle = colour.query;
    pen.fillRect(x - 4, top, 4, high);
  }
  if (column >= 0) {
    const [left, wide] = [x + (column * size) / view.columns.length, Math.max(size / view.columns.length, 2)];
    pen.fillStyle = colour.key;
    pen.fillRect(left, y - 4, wide, 4);
  }
}

/**
 * The head, and the pair of tokens, under a place of the grid; null between the heads.
 *
 * @param {Picture<Data>} picture
 */
export function underGrid(picture, x, y) {
  const step = picture.thumb + GRID.gap;
  const [head, layer] = [Math.floor((x - GRID.left) / step), Math.floor((y - GRID.top) / step)];
  if (!(head >= 0 && head < picture.data.heads && layer >= 0 && layer < picture.data.layers)) return null;
  const [left, top] = thumbAt(picture, layer, head);
  const part = (from, length) => Math.min(Math.max(Math.floor(((from) / picture.thumb) * length), 0), length - 1);
  const { rows, columns } = picture.view;
  return { layer, head, query: rows[part(y - top, rows.length)], key: columns[part(x - left, columns.length)] };
}
