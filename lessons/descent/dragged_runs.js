// Regressions, surfaces and runs on them, during a drag: a point or a start has more positions than could be sent.
// Everything else comes from the server; tests/lessons/descent compares this file with lmcore.optimization, number by
// number.

/** @typedef {[number, number]} Pair */
/** @typedef {{ x: number, y: number, xx: number, xy: number, yy: number }} Moments */
/**
 * @typedef {object} Objective
 * @property {(at: Pair) => number} loss
 * @property {(at: Pair, step: number | null) => Pair} gradient of the batch of a step; null: of all points
 */

const MOMENTUM = 0.9;
const [FIRST, SECOND, EPSILON] = [0.9, 0.999, 1e-8];

/**
 * Weighted means of x, y and their products; without weights all points count alike.
 *
 * @param {ArrayLike<number>} x
 * @param {ArrayLike<number>} y
 * @param {ArrayLike<number> | null} weights that sum to 1
 * @returns {Moments}
 */
export function moments(x, y, weights = null) {
  const sum = { x: 0, y: 0, xx: 0, xy: 0, yy: 0 };
  for (let i = 0; i < x.length; i++) {
    const share = weights ? weights[i] : 1 / x.length;
    sum.x += share * x[i];
    sum.y += share * y[i];
    sum.xx += share * x[i] * x[i];
    sum.xy += share * x[i] * y[i];
    sum.yy += share * y[i] * y[i];
  }
  return sum;
}

/**
 * The closed form (β₀, β₁); null if all x are equal.
 *
 * @param {Moments} m @returns {Pair | null}
 */
export function solve(m) {
  const variance = m.xx - m.x * m.x;
  if (!(variance > 1e-12 * Math.max(m.xx, 1e-300))) return null;
  const slope = (m.xy - m.x * m.y) / variance;
  return [m.y - slope * m.x, slope];
}

/**
 * Eigenvalues of the Hessian, κ, and the fastest and the largest η.
 *
 * @param {Moments} m
 */
export function curvature(m) {
  const [first, cross, second] = [2, 2 * m.x, 2 * m.xx];
  const high = (first + second + Math.hypot(first - second, 2 * cross)) / 2;
  const low = (4 * (m.xx - m.x * m.x)) / high;
  return { low, high, kappa: high / low, rmax: 2 / high, best: 2 / (low + high) };
}

/**
 * The closed form of a regression, its curvature, and η relative to the largest that converges.
 *
 * @param {Moments} moments @param {number} eta @param {Objective["loss"]} loss
 */
export function closedNumbers(moments, eta, loss) {
  const curved = curvature(moments);
  const best = solve(moments) ?? [NaN, NaN];
  const left = Math.max(Math.abs(1 - eta * curved.low), Math.abs(1 - eta * curved.high));
  return { ...curved, s0: best[0], s1: best[1], least: loss(best), share: eta / curved.rmax, left };
}

/**
 * The mean squared error of a line; with batches, the gradient of `drawn` uses the points of a step.
 *
 * @param {ArrayLike<number>} x
 * @param {ArrayLike<number>} y
 * @param {((step: number) => ArrayLike<number>) | null} batch the weights of the points at a step
 * @param {number} steps
 * @returns {{ whole: Objective, drawn: Objective, moments: Moments }}
 */
export function regression(x, y, batch, steps) {
  const all = moments(x, y);
  const each = batch ? Array.from({ length: steps }, (_, step) => moments(x, y, batch(step))) : [];
  /** @type {Objective["loss"]} */
  const loss = ([b0, b1]) => {
    let sum = 0;
    for (let i = 0; i < x.length; i++) sum += (b0 + b1 * x[i] - y[i]) ** 2;
    return sum / x.length;
  };
  /** @type {(m: Moments, at: Pair) => Pair} */
  const slope = (m, [b0, b1]) => [2 * (b0 + b1 * m.x - m.y), 2 * (b0 * m.x + b1 * m.xx - m.xy)];
  return {
    moments: all,
    whole: { loss, gradient: (at) => slope(all, at) },
    drawn: { loss, gradient: (at, step) => slope(step === null ? all : each[step], at) },
  };
}

/**
 * The loss x² − y² + y⁴ / 4.
 *
 * @type {Objective}
 */
export const saddle = { loss: ([x, y]) => x * x - y * y + y ** 4 / 4, gradient: ([x, y]) => [2 * x, y ** 3 - 2 * y] };

/** @param {number} z */
export const sigmoid = (z) => 1 / (1 + Math.exp(-z));

/**
 * The loss of one unit σ(wx + b).
 *
 * @param {ArrayLike<number>} x
 * @param {ArrayLike<number>} y
 * @param {boolean} cross whether it is the cross-entropy, and not the squared error
 * @returns {Objective}
 */
export function unit(x, y, cross) {
  /** @param {number} z */
  const softplus = (z) => Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z)));
  const n = x.length;
  return {
    loss([w, b]) {
      let sum = 0;
      for (let i = 0; i < n; i++) {
        const z = w * x[i] + b;
        sum += cross ? softplus(y[i] === 1 ? -z : z) : (sigmoid(z) - y[i]) ** 2;
      }
      return sum / n;
    },
    gradient([w, b]) {
      const slope = /** @type {Pair} */ ([0, 0]);
      for (let i = 0; i < n; i++) {
        const z = w * x[i] + b;
        const a = sigmoid(z);
        const delta = ((a - y[i]) * (cross ? 1 : 2 * a * sigmoid(-z))) / n;
        slope[0] += delta * x[i];
        slope[1] += delta;
      }
      return slope;
    },
  };
}

/**
 * The output of two tanh units and one σ unit, with parameters as lmcore.networks keeps them.
 *
 * @param {ArrayLike<number>} theta @param {number} x @param {number} y
 */
export function xor(theta, x, y) {
  const h = [0, 1].map((i) => Math.tanh(theta[2 * i] * x + theta[2 * i + 1] * y + theta[4 + i]));
  return sigmoid(theta[6] * h[0] + theta[7] * h[1] + theta[8]);
}

/**
 * Both parameters and L by η, run and state, as the server sends them.
 *
 * @param {Objective[]} objectives of each run
 * @param {{ start: Pair, rules: readonly string[], rates: ArrayLike<number>, shares: ArrayLike<number>, steps: number }} how
 */
export function sweep(objectives, { start, rules, rates, shares, steps }) {
  const paths = new Float64Array(rates.length * rules.length * (steps + 1) * 3);
  for (let rate = 0, at = 0; rate < rates.length; rate++) {
    for (let run = 0; run < rules.length; run++) {
      const { gradient, loss } = objectives[run];
      const rule = updates(rules[run]);
      let now = start;
      for (let step = 0; step <= steps; step++, at += 3) {
        paths[at] = now[0];
        paths[at + 1] = now[1];
        paths[at + 2] = loss(now);
        if (step === steps) continue;
        const change = rule(gradient(now, step), rates[rate] * shares[step * rules.length + run]);
        now = [now[0] + change[0], now[1] + change[1]];
      }
    }
  }
  return paths;
}

/**
 * What a rule adds to the parameters for a gradient and η; it keeps its state from earlier steps.
 *
 * @param {string} rule @returns {(g: Pair, rate: number) => Pair}
 */
export function updates(rule) {
  let t = 0; // steps so far
  const [v, m, s] = [
    [0, 0],
    [0, 0],
    [0, 0],
  ]; // the momentum; Adam's means of the gradient and of its square
  return (g, rate) => {
    t += 1;
    /** @param {0 | 1} i */
    const part = (i) => {
      if (rule === "SGD") return -rate * g[i];
      if (rule === "momentum") return -rate * (v[i] = MOMENTUM * v[i] + g[i]);
      m[i] += (1 - FIRST) * (g[i] - m[i]);
      s[i] = SECOND * s[i] + (1 - SECOND) * g[i] * g[i];
      return (-rate * m[i]) / (1 - FIRST ** t) / (Math.sqrt(s[i] / (1 - SECOND ** t)) + EPSILON);
    };
    return [part(0), part(1)];
  };
}

/**
 * L at side × side pairs up to `reach` from the centre, the second parameter along the rows.
 *
 * @param {Objective["loss"]} loss @param {ArrayLike<number>} center @param {number} reach @param {number} side
 */
export function gridOf(loss, center, reach, side) {
  const grid = new Float64Array(side * side);
  /** @type {(axis: 0 | 1, i: number) => number} */
  const along = (axis, i) => center[axis] - reach + (2 * reach * i) / (side - 1);
  for (let row = 0, at = 0; row < side; row++)
    for (let column = 0; column < side; column++, at++) grid[at] = loss([along(0, column), along(1, row)]);
  return grid;
}
