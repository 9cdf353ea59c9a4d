// Beam search, a step at a time: a column for each step with its candidates, the best at the top; below, the
// texts that have ended so far, ranked by Σ log p / tᵃ for the a of the slider. The whole search is here from
// the start, so stepping asks the server nothing.

import { curveBumpX, line } from "../../ui/browser/d3.js";
import { isNews, sendAtRest } from "../../ui/browser/events.js";
import { mainPicture } from "../../ui/browser/main_picture.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { textWidth } from "../../ui/browser/pen.js";
import { candidatesOf, greedyLeaves, rankedEnded, stepsShown } from "./beam_rows.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["beam"]} Data */

const DIM = 0.18;
const bend = line().curve(curveBumpX);

/** @param {Component<Data>} component */
export default function beam(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const { data, memory, send, tell } = scene;
    memory.send = send;
    if (isNews(memory, data.at)) memory.step = data.at;
    const step = (memory.step = Math.min(Math.max(memory.step, 1), data.steps));
    const at = places(scene, step);
    part(pen, scene, "steps", (pen) => controls(pen, scene, step));
    part(pen, scene, "tree", (pen) => tree(pen, scene, at, step));
    part(pen, scene, "ended", (pen) => ended(pen, scene, at, step));
    tell(step - 1, false);
  });
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function part(pen, scene, name, how) {
  pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
}

/** @param {Scene<any, any>} scene */
function goTo(scene, to) {
  const { memory, data, again } = scene;
  memory.step = Math.min(Math.max(to, 1), data.steps);
  memory.picked = null;
  again();
  sendAtRest(memory, memory.step);
}

function places({ width, height, narrow, data }, step) {
  const left = narrow ? 12 : 34;
  const column = narrow ? 116 : 164;
  const box = narrow ? 96 : 124;
  const ended = narrow ? 82 : 104;
  const [top, foot] = [narrow ? 62 : 72, height - ended - 8];
  const fits = Math.max(1, Math.floor((width - left - 12) / column));
  const [first, last] = stepsShown(step, fits);
  const most = Math.max(
    1,
    ...Array.from({ length: last - first + 1 }, (_, i) => candidatesOf({ data, step: first + i }).length),
  );
  const least = narrow ? 20 : 21;
  const rows = Math.min(most, Math.max(1, Math.floor((foot - top) / least) - 1));
  const row = Math.min(38, (foot - top) / (rows + 1));
  return {
    left,
    column,
    box,
    top,
    foot,
    first,
    last,
    rows,
    row,
    high: Math.min(27, row - 4),
    size: narrow ? 13 : 15,
    x: (each) => left + (each - first + 1) * column - box / 2 - 2,
    y: (each) => top + (each + 0.5) * row,
  };
}

function controls(pen, scene, step) {
  const { data, colour, narrow, width } = scene;
  const made = /** @type {[string, string, (step: number) => number, boolean][]} */ ([
    ["«", "From the start", () => 1, step === 1],
    ["‹", "One step back", (now) => now - 1, step === 1],
    ["›", "One step forward", (now) => now + 1, step === data.steps],
    ["»", "To the end", () => data.steps, step === data.steps],
  ]);
  let x = narrow ? 10 : 20;
  for (const [sign, name, to, disabled] of made) {
    pen.button(
      name,
      () => goTo(scene, to(scene.memory.step)),
      (pen) => {
        pen.node("title", {}, name);
        pen.rect(x, 8, 34, 28, { r: 8, fill: colour.background, stroke: colour.line });
        pen.text(x + 17, 28, sign, {
          size: 19,
          bold: true,
          anchor: "middle",
          fill: disabled ? colour.quiet : colour.ink,
        });
      },
      { key: name, disabled },
    );
    x += 40;
  }
  pen.text(x + 6, 28, `step ${step} of ${data.steps}`, { size: 16, bold: true });
  if (narrow) return;
  let right = width - 16;
  for (const [label, role, dash] of /** @type {[string, string, string | null][]} */ ([
    ["best text that has ended", "input", null],
    ["greedy path", "gradient", "7 4"],
  ])) {
    pen.text(right, 28, label, { size: 14, anchor: "end" });
    right -= textWidth(label, 14) + 50;
    pen.line(right, 23, right + 32, 23, { stroke: colour[role], width: 5, dash });
    right -= 20;
  }
}

// --- the tree ---------------------------------------------------------------------------------------------

function tree(pen, scene, at, step) {
  const { data, colour } = scene;
  const place = new Map();
  for (let each = at.first; each <= at.last; each++) {
    candidatesOf({ data, step: each }).forEach((i, row) =>
      place.set(i, row < at.rows ? [at.x(each), at.y(row)] : null),
    );
    pen.text(at.x(each), at.top - 10, `step ${each}`, {
      key: `head${each}`,
      size: 14,
      bold: each === step,
      anchor: "middle",
      fill: each === step ? colour.ink : colour.quiet,
    });
  }
  const shown = [...place].filter(([, point]) => point).map(([i]) => i);
  const start = [at.left - (scene.narrow ? 8 : 14), at.y(0)];
  const wayTo = (i) => {
    const parent = data.b_parent[i] - 1;
    const from =
      parent < 0 || !place.get(parent)
        ? at.first === 1 || data.b_step[i] > at.first
          ? start
          : [at.left - 14, place.get(i)[1]]
        : place.get(parent);
    if (parent >= 0 && place.has(parent) && !place.get(parent)) return null;
    return bend([
      [from[0] + (from === start || from[0] < at.left ? 0 : at.box / 2), from[1]],
      [place.get(i)[0] - at.box / 2, place.get(i)[1]],
    ]);
  };
  const best = bestPath(scene, step);
  for (const i of shown) {
    const [d, cut] = [wayTo(i), data.outcomes[i] === 2];
    if (!d) continue;
    if (best.has(i)) pen.path(d, { key: `best${i}`, stroke: colour.input, width: 8, "stroke-opacity": 0.85 });
    pen.path(d, {
      key: `way${i}`,
      stroke: colour.quiet,
      width: cut ? 1 : 2,
      "stroke-opacity": cut ? 0.4 : 0.85,
      dash: cut ? "3 3" : null,
    });
    if (data.b_greedy[i]) pen.path(d, { key: `greedy${i}`, stroke: colour.gradient, width: 4.5, dash: "7 4" });
  }
  if (at.first === 1) pen.circle(start[0] + 2, start[1], 5, { key: "prompt", fill: colour.ink });
  ghosts(pen, scene, at, step, place, start);
  for (const i of shown) leaf(pen, scene, at, i, place.get(i), step);
  for (let each = at.first; each <= at.last; each++) {
    const left = candidatesOf({ data, step: each }).length - at.rows;
    if (left > 0)
      pen.text(at.x(each), at.y(at.rows) + 2, `and ${left} more`, {
        key: `more${each}`,
        size: 13,
        anchor: "middle",
        fill: colour.quiet,
      });
  }
}

// The branches on the way to the best text that has ended, for the a of the slider.
function bestPath(scene, step) {
  const found = new Set();
  const [first] = rankedEnded({ ...scene, step });
  for (let at = first ? first.branch : 0; at > 0; at = scene.data.b_parent[at - 1]) found.add(at - 1);
  return found;
}

// Greedy search goes on where the beam does not: its tokens stand below.
function ghosts(pen, scene, at, step, place, start) {
  const { data, colour } = scene;
  const leaves = greedyLeaves(data);
  const last = Math.min(step, data.greedy.length);
  const y = at.y(at.rows) + 2;
  for (let each = Math.max(leaves, at.first); each <= last; each++) {
    const from =
      each > leaves
        ? [at.x(each - 1), y]
        : (place.get(data.tokens.findIndex((_, i) => data.b_greedy[i] && data.b_step[i] === leaves - 1)) ?? start);
    const inside = each > at.first;
    const begin = inside ? [from[0] + (from === start ? 0 : at.box / 2), from[1]] : [at.left - 14, y];
    pen.path(bend(/** @type {[number, number][]} */ ([begin, [at.x(each) - at.box / 2, y]])), {
      key: `ghostway${each}`,
      stroke: colour.gradient,
      width: 3.5,
      dash: "7 4",
    });
    pen.group({ key: `ghost${each}` }, (pen) => {
      pen.rect(at.x(each) - at.box / 2, y - at.high / 2, at.box, at.high, {
        r: 7,
        fill: colour.background,
        stroke: colour.gradient,
        dash: "4 3",
      });
      pen.text(at.x(each), y + at.size * 0.34, data.greedy[each - 1], {
        size: at.size,
        anchor: "middle",
        fill: colour.gradient,
        room: at.box - 12,
      });
    });
  }
}

function leaf(pen, scene, at, i, [x, y], step) {
  const { data, colour, memory, again } = scene;
  const outcome = data.outcomes[i];
  const look = [
    { stroke: colour.ink, line: 1.5 },
    { stroke: colour.activation, line: 3 },
    { stroke: colour.quiet, dash: "3 3" },
  ][outcome];
  const fill = outcome === 2 ? colour.quiet : colour.ink;
  const words = said(scene, i);
  const picked = memory.picked === i;
  const size = Math.min(at.size, Math.max(13, at.high - 4));
  pen.button(
    words,
    () => {
      memory.picked = picked ? null : i;
      again();
    },
    (pen) => {
      pen.node("title", {}, words);
      pen.rect(x - at.box / 2, y - at.high / 2, at.box, at.high, {
        r: 7,
        fill: picked ? colour.mark : colour.background,
        ...look,
      });
      const number = data.b_total[i].toFixed(2).replace("-", "−");
      const side = textWidth(number, 13) + 12;
      const ink = picked ? colour.onMark : fill;
      pen.text(x - at.box / 2 + 8, y + size * 0.34, `${["", "■ ", "✕ "][outcome]}${data.tokens[i]}`, {
        size,
        bold: outcome < 2,
        fill: ink,
        room: at.box - side - 8,
      });
      pen.text(x + at.box / 2 - 7, y + 4.5, number, { size: 13, anchor: "end", fill: ink });
    },
    { key: `leaf${i}`, tabindex: data.b_step[i] === step ? 0 : null },
  );
}

function said({ data }, i) {
  const before = data.beginnings[data.b_parent[i]];
  return `${before ? `${before} + ` : ""}${data.tokens[i]}: Σ log p ${formatNumber(data.b_total[i])}, ${data.outcome_names[data.outcomes[i]]}${data.reasons[i] ? `: ${data.reasons[i]}` : ""}`;
}

// --- what has ended -----------------------------------------------------------------------------------------

function ended(pen, scene, at, step) {
  const { data, colour, values, width, height, narrow, hidden } = scene;
  const [left, right] = [narrow ? 10 : 20, width - 16];
  const top = height - (narrow ? 82 : 104);
  pen.line(0, top - 8, width, top - 8, { stroke: colour.line });
  const { picked } = scene.memory;
  if (picked !== null && picked !== undefined && data.tokens[picked] !== undefined) {
    pen.text(left, top + 10, said(scene, picked), {
      key: "picked",
      size: narrow ? 13 : 15,
      bold: true,
      room: right - left,
    });
  } else {
    pen.text(
      left,
      top + 10,
      narrow
        ? `Ended by step ${step}, by Σ log p / tᵃ`
        : `Ended by step ${step}, ranked by Σ log p / tᵃ with a = ${formatNumber(values("a"))}`,
      { key: "title", size: narrow ? 13 : 15, bold: true, room: right - left },
    );
  }
  const rows = rankedEnded({ ...scene, step });
  const most = narrow ? 3 : 3;
  if (!rows.length)
    pen.text(left, top + 34, "none yet: press › for the next step", { key: "none", size: 15, fill: colour.quiet });
  rows.slice(0, most).forEach((row, place) => {
    const y = top + (narrow ? 29 : 34) + place * (narrow ? 20 : 22);
    const asked = hidden("ended");
    const numbers = narrow
      ? asked
        ? "?"
        : formatNumber(row.score)
      : asked
        ? "?"
        : `Σ ${formatNumber(row.total)} · t ${row.length} · score ${formatNumber(row.score)}`;
    const room = right - left - textWidth(numbers, 15, true) - 60;
    const out = place >= data.width;
    pen.group({ key: `ended${place}` }, (pen) => {
      pen.text(left, y, `${place + 1}`, {
        size: narrow ? 13 : 15,
        bold: true,
        fill: place ? colour.quiet : colour.input,
      });
      pen.text(left + 20, y, `${row.text}${row.greedy ? "   (greedy’s)" : ""}${row.kept ? "" : "   (dropped)"}`, {
        size: narrow ? 13 : 15,
        bold: !place,
        room,
        fill: out ? colour.quiet : colour.ink,
      });
      pen.markedText(right, y, numbers, !place && !asked, { size: narrow ? 13 : 15, bold: !place, anchor: "end" });
    });
  });
  if (!narrow && rows.length > most)
    pen.text(right, top + 10, `${rows.length - most} more below`, { size: 13, fill: colour.quiet, anchor: "end" });
}
