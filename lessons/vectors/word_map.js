// The map: every word as a point, lines from the chosen word to its nearest ones, and names as far as they fit.

import { labelRoom, markPath } from "../../drawing/labels.js";
import { mapScale } from "../../drawing/map_scale.js";
import { colourOf, cosineAt, isPlanted, nearOf } from "./vectors_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places } from "./layout.js" */
/** @import { Draw, VectorsScene } from "./vectors_scene.js" */

/** @typedef {{ x: number, y: number }} Spot */
/** @typedef {{ r: number, size: number, bold: boolean, far?: boolean, fill: string }} Look of a label and its mark */
/**
 * @typedef {object} Marks
 * @property {Spot[]} spots of all words
 * @property {number[]} near the indices of the nearest words; none while a question hides them
 * @property {number} radius of a mark
 * @property {ReturnType<typeof labelRoom>} room
 */

/** @type {Draw} */
export function drawMap(pen, scene, at) {
  const { colour, data, hidden } = scene;
  const box = at.map;
  pen.rect(box.left, box.top, box.wide, box.high, { r: 8, stroke: colour.line, line: 1.5 });
  const spots = spotsAt(scene, at);
  const near = hidden("c1") ? [] : nearOf(scene);
  const chosen = spots[data.word];
  near.forEach((place, k) => {
    const width = 1 + 3 * Math.max(cosineAt(scene, k), 0) ** 2;
    const look = { key: `line ${k}`, stroke: colour.ink, width, "stroke-opacity": 0.5 };
    pen.line(chosen.x, chosen.y, spots[place].x, spots[place].y, look);
  });
  const room = labelRoom(box);
  const radius = at.small ? 4 : 6;
  for (const place of new Set([data.word, ...near])) {
    const { x, y } = spots[place];
    room.take([x - radius, y - radius, x + radius, y + radius]);
  }
  const marks = { spots, near, room, radius };
  spots.forEach((_, place) => drawMark(pen, scene, marks, place));
  labelWords(pen, scene, at, marks);
  labelGroups(pen, scene, marks);
  labelOthers(pen, scene, at, marks);
}

/**
 * The points at the current time, interpolated between two snapshots.
 *
 * @param {VectorsScene} scene @param {Places} at @returns {Spot[]}
 */
function spotsAt({ data, memory }, at) {
  const { left, top, wide, high } = at.map;
  const shape = `${left} ${top} ${wide} ${high}`;
  const { points } = memory;
  if (memory.map?.shape !== shape || memory.map.data !== data)
    memory.map = { shape, data, scale: mapScale(points, at.map, at.small ? 18 : 30) };
  const { scale } = memory.map;
  const count = data.words.length;
  const before = Math.floor(memory.place);
  const after = Math.min(before + 1, data.steps.length - 1);
  const share = memory.place - before;
  return data.words.map((_, i) => {
    const value = (/** @type {0 | 1} */ axis) => {
      const [from, to] = [points[2 * (before * count + i) + axis], points[2 * (after * count + i) + axis]];
      return from + (to - from) * share;
    };
    return { x: scale.x(value(0)), y: scale.y(value(1)) };
  });
}

/**
 * A word as a point; a press chooses it.
 *
 * @param {Pen} pen @param {VectorsScene} scene @param {Marks} marks @param {number} place
 */
function drawMark(pen, scene, { spots, near, radius }, place) {
  const { colour, data, hidden, send } = scene;
  const { x, y } = spots[place];
  const chosen = place === data.word;
  const group = data.groupOf[place];
  const named = chosen || near.includes(place);
  pen.button(
    `Choose ${data.words[place]}`,
    () => send({ word: data.words[place] }),
    (its) => {
      if (chosen || !hidden("c1")) its.node("title", {}, data.words[place]);
      its.path(markPath(group, x, y, chosen ? radius + 3 : named ? radius + 1 : radius), {
        fill: colourOf(colour, group),
        stroke: chosen ? colour.ink : colour.background,
        width: chosen ? 2.5 : 1,
        "fill-opacity": group < 0 && !named ? (data.groups.length ? 0.3 : 0.6) : 1,
      });
      if (near.includes(place) && isPlanted(scene, place))
        its.circle(x, y, radius + 5, { stroke: colour.ink, line: 2 });
    },
    { key: `spot ${place}`, tabindex: named ? 0 : -1 },
  );
}

/**
 * A label beside a word's point, if there is room.
 *
 * @param {Pen} pen
 * @param {VectorsScene} scene
 * @param {Marks} marks
 * @param {number} place
 * @param {Look & { key: string }} look
 */
function label(pen, { data }, { room, spots }, place, look) {
  const { key, size, bold, fill } = look;
  const text = data.words[place];
  const where = room.place(spots[place].x, spots[place].y, look.r, text, look);
  if (!where) return;
  const { x, y, anchor } = where;
  pen.text(x, y, text, { key, size, bold, anchor, fill, halo: true, "pointer-events": "none" });
}

/**
 * The names of the chosen word and of the nearest ones.
 *
 * @param {Pen} pen @param {VectorsScene} scene @param {Places} at @param {Marks} marks
 */
function labelWords(pen, scene, { small }, marks) {
  const { colour, data } = scene;
  const { near, radius } = marks;
  const chosen = { key: "chosen", r: radius + 4, size: small ? 15 : 20, bold: true, fill: colour.ink };
  label(pen, scene, marks, data.word, chosen);
  for (const place of near) {
    const fill = colourOf(colour, data.groupOf[place]);
    label(pen, scene, marks, place, { key: `label ${place}`, r: radius + 6, size: small ? 13 : 16, bold: true, fill });
  }
}

/**
 * The name of each planted group, beside the word that is nearest to the group's centre.
 *
 * @param {Pen} pen @param {VectorsScene} scene @param {Marks} marks
 */
function labelGroups(pen, { colour, data, memory }, { spots, room, radius }) {
  data.groups.forEach((name, group) => {
    const members = spots.filter((_, place) => data.groupOf[place] === group);
    if (!members.length) return;
    const mean = (/** @type {"x" | "y"} */ axis) => members.reduce((sum, each) => sum + each[axis], 0) / members.length;
    const [x, y] = [mean("x"), mean("y")];
    const away = (/** @type {Spot} */ each) => Math.hypot(each.x - x, each.y - y);
    const middle = members.reduce((best, each) => (away(each) < away(best) ? each : best));
    const where = memory.snapshot && room.place(middle.x, middle.y, radius + 12, name, { size: 14, bold: true });
    if (!where) return;
    pen.text(where.x, where.y, name, {
      key: `group ${group}`,
      size: 14,
      bold: true,
      anchor: where.anchor,
      fill: colourOf(colour, group),
      halo: true,
      "font-style": "italic",
      "pointer-events": "none",
    });
  });
}

/**
 * The names of the other words. They are omitted on a phone, while the points move, and while a question hides the
 * nearest word.
 *
 * @param {Pen} pen @param {VectorsScene} scene @param {Places} at @param {Marks} marks
 */
function labelOthers(pen, scene, { small }, marks) {
  const { colour, data, memory, hidden } = scene;
  if (memory.exact !== null || small || hidden("c1")) return;
  data.words.forEach((_, place) => {
    if (place === data.word || marks.near.includes(place)) return;
    if (data.groupOf[place] < 0 && data.groups.length) return;
    const fill = colourOf(colour, data.groupOf[place]);
    label(pen, scene, marks, place, {
      key: `other ${place}`,
      r: marks.radius,
      size: 13,
      bold: false,
      far: false,
      fill,
    });
  });
}
