// All heads, a row a layer and a column a head. Where a small picture has fewer pixels than the text
// has pairs of tokens, a pixel shows the largest weight of those it stands for.

import { clear, font, sharpness } from "./heads_canvas.js";
import { followedNow } from "./heads_state.js";

const GRID = { left: 34, top: 34, gap: 4, least: 14, most: 52 };

export function gridLayout(root, width) {
  const { layers, heads } = root.data;
  const size = Math.floor((width - GRID.left) / heads) - GRID.gap;
  root.thumb = Math.min(Math.max(size, GRID.least), GRID.most);
  const step = root.thumb + GRID.gap;
  return { width: GRID.left + heads * step, height: GRID.top + layers * step };
}

export const thumbAt = (root, layer, head) => [
  GRID.left + head * (root.thumb + GRID.gap) + GRID.gap / 2,
  GRID.top + layer * (root.thumb + GRID.gap) + GRID.gap / 2,
];

export function paintGrid(root) {
  const { data, codes, view, paint } = root;
  const pen = root.grid.getContext("2d");
  const sharp = sharpness();
  const size = Math.max(Math.round(root.thumb * sharp), 1);
  labelGrid(root, pen);
  const image = pen.createImageData(size, size);
  const pixels = new Uint32Array(image.data.buffer);
  const [ys, xs] = [spans(view.rows.length, size), spans(view.columns.length, size)];
  for (let layer = 0; layer < data.layers; layer++) {
    for (let head = 0; head < data.heads; head++) {
      thumb(codes, (layer * data.heads + head) * data.tokens.length ** 2, root, ys, xs, pixels, paint);
      const [x, y] = thumbAt(root, layer, head);
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

function labelGrid(root, pen) {
  const { data, colour } = root;
  clear(pen, root.grid);
  pen.fillStyle = colour.quiet;
  pen.font = font(12);
  pen.textBaseline = "alphabetic";
  pen.textAlign = "left";
  pen.fillText("head", GRID.left + 2, 11);
  pen.fillText("layer", 0, 28);
  pen.textAlign = "center";
  for (let head = 0; head < data.heads; head++) {
    pen.fillText(String(head), thumbAt(root, 0, head)[0] + root.thumb / 2, 28);
  }
  pen.textBaseline = "middle";
  for (let layer = 0; layer < data.layers; layer++) {
    pen.fillText(String(layer), 16, thumbAt(root, layer, 0)[1] + root.thumb / 2);
  }
}

// The open head in a frame, the one pointed at in a thin one, and the followed tokens in every head.
export function markGrid(root) {
  const { data, at, point, colour } = root;
  const pen = root.gridMarks.getContext("2d");
  clear(pen, root.gridMarks);
  const { query, key } = followedNow(root);
  for (let layer = 0; layer < data.layers; layer++) {
    for (let head = 0; head < data.heads; head++) {
      const [x, y] = thumbAt(root, layer, head);
      markThumb(pen, root, x, y, root.view.rows.indexOf(query), root.view.columns.indexOf(key));
    }
  }
  const frame = ([layer, head], width, gap) => {
    const [x, y] = thumbAt(root, layer, head);
    pen.strokeStyle = colour.ink;
    pen.lineWidth = width;
    pen.strokeRect(x - gap, y - gap, root.thumb + 2 * gap, root.thumb + 2 * gap);
  };
  frame([at.layer, at.head], 2.5, 1.75);
  if (point && "layer" in point) frame([point.layer, point.head], 1, 1);
}

// A row has a mark at its left, a column above it: the weights themselves stay to be seen.
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

// The head, and the pair of tokens, under a place of the grid; null between the heads.
export function underGrid(root, x, y) {
  const step = root.thumb + GRID.gap;
  const [head, layer] = [Math.floor((x - GRID.left) / step), Math.floor((y - GRID.top) / step)];
  if (!(head >= 0 && head < root.data.heads && layer >= 0 && layer < root.data.layers)) return null;
  const [left, top] = thumbAt(root, layer, head);
  const part = (from, length) => Math.min(Math.max(Math.floor(((from) / root.thumb) * length), 0), length - 1);
  const { rows, columns } = root.view;
  return { layer, head, query: rows[part(y - top, rows.length)], key: columns[part(x - left, columns.length)] };
}
