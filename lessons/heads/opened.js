// Which head is open, and its weights with every digit: sent apart from the grid, which is large and
// stays as it is while heads are opened. heads.js listens.

export default function opened({ data }) {
  (globalThis.lmlOpened ??= {})[data.group] = data;
  window.dispatchEvent(new CustomEvent(`opened:${data.group}`));
}
