// The left side: what a pair of parameters stands for. The line and the points of a regression, the curve of a
// unit, the plane of a network, or two cuts through a surface.

import { through } from "../../ui/browser/pen.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { evenTicks } from "../../ui/browser/scales.js";
import { canvasIn, sharpness } from "../shared/canvas.js";
import { drag } from "../shared/hand.js";
import { between, modelOf, stateOf, take } from "./model.js";
import { dataScale, isInside } from "./places.js";
import { saddle, sigmoid, solve, xor } from "./dragged_runs.js";

const SIDE = 40; // cells of the network's plane
const FEWEST = 2; // points of a line
const MOST = 60;
const OUT = 22; // units beyond the panel at which a dragged point is taken away

export function dataPanel(pen, scene, model, at) {
  const { left, top, wide, high } = at.data;
  const kinds = { regression: line, unit: curve, network: plane, saddle: cuts };
  pen.group({ tag: "clipPath", key: "clip", id: "descent-data" }, (clip) => clip.rect(left, top, wide, high, { r: 3 }));
  const box = scene.data.surface === "network" ? squareIn(at.data) : at.data;
  kinds[scene.data.surface](pen, scene, model, { ...at, data: box });
  pen.rect(box.left, box.top, box.wide, box.high, {
    r: 3,
    stroke: scene.colour.quiet,
    line: 1.5,
    key: "frame",
    "pointer-events": "none",
  });
}

function heading(pen, { colour }, at, text, fill = colour.weight) {
  const { left, top, wide } = at.data;
  pen.text(left, top - (at.small ? 6 : 10), text, { size: at.small ? 13 : 16, bold: true, fill, room: wide + 8 });
}

function axes(pen, { colour }, at, [x0, x1, y0, y1], scale, names) {
  const { left, top, wide, high } = at.data;
  for (const tick of evenTicks(x0, x1, at.small ? 2 : 5)) {
    const x = scale.x(tick);
    if (x < left + 8 || x > left + wide - 22) continue;
    pen.text(x, top + high + 17, formatNumber(tick), { size: 13, fill: colour.quiet, anchor: "middle" });
  }
  for (const tick of evenTicks(y0, y1, at.small ? 3 : 5)) {
    const y = scale.y(tick);
    if (y < top + 22 || y > top + high - 6) continue;
    pen.line(left, y, left + wide, y, { stroke: colour.line, width: 1 });
    pen.text(left - 7, y + 5, formatNumber(tick), { size: 13, fill: colour.quiet, anchor: "end" });
  }
  pen.text(left + wide, top + high + 17, names[0], { size: 15, bold: true, fill: colour.input, anchor: "end" });
  pen.text(left - 7, top + 13, names[1], { size: 15, bold: true, fill: colour.activation, anchor: "end" });
}

// --- a regression ---------------------------------------------------------------------------------

function line(pen, scene, model, at) {
  const { colour, data, memory, hidden } = scene;
  const box = at.data;
  const scale = dataScale(box, data.window);
  const [b0, b1] = between(scene, model, 0);
  const finite = Number.isFinite(b0 + b1) && Math.abs(b0) + Math.abs(b1) < 1e6;
  const several = data.labels.length > 1;
  const plus = b1 < 0 ? "−" : "+";
  heading(
    pen,
    scene,
    at,
    finite
      ? `${several ? `${data.labels[0]}: ` : ""}ŷ = ${formatNumber(b0)} ${plus} ${formatNumber(Math.abs(b1))} x`
      : "ŷ has left the picture",
  );
  axes(pen, scene, at, data.window, scale, ["x", "y"]);
  const cover = pen.rect(box.left, box.top, box.wide, box.high, {
    key: "cover",
    fill: "transparent",
    "data-cover": "",
  });
  grabPlane(cover, scene, scale);
  pen.group({ key: "lines", "clip-path": "url(#descent-data)", "pointer-events": "none" }, (inside) => {
    const [x0, x1] = data.window;
    const put = (a, b) => through([x0, x1].map((x) => [scale.x(x), scale.y(a + b * x)]));
    const first = stateOf(scene, model, model.rate, 0, 0);
    if (model.step >= 1)
      inside.path(put(first[0], first[1]), {
        key: "first",
        stroke: colour.weight,
        width: 1.5,
        dash: "2 5",
        "stroke-opacity": 0.8,
      });
    const solved = model.best && !hidden("s0") && solve(model.best.moments);
    if (solved) inside.path(put(solved[0], solved[1]), { key: "best", stroke: colour.ink, width: 2, dash: "8 5" });
    if (finite) {
      const errors = Array.from(
        model.x,
        (x, i) => `M${scale.x(x)} ${scale.y(model.y[i])}V${scale.y(b0 + b1 * x)}`,
      ).join("");
      inside.path(errors, { key: "errors", stroke: colour.gradient, width: 1.5 });
      inside.path(put(b0, b1), { key: "now", stroke: colour.weight, width: 4 });
    }
  });
  legend(pen, scene, at);
  for (let i = 0; i < model.x.length; i++) {
    const [x, y] = [scale.x(model.x[i]), scale.y(model.y[i])];
    pen.group({ key: `point ${i}`, class: "grab", "data-point": i, opacity: memory.out === i ? 0.3 : null }, (its) => {
      its.circle(x, y, 15, { fill: "transparent" });
      its.circle(x, y, at.small ? 5 : 7, { fill: colour.input, stroke: colour.background, line: 2 });
      grabPoint(its.parent, scene, scale, box, i);
    });
  }
}

// The dashed line is named beside the equation of the other one.
function legend(pen, { colour, hidden }, at) {
  if (at.small || hidden("s0")) return;
  const { left, top, wide } = at.data;
  pen.text(left + wide, top - 10, "β*, closed form", { size: 14, anchor: "end", key: "best name" });
  pen.line(left + wide - 138, top - 15, left + wide - 104, top - 15, {
    stroke: colour.ink,
    dash: "8 5",
    width: 2,
    key: "best line",
  });
}

const rounded = (value, [low, high]) => {
  const step = 10 ** Math.floor(Math.log10((high - low) / 200));
  return Number((Math.round(Math.min(Math.max(value, low), high) / step) * step).toPrecision(6));
};

const listOf = ({ x, y }) => Array.from(x, (value, i) => [value, y[i]]);

function grabPoint(node, scene, scale, box, i) {
  const { data, memory, send } = scene;
  drag(node, {
    down: () => ({ out: false, last: null }),
    move: (began, across, down) => {
      const its = modelOf(scene);
      const [x, y] = scale.back(across, down);
      const [xs, ys] = [Float64Array.from(its.x), Float64Array.from(its.y)];
      xs[i] = rounded(x, data.window.slice(0, 2));
      ys[i] = rounded(y, data.window.slice(2));
      if (xs.every((each) => each === xs[0])) return; // no line is the best for these
      began.out = !isInside(box, across, down, OUT) && xs.length > FEWEST;
      memory.out = began.out ? i : null;
      began.last = { x: xs, y: ys };
      take(scene, { x: xs, y: ys, start: its.start }, "points", "a point");
    },
    up: (began, moved) => {
      memory.out = null;
      if (!moved || !began.last) return;
      if (began.out) memory.hand = null; // as the server has it, until it answers
      send({ points: listOf(began.last).filter((_, j) => !(began.out && j === i)) });
    },
  });
}

function grabPlane(node, scene, scale) {
  const { data, send } = scene;
  drag(node, {
    down: (x, y) => ({ at: scale.back(x, y) }),
    move: () => {},
    up: ({ at: [x, y] }, moved) => {
      const its = modelOf(scene);
      if (moved || its.x.length >= MOST) return;
      send({ points: [...listOf(its), [rounded(x, data.window.slice(0, 2)), rounded(y, data.window.slice(2))]] });
    },
  });
}

// --- one σ unit -----------------------------------------------------------------------------------

function curve(pen, scene, model, at) {
  const { colour, data } = scene;
  const scale = dataScale(at.data, data.window);
  const [w, b] = between(scene, model, 0);
  heading(
    pen,
    scene,
    at,
    `ŷ = σ(${formatNumber(w)} x ${b < 0 ? "−" : "+"} ${formatNumber(Math.abs(b))})`,
    colour.activation,
  );
  axes(pen, scene, at, data.window, scale, ["x", "y"]);
  pen.group({ key: "curve", "clip-path": "url(#descent-data)" }, (inside) => {
    const [x0, x1] = data.window;
    const along = Array.from({ length: 121 }, (_, i) => x0 + ((x1 - x0) * i) / 120);
    const errors = Array.from(
      data.x,
      (x, i) => `M${scale.x(x)} ${scale.y(data.y[i])}V${scale.y(sigmoid(w * x + b))}`,
    ).join("");
    inside.path(errors, { key: "errors", stroke: colour.gradient, width: 2.5 });
    inside.path(through(along.map((x) => [scale.x(x), scale.y(sigmoid(w * x + b))])), {
      key: "now",
      stroke: colour.activation,
      width: 4,
    });
  });
  for (let i = 0; i < data.x.length; i++) {
    const [x, y] = [scale.x(data.x[i]), scale.y(data.y[i])];
    pen.circle(x, y, at.small ? 7 : 10, { fill: colour.input, stroke: colour.background, line: 2.5 });
    if (!at.small)
      pen.text(x + (i ? -16 : 16), y + 5, `y = ${formatNumber(data.y[i])}`, {
        size: 15,
        halo: true,
        anchor: i ? "end" : "start",
      });
  }
}

// --- a network ------------------------------------------------------------------------------------

function plane(pen, scene, model, at) {
  const { colour, data, memory } = scene;
  const box = at.data;
  const scale = dataScale(box, data.window);
  const [a, b] = between(scene, model, 0);
  const count = data.plane.length / 3;
  const theta = Array.from(
    { length: count },
    (_, i) => data.plane[i] + a * data.plane[count + i] + b * data.plane[2 * count + i],
  );
  heading(pen, scene, at, at.small ? "ŷ over x₁, x₂" : "ŷ of the network at θ, and XOR", colour.activation);
  const { left, top, wide, high } = box;
  const stamp = `${theta.join(" ")} ${left} ${wide}`;
  memory.colours ??= data.scale.map((hex) => [1, 3, 5].map((from) => parseInt(hex.slice(from, from + 2), 16)));
  canvasIn(
    pen,
    { key: "plane", left, top, width: wide, height: high, sharp: sharpness(pen.parent), stamp },
    (brush) => {
      const size = wide / SIDE;
      for (let row = 0; row < SIDE; row++) {
        for (let column = 0; column < SIDE; column++) {
          const [x, y] = scale.back(left + (column + 0.5) * size, top + (row + 0.5) * size);
          const [r, g, blue] = memory.colours[Math.round(xor(theta, x, y) * (memory.colours.length - 1))];
          brush.fillStyle = `rgb(${r}, ${g}, ${blue})`;
          brush.fillRect(column * size, row * size, size + 0.6, size + 0.6);
        }
      }
    },
  );
  const labels = data.y;
  for (let i = 0; i < labels.length; i++) {
    const [x, y] = [scale.x(data.x[2 * i]), scale.y(data.x[2 * i + 1])];
    const p = xor(theta, data.x[2 * i], data.x[2 * i + 1]);
    const wrong = p > 0.5 !== (labels[i] === 1);
    pen.circle(x, y, at.small ? 10 : 15, {
      fill: colour.background,
      stroke: wrong ? colour.gradient : colour.ink,
      line: wrong ? 5 : 2,
    });
    pen.text(x, y + 5, `${labels[i]}`, { size: at.small ? 13 : 16, bold: true, anchor: "middle" });
    if (!at.small) pen.text(x, y + 34, `ŷ ${p.toFixed(2)}`, { size: 14, bold: true, anchor: "middle", halo: true });
  }
  if (!at.small) {
    pen.text(left + wide, top + high + 17, "x₁", { size: 15, bold: true, fill: colour.input, anchor: "end" });
    pen.text(left - 7, top + 13, "x₂", { size: 15, bold: true, fill: colour.input, anchor: "end" });
  }
}

function squareIn({ left, top, wide, high }) {
  const side = Math.min(wide, high);
  return { left: left + (wide - side) / 2, top: top + (high - side) / 2, wide: side, high: side };
}

// --- a surface without points ---------------------------------------------------------------------

function cuts(pen, scene, model, at) {
  const { colour, data } = scene;
  const theta = between(scene, model, 0);
  const whole = at.data;
  heading(pen, scene, at, at.small ? "L = x² − y² + ¼y⁴" : "L(x, y) = x² − y² + y⁴/4", colour.loss);
  const half = { ...whole, high: (whole.high - 34) / 2 };
  [0, 1].forEach((axis) => {
    const box = { ...half, top: whole.top + axis * (half.high + 34) };
    const [low, high] = [-2.5, 2.5];
    const along = Array.from({ length: 81 }, (_, i) => low + ((high - low) * i) / 80);
    const put = (v) => saddle.loss(axis ? [theta[0], v] : [v, theta[1]]);
    const scale = dataScale(box, [low, high, -2, 7]);
    pen.group({ tag: "clipPath", key: `cut clip ${axis}`, id: `descent-cut-${axis}` }, (clip) =>
      clip.rect(box.left, box.top, box.wide, box.high, { r: 3 }),
    );
    pen.line(box.left, scale.y(0), box.left + box.wide, scale.y(0), { stroke: colour.line, width: 1 });
    pen.text(box.left - 7, scale.y(0) + 5, "0", { size: 13, fill: colour.quiet, anchor: "end" });
    pen.text(box.left - 7, box.top + 13, "L", { size: 15, bold: true, fill: colour.loss, anchor: "end" });
    pen.group({ key: `cut ${axis}`, "clip-path": `url(#descent-cut-${axis})` }, (inside) => {
      inside.path(through(along.map((v) => [scale.x(v), scale.y(put(v))])), { stroke: colour.loss, width: 3.5 });
      inside.circle(scale.x(theta[axis]), scale.y(put(theta[axis])), 8, {
        fill: colour["series-1"],
        stroke: colour.background,
        line: 2.5,
      });
    });
    const held = data.axes[1 - axis];
    const text = at.small
      ? `along ${data.axes[axis]}`
      : `along ${data.axes[axis]}, at ${held} = ${formatNumber(theta[1 - axis])}`;
    pen.text(box.left + box.wide / 2, box.top + 20, text, {
      size: at.small ? 13 : 15,
      bold: true,
      anchor: "middle",
      halo: true,
    });
    pen.text(box.left + box.wide, box.top + box.high + 17, data.axes[axis], {
      size: 15,
      bold: true,
      fill: colour.weight,
      anchor: "end",
    });
    if (axis === 0)
      pen.rect(box.left, box.top, box.wide, box.high, { r: 3, stroke: colour.quiet, line: 1, key: "first frame" });
  });
}
