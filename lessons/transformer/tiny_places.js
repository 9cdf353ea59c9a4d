// Where the matrices of the Transformer on one screen are drawn: in columns, from left to right in the order of the
// computation; a narrow screen shows some of the columns at a time.

/** @import { TinyGrid } from "../../drawing/types.js" */
/** @import { Cell } from "./tiny_arithmetic.js" */

/**
 * A matrix and its place in the drawing.
 *
 * @typedef {object} Placed
 * @property {string} name
 * @property {number} x
 * @property {number} y
 * @property {number} wide
 * @property {number} high
 * @property {number} pitch the width of a cell
 * @property {number} row the height of a cell
 * @property {string} title
 * @property {boolean} labelled whether there is room for the words of the text before its rows
 * @property {TinyGrid} grid
 */
/** @typedef {Record<string, TinyGrid>} Grids by their names */
/** @typedef {{ left: number, top: number, wide: number, high: number }} Box */
/** @typedef {{ key: string, title: string, left: number, right: number, top: number, bottom: number }} Panel */
/** @typedef {{ key: string, title: string, columns: string[][] }} PanelPlan the matrices in each of its columns */
/** @typedef {ReturnType<typeof places>} Places */

export const TITLE = 16; // height of the title above a matrix
const WORDS = 15; // height of the words above the columns of U
const GAP = 4; // space below a matrix
const HEAD = 24; // height of a panel's title
const LABELS = 34; // width of the words before a column
const WIDE = 980; // from this width on, all columns are shown side by side
const LOW = 430;
const GUTTER = 11;
const EDGE = 8;

/** @type {Record<string, string>} */
const TITLES = {
  gamma1: "γ₁, β₁",
  gamma2: "γ₂, β₂",
  gamma3: "γ₃, β₃",
  E: "E",
  P: "P",
  U: "U",
  x: "X = E[x] + P",
  n1: "N₁ = LN(X)",
  q: "Q = N₁W^Q + b",
  k: "K = N₁W^K + b",
  v: "V = N₁W^V + b",
  s: "S = QKᵀ/√dₖ",
  alpha: "α = softmax S",
  z: "Z = αV",
  o: "O = ZW^O + b",
  r: "R = X + O",
  n2: "N₂ = LN(R)",
  f: "F = N₂W₁ + b₁",
  g: "G = ReLU(F)",
  m: "M = GW₂ + b₂",
  h: "H = R + M",
  n3: "N₃ = LN(H)",
  logits: "logits = N₃U",
  p: "ŷ = softmax(logits)",
};
const PROJECTIONS = [
  ["WQ", "bQ", "WK", "bK", "WV", "bV"],
  ["q", "k", "v"],
];
const LAST = ["h", "gamma3", "beta3", "n3"];
const WORD = ["U", "logits", "p"];
const BESIDE = "W2 m"; // two matrices side by side

/** @type {PanelPlan[]} */
const WHOLE = [
  { key: "embedding", title: "1 Embedding", columns: [["E", "P", "x", "gamma1", "beta1", "n1"]] },
  { key: "qkv", title: "2 Queries, keys, values", columns: PROJECTIONS },
  {
    key: "attention",
    title: "3 Attention, Add & Norm",
    columns: [
      ["s", "alpha", "z"],
      ["WO", "bO", "o", "r", "gamma2", "beta2", "n2"],
    ],
  },
  { key: "mlp", title: "4 MLP", columns: [["W1", "b1", "f", "g", BESIDE, "b2"]] },
  { key: "norm", title: "5 Add & Norm", columns: [LAST] },
  { key: "words", title: "6 Next word", columns: [WORD] },
];
/** The parts of a narrow drawing. @type {{ title: string, panels: PanelPlan[] }[]} */
export const PAGES = [
  {
    title: "Embed",
    panels: [
      {
        key: "embedding",
        title: "Embedding",
        columns: [
          ["E", "P"],
          ["x", "gamma1", "beta1", "n1"],
        ],
      },
    ],
  },
  { title: "Q, K, V", panels: [{ key: "qkv", title: "Queries, keys, values", columns: PROJECTIONS }] },
  {
    title: "Attention",
    panels: [
      {
        key: "attention",
        title: "Attention, Add & Norm",
        columns: [
          ["s", "alpha", "z"],
          ["WO", "bO", "o"],
          ["r", "gamma2", "beta2", "n2"],
        ],
      },
    ],
  },
  {
    title: "MLP",
    panels: [
      {
        key: "mlp",
        title: "MLP",
        columns: [
          ["W1", "b1", "f", "g"],
          ["W2", "b2", "m"],
        ],
      },
    ],
  },
  {
    title: "Word",
    panels: [
      { key: "norm", title: "Add & Norm", columns: [LAST] },
      { key: "words", title: "Next word", columns: [WORD] },
    ],
  },
  { title: "Result", panels: [] },
];

/**
 * All matrices by name, the panels behind them, and the other parts of the drawing.
 *
 * @param {number} width
 * @param {number} height
 * @param {readonly TinyGrid[]} grids
 * @param {number} page of a narrow drawing
 */
export function places(width, height, grids, page) {
  const whole = width >= WIDE && height >= LOW;
  const plan = whole ? WHOLE : PAGES[page].panels;
  /** @type {Grids} */
  const of = Object.fromEntries(grids.map((grid) => [grid.name, grid]));
  const lines = whole ? 2 : plan.length && height > 380 ? 3 : 0;
  const top = whole ? 38 : 40;
  const bottom = height - (lines ? 8 + 18 * lines : 4);
  const size = {
    ...across(plan, of, width - 2 * EDGE - LABELS, whole),
    row: down(plan, of, bottom - top - HEAD - 4, whole ? 19 : 22),
  };
  const { placed, panels } = stack(plan, of, { left: EDGE + LABELS, top, bottom, ...size });
  const foot = { left: 12, top: bottom + 4, wide: width - 24, lines };
  return {
    whole,
    placed,
    panels,
    top,
    bottom,
    left: EDGE,
    foot,
    ...spaces(placed, panels, { whole, width, top, bottom, empty: !plan.length }),
  };
}

/** @param {string} name */
const isBias = (name) => /^b/.test(name);
/** @param {string} names of one matrix, or of two side by side */
const first = (names) => names.split(" ")[0];

/**
 * The number of cells across a column, and its additional width.
 *
 * @param {string[]} names @param {Grids} of
 */
function columnSize(names, of) {
  const most = Math.max(4, ...names.map((name) => of[first(name)].columns));
  return { cells: most, more: names === WORD ? 3 * most : names.includes(BESIDE) ? 8 : 0 };
}

/**
 * The width of a cell, and the room between two columns.
 *
 * @param {PanelPlan[]} plan @param {Grids} of @param {number} room @param {boolean} whole
 */
function across(plan, of, room, whole) {
  const sizes = plan.flatMap((panel) => panel.columns.map((names) => columnSize(names, of)));
  const cells = sizes.reduce((sum, each) => sum + each.cells, 0);
  const free = room - sizes.reduce((sum, each) => sum + each.more, 0);
  const between = Math.max(sizes.length - 1, 1);
  const pitch = Math.min((free - GUTTER * between) / cells, whole ? 27 : 32);
  return { pitch, gutter: Math.min((free - pitch * cells) / between, 40) };
}

/**
 * The height of a row at which the tallest column fits.
 *
 * @param {PanelPlan[]} plan @param {Grids} of @param {number} room @param {number} most
 */
function down(plan, of, room, most) {
  const rows = plan
    .flatMap((panel) => panel.columns)
    .map((names) => {
      const high = names.reduce((sum, name) => sum + of[first(name)].rows, 0);
      const titles = names.filter((name) => !isBias(name)).length;
      return (room - titles * (TITLE + GAP) - (names === WORD ? WORDS : 0)) / high;
    });
  return Math.min(Math.max(Math.min(...rows), 11), most);
}

/** @typedef {{ left: number, top: number, bottom: number, pitch: number, gutter: number, row: number }} Room */

/**
 * The matrices in their columns from left to right, and a panel behind each part.
 *
 * @param {PanelPlan[]} plan @param {Grids} of @param {Room} room
 */
function stack(plan, of, room) {
  const { left, top, bottom, pitch, gutter } = room;
  const placed = /** @type {Record<string, Placed>} */ ({});
  const panels = /** @type {Panel[]} */ ([]);
  const pad = Math.min(gutter / 2 - 0.5, 6);
  let x = left;
  for (const { key, title, columns } of plan) {
    const from = x;
    for (const names of columns) {
      stackColumn(placed, names, of, room, x);
      const { cells, more } = columnSize(names, of);
      x += cells * pitch + more + gutter;
    }
    panels.push({ key, title, left: from - pad, right: x - gutter + pad, top, bottom });
  }
  return { placed, panels };
}

/**
 * The matrices of a column, one below the other: q, k and v at the height of their weights, a bias directly below its
 * weights.
 *
 * @param {Record<string, Placed>} placed @param {string[]} names @param {Grids} of @param {Room} room @param {number} x
 */
function stackColumn(placed, names, of, { left, top, pitch, gutter, row }, x) {
  const { cells, more } = columnSize(names, of);
  const wide = names === WORD ? pitch + more / cells : pitch;
  const labelled = x === left || gutter >= LABELS;
  let y = top + HEAD;
  for (const name of names) {
    const grid = of[first(name)];
    const beside = "qkv".includes(grid.name) ? placed[`W${grid.name.toUpperCase()}`] : null;
    y = beside ? beside.y : isBias(name) ? y - GAP + 1.5 : y + TITLE + (grid.name === "U" ? WORDS : 0);
    placed[grid.name] = put(grid, { x, y, pitch: wide, row, labelled });
    if (name === BESIDE) placed.m = put(of.m, { x: x + 4 * pitch + more, y, pitch, row, labelled: false });
    y += grid.rows * row + GAP;
  }
}

/** @param {TinyGrid} grid @param {Pick<Placed, "x" | "y" | "pitch" | "row" | "labelled">} where @returns {Placed} */
function put(grid, where) {
  const { name, rows, columns, symbol } = grid;
  const title = TITLES[name] ?? (isBias(name) ? "" : `${symbol}, b${symbol.slice(1)}`);
  return { name, title, grid, wide: columns * where.pitch, high: rows * where.row, ...where };
}

/**
 * The space left for the curve of the loss, the bars of the next word, and the list of sentences.
 *
 * @param {Record<string, Placed>} placed
 * @param {Panel[]} panels
 * @param {{ whole: boolean, width: number, top: number, bottom: number, empty: boolean }} how
 * @returns {{ curve: Box | null, bars: Box | null, list: Box | null }}
 */
function spaces(placed, panels, { whole, width, top, bottom, empty }) {
  /** @type {(left: number, from: number, right: number, to?: number) => Box} */
  const box = (left, from, right, to = bottom) => ({ left, top: from, wide: right - left, high: to - from - 4 });
  if (empty) {
    const middle = (top + 140 + bottom) / 2;
    const [left, right] = [EDGE + 4, width - EDGE];
    return {
      list: box(EDGE, top + 6, right, top + 142),
      bars: box(left, top + 144, right, middle),
      curve: box(left, middle, right),
    };
  }
  if (!whole) return { curve: null, bars: null, list: null };
  /** @param {string[]} names of matrices */
  const below = (...names) => Math.max(...names.map((name) => placed[name].y + placed[name].high));
  /** @param {string} key */
  const panel = (key) => /** @type {Panel} */ (panels.find((each) => each.key === key));
  return {
    bars: box(panel("norm").left + 8, below("p", "n3") + 10, panel("words").right - 6),
    curve: box(panel("qkv").left + 8, below("bV", "z") + 8, placed.z.x + placed.z.wide),
    list: null,
  };
}

/**
 * The cell at a point.
 *
 * @param {Record<string, Placed>} placed @param {number} x @param {number} y @returns {Cell | null}
 */
export function cellAt(placed, x, y) {
  for (const its of Object.values(placed)) {
    const [i, j] = [Math.floor((y - its.y) / its.row), Math.floor((x - its.x) / its.pitch)];
    if (i >= 0 && j >= 0 && i < its.grid.rows && j < its.grid.columns) return { name: its.name, i, j };
  }
  return null;
}

/**
 * The next cell in a direction: in the same matrix, else the nearest cell of another one, else the same cell.
 *
 * @param {Record<string, Placed>} placed @param {Cell} from @param {number} dx @param {number} dy @returns {Cell}
 */
export function cellBeside(placed, from, dx, dy) {
  const its = placed[from.name];
  const [i, j] = [from.i + dy, from.j + dx];
  if (i >= 0 && j >= 0 && i < its.grid.rows && j < its.grid.columns) return { name: from.name, i, j };
  return nearestBeyond(placed, from, dx, dy) ?? from;
}

/**
 * The nearest cell of another matrix in a direction; distances at right angles to it count three times.
 *
 * @param {Record<string, Placed>} placed @param {Cell} from @param {number} dx @param {number} dy
 */
function nearestBeyond(placed, from, dx, dy) {
  const its = placed[from.name];
  const [x, y] = middle(its, from.i, from.j);
  let best = /** @type {Cell | null} */ (null);
  let least = Infinity;
  for (const other of Object.values(placed)) {
    if (other === its) continue;
    for (let k = 0; k < other.grid.rows; k++) {
      for (let l = 0; l < other.grid.columns; l++) {
        const [ox, oy] = middle(other, k, l);
        const [ahead, aside] = dx ? [(ox - x) * dx, Math.abs(oy - y)] : [(oy - y) * dy, Math.abs(ox - x)];
        const far = ahead + 3 * aside;
        if (ahead > 1 && far < least) [best, least] = [{ name: other.name, i: k, j: l }, far];
      }
    }
  }
  return best;
}

/**
 * The middle of a cell.
 *
 * @param {Placed} its @param {number} i @param {number} j @returns {[x: number, y: number]}
 */
export const middle = (its, i, j) => [its.x + (j + 0.5) * its.pitch, its.y + (i + 0.5) * its.row];
