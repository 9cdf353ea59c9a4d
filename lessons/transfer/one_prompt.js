// A prompt with its gap, the candidates for the gap as bars, and the recorded share of right answers by the number of
// solved examples, which is pressed.

import { mainPicture } from "../../drawing/main_picture.js";
import { through } from "../../drawing/pen.js";
import { GAP, placesOf, scalesOf } from "./one_prompt_places.js";

/** @import { Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { PromptPlaces, PromptScene } from "./one_prompt_places.js" */
/** @typedef {(pen: Pen, scene: PromptScene, at: PromptPlaces) => void} Draw */

const CHANCE = 0.5;
const DASHES = [null, "7 5"];

/** @param {Component<Scripts["one_prompt"]>} component */
export default function one_prompt(component) {
  return mainPicture(component, (pen, /** @type {PromptScene} */ scene) => {
    const at = placesOf(scene);
    pen.part(scene, "prompt", (its) => drawWords(its, scene, at));
    pen.part(scene, "candidates", (its) => drawCandidates(its, scene, at));
    pen.part(scene, "recorded", (its) => drawRecorded(its, scene, at));
  });
}

/**
 * The words; the solved examples are quiet, the line with the gap is bold.
 *
 * @type {Draw}
 */
function drawWords(pen, { data, colour }, { words, size, high }) {
  const last = data.lines.length - 1;
  words.forEach(({ word, x, y, wide, line }, n) => {
    const asked = line === last;
    if (word === GAP) {
      pen.rect(x, y - size, wide, high, { key: "gap", r: 5, fill: colour.mark });
      pen.rect(x, y - size, wide, high, { key: "gap edge", r: 5, stroke: colour.ink, line: 1.5 });
      return;
    }
    pen.text(x, y, word, { key: `word ${n}`, size, bold: asked, fill: asked ? colour.ink : colour.quiet });
  });
}

/**
 * p of each candidate by each model, on one scale from 0 to 1.
 *
 * @type {Draw}
 */
function drawCandidates(pen, scene, { bars, bar, room, narrow }) {
  const { data, colour, values, text, hidden } = scene;
  if (!data.computed) return;
  const size = narrow ? 14 : 20;
  const [name, number] = [narrow ? 74 : 110, narrow ? 58 : 90];
  const model = data.models.length > 1 ? (narrow ? 92 : 150) : 0;
  const [left, wide] = [bars.left + model + name, room - model - name - number];
  const title = { key: "p title", size: narrow ? 13 : 16, fill: colour.quiet };
  pen.text(left, bars.top - (narrow ? 4 : 8), "p at the gap, among all words", title);
  data.models.forEach((each, m) =>
    data.candidates.forEach((candidate, c) => {
      const id = /** @type {NameOf<"one_prompt">} */ (`p ${m} ${c}`);
      const y = bars.top + (m * data.candidates.length + c) * bar;
      const best = !hidden(id) && data.candidates.every((_, k) => values(`p ${m} ${k}`) <= values(id));
      const base = y + bar / 2 + size * 0.35;
      if (model && !c)
        pen.text(bars.left, base, each.name, { key: `of ${m}`, size: narrow ? 13 : 17, fill: colour.quiet });
      pen.text(left - 8, base, candidate, { key: `name ${m} ${c}`, size, bold: best, anchor: "end" });
      pen.rect(left, y + 4, wide, bar - 8, {
        key: `room ${m} ${c}`,
        r: 3,
        fill: colour.activation,
        "fill-opacity": 0.12,
      });
      const long = hidden(id) ? 0 : values(id) * wide;
      pen.rect(left, y + 4, long, bar - 8, { key: `bar ${m} ${c}`, r: 3, fill: colour.activation });
      pen.text(left + wide + 8, base, text(id), { key: `p ${m} ${c}`, size, bold: best, fill: colour.activation });
    }),
  );
}

/**
 * The recorded share of right answers by the number of solved examples; a press on a number shows such a prompt.
 *
 * @type {Draw}
 */
function drawRecorded(pen, scene, { chart, narrow }) {
  const { data, colour, text } = scene;
  const { x, y } = scalesOf(scene, chart);
  const size = narrow ? 13 : 16;
  const lines = /** @type {[number, number]} */ ([chart.left, chart.right]);
  const titled = { x: chart.left - 34, y: chart.top - (narrow ? 12 : 20), size, fill: colour.quiet };
  const ticks = narrow ? [0.5, 1] : y.ticks(5);
  pen.axis("y", y, { at: chart.left - 10, ticks, size, lines, title: "share right", titled });
  const look = { key: "chance", stroke: colour.quiet, width: 2, dash: "6 4" };
  pen.line(chart.left, y(CHANCE), chart.right, y(CHANCE), look);
  const chance = { key: "chance is", size, fill: colour.quiet, anchor: /** @type {const} */ ("middle") };
  if (!narrow) pen.text(x(3), y(CHANCE) - 6, "chance", chance);
  data.models.forEach(({ name, recorded }, m) => {
    const points = recorded.map(({ shots, mean }) => /** @type {[number, number]} */ ([x(shots), y(mean)]));
    pen.path(through(points), { key: `line ${m}`, stroke: colour.activation, width: 2.5, dash: DASHES[m] });
    recorded.forEach(({ shots, mean, low, high }) => {
      const line = { key: `interval ${m} ${shots}`, stroke: colour.activation, width: 2 };
      pen.line(x(shots), y(low), x(shots), y(high), line);
      const here = shots === data.shots;
      pen.circle(x(shots), y(mean), here ? 9 : 5, { key: `mean ${m} ${shots}`, fill: colour.activation });
    });
    if (data.models.length > 1 && !narrow) {
      const place = { key: `named ${m}`, size: 16, fill: colour.activation };
      pen.line(chart.left + 150, 18 + m * 22, chart.left + 190, 18 + m * 22, {
        ...place,
        key: `sign ${m}`,
        stroke: colour.activation,
        width: 2.5,
        dash: DASHES[m],
      });
      pen.text(chart.left + 198, 23 + m * 22, name, place);
    }
  });
  const main = data.models[data.models.length - 1].recorded.find(({ shots }) => shots === data.shots);
  if (main) {
    const right = data.shots > 2;
    const said = { key: "mean", size: narrow ? 15 : 22, bold: true, halo: true, fill: colour.activation };
    const place = x(data.shots) + (right ? -14 : 14);
    pen.text(place, y(main.mean) - 10, text("mean"), { ...said, anchor: right ? "end" : "start" });
  }
  drawShots(pen, scene, { chart, narrow, x });
}

/** @param {Pen} pen @param {PromptScene} scene @param {Pick<PromptPlaces, "chart" | "narrow"> & { x: (shots: number) => number }} at */
function drawShots(pen, scene, { chart, narrow, x }) {
  const { data, colour } = scene;
  const size = narrow ? 14 : 18;
  data.models[0].recorded.forEach(({ shots }) => {
    const chosen = shots === data.shots;
    const draw = (/** @type {Pen} */ its) => {
      const look = chosen ? { stroke: colour.ink, line: 2 } : { stroke: colour.line, line: 1.5 };
      its.circle(x(shots), chart.foot + 22, narrow ? 12 : 17, { fill: colour.background, ...look });
      its.text(x(shots), chart.foot + 22 + size * 0.35, `${shots}`, { size, bold: chosen, anchor: "middle" });
    };
    const name = `${shots} solved examples`;
    pen.button(name, () => scene.send({ shots }), draw, { key: `shots ${shots}`, chosen });
  });
  if (narrow) return;
  const title = { key: "shots title", size: 16, fill: colour.quiet, anchor: /** @type {const} */ ("middle") };
  pen.text((chart.left + chart.right) / 2, chart.foot + 60, "k, solved examples in front", title);
}
