// Occurrences of one word as points: at layer 0 all are one, and layer by layer its senses part. The layer is a
// slider, and the strip below the map; beside it the cosines, and one sentence with its nearest neighbours.

import { line } from "../../ui/browser/d3.js";
import { mainPicture, still } from "../../ui/browser/main_picture.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { textWidth } from "../../ui/browser/pen.js";
import { drag } from "../shared/hand.js";
import { labelRoom, markPath, spread } from "../shared/labels.js";
import { mapScale } from "../shared/map_scale.js";
import { excerpt, hull, joined, lines, places } from "./places.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["contextual"]} Data */

const DIM = 0.18;
const GLIDE = 90; // ms in which most of the way between two layers is gone
const SHADES = 12; // of a cosine in the matrix
const NEAREST = 5;
const SAME = 1.5; // units within which two points are one

/** @param {Component<Data>} component */
export default function contextual(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    remember(scene);
    const at = places(scene);
    scene.tell(scene.values("@say"), false);
    part(pen, scene, "map", (its) => map(its, scene, at));
    part(pen, scene, "cosines", (its) => cosines(its, scene, at));
    part(pen, scene, "sentence", (its) => card(its, scene, at));
    part(pen, scene, "layers", (its) => strip(its, scene, at));
  });
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function part(pen, scene, name, how) {
  pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
}

const floats = (bytes) => new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);

// What this script remembers belongs to the data: another word or another model begins anew.
function remember(scene) {
  const { data, memory, values, moved } = scene;
  const layers = data.within.length;
  if (memory.data !== data) {
    const same = memory.word === data.word && memory.model === data.model && memory.count === data.texts.length;
    const typed = data.texts.findIndex(({ sense }) => sense < 0);
    const picked = same ? memory.picked : typed >= 0 ? data.texts.length - 1 : 0;
    Object.assign(memory, {
      data,
      word: data.word,
      model: data.model,
      count: data.texts.length,
      exact: null,
      picked,
      pointed: null,
      shades: null,
    });
    memory.points = floats(data.points);
    memory.cosines = floats(data.cosines);
  }
  const goal = Math.min(Math.max(memory.exact ?? values("layer"), 0), layers - 1);
  memory.place = moved === "layer" && memory.exact === null && !still() ? glided(scene, goal) : goal;
  memory.layer = Math.round(memory.exact ?? Math.min(values("layer"), layers - 1));
}

// While the slider is dragged from layer to layer, the points glide after it.
function glided({ memory, again }, goal) {
  const now = performance.now();
  const part = 1 - Math.exp(-Math.min(now - (memory.glides ?? now), 50) / GLIDE);
  const from = memory.place ?? goal;
  const place = Math.abs(goal - from) < 0.01 ? goal : from + (goal - from) * part;
  memory.glides = place === goal ? null : now;
  if (place !== goal) again();
  return place;
}

const colourOf = (colour, sense) => (sense < 0 ? colour.gradient : sense ? colour["series-2"] : colour["series-1"]);
const kindOf = (sense) => (sense < 0 ? 6 : sense); // a star, a circle, a square
const digits = (value) => value.toFixed(2).replace("-", "−");
const cosine = ({ data, memory }, i, j) =>
  memory.cosines[(memory.layer * data.texts.length + i) * data.texts.length + j];

/** The other occurrences, the nearest first. */
function nearest(scene, place) {
  const others = scene.data.texts.map((_, i) => i).filter((i) => i !== place);
  return others.sort((a, b) => cosine(scene, place, b) - cosine(scene, place, a)).slice(0, NEAREST);
}

// --- the map ---------------------------------------------------------------------------------------

function map(pen, scene, at) {
  const { colour, data, memory, again, hidden } = scene;
  const box = at.map;
  const shape = `${box.left} ${box.top} ${box.wide} ${box.high}`;
  if (memory.shape !== shape || memory.scaled !== data)
    Object.assign(memory, { shape, scaled: data, scale: mapScale(memory.points, box, at.small ? 26 : 44) });
  pen.rect(box.left, box.top, box.wide, box.high, { r: 8, stroke: colour.line, line: 1.5 });
  const spots = pointsAt(scene);
  const covered = hidden("accuracy") && memory.layer > 0;
  if (covered)
    return pen.text(box.left + box.wide / 2, box.top + box.high / 2, "?", {
      size: 60,
      bold: true,
      anchor: "middle",
      fill: colour.quiet,
    });
  clouds(pen, scene, spots);
  const picked = spots[memory.picked];
  const near = memory.layer ? nearest(scene, memory.picked) : [];
  for (const place of near)
    pen.line(picked.x, picked.y, spots[place].x, spots[place].y, {
      key: `near ${place}`,
      stroke: colour.ink,
      width: 2,
      "stroke-opacity": 0.55,
    });
  const radius = at.small ? 6 : 8;
  const order = data.texts.map((_, i) => i).sort((a, b) => Number(a === memory.picked) - Number(b === memory.picked));
  for (const place of order) {
    const { sense, words } = data.texts[place];
    const { x, y } = spots[place];
    const mine = place === memory.picked;
    const node = pen.button(
      joined(words),
      () => (Object.assign(memory, { picked: place, pointed: null }), again()),
      (its) => {
        its.circle(x, y, radius + 8, { fill: "transparent" });
        its.path(markPath(kindOf(sense), x, y, mine ? radius + 3 : radius), {
          fill: colourOf(colour, sense),
          stroke: mine ? colour.ink : colour.background,
          width: mine ? 3 : 1.5,
        });
      },
      { key: `spot ${place}`, chosen: mine },
    );
    node.onpointerenter = () => ((memory.pointed = place), again());
    node.onpointerleave = () => ((memory.pointed = null), again());
    node.onfocus = node.onpointerenter;
    node.onblur = node.onpointerleave;
  }
  labels(pen, scene, at, spots);
}

// The points between two layers, for what moves; a layer's own where it rests.
function pointsAt({ data, memory }) {
  const [count, layers] = [data.texts.length, data.within.length];
  const before = Math.floor(memory.place);
  const after = Math.min(before + 1, layers - 1);
  const share = memory.place - before;
  const { points, scale } = memory;
  return data.texts.map((_, i) => {
    const value = (axis) => {
      const [from, to] = [points[2 * (before * count + i) + axis], points[2 * (after * count + i) + axis]];
      return from + (to - from) * share;
    };
    return { x: scale.x(value(0)), y: scale.y(value(1)) };
  });
}

// A tinted outline around the occurrences of each sense.
function clouds(pen, { colour, data }, spots) {
  for (const sense of [0, 1]) {
    const corners = hull(spots.filter((_, i) => data.texts[i].sense === sense));
    const d = corners.map(({ x, y }, i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("") + "z";
    const tint = colourOf(colour, sense);
    pen.path(d, {
      key: `cloud ${sense}`,
      stroke: tint,
      fill: tint,
      width: 38,
      "stroke-linejoin": "round",
      opacity: 0.13,
    });
  }
}

function labels(pen, scene, at, spots) {
  const { colour, data, memory } = scene;
  const box = at.map;
  const room = labelRoom(box);
  const size = at.small ? 15 : 19;
  const foot = at.small ? "" : `${Math.round(100 * data.share[memory.layer])} % of the variance`;
  const title = at.small ? data.model : `“${data.word}” by ${data.model}, layer ${memory.layer}`;
  pen.text(box.left + 12, box.top + (at.small ? 18 : 24), title, {
    size: at.small ? 13 : 15,
    bold: true,
    fill: colour.quiet,
  });
  room.take([box.left, box.top, box.left + textWidth(title, at.small ? 13 : 15, true) + 20, box.top + 30]);
  if (foot && memory.layer) {
    pen.text(box.left + box.wide - 12, box.top + box.high - 12, `the plane shows ${foot}`, {
      size: 13,
      fill: colour.quiet,
      anchor: "end",
    });
    room.take([box.left + box.wide - 260, box.top + box.high - 30, box.left + box.wide, box.top + box.high]);
  }
  const apart = memory.place > 0.25;
  spots.forEach(({ x, y }) => room.take([x - 9, y - 9, x + 9, y + 9]));
  if (!apart) {
    const { x, y } = spots[0];
    pen.text(x, y - 30, `${data.texts.length} occurrences, one point`, {
      size,
      bold: true,
      anchor: "middle",
      halo: true,
    });
    return;
  }
  for (const sense of [0, 1]) {
    const its = spots.filter((_, i) => data.texts[i].sense === sense);
    const [x, y] = ["x", "y"].map((axis) => its.reduce((sum, each) => sum + each[axis], 0) / its.length);
    const [low, high] = [Math.min(...its.map((each) => each.y)), Math.max(...its.map((each) => each.y))];
    const where =
      room.place(x, low, 22, data.glosses[sense], { size, bold: true }) ??
      room.place(x, high, 22, data.glosses[sense], { size, bold: true }) ??
      room.place(x, y, 20, data.glosses[sense], { size, bold: true });
    if (where)
      pen.text(where.x, where.y, data.glosses[sense], {
        key: `gloss ${sense}`,
        size,
        bold: true,
        anchor: where.anchor,
        fill: colourOf(colour, sense),
        halo: true,
        "pointer-events": "none",
      });
  }
  if (memory.exact === null && memory.place === memory.layer)
    for (const { place, many } of heaps(data, spots)) {
      const where = room.place(spots[place].x, spots[place].y, 12, `× ${many}`, { size: 14, bold: true });
      if (where)
        pen.text(where.x, where.y, `× ${many}`, {
          key: `heap ${place}`,
          size: 14,
          bold: true,
          anchor: where.anchor,
          fill: colourOf(colour, data.texts[place].sense),
          halo: true,
          "pointer-events": "none",
        });
    }
  const typed = data.texts.flatMap(({ sense }, i) => (sense < 0 ? [i] : []));
  for (const place of typed) {
    const where = room.place(spots[place].x, spots[place].y, 10, "typed", { size: 14, bold: true });
    if (where)
      pen.text(where.x, where.y, "typed", {
        key: `typed ${place}`,
        size: 14,
        bold: true,
        anchor: where.anchor,
        fill: colour.gradient,
        halo: true,
        "pointer-events": "none",
      });
  }
}

// Occurrences of a sense that lie in one point, as for a model that cannot see where the sentences differ.
function heaps(data, spots) {
  const found = /** @type {{ place: number, many: number }[]} */ ([]);
  data.texts.forEach(({ sense }, place) => {
    const heap = found.find(
      (each) =>
        data.texts[each.place].sense === sense &&
        Math.hypot(spots[each.place].x - spots[place].x, spots[each.place].y - spots[place].y) < SAME,
    );
    if (heap) heap.many += 1;
    else found.push({ place, many: 1 });
  });
  return found.filter(({ many }) => many > 1);
}

// --- cosines ---------------------------------------------------------------------------------------

function cosines(pen, scene, at) {
  const { colour, hidden, values } = scene;
  if (!at.bars) return;
  const { left, top, wide } = at.bars;
  pen.text(left, top + 4, "Mean cosine of two occurrences", { size: 15, bold: true });
  const start = left + 116;
  const reach = wide - 116 - 64;
  [
    ["within a sense", "within", colour.activation, false],
    ["between senses", "between", colour.score, true],
  ].forEach(([name, key, tint, marked], row) => {
    const y = top + 28 + 28 * row;
    const value = values(key);
    pen.text(left, y + 5, name, { size: 15, fill: tint });
    pen.rect(start, y - 8, reach, 16, { r: 3, fill: colour.line, opacity: 0.5 });
    if (!hidden(key)) pen.rect(start, y - 8, reach * Math.max(value, 0), 16, { r: 3, fill: tint });
    pen.markedText(left + wide, y + 6, hidden(key) ? "?" : formatNumber(value), marked, {
      size: 17,
      bold: true,
      anchor: "end",
      fill: tint,
    });
  });
  matrix(pen, scene, at.matrix);
  verdict(pen, scene, {
    left: at.matrix.left + at.matrix.wide + 26,
    top: at.matrix.top,
    wide: left + wide - at.matrix.left - at.matrix.wide - 26,
  });
}

// Every two occurrences: the darker, the nearer. One path a shade, made once a layer.
function matrix(pen, scene, { left, top, wide }) {
  const { colour, data, memory, hidden } = scene;
  const count = data.texts.length;
  const cell = (wide - 10) / count;
  const key = `${memory.layer} ${left} ${top} ${wide}`;
  if (memory.shades?.key !== key) {
    const drawn = Array.from({ length: SHADES }, () => "");
    const low = Math.min(...memory.cosines);
    for (let i = 0; i < count; i++)
      for (let j = 0; j < count; j++) {
        const level = (cosine(scene, i, j) - low) / (1 - low || 1);
        const shade = Math.min(Math.floor(level * SHADES), SHADES - 1);
        drawn[shade] +=
          `M${(left + 10 + j * cell).toFixed(2)} ${(top + 10 + i * cell).toFixed(2)}h${cell.toFixed(2)}v${cell.toFixed(2)}h${(-cell).toFixed(2)}z`;
      }
    memory.shades = { key, drawn, low };
  }
  pen.rect(left + 10, top + 10, wide - 10, wide - 10, { r: 0, stroke: colour.line, line: 1 });
  if (hidden("between")) return;
  memory.shades.drawn.forEach((d, shade) =>
    pen.path(d, {
      key: `shade ${shade}`,
      stroke: "none",
      fill: colour.score,
      "fill-opacity": ((shade + 0.5) / SHADES) ** 1.6,
    }),
  );
  data.texts.forEach(({ sense }, i) => {
    const tint = colourOf(colour, sense);
    pen.rect(left + 10 + i * cell, top, cell, 7, { key: `column ${i}`, r: 0, fill: tint });
    pen.rect(left, top + 10 + i * cell, 7, cell, { key: `row ${i}`, r: 0, fill: tint });
  });
  const y = top + 10 + memory.picked * cell;
  pen.rect(left + 10, y, wide - 10, cell, { key: "picked", r: 0, stroke: colour.ink, line: 2 });
}

// What the nearest centroid says of every occurrence, itself left out.
function verdict(pen, scene, { left, top, wide }) {
  const { colour, hidden, values } = scene;
  const accuracy = hidden("accuracy") ? "?" : digits(values("accuracy"));
  pen.text(left, top + 14, "Nearest centroid", { size: 15, bold: true, room: wide });
  pen.text(left, top + 58, accuracy, { size: 40, bold: true, fill: colour.ink });
  const right = hidden("accuracy") ? "?" : formatNumber(values("right"));
  pen.text(left, top + 82, `${right} of ${formatNumber(values("count"))} right`, { size: 15, room: wide });
  pen.text(left, top + 104, "itself left out", { size: 14, fill: colour.quiet, room: wide });
  pen.text(left, top + 126, "½ is chance", { size: 14, fill: colour.quiet, room: wide });
}

// --- one sentence and its neighbours ---------------------------------------------------------------

function card(pen, scene, at) {
  const { colour, data, memory, hidden } = scene;
  const { left, top, wide, high } = at.card;
  const place = memory.pointed ?? memory.picked;
  const { words, at: own, sense } = data.texts[place];
  const size = at.small ? 14 : 17;
  const step = at.small ? 19 : 23;
  const most = at.small ? 2 : high > 190 ? 3 : 2;
  const placed = lines(words, wide - 26, size, most, own);
  const first = top + (at.small ? 12 : 16);
  pen.path(markPath(kindOf(sense), left + 9, first - size * 0.32, at.small ? 6 : 8), {
    fill: colourOf(colour, sense),
    stroke: "none",
  });
  placed.forEach(({ word, i, x, row }) => {
    const mine = i === own && word !== "…";
    pen.text(left + 24 + x, first + row * step, word, {
      key: `word ${i}`,
      size,
      bold: mine,
      fill: mine ? colourOf(colour, sense) : colour.ink,
    });
  });
  const rows = 1 + Math.max(...placed.map(({ row }) => row));
  const start = first + rows * step;
  if (memory.layer === 0) {
    pen.text(left, start + (at.small ? 2 : 8), "at cosine 1 with all the others", {
      size: at.small ? 13 : 15,
      fill: colour.quiet,
    });
    return;
  }
  if (hidden("between") || hidden("accuracy")) return;
  const near = nearest(scene, place);
  if (at.small) {
    const text = `nearest: ${excerpt(data.texts[near[0]].words, data.texts[near[0]].at, wide - 110, 13)}`;
    pen.text(left, start, `${digits(cosine(scene, place, near[0]))}  ${text}`, {
      size: 13,
      fill: colourOf(colour, data.texts[near[0]].sense),
      room: wide,
    });
    return;
  }
  pen.text(left, start + 10, "nearest to it, by cosine", { size: 14, fill: colour.quiet });
  near.forEach((other, k) => {
    const y = start + 34 + 24 * k;
    if (y > top + high) return;
    const its = data.texts[other];
    pen.path(markPath(kindOf(its.sense), left + 9, y - 5, 6), {
      key: `mark ${k}`,
      fill: colourOf(colour, its.sense),
      stroke: "none",
    });
    pen.text(left + 24, y, digits(cosine(scene, place, other)), { key: `cosine ${k}`, size: 15, bold: true });
    pen.text(left + 66, y, excerpt(its.words, its.at, wide - 70, 15), { key: `text ${k}`, size: 15, room: wide - 66 });
  });
}

// --- the layers ------------------------------------------------------------------------------------

function strip(pen, scene, at) {
  const { colour, data, memory, move, hidden } = scene;
  const { left, top, wide, high } = at.strip;
  const last = data.within.length - 1;
  const x = (place) => left + (place / Math.max(last, 1)) * wide;
  const y = (value) => top + high - Math.max(value, 0) * high;
  pen.line(left, top + high, left + wide, top + high, { stroke: colour.line, width: 1 });
  pen.text(left - 8, top + 6, "1", { size: 13, fill: colour.quiet, anchor: "end" });
  pen.text(left - 8, top + high + 4, "0", { size: 13, fill: colour.quiet, anchor: "end" });
  const curves = [
    ["accuracy", data.accuracy, colour.ink, "2 5", "nearest centroid"],
    ["within", data.within, colour.activation, null, "within a sense"],
    ["between", data.between, colour.score, "9 5", "between senses"],
  ];
  for (let i = 0; i <= last; i++) {
    pen.line(x(i), top, x(i), top + high, { key: `rule ${i}`, stroke: colour.line, width: 1 });
    const name = i ? `${i}` : at.small ? "0" : "layer 0";
    pen.text(x(i), top + high + 18, name, {
      key: `tick ${i}`,
      size: 14,
      bold: i === memory.layer,
      fill: i === memory.layer ? colour.ink : colour.quiet,
      anchor: "middle",
    });
  }
  const ends = spread(
    curves.map(([, values]) => y(values[last])),
    16,
  );
  curves.forEach(([key, values, tint, dash, name], k) => {
    if (hidden(key)) return;
    pen.path(
      line(
        (_, i) => x(i),
        (value) => y(value),
      )(Array.from(values)) ?? "",
      { key: `curve ${key}`, stroke: tint, width: 3, dash },
    );
    if (!at.small)
      pen.text(left + wide + 12, ends[k] + 4, name, { key: `name ${key}`, size: 14, bold: true, fill: tint });
    pen.circle(x(memory.place), y(between(values, memory.place)), 6, {
      key: `dot ${key}`,
      fill: tint,
      stroke: colour.background,
      line: 2,
    });
  });
  pen.line(x(memory.place), top - 6, x(memory.place), top + high + 4, { key: "now", stroke: colour.ink, width: 2 });
  pen.circle(x(memory.place), top - 8, 8, { key: "knob", fill: colour.ink, stroke: colour.background, line: 2 });
  grab(pen, scene, at, last, move);
}

const between = (values, place) => {
  const before = Math.floor(place);
  const after = Math.min(before + 1, values.length - 1);
  return values[before] + (values[after] - values[before]) * (place - before);
};

function grab(pen, { memory, again }, at, last, move) {
  const { left, top, wide, high } = at.strip;
  const cover = pen.rect(left - 12, top - 18, wide + 24, high + 42, {
    key: "cover",
    fill: "transparent",
    class: "grab",
  });
  const to = (across) => Math.min(Math.max((across - left) / wide, 0), 1) * last;
  const put = (place, settled) => {
    memory.exact = settled ? null : place;
    move("layer", Math.round(place), settled);
    again();
  };
  drag(cover, {
    down: (across) => ({ place: to(across) }),
    start: (began) => put(began.place, false),
    move: (began, across) => put((began.place = to(across)), false),
    up: (began) => put(began.place, true),
  });
}
