// Painting a mask by hand: paint that is not answered yet, strokes, and the keyboard.

/** @import { Answer, MaskScene, Memory } from "./mask_scene.js" */

/** @typedef {{ left: number, top: number, cell: number, row: number, rows: number, columns: number }} Place */
/** @typedef {[row: number, column: number]} Spot */

const REST = 350; // ms after the last key until the painted mask is sent
/** @type {Record<string, Spot>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * Accept the server's mask, unless it is an answer to an older painted mask, or arrives during painting.
 *
 * @param {Memory} memory @param {Answer} data
 */
export function settleHand(memory, data) {
  if (memory.shown === data) return;
  memory.shown = data;
  const answers = data.name === "painted" ? data.text : `${data.name} ${data.text}`;
  if ((memory.unsent || (memory.pending && answers !== memory.pending)) && memory.sent?.includes(answers)) return;
  Object.assign(memory, { pending: null, sent: [answers], local: null, touched: null, unsent: false });
}

/**
 * How far a cell is open, from 0 to 1: as painted, or else the current number, perhaps in an animation.
 *
 * @param {MaskScene} scene @param {number} i @param {number} j
 */
export function seenNow({ memory, data, values }, i, j) {
  if (memory.local) return memory.local[i * data.panels[1].keys.length + j];
  return values(`m${i + 1}.${j + 1}`);
}

/** @param {MaskScene} scene @param {number} i @param {number} j @param {boolean} open */
export function paintAt(scene, i, j, open) {
  const { memory, data, values } = scene;
  const count = data.panels[1].keys.length;
  const computed = () =>
    data.queries.flatMap((_, a) =>
      Array.from({ length: count }, (_, b) => (values(`m${a + 1}.${b + 1}`) > 0.5 ? 1 : 0)),
    );
  const local = (memory.local ??= computed());
  if (local[i * count + j] > 0.5 === open) return;
  local[i * count + j] = open ? 1 : 0;
  memory.unsent = true;
  (memory.touched ??= new Set()).add(i);
  scene.again();
}

/**
 * Send the painted mask to the server.
 *
 * @param {MaskScene} scene
 */
export function commit({ memory, data, send }) {
  const { local } = memory;
  if (!local) return;
  const count = data.panels[1].keys.length;
  const rows = data.queries.map((_, i) => local.slice(i * count, (i + 1) * count).join(""));
  const painted = rows.join(".");
  Object.assign(memory, { unsent: false, pending: painted, sent: [...(memory.sent ?? []), painted] });
  send({ name: "painted", value: painted });
}

/**
 * Let a press switch a cell, and a drag paint the same value into other cells.
 *
 * @param {SVGElement} node the group of the cells
 * @param {MaskScene} scene
 * @param {Place} place
 */
export function stroke(node, scene, place) {
  const { memory } = scene;
  node.onpointerdown = (event) => {
    const at = cellUnder(node, event, place);
    if (!at || event.button) return;
    event.preventDefault();
    node.setPointerCapture(event.pointerId);
    memory.keys = false;
    memory.brush = seenNow(scene, ...at) <= 0.5;
    paintAt(scene, ...at, memory.brush);
  };
  node.onpointermove = (event) => {
    const at = cellUnder(node, event, place);
    if (memory.brush !== undefined && at) paintAt(scene, ...at, memory.brush);
  };
  node.onpointerup = node.onpointercancel = () => {
    if (memory.brush === undefined) return;
    memory.brush = undefined;
    commit(scene);
  };
}

/** @param {SVGElement} node @param {PointerEvent} event @param {Place} place @returns {Spot | null} */
function cellUnder(node, event, place) {
  const svg = /** @type {SVGSVGElement} */ (node.ownerSVGElement);
  const box = svg.getBoundingClientRect();
  const scale = svg.viewBox.baseVal.width / box.width;
  const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  const [i, j] = [Math.floor((y - place.top) / place.row), Math.floor((x - place.left) / place.cell)];
  return i >= 0 && j >= 0 && i < place.rows && j < place.columns ? [i, j] : null;
}

/**
 * Let arrow keys move a cursor over the cells, and the space bar or Enter switch the cell under it.
 *
 * @param {SVGElement} node @param {MaskScene} scene @param {Place} place
 */
export function keyboard(node, scene, place) {
  const { memory, again } = scene;
  /** @type {(spot: Spot) => Spot} */
  const within = ([i, j]) => [Math.min(Math.max(i, 0), place.rows - 1), Math.min(Math.max(j, 0), place.columns - 1)];
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
    /** @type {Spot | undefined} */
    const step = STEPS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || (!step && event.key !== " " && event.key !== "Enter")) return;
    event.preventDefault();
    event.stopPropagation();
    memory.keys = true;
    const [i, j] = within(memory.cursor ?? [0, 0]);
    memory.cursor = step ? within([i + step[0], j + step[1]]) : [i, j];
    if (step) return again();
    paintAt(scene, i, j, seenNow(scene, i, j) <= 0.5);
    clearTimeout(memory.painting);
    memory.painting = window.setTimeout(() => commit(scene), REST);
  };
}
