// The forward pass of a small network, computed in the browser while a weight or a point is dragged: the server could
// not send the numbers for every possible position. Everything else comes from the server; tests/lessons/networks
// compares this file with lmcore.networks.network, number by number.

/**
 * @typedef {object} Net
 * @property {readonly number[]} sizes inputs, then the units of each layer
 * @property {readonly string[]} functions g of each layer
 */

/** @type {Record<string, (z: number) => number>} */
const FUNCTIONS = {
  sigmoid: (z) => 1 / (1 + Math.exp(-z)),
  tanh: Math.tanh,
  ReLU: (z) => Math.max(z, 0),
  GELU: (z) => z * normalShare(z),
  identity: (z) => z,
  step: (z) => (z > 0 ? 1 : 0),
};

/**
 * Φ(z) by the series of erf near 0 and its continued fraction beyond, both to the last digits of a double.
 *
 * @param {number} z
 */
function normalShare(z) {
  const x = Math.abs(z) / Math.SQRT2;
  if (x > 3) {
    let fraction = 0;
    for (let k = 60; k > 0; k--) fraction = k / 2 / (x + fraction);
    const beyond = Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + fraction) / 2;
    return z > 0 ? 1 - beyond : beyond;
  }
  let [term, sum] = [x, x];
  for (let n = 1; Math.abs(term) > 1e-17 && n < 100; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  const half = sum / Math.sqrt(Math.PI);
  return z > 0 ? 0.5 + half : 0.5 - half;
}

/**
 * The number of parameters.
 *
 * @param {Pick<Net, "sizes">} net
 */
export const countOf = ({ sizes }) => sizes.slice(1).reduce((sum, units, i) => sum + units * (sizes[i] + 1), 0);

/**
 * The index of a weight among the parameters; `from` −1 is the bias. Layers are counted from 0.
 *
 * @param {Pick<Net, "sizes">} net @param {number} layer @param {number} unit @param {number} from
 */
export function placeOf({ sizes }, layer, unit, from) {
  const start = countOf({ sizes: sizes.slice(0, layer + 1) });
  const inputs = sizes[layer];
  return from < 0 ? start + sizes[layer + 1] * inputs + unit : start + unit * inputs + from;
}

/**
 * z and a of every layer at one point.
 *
 * @param {Net} net
 * @param {ArrayLike<number>} parameters
 * @param {readonly number[]} x
 * @returns {{ z: number[], a: number[] }[]}
 */
export function forward({ sizes, functions }, parameters, x) {
  const layers = /** @type {{ z: number[], a: number[] }[]} */ ([]);
  let inputs = /** @type {ArrayLike<number>} */ (x);
  let start = 0;
  for (let layer = 0; layer < functions.length; layer++) {
    const [before, units] = [sizes[layer], sizes[layer + 1]];
    const z = new Array(units);
    for (let i = 0; i < units; i++) {
      let sum = parameters[start + units * before + i];
      for (let j = 0; j < before; j++) sum += parameters[start + i * before + j] * inputs[j];
      z[i] = sum;
    }
    const a = functions[layer] === "softmax" ? softmax(z) : z.map(FUNCTIONS[functions[layer]]);
    layers.push({ z, a });
    inputs = a;
    start += units * (before + 1);
  }
  return layers;
}

/** @param {number[]} z */
function softmax(z) {
  const largest = Math.max(...z);
  const raised = z.map((each) => Math.exp(each - largest));
  const total = raised.reduce((sum, each) => sum + each, 0);
  return raised.map((each) => each / total);
}

/**
 * The output of every unit over the window, at the centres of side × side cells, the topmost row first.
 *
 * @param {Net} net
 * @param {ArrayLike<number>} parameters
 * @param {{ low: number, high: number }} window
 * @param {number} side
 * @returns {Float64Array[][]} by layer and unit
 */
export function maps(net, parameters, { low, high }, side) {
  const step = (high - low) / side;
  const found = net.functions.map((_, layer) =>
    Array.from({ length: net.sizes[layer + 1] }, () => new Float64Array(side * side)),
  );
  const inputs = [0, 0];
  for (let row = 0, at = 0; row < side; row++) {
    inputs[1] = high - step * (row + 0.5);
    for (let column = 0; column < side; column++, at++) {
      inputs[0] = low + step * (column + 0.5);
      const layers = forward(net, parameters, inputs);
      for (let layer = 0; layer < layers.length; layer++) {
        const { a } = layers[layer];
        for (let unit = 0; unit < a.length; unit++) found[layer][unit][at] = a[unit];
      }
    }
  }
  return found;
}

/**
 * The class that the last layer's z predicts; with two classes there is one z, and its sign decides.
 *
 * @param {readonly number[]} z
 */
export const classOf = (z) => (z.length === 1 ? (z[0] > 0 ? 1 : 0) : z.indexOf(Math.max(...z)));

/**
 * −log p(label) in nats, from the last layer's z.
 *
 * @param {readonly number[]} z @param {number} label
 */
export function lossOf(z, label) {
  if (z.length > 1) {
    const largest = Math.max(...z);
    return largest - z[label] + Math.log(z.reduce((sum, each) => sum + Math.exp(each - largest), 0));
  }
  const wrong = label ? -z[0] : z[0];
  return Math.max(wrong, 0) + Math.log1p(Math.exp(-Math.abs(wrong)));
}

/**
 * z of the last layer at one point.
 *
 * @param {Net} net @param {ArrayLike<number>} parameters @param {readonly number[]} x
 */
export const lastSum = (net, parameters, x) => forward(net, parameters, x)[net.functions.length - 1].z;

/** @typedef {{ x: ArrayLike<number>, labels: ArrayLike<number>, held: ArrayLike<number> }} Points held: 1: held out */

/**
 * The mean loss over points, and how many are classified wrongly.
 *
 * @param {Net} net
 * @param {ArrayLike<number>} parameters
 * @param {Points} points
 * @param {0 | 1} which 1: those that are held out
 */
export function judge(net, parameters, { x, labels, held }, which) {
  let [loss, wrong, count] = [0, 0, 0];
  for (let i = 0; i < labels.length; i++) {
    if (held[i] !== which) continue;
    const z = lastSum(net, parameters, [x[2 * i], x[2 * i + 1]]);
    loss += lossOf(z, labels[i]);
    wrong += Number(classOf(z) !== labels[i]);
    count++;
  }
  return { loss: loss / count, wrong, count };
}
