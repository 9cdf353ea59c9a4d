// How each number of the Transformer on one screen is computed: its operands, and the line that is written of it.

import { formatNumber, operand } from "../../ui/browser/numbers.js";

/**
 * @typedef {{ name: string, i: number, j: number }} Cell
 * @typedef {{ name: string, i: [number, number], j: [number, number] }} Range rows and columns, from and up to
 * @typedef {(name: string, i: number, j: number) => number} Get
 * @typedef {{ say: string, terms: string[], operands: Range[] }} Told
 */

const EPSILON = 1e-5;
const LETTERS = {
  x: "X",
  n1: "N₁",
  q: "Q",
  k: "K",
  v: "V",
  s: "S",
  alpha: "α",
  z: "Z",
  o: "O",
  r: "R",
  n2: "N₂",
  f: "F",
  g: "G",
  m: "M",
  h: "H",
  n3: "N₃",
  logits: "logits",
  p: "ŷ",
};
const PRODUCTS = {
  q: ["n1", "WQ", "bQ"],
  k: ["n1", "WK", "bK"],
  v: ["n1", "WV", "bV"],
  o: ["z", "WO", "bO"],
  f: ["n2", "W1", "b1"],
  m: ["g", "W2", "b2"],
  logits: ["n3", "U", null],
};
const SUMS = { r: ["x", "o"], h: ["r", "m"] };
const NORMS = { n1: ["x", 1], n2: ["r", 2], n3: ["h", 3] };
const SOFTMAXES = { alpha: "s", p: "logits" };

const one = (name, i, j) => /** @type {Range} */ ({ name, i: [i, i + 1], j: [j, j + 1] });
const rowOf = (name, i, count) => /** @type {Range} */ ({ name, i: [i, i + 1], j: [0, count] });
const columnOf = (name, j, count) => /** @type {Range} */ ({ name, i: [0, count], j: [j, j + 1] });
const times = (a, b) => `${operand(a)}·${operand(b)}`;

/**
 * What is written of a number that is computed, or of a weight.
 *
 * @param {Cell} cell
 * @param {any} data
 * @param {Record<string, { rows: number, columns: number, symbol: string, kind: string }>} grids
 * @param {Get} get
 * @returns {Told}
 */
export function tell({ name, i, j }, data, grids, get) {
  const grid = grids[name];
  if (grid.kind === "weight") return weight({ name, i, j }, data, grids, get);
  const letter = LETTERS[name];
  const across =
    name === "p" || name === "logits"
      ? data.words[j]
      : ["s", "alpha"].includes(name)
        ? `${j + 1} ${data.tokens[j]}`
        : j + 1;
  const head = `${letter}[${i + 1} ${data.tokens[i]}, ${across}]`;
  const end = `= ${formatNumber(get(name, i, j))}`;
  if (name in PRODUCTS) return product(head, end, PRODUCTS[name], i, j, grids, get);
  if (name in SUMS)
    return plain(
      `${head} = ${SUMS[name].map((each) => LETTERS[each]).join(" + ")}`,
      SUMS[name].map((each) => one(each, i, j)),
      end,
      get,
    );
  if (name in NORMS) return norm(head, end, NORMS[name], i, j, grids, get);
  if (name in SOFTMAXES)
    return softmax(head, end, SOFTMAXES[name], i, j, get, name === "alpha" ? i + 1 : grids[name].columns);
  if (name === "x")
    return plain(`${head} = E[${data.tokens[i]}] + P[${i + 1}]`, [one("E", data.ids[i], j), one("P", i, j)], end, get);
  if (name === "g")
    return {
      say: `${head} = max(0, F)`,
      terms: [`max(0, ${formatNumber(get("f", i, j))})`, end],
      operands: [one("f", i, j)],
    };
  if (name === "z") return mix(head, end, i, j, grids, get);
  return score(head, end, i, j, grids, get);
}

function product(head, end, [left, right, bias], i, j, grids, get) {
  const count = grids[left].columns;
  const terms = Array.from({ length: count }, (_, c) => times(get(left, i, c), get(right, c, j)));
  const operands = [rowOf(left, i, count), columnOf(right, j, count)];
  if (bias) {
    terms.push(operand(get(bias, 0, j)));
    operands.push(one(bias, 0, j));
  }
  const say = `${head} = ${LETTERS[left]} row ${i + 1} · ${grids[right].symbol} column ${j + 1}${bias ? ` + ${grids[bias].symbol}` : ""}`;
  return { say, terms: [...joined(terms), end], operands };
}

const joined = (terms) => terms.map((term, n) => (n ? `+ ${term}` : term));

function plain(say, operands, end, get) {
  const terms = operands.map((each) => operand(get(each.name, each.i[0], each.j[0])));
  return { say, terms: [...joined(terms), end], operands };
}

function norm(head, end, [left, number], i, j, grids, get) {
  const count = grids[left].columns;
  const row = Array.from({ length: count }, (_, c) => get(left, i, c));
  const mean = row.reduce((sum, each) => sum + each, 0) / count;
  const variance = row.reduce((sum, each) => sum + (each - mean) ** 2, 0) / count;
  const [gamma, beta] = [`gamma${number}`, `beta${number}`];
  return {
    say: `${head} = (${LETTERS[left]} − mean) / √(variance + ε) · ${grids[gamma].symbol} + ${grids[beta].symbol}`,
    terms: [
      `(${formatNumber(row[j])} − ${operand(mean)})`,
      `/ ${formatNumber(Math.sqrt(variance + EPSILON))}`,
      `· ${operand(get(gamma, 0, j))}`,
      `+ ${operand(get(beta, 0, j))}`,
      end,
    ],
    operands: [rowOf(left, i, count), one(gamma, 0, j), one(beta, 0, j)],
  };
}

function softmax(head, end, left, i, j, get, count) {
  const scores = Array.from({ length: count }, (_, c) => get(left, i, c));
  if (j >= count)
    return { say: `${head}: word ${j + 1} comes later and is masked`, terms: [end], operands: [one(left, i, j)] };
  const powers = scores.map((each) => `exp(${formatNumber(each)})`);
  const say = `${head} = exp(${LETTERS[left]}) / Σ exp(${LETTERS[left]})`;
  return {
    say,
    terms: [powers[j], `/ (${powers[0]}`, ...powers.slice(1).map((each) => `+ ${each}`), `)`, end].flatMap(close),
    operands: [rowOf(left, i, count)],
  };
}

// A closing bracket stays with the term before it.
function close(term, n, all) {
  if (term === ")") return [];
  return all[n + 1] === ")" ? [`${term})`] : [term];
}

function mix(head, end, i, j, grids, get) {
  const count = grids.v.rows;
  const terms = Array.from({ length: i + 1 }, (_, c) => times(get("alpha", i, c), get("v", c, j)));
  return {
    say: `${head} = α row ${i + 1} · V column ${j + 1}`,
    terms: [...joined(terms), end],
    operands: [rowOf("alpha", i, count), columnOf("v", j, count)],
  };
}

function score(head, end, i, j, grids, get) {
  const count = grids.q.columns;
  const operands = [rowOf("q", i, count), rowOf("k", j, count)];
  if (j > i) return { say: `${head}: word ${j + 1} comes later and is masked`, terms: [end], operands };
  const terms = Array.from({ length: count }, (_, c) => times(get("q", i, c), get("k", j, c)));
  const inside = joined(terms).map((term, n) => `${n ? "" : "("}${term}${n === count - 1 ? ")" : ""}`);
  return {
    say: `${head} = Q row ${i + 1} · K row ${j + 1} / √${count}`,
    terms: [...inside, `/ ${formatNumber(Math.sqrt(count))}`, end],
    operands,
  };
}

// What a weight is multiplied with, or added to, and where its product goes.
function weight({ name, i, j }, data, grids, get) {
  const symbol = grids[name].symbol;
  const label = weightLabel(name, i, j, data, grids);
  const value = `= ${formatNumber(get(name, i, j))}`;
  const rows = data.tokens.length;
  for (const [result, [left, right, bias]] of Object.entries(PRODUCTS)) {
    const into = columnOf(result, j, rows);
    if (right === name)
      return {
        say: `${label}: multiplies column ${i + 1} of ${LETTERS[left]}, adds to column ${j + 1} of ${LETTERS[result]}`,
        terms: [value],
        operands: [columnOf(left, i, rows), into],
      };
    if (bias === name)
      return { say: `${label}: is added to column ${j + 1} of ${LETTERS[result]}`, terms: [value], operands: [into] };
  }
  for (const [result, [, number]] of Object.entries(NORMS)) {
    const does = { [`gamma${number}`]: "scales", [`beta${number}`]: "is added to" }[name];
    if (does)
      return {
        say: `${label}: ${does} column ${j + 1} of ${LETTERS[result]}`,
        terms: [value],
        operands: [columnOf(result, j, rows)],
      };
  }
  const uses = name === "P" ? [i].filter((t) => t < rows) : data.ids.flatMap((id, t) => (id === i ? [t] : []));
  const where = uses.length
    ? `is added to X at ${uses.map((t) => t + 1).join(" and ")}`
    : symbol === "P"
      ? "no word stands there"
      : "is not in this text";
  return { say: `${label}: ${where}`, terms: [value], operands: uses.map((t) => one("x", t, j)) };
}

/** A weight as lessons/transformer/tiny_picture.py writes it. */
export function weightLabel(name, i, j, data, grids) {
  const [row, column] = [name === "E" ? data.words[i] : i + 1, name === "U" ? data.words[j] : j + 1];
  return grids[name].rows === 1 ? `${grids[name].symbol}[${column}]` : `${grids[name].symbol}[${row}, ${column}]`;
}
