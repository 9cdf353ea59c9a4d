// Positional encoding: clocks that turn at their own speeds, the waves as a heat map, and the dot
// product of one place with every other. A drag on the picture moves the sliders.

import { line, scaleLinear } from "../../ui/browser/d3.js";
import { drawSvg, html } from "../../ui/browser/dom.js";
import { follow, nudge } from "../../ui/browser/frames.js";
import { fill, formatNumber } from "../../ui/browser/numbers.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";

/** @import { Clock, Component, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["positions"]} Data */

const TOP = { clocks: 20, map: 176, gap: 40 };
const CURVE = 160;

/** @param {Component<Data>} component */
export default function positions({ data, parentElement, setTriggerValue }) {
  const { host } = parentElement;
  const narrow = host.clientWidth > 0 && host.clientWidth < 520;
  const shape = JSON.stringify([data.width, data.pair, narrow, isDark(parentElement)]);
  const [picture, fresh] = stage(parentElement, shape);
  Object.assign(picture, { data, narrow, colour: colours(parentElement), send: setTriggerValue, sent: (picture.sent ?? 0) });
  Object.assign(picture, { across: acrossOf(picture), down: downOf(picture) });
  if (fresh) build(picture);
  return follow(picture, data, (values) => show(picture, values));
}

// --- where things are --------------------------------------------------------------------------

/** @param {Picture<Data>} picture */
const size = ({ narrow }) => (narrow ? { wide: 360, left: 40, r: 22 } : { wide: 720, left: 56, r: 34 });
/** @param {Picture<Data>} picture */
const cell = (picture) => (size(picture).wide - size(picture).left - 8) / picture.data.places;
/** @param {Picture<Data>} picture */
const acrossOf = (picture) => scaleLinear([-0.5, picture.data.places - 0.5], [size(picture).left, size(picture).wide - 8]);
/** @param {Picture<Data>} picture */
const tall = ({ data }) => data.rows.length * (data.rows.length <= 8 ? 18 : data.rows.length <= 32 ? 6 : 3);
/** @param {Picture<Data>} picture */
const base = (picture) => TOP.map + tall(picture) + TOP.gap + CURVE;
/** @param {Picture<Data>} picture */
const downOf = (picture) => {
  const { dots, width } = picture.data;
  return scaleLinear([Math.min(0, ...dots), width / 2], [base(picture), base(picture) - CURVE]);
};

// --- what stands still -------------------------------------------------------------------------

/** @param {Picture<Data>} picture */
function build(picture) {
  const { data, colour } = picture;
  picture.element.replaceChildren();
  picture.readout = html("div", { class: "readout" }, picture.element, "Drag on the picture, or use the sliders. Point at a cell for its number.");
  const frame = html("div", { class: "pictures" }, picture.element);
  const { wide } = size(picture);
  picture.svg = drawSvg("svg", { viewBox: `0 0 ${wide} ${base(picture) + 40}`, role: "img", "font-size": 13, fill: colour.ink, style: "width: 100%; touch-action: pan-y; cursor: ew-resize" }, frame);
  picture.clocks = data.clocks.map((each, n) => clock(picture, each, n));
  map(picture);
  curve(picture);
  picture.marks = ["query", "key"].map((role) => mark(picture, role));
  picture.heading = text(picture, size(picture).left, base(picture) - CURVE - 12, "", { fill: colour.score, "font-weight": 600, stroke: colour.background, "stroke-width": 5, "paint-order": "stroke" });
  const list = html("div", { class: "lines" }, picture.element);
  picture.lines = data.lines.map(({ role }) => html("div", { class: `line ${role}` }, list));
  saveButtons(picture.element, () => ["positions", [[picture.svg]]]);
  listen(picture);
}

/** @param {Picture<Data>} picture */
const text = (picture, x, y, words, more = {}) => drawSvg("text", { x, y, ...more }, picture.svg, words);

/**
 * A hand points to (sin, cos), as a clock's does: at 12 where the angle is 0, then to the right.
 *
 * @param {Picture<Data>} picture
 * @param {Clock} clock
 */
function clock(picture, { i, length }, n) {
  const { colour, svg, data, narrow } = picture;
  const { wide, r } = size(picture);
  const x = (wide * (n + 0.5)) / data.clocks.length;
  const y = TOP.clocks + r;
  const node = drawSvg("g", { style: "cursor: pointer", "data-pair": i }, svg);
  drawSvg("rect", { x: x - r - 8, y: y - r - 18, width: 2 * r + 16, height: 2 * r + 70, rx: 6, fill: colour.background, stroke: i === data.pair ? colour.ink : "none", "stroke-width": 1.5 }, node);
  drawSvg("circle", { cx: x, cy: y, r, fill: "none", stroke: colour.quiet }, node);
  const hands = ["key", "query"].map((role) => drawSvg("line", { x1: x, y1: y, stroke: colour[role], "stroke-width": 3, "stroke-linecap": "round", "stroke-dasharray": role === "key" ? "5 5" : "none" }, node));
  const say = (below, words, fill, weight = 400) => drawSvg("text", { x, y: y + r + below, "text-anchor": "middle", fill, "font-weight": weight, "font-size": narrow ? 11 : 13 }, node, words);
  say(16, `pair ${i}`, colour.ink, 600);
  say(31, narrow ? `${length}` : `period ${length}`, colour.quiet);
  return { i, x, y, hands, term: say(46, "", colour.score, 600) };
}

/** @param {Picture<Data>} picture */
function map(picture) {
  const { data, colour, svg } = picture;
  const { left, wide } = size(picture);
  text(picture, left, TOP.map - 7, picture.narrow ? "PE, one column per place" : `PE: one column per place, one row per dimension (${data.shown})`, { fill: colour.quiet });
  legend(picture, wide - 8);
  drawSvg("image", { x: left, y: TOP.map, width: cell(picture) * data.places, height: tall(picture), href: painted(data), preserveAspectRatio: "none", style: "image-rendering: pixelated" }, svg);
  // The sines first, then the cosines: side by side, as in PE, they are stripes and no waves.
  const half = tall(picture) / 2;
  for (const [n, word] of ["sin", "cos"].entries()) {
    const y = TOP.map + n * half;
    const more = { "text-anchor": "end", fill: colour.quiet };
    const block = data.rows.slice((n * data.rows.length) / 2, ((n + 1) * data.rows.length) / 2);
    if (half > 40) text(picture, left - 5, y + 11, block[0], more);
    text(picture, left - 5, y + half / 2 + 5, word, { ...more, fill: colour.ink, "font-weight": 600 });
    if (half > 40) text(picture, left - 5, y + half - 1, block.at(-1), more);
  }
  drawSvg("path", { d: `M${left} ${TOP.map + half}h${cell(picture) * data.places}`, stroke: colour.background, "stroke-width": 2 }, svg);
}

/** @param {Picture<Data>} picture */
function legend(picture, right) {
  const { data, colour, svg } = picture;
  const each = picture.narrow ? 2 : 3;
  const left = right - 18 - each * data.scale.length;
  data.scale.forEach((fill, i) => drawSvg("rect", { x: left + each * i, y: TOP.map - 17, width: each, height: 10, fill }, svg));
  text(picture, left - 4, TOP.map - 8, "−1", { "text-anchor": "end", fill: colour.quiet });
  text(picture, right - 14, TOP.map - 8, "1", { fill: colour.quiet });
}

/** @param {Data} data */
function painted({ places, rows, values, scale }) {
  const canvas = html("canvas", { width: places, height: rows.length });
  const brush = canvas.getContext("2d");
  for (let place = 0; place < places; place++) {
    for (let row = 0; row < rows.length; row++) {
      const share = (values[place * rows.length + row] + 1) / 2;
      brush.fillStyle = scale[Math.round(share * (scale.length - 1))];
      brush.fillRect(place, row, 1, 1);
    }
  }
  return canvas.toDataURL();
}

/** @param {Picture<Data>} picture */
function curve(picture) {
  const { data, colour, svg } = picture;
  const { left, wide } = size(picture);
  const ticks = [...new Set([0, data.width / 2])];
  for (const dot of ticks) {
    drawSvg("path", { d: `M${left} ${picture.down(dot)}H${wide - 8}`, stroke: colour.quiet, "stroke-opacity": 0.5 }, svg);
    text(picture, left - 5, picture.down(dot) + 5, formatNumber(dot), { "text-anchor": "end", fill: colour.quiet });
  }
  for (let place = 0; place < data.places; place += picture.narrow ? 32 : 16) {
    text(picture, picture.across(place), base(picture) + 16, place, { "text-anchor": "middle", fill: colour.quiet });
  }
  text(picture, (left + wide) / 2, base(picture) + 33, "place", { "text-anchor": "middle", fill: colour.quiet });
  picture.path = drawSvg("path", { fill: "none", stroke: colour.score, "stroke-width": 2.5 }, svg);
}

/**
 * A frame around the place's column, and a point on the curve.
 *
 * @param {Picture<Data>} picture
 */
function mark(picture, role) {
  const { colour, svg } = picture;
  const dash = role === "key" ? "5 4" : "none";
  const line = drawSvg("path", { stroke: colour[role], "stroke-width": 2, "stroke-dasharray": dash }, svg);
  const width = Math.max(cell(picture), 4) + 2;
  const column = [colour.background, colour[role]].map((stroke, n) => drawSvg("rect", { y: TOP.map - 2, width, height: tall(picture) + 4, fill: "none", stroke, "stroke-width": n ? 2 : 4 }, svg));
  const point = drawSvg("circle", { r: 5.5, fill: colour[role], stroke: colour.background, "stroke-width": 1.5 }, svg);
  const label = drawSvg("text", { "text-anchor": "middle", fill: colour[role], "font-weight": 600, stroke: colour.background, "stroke-width": 4, "paint-order": "stroke" }, svg);
  return { line, column, point, label, width };
}

// --- what moves --------------------------------------------------------------------------------

/** @param {Picture<Data>} picture */
function show(picture, values) {
  const { data } = picture;
  const [pos, other] = [values("pos"), values("other")];
  Object.assign(picture, { pos, other });
  for (const { i, x, y, hands, term } of picture.clocks) {
    const { r } = size(picture);
    for (const [hand, suffix] of [[hands[0], "q"], [hands[1], ""]]) {
      hand.setAttribute("x2", x + (r - 3) * values(`sin${suffix}${i}`));
      hand.setAttribute("y2", y - (r - 3) * values(`cos${suffix}${i}`));
    }
    term.textContent = picture.narrow ? values(`term${i}`).toFixed(2).replace("-", "−") : `adds ${formatNumber(values(`term${i}`))}`;
  }
  const dots = data.dots.subarray(pos * data.places, (pos + 1) * data.places);
  picture.path.setAttribute("d", line((/** @type {number} */ _, place) => picture.across(place), (dot) => picture.down(dot))(dots));
  picture.heading.textContent = picture.narrow ? `PE(${pos})·PE(place)` : `Dot product of PE(${pos}) with PE of every place`;
  stand(picture, picture.marks[0], pos, values("squared"), "");
  stand(picture, picture.marks[1], other, values("dot"), pos === other ? "" : formatNumber(values("dot")));
  picture.lines.forEach((line, n) => (line.textContent = fill(data.lines[n].text, values)));
  picture.svg.setAttribute("aria-label", fill(data.alt, values));
}

/** @param {Picture<Data>} picture */
function stand(picture, { line, column, point, label, width }, place, dot, words) {
  const x = picture.across(place);
  const y = picture.down(dot);
  for (const each of column) each.setAttribute("x", x - width / 2);
  line.setAttribute("d", `M${x} ${TOP.map + tall(picture) + 3}V${base(picture)}`);
  point.setAttribute("cx", x);
  point.setAttribute("cy", y);
  label.setAttribute("x", Math.min(x + 34, size(picture).wide - 34));
  label.setAttribute("y", y - 4);
  label.textContent = words;
}

// --- pointing and dragging ---------------------------------------------------------------------

/** @param {Picture<Data>} picture */
function under(picture, event) {
  const box = picture.svg.getBoundingClientRect();
  const scale = size(picture).wide / box.width;
  const place = Math.floor(((event.clientX - box.left) * scale - size(picture).left) / cell(picture));
  const y = (event.clientY - box.top) * scale;
  const row = Math.floor(((y - TOP.map) / tall(picture)) * picture.data.rows.length);
  return { place, y, row };
}

/** @param {Picture<Data>} picture */
function listen(picture) {
  picture.svg.onpointerdown = (event) => {
    const { place, y } = under(picture, event);
    if (event.button || y < TOP.map - 4) return;
    // The nearer of the two marks is taken along.
    picture.held = Math.abs(place - picture.other) < Math.abs(place - picture.pos) ? 1 : 0;
    picture.svg.setPointerCapture(event.pointerId);
    drag(picture, place, false);
  };
  picture.svg.onpointermove = (event) => {
    const { place, row } = under(picture, event);
    if (picture.held !== undefined) drag(picture, place, false);
    point(picture, place, row);
  };
  picture.svg.onpointerup = picture.svg.onpointercancel = (event) => {
    if (picture.held !== undefined) drag(picture, under(picture, event).place, true);
    delete picture.held;
  };
  picture.svg.onclick = ({ target }) => {
    const pair = target.closest("[data-pair]")?.dataset.pair;
    if (pair !== undefined) picture.send("event", { pair: Number(pair), at: (picture.sent += 1) });
  };
}

/** @param {Picture<Data>} picture */
function drag(picture, place, settled) {
  const wanted = picture.held ? place - picture.pos : place;
  const value = Math.min(Math.max(wanted, 0), picture.data.most);
  nudge(picture.data.group, picture.data.sliders[picture.held], value, settled);
}

/** @param {Picture<Data>} picture */
function point(picture, place, row) {
  const { rows, values, places } = picture.data;
  if (!(row >= 0 && row < rows.length && place >= 0 && place < places)) return;
  picture.readout.textContent = `PE(${place}), dimension ${rows[row]}: ${formatNumber(values[place * rows.length + row])}`;
}
