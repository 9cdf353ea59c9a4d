// The plane of a network's two inputs in the colour of its output, with the four points of XOR.

import { canvasIn, sharpness } from "../../drawing/canvas.js";
import { drawHeading } from "./data_axes.js";
import { xor } from "./dragged_runs.js";
import { between } from "./model.js";
import { dataScale } from "./descent_places.js";
import { rgb } from "./surface_map.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { DescentScene, Draw } from "./model.js" */
/** @import { DataScale, Places } from "./descent_places.js" */

const SIDE = 40; // cells of the plane

/** @type {Draw} */
export function drawPlane(pen, scene, model, at) {
  const { colour, data } = scene;
  const scale = dataScale(at.data, data.window);
  const [a, b] = between(scene, model, 0);
  const count = data.plane.length / 3; // the centre, and two directions
  const theta = Array.from(
    { length: count },
    (_, i) => data.plane[i] + a * data.plane[count + i] + b * data.plane[2 * count + i],
  );
  const heading = at.narrow ? "ŷ over x₁, x₂" : "ŷ of the network at θ, and XOR";
  drawHeading(pen, at, heading, colour.activation);
  paintPlane(pen, scene, at, scale, theta);
  data.y.forEach((label, i) => drawPoint(pen, at, scale, [data.x[2 * i], data.x[2 * i + 1]], label, theta));
  if (at.narrow) return;
  const { left, top, wide, high } = at.data;
  const look = /** @type {const} */ ({ size: 15, bold: true, fill: colour.input, anchor: "end" });
  pen.text(left + wide, top + high + 17, "x₁", look);
  pen.text(left - 7, top + 13, "x₂", look);
}

/** @param {Pen} pen @param {DescentScene} scene @param {Places} at @param {DataScale} scale @param {number[]} theta */
function paintPlane(pen, { data, memory }, { data: { left, top, wide, high } }, scale, theta) {
  const stamp = `${theta.join(" ")} ${left} ${wide}`;
  const colours = (memory.colours ??= data.scale.map(rgb));
  const look = { key: "plane", left, top, width: wide, height: high, sharp: sharpness(pen.parent), stamp };
  canvasIn(pen, look, (brush) => {
    const size = wide / SIDE;
    for (let row = 0; row < SIDE; row++) {
      for (let column = 0; column < SIDE; column++) {
        const [x, y] = scale.back(left + (column + 0.5) * size, top + (row + 0.5) * size);
        const [red, green, blue] = colours[Math.round(xor(theta, x, y) * (colours.length - 1))];
        brush.fillStyle = `rgb(${red}, ${green}, ${blue})`;
        brush.fillRect(column * size, row * size, size + 0.6, size + 0.6);
      }
    }
  });
}

/**
 * A point with its label, and on a wide stage the network's output there.
 *
 * @param {Pen} pen
 * @param {Places} at
 * @param {DataScale} scale
 * @param {[x1: number, x2: number]} point
 * @param {number} label
 * @param {number[]} theta
 */
function drawPoint(pen, { narrow }, scale, [x1, x2], label, theta) {
  const { background, gradient, ink } = pen.colour;
  const [x, y] = [scale.x(x1), scale.y(x2)];
  const p = xor(theta, x1, x2);
  const wrong = p > 0.5 !== (label === 1);
  const ring = wrong ? { stroke: gradient, line: 5 } : { stroke: ink, line: 2 };
  pen.circle(x, y, narrow ? 10 : 15, { fill: background, ...ring });
  pen.text(x, y + 5, `${label}`, { size: narrow ? 13 : 16, bold: true, anchor: "middle" });
  if (!narrow) pen.text(x, y + 34, `ŷ ${p.toFixed(2)}`, { size: 14, bold: true, anchor: "middle", halo: true });
}
