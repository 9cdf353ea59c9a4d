// Below: L by η with the largest rate that converges, and L by the step, which is played and dragged.

import { formatNumber } from "../../ui/browser/numbers.js";
import { through, textWidth } from "../../ui/browser/pen.js";
import { evenTicks } from "../../ui/browser/scales.js";
import { drag } from "../shared/hand.js";
import { between, stateOf } from "./model.js";
import { lossScale, lossTicks } from "./places.js";
import { dashOf, glyph, runColour, runNames } from "./surface_panel.js";

const PLAYED = 90; // ms that a step takes when the run is played
const LONGEST = 6000; // ms that the whole run takes at most
const RAISED = 6; // how far above L of the start the axis goes, as a factor

// The ends of both axes of L: the same for all η, so that they stand still while η is dragged.
function ends(scene, model) {
  const { data, memory } = scene;
  if (memory.endsOf === model.paths && memory.endsData === data) return memory.ends;
  const first = stateOf(scene, model, 0, 0, 0)[2];
  let low = first;
  for (let at = 2; at < model.paths.length; at += 3) if (model.paths[at] < low) low = model.paths[at];
  const found = data.logarithmic
    ? [Math.max(low, first * 1e-5) * 0.8, first * RAISED]
    : [low - 0.1 * (first - low), first + 0.2 * (first - low)];
  Object.assign(memory, { endsOf: model.paths, endsData: data, ends: found });
  return found;
}

function lossAxis(pen, { colour, data }, { left, wide }, [low, high], y) {
  for (const tick of lossTicks(low, high, data.logarithmic)) {
    pen.line(left, y(tick), left + wide, y(tick), { stroke: colour.line, width: 1 });
    pen.text(left - 7, y(tick) + 5, formatNumber(tick), { size: 13, fill: colour.quiet, anchor: "end" });
  }
}

/** L after the step that is shown, by η. */
export function rateStrip(pen, scene, model, at) {
  const { colour, data, values, hidden, text } = scene;
  const box = at.rate;
  const { left, top, wide, high } = box;
  const most = data.rates[data.rates.length - 1];
  const x = (eta) => left + (Math.min(eta, most * 1.02) / most) * wide;
  const range = ends(scene, model);
  const y = lossScale(...range, data.logarithmic, box);
  const step = Math.round(model.step);
  const regression = data.surface === "regression" && !hidden("rmax");
  if (regression) {
    const edge = x(values("rmax"));
    pen.rect(edge, top, left + wide - edge, high, {
      fill: colour.gradient,
      "fill-opacity": 0.14,
      r: 0,
      key: "diverges",
    });
    pen.line(edge, top - 4, edge, top + high, { stroke: colour.gradient, width: 2.5, dash: "5 3", key: "edge" });
  }
  lossAxis(pen, scene, box, range, y);
  const title = `L after ${step} step${step === 1 ? "" : "s"}`;
  if (!at.small) pen.text(left - 8, top - 11, title, { size: 14, bold: true, fill: colour.loss });
  const whole = `GD diverges above 2/λₘₐₓ = ${text("rmax")}`;
  const fits = at.small || textWidth("L after 100 steps", 14, true) + textWidth(whole, 14, true) + 14 < wide + 8;
  const limit = fits ? whole : `diverges above ${text("rmax")}`;
  const names = at.small && data.labels.length > 1;
  if (names) runNames(pen, scene, left + wide, top - 11, 13);
  else if (data.surface === "regression")
    pen.text(left + wide, top - 11, limit, {
      size: at.small ? 13 : 14,
      bold: true,
      fill: colour.gradient,
      anchor: "end",
      key: "edge name",
    });
  for (const tick of evenTicks(0, most, at.small ? 3 : 5)) {
    if (x(tick) > left + wide - 14) continue;
    pen.text(x(tick), top + high + 17, formatNumber(tick), { size: 13, fill: colour.quiet, anchor: "middle" });
  }
  pen.text(left + wide, top + high + 17, "η", { size: 15, bold: true, fill: colour.weight, anchor: "end" });
  // The curve climbs at 2/λₘₐₓ: it is not drawn while that is asked for.
  for (let run = data.rules.length - 1; run >= 0 && !hidden("rmax"); run--) {
    const points = Array.from(data.rates, (eta, rate) => [x(eta), y(stateOf(scene, model, rate, run, step)[2])]);
    pen.path(through(points), { key: `curve ${run}`, stroke: runColour(colour, run), width: 2.5, dash: dashOf(run) });
  }
  handle(pen, scene, model, { x, y, box, at, step });
}

function handle(pen, scene, model, { x, y, box, at, step }) {
  const { colour, values, data, hidden, move } = scene;
  const { left, top, wide, high } = box;
  const across = x(values("eta"));
  pen.line(across, top - 4, across, top + high + 4, { stroke: colour.weight, width: 2.5, key: "eta" });
  const dot = y(stateOf(scene, model, model.rate, 0, step)[2]);
  glyph(pen, 0, across, dot, 8, { key: "eta dot", fill: colour.weight, stroke: colour.background, line: 2.5 });
  const named = data.surface === "regression";
  const share = hidden("share") ? "? of 2/λₘₐₓ" : `${formatNumber(values("share"))} of 2/λₘₐₓ`;
  const label = named ? share : `η = ${formatNumber(values("eta"))}`;
  const marked = named && marksShare(scene);
  const room = textWidth(label, 15, true) + 18;
  const flip = across + room > left + wide;
  if (!at.small)
    pen.markedText(across + (flip ? -12 : 12), dot < top + 0.4 * high ? top + high - 6 : top + 16, label, marked, {
      size: 15,
      bold: true,
      anchor: flip ? "end" : "start",
      halo: !marked,
      key: "eta name",
    });
  const cover = pen.rect(left - 6, top - 6, wide + 12, high + 24, {
    key: "cover",
    fill: "transparent",
    class: "grab",
    "data-rate": "",
  });
  const most = data.rates[data.rates.length - 1];
  const to = (at) => Math.min(Math.max((at - left) / wide, 0), 1) * most;
  drag(cover, {
    down: (from) => ({ eta: to(from) }),
    start: (began) => move("eta", began.eta, false),
    move: (began, where) => move("eta", (began.eta = to(where)), false),
    up: (began) => move("eta", began.eta, true),
  });
}

/** Whether the sentence names the share of 2/λₘₐₓ, and not L. */
export const marksShare = ({ data, moved, values }) =>
  data.surface === "regression" &&
  data.rules.length === 1 &&
  data.sentences[Number(values("@say"))]?.includes("=={share}==") &&
  moved !== "step";

/** L by the step. */
export function stepStrip(pen, scene, model, at) {
  const { colour, data, values, move, hidden } = scene;
  const box = at.strip;
  const { left, top, wide, high } = box;
  const last = data.steps;
  const range = ends(scene, model);
  const y = lossScale(...range, data.logarithmic, box);
  const x = (step) => left + (step / Math.max(last, 1)) * wide;
  lossAxis(pen, scene, box, range, y);
  for (const tick of evenTicks(0, last, at.small ? 3 : 6)) {
    if (!Number.isInteger(tick) || x(tick) > left + wide - 34) continue;
    pen.text(x(tick), top + high + 17, `${tick}`, { size: 13, fill: colour.quiet, anchor: "middle" });
  }
  pen.text(left + wide, top + high + 17, "step", { size: 13, fill: colour.quiet, anchor: "end" });
  if (!at.small) pen.text(left - 8, top - 11, "L by the step", { size: 14, bold: true, fill: colour.loss });
  if (data.surface === "regression" && !hidden("least"))
    pen.line(left, y(values("least")), left + wide, y(values("least")), {
      key: "least",
      stroke: colour.ink,
      width: 1.5,
      dash: "8 5",
    });
  for (let run = data.rules.length - 1; run >= 0; run--) {
    const points = Array.from({ length: last + 1 }, (_, step) => [
      x(step),
      y(stateOf(scene, model, model.rate, run, step)[2]),
    ]);
    pen.path(through(points), { key: `curve ${run}`, stroke: runColour(colour, run), width: 2.5, dash: dashOf(run) });
  }
  pen.line(x(model.step), top - 4, x(model.step), top + high, { key: "now", stroke: colour.ink, width: 2 });
  for (let run = data.rules.length - 1; run >= 0; run--) {
    glyph(pen, run, x(model.step), y(between(scene, model, run)[2]), 7, {
      key: `dot ${run}`,
      fill: runColour(colour, run),
      stroke: colour.background,
      line: 2.5,
    });
  }
  label(pen, scene, at, box);
  const cover = pen.rect(left - 8, top - 8, wide + 16, high + 26, {
    key: "cover",
    fill: "transparent",
    class: "grab",
    "data-step": "",
  });
  const to = (across) => Math.round(Math.min(Math.max((across - left) / wide, 0), 1) * last);
  drag(cover, {
    down: (across) => ((scene.memory.playing = 0), { step: to(across) }),
    start: (began) => move("step", began.step, false),
    move: (began, across) => move("step", (began.step = to(across)), false),
    up: (began) => move("step", began.step, true),
  });
  player(pen, scene, at, last);
}

// The number that the sentence marks, of the run that it names.
function label(pen, scene, at, { left, top, wide }) {
  const { colour, data, values, text } = scene;
  const run = data.rules.length > 1 && scene.moved !== "step" ? Math.round(values("@say")) % data.rules.length : 0;
  const name = `${data.rules.length > 1 ? `${data.labels[run]}: ` : ""}L = ${text(`l${run}`)}`;
  const [size, y] = at.small ? [13, top - 9] : [15, top - 11];
  pen.markedText(left + wide - 4, y, name, !marksShare(scene), {
    size,
    bold: true,
    anchor: "end",
    fill: runColour(colour, run),
    key: "label",
  });
  if (!at.small)
    pen.text(left + wide - 24 - textWidth(name, size, true), y, `step ${Math.round(values("step"))}`, {
      size,
      bold: true,
      anchor: "end",
      key: "step",
    });
}

function player(pen, scene, at, last) {
  const { colour, memory, values, move, again } = scene;
  const { x, y } = at.player;
  const play = () => {
    memory.playing = (memory.playing ?? 0) > 0 ? 0 : performance.now();
    if (!memory.playing) return move("step", Math.round(values("step")), true);
    const from = values("step") >= last ? 0 : values("step");
    const began = memory.playing;
    const whole = Math.min(PLAYED * last, LONGEST);
    const next = (now) => {
      if (memory.playing !== began) return;
      const step = Math.min(from + ((now - began) / whole) * last, last);
      const done = step >= last || !pen.parent.isConnected;
      if (done) memory.playing = 0;
      move("step", Math.round(step), done);
      if (!done) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    again();
  };
  pen.button(memory.playing ? "Stop" : "Play the descent", play, (its) => {
    its.circle(x, y, 17, { fill: colour.background, stroke: colour.loss, line: 2 });
    if (memory.playing) its.rect(x - 6, y - 6, 12, 12, { r: 1, fill: colour.loss });
    else its.path(`M${x - 5} ${y - 8}L${x + 9} ${y}L${x - 5} ${y + 8}z`, { fill: colour.loss, stroke: colour.loss });
  });
}
