// Canvases in the drawing, as sharp as the screen, repainted only when their content has changed.

/** @import { Pen } from "./pen.js" */

const FAMILY = '"Source Sans", "Source Sans Pro", sans-serif';
/** @type {WeakMap<HTMLCanvasElement, string>} what each canvas shows */
const painted = new WeakMap();

/** @param {number} size */
export const font = (size, weight = 400) => `${weight} ${size}px ${FAMILY}`;

/**
 * Screen pixels per unit of the drawing.
 *
 * @param {Element} svg
 */
export function sharpness(svg) {
  const { a: scale = 1 } = /** @type {SVGGraphicsElement} */ (svg).getScreenCTM() ?? {};
  return Math.min((scale || 1) * (devicePixelRatio || 1), 4);
}

/**
 * @param {Pen} pen
 * @param {{ key: string, left: number, top: number, width: number, height: number, sharp: number, stamp: string | null }} its
 *   stamp: identifies the content; null: the content is unchanged
 * @param {(brush: CanvasRenderingContext2D, canvas: HTMLCanvasElement) => void} paint in units of the drawing
 */
export function canvasIn(pen, { key, left, top, width, height, sharp, stamp }, paint) {
  const frame = pen.node("foreignObject", { key, x: left, y: top, width, height, "pointer-events": "none" });
  let canvas = /** @type {HTMLCanvasElement | null} */ (frame.firstChild);
  if (!canvas) {
    canvas = document.createElement("canvas");
    canvas.style.display = "block";
    canvas.setAttribute("aria-hidden", "true");
    frame.append(canvas);
  }
  if (stamp === null) return;
  const size = [Math.max(Math.round(width * sharp), 1), Math.max(Math.round(height * sharp), 1)];
  const whole = `${stamp} ${size}`;
  if (painted.get(canvas) === whole) return;
  painted.set(canvas, whole);
  if (canvas.width !== size[0]) canvas.width = size[0];
  if (canvas.height !== size[1]) canvas.height = size[1];
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  brush.setTransform(1, 0, 0, 1, 0, 0);
  brush.clearRect(0, 0, canvas.width, canvas.height);
  brush.setTransform(sharp, 0, 0, sharp, 0, 0);
  paint(brush, canvas);
}
