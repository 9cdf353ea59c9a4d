// How each number of the Transformer on one screen is computed: its operands, and the line that explains it.

import { formatNumber, operand } from "../../drawing/numbers.js";

/** @import { TinyGrid } from "../../drawing/types.js" */

/** @typedef {{ name: string, i: number, j: number }} Cell a matrix, a row and a column, from 0 */
/** @typedef {{ name: string, i: [number, number], j: [number, number] }} Range rows and columns, end excluded */
/** @typedef {(name: string, i: number, j: number) => number} Get */
/** @typedef {{ say: string, terms: string[], operands: Range[] }} Calculation */
/**
 * @typedef {{ tokens: readonly string[], words: readonly string[], ids: readonly number[] }} Text its words, the
 *   vocabulary, and the ids of its words
 */
/** @typedef {Record<string, Pick<TinyGrid, "rows" | "columns" | "symbol" | "kind">>} Grids */

/**
 * A computed number: its matrix, its place, and the beginning and the end of its explanation.
 *
 * @typedef {Cell & { head: string, end: string, grids: Grids, get: Get }} Computed
 */

const EPSILON = 1e-5;
/** @type {Record<string, string>} */
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
/** @type {Record<string, readonly [left: string, right: string, bias: string | null]>} */
const PRODUCTS = {
  q: ["n1", "WQ", "bQ"],
  k: ["n1", "WK", "bK"],
  v: ["n1", "WV", "bV"],
  o: ["z", "WO", "bO"],
  f: ["n2", "W1", "b1"],
  m: ["g", "W2", "b2"],
  logits: ["n3", "U", null],
};
/** @type {Record<string, readonly string[]>} */
const SUMS = { r: ["x", "o"], h: ["r", "m"] };
/** @type {Record<string, readonly [of: string, number: number]>} */
const NORMS = { n1: ["x", 1], n2: ["r", 2], n3: ["h", 3] };
/** @type {Record<string, string>} */
const SOFTMAXES = { alpha: "s", p: "logits" };

/** @type {(name: string, i: number, j: number) => Range} */
const one = (name, i, j) => ({ name, i: [i, i + 1], j: [j, j + 1] });
/** @type {(name: string, i: number, count: number) => Range} */
const rowOf = (name, i, count) => ({ name, i: [i, i + 1], j: [0, count] });
/** @type {(name: string, j: number, count: number) => Range} */
const columnOf = (name, j, count) => ({ name, i: [0, count], j: [j, j + 1] });
/** @type {(a: number, b: number) => string} */
const times = (a, b) => `${operand(a)}·${operand(b)}`;
/** @param {readonly string[]} terms */
const joined = (terms) => terms.map((term, n) => (n ? `+ ${term}` : term));

/**
 * The explanation of a computed number, or of a weight.
 *
 * @param {Cell} cell @param {Text} text @param {Grids} grids @param {Get} get @returns {Calculation}
 */
export function calculation(cell, text, grids, get) {
  const { name, i, j } = cell;
  if (grids[name].kind === "weight") return weight(cell, text, grids, get);
  const head = `${LETTERS[name]}[${i + 1} ${text.tokens[i]}, ${columnName(cell, text)}]`;
  const its = { ...cell, head, end: `= ${formatNumber(get(name, i, j))}`, grids, get };
  if (name in PRODUCTS) return product(its, PRODUCTS[name]);
  if (name in SUMS) {
    const letters = SUMS[name].map((each) => LETTERS[each]);
    return sum(
      its,
      letters.join(" + "),
      SUMS[name].map((each) => one(each, i, j)),
    );
  }
  if (name in NORMS) return norm(its, NORMS[name]);
  if (name in SOFTMAXES) return softmax(its, SOFTMAXES[name]);
  if (name === "x") return sum(its, `E[${text.tokens[i]}] + P[${i + 1}]`, [one("E", text.ids[i], j), one("P", i, j)]);
  if (name === "g") return rectified(its);
  return name === "z" ? mix(its) : score(its);
}

/**
 * The column of a number: a word of the vocabulary, a word of the text, or only its number.
 *
 * @param {Cell} cell @param {Text} text
 */
function columnName({ name, j }, { tokens, words }) {
  if (name === "p" || name === "logits") return words[j];
  return name === "s" || name === "alpha" ? `${j + 1} ${tokens[j]}` : j + 1;
}

/**
 * @param {Computed} its
 * @param {readonly [left: string, right: string, bias: string | null]} factors
 * @returns {Calculation}
 */
function product({ head, end, i, j, grids, get }, [left, right, bias]) {
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

/**
 * @param {Computed} its
 * @param {string} letters its terms in letters
 * @param {Range[]} operands
 * @returns {Calculation}
 */
function sum({ head, end, get }, letters, operands) {
  const terms = operands.map((each) => operand(get(each.name, each.i[0], each.j[0])));
  return { say: `${head} = ${letters}`, terms: [...joined(terms), end], operands };
}

/** @param {Computed} its @param {readonly [of: string, number: number]} which @returns {Calculation} */
function norm({ head, end, i, j, grids, get }, [left, number]) {
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

/**
 * @param {Computed} its
 * @param {string} left the matrix of its scores
 * @returns {Calculation}
 */
function softmax({ name, head, end, i, j, grids, get }, left) {
  const count = name === "alpha" ? i + 1 : grids[name].columns; // later words are masked
  if (j >= count) return masked(head, end, j, [one(left, i, j)]);
  const powers = Array.from({ length: count }, (_, c) => `exp(${formatNumber(get(left, i, c))})`);
  const total = powers.map((each, n) => (n ? `+ ${each}` : `/ (${each}`));
  total[count - 1] += ")";
  return {
    say: `${head} = exp(${LETTERS[left]}) / Σ exp(${LETTERS[left]})`,
    terms: [powers[j], ...total, end],
    operands: [rowOf(left, i, count)],
  };
}

/** @param {string} head @param {string} end @param {number} j @param {Range[]} operands @returns {Calculation} */
const masked = (head, end, j, operands) => ({
  say: `${head}: word ${j + 1} comes later and is masked`,
  terms: [end],
  operands,
});

/** @param {Computed} its @returns {Calculation} */
const rectified = ({ head, end, i, j, get }) => ({
  say: `${head} = max(0, F)`,
  terms: [`max(0, ${formatNumber(get("f", i, j))})`, end],
  operands: [one("f", i, j)],
});

/** @param {Computed} its @returns {Calculation} */
function mix({ head, end, i, j, grids, get }) {
  const count = grids.v.rows;
  const terms = Array.from({ length: i + 1 }, (_, c) => times(get("alpha", i, c), get("v", c, j)));
  return {
    say: `${head} = α row ${i + 1} · V column ${j + 1}`,
    terms: [...joined(terms), end],
    operands: [rowOf("alpha", i, count), columnOf("v", j, count)],
  };
}

/** @param {Computed} its @returns {Calculation} */
function score({ head, end, i, j, grids, get }) {
  const count = grids.q.columns;
  const operands = [rowOf("q", i, count), rowOf("k", j, count)];
  if (j > i) return masked(head, end, j, operands);
  const terms = Array.from({ length: count }, (_, c) => times(get("q", i, c), get("k", j, c)));
  const inside = joined(terms).map((term, n) => `${n ? "" : "("}${term}${n === count - 1 ? ")" : ""}`);
  return {
    say: `${head} = Q row ${i + 1} · K row ${j + 1} / √${count}`,
    terms: [...inside, `/ ${formatNumber(Math.sqrt(count))}`, end],
    operands,
  };
}

/**
 * The explanation of a weight: what it is multiplied with or added to, and the column of the result.
 *
 * @param {Cell} cell @param {Text} text @param {Grids} grids @param {Get} get @returns {Calculation}
 */
function weight(cell, text, grids, get) {
  const { name, i, j } = cell;
  const { does, operands } =
    factorOf(cell, text.tokens.length) ?? scaleOf(cell, text.tokens.length) ?? embeddingOf(cell, text, grids);
  const say = `${weightLabel(name, i, j, text, grids)}: ${does}`;
  return { say, terms: [`= ${formatNumber(get(name, i, j))}`], operands };
}

/** @typedef {{ does: string, operands: Range[] }} Use what a weight does, and with which operands */

/**
 * The use of a weight or a bias in a product; null for other weights.
 *
 * @param {Cell} cell
 * @param {number} rows of the text
 * @returns {Use | null}
 */
function factorOf({ name, i, j }, rows) {
  for (const [result, [left, right, bias]] of Object.entries(PRODUCTS)) {
    const into = columnOf(result, j, rows);
    if (right === name) {
      const does = `multiplies column ${i + 1} of ${LETTERS[left]}, adds to column ${j + 1} of ${LETTERS[result]}`;
      return { does, operands: [columnOf(left, i, rows), into] };
    }
    if (bias === name) return { does: `is added to column ${j + 1} of ${LETTERS[result]}`, operands: [into] };
  }
  return null;
}

/**
 * The use of γ or β in a layer norm; null for other weights.
 *
 * @param {Cell} cell
 * @param {number} rows of the text
 * @returns {Use | null}
 */
function scaleOf({ name, j }, rows) {
  for (const [result, [, number]] of Object.entries(NORMS)) {
    const how = name === `gamma${number}` ? "scales" : name === `beta${number}` ? "is added to" : null;
    if (how) return { does: `${how} column ${j + 1} of ${LETTERS[result]}`, operands: [columnOf(result, j, rows)] };
  }
  return null;
}

/**
 * The use of a number in the vector of a word or of a position.
 *
 * @param {Cell} cell @param {Text} text @param {Grids} grids @returns {Use}
 */
function embeddingOf({ name, i, j }, { tokens, ids }, grids) {
  const uses = name === "P" ? [i].filter((t) => t < tokens.length) : ids.flatMap((id, t) => (id === i ? [t] : []));
  const operands = uses.map((t) => one("x", t, j));
  if (uses.length) return { does: `is added to X at ${uses.map((t) => t + 1).join(" and ")}`, operands };
  return { does: grids[name].symbol === "P" ? "no word stands there" : "is not in this text", operands };
}

/**
 * The name of a weight, as in lessons/transformer/tiny_picture.py.
 *
 * @param {string} name @param {number} i @param {number} j @param {Pick<Text, "words">} text @param {Grids} grids
 */
export function weightLabel(name, i, j, { words }, grids) {
  const [row, column] = [name === "E" ? words[i] : i + 1, name === "U" ? words[j] : j + 1];
  return grids[name].rows === 1 ? `${grids[name].symbol}[${column}]` : `${grids[name].symbol}[${row}, ${column}]`;
}
