// Dragging a handle in the drawing of a main picture moves a slider of the page.

import { nudge } from "./frames.js";
import { nearest } from "./targets.js";

/**
 * The picture: its drawing, the px per unit of it on the screen, and its current numbers.
 *
 * @typedef {object} Gripped
 * @property {SVGSVGElement} svg
 * @property {() => number} unit
 * @property {(name: string) => number} value
 * @property {() => string} group
 */
/**
 * A handle that is held: its number, that number's value when the drag began, the px per unit of the number, and the
 * place where the drag began.
 *
 * @typedef {{ name: string, way: string | undefined, value: number, per: number, from: number, moved: boolean }} Held
 */

/**
 * Let each handle of the drawing move its slider: `data-n` names the slider, `data-per` is the length of one unit of
 * its number, in units of the picture, `data-way` is x or y.
 *
 * @param {Gripped} picture
 */
export function grip({ svg, unit, value, group }) {
  /** @type {Held | null} */
  let held = null;
  svg.addEventListener("pointerdown", (event) => {
    const handle = handleAt(svg, event);
    if (!handle || event.button) return;
    const { n: name = "", per, way } = handle.dataset;
    held = { name, way, value: value(name), per: Number(per) * unit(), from: along(event, way), moved: false };
    svg.setPointerCapture(event.pointerId);
  });
  /** @type {(its: Held, event: PointerEvent, settled: boolean) => void} */
  const moveTo = (its, event, settled) =>
    nudge(group(), its.name, its.value + (along(event, its.way) - its.from) / its.per, settled);
  svg.addEventListener("pointermove", (event) => {
    if (!held || (!held.moved && Math.abs(along(event, held.way) - held.from) <= 1)) return;
    held.moved = true;
    moveTo(held, event, false);
  });
  svg.addEventListener("pointerup", (event) => {
    if (held?.moved) moveTo(held, event, true);
    held = null;
  });
  svg.addEventListener("pointercancel", () => {
    if (held?.moved) nudge(group(), held.name, held.value, true);
    held = null;
  });
}

/** @param {PointerEvent} event @param {string | undefined} way */
const along = (event, way) => (way === "y" ? -event.clientY : event.clientX);

/**
 * The handle under the pointer, or a near one if nothing else there can be pressed.
 *
 * @param {SVGSVGElement} svg @param {PointerEvent} event
 */
function handleAt(svg, event) {
  const met = /** @type {Element} */ (event.target);
  const handle =
    met.closest("[data-n]") ?? (met.closest(".press") ? null : nearest(svg.querySelectorAll("[data-n]"), event));
  return /** @type {SVGElement | null} */ (handle);
}
