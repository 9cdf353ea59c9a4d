// One step of the unrolled network as a column, from small to large: below the word and its embedding, in the
// middle the cell with its hidden state, above the next word's probabilities and, once it came, its loss.

import { drawSvg } from "../../ui/browser/dom.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { bent, textWidth } from "../../ui/browser/pen.js";
import { stripAt } from "./chain.js";

/** @import { HeatStrip, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["unrolled"]} Data */

const DIM = 0.18;
const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";
const sub = (number) => String(number).replace(/\d/g, (digit) => SUBSCRIPTS[digit]);
const between = (a, b, part) => a + (b - a) * part;
/** Two digits where two suffice. */
const short = (value) => (value > 0 && value < 0.005 ? "<0.01" : value.toFixed(2).replace("-", "−"));

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 * @param {any} column
 */
export function drawColumn(pen, scene, column) {
  const { step, x, seen, big, place } = column;
  const data = /** @type {Data} */ (scene.data);
  const done = (phase) => step < place.step || (step === place.step && place.phase >= data.phases.indexOf(phase));
  const of = { ...column, t: step - 1, done, fade: Math.max(0, (big - 0.6) / 0.4), current: step === place.step };
  const node = pen.group(
    { key: `step${step}`, transform: `translate(${x.toFixed(2)} 0)`, opacity: seen < 1 ? seen : null, class: "press" },
    (its) => {
      its.rect(0, column.rows.bars.top, column.wide, column.rows.word.foot - column.rows.bars.top, {
        fill: scene.colour.background,
        "fill-opacity": 0,
      });
      for (const [name, how] of Object.entries(PARTS)) {
        its.group({ key: name, opacity: scene.dim(name) ? DIM : null }, (part) => how(part, scene, of));
      }
    },
  );
  node.onclick = (event) => {
    const unit = /** @type {HTMLElement} */ (event.target).dataset.unit;
    if (unit) column.open(Number(unit));
    else if (!of.current) column.press();
  };
}

const PARTS = { word, embedding, cell, output, loss };

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function word(pen, { data, colour, values }, { t, wide, rows, big, done, small, fade, current }) {
  const { top, foot } = rows.word;
  const size = big > 0.5 ? 18 : 14;
  const text = data.words[t];
  if (big > 0.5) {
    const width = Math.min(Math.max(textWidth(text, size, true) + 28, 70), wide - 8);
    pen.rect((wide - width) / 2, top + 1, width, foot - top - 2, {
      r: (foot - top) / 2,
      fill: colour.background,
      stroke: colour.input,
      line: 2,
    });
    const id = String(data.ids[t]);
    const [x, y] = [(wide + width) / 2 + 8, foot - (foot - top - 14) / 2 - 2];
    if (fade && x + textWidth(`id ${id}`, 14) + 10 < wide) {
      pen.text(x, y, "id", { key: "id", size: 14, fill: colour.quiet, opacity: fade });
      const marked = current && values("@phase") === data.phases.indexOf("x");
      pen.group({ key: "number", opacity: fade }, (its) =>
        its.markedText(x + textWidth("id", 14) + 8, y, id, marked, { size: 14, bold: true, fill: colour.input }),
      );
    }
  }
  pen.text(wide / 2, foot - (foot - top - size) / 2 - size * 0.16, text, {
    size,
    bold: big > 0.5,
    fill: done("x") ? colour.input : colour.quiet,
    anchor: "middle",
    room: big > 0.5 ? wide - 30 : small - 5,
  });
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function embedding(pen, { data, colour }, { t, wide, rows, big, done, fade }) {
  const { top, foot } = rows.embedding;
  const width = between(Math.min(wide - 14, 60), Math.min(wide * 0.66, 230), big);
  const left = (wide - width) / 2;
  if (!done("e")) {
    pen.rect(left, top, width, foot - top - 3, { key: "open", r: 2, stroke: colour.line, dash: "3 3", line: 1 });
    return;
  }
  strip(pen, data.e, t, data.scale, { left, top, wide: width, high: foot - top - 3 }, true);
  const y = rows.along.foot - 3;
  const d = `M${wide / 2} ${y}V${rows.along.top + 6}`;
  pen.path(d, { key: "up", stroke: colour.weight, width: 2 + big, "stroke-opacity": 0.6 });
  pen.head(wide / 2, rows.along.top + 2, -90, colour.weight, 7);
  if (fade) {
    pen.beads(d, colour.input, { key: "beads" });
    pen.text(wide / 2 + 9, (y + rows.along.top) / 2 + 6, "Wₓ", {
      key: "weight",
      size: 15,
      bold: true,
      fill: colour.weight,
      opacity: fade,
    });
    pen.text(left - 8, foot - 4, `e${sub(t + 1)}`, {
      key: "name",
      size: 15,
      bold: true,
      fill: colour.input,
      anchor: "end",
      opacity: fade,
    });
    const part = data.e.shown < data.e.size ? `${data.e.shown} of ${data.e.size}` : `${data.e.size}`;
    if (left + width + 8 + textWidth(part, 13) < wide)
      pen.text(left + width + 8, foot - 4, part, { key: "part", size: 13, fill: colour.quiet, opacity: fade });
  }
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function cell(pen, scene, of) {
  const { data, colour } = scene;
  const { t, wide, rows, big, done, fade } = of;
  const { top, foot } = rows.cell;
  const ready = done("h");
  const [left, right] = [between(7, 3, big), wide - between(7, 3, big)];
  pen.rect(left, top, right - left, foot - top, {
    r: between(8, 14, big),
    fill: colour.activation,
    "fill-opacity": ready ? 0.06 : 0,
    stroke: ready ? colour.activation : colour.line,
    line: ready ? 1.5 + 0.8 * big : 1,
    dash: ready ? null : "4 4",
  });
  if (fade)
    pen.text(left + 8, (top + foot) / 2 - 9, "Wₕ", {
      key: "past",
      size: 15,
      bold: true,
      fill: colour.weight,
      opacity: fade,
    });
  if (!ready) return;
  const width = between(16, 26, big);
  const middle = stripAt(of);
  const gap = between(7, 9, big);
  const place = { left: middle - width / 2, top: top + gap, wide: width, high: foot - top - 2 * gap };
  strip(pen, data.h, t, data.scale, place, false);
  const y = frame(pen, scene, place);
  const d = `M${middle} ${top}V${rows.up.top + 8}`;
  if (done("y")) {
    pen.path(d, { key: "up", stroke: colour.weight, width: 2 + big, "stroke-opacity": 0.6 });
    pen.head(middle, rows.up.top + 3, -90, colour.weight, 7);
  }
  if (!fade) return;
  if (done("y")) {
    pen.beads(d, colour.activation, { key: "beads" });
    pen.text(middle - 9, (rows.up.top + rows.up.foot) / 2 + 7, "U", {
      key: "weight",
      size: 15,
      bold: true,
      fill: colour.weight,
      anchor: "end",
      opacity: fade,
    });
  }
  pen.group({ key: "unit", opacity: fade }, (its) =>
    unit(its, scene, of, { left: left + 34, right: place.left - 14, top, foot, y }),
  );
}

// The chosen unit is framed in the strip; its height, where the strip shows it.
function frame(pen, { data, colour }, { left, top, wide, high }) {
  if (data.unit > data.h.shown) return null;
  const each = high / data.h.shown;
  const y = top + each * (data.unit - 0.5);
  const tall = Math.max(each, 3) + 3;
  pen.rect(left - 2, y - tall / 2, wide + 4, tall, { key: "frame", stroke: colour.ink, line: 1.6, r: 2 });
  return y;
}

/**
 * One unit of the state: what comes from the past, from the word and from the bias, their sum, and its tanh.
 *
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function unit(pen, { data, values, hidden, narrow, colour }, { t, current }, { left, right, top, foot, y }) {
  const rows = [
    ["wh", `Wₕh${sub(t)}`, colour.activation],
    ["wx", `Wₓe${sub(t + 1)}`, colour.input],
    ["b", "b", colour.weight],
    ["z", "z", colour.score],
    ["h", `h${sub(t + 1)}`, colour.activation],
  ];
  const number = (name) => data.table[t * data.names.length + data.names.indexOf(name)];
  const [labels, numbers] = [narrow ? 40 : 50, 44];
  const middle = (left + labels + right - numbers) / 2;
  const half = (right - numbers - left - labels) / 2 - 2;
  const scale = half / Math.max(1, ...rows.map(([name]) => Math.abs(number(name))));
  const high = (foot - top - 24) / rows.length;
  pen.text(left, top + 17, `unit ${data.unit} of ${data.h.size}`, { size: 13, fill: colour.quiet });
  rows.forEach(([name, label, role], i) => {
    const line = top + 22 + high * (i + 0.5);
    const value = number(name);
    pen.text(left, line + 5, label, { size: 14, fill: role });
    const wide = value * scale;
    if (!hidden(name))
      pen.rect(
        middle + Math.min(wide, 0),
        line - Math.min(high, 14) / 2 + 1,
        Math.max(Math.abs(wide), 1.5),
        Math.min(high, 14) - 2,
        { key: `bar${name}`, fill: role, r: 2 },
      );
    const marked = name === "h" && current && values("@phase") === data.phases.indexOf("h");
    pen.markedText(right - 4, line + 5, hidden(name) ? "?" : short(value), marked, {
      key: `number${name}`,
      size: 15,
      bold: i > 2,
      fill: role,
      anchor: "end",
    });
  });
  pen.line(middle, top + 26, middle, foot - 6, { stroke: colour.line, width: 1 });
  const last = top + 22 + high * 4.5;
  if (y !== null)
    pen.path(
      bent(
        [
          [right + 1, last],
          [right + 6, last],
          [right + 6, y],
          [right + 12, y],
        ],
        3,
      ),
      { key: "link", stroke: colour.activation, width: 1.5 },
    );
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function output(pen, scene, of) {
  const { data, colour, values } = scene;
  const { t, x, wide, rows, big, done, fade, current } = of;
  const { top, foot } = rows.output;
  if (!done("y")) {
    if (fade)
      pen.rect(8, top, wide - 16, foot - top, {
        key: "open",
        r: 8,
        stroke: colour.line,
        dash: "4 4",
        line: 1,
        opacity: fade,
      });
    return;
  }
  const words = data.choices[t];
  const asked = current && scene.hidden("y");
  const chances = words.map((_, i) => data.chances[t * words.length + i]);
  const next = data.words[t + 1];
  const came = done("J") && next !== undefined;
  const other = came && !words.includes(next);
  const pitch = between(8, (foot - top) / (words.length + 1), big);
  const first = between(foot - 5 * 8 - 2, top, big);
  const left = between(7, Math.min(110, wide * 0.34), big);
  const room = between(wide - 14, wide - left - 56, big);
  if (big < 0.4) {
    pen.text(wide / 2, first - 20, words[0], {
      key: "first",
      size: 13,
      bold: true,
      fill: colour.activation,
      anchor: "middle",
      room: wide - 4,
    });
    pen.text(wide / 2, first - 4, short(chances[0]), {
      key: "chance",
      size: 13,
      fill: colour.activation,
      anchor: "middle",
    });
  }
  if (asked) {
    pen.text(wide / 2, (top + foot) / 2 + 14, "?", {
      key: "asked",
      size: 44,
      bold: true,
      fill: colour.activation,
      anchor: "middle",
    });
    return;
  }
  const row = (i, name, chance, role) => {
    const y = first + pitch * i;
    const high = between(6, Math.min(pitch - 3, 15), big);
    pen.rect(left, y + (pitch - high) / 2, room, high, {
      key: `room${i}`,
      fill: colour.line,
      "fill-opacity": 0.35,
      r: 2,
    });
    pen.rect(left, y + (pitch - high) / 2, Math.max(room * chance, 1), high, { key: `bar${i}`, fill: role, r: 2 });
    if (!fade) return;
    const base = y + pitch / 2 + 5;
    const named =
      current &&
      (values("@phase") === data.phases.indexOf("y")
        ? i === 0
        : came && name === next && values("@phase") === data.phases.indexOf("J"));
    pen.text(left - 7, base, name, {
      key: `word${i}`,
      size: 15,
      bold: came && name === next,
      fill: role,
      anchor: "end",
      room: left - 10,
      opacity: fade,
    });
    pen.group({ key: `p${i}`, opacity: fade }, (its) =>
      its.markedText(left + room + 7, base, short(chance), named && !came, { size: 15, bold: true, fill: role }),
    );
    const note = "came next";
    const after = left + room + 14 + textWidth(short(chance), 15, true);
    if (came && name === next && x + after + textWidth(note, 14) < scene.width - 4)
      pen.text(after, base, note, { key: "came", size: 14, fill: role, opacity: fade });
  };
  words.forEach((name, i) => row(i, name, chances[i], came && name === next ? colour.loss : colour.activation));
  if (other && fade) row(words.length, next, Math.exp(-data.losses[t]), colour.loss);
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function loss(pen, scene, { t, wide, rows, big, done, fade, current, small }) {
  const { data, colour } = scene;
  const value = data.losses[t];
  const base = rows.loss.top + 16;
  if (!done("J")) {
    if (fade && done("y"))
      pen.text(wide / 2, base, `ŷ${sub(t + 1)}: the next word?`, {
        key: "ask",
        size: 16,
        fill: colour.activation,
        anchor: "middle",
        opacity: fade,
      });
    return;
  }
  const known = !Number.isNaN(value) && !(current && scene.hidden("J"));
  const text = known ? short(value) : "?";
  if (fade) {
    const label = wide > 260 ? `loss J(${t + 1}) =` : `J(${t + 1}) =`;
    const size = 16;
    const x = Math.max((wide - textWidth(label, size) - 8 - textWidth(text, size, true)) / 2, 2);
    pen.text(x, base, label, { key: "label", size, fill: colour.loss, opacity: fade });
    const marked = known && current && scene.values("@phase") === data.phases.indexOf("J");
    pen.group({ key: "number", opacity: fade }, (its) =>
      its.markedText(x + textWidth(label, size) + 8, base, text, marked, { size, bold: true, fill: colour.loss }),
    );
  } else pen.text(wide / 2, base, text, { key: "small", size: 13, fill: colour.loss, anchor: "middle" });
  const room = rows.bars.foot - rows.bars.top;
  if (!known || room < 8) return;
  const high = Math.max((room * value) / highest(data), 1);
  pen.rect(wide / 2 - small * 0.2, rows.bars.foot - high, small * 0.4, high, {
    key: "bar",
    fill: colour.loss,
    r: 2,
    "fill-opacity": between(0.75, 1, big),
  });
}

const highest = (data) => (data.highest ??= Math.max(1, ...[...data.losses].filter(Number.isFinite)));

/**
 * The cells of a vector at one step, in a row or in a column; each tells its number.
 *
 * @param {Pen} pen
 * @param {HeatStrip} its
 */
function strip(pen, its, t, scale, { left, top, wide, high }, across) {
  const each = (across ? wide : high) / its.shown;
  pen.group({ key: its.letter, "shape-rendering": "crispEdges" }, (cells) => {
    for (let i = 0; i < its.shown; i++) {
      const value = its.values[t * its.shown + i];
      const share = Math.min(Math.max(value / its.reach, -1), 1);
      const fill = scale[Math.round(((share + 1) / 2) * (scale.length - 1))];
      const node = across
        ? cells.rect(left + each * i, top, each, high, { fill, r: null })
        : cells.rect(left, top + each * i, wide, each, { fill, r: null, "data-unit": i + 1 });
      const tip = `${its.letter}${sub(t + 1)}, unit ${i + 1}: ${formatNumber(value)}`;
      if (node.textContent !== tip) node.replaceChildren(drawSvg("title", {}, null, tip));
    }
  });
}
