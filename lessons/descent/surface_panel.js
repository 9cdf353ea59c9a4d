// The loss over both parameters, as shades and contours, with every run on it.

import { through } from "../../ui/browser/pen.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { evenTicks } from "../../ui/browser/scales.js";
import { canvasIn, sharpness } from "../shared/canvas.js";
import { drag } from "../shared/hand.js";
import { between, follows, modelOf, stateOf, take } from "./model.js";
import { crossings } from "../shared/crossings.js";
import { isInside, levels, surfaceScale } from "./places.js";
import { solve } from "./dragged_runs.js";

const DASHES = [null, "9 5", "2 4", "9 4 2 4"];
const LOW_SHADE = 0.03; // of the colour of a loss, at the lowest place in the picture
const SHADES = 0.52; // and as much more at the highest
const small = /** @type {{ canvas: HTMLCanvasElement | null }} */ ({ canvas: null });

export const runColour = (colour, run) => colour[`series-${run + 1}`];
export const dashOf = (run) => DASHES[run];

/** A mark for each run: a disc, a square, a diamond, a triangle. */
export function glyph(pen, run, x, y, r, how) {
  if (run === 0) return pen.circle(x, y, r, how);
  const { fill, stroke, line: width, ...more } = how;
  const d = [
    null,
    `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
    `M${x} ${y - 1.3 * r}L${x + 1.3 * r} ${y}L${x} ${y + 1.3 * r}L${x - 1.3 * r} ${y}z`,
    `M${x} ${y - 1.25 * r}L${x + 1.2 * r} ${y + 0.9 * r}H${x - 1.2 * r}z`,
  ][run];
  return pen.path(d, { fill, stroke, width, ...more });
}

export function surface(pen, scene, model, at) {
  const { colour, data } = scene;
  const box = at.surface;
  const scale = surfaceScale(box, data);
  ground(pen, scene, model, box, scale);
  axes(pen, scene, box, scale, at);
  title(pen, scene, at);
  const { left, top, wide, high } = box;
  pen.group({ tag: "clipPath", key: "clip", id: "descent-surface" }, (clip) =>
    clip.rect(left, top, wide, high, { r: 3 }),
  );
  pen.group({ key: "inside", "clip-path": "url(#descent-surface)" }, (inside) => {
    contours(inside, scene, model, box, scale);
    for (let run = data.rules.length - 1; run >= 0; run--) path(inside, scene, model, run, box, scale);
    best(inside, scene, model, scale, at);
    start(inside, scene, model, scale, at);
    for (let run = data.rules.length - 1; run >= 0; run--) present(inside, scene, model, run, box, scale);
  });
  beyond(pen, scene, model, box, scale, at);
  pen.rect(left, top, wide, high, { r: 3, stroke: colour.loss, line: 2, key: "frame", "pointer-events": "none" });
}

// --- the surface ----------------------------------------------------------------------------------

// The part of the map that is in the picture, and the lowest and highest L there.
function seen({ memory, data }, { grid }, scale) {
  if (memory.seenOf === grid && memory.seenPer === scale.per && memory.seenData === data) return memory.seen;
  const { side, center, reach } = data;
  const step = (2 * reach) / (side - 1);
  const cell = (value, i) => (value - center[i] + reach) / step;
  const inside = (value) => Math.min(Math.max(value, 0), side - 1);
  const part = /** @type {[number, number, number, number]} */ ([
    inside(Math.floor(cell(scale.ends[0], 0))),
    inside(Math.ceil(cell(scale.ends[1], 0))),
    inside(Math.floor(cell(scale.ends[2], 1))),
    inside(Math.ceil(cell(scale.ends[3], 1))),
  ]);
  let [low, high] = [Infinity, -Infinity];
  for (let row = part[2]; row <= part[3]; row++) {
    for (let column = part[0]; column <= part[1]; column++) {
      const value = grid[row * side + column];
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  memory.turn = (memory.turn ?? 0) + 1;
  Object.assign(memory, {
    seenOf: grid,
    seenPer: scale.per,
    seenData: data,
    seen: { part, low, high, step, stamp: String(memory.turn) },
  });
  return memory.seen;
}

function ground(pen, scene, model, box, scale) {
  const { colour, data, memory } = scene;
  const { low, high, step, stamp } = seen(scene, model, scale);
  const { left, top, wide, high: tall } = box;
  const stood = `${stamp} ${colour.background} ${left} ${top} ${wide} ${tall}`;
  const its = { key: "ground", left, top, width: wide, height: tall, sharp: sharpness(pen.parent), stamp: stood };
  memory.shadeTable ??= new Map();
  canvasIn(pen, its, (brush) => {
    const { side, center, reach, bend } = data;
    small.canvas ??= document.createElement("canvas");
    Object.assign(small.canvas, { width: side, height: side });
    const inner = small.canvas.getContext("2d");
    const image = inner.createImageData(side, side);
    const [from, to] = [colour.background, colour.loss].map(rgb);
    for (let row = 0; row < side; row++) {
      for (let column = 0; column < side; column++) {
        const share =
          Math.min(Math.max((model.grid[row * side + column] - low) / (high - low || 1), 0), 1) ** (1 / bend);
        const pixel = 4 * ((side - 1 - row) * side + column);
        for (let c = 0; c < 3; c++) image.data[pixel + c] = from[c] + (to[c] - from[c]) * (LOW_SHADE + SHADES * share);
        image.data[pixel + 3] = 255;
      }
    }
    inner.putImageData(image, 0, 0);
    brush.imageSmoothingEnabled = true;
    brush.imageSmoothingQuality = "high";
    const whole = (2 * reach + step) * scale.per;
    brush.drawImage(
      small.canvas,
      scale.x(center[0] - reach - step / 2) - left,
      scale.y(center[1] + reach + step / 2) - top,
      whole,
      whole,
    );
  });
}

const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

function contours(pen, scene, model, box, scale) {
  const { colour, data, memory } = scene;
  const { part, low, high, step, stamp } = seen(scene, model, scale);
  const key = `${stamp} ${box.left} ${box.top} ${scale.per}`;
  if (memory.contourKey !== key) {
    const { side, center, reach, bend } = data;
    const x = (column) => scale.x(center[0] - reach + column * step).toFixed(1);
    const y = (row) => scale.y(center[1] - reach + row * step).toFixed(1);
    const piece = ([x1, y1, x2, y2]) => `M${x(x1)} ${y(y1)}L${x(x2)} ${y(y2)}`;
    const lines = levels(low, high, bend).map((level) => crossings(model.grid, side, level, part).map(piece).join(""));
    Object.assign(memory, { contourKey: key, contours: lines.join("") });
  }
  pen.path(memory.contours, {
    key: "contours",
    stroke: colour.loss,
    width: 1,
    "stroke-opacity": 0.6,
    "pointer-events": "none",
  });
}

function axes(pen, { colour, data }, { left, top, wide, high }, scale, at) {
  const [x0, x1, y0, y1] = scale.ends;
  const size = 13;
  for (const tick of evenTicks(x0, x1, at.small ? 3 : 6)) {
    const x = scale.x(tick);
    if (x < left + 12 || x > left + wide - 26) continue;
    pen.line(x, top + high, x, top + high + 4, { stroke: colour.quiet, width: 1 });
    pen.text(x, top + high + 17, formatNumber(tick), { size, fill: colour.quiet, anchor: "middle" });
  }
  for (const tick of evenTicks(y0, y1, at.small ? 3 : 5)) {
    const y = scale.y(tick);
    if (y < top + 22 || y > top + high - 6) continue;
    pen.line(left - 4, y, left, y, { stroke: colour.quiet, width: 1 });
    pen.text(left - 7, y + 5, formatNumber(tick), { size, fill: colour.quiet, anchor: "end" });
  }
  pen.text(left + wide, top + high + 17, data.axes[0], {
    size: at.small ? 14 : 16,
    bold: true,
    fill: colour.weight,
    anchor: "end",
  });
  pen.text(left - 7, top + 13, data.axes[1], {
    size: at.small ? 14 : 16,
    bold: true,
    fill: colour.weight,
    anchor: "end",
  });
}

function title(pen, scene, at) {
  const { colour, data } = scene;
  const { left, top, wide } = at.surface;
  const y = top - 10;
  if (!at.small) pen.text(left, y, `Loss L(${data.axes.join(", ")})`, { size: 15, bold: true, fill: colour.loss });
  if (at.small && data.labels.length > 1) return;
  runNames(pen, scene, left + wide, y, at.small ? 13 : 15);
}

/** The name and the mark of each run, in a row that ends at x. */
export function runNames(pen, { colour, data }, end, y, size) {
  let x = end;
  for (let run = data.labels.length - 1; run >= 0; run--) {
    const node = pen.text(x, y, data.labels[run], {
      size,
      bold: true,
      anchor: "end",
      fill: runColour(colour, run),
      key: `run ${run}`,
    });
    x -= node.getComputedTextLength?.() ?? 60;
    glyph(pen, run, x - 12, y - 5, 5.5, { fill: runColour(colour, run), key: `glyph ${run}` });
    x -= 32;
  }
}

// --- what lies on it ------------------------------------------------------------------------------

function best(pen, { colour, hidden }, model, scale, at) {
  const solved = model.best && solve(model.best.moments);
  if (!solved || hidden("s0")) return;
  const [x, y] = [scale.x(solved[0]), scale.y(solved[1])];
  const cross = `M${x - 9} ${y - 9}l18 18M${x + 9} ${y - 9}l-18 18`;
  pen.path(cross, { key: "best halo", stroke: colour.background, width: 7, "pointer-events": "none" });
  pen.path(cross, { key: "best", stroke: colour.ink, width: 3, "pointer-events": "none" });
  const away = scale.x(model.start[0]) >= x ? -1 : 1; // from the side that the run comes from
  const name = { key: "best name", size: at.small ? 13 : 15, bold: true, halo: true, "pointer-events": "none" };
  pen.text(x + 16 * away, y + 5, "β*", { ...name, anchor: away < 0 ? "end" : "start" });
}

function path(pen, scene, model, run, box, scale) {
  const { colour, data } = scene;
  const now = Math.floor(model.step);
  const states = Array.from({ length: data.steps + 1 }, (_, step) => stateOf(scene, model, model.rate, run, step));
  const far = 1e5;
  const kept = states.findIndex(([a, b]) => !(Math.abs(a) < far && Math.abs(b) < far));
  const points = (kept < 0 ? states : states.slice(0, kept)).map(
    ([a, b]) => /** @type {[number, number]} */ ([scale.x(a), scale.y(b)]),
  );
  const [done, rest] = [points.slice(0, now + 1), points.slice(now)];
  const left = rest.findIndex(([x, y]) => !isInside(box, x, y, box.high));
  const ahead = left < 0 ? rest : rest.slice(0, left + 1);
  const role = runColour(colour, run);
  const still = { "pointer-events": "none" };
  if (ahead.length > 1)
    pen.path(through(ahead), {
      key: `ahead ${run}`,
      stroke: role,
      width: 1.5,
      dash: "2 4",
      "stroke-opacity": 0.6,
      ...still,
    });
  if (done.length > 1) {
    pen.path(through(done), {
      key: `halo ${run}`,
      stroke: colour.background,
      width: 5,
      "stroke-opacity": 0.8,
      ...still,
    });
    pen.path(through(done), { key: `done ${run}`, stroke: role, width: 2.5, dash: dashOf(run), ...still });
  }
  const most = data.steps > 60 ? 3 : 4.5;
  const dots = done.map(([x, y], step) => disc(x, y, 1.8 + (most - 1.8) * (step / Math.max(now, 1)))).join("");
  pen.path(dots, { key: `dots ${run}`, stroke: colour.background, width: 1, fill: role, ...still });
  if (run === 0 && !scene.hidden("n1") && model.step === now && points[now + 1])
    next(pen, colour, points[now], points[now + 1]);
}

const disc = (x, y, r) =>
  `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

// The next step, against the gradient.
function next(pen, colour, [x1, y1], [x2, y2]) {
  const long = Math.hypot(x2 - x1, y2 - y1);
  if (long < 8) return;
  pen.line(x1, y1, x2, y2, { key: "next", stroke: colour.gradient, width: 3.5, "pointer-events": "none" });
  pen.head(x2, y2, (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI, colour.gradient, Math.min(13, long * 0.6));
}

function present(pen, scene, model, run, box, scale) {
  const { colour } = scene;
  const [a, b] = between(scene, model, run);
  const [x, y] = [scale.x(a), scale.y(b)];
  if (isInside(box, x, y, 10))
    glyph(pen, run, x, y, 8, {
      key: `now ${run}`,
      fill: runColour(colour, run),
      stroke: colour.background,
      line: 2.5,
      "pointer-events": "none",
    });
}

function start(pen, scene, model, scale, at) {
  const { colour, memory } = scene;
  const [a, b] = memory.ring ?? model.start;
  const [x, y] = [scale.x(a), scale.y(b)];
  const first = stateOf(scene, model, model.rate, 0, 1);
  const [across, up] = [first[0] > a ? -1 : 1, first[1] > b ? 1 : -1]; // away from the first step
  pen.group({ key: "start", class: "grab", "data-start": "" }, (its) => {
    its.circle(x, y, 11, { fill: "transparent", stroke: colour.background, line: 6 });
    its.circle(x, y, 11, { fill: "transparent", stroke: colour.ink, line: 2.5 });
    if (!at.small)
      its.text(x + 14 * across, y + 5 + 13 * up, "start", {
        size: 14,
        halo: true,
        anchor: across < 0 ? "end" : "start",
      });
    grabStart(its.parent, scene, scale);
  });
}

function grabStart(node, scene, scale) {
  const { data, memory, send, again } = scene;
  const step = 10 ** Math.floor(Math.log10(data.half / 100));
  const to = (x, y) => scale.back(x, y).map((value) => Number((Math.round(value / step) * step).toPrecision(6)));
  drag(node, {
    down: () => ({ at: null }),
    move: (began, x, y) => {
      const ends = scale.ends;
      const [a, b] = to(x, y);
      began.at = [Math.min(Math.max(a, ends[0]), ends[1]), Math.min(Math.max(b, ends[2]), ends[3])];
      memory.ring = began.at;
      const { x: xs, y: ys } = modelOf(scene);
      if (follows(data)) take(scene, { x: xs, y: ys, start: began.at }, "start", "the start");
      else again();
    },
    up: (began, moved) => moved && began.at && send({ start: began.at }),
  });
}

// Where a run has left the picture: an arrow head at its edge.
function beyond(pen, scene, model, box, scale, at) {
  const { colour, data } = scene;
  const { left, top, wide, high } = box;
  let told = false;
  data.rules.forEach((_, run) => {
    const [a, b] = between(scene, model, run);
    const [x, y] = [scale.x(a), scale.y(b)];
    if (isInside(box, x, y, 10)) return;
    const middle = [left + wide / 2, top + high / 2];
    const [dx, dy] = Number.isFinite(x + y) ? [x - middle[0], y - middle[1]] : [1, -1];
    const share = Math.min((wide / 2 - 8) / Math.abs(dx || 1e-9), (high / 2 - 8) / Math.abs(dy || 1e-9));
    pen.head(
      middle[0] + dx * share,
      middle[1] + dy * share,
      (Math.atan2(dy, dx) * 180) / Math.PI,
      runColour(colour, run),
      18,
    );
    if (told) return;
    told = true;
    const text = at.small
      ? "outside"
      : `${data.labels[run]} is outside the picture: (${formatNumber(a)}, ${formatNumber(b)})`;
    pen.markedText(left + 12, top + 22, text, false, {
      size: 15,
      bold: true,
      fill: runColour(colour, run),
      halo: true,
      key: "beyond",
    });
  });
}
