// A large, rarely changing part of a picture's data: its bytes are sent in a separate element, which the server only
// names as long as they are unchanged.

/** @import { Packed } from "../../drawing/packing.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */

/** @type {Map<string, Scripts["kept"]>} */
const latest = new Map();
/** @type {Map<string, () => void>} */
const waiting = new Map();

/** @param {Component<Scripts["kept"]>} component */
export default function kept({ data }) {
  latest.set(data.of, data);
  waiting.get(data.of)?.();
}

/**
 * The data of a picture with its kept parts, once they are there. If a part was replaced meanwhile,
 * the promise never settles, and the update is dropped.
 *
 * @param {Packed} packed
 * @returns {Promise<unknown>} the data of a component
 */
export async function whole({ keys, ...data }) {
  for (const [name, [of, key]] of Object.entries(keys ?? {})) {
    while (latest.get(of)?.key !== key) await new Promise((resolve) => waiting.set(of, () => resolve(null)));
    data[name] = latest.get(of)?.kept;
  }
  return data;
}
