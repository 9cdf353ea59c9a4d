// Which rectangle of the model is on screen, { x0, x1, y0, y1 } from 0 to 1, and how it moves. Both ways are zoomed apart:
// a block fills the width while its tokens keep their height.

/** @typedef {{ x0: number, x1: number, y0: number, y1: number }} Camera */

export const WHOLE = { x0: 0, x1: 1, y0: 0, y1: 1 };
const DEEPEST = 1e-7;
export const FOLD = 64; // columns of a tensor side by side; further ones stand below

/** Rows of cells in the lane of a token. */
export const foldRows = (columns) => Math.ceil(columns / FOLD);
/** Cells side by side. */
export const foldColumns = (columns) => Math.min(columns, FOLD);

/** The part over the whole width, and the strip of its tokens over the height. */
export function fitPart(part, strips) {
  if (!part.parent) return WHOLE;
  const margin = 0.02 * (part.right - part.left);
  const strip = strips[part.strip];
  return inside({ x0: part.left - margin, x1: part.right + margin, y0: strip.top, y1: strip.bottom });
}

/** A cell of a tile with its neighbours, so near that its number can be read. */
export function fitCell(part, columns, { row, column }, strips) {
  const strip = strips[part.strip];
  const [wide, lane] = [(part.right - part.left) / foldColumns(columns), (strip.bottom - strip.top) / strip.rows];
  const high = lane / foldRows(columns);
  const [u, v] = [column % FOLD, Math.floor(column / FOLD)];
  const x = part.left + (u + 0.5) * wide;
  const y = strip.top + row * lane + (v + 0.5) * high;
  const [dx, dy] = [
    Math.min(wide * 8, (part.right - part.left) * 0.52),
    Math.min(high * 10, (strip.bottom - strip.top) / 2),
  ];
  const cx = clamp(x, part.left + dx * 0.96, part.right - dx * 0.96);
  const cy = clamp(y, strip.top + dy, strip.bottom - dy);
  return inside({ x0: cx - dx, x1: cx + dx, y0: cy - dy, y1: cy + dy });
}

const clamp = (value, low, high) => (low > high ? (low + high) / 2 : Math.min(Math.max(value, low), high));

/** The same size, moved into the model. */
export function inside({ x0, x1, y0, y1 }) {
  const [wide, high] = [Math.min(Math.max(x1 - x0, DEEPEST), 1), Math.min(Math.max(y1 - y0, DEEPEST), 1)];
  const [left, top] = [clamp((x0 + x1 - wide) / 2, 0, 1 - wide), clamp((y0 + y1 - high) / 2, 0, 1 - high)];
  return { x0: left, x1: left + wide, y0: top, y1: top + high };
}

/** Nearer by a factor around a point of the screen, u and v from 0 to 1. */
export function zoomed(camera, u, v, factor, both) {
  const [wide, high] = [(camera.x1 - camera.x0) / factor, (camera.y1 - camera.y0) / (both ? factor : 1)];
  const [x, y] = [camera.x0 + u * (camera.x1 - camera.x0), camera.y0 + v * (camera.y1 - camera.y0)];
  const x0 = x - u * Math.min(wide, 1);
  const y0 = y - v * Math.min(high, 1);
  return inside({ x0, x1: x0 + Math.min(wide, 1), y0, y1: y0 + Math.min(high, 1) });
}

/** Moved by shares of what is on screen. */
export function panned(camera, u, v) {
  const [dx, dy] = [u * (camera.x1 - camera.x0), v * (camera.y1 - camera.y0)];
  return inside({ x0: camera.x0 + dx, x1: camera.x1 + dx, y0: camera.y0 + dy, y1: camera.y1 + dy });
}

/** Between two cameras: the zoom runs evenly, so that what stays in place stays. */
export function between(from, to, share) {
  const along = (a0, a1, b0, b1) => {
    const [start, end] = [a1 - a0, b1 - b0];
    const size = start * (end / start) ** share;
    const part = Math.abs(start - end) < 1e-9 * start ? share : (start - size) / (start - end);
    const middle = (a0 + a1) / 2 + ((b0 + b1) / 2 - (a0 + a1) / 2) * part;
    return [middle - size / 2, middle + size / 2];
  };
  const [x0, x1] = along(from.x0, from.x1, to.x0, to.x1);
  const [y0, y1] = along(from.y0, from.y1, to.y0, to.y1);
  return { x0, x1, y0, y1 };
}
