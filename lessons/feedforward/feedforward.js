// A feedforward language model as one flow: words, their rows of E, e, the hidden layer, and a bar for each of
// the most probable next words. Every number of the model is a cell; a strip that is pointed at tells its cells.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { bent, textWidth } from "../../ui/browser/pen.js";
import { narrowPlaces, places } from "./places.js";
import { barRows, shownPlaces } from "./ribbon.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["feedforward"]} Data */

const DIM = 0.18;
const ROLES = {
  concatenated: "input",
  pre_activation: "score",
  hidden: "activation",
  logits: "score",
  chances: "activation",
};

/** @param {Component<Data>} component */
export default function feedforward(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const at = (scene.narrow ? narrowPlaces : places)(scene.width, scene.height, scene.data);
    if (scene.memory.drawn !== scene.data) Object.assign(scene.memory, { drawn: scene.data, images: new Map() });
    part(pen, scene, "text", (its) => ribbon(its, scene, at));
    part(pen, scene, "table", (its) => lookUp(its, scene, at));
    part(pen, scene, "e", (its) => sideBySide(its, scene, at));
    part(pen, scene, "first", (its) => hiddenLayer(its, scene, at));
    part(pen, scene, "second", (its) => scores(its, scene, at));
    part(pen, scene, "out", (its) => bars(its, scene, at));
    foot(pen, scene, at);
  });
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function part(pen, scene, name, how) {
  pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
}

const place = (scene) => scene.values("@at");
const middle = (box) => box.left + box.wide / 2;
const right = (box) => box.left + box.wide;
const low = (box) => box.top + box.high;
const spot = (box, i, cells) => box.top + ((i + 0.5) * box.high) / cells;

// --- the text -------------------------------------------------------------------------------------

function ribbon(pen, scene, at) {
  const { data, width, colour, narrow } = scene;
  const now = place(scene);
  const { size, high } = at.ribbon;
  const gap = narrow ? 6 : 10;
  const pad = narrow ? 6 : 10;
  const most = narrow ? 120 : 220;
  const hidesNext = scene.hidden("p1");
  const named = data.words.map((word, i) => (hidesNext && i === now + 1 ? "?" : word));
  const wide = named.map((word) => Math.min(textWidth(word, size, true), most) + 2 * pad);
  const edge = narrow ? 30 : 66;
  const [from, to] = shownPlaces(
    wide.map((each) => each + gap),
    now,
    data.sizes.context,
    width - 2 * edge,
  );
  let x = edge;
  const left = [];
  for (let i = from; i <= to; i++) left[i] = (x += wide[i] + gap) - wide[i] - gap;
  const whole = x - gap - edge;
  const shift = Math.max((width - whole) / 2 - edge, 0);
  for (let i = from; i <= to; i++) left[i] += shift;
  const top = at.ribbon.top;
  const base = top + high / 2 + size * 0.34;
  if (from > 0)
    pen.text(left[from] - 8, base, narrow ? `${from}…` : `${from} more …`, {
      size: 13,
      fill: colour.quiet,
      anchor: "end",
    });
  if (to < named.length - 1)
    pen.text(left[to] + wide[to] + 8, base, narrow ? "…" : `… ${named.length - 1 - to} more`, {
      size: 13,
      fill: colour.quiet,
    });
  const first = Math.max(now - data.sizes.context + 1, from);
  frame(pen, scene, at, left, wide, { from, to, first, now });
  for (let i = from; i <= to; i++) {
    const seen = i >= first && i <= now;
    const next = i === now + 1;
    const how = seen ? "seen by the model" : next ? "to be predicted" : i < now ? "not seen" : "later";
    pen.button(
      `${named[i]}, ${how}; read up to here`,
      () => go(scene, i),
      (its) => {
        its.rect(left[i], top, wide[i], high, {
          r: high / 2,
          fill: seen ? colour.input : colour.background,
          "fill-opacity": seen ? 0.14 : 1,
          stroke: seen ? colour.input : next ? colour.activation : colour.line,
          line: seen || next ? 2 : 1.2,
          dash: next ? "5 4" : null,
        });
        its.text(left[i] + wide[i] / 2, base, named[i], {
          size,
          bold: seen,
          anchor: "middle",
          room: wide[i] - 2 * pad + 1,
          fill: seen || next ? colour.ink : colour.quiet,
        });
      },
      { key: `w${i}` },
    );
  }
  if (narrow) return;
  const note = top + high + 17;
  if (first > from) {
    const room = left[first] - gap - left[from];
    const text = room > 150 ? "not seen: no effect" : "not seen";
    if (room >= textWidth(text, 13))
      pen.text(left[from] + room / 2, note, text, { size: 13, fill: colour.quiet, anchor: "middle" });
  }
  if (now + 1 <= to)
    pen.text(left[now + 1] + wide[now + 1] / 2, note, "next", { size: 13, fill: colour.activation, anchor: "middle" });
}

// The window can be taken by hand; where it stood before the hand went down there is a dashed outline.
function frame(pen, scene, at, left, wide, { from, to, first, now }) {
  const { colour, before, data } = scene;
  const { top, high } = at.ribbon;
  const box = (a, b) => [left[a] - 4, top - 4, left[b] + wide[b] - left[a] + 8, high + 8];
  const was = before ? before("place") : now;
  if (was !== now && was <= to) {
    const start = Math.max(was - data.sizes.context + 1, from);
    if (start <= was)
      pen.rect(...box(start, was), { key: "old", r: high / 2, stroke: colour.quiet, line: 1.5, dash: "5 4" });
  }
  const pitch = (left[now] + wide[now] - left[first]) / (now - first + 1);
  pen.group({ key: "window", "data-n": "place", "data-per": Math.max(pitch, 24), "data-way": "x" }, (its) => {
    its.rect(...box(first, now), {
      r: high / 2 + 4,
      stroke: colour.input,
      line: 2,
      fill: colour.input,
      "fill-opacity": 0.05,
    });
  });
}

function go({ move, values }, to) {
  if (values("place") === to) return;
  move("place", to, false);
  move("place", to, true);
}

// --- E and e --------------------------------------------------------------------------------------

function lookUp(pen, scene, at) {
  const { data, colour, narrow } = scene;
  const { context, types, width } = data.sizes;
  const now = place(scene);
  const { rows, columns } = data.table;
  const box = at.table;
  head(pen, scene, at, middle(at.words), narrow ? "" : "words", "", colour.input);
  head(pen, scene, at, middle(box), data.heads.table, `${types} × ${width}`, colour.input);
  pen.rect(box.left - 2, box.top - 2, box.wide + 4, box.high + 4, { stroke: colour.input, line: 1.5, r: 3 });
  const href = image(scene, "table", columns, rows, (i) => data.scale[data.table.shades[i]]);
  pen.node("image", {
    href,
    x: box.left,
    y: box.top,
    width: box.wide,
    height: box.high,
    preserveAspectRatio: "none",
    style: "image-rendering:pixelated",
    opacity: 0.5,
  });
  for (let k = 0; k < context; k++) {
    const id = data.ids[now * context + k];
    const [y, middleOf] = [spot(box, Math.min(id, rows - 1), rows), wordAt(at, k, context)];
    const thick = narrow ? 5 : 8;
    const into = curve(right(at.words), middleOf, box.left - 2, y);
    pen.path(into, { stroke: colour.input, width: 3, "stroke-opacity": 0.75 });
    pen.beads(into, colour.background, { width: 2 });
    const shades = data.table.shades.subarray(id * columns, (id + 1) * columns);
    if (id < rows) {
      const row = image(scene, `row ${id}`, columns, 1, (i) => data.scale[shades[i]]);
      pen.node("image", {
        href: row,
        x: box.left,
        y: y - thick / 2,
        width: box.wide,
        height: thick,
        preserveAspectRatio: "none",
        style: "image-rendering:pixelated",
      });
    }
    if (id < rows)
      pen.rect(box.left - 2, y - thick / 2 - 1, box.wide + 4, thick + 2, { stroke: colour.ink, line: 1.5, r: 2 });
    const out = curve(right(box) + 2, y, at.strips.concatenated.left, segment(at, k, context));
    pen.path(out, { stroke: colour.input, width: 4, "stroke-opacity": 0.75 });
    pen.beads(out, colour.background, { width: 2.4 });
  }
  // Where the words are many and the picture is low, every second or third is named, the last one always.
  const each = Math.ceil(16 / (at.strips.concatenated.high / context));
  for (let k = context - 1; k >= 0; k -= each) card(pen, scene, at, k);
}

const segment = (at, k, context) => at.strips.concatenated.top + ((k + 0.5) * at.strips.concatenated.high) / context;
const wordAt = segment;

function card(pen, { data, colour, narrow, values }, at, k) {
  const { context } = data.sizes;
  const now = values("@at");
  const y = wordAt(at, k, context);
  const high = Math.min(narrow ? 26 : 46, Math.max(at.strips.concatenated.high / context - 3, 14));
  const { left, wide } = at.words;
  pen.rect(left, y - high / 2, wide, high, {
    r: Math.min(10, high / 2),
    fill: colour.background,
    stroke: colour.input,
    line: 2,
  });
  const size = narrow ? 13 : Math.min(18, Math.max(13, high * 0.75));
  const word = data.window_words[now][k];
  const two = high >= 40;
  pen.text(left + wide / 2, y + (two ? -2 : size * 0.34), word, {
    size,
    bold: true,
    anchor: "middle",
    room: wide - 10,
  });
  if (two)
    pen.text(left + wide / 2, y + 15, `row ${data.ids[now * context + k] + 1}`, {
      size: 13,
      fill: colour.quiet,
      anchor: "middle",
    });
}

function sideBySide(pen, scene, at) {
  const { data, colour, hidden } = scene;
  const { context, width } = data.sizes;
  const box = at.strips.concatenated;
  head(pen, scene, at, middle(box), data.heads.side, hidden("size") ? "?" : `${context * width}`, colour.input);
  strip(pen, scene, at, "concatenated");
  for (let k = 1; k < context; k++) {
    const y = box.top + (k * box.high) / context;
    pen.rect(box.left - 4, y - 1.5, box.wide + 8, 3, { fill: colour.ink, r: 1 });
  }
}

// --- the hidden layer -----------------------------------------------------------------------------

function hiddenLayer(pen, scene, at) {
  const { data, colour, narrow, text, hidden } = scene;
  const { context, width } = data.sizes;
  const { concatenated: e, pre_activation: z, hidden: h } = at.strips;
  const now = place(scene);
  const unit = data.lines.unit[now];
  fan(pen, e, z, colour.weight);
  head(
    pen,
    scene,
    at,
    (right(e) + z.left) / 2,
    data.heads.weights,
    `${data.sizes.hidden} × ${hidden("size") ? "?" : context * width}`,
    colour.weight,
  );
  head(
    pen,
    scene,
    at,
    middle(z),
    narrow && data.heads.before === "sum" ? "Σ" : data.heads.before,
    `${data.sizes.hidden}`,
    colour.score,
  );
  head(pen, scene, at, middle(h), data.heads.hidden, `${data.sizes.hidden}`, colour.activation);
  const { cells } = data.strips.pre_activation;
  if (unit < cells)
    terms(pen, scene, {
      from: e,
      to: z,
      cells: data.strips.concatenated.cells,
      places: data.lines.inputs,
      sizes: data.lines.input_terms,
      count: data.lines.count,
      y: spot(z, unit, cells),
    });
  strip(pen, scene, at, "pre_activation", pressUnit(scene));
  strip(pen, scene, at, "hidden", pressUnit(scene));
  const y = unit < cells ? spot(z, unit, cells) : (z.top + low(z)) / 2;
  pen.text((right(z) + h.left) / 2, y - (narrow ? 8 : 11), data.heads.bend, {
    size: narrow ? 13 : 14,
    fill: colour.activation,
    anchor: "middle",
    halo: true,
  });
  const d = `M${right(z)} ${y}H${h.left}`;
  pen.path(d, { stroke: colour.activation, width: 4 });
  pen.beads(d, colour.background, { width: 2.4 });
  if (unit < cells) for (const box of [z, h]) ring(pen, box, unit, cells, colour);
  const below = Math.max(low(z), low(h)) + (narrow ? 14 : 20);
  pen.text(right(z) + 2, below, text("z"), {
    size: narrow ? 13 : 16,
    bold: true,
    fill: colour.score,
    anchor: "end",
    halo: true,
  });
  pen.text(narrow ? right(h) + 6 : h.left - 2, below, text("h"), {
    size: narrow ? 13 : 16,
    bold: true,
    fill: colour.activation,
    anchor: narrow ? "end" : "start",
    halo: true,
  });
  if (!narrow)
    pen.text((z.left + right(h)) / 2, below + 18, `unit ${unit + 1}`, {
      size: 13,
      fill: colour.quiet,
      anchor: "middle",
    });
}

const pressUnit = (scene) => (i) => scene.send({ unit: i + 1 });

function ring(pen, box, i, cells, colour) {
  const high = Math.max(box.high / cells, 5);
  pen.rect(box.left - 3, spot(box, i, cells) - high / 2 - 1, box.wide + 6, high + 2, {
    stroke: colour.ink,
    line: 2,
    r: 2,
  });
}

// All numbers of one vector go into every number of the next.
function fan(pen, from, to, role) {
  pen.path(`M${right(from)} ${from.top}L${to.left} ${to.top}V${low(to)}L${right(from)} ${low(from)}Z`, {
    fill: role,
    "fill-opacity": 0.08,
    stroke: role,
    width: 1,
    "stroke-opacity": 0.35,
  });
}

// The largest terms of one number: wide where large, in the colours of the scale.
function terms(pen, scene, { from, to, cells, places: where, sizes, count, y }) {
  const { data } = scene;
  const start = place(scene) * count;
  const largest = Math.max(...sizes.subarray(start, start + count).map(Math.abs), 1e-12);
  for (let i = 0; i < count; i++) {
    const cell = where[start + i];
    if (cell < 0 || cell >= cells) continue;
    const size = sizes[start + i];
    const shade = data.scale[Math.round((data.scale.length - 1) * (size > 0 ? 0.86 : 0.14))];
    const d = curve(right(from), spot(from, cell, cells), to.left, y);
    pen.path(d, {
      stroke: shade,
      width: 1 + (scene.narrow ? 2.4 : 4) * (Math.abs(size) / largest),
      "stroke-opacity": 0.8,
    });
    pen.beads(d, scene.colour.background, { width: 1.4 });
  }
}

// --- logits and probabilities ---------------------------------------------------------------------

function scores(pen, scene, at) {
  const { data, colour, narrow, text, hidden } = scene;
  const { logits, chances, again } = at.strips;
  const h = again ?? at.strips.hidden;
  const now = place(scene);
  const best = data.best_ids[now * data.best[now].length];
  const { cells } = data.strips.logits;
  if (again) {
    const from = at.strips.hidden;
    const d = bent(
      [
        [middle(from), low(from) + 16],
        [middle(from), low(from) + 22],
        [middle(again), low(from) + 22],
        [middle(again), again.top],
      ],
      8,
    );
    pen.path(d, { stroke: colour.activation, width: 3 });
    pen.beads(d, colour.background, { width: 2 });
    pen.text(right(again) + 6, again.top - 5, data.heads.hidden, { size: 13, bold: true, fill: colour.activation });
    strip(pen, scene, at, "again", pressUnit(scene), "hidden");
  }
  fan(pen, h, logits, colour.weight);
  headLow(
    pen,
    scene,
    at,
    (right(h) + logits.left) / 2,
    data.heads.output,
    `${data.sizes.types} × ${data.sizes.hidden}`,
    colour.weight,
  );
  headLow(pen, scene, at, middle(logits), data.heads.logits, `${data.sizes.types}`, colour.score);
  headLow(pen, scene, at, middle(chances), "ŷ", `${data.sizes.types}`, colour.activation);
  if (hidden("p1")) {
    for (const box of [logits, chances]) {
      pen.rect(box.left, box.top, box.wide, box.high, {
        fill: colour.line,
        "fill-opacity": 0.4,
        stroke: colour.quiet,
        r: 2,
        dash: "4 4",
      });
      pen.text(middle(box), box.top + box.high / 2 + 7, "?", { size: 18, bold: true, anchor: "middle" });
    }
    return;
  }
  const y = spot(logits, Math.min(best, cells - 1), cells);
  if (best < cells)
    terms(pen, scene, {
      from: h,
      to: logits,
      cells: data.strips.hidden.cells,
      places: data.lines.units,
      sizes: data.lines.unit_terms,
      count: data.lines.unit_count,
      y,
    });
  strip(pen, scene, at, "logits");
  strip(pen, scene, at, "chances");
  const d = `M${right(logits)} ${y}H${chances.left}`;
  pen.path(d, { stroke: colour.activation, width: 4 });
  pen.beads(d, colour.background, { width: 2.4 });
  if (narrow) return;
  pen.text((right(logits) + chances.left) / 2, y - 10 < logits.top + 14 ? y + 22 : y - 10, "softmax", {
    size: 14,
    fill: colour.activation,
    anchor: "middle",
    halo: true,
  });
  pen.text(logits.left - 7, y - 9 < logits.top + 14 ? y + 22 : y - 9, text("l1"), {
    size: 15,
    bold: true,
    fill: colour.score,
    anchor: "end",
    halo: true,
  });
}

function bars(pen, scene, at) {
  const { data, values, colour, hidden, narrow } = scene;
  const now = place(scene);
  const { left, wide, top, high, fits } = at.bars;
  const { chances } = at.strips;
  const real = data.words[now + 1];
  const count = data.best[now].length;
  const { cells } = data.strips.chances;
  const asked = hidden("p1");
  const rows = barRows(data.best[now], asked ? undefined : real, fits);
  const row = Math.min(high / rows.length, narrow ? 30 : 60);
  if (!narrow) headLow(pen, scene, at, left + wide / 2, "next word", "", colour.activation);
  rows.forEach(({ word, i, real: isReal }, n) => {
    const y = top + n * row;
    if (asked) {
      pen.text(left, y + row * 0.5, "?", { size: narrow ? 15 : 18, bold: true });
      pen.rect(left + 24, y + row * 0.5 - 12, wide - 24, 12, { stroke: colour.line, dash: "4 4", r: 3 });
      return;
    }
    const chance = values(i < 0 ? "pt" : `p${i + 1}`);
    const id = i < 0 ? -1 : data.best_ids[now * count + i];
    const best = i === 0;
    const bar = narrow
      ? { left: left + 58, wide: wide - 58 - 46, top: y + row / 2 - 6, high: 11 }
      : { left, wide, top: y + 22, high: Math.min(14, row - 28) };
    if (id >= 0 && id < cells) {
      const d = curve(
        right(chances),
        spot(chances, id, cells),
        narrow ? left - 4 : left - 6,
        narrow ? y + row / 2 : bar.top + bar.high / 2,
      );
      pen.path(d, { stroke: colour.activation, width: 1 + 6 * chance, "stroke-opacity": 0.3 + 0.7 * chance });
      if (best) pen.beads(d, colour.background, { width: 2.4 });
    }
    pen.rect(bar.left, bar.top, bar.wide, bar.high, { key: `whole${n}`, fill: colour.line, "fill-opacity": 0.5, r: 3 });
    pen.rect(bar.left, bar.top, Math.max(bar.wide * chance, 1.5), bar.high, {
      key: `bar${n}`,
      fill: best ? colour.mark : colour.activation,
      stroke: best ? colour.ink : null,
      line: best ? 1.2 : null,
      r: 3,
    });
    const size = narrow ? 13 : best ? 20 : 17;
    const base = narrow ? y + row / 2 + 5 : y + 16;
    const number = best || isReal ? scene.text(i < 0 ? "pt" : `p${i + 1}`) : short(chance);
    const room = narrow ? 56 : wide - textWidth(number, size, true) - 24;
    const named = `${isReal ? "✓ " : ""}${word}`;
    pen.text(left, base, named, { size, bold: best || isReal, room, fill: colour.ink });
    const note = i < 0 ? `rank ${formatNumber(values("rank"))}` : "";
    if (note && !narrow) {
      const x = left + Math.min(textWidth(named, size, true), room) + 8;
      if (x + textWidth(note, 13) < left + wide - textWidth(number, size, true) - 12)
        pen.text(x, base, note, { size: 13, fill: colour.quiet });
    }
    pen.markedText(left + wide, base, number, best, { size, bold: best || isReal, anchor: "end" });
  });
}

const short = (chance) => (chance < 0.001 ? "< 0.001" : formatNumber(Number(chance.toPrecision(2))));

// --- strips ---------------------------------------------------------------------------------------

/** One vector, standing: each cell has the colour of its number; pointing at it, or ↑ and ↓, tells the number. */
function strip(pen, scene, at, where, pressed = null, name = where) {
  const { data, colour, memory, again } = scene;
  const box = at.strips[where];
  const { numbers, cells, reach, whole } = data.strips[name];
  const start = place(scene) * cells;
  const scale = name === "chances" ? data.shares : data.scale;
  const shade = (i) => {
    const share = name === "chances" ? numbers[start + i] : (numbers[start + i] / reach + 1) / 2;
    return scale[Math.round(Math.min(Math.max(share, 0), 1) * (scale.length - 1))];
  };
  const href = image(scene, `${name} ${place(scene)}`, 1, cells, shade);
  const its =
    name === "concatenated" && scene.hidden("size")
      ? data.strips[name].name
      : `${data.strips[name].name}, ${cells < whole ? `first ${cells} of ${whole}` : whole} numbers`;
  const point = memory.point?.where === where ? memory.point.i : null;
  const node = pen.group(
    {
      key: where,
      role: "slider",
      tabindex: 0,
      class: "press",
      "aria-label": its,
      "aria-orientation": "vertical",
      "aria-valuemin": 1,
      "aria-valuemax": cells,
      "aria-valuenow": (point ?? 0) + 1,
      "aria-valuetext": told(scene, name, point ?? 0),
    },
    (inner) => {
      inner.node("image", {
        href,
        x: box.left,
        y: box.top,
        width: box.wide,
        height: box.high,
        preserveAspectRatio: "none",
        style: "image-rendering:pixelated",
      });
      inner.rect(box.left, box.top, box.wide, box.high, {
        fill: "transparent",
        stroke: colour[ROLES[name]],
        line: 1.5,
        r: 2,
      });
      if (point !== null) {
        const y = spot(box, point, cells);
        inner.path(`M${box.left - 9} ${y - 5}l8 5l-8 5z`, { fill: colour.ink, stroke: colour.background, width: 1 });
      }
    },
  );
  node.cellAt = (event) => {
    const edge = node.lastElementChild.getBoundingClientRect();
    const whole = node.querySelector("rect").getBoundingClientRect();
    const share = (event.clientY - whole.top) / (whole.height || edge.height);
    return Math.min(Math.max(Math.floor(share * cells), 0), cells - 1);
  };
  node.tell = (i) => {
    memory.point = i === null ? null : { where, name, i: Math.min(Math.max(i, 0), cells - 1) };
    again();
  };
  node.take = pressed;
  node.now = () => (memory.point?.where === where ? memory.point.i : 0);
  if (node.hears) return;
  node.hears = true;
  node.addEventListener("pointermove", (event) => node.tell(node.cellAt(event)));
  node.addEventListener("pointerleave", () => node.tell(null));
  node.addEventListener("focus", () => node.matches(":focus-visible") && node.tell(0));
  node.addEventListener("blur", () => node.tell(null));
  node.addEventListener("click", (event) => node.take?.(node.cellAt(event)));
  node.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (by) node.tell(node.now() + by);
    else if (event.key === "Enter" && node.take) node.take(node.now());
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** A number of a strip in words. */
function told({ data, values }, name, i) {
  const { numbers, cells, name: letter } = data.strips[name];
  const now = values("@at");
  const value = formatNumber(numbers[now * cells + i]);
  if (name !== "concatenated") return `${letter}, number ${i + 1}: ${value}`;
  const each = cells / data.sizes.context;
  const word = Math.floor(i / each);
  return `${letter}, number ${word * data.sizes.width + (i % each) + 1}, from ${data.window_words[now][word]}: ${value}`;
}

// A small picture of coloured cells, kept until the data changes.
function image({ memory }, key, columns, rows, shade) {
  if (!memory.images.has(key)) {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [columns, rows];
    const ink = canvas.getContext("2d");
    for (let i = 0; i < columns * rows; i++) {
      ink.fillStyle = shade(i);
      ink.fillRect(i % columns, Math.floor(i / columns), 1, 1);
    }
    memory.images.set(key, canvas.toDataURL());
  }
  return memory.images.get(key);
}

// --- what stands around ---------------------------------------------------------------------------

function head(pen, { narrow, colour }, at, x, letter, shape, fill) {
  pen.text(x, at.head, letter, { size: narrow ? 13 : 17, bold: true, fill, anchor: "middle", halo: true });
  if (!narrow && shape) pen.text(x, at.head + 18, shape, { size: 13, fill: colour.quiet, anchor: "middle" });
}

function headLow(pen, scene, at, x, letter, shape, fill) {
  head(pen, scene, { ...at, head: at.headLow ?? at.head }, x, letter, shape, fill);
}

function foot(pen, scene, at) {
  const { data, colour, memory, width, narrow, hidden } = scene;
  const now = place(scene);
  const y = at.foot;
  const best = hidden("p1") ? "the best word" : data.best[now][0];
  const point =
    memory.point && !(hidden("p1") && ["logits", "chances"].includes(memory.point.name)) ? memory.point : null;
  const parts = Object.values(data.strips).some(({ cells, whole }) => cells < whole);
  const rest =
    parts && !narrow
      ? `Of each vector and of ${data.heads.table} the first numbers are drawn. Point at a strip to read it.`
      : narrow
        ? "Tap a strip to read its numbers"
        : `Lines: the largest terms of unit ${data.lines.unit[now] + 1} and of ${best}; red adds, blue subtracts. Point at a strip to read it.`;
  const key = narrow ? 0 : 276;
  pen.text(narrow ? 8 : 16, y, point ? told(scene, point.name, point.i) : rest, {
    size: narrow ? 13 : 14,
    bold: Boolean(point),
    fill: point ? colour.ink : colour.quiet,
    room: width - key - 30,
  });
  if (narrow) return;
  const x = width - key;
  const bar = (name, left, colours) =>
    pen.node("image", {
      key: name,
      href: image(scene, name, colours.length, 1, (i) => colours[i]),
      x: left,
      y: y - 11,
      width: 70,
      height: 12,
      preserveAspectRatio: "none",
    });
  pen.text(x, y, "−", { size: 14, fill: colour.quiet, anchor: "end" });
  bar("signed", x + 5, data.scale);
  pen.text(x + 80, y, "+  signed", { size: 13, fill: colour.quiet });
  pen.text(x + 160, y, "0", { size: 13, fill: colour.quiet, anchor: "end" });
  bar("shares", x + 165, data.shares);
  pen.text(x + 240, y, "1", { size: 13, fill: colour.quiet });
}

function curve(x1, y1, x2, y2) {
  const bend = (x2 - x1) / 2;
  const at = (value) => Math.round(value * 10) / 10;
  return `M${at(x1)} ${at(y1)}C${at(x1 + bend)} ${at(y1)} ${at(x2 - bend)} ${at(y2)} ${at(x2)} ${at(y2)}`;
}
