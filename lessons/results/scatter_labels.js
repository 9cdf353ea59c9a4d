// The names of the points where there is room, and the numbers beside the legs of the arrow.

import { textWidth } from "../../drawing/pen.js";
import { labelRoom } from "../../drawing/labels.js";
import { tintOf } from "./results_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Moment, ResultsScene } from "./results_scene.js" */
/** @import { Plot } from "./scatter.js" */
/** @typedef {ReturnType<typeof labelRoom>} LabelRoom */
/** @typedef {(pen: Pen, scene: ResultsScene, now: Moment, plot: Plot, room: LabelRoom) => void} DrawNames */
/** @typedef {{ r: number, size: number, bold: boolean, fill: string, key: string }} Look of a label; r: of its mark */

const FAR = 26; // a longer horizontal leg of the arrow has a number; for the vertical leg, half of this

/** @type {DrawNames} */
export function drawLabels(pen, scene, now, plot, room) {
  nameChosen(pen, scene, now, plot, room);
  if (now.reference !== now.chosen) nameReference(pen, scene, now, plot, room);
  nameOthers(pen, scene, now, plot, room);
}

/**
 * A label beside a point; returns whether there is room.
 *
 * @param {Pen} pen
 * @param {LabelRoom} room
 * @param {readonly [x: number, y: number]} point
 * @param {string} text
 * @param {Look} look
 */
function put(pen, room, [x, y], text, look) {
  const { key, size, bold, fill } = look;
  const where = room.place(x, y, look.r, text, look);
  if (!where) return false;
  const { anchor } = where;
  pen.text(where.x, where.y, text, { key, size, bold, anchor, fill, halo: true, "pointer-events": "none" });
  return true;
}

/**
 * The labels of the points, shorter on a phone.
 *
 * @param {ResultsScene} scene
 */
const namesOf = ({ data, narrow }) => (narrow ? data.shorts : data.labels);

/**
 * The name of the chosen point, with its number; it may cover a line if there is no other place.
 *
 * @type {DrawNames}
 */
function nameChosen(pen, scene, now, { at, spot, radius }, room) {
  const name = namesOf(scene)[now.chosen];
  const number = scene.data.printed[now.chosen];
  const [x, y] = spot(now.chosen);
  const size = at.small ? 15 : 20;
  const [text, how] = [`${name}   ${number}00`, { size, bold: true }];
  const where = room.place(x, y, radius + 9, text, how) ?? labelRoom(at.frame).place(x, y, radius + 9, text, how);
  if (!where) return;
  const whole = textWidth(name, size, true) + 16 + textWidth(number, size, true) + 6;
  const left = where.anchor === "start" ? where.x : where.anchor === "end" ? where.x - whole : where.x - whole / 2;
  room.take([left - 2, where.y - size, left + whole, where.y + 0.3 * size]);
  pen.text(left, where.y, name, { key: "chosen", size, bold: true, halo: true, "pointer-events": "none" });
  pen.group({ key: "number", "pointer-events": "none" }, (its) =>
    its.markedText(left + whole - 6, where.y, number, true, { size, bold: true, anchor: "end" }),
  );
}

/**
 * The name of the reference, and the horizontal and vertical distance of the chosen point from it.
 *
 * @type {DrawNames}
 */
function nameReference(pen, scene, now, { at, spot, radius }, room) {
  const { colour, data, text } = scene;
  const [[x0, y0], [x1, y1]] = [spot(now.reference), spot(now.chosen)];
  const look = { key: "name of reference", r: radius + 8, size: at.size, bold: true, fill: colour.ink };
  put(pen, room, [x0, y0], namesOf(scene)[now.reference], look);
  const how = { r: 6, size: at.size + 1, bold: true };
  pen.part(
    scene,
    "arrow",
    (its) => {
      const over = data.xLog ? `× ${text("ratio")}` : `${text("step")} ${x1 > x0 ? "more" : "less"}`;
      const up = `${y1 < y0 ? "+" : "−"}${text("gap")}`;
      const [middle, height] = [(x0 + x1) / 2, (y0 + y1) / 2];
      if (Math.abs(x1 - x0) > FAR) put(its, room, [middle, y0], over, { ...how, fill: colour.gradient, key: "over" });
      if (Math.abs(y1 - y0) > FAR / 2) put(its, room, [x1, height], up, { ...how, fill: colour.activation, key: "up" });
    },
    { key: "legs" },
  );
}

/**
 * The other names: first the point under the pointer, with its number, then the frontier, then the rest.
 *
 * @type {DrawNames}
 */
function nameOthers(pen, scene, now, { at, spot, stairs, radius }, room) {
  const { colour, data, memory } = scene;
  const over = memory.over ?? null;
  const wanted = new Set([...(over === null ? [] : [over]), ...stairs, ...data.order]);
  wanted.delete(now.chosen);
  wanted.delete(now.reference);
  for (const i of wanted) {
    const bold = i === over || stairs.includes(i);
    const fill = tintOf(colour, data.families[i]);
    const look = { key: `name ${i}`, r: radius + 2, size: at.size, bold, fill };
    const name = namesOf(scene)[i];
    if (put(pen, room, spot(i), i === over ? `${name}: ${data.printed[i]}` : name, look)) continue;
    put(pen, room, spot(i), data.shorts[i], look);
  }
}
