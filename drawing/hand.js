// Dragging a part of the drawing, in units of the drawing.

/**
 * @template Began the state that is kept while the part is held
 * @typedef {object} Drag
 * @property {(x: number, y: number) => Began} down
 * @property {(began: Began, x: number, y: number) => void} [start] called at once, before it has moved
 * @property {(began: Began, x: number, y: number) => void} move
 * @property {(began: Began, moved: boolean) => void} up
 */
/** @typedef {{ how: Drag<unknown> }} Dragged */

const STILL = 2; // units within which a press has not moved
/** @type {WeakMap<SVGElement, Dragged>} */
const dragged = new WeakMap();

/**
 * Let a part be dragged; a second call changes how.
 *
 * @template Began @param {SVGElement} node @param {Drag<Began>} how
 */
export function drag(node, how) {
  const given = /** @type {Drag<unknown>} */ (/** @type {unknown} */ (how));
  const known = dragged.get(node);
  if (known) known.how = given;
  else listen(node, { how: given });
}

/** @param {SVGElement} node @param {Dragged} its */
function listen(node, its) {
  dragged.set(node, its);
  /** @type {{ began: unknown, x: number, y: number, moved: boolean } | null} */
  let held = null;
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.stopPropagation();
    node.setPointerCapture(event.pointerId);
    const [x, y] = placeOf(node, event);
    held = { began: its.how.down(x, y), x, y, moved: false };
    its.how.start?.(held.began, x, y);
  });
  node.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [x, y] = placeOf(node, event);
    if (!held.moved && Math.hypot(x - held.x, y - held.y) < STILL) return;
    held.moved = true;
    its.how.move(held.began, x, y);
  });
  const end = () => {
    if (!held) return;
    const { began, moved } = held;
    held = null;
    its.how.up(began, moved);
  };
  node.addEventListener("pointerup", end);
  node.addEventListener("pointercancel", end);
}

/**
 * Where the pointer is, in units of the drawing.
 *
 * @param {SVGElement} node @param {PointerEvent} event
 */
function placeOf(node, event) {
  const svg = /** @type {SVGSVGElement} */ (node.ownerSVGElement);
  const box = svg.getBoundingClientRect();
  const scale = svg.viewBox.baseVal.width / box.width;
  return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
}
