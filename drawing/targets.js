// A press within 12 px of the middle of a small part counts as a press on it; if there are several such parts, on the
// nearest. The drawing of the parts does not change.

const REACH = 12; // px: a target is at least 24 px wide and high

/**
 * The part whose middle is nearest to the pointer; null if none is within `REACH`.
 *
 * @param {Iterable<Element>} parts @param {{ clientX: number, clientY: number }} event
 */
export function nearest(parts, { clientX, clientY }) {
  let [found, least] = [/** @type {Element | null} */ (null), Infinity];
  for (const part of parts) {
    const { left, top, width, height } = part.getBoundingClientRect();
    if (!(width || height) || (width >= 2 * REACH && height >= 2 * REACH)) continue; // not drawn, or large enough
    const [across, down] = [Math.abs(clientX - left - width / 2), Math.abs(clientY - top - height / 2)];
    if (across > Math.max(width / 2, REACH) || down > Math.max(height / 2, REACH)) continue;
    if (Math.hypot(across, down) < least) [found, least] = [part, Math.hypot(across, down)];
  }
  return found;
}

/**
 * Let a press beside a small button of the picture be a press on it.
 *
 * @param {SVGSVGElement} svg
 */
export function catchPresses(svg) {
  svg.addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest(".press, [data-n], a")) return;
    nearest(svg.querySelectorAll(".press:not([aria-disabled])"), event)?.dispatchEvent(
      new MouseEvent("click", { bubbles: true }),
    );
  });
}
