// One query, opened: its scores with every key, divided, turned into shares, and the values mixed by them.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { textWidth } from "../../ui/browser/pen.js";
import { barScale, cellsIn, narrowPlaces, places, window as rowsFrom } from "./flow_layout.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["flow"]} Data */

const DIM = 0.18;
const INNER = 12; // between the edge of a panel and what is in it

/** @param {Component<Data>} component */
export default function flow(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) =>
    (scene.narrow ? phone : desk)(pen, scene),
  );
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function desk(pen, scene) {
  const { data, width, height, values, before } = scene;
  const at = places(width, height, data.tokens.length);
  const keys = rowsShown(scene, at);
  const size = at.row >= 54 ? 18 : at.row >= 32 ? 16 : 14;
  const high = Math.max(16, Math.min(40, at.row * (at.row >= 54 ? 0.4 : 0.66)));
  const fit = fitPlan(scene, at);
  const zone = Math.min(fit.bars.right - fit.bars.left, inside(at.panels.scale).wide);
  const every = data.tokens.flatMap((_, j) => [
    values(`s${j + 1}`),
    values(`a${j + 1}`),
    ...(before ? [before(`a${j + 1}`)] : []),
  ]);
  const its = { ...at, keys, size, high, fit, along: barScale(every, zone), above: at.row >= 54, tall: at.row >= 100 };
  for (const [name, draw] of Object.entries({ fit: fits, scale: scales, softmax: shares, mix: mixes })) {
    pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, (part) => draw(part, scene, its));
  }
  if (!at.all) scrolling(pen, scene, its, at.panels.fit.left, at.panels.fit.right);
}

const inside = ({ left, right }) => ({ left: left + INNER, right: right - INNER, wide: right - left - 2 * INNER });

// --- which keys are shown ------------------------------------------------------------------------

/** The keys that are shown, each with the middle of its row; of many, those around the favoured one at first. */
function rowsShown(scene, at) {
  const { data, memory } = scene;
  const asked = `${data.query} ${data.tokens.join(" ")}`;
  if (memory.asked !== asked) Object.assign(memory, { asked, begin: undefined });
  const begin = rowsFrom(memory.begin, at, data.tokens.length, data.best);
  Object.assign(at, { begin });
  return Array.from({ length: at.shown }, (_, i) => ({ j: begin + i, y: at.first + at.row * (i + 0.5) }));
}

/** Buttons above and below the rows, and the wheel, show the other keys. */
function scrolling(pen, scene, its, left, right) {
  const { data, memory, colour, again } = scene;
  const count = data.tokens.length;
  const go = (by) => {
    memory.begin = Math.min(Math.max(its.begin + by, 0), count - its.shown);
    again();
  };
  const rest = { earlier: its.begin, later: count - its.begin - its.shown };
  const ways = { earlier: [-1, "▲"], later: [1, "▼"] };
  const room = Math.min(150, (right - left - 2 * INNER - 8) / 2);
  Object.entries(ways).forEach(([which, [way, arrow]], i) => {
    const x = left + INNER + i * (room + 8);
    const few = rest[which] === 0;
    pen.button(
      `Show ${which} keys`,
      () => go(Number(way) * Math.max(1, its.shown - 1)),
      (button) => {
        button.rect(x, its.last + 4, room, 24, {
          r: 12,
          fill: colour.background,
          stroke: few ? colour.line : colour.key,
        });
        button.text(x + room / 2, its.last + 21, `${arrow} ${rest[which]} ${which}`, {
          size: 14,
          fill: few ? colour.quiet : colour.key,
          anchor: "middle",
        });
      },
      { key: which, disabled: few },
    );
  });
  pen.parent.onwheel = (event) => {
    if (its.all) return;
    event.preventDefault();
    memory.turned = (memory.turned ?? 0) + event.deltaY;
    if (Math.abs(memory.turned) < 30) return;
    go(Math.sign(memory.turned));
    memory.turned = 0;
  };
}

// --- what all panels have ------------------------------------------------------------------------

function panel(pen, { colour }, its, name, number, title, sub, role) {
  const { left, right } = its.panels[name];
  pen.rect(left, its.top, right - left, its.bottom - its.top, { r: 14, fill: role, "fill-opacity": 0.05 });
  pen.circle(left + 22, its.top + 20, 11, { fill: role });
  pen.text(left + 22, its.top + 25, `${number}`, { size: 15, bold: true, fill: colour.background, anchor: "middle" });
  pen.text(left + 40, its.top + 25, title, { size: 15, bold: true, fill: role, room: right - left - 46 });
  if (!its.many) pen.text(left + INNER, its.top + 51, sub, { size: 14, fill: colour.quiet, room: right - left - 20 });
}

const digits = (value, count) => formatNumber(Number(Number(value).toPrecision(count)));
const short = (scene, name, count = 3) => (scene.hidden(name) ? "?" : digits(scene.values(name), count));

/** A number with as many digits as there is room for: four, three, two, then so many decimals. */
function fitting(scene, name, room, size, bold) {
  if (scene.hidden(name)) return "?";
  const value = scene.values(name);
  const said = [formatNumber(value), digits(value, 3), digits(value, 2)];
  const all =
    Math.abs(value) < 100 ? [...said, ...[2, 1].map((places) => value.toFixed(places).replace("-", "−"))] : said;
  return all.find((text) => textWidth(text, size, bold) <= room) ?? all.at(-1);
}

/** A row of numbers in boxes; `level` fills each as far as its share. */
function cells(pen, scene, x, y, names, { width, height, role, size = 16, level = null, bold = true, line = 1.5 }) {
  names.forEach((name, c) => {
    const left = x + c * width;
    const text = fitting(scene, name, width - 8, 13, bold);
    pen.rect(left + 1, y - height / 2, width - 3, height, { r: 5, fill: scene.colour.background, stroke: role, line });
    if (level !== null)
      pen.rect(left + 2, y + height / 2 - 1 - level * (height - 2), width - 5, level * (height - 2), {
        r: 3,
        fill: role,
        "fill-opacity": 0.24,
      });
    const type = Math.max(13, Math.min(size, (size * (width - 8)) / textWidth(text, size, bold)));
    pen.markedText(left + width / 2 - 0.5, y + type * 0.35, text, scene.data.marked === name, {
      size: type,
      bold,
      anchor: "middle",
    });
  });
}

const named = (letter, count) => Array.from({ length: count }, (_, c) => `${letter}${c + 1}`);
const sub = (number) => String(number).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);
const widest = (scene, names, size, count) =>
  Math.max(...names.map((name) => textWidth(short(scene, name, count), size, true)));

/** A bar from 0, with its number inside where there is room. */
function bar(pen, scene, its, left, y, name, role, marked) {
  const { values, before, text, hidden, colour } = scene;
  const number = text(name);
  const wide = textWidth(number, its.size, true);
  if (hidden(name)) return pen.text(left, y + 6, "?", { size: its.size, bold: true });
  const [zero, end] = [left + its.along(0), left + its.along(values(name))];
  if (before && Math.abs(before(name) - values(name)) > 1e-9) {
    const old = left + its.along(before(name));
    pen.rect(Math.min(zero, old), y - its.high / 2 - 3, Math.max(Math.abs(old - zero), 2), its.high + 6, {
      key: `old ${name}`,
      stroke: colour.quiet,
      line: 1.2,
      dash: "4 3",
      r: 3,
    });
  }
  const [from, to] = [Math.min(zero, end), Math.max(zero, end)];
  pen.rect(from, y - its.high / 2, Math.max(to - from, 2.5), its.high, { key: `bar ${name}`, fill: role, r: 3 });
  const fits = to - from > wide + 16;
  const beyond = before && !hidden(name) ? Math.max(to, left + its.along(before(name))) : to;
  const x = fits ? (end < zero ? from + 8 : to - 8) : beyond + 8;
  const anchor = fits && end >= zero ? "end" : "start";
  pen.markedText(x, y + its.size * 0.35, number, marked, {
    key: `number ${name}`,
    size: its.size,
    bold: true,
    anchor,
    fill: fits ? colour.background : role,
  });
}

// --- 1: the query meets each key -----------------------------------------------------------------

/** Columns of the first panel: words, cells, bars; as many numbers of q and k as there is room for. */
function fitPlan(scene, at) {
  const { data } = scene;
  const { left, right, wide } = inside(at.panels.fit);
  const bold = at.many ? 14 : 16;
  const widestWord = Math.max(...data.tokens.map((token) => textWidth(token, bold, true))) + 24;
  const words = Math.min(112, Math.max(widestWord, at.many ? 0 : textWidth(`asks with q${data.query + 1}`, 14) + 6));
  const names = [...named("q", data.shown[0]), ...data.tokens.flatMap((_, j) => named(`k${j + 1}.`, data.shown[0]))];
  const rest = wide - words - 10;
  const plan = cellsIn(rest * 0.54, data.shown[0], widest(scene, names, 13, 2) + 9, 44);
  const cellsLeft = left + words + 10;
  const cellsRight = cellsLeft + plan.count * plan.width;
  return {
    words: { left, right: left + words },
    cells: { left: cellsLeft, right: cellsRight, ...plan },
    bars: { left: cellsRight + 14, right },
  };
}

function fits(pen, scene, its) {
  const { data, colour } = scene;
  const { cells: box, bars } = its.fit;
  panel(
    pen,
    scene,
    its,
    "fit",
    1,
    "q · k: how well do they fit?",
    "multiply, add up. Press a word: it asks",
    colour.score,
  );
  const high = Math.min(box.width - 3, 40, its.many ? 26 : 40);
  const query = its.query;
  asks(pen, scene, its);
  gap(pen, scene, its, bars.left, inside(its.panels.fit), "s", "gap");
  if (its.above) {
    const lowest = its.keys.at(-1).y;
    for (let c = 0; c < box.count; c++) {
      const x = box.left + (c + 0.5) * box.width - 0.5;
      pen.line(x, query + high / 2, x, lowest, {
        stroke: colour.query,
        width: 1.5,
        dash: "2 4",
        "stroke-opacity": 0.6,
      });
    }
  }
  cells(pen, scene, box.left, query, named("q", box.count), { width: box.width, height: high, role: colour.query });
  aside(pen, scene, its, query);
  for (const { j, y } of its.keys) {
    pen.group({ key: `key${j}` }, (row) => {
      word(row, scene, its, j, y);
      const height = Math.min(high, its.row - 4);
      cells(row, scene, box.left, y, named(`k${j + 1}.`, box.count), {
        width: box.width,
        height,
        role: colour.key,
        size: its.many ? 14 : 16,
      });
      const terms = data.products[j];
      if (its.above && terms && textWidth(terms, 15) <= bars.right - bars.left + 8)
        row.text(bars.left, y - its.high / 2 - 8, terms, { size: 15, fill: colour.quiet, halo: its.tall });
      bar(row, scene, its, bars.left, y, `s${j + 1}`, colour.score, false);
    });
  }
}

function asks(pen, { data, colour }, its) {
  const { left, right } = its.fit.words;
  const token = data.tokens[data.query];
  const vector = `q${sub(data.query + 1)}`;
  if (its.many)
    return pen.text(left, its.query + 5, `${token}`, { size: 16, bold: true, fill: colour.query, room: right - left });
  pen.text(left, its.query - 1, token, { size: 18, bold: true, fill: colour.query, room: right - left });
  pen.text(left, its.query + 17, `asks with ${vector}`, { size: 14, fill: colour.query, room: right - left + 8 });
}

/** What of q is drawn, and what d_k counts besides. */
function aside(pen, { data, values, colour }, its, y) {
  const {
    bars,
    cells: { count },
  } = its.fit;
  const [whole] = data.whole;
  const d_k = values("d_k");
  const lines =
    count < whole
      ? [`first ${count} of ${whole}`]
      : data.scaled && d_k > whole
        ? [`d_k = ${formatNumber(Math.round(d_k))}: the`, "others are 0"]
        : [];
  lines.forEach((line, i) =>
    pen.text(bars.left, y + (lines.length > 1 ? 18 * i - 3 : 5), line, {
      size: 14,
      fill: colour.quiet,
      room: bars.right - bars.left + 8,
    }),
  );
}

/** A key's word; pressed, it asks. */
function word(pen, { data, colour, send }, its, j, y) {
  const { left, right } = its.fit.words;
  const token = data.tokens[j];
  const here = j === data.query;
  const height = Math.min(34, its.row - 3);
  const size = its.many ? 14 : 16;
  pen.button(
    `Query ${j + 1}: ${token}`,
    () => send({ query: j + 1 }),
    (button) => {
      button.rect(left, y - height / 2, right - left, height, {
        r: height / 2,
        fill: colour.background,
        stroke: here ? colour.query : colour.key,
        line: here ? 2.5 : 1.5,
      });
      button.text((left + right) / 2, y + size * 0.35, token, {
        size,
        bold: true,
        fill: here ? colour.query : colour.key,
        anchor: "middle",
        room: right - left - 16,
      });
    },
    { chosen: here },
  );
  if (its.above)
    pen.text((left + right) / 2, y + height / 2 + 17, `answers with k${sub(j + 1)}`, {
      size: 13,
      fill: colour.key,
      anchor: "middle",
      ...(textWidth("answers with k12", 13) > right - left + 14 ? { opacity: 0 } : {}),
    });
}

// How far apart the two favoured keys are, below the ends of their bars.
function gap(pen, scene, its, left, { left: from, right: to }, letter, name) {
  const { data, values, text, colour } = scene;
  if (data.second < 0) return;
  const names = [data.second, data.best].map((j) => `${letter}${j + 1}`);
  const y = its.last + 10;
  const ends = names.map((each) => left + its.along(values(each)));
  const rows = names.map((_, i) => its.keys.find(({ j }) => j === [data.second, data.best][i]));
  if (rows.every(Boolean) && its.tall) {
    rows.forEach((row, i) =>
      pen.line(ends[i], row.y + its.high / 2, ends[i], y + 4, { stroke: colour.score, width: 1.2, dash: "2 4" }),
    );
    pen.path(`M${ends[0]} ${y + 2}v5H${ends[1]}v-5`, { key: "bracket", stroke: colour.score, width: 1.8 });
  }
  const [label, how] = [`${text(name)} apart`, `${text(names[1])} − ${text(names[0])}`];
  foot(pen, scene, its, Math.min(Math.max((ends[0] + ends[1]) / 2, from), to), label, how, colour.score, from, to);
}

function foot(pen, { colour }, its, middle, label, how, role, from, to) {
  const size = its.many ? 16 : 18;
  const half = Math.max(textWidth(label, size, true), textWidth(how, 14)) / 2 + 2;
  const x = Math.min(Math.max(middle, from + half), to - half);
  const y = its.bottom - (its.many ? 30 : 34);
  pen.text(x, y, label, { size, bold: true, fill: role, anchor: "middle", room: to - from });
  pen.text(x, y + 20, how, { size: 14, fill: colour.quiet, anchor: "middle", room: to - from });
}

// --- 2: divided ----------------------------------------------------------------------------------

function scales(pen, scene, its) {
  const { data, colour } = scene;
  const { left, right, wide } = inside(its.panels.scale);
  panel(pen, scene, its, "scale", 2, "÷ √d_k", data.scaled ? "keeps them close" : "left out here", colour.score);
  divisor(pen, scene, its, left, wide);
  gap(pen, scene, its, left, { left, right }, "a", "apart");
  for (const { j, y } of its.keys) {
    pen.group({ key: `key${j}` }, (row) => {
      const how = `${scene.text(`s${j + 1}`)} ÷ ${scene.text("divisor")}`;
      const divides = data.scaled || data.tempered;
      if (its.above && divides)
        row.text(left, y - its.high / 2 - 8, how, { size: 15, fill: colour.quiet, room: wide, halo: its.tall });
      bar(row, scene, its, left, y, `a${j + 1}`, colour.score, false);
    });
  }
}

/** What every score is divided by; its handle moves d_k. */
function divisor(pen, { data, text, moved, colour }, its, left, wide) {
  const y = its.query - (its.many ? 0 : 9);
  if (!data.scaled) {
    pen.rect(left, y - 16, wide, 32, { r: 16, stroke: colour.quiet, dash: "4 3" });
    return pen.text(left + wide / 2, y + 5, data.tempered ? `÷ τ = ${text("tau")}` : "not divided", {
      size: 15,
      fill: colour.quiet,
      anchor: "middle",
    });
  }
  pen.group({ "data-n": "d_k", "data-per": 0.6, "data-way": "x" }, (handle) => {
    handle.rect(left, y - 17, wide, 34, {
      r: 17,
      fill: colour.background,
      stroke: colour.score,
      line: moved === "d_k" ? 3 : 1.5,
    });
    handle.text(left + wide / 2, y + 6, data.tempered ? `÷ ${text("root")} ÷ ${text("tau")}` : `÷ ${text("root")}`, {
      size: 18,
      bold: true,
      fill: colour.score,
      anchor: "middle",
      room: wide - 34,
    });
    handle.path(`M${left + 14} ${y - 5}l-4 5l4 5M${left + wide - 14} ${y - 5}l4 5l-4 5`, {
      stroke: colour.score,
      "stroke-opacity": 0.7,
    });
  });
  if (!its.many)
    pen.text(left + wide / 2, y + 34, `√${text("d_k")}${data.tempered ? ", and τ" : ""}`, {
      size: 14,
      fill: colour.quiet,
      anchor: "middle",
    });
}

// --- 3: softmax ----------------------------------------------------------------------------------

function shares(pen, scene, its) {
  const { data, text, colour, hidden } = scene;
  const { left, right, wide } = inside(its.panels.softmax);
  const title = data.mask ? "mask, softmax" : "softmax";
  panel(pen, scene, its, "softmax", 3, title, data.mask || "shares that sum to 1", colour.activation);
  if (data.best >= 0)
    pen.text(left, its.query + (its.many ? 5 : 0), `Σ exp = ${text("sum")}`, {
      size: 15,
      fill: colour.quiet,
      room: wide,
    });
  for (const { j, y } of its.keys) pen.group({ key: `key${j}` }, (row) => share(row, scene, its, { left, wide }, j, y));
  if (data.second < 0) return;
  const ratio = `${text("ratio")} to 1`;
  foot(
    pen,
    scene,
    its,
    (left + right) / 2,
    ratio,
    hidden("ratio") ? "" : `exp(${text("apart")})`,
    colour.activation,
    left,
    right,
  );
}

function share(pen, scene, its, { left, wide }, j, y) {
  const { data, values, before, text, hidden, colour } = scene;
  const name = `w${j + 1}`;
  const { high, size } = its;
  if (data.closed[j]) return closed(pen, scene, its, left, wide, y);
  pen.rect(left, y - high / 2, wide, high, { r: 4, fill: colour.background, stroke: colour.line });
  if (its.above)
    pen.text(left, y - high / 2 - 8, `exp(${text(`h${j + 1}`)}) ÷ Σ exp`, { size: 15, fill: colour.quiet, room: wide });
  if (hidden(name)) return pen.text(left + 10, y + 6, "?", { size, bold: true });
  const filled = wide * values(name);
  if (before && Math.abs(before(name) - values(name)) > 1e-6)
    pen.rect(left, y - high / 2 - 3, Math.max(wide * before(name), 2), high + 6, {
      key: "old",
      stroke: colour.quiet,
      line: 1.2,
      dash: "4 3",
      r: 3,
    });
  pen.rect(left, y - high / 2, Math.max(filled, 1), high, { key: "bar", r: 4, fill: colour.activation });
  const number = scene.narrow ? short(scene, name) : text(name);
  const marked = data.marked === name;
  const needs = textWidth(number, size, true);
  const fits = filled > needs + 12;
  const x = fits ? left + 8 : Math.min(left + filled + 9, left + wide - needs - 5);
  pen.markedText(x, y + size * 0.35, number, marked, {
    key: "number",
    size,
    bold: true,
    fill: fits ? colour.background : colour.activation,
    halo: !fits && x < left + filled + 4 && !marked,
  });
  if (its.tall && data.scaled && !before) undivided(pen, scene, left, wide, y + high / 2 + 6, j);
}

// What the weight would be without the division.
function undivided(pen, { values, text, hidden, colour }, left, wide, y, j) {
  const name = `n${j + 1}`;
  if (hidden(name)) return;
  const weight = values(name);
  pen.rect(left, y, Math.max(wide * weight, 2), 8, { stroke: colour.quiet, line: 1.2, dash: "3 2", r: 2 });
  const number = weight > 0.9995 ? "almost 1" : digits(weight, 2);
  pen.text(left, y + 25, `without ÷ ${text("root")}: ${number}`, { size: 13, fill: colour.quiet, room: wide + 8 });
}

/** A key that the mask hides: its row is crossed out. */
function closed(pen, { colour }, { high, size }, left, wide, y) {
  const [top, bottom] = [y - high / 2, y + high / 2];
  pen.rect(left, top, wide, high, { r: 4, fill: colour.background, stroke: colour.mask, dash: "4 3", line: 1.5 });
  pen.path(`M${left} ${top}L${left + wide} ${bottom}M${left} ${bottom}L${left + wide} ${top}`, {
    stroke: colour.mask,
    "stroke-opacity": 0.7,
  });
  const half = textWidth("−∞ → 0", size, true) / 2 + 8;
  pen.rect(left + wide / 2 - half, top + 2, 2 * half, high - 4, { fill: colour.background, r: 0 });
  pen.text(left + wide / 2, y + size * 0.35, "−∞ → 0", { size, bold: true, fill: colour.mask, anchor: "middle" });
}

// --- 4: the values, each shrunk to its share, added up -------------------------------------------

function mixes(pen, scene, its) {
  const { data, values, text, hidden, colour } = scene;
  const { left, right, wide } = inside(its.panels.mix);
  const names = data.tokens.flatMap((_, j) => named(`v${j + 1}.`, data.shown[1]));
  const between = 34;
  const need = Math.min(40, Math.max(24, widest(scene, names, 13, 2) + 9));
  const { count } = cellsIn(wide - between, data.shown[1], need + 47, 200);
  const small = Math.min(count > 2 ? 34 : 44, (wide - between) / count - 47);
  const big = Math.min(62, (wide - between) / count - small);
  const whole = data.whole[1];
  panel(
    pen,
    scene,
    its,
    "mix",
    4,
    "α · v: shrink, then add up",
    count < whole ? `first ${count} of ${whole} numbers` : "each value shrinks to its share",
    colour.value,
  );
  const bigLeft = right - count * big;
  const smallRight = left + count * small;
  const high = Math.min(its.row - 4, 38);
  const z = its.bottom - (its.many ? 25 : 34);
  const blind = data.best < 0;
  if (!blind) {
    for (let c = 0; c < count; c++) {
      const x = bigLeft + (c + 0.5) * big - 0.5;
      const d = `M${x} ${its.keys[0].y + high / 2}V${z - 20}`;
      pen.path(d, { key: `line${c}`, stroke: colour.value, width: 4, "stroke-opacity": 0.3 });
      if (!hidden("z1")) pen.beads(d, colour.value, { key: `beads${c}` });
    }
  }
  for (const { j, y } of its.keys) {
    const shut = data.closed[j];
    pen.group({ key: `key${j}`, opacity: shut ? 0.35 : null }, (row) => {
      const weight = shut || hidden(`w${j + 1}`) ? 0 : values(`w${j + 1}`);
      const thick = Math.max(weight * its.high, weight > 0 ? 1 : 0);
      for (const [from, to, key] of [
        [its.panels.softmax.right - INNER, left - 3, "in"],
        [smallRight, bigLeft - 3, "out"],
      ]) {
        if (!thick) continue;
        row.rect(from, y - thick / 2, to - from, thick, { key, fill: colour.value, "fill-opacity": 0.28, r: 0 });
        if (weight > 0.01) row.beads(`M${from} ${y}H${to}`, colour.value, { key: `beads ${key}` });
      }
      cells(row, scene, left, y, named(`v${j + 1}.`, count), {
        width: small,
        height: high,
        role: colour.value,
        size: its.many ? 14 : 16,
        bold: false,
      });
      if (its.tall) row.text(left, y - high / 2 - 8, `value v${sub(j + 1)}`, { size: 14, fill: colour.value });
      if (its.tall && !shut)
        row.text(left, y + high / 2 + 19, `× ${text(`w${j + 1}`)}`, { size: 15, bold: true, fill: colour.value });
      if (!shut)
        cells(row, scene, bigLeft, y, named(`u${j + 1}.`, count), {
          width: big,
          height: high,
          role: colour.value,
          size: 15,
          level: weight,
        });
    });
  }
  pen.text(bigLeft - 12, z + 6, `Σ = z${sub(data.query + 1)}`, {
    size: its.many ? 16 : 18,
    bold: true,
    fill: colour.value,
    anchor: "end",
  });
  cells(pen, scene, bigLeft, z, named("z", count), { width: big, height: 36, role: colour.value, size: 17, line: 2.5 });
}

// --- a phone -------------------------------------------------------------------------------------

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function phone(pen, scene) {
  const { data, width, height, text, colour } = scene;
  const at = narrowPlaces(width, height, data.tokens.length);
  const keys = rowsShown(scene, at);
  const { word: words, score, scaled, weight, value } = at.stages;
  const tall = at.row >= 100;
  const its = {
    ...at,
    keys,
    high: tall ? 38 : Math.min(26, at.row - 8),
    size: 15,
    fit: { words },
    many: true,
    above: false,
    tall,
  };
  const values = data.tokens.flatMap((_, j) => named(`v${j + 1}.`, data.shown[1]));
  const count = cellsIn(value.right - value.left, data.shown[1], Math.min(32, widest(scene, values, 13, 2) + 9), 34);
  const part = (name, how) => pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
  part("fit", (its1) => {
    its1.text(words.left, at.query + 5, data.tokens[data.query], {
      size: 16,
      bold: true,
      fill: colour.query,
      room: 96,
    });
    its1.text(words.left + 104, at.query + 5, `asks: q${sub(data.query + 1)}`, { size: 14, fill: colour.query });
    const fit = cellsIn(width - 182, data.shown[0], widest(scene, named("q", data.shown[0]), 14, 3) + 10, 40);
    cells(its1, scene, 176, at.query, named("q", fit.count), {
      width: fit.width,
      height: 28,
      role: colour.query,
      size: 15,
    });
    its1.text(score.right, at.heads, "q · k", { size: 14, bold: true, fill: colour.score, anchor: "end" });
    for (const { j, y } of keys) {
      its1.group({ key: `key${j}` }, (row) => {
        word(row, scene, its, j, y);
        row.text(score.right, y + 5, fitting(scene, `s${j + 1}`, 40, 15, true), {
          size: 15,
          fill: colour.score,
          anchor: "end",
          bold: true,
        });
        const numbers = named(`k${j + 1}.`, data.shown[0])
          .map((name) => short(scene, name, 2))
          .join(" ");
        if (at.row >= 62 && textWidth(numbers, 14) < 84)
          row.text(words.left + 6, y + 37, `k${sub(j + 1)} = ${numbers}`, { size: 14, fill: colour.key });
        const terms = data.products[j];
        if (tall && terms && textWidth(terms, 13) < 90)
          row.text(score.right, y - 22, terms, { size: 13, fill: colour.quiet, anchor: "end" });
      });
    }
    between(its1, scene, its, score.right, `${text("gap")} apart`, colour.score, "end");
  });
  part("scale", (its2) => {
    its2.text(scaled.right, at.heads, data.scaled || data.tempered ? `÷ ${short(scene, "divisor", 2)}` : "as is", {
      size: 14,
      bold: true,
      fill: colour.score,
      anchor: "end",
    });
    for (const { j, y } of keys)
      its2.text(scaled.right, y + 5, fitting(scene, `a${j + 1}`, 38, 15, true), {
        key: `a${j}`,
        size: 15,
        bold: true,
        fill: colour.score,
        anchor: "end",
      });
    between(its2, scene, its, scaled.right, short(scene, "apart"), colour.score, "end");
  });
  part("softmax", (its3) => {
    its3.text(weight.left, at.heads, "softmax", { size: 14, bold: true, fill: colour.activation });
    for (const { j, y } of keys) {
      its3.group({ key: `key${j}` }, (row) =>
        share(row, scene, { ...its, tall: false }, { left: weight.left, wide: weight.right - weight.left }, j, y),
      );
    }
    between(its3, scene, its, weight.left, `${short(scene, "ratio", 4)} to 1`, colour.activation, "start");
  });
  part("mix", (its4) => {
    its4.text(value.left, at.heads, count.count < data.whole[1] ? `v, ${count.count} of ${data.whole[1]}` : "values", {
      size: 14,
      bold: true,
      fill: colour.value,
    });
    const z = height - 30;
    for (const { j, y } of keys) {
      const shut = data.closed[j] || scene.hidden(`w${j + 1}`);
      its4.group({ key: `key${j}`, opacity: data.closed[j] ? 0.35 : null }, (row) =>
        cells(row, scene, value.left, y, named(`v${j + 1}.`, count.count), {
          width: count.width,
          height: its.high,
          role: colour.value,
          size: 15,
          bold: false,
          level: shut ? 0 : scene.values(`w${j + 1}`),
        }),
      );
    }
    const cell = Math.min(62, (width - 120) / count.count);
    const left = width - 6 - cell * count.count;
    its4.text(left - 10, z + 6, `z${sub(data.query + 1)} = Σ α·v`, {
      size: 15,
      bold: true,
      fill: colour.value,
      anchor: "end",
    });
    cells(its4, scene, left, z, named("z", count.count), { width: cell, height: 34, role: colour.value, size: 16 });
  });
  if (!at.all) scrolling(pen, scene, its, 0, width);
}

/** What parts two keys, written between their rows. */
function between(pen, { data }, its, x, label, fill, anchor) {
  if (data.second < 0 || its.keys.length !== 2 || !its.tall) return;
  pen.text(x, (its.keys[0].y + its.keys[1].y) / 2 + 5, label, { key: "between", size: 15, fill, anchor });
}
