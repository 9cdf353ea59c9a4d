// Every weight of a model over a text: sent apart from the picture, because the data are large and do not change while
// heads are opened. heads.js listens.

import { decode } from "./heads_codes.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["weights"]} Data */
/** @typedef {{ of: string, codes: Uint16Array, took: number }} Decoded and the milliseconds that it took */

/** @type {Map<string, Decoded>} the weights of each group of pictures, as the server last sent them */
export const weightsOf = new Map();

/**
 * The name of the event that weights have arrived.
 *
 * @param {string} group
 */
export const arrived = (group) => `weights:${group}`;

/** @param {Component<Data>} component */
export default function weights({ data }) {
  if (weightsOf.get(data.group)?.of === data.of) return;
  const start = performance.now();
  const codes = decode(data.codes, data.count);
  weightsOf.set(data.group, { of: data.of, codes, took: performance.now() - start });
  window.dispatchEvent(new CustomEvent(arrived(data.group)));
}
