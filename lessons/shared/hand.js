// Dragging a part of the drawing, in units of the drawing.

/**
 * @typedef {object} Drag
 * @property {(x: number, y: number) => any} down what is remembered while it is held
 * @property {(began: any, x: number, y: number) => void} [start] called at once, before it has moved
 * @property {(began: any, x: number, y: number) => void} move
 * @property {(began: any, moved: boolean) => void} up
 */

const STILL = 2; // units within which a press has not moved

/** @param {any} node @param {Drag} how */
export function drag(node, how) {
  node.how = how;
  if (node.drags) return;
  node.drags = true;
  let held = null;
  const at = (event) => {
    const svg = node.ownerSVGElement;
    const box = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  };
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.stopPropagation();
    node.setPointerCapture(event.pointerId);
    const [x, y] = at(event);
    held = { began: node.how.down(x, y), x, y, moved: false };
    node.how.start?.(held.began, x, y);
  });
  node.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [x, y] = at(event);
    if (!held.moved && Math.hypot(x - held.x, y - held.y) < STILL) return;
    held.moved = true;
    node.how.move(held.began, x, y);
  });
  const end = () => {
    if (!held) return;
    const { began, moved } = held;
    held = null;
    node.how.up(began, moved);
  };
  node.addEventListener("pointerup", end);
  node.addEventListener("pointercancel", end);
}
