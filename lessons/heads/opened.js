// Which head is open, and its weights with every digit: sent apart from the grid, which is large and
// stays as it is while heads are opened. heads.js listens.

// The open head of each group of pictures, as the server last sent it.
export const openHeads = new Map();

export default function opened({ data }) {
  openHeads.set(data.group, data);
  window.dispatchEvent(new CustomEvent(`opened:${data.group}`));
}
