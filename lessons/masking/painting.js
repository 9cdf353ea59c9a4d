// Painting a mask by hand: what has been painted and not yet answered, strokes, and the keyboard.

/** @typedef {{ left: number, top: number, cell: number, row: number, rows: number, columns: number }} Place */

const REST = 350;

/**
 * Takes what the server says of the mask: an answer to what has been painted over since is no news, nor is one
 * that comes while the hand is painting.
 *
 * @param {Record<string, any>} memory
 * @param {{ name: string, text: string, queries: readonly string[] }} data
 */
export function settleHand(memory, data) {
  if (memory.shown === data) return;
  memory.shown = data;
  const answers = data.name === "painted" ? data.text : `${data.name} ${data.text}`;
  if ((memory.unsent || (memory.pending && answers !== memory.pending)) && memory.sent.includes(answers)) return;
  Object.assign(memory, { pending: null, sent: [answers], local: null, touched: null, unsent: false });
}

/** Whether a cell is open: as painted, or as the numbers are, which may be on their way. */
export function seenNow({ memory, data, values }, i, j) {
  if (memory.local) return memory.local[i * data.panels[1].keys.length + j];
  return values(`m${i + 1}.${j + 1}`);
}

/**
 * @param {any} scene
 * @param {number} i
 * @param {number} j
 * @param {boolean} open
 */
export function paintAt(scene, i, j, open) {
  const { memory, data, values } = scene;
  const count = data.panels[1].keys.length;
  const now = (a, b) => (values(`m${a + 1}.${b + 1}`) > 0.5 ? 1 : 0);
  memory.local ??= data.queries.flatMap((_, a) => Array.from({ length: count }, (_, b) => now(a, b)));
  if (memory.local[i * count + j] > 0.5 === open) return;
  memory.local[i * count + j] = open ? 1 : 0;
  memory.unsent = true;
  (memory.touched ??= new Set()).add(i);
  scene.again();
}

/** Tells the server what has been painted. */
export function commit({ memory, data, send }) {
  if (!memory.local) return;
  const count = data.panels[1].keys.length;
  const rows = data.queries.map((_, i) => memory.local.slice(i * count, (i + 1) * count).join(""));
  memory.unsent = false;
  memory.pending = rows.join(".");
  memory.sent.push(memory.pending);
  send({ name: "painted", value: memory.pending });
}

/**
 * A press turns a cell, and what it is turned to is painted along the way.
 *
 * @param {any} node the group of the cells
 * @param {any} scene
 * @param {Place} place
 */
export function stroke(node, scene, place) {
  const { memory } = scene;
  const under = (event) => {
    const svg = node.ownerSVGElement;
    const box = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    const [i, j] = [Math.floor((y - place.top) / place.row), Math.floor((x - place.left) / place.cell)];
    return i >= 0 && j >= 0 && i < place.rows && j < place.columns ? [i, j] : null;
  };
  node.onpointerdown = (event) => {
    const at = under(event);
    if (!at || event.button) return;
    event.preventDefault();
    node.setPointerCapture(event.pointerId);
    memory.keys = false;
    memory.brush = seenNow(scene, at[0], at[1]) <= 0.5;
    paintAt(scene, at[0], at[1], memory.brush);
  };
  node.onpointermove = (event) => {
    const at = under(event);
    if (memory.brush === undefined || !at) return;
    paintAt(scene, at[0], at[1], memory.brush);
  };
  node.onpointerup = node.onpointercancel = () => {
    if (memory.brush === undefined) return;
    memory.brush = undefined;
    commit(scene);
  };
}

/**
 * Arrow keys move a cursor over the cells, the space bar or Enter turns the cell under it.
 *
 * @param {any} node
 * @param {any} scene
 * @param {Place} place
 */
export function keyboard(node, scene, place) {
  const { memory, again } = scene;
  node.onfocus = () => {
    if (!node.matches(":focus-visible")) return;
    Object.assign(memory, { keys: true, cursor: memory.cursor ?? [0, 0] });
    again();
  };
  node.onblur = () => {
    memory.keys = false;
    again();
  };
  node.onkeydown = (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || (!step && event.key !== " " && event.key !== "Enter")) return;
    event.preventDefault();
    event.stopPropagation();
    memory.keys = true;
    const within = (value, count) => Math.min(Math.max(value, 0), count - 1);
    const [i, j] = (memory.cursor ?? [0, 0]).map((value, n) => within(value, n ? place.columns : place.rows));
    memory.cursor = step ? [within(i + step[0], place.rows), within(j + step[1], place.columns)] : [i, j];
    if (step) return again();
    paintAt(scene, i, j, seenNow(scene, i, j) <= 0.5);
    clearTimeout(memory.painting);
    memory.painting = setTimeout(() => commit(scene), REST);
  };
}
