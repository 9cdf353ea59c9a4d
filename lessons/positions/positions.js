// Positions as waves: a cut through them is the vector of a position. Beside it, one word in two orders: what
// attention makes of it without positions, and with them.

import { scaleLinear } from "../../ui/browser/d3.js";
import { mainPicture } from "../../ui/browser/main_picture.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { cutText, textWidth, through } from "../../ui/browser/pen.js";
import { chips, narrowPlaces, places } from "./positions_layout.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["positions"]} Data */

const DIM = 0.18;
const FINE = 4; // points of a wave between two positions

/** @param {Component<Data>} component */
export default function positions(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const { width, height, data, values, narrow, colour } = scene;
    const at = (narrow ? narrowPlaces : places)(width, height, values("@rows"));
    const across = scaleLinear([0, data.places - 1], [at.waves.left + 8, at.waves.right - 8]);
    const its = { ...at, across, first: colour.ink, second: colour["series-4"] };
    const part = (
      /** @type {string} */ name,
      /** @type {(pen: Pen, scene: Scene<any, any>, its: any) => void} */ draw,
    ) => pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, (inner) => draw(inner, scene, its));
    part("waves", waves);
    if (!narrow) part("clocks", clocks);
    if (its.score) part("dot", dots);
    part("vectors", vectors);
    part("cuts", cuts);
    part("orders", orders);
    part("plain", (lane) => output(lane, scene, its, its.lanes[0], { name: "plain", letters: "ab" }));
    part("placed", (lane) => output(lane, scene, its, its.lanes[1], { name: "gap", letters: "uv" }));
  });
}

const whole = (scene, name) => Math.round(scene.values(name));
const middle = (at, r) => at.waves.top + at.row * (r + 0.5);
const two = (scene, name) =>
  scene.hidden(name) ? "?" : scene.values(name).toFixed(2).replace("-0.00", "0.00").replace("-", "−");

// --- the waves -----------------------------------------------------------------------------------

function waves(pen, scene, its) {
  const { data, values, before, colour, send } = scene;
  const { left, right, top, foot } = its.waves;
  const swing = its.row * 0.38;
  pen.rect(left, top, right - left, foot - top, { r: 10, fill: colour.input, "fill-opacity": 0.05 });
  if (!its.narrow) legend(pen, scene, its);
  const old = (r) => before && Math.abs(before(`period${r}`) - values(`period${r}`)) > 1e-9 * values(`period${r}`);
  for (let r = 0; r < its.rows; r++) {
    const y = middle(its, r);
    const i = whole(scene, `i${r}`);
    const here = i === whole(scene, "pair");
    pen.button(
      `Pair ${i}, period ${formatNumber(values(`period${r}`))} positions`,
      () => send({ pair: i }),
      (row) => {
        row.rect(its.label - 4, y - its.row / 2 + 2, right - its.label + 4, its.row - 4, {
          r: 8,
          fill: here ? colour.input : colour.background,
          "fill-opacity": here ? 0.08 : 0,
        });
        row.line(left + 8, y, right - 8, y, { stroke: colour.line, width: 1.2 });
        if (old(r))
          row.path(wave(its, data, before(`period${r}`), y, swing, Math.sin), {
            key: "old",
            stroke: colour.quiet,
            width: 1.2,
            dash: "4 3",
          });
        const sine = wave(its, data, values(`period${r}`), y, swing, Math.sin);
        row.path(`${sine}L${right - 8} ${y}H${left + 8}z`, {
          key: "area",
          stroke: "none",
          fill: colour.input,
          "fill-opacity": 0.12,
        });
        row.path(wave(its, data, values(`period${r}`), y, swing, Math.cos), {
          key: "cos",
          stroke: colour.input,
          width: 1.6,
          dash: "2 4",
        });
        row.path(sine, { key: "sin", stroke: colour.input, width: 2.6 });
        const period = formatNumber(
          values(`period${r}`) >= 100 ? Math.round(values(`period${r}`)) : Number(values(`period${r}`).toFixed(1)),
        );
        if (its.narrow) row.text(its.label, y + 5, period, { size: 13, bold: true, fill: colour.input, room: 48 });
        else {
          row.text(its.label + 2, y - 12, `pair ${i}`, { size: 15, bold: true, fill: colour.input });
          row.text(its.label + 2, y + 7, "period", { size: 13, fill: colour.quiet });
          row.text(its.label + 2, y + 25, period, { size: 15 });
        }
      },
      { key: `row${r}`, chosen: here },
    );
  }
  for (let place = 0; place < data.places; place += its.narrow ? 20 : 10) {
    const y = its.score ? its.score.foot + 18 : foot + 15;
    pen.text(its.across(place), y, `${place}`, { size: 13, fill: colour.quiet, anchor: "middle" });
  }
  if (its.narrow) pen.text(its.label, foot + 15, "pos", { size: 13, fill: colour.quiet });
  else pen.text(its.label + 2, its.score.foot + 18, "position", { size: 13, fill: colour.quiet });
  if (its.narrow) pen.text(its.label, its.head, "period", { size: 13, fill: colour.quiet });
}

function legend(pen, scene, its) {
  const { colour } = scene;
  const title = "PE: waves over positions";
  pen.text(its.label, its.head, title, { size: 15, bold: true, fill: colour.input });
  let x = its.label + textWidth(title, 15, true) + 18;
  const samples = [
    { name: "sin", dash: null, width: 2.6 },
    { name: "cos", dash: "2 4", width: 1.8 },
  ];
  for (const { name, dash, width } of samples) {
    pen.line(x, its.head - 5, x + 22, its.head - 5, { stroke: colour.input, width, dash });
    pen.text(x + 28, its.head, name, { size: 14, fill: colour.quiet });
    x += 28 + textWidth(name, 14) + 14;
  }
  pen.text(x + 4, its.head, `${its.rows} of ${whole(scene, "d") / 2} pairs`, { size: 14, fill: colour.quiet });
}

// The line between the tensor's numbers: its period is theirs, and the dots on it are.
function wave({ across }, { places: count }, period, y, swing, turn) {
  const height = (place) => y - swing * turn((2 * Math.PI * place) / period);
  return through(
    Array.from({ length: (count - 1) * FINE + 1 }, (_, step) => [across(step / FINE), height(step / FINE)]),
  );
}

// --- the two cuts, and what they read --------------------------------------------------------------

function sides(scene, its) {
  const { values, hidden } = scene;
  const both = [
    { name: "pos", suffix: "", fill: its.first, dash: null },
    { name: "other", suffix: "q", fill: its.second, dash: "5 4" },
  ].map((each) => ({ ...each, x: its.across(values(each.name)), hidden: hidden(each.name) }));
  return whole(scene, "pos") === whole(scene, "other") ? both.slice(0, 1) : both;
}

function cuts(pen, scene, its) {
  const { values, before, colour } = scene;
  const { top, foot } = its.waves;
  const end = its.score ? its.score.foot : foot;
  const per = its.across(1) - its.across(0);
  const swing = its.row * 0.38;
  const both = sides(scene, its);
  if (before && before("pos") !== values("pos")) {
    pen.line(its.across(before("pos")), top, its.across(before("pos")), end, {
      key: "old",
      stroke: colour.quiet,
      width: 1.2,
      dash: "4 3",
    });
  }
  const flags = flagPlaces(scene, its, both);
  both.forEach(({ name, suffix, fill, dash, x }, n) => {
    pen.group({ key: name, "data-n": "pos", "data-per": per, "data-way": "x" }, (handle) => {
      handle.rect(x - 10, top - 6, 20, end - top + 6, { fill: colour.background, "fill-opacity": 0 });
      handle.line(x, its.pill, x, end, { stroke: fill, width: 2.4, dash });
      const { left, wide, label } = flags[n];
      const y = its.pill;
      handle.rect(left, y - 12, wide, 24, { r: 12, fill });
      handle.text(left + wide / 2, y + 5, label, { size: 15, bold: true, fill: colour.background, anchor: "middle" });
      if (!its.narrow)
        handle.path(`M${left + 9} ${y - 4}l-4 4l4 4M${left + wide - 9} ${y - 4}l4 4l-4 4`, {
          stroke: colour.background,
          width: 1.6,
        });
    });
    for (let r = 0; r < its.rows; r++) {
      const y = middle(its, r);
      for (const turn of ["cos", "sin"]) {
        const height = y - swing * values(`${turn}${suffix}${r}`);
        pen.circle(x, height, its.narrow ? 4 : 5.5, {
          key: `${name}${turn}${r}`,
          fill: turn === "sin" ? fill : colour.background,
          stroke: turn === "sin" ? colour.background : fill,
          line: turn === "sin" ? 1.5 : 2.2,
        });
      }
    }
  });
}

/** The flags of the cuts, side by side: the left one ends at its cut, the right one begins there. */
function flagPlaces(scene, its, both) {
  const air = its.narrow ? 12 : 28;
  const flags = both.map(({ name, x }) => {
    const label = `${whole(scene, name)}`;
    return { label, x, wide: textWidth(label, 15, true) + air, left: 0 };
  });
  const [one, other] = [...flags].sort((a, b) => a.x - b.x);
  const least = its.narrow ? its.waves.left - 6 : its.label;
  one.left = Math.max(least, other ? one.x - one.wide + 2 : one.x - one.wide / 2);
  if (other) other.left = Math.max(other.x - 2, one.left + one.wide + 2);
  return flags;
}

// The readings of a cut, from top to bottom, are the vector of its position.
function vectors(pen, scene, its) {
  const { colour } = scene;
  const { left, column } = its.vectors;
  const both = sides(scene, its);
  const high = Math.min(30, its.row / 2 - (its.narrow ? 1 : 4));
  both.forEach(({ name, suffix, fill, dash }, n) => {
    const x = left + n * (column + (its.narrow ? 4 : 6));
    pen.text(x + column / 2, its.head + (its.narrow ? 0 : 22), `PE(${whole(scene, name)})`, {
      key: name,
      size: its.narrow ? 13 : 15,
      bold: true,
      fill,
      anchor: "middle",
    });
    for (let r = 0; r < its.rows; r++) {
      const y = middle(its, r);
      ["sin", "cos"].forEach((turn, c) => {
        const top = y + (c - 1) * high + (c ? 1 : -1);
        pen.rect(x, top, column, high - 1, {
          key: `${name}${turn}${r}`,
          r: 5,
          fill: colour.background,
          stroke: fill,
          line: 1.5,
          dash: dash && "4 3",
        });
        pen.text(x + column / 2, top + high / 2 + 4.5, two(scene, `${turn}${suffix}${r}`), {
          key: `${name}${turn}n${r}`,
          size: its.narrow ? 13 : Math.min(16, high * 0.62),
          bold: true,
          anchor: "middle",
        });
      });
    }
    if (!its.narrow) route(pen, its, x + column / 2, n, fill, dash);
  });
}

// From the vectors to the outputs that they change.
function route(pen, its, x, n, fill, dash) {
  const { left, top, foot } = its.lanes[1];
  const y = Math.min(Math.max(its.waves.foot + 16 + 16 * (1 - n), top + 14), foot - 14);
  const d = `M${x} ${its.waves.foot + 2}V${y}H${left - 7}`;
  pen.path(d, { key: `route${n}`, stroke: fill, width: 2.4, dash, "stroke-linejoin": "round" });
  pen.beads(d, fill, { key: `beads${n}` });
  pen.head(left - 1, y, 0, fill, 10);
}

// --- clocks ----------------------------------------------------------------------------------------

// A hand points to (sin, cos), as a clock's does: at 12 where the angle is 0, then to the right.
function clocks(pen, scene, its) {
  const { values, colour } = scene;
  const { clocks: x, radius } = its;
  pen.text(x, its.head + 22, "clock", { size: 15, bold: true, fill: colour.input, anchor: "middle" });
  for (let r = 0; r < its.rows; r++) {
    const y = middle(its, r);
    pen.circle(x, y, radius, { key: `face${r}`, stroke: colour.input, line: 1.6, fill: colour.background });
    pen.circle(x, y, 2.5, { key: `hub${r}`, fill: colour.input });
    for (const { name, suffix, fill, dash } of sides(scene, its).reverse()) {
      pen.line(x, y, x + (radius - 4) * values(`sin${suffix}${r}`), y - (radius - 4) * values(`cos${suffix}${r}`), {
        key: `${name}${r}`,
        stroke: fill,
        width: 3.4,
        dash: dash && "5 3",
        "stroke-linecap": "round",
      });
    }
  }
}

// --- the dot product with every position -----------------------------------------------------------

function dots(pen, scene, its) {
  const { data, values, text, colour, hidden } = scene;
  const { top, foot } = its.score;
  const { left, right } = its.waves;
  const every = Array.from({ length: data.places }, (_, place) => values(`at${place}`));
  const down = scaleLinear([Math.min(0, ...every), values("squared")], [foot - 6, top + 12]);
  pen.rect(left, top, right - left, foot - top, { r: 10, fill: colour.score, "fill-opacity": 0.06 });
  pen.text(its.label + 2, top + 18, "PE·PE", { size: 15, bold: true, fill: colour.score });
  pen.text(its.label + 2, top + 36, `of ${whole(scene, "pos")} with`, { size: 13, fill: colour.quiet });
  pen.text(its.label + 2, top + 52, "every pos", { size: 13, fill: colour.quiet });
  pen.line(left + 8, down(0), right - 8, down(0), { stroke: colour.line, width: 1.2 });
  pen.path(through(every.map((dot, place) => [its.across(place), down(dot)])), {
    stroke: colour.score,
    width: 2.4,
    "stroke-linejoin": "round",
  });
  if (hidden("dot")) return;
  const x = its.across(values("other"));
  const y = down(values("dot"));
  pen.circle(x, y, 6, { fill: colour.score, stroke: colour.background });
  const label = `PE(${whole(scene, "pos")})·PE(${whole(scene, "other")}) = ${text("dot")}`;
  const flip = x + 16 + textWidth(label, 15, true) > right;
  const beside = flip ? Math.min(x, its.across(values("pos"))) - 12 : Math.max(x, its.across(values("pos"))) + 12;
  pen.text(beside, top + 20, label, {
    size: 15,
    bold: true,
    fill: colour.score,
    anchor: flip ? "end" : "start",
    halo: true,
  });
}

// --- the words in both orders ----------------------------------------------------------------------

function orders(pen, scene, its) {
  const { data, colour, memory } = scene;
  const { left, right, top, foot } = its.orders;
  const small = its.narrow;
  const asked = `${data.word} ${data.words.join(" ")} ${data.order.join(" ")}`;
  if (memory.asked !== asked) Object.assign(memory, { asked, begin0: undefined, begin1: undefined });
  const high = small ? 26 : 32;
  const lines = [
    { words: data.words, y: small ? 32 : top + 56, fill: its.first, under: -1 },
    { words: data.order.map((old) => data.words[old]), y: small ? 76 : foot - 40, fill: its.second, under: 1 },
  ];
  if (!small) pen.text(left, top + 15, "the same words in two orders", { size: 15, bold: true });
  const size = small ? 14 : 16;
  const rows = lines.map(({ words }, n) => {
    const here = n ? data.order.indexOf(data.word) : data.word;
    const wide = words.map((word) => textWidth(word, size, true));
    const room = right - left;
    const fit = chips(wide, room, memory[`begin${n}`] ?? Math.max(0, here - 3));
    return { ...fit, here };
  });
  const place = (n, t) => {
    const chip = rows[n].found[t - rows[n].from];
    return chip ? left + chip.left + chip.width / 2 : null;
  };
  const gap = (n) => lines[n].y + (n ? -1 : 1) * (high / 2 + 1);
  data.order.forEach((old, now) => {
    const [a, b] = [place(0, old), place(1, now)];
    if (a === null || b === null || old === data.word) return;
    pen.path(link(a, gap(0), b, gap(1)), { key: `link${old}`, stroke: colour.line, width: 2 });
  });
  const [a, b] = [place(0, data.word), place(1, rows[1].here)];
  if (a !== null && b !== null) {
    pen.path(link(a, gap(0), b, gap(1)), { key: "link", stroke: its.second, width: 4 });
    pen.beads(link(a, gap(0), b, gap(1)), colour.background, { key: "beads", width: 2.2 });
  }
  const start = whole(scene, "pos") - data.word;
  lines.forEach(({ words, y, fill, under }, n) => {
    rows[n].found.forEach((chip, c) => {
      const t = rows[n].from + c;
      const old = n ? data.order[t] : t;
      const chosen = old === data.word;
      const x = left + chip.left;
      pen.button(
        `${words[t]}, position ${start + t}`,
        () => scene.send({ word: old }),
        (button) => {
          button.rect(x, y - high / 2, chip.width, high, {
            r: high / 2,
            fill: chosen ? fill : colour.background,
            stroke: chosen ? fill : colour.quiet,
            line: chosen ? 2.5 : 1.4,
          });
          button.text(x + chip.width / 2, y + size * 0.34, words[t], {
            size,
            bold: chosen,
            fill: chosen ? colour.background : colour.ink,
            anchor: "middle",
            room: chip.width - 12,
          });
          button.text(x + chip.width / 2, y + under * (high / 2) + (under < 0 ? -5 : 16), `${start + t}`, {
            size: 13,
            bold: chosen,
            fill: chosen ? fill : colour.quiet,
            anchor: "middle",
          });
        },
        { key: `word${n}.${old}`, chosen },
      );
    });
  });
  if (rows[0].all && !small)
    pen.text(right, top + 15, "e: random word vectors", { size: 13, fill: colour.quiet, anchor: "end", key: "drawn" });
  if (!rows[0].all) scrolling(pen, scene, its, rows);
}

const link = (a, top, b, foot) => `M${a} ${top}C${a} ${(top + foot) / 2} ${b} ${(top + foot) / 2} ${b} ${foot}`;

/** Of many words a part is shown; two buttons and the wheel move both rows along. */
function scrolling(pen, scene, its, rows) {
  const { memory, again, colour, data } = scene;
  const shown = rows[0].found.length;
  const go = (by) => {
    rows.forEach(({ from }, n) => (memory[`begin${n}`] = Math.min(Math.max(from + by, 0), data.words.length - shown)));
    again();
  };
  [
    ["earlier", -1, "◂"],
    ["later", 1, "▸"],
  ].forEach(([name, way, sign], i) => {
    const x = its.orders.right - 62 + 34 * i;
    const y = its.narrow ? 54 : its.orders.top + 10;
    pen.button(
      `Show ${name} words`,
      () => go(Number(way) * (shown - 1)),
      (button) => {
        button.rect(x, y - 11, 28, 22, { r: 11, fill: colour.background, stroke: colour.quiet });
        button.text(x + 14, y + 5, `${sign}`, { size: 14, anchor: "middle" });
      },
      { key: `${name}` },
    );
  });
}

// --- what attention makes of the word --------------------------------------------------------------

function output(pen, scene, its, box, { name, letters }) {
  const { data, values, text, hidden, colour } = scene;
  const { left, right, top, foot } = box;
  const placed = name === "gap";
  const small = its.narrow;
  const secret = hidden(name);
  const equal = values(name) === 0;
  const role = placed ? colour.input : colour.mask;
  pen.rect(left, top, right - left, foot - top, {
    r: 12,
    fill: role,
    "fill-opacity": 0.07,
    stroke: role,
    line: placed ? 1.8 : 1.2,
  });
  const title = placed ? "with positions" : "without positions";
  pen.text(left + 10, top + (small ? 16 : 20), title, {
    size: small ? 13 : 15,
    bold: true,
    fill: placed ? colour.input : colour.ink,
  });
  if (!small)
    pen.text(right - 10, top + 20, why(scene, placed), {
      size: 14,
      anchor: "end",
      room: right - left - 30 - textWidth(title, 15, true),
    });
  const result = small ? 22 : 32;
  const labels = top + (small ? 32 : 42);
  const area = { top: labels + (small ? 4 : 7), foot: foot - result - (small ? 2 : 4) };
  const between = small ? 22 : 44;
  const wide = (right - left - 20 - between) / 2;
  [
    ["", letters[0], "pos", its.first],
    ["", letters[1], "other", its.second],
  ].forEach(([, letter, at, fill], n) => {
    const x = left + 10 + n * (wide + between);
    const word = data.words[data.word];
    const tail = placed ? `${small ? "+" : " + "}PE(${whole(scene, at)})` : "";
    const size = small ? 13 : 15;
    const shown = cutText(word, wide - textWidth(tail, size, true), size, true);
    pen.text(x + wide / 2, labels, `${shown}${tail}`, { key: `of${n}`, size, bold: true, fill, anchor: "middle" });
    bars(pen, scene, { left: x, right: x + wide, ...area }, letter, n === 1 && secret, fill, `${n}`);
  });
  const y = (area.top + area.foot) / 2;
  pen.text((left + right) / 2, y + (small ? 7 : 11), secret ? "?" : equal ? "=" : "≠", {
    size: small ? 20 : 34,
    bold: true,
    anchor: "middle",
    fill: secret || equal ? colour.ink : its.second,
  });
  const [drawn, all] = [values("@cells"), whole(scene, "d")];
  if (drawn < all)
    pen.text(left + 10, foot - (small ? 8 : 10), small ? `${drawn}/${all}` : `${drawn} of ${all}`, {
      key: "part",
      size: 13,
      fill: colour.quiet,
    });
  const [label, size, air] = small ? ["Δ", 17, 9] : ["‖difference‖ =", 20, 13];
  const number = secret ? "?" : text(name);
  const from = (left + right - textWidth(label, size) - air - textWidth(number, size, true)) / 2;
  const base = foot - (small ? 7 : 10);
  pen.text(from, base, label, { key: "label", size });
  pen.markedText(from + textWidth(label, size) + air, base, number, data.marked === name, {
    key: "number",
    size,
    bold: true,
  });
}

function why({ data, values }, placed) {
  if (placed) return values("k") ? "x = e + PE: its position counts" : "x = e + PE: others moved";
  if (data.causal) return "the mask hides later words";
  return "x = e: a sum has no order";
}

// A vector as bars up and down from 0: two that are equal look the same.
function bars(pen, { data, values, colour }, { left, right, top, foot }, letter, secret, fill, key) {
  const count = values("@cells");
  const y = (top + foot) / 2;
  pen.rect(left, top, right - left, foot - top, {
    key: `box${key}`,
    r: 6,
    fill: colour.background,
    stroke: colour.line,
  });
  if (secret)
    return pen.text((left + right) / 2, y + 8, "?", { key: `secret${key}`, size: 24, bold: true, anchor: "middle" });
  pen.line(left + 4, y, right - 4, y, { key: `zero${key}`, stroke: colour.line, width: 1 });
  const step = (right - left - 10) / count;
  const unit = (foot - top - 6) / 2 / data.reach;
  for (let c = 0; c < count; c++) {
    const value = values(`${letter}${c}`) * unit;
    pen.rect(left + 5 + c * step + step * 0.12, Math.min(y, y - value), step * 0.76, Math.max(Math.abs(value), 1), {
      key: `${letter}${c}`,
      fill,
      r: 1,
    });
  }
}
