// The sizes of a graph's nodes, and the types of its plan: all in units of the picture.

/** @import { Scripts } from "../../drawing/types.js" */

/** @typedef {Pick<Scripts["graph"], "nodes" | "edges">} GraphData */
/** @typedef {{ width: number, height: number, narrow: boolean }} Room for the graph */
/** @typedef {[x: number, y: number]} Point */
/**
 * Where a node is drawn; `x` and `y` are its middle.
 *
 * @typedef {object} Box
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {number} left
 * @property {number} right
 * @property {number} top
 * @property {number} foot
 */
/**
 * How an edge runs.
 *
 * @typedef {object} Route
 * @property {string} path
 * @property {Point} label where its local derivative is drawn
 * @property {Point} start
 * @property {Point} end
 * @property {number} angle in which it arrives, in degrees: 0 to the right, 90 down
 */
/**
 * @typedef {object} Plan
 * @property {number} s how many times its least size a node is
 * @property {boolean} upright whether the layers are one below the other
 * @property {number} width of the whole graph
 * @property {number} height
 * @property {Map<number, Box>} boxes by the ids of the nodes
 * @property {Route[]} routes of the edges, in their order
 */

/** The least size of a node, which is wider if it has a tensor. */
export const BOX = { scalar: 92, tensor: 150, height: 58 };
export const SIDE = 12; // beside the graph
export const MOST = 1.9; // how many times its least size a node becomes
export const TIP = 5; // of an arrow

/** @param {{ shape: string }} node */
export const leastWidth = (node) => (node.shape ? BOX.tensor : BOX.scalar);

/**
 * How many times its least size a node becomes, if there is room for `scale` times.
 *
 * @param {number} scale
 */
export const sizeAt = (scale) => Math.min(Math.max(scale, 1), MOST);

/**
 * A number, clamped to a range.
 *
 * @param {number} value @param {number} least @param {number} most
 */
export const between = (value, least, most) => Math.min(Math.max(value, least), most);

/** @param {number[]} numbers */
export const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

/** @param {{ boxes: Map<number, Box> }} plan @param {number} id */
export const boxOf = (plan, id) => /** @type {Box} */ (plan.boxes.get(id));
