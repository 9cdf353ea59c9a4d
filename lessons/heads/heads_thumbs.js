// The small maps of all heads, painted on one canvas. If a small map has fewer pixels than the text has pairs of
// tokens, each pixel shows the largest weight of the pairs that it represents.

import { canvasIn } from "../../drawing/canvas.js";

/** @import { GridPlaces } from "./heads_layout.js" */
/** @import { Draw, Head, HeadsScene, State } from "./heads_scene.js" */
/** @typedef {readonly [first: number, end: number]} Span a pixel's tokens; `end` is exclusive */

const EDGE = 4; // room for the marks of the first row and column

/**
 * The corner of a small map, from that of the grid.
 *
 * @param {GridPlaces} grid @param {Head} head @returns {[x: number, y: number]}
 */
export const thumbAt = ({ step, gap }, { layer, head }) => [head * step.x + gap / 2, layer * step.y + gap / 2];

/** @type {Draw} */
export function drawThumbs(pen, scene, { grid }, state) {
  const { codes, stamp, sharp, view } = state;
  const marked = [view.rows.indexOf(state.query), view.columns.indexOf(state.focus)];
  const place = {
    key: "thumbs",
    left: grid.left - EDGE,
    top: grid.top - EDGE,
    width: grid.right - grid.left + 6,
    height: grid.bottom - grid.top + 6,
    sharp,
  };
  const whole = codes ? `${stamp} ${marked} ${JSON.stringify(grid)}` : null;
  canvasIn(pen, { ...place, stamp: whole }, (brush) => {
    if (codes) paintThumbs(brush, scene, grid, state, codes);
  });
}

/**
 * @param {CanvasRenderingContext2D} brush
 * @param {HeadsScene} scene
 * @param {GridPlaces} grid
 * @param {State} state
 * @param {Uint16Array} codes
 */
function paintThumbs(brush, scene, grid, state, codes) {
  const { data } = scene;
  const { view, sharp } = state;
  const [wide, high] = [grid.thumb.width, grid.thumb.height].map((each) => Math.max(Math.round(each * sharp), 1));
  const image = brush.createImageData(wide, high);
  const pixels = new Uint32Array(image.data.buffer);
  const [xs, ys] = [spans(view.columns.length, wide), spans(view.rows.length, high)];
  const count = data.tokens.length;
  for (let layer = 0; layer < data.layers; layer++) {
    for (let head = 0; head < data.heads; head++) {
      const its = codes.subarray((layer * data.heads + head) * count ** 2);
      fillPixels(pixels, its, count, state, xs, ys);
      const [x, y] = thumbAt(grid, { layer, head });
      brush.putImageData(image, Math.round((x + EDGE) * sharp), Math.round((y + EDGE) * sharp));
      markPair(brush, scene, grid, state, [x + EDGE, y + EDGE]);
    }
  }
}

/**
 * For each of `size` pixels, the range of `count` places that it represents: at least one.
 *
 * @param {number} count @param {number} size @returns {Span[]}
 */
export function spans(count, size) {
  return Array.from({ length: size }, (_, at) => {
    const first = Math.floor((at * count) / size);
    return [first, Math.max(Math.floor(((at + 1) * count) / size), first + 1)];
  });
}

/**
 * @param {Uint32Array} pixels are filled with the small map of a head
 * @param {Uint16Array} codes from those of the head on
 * @param {number} count of tokens
 * @param {State} state
 * @param {readonly Span[]} xs
 * @param {readonly Span[]} ys
 */
function fillPixels(pixels, codes, count, { view: { rows, columns }, colours }, xs, ys) {
  const size = xs.length;
  ys.forEach(([top, bottom], y) => {
    // If two rows of pixels represent the same single row of weights, the second is a copy.
    if (y && bottom - top === 1 && top === ys[y - 1][0]) {
      pixels.copyWithin(y * size, (y - 1) * size, y * size);
      return;
    }
    for (let x = 0; x < size; x++) {
      const [left, right] = xs[x];
      let most = 0;
      for (let r = top; r < bottom; r++) {
        const row = rows[r] * count;
        for (let c = left; c < right; c++) {
          const code = codes[row + columns[c]];
          if (code > most) most = code;
        }
      }
      pixels[y * size + x] = colours[most];
    }
  });
}

/**
 * Mark the query's row at its left and the key's column above it, where the marks hide no weights.
 *
 * @param {CanvasRenderingContext2D} brush
 * @param {HeadsScene} scene
 * @param {GridPlaces} grid
 * @param {State} state
 * @param {readonly [x: number, y: number]} corner of the small map
 */
function markPair(brush, { colour }, { thumb: { width, height }, gap }, { view, query, focus }, [x, y]) {
  const [rows, columns] = [view.rows.length, view.columns.length];
  const [row, column] = [view.rows.indexOf(query), view.columns.indexOf(focus)];
  if (row >= 0) {
    brush.fillStyle = colour.query;
    brush.fillRect(x - gap, y + (row * height) / rows, gap - 0.5, Math.max(height / rows, 1.5));
  }
  if (column >= 0) {
    brush.fillStyle = colour.key;
    brush.fillRect(x + (column * width) / columns, y - gap, Math.max(width / columns, 1.5), gap - 0.5);
  }
}
