// Dragging a part of the drawing, in units of the drawing.

/**
 * @typedef {object} Drag
 * @property {(x: number, y: number) => any} down what is remembered while it is held
 * @property {(began: any) => void} [start] called at once, before it has moved
 * @property {(began: any, dx: number, dy: number, x: number, y: number) => void} move
 * @property {(began: any, moved: boolean) => void} up
 */

/** @param {any} node @param {Drag} how */
export function drag(node, how) {
  node.its_drag = how;
  if (node.drags) return;
  node.drags = true;
  let began = null;
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
    const from = at(event);
    began = { its: node.its_drag.down(...from), from, moved: false };
    node.its_drag.start?.(began.its);
  });
  node.addEventListener("pointermove", (event) => {
    if (!began) return;
    const [x, y] = at(event);
    const [dx, dy] = [x - began.from[0], y - began.from[1]];
    if (!began.moved && Math.hypot(dx, dy) < 2) return;
    began.moved = true;
    node.its_drag.move(began.its, dx, dy, x, y);
  });
  const end = () => {
    if (!began) return;
    const { its, moved } = began;
    began = null;
    node.its_drag.up(its, moved);
  };
  node.addEventListener("pointerup", end);
  node.addEventListener("pointercancel", end);
}
