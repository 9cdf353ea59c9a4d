// The Transformer on one screen: the arithmetic that is written of a number, the places, the way of the keys.
import assert from "node:assert/strict";
import { test } from "node:test";
import { calculation } from "../../../lessons/transformer/tiny_arithmetic.js";
import { cellAt, cellBeside, middle, PAGES, places } from "../../../lessons/transformer/tiny_places.js";

const SIZES = {
  E: [6, 4],
  P: [4, 4],
  gamma1: [1, 4],
  beta1: [1, 4],
  WQ: [4, 4],
  bQ: [1, 4],
  WK: [4, 4],
  bK: [1, 4],
  WV: [4, 4],
  bV: [1, 4],
  WO: [4, 4],
  bO: [1, 4],
  gamma2: [1, 4],
  beta2: [1, 4],
  W1: [4, 8],
  b1: [1, 8],
  W2: [8, 4],
  b2: [1, 4],
  gamma3: [1, 4],
  beta3: [1, 4],
  U: [4, 6],
};
const WIDE = { s: 0, alpha: 0, f: 8, g: 8, logits: 6, p: 6 };
const COMPUTED = ["x", "n1", "q", "k", "v", "s", "alpha", "z", "o", "r", "n2", "f", "g", "m", "h", "n3", "logits", "p"];

function grids(time) {
  const weights = Object.entries(SIZES).map(([name, [rows, columns]]) => ({
    name,
    symbol: name,
    kind: "weight",
    rows,
    columns,
    start: 0,
  }));
  return [
    ...weights,
    ...COMPUTED.map((name) => ({
      name,
      symbol: name,
      kind: "number",
      rows: time,
      columns: name in WIDE ? WIDE[name] || time : 4,
      start: 0,
    })),
  ];
}

// Any numbers for the weights, and from them all others by plain loops.
function model(tokens, words) {
  let seed = 1;
  const draw = () => ((seed = (seed * 16807) % 2147483647) / 2147483647) * 2 - 1;
  const of = Object.fromEntries(
    Object.entries(SIZES).map(([name, [rows, columns]]) => [
      name,
      Array.from({ length: rows }, () => Array.from({ length: columns }, draw)),
    ]),
  );
  const ids = tokens.map((token) => words.indexOf(token));
  const times = (x, w, b) =>
    x.map((row) => w[0].map((_, j) => row.reduce((sum, each, c) => sum + each * w[c][j], b ? b[0][j] : 0)));
  const plus = (a, b) => a.map((row, i) => row.map((each, j) => each + b[i][j]));
  const soft = (row) => row.map((each) => Math.exp(each) / row.reduce((sum, other) => sum + Math.exp(other), 0));
  const norm = (x, n) =>
    x.map((row) => {
      const mean = row.reduce((sum, each) => sum + each) / row.length;
      const variance = row.reduce((sum, each) => sum + (each - mean) ** 2, 0) / row.length;
      return row.map(
        (each, j) => ((each - mean) / Math.sqrt(variance + 1e-5)) * of[`gamma${n}`][0][j] + of[`beta${n}`][0][j],
      );
    });
  of.x = ids.map((id, t) => of.E[id].map((each, j) => each + of.P[t][j]));
  of.n1 = norm(of.x, 1);
  for (const each of "QKV") of[each.toLowerCase()] = times(of.n1, of[`W${each}`], of[`b${each}`]);
  of.s = of.q.map((q, i) =>
    of.k.map((k, j) => (j > i ? -Infinity : q.reduce((sum, each, c) => sum + each * k[c], 0) / 2)),
  );
  of.alpha = of.s.map(soft);
  of.z = times(of.alpha, of.v);
  of.o = times(of.z, of.WO, of.bO);
  of.r = plus(of.x, of.o);
  of.n2 = norm(of.r, 2);
  of.f = times(of.n2, of.W1, of.b1);
  of.g = of.f.map((row) => row.map((each) => Math.max(each, 0)));
  of.m = times(of.g, of.W2, of.b2);
  of.h = plus(of.r, of.m);
  of.n3 = norm(of.h, 3);
  of.logits = times(of.n3, of.U);
  of.p = of.logits.map(soft);
  return { get: (name, i, j) => of[name][i][j], data: { tokens, words, ids } };
}

// What is written, worked out: both sides of the last equals sign.
function worked(terms) {
  const text = terms
    .join(" ")
    .replaceAll("−", "-")
    .replaceAll("·", "*")
    .replace(
      /×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g,
      (_, power) => `e${[...power].map((each) => "-0123456789"["⁻⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(each)]).join("")}`,
    );
  const [left, right] = text.split("=");
  return [Function("exp", "max", `return ${left}`)(Math.exp, Math.max), Number(right)];
}

const WORDS = ["cat", "cats", "near", "runs", "run", "."];
const FOUR = ["cat", "near", "cats", "runs"];

test("the line of every number that is computed comes to that number", () => {
  for (const tokens of [FOUR, ["near"]]) {
    const { get, data } = model(tokens, WORDS);
    const by = Object.fromEntries(grids(tokens.length).map((grid) => [grid.name, grid]));
    let count = 0;
    for (const name of COMPUTED) {
      for (let i = 0; i < by[name].rows; i++) {
        for (let j = 0; j < by[name].columns; j++) {
          const { terms, operands } = calculation({ name, i, j }, data, by, get);
          for (const each of operands) assert.ok(each.i[1] <= by[each.name].rows && each.j[1] <= by[each.name].columns);
          assert.ok(operands.length);
          if ((name === "s" || name === "alpha") && j > i) continue;
          const [left, right] = worked(terms);
          assert.ok(
            Math.abs(left - right) < 5e-3 * Math.max(1, Math.abs(right)),
            `${name} ${i} ${j}: ${terms.join(" ")}`,
          );
          assert.ok(Math.abs(right - get(name, i, j)) <= 1e-3 * Math.abs(right) + 1e-9);
          count++;
        }
      }
    }
    assert.equal(count, tokens.length === 4 ? 324 : 78); // all but the twelve that are masked
  }
});

test("the lines of a masked score, and of weights", () => {
  const { get, data } = model(FOUR, WORDS);
  const by = Object.fromEntries(grids(4).map((grid) => [grid.name, grid]));
  const say = (name, i, j) => calculation({ name, i, j }, data, by, get).say;
  assert.equal(say("alpha", 0, 2), "α[1 cat, 3 cats]: word 3 comes later and is masked");
  assert.equal(say("WQ", 1, 2), "WQ[2, 3]: multiplies column 2 of N₁, adds to column 3 of Q");
  assert.equal(say("b2", 0, 1), "b2[2]: is added to column 2 of M");
  assert.equal(say("gamma3", 0, 3), "gamma3[4]: scales column 4 of N₃");
  assert.equal(say("E", 4, 0), "E[run, 1]: is not in this text");
  assert.equal(say("E", 0, 0), "E[cat, 1]: is added to X at 1");
  assert.equal(say("P", 2, 0), "P[3, 1]: is added to X at 3");
  for (const [name, [rows, columns]] of Object.entries(SIZES))
    assert.equal(
      worked(["0", ...calculation({ name, i: rows - 1, j: columns - 1 }, data, by, get).terms])[1],
      Number(get(name, rows - 1, columns - 1).toPrecision(4)),
    );
});

const overlap = (a, b) => a.x < b.x + b.wide && b.x < a.x + a.wide && a.y < b.y + b.high && b.y < a.y + a.high;

test("every matrix has a place of its own: on one screen, and on the parts of a narrow one", () => {
  for (const time of [1, 4]) {
    for (const [width, height] of [
      [1036, 562],
      [1036, 480],
      [1069, 493],
      [344, 437],
      [374, 484],
    ]) {
      const met = new Set();
      const pages = width > 980 ? [0] : PAGES.keys();
      for (const page of pages) {
        const at = places(width, height, grids(time), page);
        const all = Object.values(at.placed);
        all.forEach((a, n) => {
          assert.ok(
            a.x > 0 && a.x + a.wide <= width && a.y > 0 && a.y + a.high <= at.bottom + 1,
            `${a.name} ${width} ${page}`,
          );
          assert.ok(a.pitch >= 17 && a.row >= 12, `${a.name}: ${a.pitch} × ${a.row}`);
          for (const b of all.slice(n + 1)) assert.ok(!overlap(a, b), `${a.name} over ${b.name}`);
          met.add(a.name);
          assert.deepEqual(cellAt(at.placed, ...middle(a, 0, a.grid.columns - 1)), {
            name: a.name,
            i: 0,
            j: a.grid.columns - 1,
          });
        });
      }
      assert.equal(met.size, Object.keys(SIZES).length + COMPUTED.length);
    }
  }
});

test("the arrow keys reach every cell", () => {
  const { placed } = places(1036, 562, grids(4), 0);
  const key = ({ name, i, j }) => `${name} ${i} ${j}`;
  const start = { name: "E", i: 0, j: 0 };
  const met = new Map([[key(start), start]]);
  for (const cell of met.values()) {
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ]) {
      const next = cellBeside(placed, cell, dx, dy);
      if (!met.has(key(next))) met.set(key(next), next);
    }
  }
  const count = grids(4).reduce((sum, grid) => sum + grid.rows * grid.columns, 0);
  assert.equal(met.size, count);
});
