// Which head is open, and its weights with every digit: sent apart from the grid, which is large and
// stays as it is while heads are opened. heads.js listens.

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["opened"]} Data */

// The open head of each group of pictures, as the server last sent it.
/** @type {Map<string, Data>} */
export const openHeads = new Map();

/** @param {Component<Data>} component */
export default function opened({ data }) {
  openHeads.set(data.group, data);
  window.dispatchEvent(new CustomEvent(`opened:${data.group}`));
}
