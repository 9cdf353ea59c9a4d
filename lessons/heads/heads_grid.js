// All heads: one row per layer, one column per head. Where a small picture has fewer pixels than the text
// has pairs of tokens, a pixel shows the largest weight of those it stands for.

import { canvasIn } from "../shared/canvas.js";

/** @import { Pen } from "../../ui/browser/pen.js" */

const EDGE = 4; // room for the marks of the first row and column
/** @returns {[number, number]} */
const thumbAt = ({ step, gap }, layer, head) => [head * step.x + gap / 2, layer * step.y + gap / 2];

/**
 * @param {Pen} pen
 * @param {any} its
 */
export function drawGrid(pen, its) {
  const { scene, at, codes, stamp } = its;
  const { data, colour } = scene;
  const { grid } = at;
  labels(pen, its);
  /** @type {[number, number]} */
  const followed = [its.view.rows.indexOf(its.query), its.view.columns.indexOf(its.focus)];
  canvasIn(
    pen,
    {
      key: "thumbs",
      left: grid.left - EDGE,
      top: grid.top - EDGE,
      width: grid.right - grid.left + 6,
      height: grid.bottom - grid.top + 6,
      sharp: its.sharp,
      stamp: codes ? `${stamp} ${followed} ${JSON.stringify(grid)}` : null,
    },
    (brush) => paint(brush, its, followed),
  );
  const frame = ({ layer, head }, line, by, key) => {
    const [x, y] = thumbAt(grid, layer, head);
    pen.rect(grid.left + x - by, grid.top + y - by, grid.thumb.width + 2 * by, grid.thumb.height + 2 * by, {
      key,
      stroke: colour.ink,
      line,
      r: 3,
    });
  };
  const { open, point } = its;
  const [x, y] = thumbAt(grid, open.layer, open.head);
  pen.rect(grid.left + x - 4, grid.top + y - 4, grid.thumb.width + 8, grid.thumb.height + 8, {
    key: "around",
    stroke: colour.mark,
    line: 4,
    r: 5,
  });
  frame(open, 2, 1.5, "open");
  if (at.map.near) near(pen, its, grid.left + x, grid.top + y);
  if (point && "layer" in point && !(point.layer === open.layer && point.head === open.head))
    frame(point, 1.2, 1.5, "pointed");
  press(pen, its, data);
}

// The part of the open head that is shown near.
function near(
  pen,
  {
    at: {
      grid: { thumb },
      map,
    },
    view,
    first,
    scene: { colour },
  },
  x,
  y,
) {
  const part = (from, count, all, length) => [(from / all) * length, (count / all) * length];
  const [left, width] = part(first.column, map.shown.columns, view.columns.length, thumb.width);
  const [top, height] = part(first.row, map.shown.rows, view.rows.length, thumb.height);
  pen.rect(x + left, y + top, Math.max(width, 3), Math.max(height, 3), {
    key: "near",
    stroke: colour.mark,
    line: 1.5,
    r: 0,
  });
}

function labels(pen, { scene: { data, colour }, at, open }) {
  const { grid, narrow } = at;
  const size = 13;
  if (!narrow) {
    pen.text(at.heading.x, 26, `${data.layers * data.heads} heads, one small map each`, {
      size: 16,
      bold: true,
      room: at.row.right - at.heading.x,
    });
    pen.text(at.heading.x, 45, "press one to open it", { size: 14, fill: colour.quiet });
    pen.text(grid.left - 10, grid.top - 8, "layer", { size, fill: colour.quiet, anchor: "end" });
    if (grid.right + 34 < at.row.right + 20)
      pen.text(grid.right + 4, grid.top - 8, "head", { size, fill: colour.quiet });
  }
  const every = (step, least) => Math.max(1, Math.ceil(least / step));
  const [across, down] = [every(grid.step.x, 19), every(grid.step.y, 14)];
  for (let head = 0; head < data.heads; head++) {
    const here = head === open.head;
    if (head % across === 0 || (here && across === 1)) {
      pen.text(grid.left + (head + 0.5) * grid.step.x, grid.top - 8, String(head), {
        key: `h${head}`,
        size,
        bold: here,
        fill: here ? colour.ink : colour.quiet,
        anchor: "middle",
      });
    }
  }
  for (let layer = 0; layer < data.layers; layer++) {
    const here = layer === open.layer;
    if (layer % down === 0) {
      pen.text(grid.left - 10, grid.top + (layer + 0.5) * grid.step.y + 4.5, String(layer), {
        key: `l${layer}`,
        size,
        bold: here,
        fill: here ? colour.ink : colour.quiet,
        anchor: "end",
      });
    }
  }
}

function paint(brush, its, [row, column]) {
  const {
    scene: { data, colour },
    view,
    at: { grid },
  } = its;
  const { sharp } = its;
  const size = [grid.thumb.width, grid.thumb.height].map((each) => Math.max(Math.round(each * sharp), 1));
  const image = brush.createImageData(size[0], size[1]);
  const pixels = new Uint32Array(image.data.buffer);
  const [xs, ys] = [spans(view.columns.length, size[0]), spans(view.rows.length, size[1])];
  for (let layer = 0; layer < data.layers; layer++) {
    for (let head = 0; head < data.heads; head++) {
      thumb(its, (layer * data.heads + head) * data.tokens.length ** 2, ys, xs, pixels);
      const [x, y] = thumbAt(grid, layer, head);
      brush.putImageData(image, Math.round((x + EDGE) * sharp), Math.round((y + EDGE) * sharp));
      ticks(brush, [x + EDGE, y + EDGE], grid, [row, view.rows.length], [column, view.columns.length], colour);
    }
  }
}

// The row of the query has a mark at its left, the column of the key one above it: the weights stay to be seen.
function ticks(brush, [x, y], { thumb: { width, height }, gap }, [row, rows], [column, columns], colour) {
  if (row >= 0) {
    brush.fillStyle = colour.query;
    brush.fillRect(x - gap, y + (row * height) / rows, gap - 0.5, Math.max(height / rows, 1.5));
  }
  if (column >= 0) {
    brush.fillStyle = colour.key;
    brush.fillRect(x + (column * width) / columns, y - gap, Math.max(width / columns, 1.5), gap - 0.5);
  }
}

// For each of `size` pixels: the first and the last but one of `count` things that it stands for.
export function spans(count, size) {
  return Array.from({ length: size }, (_, at) => {
    const first = Math.floor((at * count) / size);
    return [first, Math.max(Math.floor(((at + 1) * count) / size), first + 1)];
  });
}

function thumb({ codes, view, scene: { data }, paints }, base, ys, xs, pixels) {
  const { rows, columns } = view;
  const size = xs.length;
  for (let y = 0; y < ys.length; y++) {
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
      pixels[y * size + x] = paints[most];
    }
  }
}

// --- the hand ------------------------------------------------------------------------------------------

const WAYS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
const within = (value, count) => Math.min(Math.max(value, 0), count - 1);

/** The head, and its pair of tokens, at these shares of the grid's width and height. */
export function underGrid(grid, { layers, heads }, view, across, down) {
  const [x, y] = [across * heads, down * layers];
  const [head, layer] = [within(Math.floor(x), heads), within(Math.floor(y), layers)];
  const part = (share, places) => places[within(Math.floor(share * places.length), places.length)];
  const inner = (value, place, step, size) => ((value - place) * step - grid.gap / 2) / size;
  return {
    layer,
    head,
    query: part(inner(y, layer, grid.step.y, grid.thumb.height), view.rows),
    key: part(inner(x, head, grid.step.x, grid.thumb.width), view.columns),
  };
}

function press(pen, its, data) {
  const {
    at: { grid },
    open,
    view,
  } = its;
  const node = pen.rect(grid.left, grid.top, grid.right - grid.left, grid.bottom - grid.top, {
    key: "grid",
    fill: "transparent",
    r: 0,
    class: "press",
    tabindex: 0,
    role: "group",
    "data-part": "grid",
    "data-arrows": "",
    "aria-label": `${data.layers} layers of ${data.heads} heads. Layer ${open.layer}, head ${open.head} is open. Arrow keys open another.`,
  });
  const under = (event) => {
    const box = node.getBoundingClientRect();
    return underGrid(grid, data, view, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  };
  node.onpointermove = (event) => its.aim(under(event));
  node.onpointerleave = () => its.aim(null);
  node.onclick = (event) => its.openHead(under(event));
  node.onkeydown = (event) => {
    const way = WAYS[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    its.openHead({ layer: within(open.layer + way[0], data.layers), head: within(open.head + way[1], data.heads) });
  };
}
