// How much of a gradient arrives after 0, 1, 2 … steps back: curves on a logarithmic scale, between what
// vanishes and what explodes.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { formatNumber, raised } from "../../ui/browser/numbers.js";
import { textWidth } from "../../ui/browser/pen.js";
import { apart, scalesOf } from "./vanish_scales.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["vanish"]} Data */

const DIM = 0.18;

/** @param {Component<Data>} component */
export default function vanish(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const { width, height, narrow, data } = scene;
    const box = narrow
      ? { left: 46, right: width - 92, top: 40, foot: height - 40 }
      : { left: 76, right: width - 212, top: 46, foot: height - 50 };
    const scales = scalesOf(data, box);
    axes(pen, scene, box, scales);
    curves(pen, scene, box, scales);
  });
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function axes(pen, { data, narrow, colour, width }, { left, right, top, foot }, { x, y }) {
  const wide = right - left;
  for (const [from, to, said, line] of [
    [data.high, 2, "explodes", 17],
    [-2, data.low, "vanishes", -8],
  ]) {
    const [a, b] = [y(10 ** from), y(10 ** to)];
    pen.rect(left, a, wide, b - a, { fill: colour.gradient, "fill-opacity": 0.08, r: 0 });
    pen.text(left + 10, line > 0 ? a + line + 2 : b + line, said, { size: 16, bold: true, fill: colour.gradient });
  }
  for (let power = data.low; power <= data.high; power += 3) {
    const at = y(10 ** power);
    pen.line(left, at, right, at, { stroke: power ? colour.line : colour.quiet, width: power ? 1 : 2 });
    pen.text(left - 8, at + 5, power ? `10${raised(power)}` : "1", { size: 14, fill: colour.quiet, anchor: "end" });
  }
  for (let n = 0; n <= data.steps; n += narrow ? 25 : 10) {
    pen.text(x(n), foot + 18, `${n}`, { size: 14, fill: colour.quiet, anchor: "middle" });
  }
  pen.text((left + right) / 2, foot + (narrow ? 34 : 40), data.xTitle, {
    size: narrow ? 13 : 15,
    fill: colour.quiet,
    anchor: "middle",
  });
  pen.text(narrow ? 8 : left, narrow ? 18 : 26, narrow ? data.yShort : data.yTitle, {
    size: narrow ? 13 : 15,
    bold: true,
    fill: colour.gradient,
  });
  if (!narrow) pen.text(width - 16, 26, data.note, { size: 14, fill: colour.quiet, anchor: "end" });
  for (const [factor, steps] of data.references) {
    const [cx, cy] = [x(steps), y(factor ** steps)];
    pen.path(`M${cx - 5} ${cy - 5}l10 10m0 -10l-10 10`, { stroke: colour.ink, width: 1.8 });
    pen.text(cx - 10, cy - 8, `${formatNumber(factor)}${raised(steps)}`, { size: 14, anchor: "end", halo: true });
  }
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function curves(pen, scene, { right, top, foot }, { x, y, along }) {
  const { data, values, before, hidden, text, narrow, colour, moved } = scene;
  const last = (name) => `${name}${data.steps}`;
  const steps = Array.from({ length: data.steps + 1 }, (_, n) => n);
  const through = (its, name) => along(steps.map((n) => its(`${name}${n}`)));
  const seen = data.curves.filter(({ name }) => !hidden(last(name)));
  const gap = narrow ? 34 : 24;
  const places = apart(
    data.curves.map(({ name }) => y(values(last(name)))),
    gap,
    { top: top + 6, foot: foot - 4 },
  );
  data.curves.forEach(({ name, label, brief, role, dash, thin, part }, i) => {
    pen.group({ key: name, opacity: scene.dim(part) ? DIM : null }, (its) => {
      const drawn = seen.some((each) => each.name === name);
      if (before && drawn && Math.abs(before(last(name)) - values(last(name))) > 1e-12) {
        its.path(through(before, name), { key: "old", stroke: colour.ink, width: 1.5, dash: "6 4" });
      }
      if (drawn) {
        const d = through(values, name);
        its.path(d, { key: "curve", stroke: colour[role], width: thin ? 1.5 : 4, dash });
        if (!thin && !dash) its.beads(d, colour.background, { width: 2.2 });
        its.line(x(data.steps) + 3, y(values(last(name))), right + 18, places[i] - 5, {
          key: "lead",
          stroke: colour[role],
          width: 1,
        });
      }
      const named = !moved && last(name) === data.named;
      const said = narrow ? brief : label;
      const size = narrow ? 13 : 15;
      its.text(right + 22, places[i] - (narrow ? 9 : 0), said, { size, bold: !thin, fill: colour[role] });
      const left = narrow ? right + 22 : right + 22 + textWidth(said, size, !thin) + 10;
      its.markedText(left, places[i] + (narrow ? 6 : 0), text(last(name)), named, {
        size: narrow ? 14 : 17,
        bold: true,
        fill: colour[role],
      });
    });
  });
}
