// One token is changed, and its change climbs the layers along what the mask lets be seen. Beside it: the same
// for every token, a small grid for each layer.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { textWidth } from "../../ui/browser/pen.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["leak"]} Data */

const DIM = 0.18;

/** @param {Component<Data>} component */
export default function leak(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const at = places(scene);
    part(pen, scene, "edges", (its) => edges(its, scene, at));
    part(pen, scene, "outputs", (its) => outputs(its, scene, at));
    part(pen, scene, "words", (its) => words(its, scene, at));
    part(pen, scene, "sides", (its) => sides(its, scene, at));
    if (!scene.narrow) part(pen, scene, "every", (its) => every(its, scene, at));
  });
}

function part(pen, scene, name, how) {
  pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
}

/** @param {Scene<any, any>} scene */
function places({ width, height, narrow, data }) {
  const count = data.tokens.length;
  const [left, right] = narrow ? [46, width - 4] : [104, width - 158];
  const step = (right - left) / count;
  const [top, bottom] = [narrow ? 62 : 84, height - (narrow ? 20 : 40)];
  const high = narrow ? 22 : 30;
  const apart = (bottom - top) / data.depths;
  return {
    left,
    right,
    step,
    high,
    apart,
    half: Math.min(step / 2 - (narrow ? 1.5 : 4), 40),
    x: (i) => left + (i + 0.5) * step,
    y: (depth) => bottom - depth * apart,
    every: { left: width - 128, right: width - 14 },
  };
}

/** Where a change goes: from what it has reached, along what the mask leaves open. */
function carries({ data, values, hidden }, depth, j, i) {
  const seen = values(`m${i + 1}.${j + 1}`) > 0.5;
  if (hidden(`v${depth}.${i + 1}`)) return { open: data.blank ? seen && i !== j : seen || i === j, live: false };
  if (!data.blank) return { open: seen || i === j, live: (seen || i === j) && values(`r${depth - 1}.${j + 1}`) > 0.5 };
  const own = i === j && depth > 1 && values(`v${depth - 1}.${i + 1}`) > 0;
  return {
    open: (seen && i !== j) || (i === j && depth > 1),
    live: own || (seen && i !== j && values(`r${depth - 1}.${j + 1}`) > 0.5),
  };
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function edges(pen, scene, at) {
  const { data, colour } = scene;
  for (let depth = 1; depth <= data.depths; depth++) {
    const quiet = [];
    const live = [];
    const [from, to] = [at.y(depth - 1) - at.high / 2, at.y(depth) + at.high / 2];
    const bend = (from + to) / 2;
    for (let i = 0; i < data.tokens.length; i++) {
      for (let j = 0; j < data.tokens.length; j++) {
        const way = carries(scene, depth, j, i);
        if (!way.open) continue;
        const d = `M${round(at.x(j))} ${round(from)}C${round(at.x(j))} ${round(bend)} ${round(at.x(i))} ${round(bend)} ${round(at.x(i))} ${round(to)}`;
        (way.live ? live : quiet).push(d);
      }
    }
    pen.path(quiet.join(""), { key: `quiet${depth}`, stroke: colour.line, width: 1.2 });
    pen.path(live.join(""), { key: `live${depth}`, stroke: colour.gradient, width: 2.4, "stroke-opacity": 0.5 });
    if (live.length) pen.beads(live.join(""), colour.gradient, { key: `beads${depth}`, width: 3.6 });
  }
}

const round = (value) => Math.round(value * 10) / 10;
const brief = (value) => (value === 0 ? "0" : value < 0.005 ? "<.01" : value.toFixed(2).replace(/^0/, ""));
const dark = (value) => (value > 0 ? 0.16 + 0.5 * Math.max(0, 1 + Math.log10(Math.min(value, 1)) / 4) : 0);

/** After each layer, how far each output has moved. */
function outputs(pen, scene, at) {
  const { data, values, hidden, colour, narrow } = scene;
  const named = data.marks[values("@say") % data.variants];
  const change = Math.round(values("masking_change")) - 1;
  for (let depth = 1; depth <= data.depths; depth++) {
    const y = at.y(depth);
    pen.text(narrow ? 4 : 14, y - (narrow ? 1 : 2), narrow ? `L${depth}` : `layer ${depth}`, {
      key: `layer${depth}`,
      size: narrow ? 13 : 15,
      bold: true,
      fill: colour.quiet,
    });
    pen.text(
      narrow ? 4 : 14,
      y + 15,
      hidden(`n${depth}`)
        ? "?"
        : narrow
          ? `${values(`n${depth}`).toFixed(0)}`
          : `${values(`n${depth}`).toFixed(0)} move`,
      { key: `count${depth}`, size: narrow ? 13 : 14, fill: colour.gradient },
    );
    data.tokens.forEach((_, i) => {
      const name = `v${depth}.${i + 1}`;
      const value = values(name);
      const moves = value > 0;
      const asked = hidden(name);
      const marked = named === "own" && i === change && depth === Math.max(values("ownLayer"), 1) && !hidden("own");
      pen.group({ key: name }, (its) => {
        const box = [at.x(i) - at.half, y - at.high / 2, 2 * at.half, at.high];
        its.rect(box[0], box[1], box[2], box[3], {
          key: "ground",
          r: 8,
          fill: colour.background,
          stroke: asked ? colour.ink : moves ? colour.gradient : colour.line,
          line: moves ? 2 : 1.5,
          dash: asked || moves ? null : "3 3",
        });
        if (moves && !asked)
          its.rect(box[0], box[1], box[2], box[3], {
            key: "moved",
            r: 8,
            fill: colour.gradient,
            "fill-opacity": dark(value),
          });
        const said = asked ? "?" : marked ? scene.text("own") : brief(value);
        const size = at.half > 24 ? 15 : 13;
        if (textWidth(said, size) <= 2 * at.half + 4 || marked)
          its.markedText(at.x(i), y + size * 0.35, said, marked, {
            key: "said",
            size: marked ? 13 : size,
            bold: moves,
            fill: moves || asked ? colour.ink : colour.quiet,
            anchor: "middle",
          });
        if (data.blank && depth < data.depths && !narrow) {
          const reached = values(`r${depth}.${i + 1}`) > 0.5;
          its.circle(at.x(i), y - at.high / 2, 4, {
            fill: reached ? colour.gradient : colour.background,
            stroke: reached ? colour.gradient : colour.line,
            line: 1.5,
          });
        }
      });
    });
  }
}

/** The text below: pressed, a word is the one that is changed. */
function words(pen, scene, at) {
  const { data, values, colour, narrow, move } = scene;
  const change = Math.round(values("masking_change")) - 1;
  pen.text(narrow ? 4 : 14, at.y(0) + 5, narrow ? "text" : "the text", {
    size: narrow ? 13 : 15,
    bold: true,
    fill: colour.quiet,
  });
  data.tokens.forEach((token, i) => {
    const changed = i === change;
    pen.button(
      `Change token ${i + 1}: ${token}`,
      () => move("masking_change", i + 1, true),
      (its) => {
        its.rect(at.x(i) - at.step / 2 + 2, at.y(0) - at.high / 2, at.step - 4, at.high, {
          r: 8,
          fill: changed ? colour.gradient : colour.background,
          stroke: changed ? colour.gradient : colour.input,
          line: 1.5,
        });
        its.text(at.x(i), at.y(0) + 5, token, {
          size: at.step > 56 ? 15 : 13,
          bold: changed,
          fill: changed ? colour.background : colour.input,
          anchor: "middle",
          room: at.step - 10,
        });
      },
      { key: `word${i}`, chosen: changed },
    );
  });
  if (!narrow)
    pen.text(at.x(change), at.y(0) + at.high / 2 + 15, "changed", {
      size: 13,
      fill: colour.gradient,
      anchor: "middle",
    });
}

/** Above: how many outputs move before the changed word, and from it on. */
function sides(pen, scene, at) {
  const { data, values, hidden, text, colour, narrow } = scene;
  const change = Math.round(values("masking_change")) - 1;
  const edge = at.left + change * at.step;
  const y = at.y(data.depths) - at.high / 2 - 12;
  const named = data.marks[values("@say") % data.variants];
  const side = (name, of, from, to, said) => {
    if (values(of) < 0.5) return;
    pen.path(`M${from + 3} ${y + 6}v-6H${to - 3}v6`, { key: `brace ${name}`, stroke: colour.quiet, width: 1.5 });
    const number = text(name);
    const rest = ` of ${Math.round(values(of))} ${said}`;
    const size = narrow ? 13 : 16;
    const least = textWidth(number + rest, size, true);
    const short = ` of ${Math.round(values(of))}`;
    const tail = least <= Math.max(to - from, 40) + 20 ? rest : short;
    const wide = textWidth(number, size + 2, true) + textWidth(tail, size);
    const space = name === "before" ? [at.left - (narrow ? 40 : 90), edge - 4] : [edge + 4, at.right];
    const x = Math.min(Math.max((from + to) / 2 - wide / 2, space[0]), space[1] - wide);
    pen.markedText(x, y - 10, number, named === name && !hidden(name), {
      key: `number ${name}`,
      size: size + 2,
      bold: true,
      fill: values(name) > 0 ? colour.gradient : colour.ink,
    });
    pen.text(x + textWidth(number, size + 2, true) + 7, y - 10, tail.trim(), {
      key: `of ${name}`,
      size,
      fill: colour.quiet,
    });
  };
  side("before", "ofBefore", at.left, edge, narrow ? "before" : "before it move");
  side("after", "ofAfter", edge, at.right, narrow ? "from it on" : "from it on move");
}

/** What every changed token moves: a column for each, a row for each output. */
function every(pen, scene, at) {
  const { data, values, colour, moved, hidden } = scene;
  const count = data.tokens.length;
  const change = Math.round(values("masking_change")) - 1;
  const stale = moved !== null && moved !== "masking_change";
  const { left, right } = at.every;
  pen.text(right, 24, "every change", { size: 14, bold: true, fill: colour.quiet, anchor: "end" });
  const size = Math.min(at.apart - 12, right - left - 6);
  const cell = size / count;
  for (let depth = 1; depth <= data.depths; depth++) {
    const top = at.y(depth) - size / 2;
    const from = right - size;
    pen.group({ key: `grid${depth}`, opacity: stale || hidden("n1") ? 0.15 : null }, (grid) => {
      grid.rect(from, top, size, size, { r: 2, fill: colour.background, stroke: colour.line });
      for (let i = 0; i < count; i++)
        for (let j = 0; j < count; j++) {
          const shade = data.every[((depth - 1) * count + i) * count + j];
          if (shade > 0)
            grid.rect(from + j * cell + 0.5, top + i * cell + 0.5, cell - 1, cell - 1, {
              key: `${i}.${j}`,
              r: 1,
              fill: colour.gradient,
              "fill-opacity": 0.2 + 0.75 * shade,
            });
        }
      grid.rect(from + change * cell, top, cell, size, { key: "at", r: 1, stroke: colour.ink, line: 2 });
    });
  }
}
