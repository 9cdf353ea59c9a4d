// The speaker's pen: strokes over a slide that is presented, kept until the next slide.

import { html } from "../../drawing/dom.js";

/** @typedef {[number, number]} Point in shares of the sheet's width and height */

const WIDTH = 5;
const root = document.documentElement;

/** @type {Point[][]} */
let strokes = [];
/** @type {HTMLCanvasElement | null} */
let sheet = null;
let slide = "";

/** Take the pen, or put it away: the strokes stay, and the pointer reaches the slide again. */
export function takePen() {
  sheet ??= newSheet();
  root.classList.toggle("pen-taken");
}

export const isPenTaken = () => root.classList.contains("pen-taken");

/** Take back the last stroke; returns whether there was one. */
export function takeBack() {
  const had = strokes.pop() !== undefined;
  paint();
  return had;
}

/**
 * Keep the strokes of a slide; on another one begin with none, the pen put away.
 *
 * @param {string} here
 */
export function keepStrokes(here) {
  if (here === slide) return;
  slide = here;
  strokes = [];
  paint();
  root.classList.remove("pen-taken");
}

function newSheet() {
  const made = html("canvas", { class: "pen-sheet", "aria-hidden": "true" }, document.body);
  const at = (/** @type {PointerEvent} */ { clientX, clientY }) =>
    /** @type {Point} */ ([clientX / made.clientWidth, clientY / made.clientHeight]);
  made.onpointerdown = (event) => {
    made.setPointerCapture(event.pointerId);
    strokes.push([at(event)]);
    paint();
  };
  made.onpointermove = (event) => {
    if (!made.hasPointerCapture(event.pointerId)) return;
    strokes[strokes.length - 1].push(at(event));
    paint();
  };
  window.addEventListener("resize", paint);
  return made;
}

function paint() {
  if (!sheet) return;
  const { clientWidth: width, clientHeight: height } = sheet;
  const scale = devicePixelRatio;
  Object.assign(sheet, { width: width * scale, height: height * scale });
  const brush = /** @type {CanvasRenderingContext2D} */ (sheet.getContext("2d"));
  brush.scale(scale, scale);
  Object.assign(brush, { lineWidth: WIDTH, lineCap: "round", lineJoin: "round" });
  brush.strokeStyle = getComputedStyle(sheet).color;
  for (const stroke of strokes) {
    brush.beginPath();
    for (const [x, y] of stroke.length > 1 ? stroke : [stroke[0], stroke[0]]) brush.lineTo(x * width, y * height);
    brush.stroke();
  }
}
