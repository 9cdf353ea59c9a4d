// The current state of the network: the step's parameters with the visitor's changes, and what they compute.

import { frameEvent } from "../../drawing/frames.js";
import { forward, judge } from "./forward.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { NumberName, Scripts } from "../../drawing/types.js" */
/** @import { Points } from "./forward.js" */
/** @import { Places } from "./networks_places.js" */

/** @typedef {Scripts["networks"]} Data */
/**
 * What the picture keeps between drawings.
 *
 * @typedef {object} Memory
 * @property {Data} [data] what `held`, `points` and `gradients` belong to
 * @property {number | null} [held] the index of the weight that is being dragged
 * @property {Points | null} [points] the visitor's own points, while one of them is dragged
 * @property {Float32Array} [gradients] at every step, one row after another
 * @property {number} [line] the current line of the forward pass; undefined while the training steps are shown
 * @property {string | null} [symbol] the tensor that is pointed at
 * @property {number} [turn] counts how often the maps were painted
 * @property {{ data: Data, shape: string, training: string, validation: string }} [curves] as paths
 * @property {number} [playing] when the player started, in ms; 0 while it is stopped
 * @property {number} [step] that the player shows; may be fractional
 */
/** @typedef {Scene<"networks", Memory>} NetworksScene */
/** @typedef {ReturnType<typeof stateOf>} State */
/** @typedef {(pen: Pen, scene: NetworksScene, net: State, at: Places) => void} Draw */

export const SIDE = 60; // cells of a map along each side
const OVERFLOWS = 3; // the value of @say if the loss is not finite

/** @param {Pick<NetworksScene, "data" | "values" | "memory">} scene */
export function stateOf({ data, values, memory }) {
  if (memory.data !== data) Object.assign(memory, { data, held: null, points: null, gradients: undefined });
  const { buffer, byteOffset, byteLength } = data.gradients;
  const gradients = (memory.gradients ??= new Float32Array(buffer, byteOffset, byteLength / 4));
  const count = data.rows.length / data.loss.length;
  const step = Math.min(Math.max(Math.round(values("step")), 0), data.loss.length - 1);
  const parameters = data.rows.slice(step * count, (step + 1) * count);
  const set = step === data.at ? Object.entries(data.hand) : [];
  for (const [place, value] of set) parameters[Number(place)] = value;
  const touched = memory.held ?? data.weight;
  parameters[touched] = values("w");
  const byHand = set.length > 0 || Math.abs(parameters[touched] - data.rows[step * count + touched]) > 1e-12;
  const net = { sizes: data.sizes, functions: data.functions };
  const x = [values("x1"), values("x2")];
  return {
    ...net,
    parameters,
    x,
    window: { low: data.low, high: data.high },
    backward: data.flow === "gradients" && !byHand, // the run has no gradient for parameters that the visitor changed
    layers: forward(net, parameters, x),
    maps: /** @type {Float64Array[][]} */ ([]),
    gradients: gradients.subarray(step * count, (step + 1) * count),
    points: /** @type {Points} */ (memory.points ?? { x: data.x, labels: data.labels, held: data.held }),
  };
}

/**
 * Send the numbers after a drag as a frame event to everything that shows them.
 *
 * @param {NetworksScene} scene
 * @param {"w" | "x1"} moved
 * @param {string} label
 * @param {Record<string, number>} changed
 * @param {boolean} judged whether the loss changes with it
 */
export function show(scene, moved, label, changed, judged = moved === "w") {
  const { data, values } = scene;
  const row = Float64Array.from(data.names, (name) => changed[name] ?? values(/** @type {NumberName} */ (name)));
  const net = stateOf({ ...scene, values: (name) => row[data.names.indexOf(name)] });
  const last = net.layers[net.layers.length - 1];
  /** @type {(name: string, value: number) => void} */
  const put = (name, value) => {
    if (data.names.includes(name)) row[data.names.indexOf(name)] = value;
  };
  last.z.forEach((z, k) => put(`z${k + 1}`, z));
  last.a.forEach((p, k) => put(`p${k + 1}`, p));
  if (judged) {
    const seen = judge(net, net.parameters, net.points, 0);
    put("loss", seen.loss);
    put("wrong", Number.isFinite(seen.loss) ? seen.wrong : NaN);
    put("val", judge(net, net.parameters, net.points, 1).loss);
    put("@say", Number.isFinite(seen.loss) ? Number(seen.wrong === 0) : OVERFLOWS);
  }
  window.dispatchEvent(new CustomEvent(frameEvent(data.group), { detail: { row, moved, label } }));
}
