// The edges of the network: forward they carry values, each with its weight; back they carry gradients.

import { formatNumber, operand } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { firstEdge, secondEdge, shareOf } from "./blame_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { BlamePlaces, BlameScene, Draw } from "./blame_places.js" */
/** @typedef {[number, number, number, number]} Ends */

/**
 * From the inputs to the hidden units.
 *
 * @type {Draw}
 */
export function drawFirstEdges(pen, scene, at) {
  const { data, values, hidden } = scene;
  const { stage, inputs, units } = data;
  const most = mostOf(units.flatMap(({ slopes }) => slopes.map((name) => values(name))));
  const pills = /** @type {(() => void)[]} */ ([]);
  units.forEach(({ weights, slopes }, i) =>
    inputs.forEach((_, j) => {
      const ends = firstEdge(at, j, i);
      const key = `${i} ${j}`;
      const at1 = pointOf(ends, shareOf(j, inputs.length, scene.narrow));
      if (stage === "forward") {
        forward(pen, scene, key, ends, values(weights[j]));
        pills.push(() => pill(pen, scene, at, key, at1, formatNumber(values(weights[j])), "weight"));
      } else if (stage === "output") pen.line(...ends, { key, stroke: scene.colour.line, width: 2 });
      else {
        const slope = values(slopes[j]);
        const asked = hidden(slopes[j]);
        if (slope && !asked) back(pen, scene, key, ends, slope / most);
        else pen.line(...ends, { key, stroke: scene.colour.quiet, width: 1.5, dash: "3 7" });
        const said = asked ? "?" : formatNumber(slope);
        pills.push(() => pill(pen, scene, at, key, at1, said, slope || asked ? "gradient" : "quiet"));
      }
    }),
  );
  for (const draw of pills) draw();
  if (stage !== "weights" || scene.narrow) return;
  const middle = (at.inputs[0].x + at.units[0].x - at.units[0].width / 2) / 2;
  const look = /** @type {const} */ ({ key: "what", size: 17, anchor: "middle", fill: scene.colour.gradient });
  pen.text(middle, at.inputs[0].y - at.inputs[0].r - 34, data.slopesLabel, look);
}

/**
 * From the hidden units to the output: back, each weight passes on its share of the blame.
 *
 * @type {Draw}
 */
export function drawSecondEdges(pen, scene, at) {
  const { data, values, colour, narrow, text } = scene;
  const { stage, units } = data;
  if (stage !== "forward" && !narrow) {
    const right = at.units[0].x + at.units[0].width / 2;
    const y = at.units[0].y - at.units[0].height / 2 + 9;
    pen.text(right + 12, y, data.sharesLabel, { key: "what", size: 17, fill: colour.gradient });
  }
  const most = mostOf(units.map(({ blame }) => values(blame)));
  units.forEach(({ weight, blame }, i) => {
    const ends = secondEdge(at, i);
    if (stage === "forward") forward(pen, scene, `${i}`, ends, values(weight));
    else back(pen, scene, `${i}`, ends, values(blame) / most);
    const said = narrow ? formatNumber(values(weight)) : `× ${operand(values(weight))}`;
    pill(pen, scene, at, `${i}`, pointOf(ends, narrow ? 0.45 : 0.52), said, "weight");
    if (stage === "forward") return;
    const [x, y] = ends;
    const up = at.units[i].y > at.out.y ? 1 : -1;
    const look = { key: `blame ${i}`, size: narrow ? 13 : 22, bold: true, fill: colour.gradient, halo: true };
    pen.text(x + (narrow ? 3 : 12), y + up * (narrow ? 26 : 34) + (narrow ? 4 : 8), text(blame), look);
  });
}

/** @param {number[]} numbers */
const mostOf = (numbers) => Math.max(...numbers.map(Math.abs)) || 1;

/** @param {Ends} ends @param {number} share @returns {[number, number]} */
const pointOf = ([x1, y1, x2, y2], share) => [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share];

/**
 * An edge on which a value flows forward: as wide as its weight is large, dashed where that is below 0.
 *
 * @param {Pen} pen @param {BlameScene} scene @param {string} key @param {Ends} ends @param {number} weight
 */
function forward(pen, { colour, narrow }, key, [x1, y1, x2, y2], weight) {
  const d = `M${x1} ${y1}L${x2} ${y2}`;
  pen.path(d, {
    key,
    stroke: colour.weight,
    width: Math.min(1.5 + Math.abs(weight) * (narrow ? 3 : 5), narrow ? 8 : 14),
    "stroke-opacity": 0.28,
    dash: weight < 0 ? "6 7" : null,
  });
  pen.beads(d, colour.weight, { key: `${key} beads` });
}

/**
 * An edge on which blame flows back; its width is its size, `share` of the largest.
 *
 * @param {Pen} pen @param {BlameScene} scene @param {string} key @param {Ends} ends @param {number} share
 */
function back(pen, { colour, narrow }, key, [x1, y1, x2, y2], share) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const head = narrow ? 8 : 15;
  const [dx, dy] = [((x2 - x1) / length) * head, ((y2 - y1) / length) * head];
  const width = Math.max(2, Math.abs(share) * (narrow ? 8 : 15));
  const d = `M${x2} ${y2}L${x1 + dx} ${y1 + dy}`;
  pen.path(d, { key, stroke: colour.gradient, width, "stroke-opacity": 0.38 });
  pen.beads(d, colour.gradient, { key: `${key} beads` });
  const angle = (Math.atan2(y1 - y2, x1 - x2) * 180) / Math.PI;
  pen.head(x1, y1, angle, colour.gradient, head * (0.8 + 0.5 * Math.abs(share)));
}

/**
 * The number of an edge.
 *
 * @param {Pen} pen
 * @param {BlameScene} scene
 * @param {BlamePlaces} at
 * @param {string} key
 * @param {[number, number]} point
 * @param {string} said
 * @param {string} role
 */
function pill(pen, { colour }, { size: { pill: size } }, key, [x, y], said, role) {
  const wide = textWidth(said, size, true) + size * 0.9;
  const stroke = colour[role];
  pen.group({ key: `pill ${key}` }, (its) => {
    const frame = { r: size * 0.75, fill: colour.background, stroke, line: 1.8 };
    its.rect(x - wide / 2, y - size * 0.75, wide, size * 1.5, frame);
    const fill = role === "weight" ? colour.ink : stroke;
    its.text(x, y + size * 0.36, said, { size, bold: true, anchor: "middle", fill });
  });
}
