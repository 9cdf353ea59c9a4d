// A Transformer with 244 weights on one screen: every weight and every number of a text, at every recorded step of its
// training. Pointing at a number shows what it is computed from; a weight that is pressed follows the slider.

import { line } from "../../ui/browser/d3.js";
import { mainPicture } from "../../ui/browser/main_picture.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { floats } from "../../ui/browser/packing.js";
import { textWidth } from "../../ui/browser/pen.js";
import { signs } from "../shared/signs.js";
import { tell, weightLabel } from "./tiny_arithmetic.js";
import { arrows, cells, frame, title } from "./tiny_cells.js";
import { PAGES, cellAt, cellBeside, places } from "./tiny_places.js";

/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Component, Scripts } from "../../ui/browser/types.js" */

/** @typedef {Scripts["tiny"]} Data */

const DIM = 0.18;
const PER = 60; // units of the drawing that move a weight by 1
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {Component<Data>} component */
export default function tiny(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const { memory, data, width, height } = scene;
    const now = state(scene);
    const at = places(width, height, data.grids, memory.page);
    const part = (key, how, name = key) => pen.group({ key, opacity: scene.dim(name) ? DIM : null }, how);
    for (const panel of at.panels) part(panel.key, (its) => backdrop(its, scene, panel));
    paintCells(pen, scene, at, now);
    for (const panel of at.panels)
      part(`${panel.key} names`, (its) => names(its, scene, matricesOf(at, panel)), panel.key);
    pen.group({ key: "arrows" }, (its) => arrows(its, at, scene.colour));
    pen.group({ key: "marks", "pointer-events": "none" }, (its) => marks(its, scene, at, now));
    if (at.panels.length) cover(pen, scene, at, now);
    if (at.whole) chips(pen, scene);
    else pages(pen, scene);
    if (at.list) list(pen, scene, at.list);
    const { curve: below, bars: beside } = at;
    if (below) part("curve", (its) => curve(its, scene, below));
    if (beside) part("bars", (its) => bars(its, scene, beside, now));
    if (at.foot.lines) part("foot", (its) => foot(its, scene, at, now));
  });
}

// The numbers as they stand: those of the recorded step, or of the slider of the weight.
function state({ data, final: values, memory, moved }) {
  if (memory.data !== data) {
    const grids = Object.fromEntries(data.grids.map((grid) => [grid.name, grid]));
    const first = data.grids.find((grid) => grid.kind !== "weight").start;
    const turned = new Map(Array.from(data.turned, (index, n) => [index, n]));
    Object.assign(memory, {
      data,
      grids,
      first,
      turned,
      recorded: floats(data.early, data.late),
      swept: floats(data.swept),
      ids: data.tokens.map((each) => data.words.indexOf(each)),
    });
    memory.page ??= 0;
    if (
      memory.over &&
      !(
        memory.over.name in grids &&
        memory.over.i < grids[memory.over.name].rows &&
        memory.over.j < grids[memory.over.name].columns
      )
    )
      memory.over = null;
  }
  const { grids, first } = memory;
  const step = Math.min(
    Math.max(Math.round(values("step") / data.every), 0),
    data.curve.length / data.texts.length - 1,
  );
  const row = memory.recorded.subarray(step * data.size, (step + 1) * data.size);
  const byHand = moved === "w" && step * data.every === data.at;
  const place = byHand ? nearest(data.positions, values("w")) : 0;
  const { turned, swept } = memory;
  const chosen = placeOf(data.weight);
  const get = (name, i, j) => {
    const grid = grids[name];
    const index = grid.start + i * grid.columns + j;
    if (byHand && turned.has(index - first)) return swept[place * turned.size + turned.get(index - first)];
    return byHand && name === chosen.name && i === chosen.i && j === chosen.j ? values("w") : row[index];
  };
  return { stamp: `${step} ${byHand ? values("w") : ""}`, chosen, get, grids, ids: memory.ids };
}

function nearest(positions, value) {
  let best = 0;
  positions.forEach((each, i) => Math.abs(each - value) < Math.abs(positions[best] - value) && (best = i));
  return best;
}

/** WQ[1,2] as a cell, from 0. */
function placeOf(text) {
  const [, name, row, column] = /** @type {RegExpMatchArray} */ (text.match(/^(\w+)\[(\d+),(\d+)\]$/));
  return { name, i: Number(row) - 1, j: Number(column) - 1 };
}

const weightAt = ({ name, i, j }) => `${name}[${i + 1},${j + 1}]`;
const same = (a, b) => a?.name === b?.name && a?.i === b?.i && a?.j === b?.j;

// --- the matrices --------------------------------------------------------------------------------

function backdrop(pen, { colour }, panel) {
  pen.rect(panel.left, panel.top, panel.right - panel.left, panel.bottom - panel.top, {
    r: 8,
    fill: colour.quiet,
    "fill-opacity": 0.06,
  });
  pen.text(panel.left + 7, panel.top + 15, panel.title, { size: 14, bold: true, room: panel.right - panel.left - 8 });
}

const matricesOf = (at, panel) => Object.values(at.placed).filter((its) => its.x >= panel.left && its.x < panel.right);

function paintCells(pen, scene, at, now) {
  const { width, height, data, colour, memory, hidden, dim } = scene;
  const panelOf = Object.fromEntries(
    at.panels.flatMap((panel) => matricesOf(at, panel).map((its) => [its.name, panel.key])),
  );
  if (memory.shown !== data) Object.assign(memory, { shown: data, turn: (memory.turn ?? 0) + 1 });
  const dims = at.panels.map((panel) => Number(dim(panel.key))).join("");
  const stamp = [memory.turn, now.stamp, memory.page, width, height, colour.ink, hidden("p"), dims].join(" ");
  cells(pen, Object.values(at.placed), {
    width,
    height,
    stamp,
    data,
    colour,
    get: now.get,
    covered: (name) => name === "p" && hidden("p"),
    faint: (name) => (dim(panelOf[name]) ? DIM : 1),
  });
}

function names(pen, scene, matrices) {
  for (const its of matrices) frame(pen, its, scene.colour);
  for (const its of matrices) labels(pen, scene, its);
}

// The words before the rows of the first column, and above the columns of U.
function labels(pen, { colour, data }, its) {
  const { grid } = its;
  if (its.name === "U")
    data.words.forEach((word, j) =>
      pen.text(its.x + (j + 0.5) * its.pitch, its.y - 5, word, {
        key: `column ${j}`,
        size: 13,
        anchor: "middle",
        fill: colour.quiet,
      }),
    );
  const words =
    its.name === "E" ? data.words : its.name === "P" ? Array.from({ length: grid.rows }, (_, i) => `${i + 1}`) : null;
  const before = words ?? (its.labelled && grid.kind !== "weight" ? data.tokens : []);
  before.forEach((word, i) => {
    const here = grid.kind !== "weight" && i === data.place;
    pen.text(its.x - 5, its.y + (i + 0.5) * its.row + 4, word, {
      key: `${its.name} row ${i}`,
      size: 13,
      anchor: "end",
      bold: here,
      fill: here ? colour.ink : colour.quiet,
    });
  });
}

// What is pointed at and its operands, the row that predicts, the weight that has the slider, what was edited.
function marks(pen, scene, at, now) {
  const { colour, data, memory } = scene;
  const { placed } = at;
  const outline = (key, name, [i, k], [j, l], how) => {
    const its = placed[name];
    if (its)
      pen.rect(its.x + j * its.pitch - 0.5, its.y + i * its.row - 0.5, (l - j) * its.pitch, (k - i) * its.row, {
        key,
        r: 3,
        ...how,
      });
  };
  for (const its of Object.values(placed)) {
    if (its.grid.kind !== "weight")
      outline(`row ${its.name}`, its.name, [data.place, data.place + 1], [0, its.grid.columns], {
        stroke: colour.ink,
        line: 1.2,
      });
  }
  data.edits.forEach((edit) => {
    const { name, i, j } = placeOf(edit.split(" ")[1]);
    const its = placed[name];
    if (its)
      pen.path(`M${its.x + (j + 1) * its.pitch - 8} ${its.y + i * its.row}h7v7z`, {
        key: `edit ${edit}`,
        fill: colour.gradient,
        stroke: "none",
      });
  });
  const { name, i, j } = now.chosen;
  outline("chosen", name, [i, i + 1], [j, j + 1], { stroke: colour.gradient, line: 3 });
  if (!memory.over) return;
  for (const each of told(scene, now, memory.over).operands) {
    const key = `${each.name} ${each.i} ${each.j}`;
    outline(`under ${key}`, each.name, each.i, each.j, { stroke: colour.mark, line: 6 });
    outline(`operand ${key}`, each.name, each.i, each.j, { stroke: colour.ink, line: 2 });
  }
  const over = memory.over;
  outline("over", over.name, [over.i, over.i + 1], [over.j, over.j + 1], { stroke: colour.ink, line: 3.5 });
}

const told = ({ data }, now, cell) => tell(cell, { ...data, ids: now.ids }, now.grids, now.get);

// --- the hand ------------------------------------------------------------------------------------

// What takes the pointer and the keys: the cell that is pointed at, the weight that is pressed or dragged.
function cover(pen, scene, at, now) {
  const { memory, again, data, values, send, move } = scene;
  const label = memory.over
    ? spoken(scene, now, memory.over)
    : "All numbers: the arrow keys move from one to the next, Enter chooses a weight or a word";
  const right = at.panels[at.panels.length - 1].right;
  const node = /** @type {any} */ (
    pen.rect(at.left, at.top, right - at.left, at.bottom - at.top, {
      key: "cover",
      fill: "transparent",
      role: "button",
      tabindex: 0,
      "aria-label": label,
      "data-arrows": "",
      "data-cover": "",
      class: "press",
      stroke: null,
    })
  );
  const point = (cell) => {
    if (same(cell, memory.over)) return;
    memory.over = cell;
    again();
  };
  const under = (event) => {
    const frame = node.getBoundingClientRect();
    const scale = node.width.baseVal.value / frame.width;
    return cellAt(
      at.placed,
      node.x.baseVal.value + (event.clientX - frame.left) * scale,
      at.top + (event.clientY - frame.top) * scale,
    );
  };
  const choose = (cell) => {
    if (!cell) return;
    const weight = now.grids[cell.name].kind === "weight";
    if (weight && !same(cell, now.chosen)) send({ weight: weightAt(cell) });
    if (!weight && cell.i !== data.place) send({ place: cell.i + 1 });
  };
  node.onpointerdown = (event) => {
    const cell = under(event);
    point(cell);
    if (event.button || !same(cell, now.chosen)) return;
    memory.held = { x: event.clientX, value: values("w"), moved: false };
    node.setPointerCapture(event.pointerId);
  };
  node.onpointermove = (event) => {
    const held = memory.held;
    if (!held) return point(under(event));
    if (!held.moved && Math.abs(event.clientX - held.x) < 3) return;
    held.moved = true;
    held.last = held.value + (event.clientX - held.x) / PER;
    move("w", held.last, false);
  };
  node.onpointerup = () => {
    if (memory.held?.moved) move("w", memory.held.last, true);
    memory.dragged = memory.held?.moved;
    memory.held = null;
  };
  node.onpointercancel = () => (memory.held = null);
  node.onpointerleave = () => memory.held || point(null);
  node.onclick = (event) => {
    if (!memory.dragged) choose(under(event));
    memory.dragged = false;
  };
  node.onfocus = () => node.matches(":focus-visible") && point(memory.over ?? { name: "x", i: data.place, j: 0 });
  node.onkeydown = (event) => {
    const way = WAYS[event.key];
    const first = { name: Object.keys(at.placed)[0], i: 0, j: 0 };
    const from = memory.over && memory.over.name in at.placed ? memory.over : first;
    if (way) point(cellBeside(at.placed, from, way[0], way[1]));
    else if (event.key === "Enter" || event.key === " ") choose(memory.over);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function spoken(scene, now, cell) {
  const { say, terms } = told(scene, now, cell);
  return `${say.replaceAll("^", " ")} ${terms.join(" ")}`;
}

// --- what stands around the matrices --------------------------------------------------------------

// The four sentences, each with its loss; pressed, it is followed.
function chips(pen, scene) {
  let x = 8;
  scene.data.texts.forEach((text, i) => {
    const wide = 1.06 * textWidth(text, 14, i === scene.data.followed) + 76; // bold letters are wider than they are measured
    chip(pen, scene, i, { x, y: 5, wide });
    x += wide + 7;
  });
  if (scene.width - x > 200) legend(pen, scene, x + 8);
}

function list(pen, scene, { left, top, wide }) {
  scene.data.texts.forEach((_, i) => chip(pen, scene, i, { x: left, y: top + 32 * i, wide }));
}

function chip(pen, { data, colour, values, send }, i, { x, y, wide }) {
  const here = i === data.followed;
  pen.button(
    `Follow “${data.texts[i]}”`,
    () => send({ sentence: i }),
    (its) => {
      its.rect(x, y, wide, 25, {
        r: 12,
        fill: colour.background,
        stroke: here ? colour.ink : colour.line,
        line: here ? 2 : 1.2,
      });
      its.text(x + 11, y + 17, data.texts[i], { size: 14, bold: here });
      its.text(x + wide - 11, y + 17, formatNumber(values(`l${i + 1}`)), {
        size: 14,
        bold: true,
        fill: colour.loss,
        anchor: "end",
      });
    },
    { key: `sentence ${i}`, chosen: here },
  );
}

function legend(pen, { colour, data }, x) {
  pen.group({ key: "legend" }, (its) => {
    its.rect(x, 10, 20, 15, { r: 5, stroke: colour.weight, line: 1.6 });
    its.text(x + 25, 22, "weight", { size: 13, fill: colour.quiet });
    signs(its, { x: x + 80, y: 22, fills: data.signed[0] });
  });
}

// The parts of a narrow drawing.
function pages(pen, { width, colour, memory, again }) {
  const sizes = PAGES.map(({ title }) => textWidth(title, 14, true));
  const more = (width - 12 - sizes.reduce((sum, each) => sum + each, 0)) / PAGES.length;
  let x = 6;
  PAGES.forEach(({ title }, n) => {
    const here = n === memory.page;
    const [from, wide] = [x, sizes[n] + more];
    pen.button(
      `Show ${title}`,
      () => ((memory.page = n), (memory.over = null), again()),
      (tab) => {
        tab.rect(from + 1, 4, wide - 2, 29, {
          r: 8,
          fill: here ? colour.ink : colour.background,
          stroke: here ? colour.ink : colour.line,
        });
        tab.text(from + wide / 2, 23, title, {
          size: 14,
          bold: here,
          anchor: "middle",
          fill: here ? colour.background : colour.ink,
        });
      },
      { key: `page ${n}`, chosen: here },
    );
    x += wide;
  });
}

// The loss of each sentence during the training; its handle is the step.
function curve(pen, { data, colour, values, memory }, { left, top, wide, high }) {
  const count = data.texts.length;
  const steps = data.curve.length / count;
  const last = (steps - 1) * data.every;
  const [from, across] = [left + 24, wide - 36];
  const [head, base] = [top + 20, top + high - 18];
  const most = Math.max(...data.curve, 0.5);
  const x = (step) => from + (step / last) * across;
  const y = (loss) => base - (loss / most) * (base - head);
  pen.text(left, top + 12, "Loss, nats per token (dashed: ln 2 / 4, the least)", {
    size: 13,
    bold: true,
    fill: colour.loss,
    room: wide,
  });
  pen.line(from, base, from + across, base, { key: "axis", stroke: colour.line });
  pen.line(from, y(data.floor), from + across, y(data.floor), {
    key: "floor",
    stroke: colour.quiet,
    width: 1.2,
    dash: "4 3",
  });
  pen.text(from - 6, head + 8, most.toFixed(1), { key: "most", size: 13, anchor: "end", fill: colour.quiet });
  if (memory.curve !== data.curve || memory.curveAt !== `${left} ${top} ${wide} ${high}`) {
    const path = (k) =>
      line()
        .x((_, n) => x(n * data.every))
        .y((_, n) => y(data.curve[n * count + k]))(Array.from({ length: steps }));
    Object.assign(memory, {
      curve: data.curve,
      curveAt: `${left} ${top} ${wide} ${high}`,
      paths: data.texts.map((_, k) => path(k)),
    });
  }
  memory.paths.forEach((d, k) =>
    pen.path(d, {
      key: `loss ${k}`,
      stroke: colour.loss,
      width: k === data.followed ? 2.5 : 1,
      "stroke-opacity": k === data.followed ? 1 : 0.55,
    }),
  );
  data.edits.forEach((edit) => {
    const at = x(Number(edit.split(" ")[0]));
    pen.path(`M${at - 4} ${head}h8l-4 7z`, { key: `edit ${edit}`, fill: colour.gradient, stroke: "none" });
  });
  const step = values("step");
  const here = Math.min(Math.max(x(step), from + 24), from + across - 24);
  for (const end of [0, last]) {
    if (Math.abs(x(end) - here) > 50)
      pen.text(x(end), base + 15, `${end}`, {
        key: `step ${end}`,
        size: 13,
        anchor: end ? "end" : "start",
        fill: colour.quiet,
      });
  }
  pen.group({ key: "handle", "data-n": "step", "data-per": across / last, "data-way": "x" }, (handle) => {
    handle.rect(x(step) - 12, head - 4, 24, base - head + 8, { fill: "transparent" });
    handle.line(x(step), head - 2, x(step), base, { stroke: colour.ink, width: 1.8 });
    handle.circle(x(step), base, 6, { fill: colour.ink });
  });
  pen.text(here, base + 15, `step ${Math.round(step)}`, { key: "now", size: 13, bold: true, anchor: "middle" });
}

// The probabilities of the next word after the followed place.
function bars(pen, { data, colour, hidden }, { left, top, wide, high }, now) {
  const place = data.place;
  const read = data.tokens.slice(0, place + 1).join(" ");
  pen.text(left, top + 12, `ŷ after “${read}”`, { size: 14, bold: true, room: wide });
  const row = Math.min((high - 20) / data.words.length, 24);
  const from = left + 40;
  const reach = wide - 40 - 52;
  data.words.forEach((word, k) => {
    const y = top + 22 + row * (k + 0.5);
    const share = now.get("p", place, k);
    const right = data.right[place] === k;
    const length = hidden("p") ? 0 : Math.max(reach * share, 1);
    pen.text(from - 6, y + 4, word, { key: `word ${k}`, size: 13, bold: right, anchor: "end" });
    pen.rect(from, y - row * 0.36, length, row * 0.72, {
      key: `bar ${k}`,
      r: 2,
      fill: right ? colour.activation : colour.quiet,
    });
    pen.markedText(from + length + 6, y + 4, hidden("p") ? "?" : formatNumber(share), false, {
      key: `share ${k}`,
      size: 13,
      bold: right,
    });
  });
}

// What a number is computed from, in two or three lines.
function foot(pen, scene, at, now) {
  const { colour, memory, data } = scene;
  const { left, top, wide, lines } = at.foot;
  const size = 14;
  const { name, i, j } = now.chosen;
  const whose = `${weightLabel(name, i, j, data, now.grids)} = ${formatNumber(now.get(name, i, j))} has the slider`;
  const hint = [
    "Point at a number: it is computed from what lights up. Press a weight: it gets the slider.",
    at.whole ? `${whose}; drag it sideways, too. Training goes on from the edited weight.` : `${whose}.`,
  ];
  const { say, terms } = memory.over ? told(scene, now, memory.over) : { say: hint[0], terms: [hint[1]] };
  const head = wrapped(say.split(" "), wide, size);
  const rest = wrapped(memory.over ? terms : terms[0].split(" "), wide, size);
  [...head, ...rest].slice(0, lines).forEach((text, n) => {
    const fill = memory.over ? colour.ink : colour.quiet;
    title(pen, left, top + 14 + 18 * n, text, {
      key: `line ${n}`,
      fill,
      size,
      bold: Boolean(memory.over) && n < head.length,
    });
  });
}

function wrapped(terms, wide, size) {
  const rows = [""];
  for (const term of terms) {
    const longer = rows.at(-1) ? `${rows.at(-1)} ${term}` : term;
    if (textWidth(longer, size) > wide && rows.at(-1)) rows.push(term);
    else rows[rows.length - 1] = longer;
  }
  return rows;
}
