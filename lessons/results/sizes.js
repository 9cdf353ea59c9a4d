// Language models as circles on a line of time: their areas are their parameters. A circle stands on the line, or at
// the height of its model's perplexity.

import { scaleLinear } from "../../drawing/d3.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { axisScale } from "./results_places.js";
import { drawGrowth } from "./sizes_growth.js";
import { drawScores } from "./sizes_scores.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @typedef {Scene<"sizes">} SizesScene */
/** @typedef {ReturnType<typeof placesOf>} SizesPlaces */

const PER_YEAR = 12;

/** @param {Component<Scripts["sizes"]>} component */
export default function sizes(component) {
  return mainPicture(component, (pen, /** @type {SizesScene} */ scene) => {
    const at = placesOf(scene);
    drawTime(pen, scene, at);
    (scene.data.scores.length ? drawScores : drawGrowth)(pen, scene, at);
    const { colour, height, data, width } = scene;
    pen.text(16, height - 8, data.source, { key: "source", size: 14, fill: colour.quiet, room: width - 32 });
  });
}

/**
 * Where a month is, the ground, the centre and the radius of each circle.
 *
 * @param {SizesScene} scene
 */
function placesOf({ data, width, height, narrow }) {
  const { months, sizes, scores } = data;
  const ground = height - 66;
  const top = narrow ? 34 : 40;
  const largest = Math.max(...sizes);
  const tall = scores.length ? (ground - top) * (narrow ? 0.09 : 0.14) : (ground - top - 8) / 2;
  const radius = Math.min(tall, width * (scores.length ? 0.07 : 0.19));
  const radii = sizes.map((size) => radius * Math.sqrt(size / largest));
  const left = scores.length ? (narrow ? 74 : 170) : narrow ? 20 : 60;
  const right = width - (scores.length ? (narrow ? 40 : 210) : radius + 12);
  const time = scaleLinear([Math.min(...months), Math.max(...months)], [left, right]);
  const x = months.map((month) => time(month));
  const from = ground - radius - 8;
  const up = axisScale([...scores, data.best], { log: true, from, to: top + 26, count: 5, room: 0.05 });
  const y = radii.map((r, i) => (scores.length ? up.place(scores[i]) : ground - r));
  return { ground, top, left, right, radii, time, x, y, up };
}

/**
 * The line of time: the months of the circles, or the years.
 *
 * @param {Pen} pen @param {SizesScene} scene @param {SizesPlaces} at
 */
function drawTime(pen, { data, colour, width, narrow }, { ground, time }) {
  pen.line(0, ground, width, ground, { key: "ground", stroke: colour.ink, width: 2 });
  const [first, last] = [Math.min(...data.months), Math.max(...data.months)];
  const years = Array.from({ length: 6 }, (_, i) => i * PER_YEAR).filter((month) => month >= first && month <= last);
  const size = narrow ? 14 : 18;
  const scored = data.scores.length > 0;
  pen.axis("x", time, {
    at: ground + (narrow ? 20 : 24),
    ticks: scored ? data.months : years,
    size,
    label: (month) => (scored ? monthOf(data, month) : `${data.year + month / PER_YEAR}`),
    lines: [ground, ground + 6],
    title: "month of its release; area: parameters",
    titled: { x: width - 8, y: ground + (narrow ? 38 : 46), size: 14, fill: colour.quiet, anchor: "end" },
  });
}

/**
 * A month as on its tick, the first one with its year.
 *
 * @param {SizesScene["data"]} data @param {number} month
 */
function monthOf({ months, released }, month) {
  const [name, year] = released[months.indexOf(month)].split(" ");
  const short = name.slice(0, 3);
  return months.indexOf(month) ? short : `${short} ${year}`;
}
