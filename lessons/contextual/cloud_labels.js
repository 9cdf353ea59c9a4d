// The labels on the map of occurrences, each where there is room.

import { textWidth } from "../../drawing/pen.js";
import { labelRoom } from "../../drawing/labels.js";
import { colourOf } from "./view.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places, Spot } from "./contextual_places.js" */
/** @import { CloudScene, View } from "./view.js" */
/** @typedef {ReturnType<typeof labelRoom>} Room */
/** @typedef {NonNullable<ReturnType<Room["place"]>>} Free where a label has room */

const SAME = 1.5; // units within which two points count as one

/** @param {Pen} pen @param {CloudScene} scene @param {Places} at @param {View} view @param {Spot[]} spots */
export function drawLabels(pen, scene, at, view, spots) {
  const { data } = scene;
  const room = labelRoom(at.map);
  drawTitle(pen, scene, at, view, room);
  spots.forEach(({ x, y }) => room.take([x - 9, y - 9, x + 9, y + 9]));
  const size = at.narrow ? 15 : 19;
  if (view.place <= 0.25) {
    const { x, y } = spots[0];
    const said = `${data.texts.length} occurrences, one point`;
    pen.text(x, y - 30, said, { size, bold: true, anchor: "middle", halo: true });
    return;
  }
  for (const sense of [0, 1]) drawGloss(pen, scene, spots, room, sense, size);
  if (view.exact === null && view.place === view.layer)
    for (const { place, many } of heapsOf(view, spots)) {
      const { x, y } = spots[place];
      const free = room.place(x, y, 12, `× ${many}`, { size: 14, bold: true });
      const fill = colourOf(pen.colour, data.texts[place].sense);
      if (free) drawLabel(pen, `heap ${place}`, `× ${many}`, free, 14, fill);
    }
  data.texts.forEach(({ sense }, place) => {
    if (sense >= 0) return;
    const { x, y } = spots[place];
    const free = room.place(x, y, 10, "typed", { size: 14, bold: true });
    if (free) drawLabel(pen, `typed ${place}`, "typed", free, 14, pen.colour.gradient);
  });
}

/**
 * Whose vectors these are, and how much of them the plane shows.
 *
 * @param {Pen} pen @param {CloudScene} scene @param {Places} at @param {View} view @param {Room} room
 */
function drawTitle(pen, { colour, data }, { map, narrow }, { layer }, room) {
  const { left, top, wide, high } = map;
  const title = narrow ? data.model : `“${data.word}” by ${data.model}, layer ${layer}`;
  const size = narrow ? 13 : 15;
  pen.text(left + 12, top + (narrow ? 18 : 24), title, { size, bold: true, fill: colour.quiet });
  room.take([left, top, left + textWidth(title, size, true) + 20, top + 30]);
  if (narrow || !layer) return;
  const said = `the plane shows ${Math.round(100 * data.share[layer])} % of the variance`;
  pen.text(left + wide - 12, top + high - 12, said, { size: 13, fill: colour.quiet, anchor: "end" });
  room.take([left + wide - 260, top + high - 30, left + wide, top + high]);
}

/**
 * What a sense means, above its cloud, below it, or in it.
 *
 * @param {Pen} pen
 * @param {CloudScene} scene
 * @param {Spot[]} spots
 * @param {Room} room
 * @param {number} sense
 * @param {number} size
 */
function drawGloss(pen, { colour, data }, spots, room, sense, size) {
  const cloud = spots.filter((_, i) => data.texts[i].sense === sense);
  const [xs, ys] = [cloud.map(({ x }) => x), cloud.map(({ y }) => y)];
  /** @param {number[]} values */
  const mean = (values) => values.reduce((sum, each) => sum + each, 0) / values.length;
  const gloss = data.glosses[sense];
  const look = { size, bold: true };
  const free =
    room.place(mean(xs), Math.min(...ys), 22, gloss, look) ??
    room.place(mean(xs), Math.max(...ys), 22, gloss, look) ??
    room.place(mean(xs), mean(ys), 20, gloss, look);
  if (free) drawLabel(pen, `gloss ${sense}`, gloss, free, size, colourOf(colour, sense));
}

/**
 * @param {Pen} pen
 * @param {string} key
 * @param {string} text
 * @param {Free} free
 * @param {number} size
 * @param {string} fill
 */
function drawLabel(pen, key, text, { x, y, anchor }, size, fill) {
  pen.text(x, y, text, { key, size, bold: true, anchor, fill, halo: true, "pointer-events": "none" });
}

/**
 * Occurrences of a sense that lie in one point, as for a model that cannot see where the sentences differ.
 *
 * @param {View} view @param {Spot[]} spots
 */
function heapsOf({ data }, spots) {
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
