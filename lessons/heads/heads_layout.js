// Where the parts of the picture stand, in its units: the grid, the open head, and the row of the query.

const CELL = {
  labelled: { x: 15, y: 13.5 },
  most: 40,
  broad: 1.35,
  near: { x: 22, y: 20 },
  numbered: { x: 25, y: 17 },
}; // below `labelled` a row has no room for its word

/**
 * @param {number} width
 * @param {number} height
 * @param {{ layers: number, heads: number, rows: number, columns: number, label: number, narrow: boolean, whole: boolean, alone: boolean }} its
 *   alone: the open head has the whole of a narrow drawing
 */
export function places(width, height, its) {
  return its.narrow ? phone(width, height, its) : desk(width, height, its);
}

function desk(width, height, { layers, heads, rows, columns, label, whole }) {
  const bottom = height - 34;
  const top = Math.max(label, 58) + 10;
  const room = { width: width * 0.56 - label - 16, height: bottom - top };
  const map = mapIn(width - 16, top, room, rows, columns, whole);
  const left = { left: 20, right: map.left - Math.max(label, 66) - 34 };
  const gridTop = 74;
  const grid = gridIn(
    left.left + 30,
    gridTop,
    left.right - left.left - 30,
    Math.min(height - gridTop - 244, 46 * layers),
    layers,
    heads,
  );
  const row = { ...left, top: grid.bottom + 12, bottom: height - 8 };
  return { narrow: false, grid, map, row, label, heading: { x: left.left, y: 26 }, foot: height - 12 };
}

function phone(width, height, { layers, heads, rows, columns, label, whole, alone }) {
  const grid = gridIn(26, 20, width - 34, Math.min(height * 0.36, 30 * layers), layers, heads);
  const first = alone ? 0 : grid.bottom;
  const top = first + 36;
  const labels = Math.min(label, 62);
  const room = { width: width - labels - 20, height: height - top - labels - 30 };
  const map = mapIn(width - 8, top + labels, room, rows, columns, whole);
  return {
    narrow: true,
    grid,
    map,
    row: { left: 8, right: width - 8, top, bottom: height - 4 },
    label: labels,
    heading: { x: 8, y: first + 22 },
    foot: height - 8,
  };
}

function gridIn(left, top, width, height, layers, heads) {
  const step = { x: Math.min(width / heads, 46), y: height / layers };
  step.y = Math.min(step.y, step.x * 1.05);
  const gap = step.y > 16 ? 4 : 2;
  return {
    left,
    top,
    step,
    gap,
    right: left + heads * step.x,
    bottom: top + layers * step.y,
    thumb: { width: step.x - gap, height: step.y - gap },
  };
}

// The open head ends at `right`. What has no room for its words is shown whole without them, or near, as a window.
function mapIn(right, top, room, rows, columns, whole) {
  const high = Math.min(room.height / rows, CELL.most);
  const fits = { x: Math.min(room.width / columns, high * CELL.broad), y: high };
  const labelled = fits.x >= CELL.labelled.x && fits.y >= CELL.labelled.y;
  const near = !labelled && !whole;
  const cell = near ? CELL.near : labelled ? fits : { x: Math.min(fits.x, fits.y), y: Math.min(fits.x, fits.y) };
  const most = (length, size, count) => Math.min(count, Math.floor(length / size + 1e-6));
  const shown = near
    ? { rows: most(room.height, cell.y, rows), columns: most(room.width, cell.x, columns) }
    : { rows, columns };
  const wide = cell.x * shown.columns;
  const left = right - Math.max(wide, Math.min(room.width, room.height));
  return {
    left,
    top,
    cell,
    width: wide,
    height: cell.y * shown.rows,
    right: left + wide,
    shown,
    labelled: labelled || near,
    near,
    large: !labelled,
    numbered: cell.x >= CELL.numbered.x && cell.y >= CELL.numbered.y,
  };
}
